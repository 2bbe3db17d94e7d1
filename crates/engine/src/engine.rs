//! The engine: what happens on each event.

use std::cell::{Ref, RefCell};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::rc::Rc;

use codecortex_analysis::Analysis;
use codecortex_analysis::asks::Asker;
use codecortex_analysis::cache::bytes::CacheBytes;
use codecortex_analysis::external::{take_external, take_libraries};
use codecortex_analysis::generated::close_generated;
use codecortex_analysis::workspace::Stat;
use codecortex_artifacts::{ContextFailure, ContextReport};
use codecortex_live::RecordedLine;
use codecortex_protocol::{
    Answer, Caller, CallerKind, Config, Effect, ErrorCode, Event, FetchedFile, Outbox, Phase,
    Request, Response, Root, State, ToolError,
};
use codecortex_syntax::{Outcome, SkipReason, decode_outcome};

use crate::actions::{Action, perform_actions};
use crate::artifacts::folders::{
    context_failure, keeps_context, look_for_tick, take_context_report,
};
use crate::artifacts::persisted_effects::PersistedEffect;
use crate::artifacts::write_awaited::write_awaited;
use crate::artifacts::{committed, fetched};
use crate::called::{AnsweredCall, Called};
use crate::calls::CallContext;
use crate::calls::executor::{Answered, Executor, Polled, Removed};
use crate::events::take_in;
use crate::live::edits::{applied, take_ended};
use crate::live::record::{record_event, record_in_memory, recording_written, take_recording};
use crate::live::texts_fetched;
use crate::memory_limit::stay_below_ceiling;
use crate::semantics::{jobs, models, operations};
use crate::session::{InternalCall, Session};
use crate::signals::Signal;
use crate::tool_use::ToolUse;
use crate::tools::{dispatch, find_tool};
use codecortex_artifacts::HeldCall;

/// Every so many files the state is reported while indexing.
const REPORT_EVERY: u32 = 64;

/// One workspace: events in, answers and effects out.
#[derive(Debug, Default)]
pub struct Engine {
    session: Rc<RefCell<Session>>,
    executor: Executor,
    ingested: u32,
    /// Files that were read since the workspace began, until the index was whole for the first time.
    read_at_start: Option<u32>,
    reported: Option<Phase>,
}

impl Engine {
    /// An engine that knows nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in an event; gives what it makes necessary.
    pub fn handle(&mut self, event: Event) -> Vec<Effect> {
        let mut effects = Outbox::default();
        let outbox = &mut effects;
        let event = {
            let session = &mut *self.session.borrow_mut();
            let is_recorded =
                |tool: &str| find_tool(tool).is_some_and(|tool| tool.has_use(ToolUse::Recording));
            record_event(session, outbox, &event, is_recorded);
            if let Some(now_ms) = event.now_ms() {
                session.code.tell_time(now_ms);
            }
            session.take_in(event)
        };
        if let Some(event) = event {
            self.take_in(outbox, event);
        }
        self.go_on(outbox);
        self.answer_written(outbox);
        self.after_event(outbox);
        effects.into_effects()
    }

    /// Takes in an event that is about the code, about more than one room, or about a call.
    fn take_in(&mut self, outbox: &mut Outbox, event: Event) {
        match event {
            Event::Configure { roots, config } => self.configure(outbox, roots, config),
            Event::Reindex => {
                let (roots, config) = {
                    let code = &mut self.session.borrow_mut().code;
                    code.forget_import();
                    (code.workspace().roots.clone(), code.config().clone())
                };
                self.configure(outbox, roots, config);
            }
            Event::Replied { id, reply, .. } => self.replied(outbox, id, reply),
            Event::Call {
                id,
                tool,
                args,
                caller,
            } => {
                // What the engine calls itself is no tool for others.
                let tool = if dispatch::is_own(&tool) {
                    String::new()
                } else {
                    tool
                };
                self.call(
                    outbox,
                    Called {
                        id,
                        tool,
                        args,
                        caller,
                    },
                );
            }
            Event::CancelCall { id } => self.cancel_call(outbox, id),
            other => take_in(&mut self.session.borrow_mut(), outbox, other),
        }
    }

    /// Gives the engine an earlier export, before `configure`. False for bytes it cannot use.
    pub fn import_cache(&mut self, bytes: impl CacheBytes + 'static) -> bool {
        let session = &mut *self.session.borrow_mut();
        session.import_cache(bytes)
    }

    /// Has `codecortex_status` say what the host leaves out because an engine before this one failed at it.
    pub fn tell_faults(&mut self, faults: Vec<String>) {
        self.session.borrow_mut().faults = faults;
    }

