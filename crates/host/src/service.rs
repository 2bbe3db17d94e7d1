//! A workspace on a thread of its own, for servers: calls come in while files are being read, and
//! changes on the disk are taken in without being asked for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use codecortex_engine::protocol::{Answer, Caller, Event, State};
use serde_json::Value;

use crate::model::ModelClient;
use crate::supervisor::Supervisor;
use crate::watcher::QuietChanges;
use crate::workers::OnRest;
use crate::workspace::{HostWorkspace, OpenCall, Options, error_answer, internal_error};

/// A call waits this long for the index to be complete; then it is answered from what there is,
/// and the answer says so.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long the service waits for results before it looks for calls.
const TURN: Duration = Duration::from_millis(20);
/// How often the service looks for what open calls wait for and nobody tells of.
const LOOK: Duration = Duration::from_millis(500);
/// Changes are taken in when no more came for this long …
const QUIET: Duration = Duration::from_millis(150);
/// … and at the latest after this long (SPEC I1).
const BATCH: Duration = Duration::from_millis(800);
/// Who has worked and has had nothing to do for this long rests.
const REST: Duration = Duration::from_millis(400);

/// What a caller does with an answer.
type Reply = Box<dyn FnOnce(Answer) + Send>;

struct ServiceCall {
    tool: String,
    args: Value,
    caller: Caller,
    reply: Reply,
    since: Instant,
    given_up: Arc<AtomicBool>,
}

/// A call that was begun, and who gets its answer.
struct Begun {
    call: OpenCall,
    reply: Reply,
    given_up: Arc<AtomicBool>,
}

enum Message {
    Call(ServiceCall),
    Model(Arc<dyn ModelClient>),
    /// An editor does something with a document.
    Document(Box<Event>),
    /// Something changed on the disk, git has answered, or a call was given up.
    Changed,
    Stop,
}

/// A call on its way. Dropping it does nothing; [`CallHandle::cancel`] gives it up.
#[derive(Clone, Debug)]
pub struct CallHandle {
    given_up: Arc<AtomicBool>,
    sender: Sender<Message>,
}

impl CallHandle {
    /// Gives the call up: it is not begun if it still waits to be, and ends where it waits if it is at work. Who listens
    /// for its answer then hears that it was cancelled, or nothing if it was not begun.
    pub fn cancel(&self) {
        self.given_up.store(true, Ordering::Relaxed);
        // A service that has ended has nothing to give up.
        let _ = self.sender.send(Message::Changed);
    }
}

/// The state before there is any.
#[must_use]
pub fn no_state() -> State {
    codecortex_engine::Engine::new().state()
}

/// A running workspace. Dropping it ends its thread.
pub struct Service {
    sender: Sender<Message>,
    thread: Option<JoinHandle<()>>,
}

impl Service {
    /// Opens a workspace on a thread of its own. `on_state` is told there what the engine does, `on_rest` is called
    /// there, and on every thread that reads files, when there is nothing to do for a while after some work: the time
    /// to give memory back.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(
        options: Options,
        on_state: impl FnMut(&State) + Send + 'static,
        on_rest: impl Fn() + Send + Sync + 'static,
    ) -> std::io::Result<Self> {
        let (sender, inbox) = channel();
        let wake = sender.clone();
        let thread = std::thread::Builder::new()
            .name("engine".into())
            .stack_size(16 << 20)
            .spawn(move || run(options, on_state, Arc::new(on_rest), &inbox, wake))?;
        Ok(Self {
            sender,
            thread: Some(thread),
        })
    }

    /// Calls a tool. `reply` gets the answer on the service's thread; when the service ends first,
    /// it is dropped without one.
    pub fn call(
        &self,
        tool: &str,
        args: Value,
        caller: Caller,
        reply: impl FnOnce(Answer) + Send + 'static,
    ) -> CallHandle {
        let given_up = Arc::new(AtomicBool::new(false));
        let call = ServiceCall {
            tool: tool.to_owned(),
            args,
            caller,
            reply: Box::new(reply),
            since: Instant::now(),
            given_up: Arc::clone(&given_up),
        };
        // When the thread is gone, dropping the reply tells the caller.
        let _ = self.sender.send(Message::Call(call));
        CallHandle {
            given_up,
            sender: self.sender.clone(),
        }
    }
}

impl Service {
    /// From now on somebody else's model is asked.
    pub fn open_model(&self, client: Arc<dyn ModelClient>) {
        // A service that has ended asks nobody.
        let _ = self.sender.send(Message::Model(client));
    }