    /// Makes sure that every file's facts can be read; gives what that makes necessary.
    pub fn verify(&mut self) -> Vec<Effect> {
        let mut effects = Outbox::default();
        self.session.borrow_mut().code.is_cache_whole(&mut effects);
        effects.into_effects()
    }

    /// The cache's bytes. `now_ms` is the time in ms since 1970.
    pub fn export_cache(&mut self, now_ms: f64) -> Vec<u8> {
        let mut bytes = Vec::new();
        // Into memory it cannot fail.
        let _ = self.write_cache(&mut bytes, now_ms);
        bytes
    }

    /// Writes the same as it is made, so that it is nowhere whole. Fails where `out` does; what was written then is no
    /// cache.
    pub fn write_cache(&mut self, out: &mut dyn Write, now_ms: f64) -> io::Result<()> {
        let session = &mut *self.session.borrow_mut();
        session.write_cache(out, now_ms)
    }

    /// Which files there are and what is known of each, for who asks without a call.
    #[must_use]
    pub fn analysis(&self) -> Ref<'_, Analysis> {
        Ref::map(self.session.borrow(), |session| &session.code)
    }

    /// What the engine is doing and how much it knows.
    #[must_use]
    pub fn state(&self) -> State {
        self.session.borrow().code.state()
    }

    /// Bytes of text of the indexed files.
    #[must_use]
    pub fn indexed_bytes(&self) -> u64 {
        self.session.borrow().code.indexed_bytes()
    }

    /// Hands in what reading a file gave, as bytes of `codecortex_syntax::encode_outcome`.
    pub fn ingest_bytes(
        &mut self,
        root: u32,
        path: &str,
        size: f64,
        mtime_ms: f64,
        outcome: &[u8],
    ) -> Vec<Effect> {
        let outcome = decode_outcome(outcome).unwrap_or_else(|| {
            Outcome::Skipped(SkipReason::Unreadable(
                "The analysis of this file gave nothing.".to_owned(),
            ))
        });
        self.ingest(root, path, size as u64, mtime_ms, outcome)
    }

    /// Hands in what reading a file gave; `size` in bytes and `mtime_ms` are those it had when it was read.
    pub fn ingest(
        &mut self,
        root: u32,
        path: &str,
        size: u64,
        mtime_ms: f64,
        outcome: Outcome,
    ) -> Vec<Effect> {
        let mut effects = Outbox::default();
        let outbox = &mut effects;
        if self.store(root, path, (size, mtime_ms), outcome) {
            self.go_on(outbox);
            self.answer_written(outbox);
            self.after_event(outbox);
        }
        effects.into_effects()
    }

    /// A file that is gone, or no longer wanted, since it was asked for stays gone.
    fn store(
        &mut self,
        root: u32,
        path: &str,
        (size, mtime_ms): (u64, f64),
        outcome: Outcome,
    ) -> bool {
        let session = &mut *self.session.borrow_mut();
        let Some(known) = session.code.workspace().file(root, path) else {
            return false;
        };
        let stat = Stat {
            size,
            mtime_ms,
            changed_ms: known.stat.changed_ms,
        };
        session.code.store(root, path, stat, outcome);
        self.ingested += 1;
        self.read_at_start = self.read_at_start.map(|read| read + 1);
        session.code.note_unsaved();
        session.signals.raise(Signal::Files);
        true
    }

    /// Records live context from now on, for [`Self::take_recording`] instead of the disk; `edits` were asked for so far.
    pub fn record_in_memory(&mut self, edits: u32) {
        record_in_memory(&mut self.session.borrow_mut(), edits);
    }

    /// What was recorded in memory since the last time, and the payload that was given out last, whole.
    pub fn take_recording(&mut self) -> (Vec<RecordedLine>, String) {
        take_recording(&mut self.session.borrow_mut())
    }

    /// What the last update of a root's `.context/` found. Nothing is left of it afterwards.
    pub fn take_context_report(&mut self, root: u32) -> Option<ContextReport> {
        take_context_report(&mut self.session.borrow_mut(), root)
    }

    /// Why what is new in a root's `.context/` is not on the disk.
    #[must_use]
    pub fn context_failure(&self, root: u32) -> Option<ContextFailure> {
        context_failure(&self.session.borrow(), root).cloned()
    }

    /// How many texts about types are being made, or wait for it and could be: what failed too often, or is held by a
    /// quota, is not among them.
    #[must_use]
    pub fn texts_in_the_making(&self) -> usize {
        jobs::in_the_making(&self.session.borrow())
    }

    /// How many types another process is at, or was when it ended.
    #[must_use]
    pub fn texts_elsewhere(&self) -> usize {
        jobs::elsewhere(&self.session.borrow())
    }

    /// How many texts wait that no more are sent for, with why: a quota, or a key that was refused.
    #[must_use]
    pub fn held_texts(&self) -> Option<(usize, String)> {
        jobs::held(&self.session.borrow())
    }

    /// How many investigations are at work.
    #[must_use]
    pub fn operations_at_work(&self) -> usize {
        operations::at_work(&self.session.borrow())
    }

    /// Paths of types whose texts wait after an attempt that failed, with why it did.
    #[must_use]
    pub fn failed_texts(&self) -> Vec<(String, String)> {
        jobs::failed(&self.session.borrow())
    }

    /// Makes now what the second search would have to wait for: for hosts that serve many calls.
    pub fn prepare(&self) {
        self.session.borrow().code.index().prepare_search();
    }

    fn configure(&mut self, outbox: &mut Outbox, roots: Vec<Root>, config: Config) {
        let are_same_roots = {
            let session = &mut *self.session.borrow_mut();
            let are_same_roots = session.code.workspace().roots == roots;
            session.begin(outbox, roots, config);
            are_same_roots
        };
        self.reported = None;
        self.read_at_start = Some(0);
        self.begin_again(outbox, are_same_roots);
    }

    /// Begins a call.
    fn call(&mut self, outbox: &mut Outbox, called: Called) {
        let is_own = dispatch::is_own(&called.tool);
        let session = &self.session;
        let called = Rc::new(called);
        let of = Rc::clone(&called);
        let number = self.executor.spawn(called, is_own, |task| {
            let cx = CallContext::new(session, task, of.caller, dispatch::TOOL_CALLS);
            match is_own {
                true => Box::pin(async move { dispatch::own_call(cx, &of.tool, &of.args).await }),
                false => Box::pin(async move { dispatch::call(cx, &of.tool, &of.args).await }),
            }
        });
        self.poll(outbox, number);
    }

    /// Lets a call go on as far as it comes, and does what it wants done.
    fn poll(&mut self, outbox: &mut Outbox, number: u32) {
        {
            let session = &mut *self.session.borrow_mut();
            session.code.refresh_documents();
            session.pass_touched_on();
        }
        let Some(polled) = self.executor.poll(number) else {
            return;
        };
        let Polled {
            called,
            actions,
            effects,
            answered,
            must_be_kept,
        } = polled;
        let is_own = dispatch::is_own(&called.tool);
        let kept: Vec<(u32, PersistedEffect)> = match is_own {
            true => Vec::new(),
            false => actions.iter().flat_map(Action::kept).collect(),
        };
        let is_look = find_tool(&called.tool).is_some_and(|tool| tool.is_read_only);
        let must_be_kept = must_be_kept || kept.iter().any(|(_, kept)| kept.must_be_kept(is_look));
        let session = &mut *self.session.borrow_mut();
        outbox.extend(effects);
        session.unwritten.note(called.id, kept);
        perform_actions(session, outbox, actions);
        let Some(Answered { answer, subject }) = answered else {
            if must_be_kept {
                self.executor.must_be_kept(number);
            }
            return;
        };
        let roots = match answer.ok && !is_own {
            true => unwritten_roots(session, called.id),
            false => BTreeMap::new(),
        };
        if roots.is_empty() {
            return give_answer(session, outbox, &called, subject, answer);
        }
        let id = called.id;
        let answered = AnsweredCall {
            called,
            subject,
            answer,
        };
        let held = HeldCall::new(id, answered, must_be_kept);
        let now = session.code.clock().host();
        session.unwritten.hold(held, roots, now);
    }

    /// A reply of the host has come, for whoever asked.
    fn replied(&mut self, outbox: &mut Outbox, id: u32, reply: Response) {
        let session = &mut *self.session.borrow_mut();
        let Some(asker) = session.code.take_asker(id) else {
            return; // nobody wants it any more
        };
        let now = session.code.clock().host();
        match (asker, reply) {
            (Asker::Call { task, .. }, reply) => {
                note_reply(session, outbox, id, &reply);
                let answered = match &reply {
                    Response::Providers { reply } => Some(reply.clone()),
                    _ => None,
                };
                let applied = match &reply {
                    Response::Apply { outcome } => Some(outcome.clone()),
                    _ => None,
                };
                let question = self.executor.deliver(task, id, reply);
                if let (Some(Request::Apply { undoes, .. }), Some(outcome)) = (&question, applied) {
                    session.note_edit(undoes.is_some(), &outcome);
                }
                match (question, answered) {
                    (Some(Request::Providers { question }), Some(reply)) => {
                        session.take_in_reply(question, reply);
                    }
                    (Some(_), _) => {}
                    // The call was given up.
                    (None, _) => drop(take_ended(session, id)),
                }
            }
            (Asker::Texts, reply) => texts_fetched(session, id, &texts_of(reply)),
            (Asker::External, reply) => {
                if take_external(&mut session.code, id, &texts_of(reply)) {
                    session.signals.raise(Signal::External);
                }
            }
            (Asker::Libraries, reply) => {
                take_libraries(&mut session.code, id, &texts_of(reply));
                session.signals.raise(Signal::Libraries);
            }
            (Asker::History(root), reply) => {
                let log = match reply {
                    Response::Log { log } => log,
                    _ => None,
                };
                session.learn_history(root, log);
                session.signals.raise(Signal::History(root));
            }
            (Asker::Folder, Response::Commit { outcome }) => {
                committed(session, outbox, id, outcome, now)
            }
            (Asker::Folder, reply) => fetched(session, outbox, id, &texts_of(reply), now),
            (Asker::Recording, reply) => {
                if let Response::Commit { outcome } = reply {
                    recording_written(session, id, &outcome);
                }
            }
            (Asker::Job(job), reply) => {
                let outcome = match reply {
                    Response::Model { outcome } => outcome,
                    _ => models::no_answer(),
                };
                models::answered(session, id, &outcome);
                jobs::answered(session, job, outcome);
            }
        }
    }

    /// Makes the calls that the engine wants answered itself, and lets those go on for which something has come, until
    /// nothing comes any more.
    fn go_on(&mut self, outbox: &mut Outbox) {
        loop {
            let (raised, internal) = {
                let session = &mut *self.session.borrow_mut();
                let internal: Vec<InternalCall> = session.internal.drain(..).collect();
                (session.signals.take_raised(), internal)
            };
            let ready = self.executor.ready(&raised);
            for number in &ready {
                self.poll(outbox, *number);
            }
            if !raised.is_empty() || !ready.is_empty() {
                self.let_go_of_texts();
            }
            self.give_up_operations(outbox);
            if raised.is_empty() && ready.is_empty() && internal.is_empty() {
                return;
            }
            for InternalCall { id, name, args } in internal {
                self.call(
                    outbox,
                    Called {
                        id,
                        tool: name.to_owned(),
                        args,
                        caller: Caller::default(),
                    },
                );
            }
        }
    }

    /// Gives up what investigations wait for that nobody wants any more.
    fn give_up_operations(&mut self, outbox: &mut Outbox) {
        let given_up = std::mem::take(&mut self.session.borrow_mut().given_up);
        if given_up.is_empty() {
            return;
        }
        let removed = self.executor.remove(|called| {
            called.tool == operations::INVESTIGATION
                && given_up.iter().any(|id| called.args["opId"] == id.as_str())
        });
        let session = &mut *self.session.borrow_mut();
        removed
            .iter()
            .for_each(|removed| session.take_back(outbox, &removed.questions));
    }

    /// Nobody wants the answer to a call any more.
    fn cancel_call(&mut self, outbox: &mut Outbox, id: u32) {
        let is_it = |called: &Called| called.id == id && !dispatch::is_own(&called.tool);
        let removed = self.executor.remove(is_it);
        let session = &mut *self.session.borrow_mut();
        for Removed { called, questions } in removed {
            session.take_back(outbox, &questions);
            give_failure(session, outbox, &called, cancelled());
        }
        // What it wants kept is written all the same: it is done, only not on the disk yet.
        if let Some(held) = session.unwritten.take_held(id) {
            give_failure(session, outbox, &held.answered.called, cancelled());
        }
    }

    /// The workspace begins anew: calls are answered as things stand. What a call has paid or changed of other folders
    /// ends with them.
    fn begin_again(&mut self, outbox: &mut Outbox, are_same_roots: bool) {
        for number in self.executor.numbers() {
            self.poll(outbox, number);
            if are_same_roots || !self.executor.is_committed(number) {
                continue;
            }
            if let Some(Removed { called, questions }) = self.executor.remove_number(number) {
                let session = &mut *self.session.borrow_mut();
                session.take_back(outbox, &questions);
                give_failure(session, outbox, &called, folders_changed());
            }
        }
    }

    /// The next call looks at the disk anew.
    fn let_go_of_texts(&mut self) {
        let session = &mut *self.session.borrow_mut();
        // A question has the words of all files read, some at a time: what was read makes room.
        for path in session.take_read_texts() {
            if !self.executor.waits_for_text(|file| file.path == path) {
                session.code.forget_text(&path);
            }
        }
        // Somebody may still wait for another file.
        if !session.code.is_fetching_texts() && !self.executor.waits_for_text(|_| true) {
            session.code.forget_texts();
        }
    }

    /// Gives the answers whose words are on the disk, and says of those whose words cannot be why (SPEC D37).
    fn answer_written(&mut self, outbox: &mut Outbox) {
        let session = &mut *self.session.borrow_mut();
        loop {
            write_awaited(session, outbox);
            let ready = session.unwritten.take_ready();
            if ready.is_empty() {
                return;
            }
            for (held, why) in ready {
                let AnsweredCall {
                    called,
                    subject,
                    answer,
                } = held.answered;
                match why.filter(|_| held.must_be_kept) {
                    None => give_answer(session, outbox, &called, subject, answer),
                    Some(why) => give_failure(session, outbox, &called, why.into_error()),
                }
            }
        }
    }

    fn after_event(&mut self, outbox: &mut Outbox) {
        let session = &mut *self.session.borrow_mut();
        if self.executor.is_empty() {
            close_generated(&mut session.code);
        }
        session.pass_touched_on();
        session.idle(outbox);
        stay_below_ceiling(session, outbox);
        look_for_tick(session);
        session.ask_tick(outbox);
        let phase = session.code.phase();
        let settled = matches!(phase, Phase::Ready | Phase::Empty);
        session.code.begin_recent();
        if phase == Phase::Ready && self.executor.is_empty() {
            session.code.forget_import();
            session.code.save_if_due(outbox);
        }
        if phase == Phase::Ready
            && let Some(read) = self.read_at_start.take()
        {
            session.note_start(u64::from(read));
        }
        let due = self.ingested >= REPORT_EVERY;
        if self.reported != Some(phase) || due || settled && self.ingested > 0 {
            self.ingested = 0;
            self.reported = Some(phase);
            let state = session.code.state();
            outbox.push(Effect::State { state });
        }
    }
}