    /// Tells what an editor does with a document: [`Event::Opened`], [`Event::Edited`], [`Event::Saved`] or
    /// [`Event::Closed`]. Calls that are made later see its text (SPEC I1).
    pub fn tell(&self, event: Event) {
        // A service that has ended answers nobody.
        let _ = self.sender.send(Message::Document(Box::new(event)));
    }

    /// Ends the service's thread. Whether it ended before the deadline; otherwise it is abandoned.
    #[must_use]
    pub fn stop(mut self, deadline: Instant) -> bool {
        let _ = self.sender.send(Message::Stop);
        while let Some(thread) = &self.thread {
            if thread.is_finished() {
                return true;
            }
            if Instant::now() > deadline {
                self.thread = None;
                return false;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        true
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.sender.send(Message::Stop);
        if let Some(thread) = self.thread.take() {
            // A panic there was logged when it happened.
            let _ = thread.join();
        }
    }
}

fn run(
    options: Options,
    on_state: impl FnMut(&State) + Send + 'static,
    on_rest: OnRest,
    inbox: &Receiver<Message>,
    wake: Sender<Message>,
) {
    let on_change = move || {
        // The service ends when nobody reads this any more.
        let _ = wake.send(Message::Changed);
    };
    let mut supervisor = Supervisor::start(options, Box::new(on_state), Arc::new(on_change));
    let mut waiting: Vec<ServiceCall> = Vec::new();
    let mut open: Vec<Begun> = Vec::new();
    let mut turn = Turn {
        changes_in: None,
        worked_at: Some(Instant::now()),
    };
    loop {
        refuse(&supervisor, &mut waiting);
        let replaced = supervisor.replaced();
        let wait =
            supervisor.attempt(|workspace| turn.work(workspace, &mut waiting, &mut open, &on_rest));
        if supervisor.replaced() != replaced {
            fail(&mut open);
        }
        let message = match wait {
            Some(Wait::Message(most)) => receive(inbox, most),
            // Nothing is left to do but to say so.
            None if supervisor.failure().is_some() && waiting.is_empty() => receive(inbox, None),
            Some(Wait::Results) | None => inbox.try_recv().map_err(|error| match error {
                TryRecvError::Empty => RecvTimeoutError::Timeout,
                TryRecvError::Disconnected => RecvTimeoutError::Disconnected,
            }),
        };
        match message {
            Ok(Message::Call(call)) => waiting.push(call),
            Ok(Message::Model(client)) => supervisor.open_model(client),
            Ok(Message::Document(event)) => supervisor.tell(*event),
            Ok(Message::Changed) | Err(RecvTimeoutError::Timeout) => {}
            Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => {
                supervisor.attempt(|workspace| {
                    if workspace.is_settled() {
                        workspace.save_if_worthwhile();
                    }
                    workspace.end();
                });
                return;
            }
        }
        let replaced = supervisor.replaced();
        turn.changes_in = supervisor.attempt(take_changes).flatten();
        if supervisor.replaced() != replaced {
            fail(&mut open);
        }
    }
}

/// What the service waits for.
enum Wait {
    /// A message, at most this long.
    Message(Option<Duration>),
    /// What files and folders hold; it has waited for that already.
    Results,
}

/// What is known from one turn to the next.
struct Turn {
    changes_in: Option<Duration>,
    worked_at: Option<Instant>,
}

impl Turn {
    /// Does what there is to do.
    fn work(
        &mut self,
        workspace: &mut HostWorkspace,
        waiting: &mut Vec<ServiceCall>,
        open: &mut Vec<Begun>,
        on_rest: &OnRest,
    ) -> Wait {
        if !workspace.is_settled() {
            self.worked_at = Some(Instant::now());
            // The call that was begun last is the one that waits for files.
            workspace.step_for(open.last_mut().map(|begun| &mut begun.call), TURN);
            begin_impatient(workspace, waiting, open);
            answer_open(workspace, open);
            return Wait::Results;
        }
        let began = Instant::now();
        let has_calls = !waiting.is_empty();
        begin_all(workspace, waiting, open);
        answer_open(workspace, open);
        if workspace.is_broken() {
            return Wait::Results; // the next engine goes on
        }
        if !workspace.is_settled() {
            return Wait::Results; // a call waits for files
        }
        workspace.save_now_and_then();
        workspace.take_own_replies();
        let tick_in = workspace.tick_if_due();
        answer_open(workspace, open);
        if workspace.is_broken() || !workspace.is_settled() {
            return Wait::Results;
        }
        let tick_in = match workspace.awaits_model() {
            true => Some(tick_in.map_or(TURN, |tick| tick.min(TURN))),
            false => tick_in,
        };
        // Writing files is work as well; looking whether there are any to write is none.
        if has_calls || began.elapsed() > TURN {
            self.worked_at = Some(Instant::now());
        }
        let rest_in = (self.worked_at).map(|at| REST.saturating_sub(at.elapsed()));
        if rest_in.is_some_and(|rest| rest.is_zero()) {
            self.worked_at = None;
            workspace.rest(Arc::clone(on_rest));
            on_rest();
        }
        // git tells when it has answered; what does not come back is looked for now and then.
        let look_in = (!open.is_empty() || workspace.awaits_git()).then_some(LOOK);
        let waits = self.changes_in.into_iter().chain(tick_in).chain(look_in);
        let rest_in = rest_in.filter(|_| self.worked_at.is_some());
        Wait::Message(waits.chain(rest_in).min())
    }
}

/// Answers the calls that are not run any more.
fn refuse(supervisor: &Supervisor, waiting: &mut Vec<ServiceCall>) {
    let refused = waiting.extract_if(.., |call| {
        supervisor.refusal(&call.tool, &call.args).is_some()
    });
    for call in refused.collect::<Vec<_>>() {
        if let Some(error) = supervisor.refusal(&call.tool, &call.args) {
            (call.reply)(error_answer(call.caller, &error));
        }
    }
}

fn receive(inbox: &Receiver<Message>, wait: Option<Duration>) -> Result<Message, RecvTimeoutError> {
    match wait {
        Some(wait) => inbox.recv_timeout(wait),
        None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
    }
}

/// Takes in what changed, if it is time; how long until it is.
fn take_changes(workspace: &mut HostWorkspace) -> Option<Duration> {
    if !workspace.is_settled() {
        return None; // what is being indexed comes first; the notices wait
    }
    match workspace.quiet_changes(QUIET, BATCH) {
        QuietChanges::Nothing => None,
        QuietChanges::In(wait) => Some(wait),
        QuietChanges::Paths(paths) => {
            workspace.changed(paths);
            None
        }
        QuietChanges::Unknown => {
            workspace.look_anew();
            None
        }
    }
}

/// Begins every call with an index that is up to what the disk is now. What waits when the engine fails is begun by the
/// next one.
fn begin_all(workspace: &mut HostWorkspace, waiting: &mut Vec<ServiceCall>, open: &mut Vec<Begun>) {
    waiting.retain(|call| !call.given_up.load(Ordering::Relaxed));
    if waiting.is_empty() {
        return;
    }
    workspace.refresh();
    while !waiting.is_empty() && !workspace.is_broken() {
        begin(workspace, waiting.remove(0), open);
    }
}

/// Begins the calls that have waited long enough, with what there is.
fn begin_impatient(
    workspace: &mut HostWorkspace,
    waiting: &mut Vec<ServiceCall>,
    open: &mut Vec<Begun>,
) {
    let is_due = |call: &ServiceCall| call.since.elapsed() > PATIENCE;
    while let Some(at) = waiting
        .iter()
        .position(is_due)
        .filter(|_| !workspace.is_broken())
    {
        begin(workspace, waiting.remove(at), open);
    }
}

/// Begins a call. Its answer is there at once, unless it waits for something.
fn begin(workspace: &mut HostWorkspace, call: ServiceCall, open: &mut Vec<Begun>) {
    if call.given_up.load(Ordering::Relaxed) {
        return;
    }
    let mut begun = workspace.begin_call(&call.tool, call.args, call.caller);
    match workspace.answer_of(&mut begun) {
        Some(answer) => (call.reply)(answer),
        None => open.push(Begun {
            call: begun,
            reply: call.reply,
            given_up: call.given_up,
        }),
    }
}

/// Answers the open calls whose answers are there.
fn answer_open(workspace: &mut HostWorkspace, open: &mut Vec<Begun>) {
    let mut at = 0;
    while let Some(begun) = open.get_mut(at) {
        if begun.given_up.swap(false, Ordering::Relaxed) {
            workspace.cancel_call(&mut begun.call);
        }
        match workspace.answer_of(&mut begun.call) {
            Some(answer) => (open.remove(at).reply)(answer),
            None => at += 1,
        }
    }
}

/// Answers the calls that an engine was at when it failed: they may have had an effect, so that nobody repeats them.
fn fail(open: &mut Vec<Begun>) {
    for begun in open.drain(..) {
        let caller = begun.call.caller();
        (begun.reply)(internal_error(
            caller,
            "The engine failed while the call waited.",
        ));
    }
}