/// The roots whose `.context/` has to be written before a call is answered.
fn unwritten_roots(session: &Session, call: u32) -> BTreeMap<u32, u64> {
    let mut roots = session.unwritten.roots_of_call(call);
    roots.retain(|root, _| keeps_context(session, *root));
    roots
}

/// Notes what a reply to a call says to the engine, whether or not the call still waits for it.
fn note_reply(session: &mut Session, outbox: &mut Outbox, id: u32, reply: &Response) {
    match reply {
        Response::Model { outcome } => models::answered(session, id, outcome),
        Response::Apply { outcome } => applied(session, outbox, id, outcome),
        _ => {}
    }
}

/// The texts of a reply; none of one to another question.
fn texts_of(reply: Response) -> Vec<FetchedFile> {
    match reply {
        Response::Texts { files } => files,
        _ => Vec::new(),
    }
}

/// Gives the answer to a call.
fn give_answer(
    session: &mut Session,
    outbox: &mut Outbox,
    called: &Called,
    subject: Option<String>,
    answer: Answer,
) {
    let Called {
        id, tool, caller, ..
    } = called;
    if dispatch::is_own(tool) {
        return; // it was its actions
    }
    let row = find_tool(tool);
    if caller.kind != CallerKind::Editor {
        let name = row.map(|tool| tool.name);
        session.note_answer(called, name, subject.as_deref(), &answer);
    } else if row.is_some_and(|tool| tool.has_use(ToolUse::Window)) {
        // Who shows the window has it.
        session.window_is_shown();
    }
    let answer = Effect::Answer { id: *id, answer };
    outbox.push(answer);
    let disagreements = session.take_disagreements();
    if !disagreements.is_empty() {
        let effect = Effect::Disagreed { disagreements };
        outbox.push(effect);
    }
}

/// Answers a call that failed outside of its handler.
fn give_failure(session: &mut Session, outbox: &mut Outbox, called: &Called, error: ToolError) {
    let asked = (called.tool.as_str(), &called.args, called.caller);
    let answer = dispatch::failure_answer(session, asked, error);
    give_answer(session, outbox, called, None, answer);
}

/// What is said to who gave a call up.
fn cancelled() -> ToolError {
    ToolError::new(ErrorCode::Cancelled, "The call was cancelled.")
        .hint("What it had done until then is done; look before you call again.")
}

/// What is said where the folders that a call has worked on are no more.
fn folders_changed() -> ToolError {
    ToolError::new(
        ErrorCode::Cancelled,
        "The folders of the workspace are others now.",
    )
    .hint("Call again.")
}
