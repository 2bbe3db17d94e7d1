//! What the handler of a call is given: the session to look at, and the host to ask.

use std::cell::{Cell, Ref, RefCell, RefMut};
use std::future::{Future, poll_fn};
use std::rc::Rc;
use std::task::Poll;

use codecortex_analysis::asks::Asker;
use codecortex_analysis::external::{lacking_libraries, libraries_met};
use codecortex_answer::Call;
use codecortex_answer::budget::Limit;
use codecortex_live::LiveEdit;
use codecortex_protocol::paths::WorkspacePath;
use codecortex_protocol::{
    Answer, AppliedEdit, Caller, DiffOf, DiffOutcome, ErrorCode, Failure, MemoryReply,
    MemoryRequest, Missing, ModelOutcome, ModelRequest, ModelTool, Outbox, ProviderReply,
    ProviderTopic, Request, Response, ToolError,
};
use codecortex_resolve::FileNo;
use serde_json::Value;

use crate::calls::executor::Answering;
use crate::calls::journal::Journal;
use crate::calls::task::Task;
use crate::calls::wait::Wait;
use crate::invocation::Invocation;
use crate::live::edits::{apply, take_ended};
use crate::semantics::models::{ask as ask_model, no_model};
use crate::session::Session;
use crate::tool_use::ToolUse;

/// A look waits for so many rounds of files of installed packages, of which none has declarations.
const MAX_ROUNDS: usize = 16;

/// A call that is being answered.
#[derive(Clone)]
pub(crate) struct CallContext(Rc<Inner>);

struct Inner {
    session: Rc<RefCell<Session>>,
    task: Rc<Task>,
    journal: Rc<Journal>,
    caller: Caller,
    limit: Cell<Limit>,
    sees_generated: Cell<bool>,
    /// Who asks, and what the attempt found out on its way.
    call: RefCell<Rc<Call>>,
    /// The revision of the index that the attempt is of.
    revision: Cell<u32>,
    /// Files that are read again because what was kept of them is damaged.
    damaged: RefCell<Vec<WorkspacePath>>,
    /// Whether it has asked for something that must not be asked for twice: it does not begin again from then on.
    is_committed: Cell<bool>,
    /// The call that makes this one for its answer alone: what this one wants done is left.
    outer: Option<CallContext>,
    tools: ToolCalls,
}

/// What a handler may have other tools do: a reviewer and an investigation call them as anybody does. Handed in, because
/// a handler that called the table of tools would be above what calls it.
#[derive(Clone, Copy)]
pub(crate) struct ToolCalls {
    /// Calls a tool.
    pub(crate) call: fn(CallContext, String, Value) -> Answering,
    /// What a model is told of some tools.
    pub(crate) describe: fn(&[&str]) -> Vec<ModelTool>,
    pub(crate) with_use: fn(ToolUse) -> Vec<&'static str>,
}

impl CallContext {
    /// A call that a task makes.
    pub(crate) fn new(
        session: &Rc<RefCell<Session>>,
        task: &Rc<Task>,
        caller: Caller,
        tools: ToolCalls,
    ) -> Self {
        Self::of((session, task), caller, tools, None)
    }

    /// Calls a tool, for its answer alone.
    pub(crate) async fn call_tool(&self, name: &str, args: Value, caller: Caller) -> Answer {
        let Inner { session, task, .. } = &*self.0;
        let outer = Some(self.clone());
        let inner = Self::of((session, task), caller, self.0.tools, outer);
        (self.0.tools.call)(inner, name.to_owned(), args)
            .await
            .answer
    }

    /// What a model is told of some tools.
    pub(crate) fn describe_tools(&self, names: &[&str]) -> Vec<ModelTool> {
        (self.0.tools.describe)(names)
    }

    /// The names of the tools with a use.
    pub(crate) fn tools_for(&self, wanted: ToolUse) -> Vec<&'static str> {
        (self.0.tools.with_use)(wanted)
    }

    fn of(
        (session, task): (&Rc<RefCell<Session>>, &Rc<Task>),
        caller: Caller,
        tools: ToolCalls,
        outer: Option<Self>,
    ) -> Self {
        Self(Rc::new(Inner {
            session: Rc::clone(session),
            task: Rc::clone(task),
            is_committed: Cell::default(),
            outer,
            tools,
            journal: Rc::default(),
            caller,
            limit: Cell::default(),
            sees_generated: Cell::default(),
            call: RefCell::default(),
            revision: Cell::default(),
            damaged: RefCell::default(),
        }))
    }

    /// Where the call comes from.
    pub(crate) fn caller(&self) -> Caller {
        self.0.caller
    }

    /// Notes what the arguments and the tool's row say.
    pub(crate) fn set(&self, limit: Limit, sees_generated: bool) {
        self.0.limit.set(limit);
        self.0.sees_generated.set(sees_generated);
        self.begin_attempt();
    }

    /// The path of the symbol on whose account the answer goes.
    pub(crate) fn subject(&self) -> Option<String> {
        self.0.call.borrow().subject.borrow().clone()
    }

    /// The session, to be looked at. Nothing holds it across an await.
    pub(crate) fn session(&self) -> Ref<'_, Session> {
        self.0.session.borrow()
    }

    /// The session, to be changed.
    pub(super) fn session_mut(&self) -> RefMut<'_, Session> {
        self.0.session.borrow_mut()
    }

    /// Changes the session. What the host is to do for that leaves when the poll has ended.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut Session, &mut Outbox) -> T) -> T {
        let mut outbox = Outbox::default();
        let changed = change(&mut self.session_mut(), &mut outbox);
        self.0.task.send(outbox.into_effects());
        changed
    }

    pub(super) fn task(&self) -> &Task {
        &self.0.task
    }

    /// Another attempt begins.
    pub(super) fn begin_attempt(&self) {
        let Inner { caller, limit, .. } = &*self.0;
        let call = Call::new(*caller, limit.get(), self.0.sees_generated.get());
        self.0.call.replace(Rc::new(call));
        self.0.revision.set(self.session().code.revision());
        self.0.journal.rewind();
    }

    /// Whether the attempt has to begin again.
    pub(super) fn is_void(&self) -> bool {
        !self.0.is_committed.get() && (self.is_moved() || !self.0.damaged.borrow().is_empty())
    }

    /// Whether the call has paid, recorded or changed something.
    pub(crate) fn is_committed(&self) -> bool {
        self.0.is_committed.get()
    }

    /// Whether the index is another one than when the call began to look at it: numbers of files and declarations that
    /// were found out before mean nothing any more. Only a call that has paid, recorded or changed something sees that;
    /// any other begins again.
    pub(crate) fn is_moved(&self) -> bool {
        self.0.revision.get() != self.session().code.revision()
    }

    /// Waits for the files that the attempt met and that are damaged. What it wanted done was made of them.
    pub(super) async fn await_damaged(&self) {
        let damaged = self.0.damaged.take();
        if !damaged.is_empty() {
            drop(self.0.task.take_actions());
            Wait::for_files(self, damaged).await;
        }
    }

    /// Looks at the session as it is now. A look that lacks something is made again when it is here.
    ///
    /// # Errors
    /// What the look fails with.
    pub(crate) async fn look<T>(
        &self,
        look: impl Fn(&Invocation<'_>) -> Result<T, Failure>,
    ) -> Result<T, ToolError> {
        loop {
            let seen = self.view(&look).await;
            if self.0.is_committed.get() && !self.0.damaged.borrow().is_empty() {
                self.await_damaged().await;
                continue;
            }
            match seen {
                Ok(seen) => return Ok(seen),
                Err(Failure::Error(error)) => return Err(error),
                Err(Failure::Missing(missing)) => self.wait(vec![missing]).await,
            }
        }
    }

    /// Looks at the session as it is now, once.
    pub(crate) async fn view<T>(&self, look: impl FnOnce(&Invocation<'_>) -> T) -> T {
        // The attempt is dropped here where it has to begin again.
        poll_fn(|_| match self.is_void() {
            true => Poll::Pending,
            false => Poll::Ready(()),
        })
        .await;
        let call = Rc::clone(&self.0.call.borrow());
        let met = libraries_met(&self.session().code);
        let (seen, actions) = {
            let session = self.session();
            let cx = Invocation::new(&session, &call);
            let seen = look(&cx);
            cx.note_uses();
            (seen, cx.into_actions())
        };
        let damaged = self.change(|session, outbox| session.code.mend(outbox));
        self.0.damaged.borrow_mut().extend(damaged);
        if !self.0.is_committed.get() && libraries_met(&self.session().code) != met {
            self.await_libraries().await;
        }
        if self.0.outer.is_none() && !self.is_void() {
            self.0.task.enqueue(actions);
        }
        poll_fn(|_| match self.is_void() {
            true => Poll::Pending,
            false => Poll::Ready(()),
        })
        .await;
        seen
    }

    /// Waits for the files that installed packages have for modules that the look met and did not find (SPEC D30). Where
    /// one has declarations, the index is another one, and the attempt begins again: no answer depends on what earlier
    /// questions had read.
    async fn await_libraries(&self) {
        for _ in 0..MAX_ROUNDS {
            let lacking = lacking_libraries(&self.session().code);
            if lacking.is_empty() {
                return;
            }
            self.wait(vec![Missing::Libraries(lacking)]).await;
            if self.is_void() {
                return;
            }
        }
    }

    /// Waits until all of this is here, or as far as it will come.
    pub(crate) fn wait(&self, missing: Vec<Missing>) -> impl Future<Output = ()> {
        Wait::new(self, missing)
    }

    /// Asks the host.
    pub(crate) async fn ask(&self, request: Request) -> Rc<Response> {
        let id = match self.repeated(&request) {
            Some(id) => id,
            None => {
                let asker = self.asker();
                let id =
                    self.change(|session, outbox| session.code.ask(outbox, asker, request.clone()));
                self.note_asked(id, request);
                id
            }
        };
        self.response(id).await
    }

    /// The number of the same question of an attempt before, which took another way from here on otherwise.
    fn repeated(&self, request: &Request) -> Option<u32> {
        let mut void = Vec::new();
        let repeated = self.0.journal.repeated(request, &mut void);
        for id in void {
            self.0.task.forget(id);
            self.change(|session, outbox| session.code.cancel_ask(outbox, id));
        }
        repeated
    }

    /// Notes that a question is on its way.
    fn note_asked(&self, id: u32, request: Request) {
        if !request.is_repeatable() {
            self.commit();
        }
        self.0.task.asked(id, &self.0.journal, request);
    }

    fn commit(&self) {
        self.0.is_committed.set(true);
        match &self.0.outer {
            Some(outer) => outer.commit(),
            None => self.0.task.commit(),
        }
    }

    fn asker(&self) -> Asker {
        Asker::Call {
            task: self.0.task.number,
            call: self.0.task.call,
        }
    }

    fn response(&self, id: u32) -> impl Future<Output = Rc<Response>> {
        poll_fn(move |_| match self.0.journal.response(id) {
            Some(response) => Poll::Ready(response),
            None => Poll::Pending,
        })
    }

    /// Asks the store of observations of a root.
    ///
    /// # Errors
    /// The host replied to something else.
    pub(crate) async fn memory(
        &self,
        root: u32,
        request: MemoryRequest,
    ) -> Result<MemoryReply, ToolError> {
        match &*self.ask(Request::Memory { root, request }).await {
            Response::Memory { reply } => Ok(reply.clone()),
            _ => Err(wrong_reply()),
        }
    }

    /// Asks what differs in a root's repository, and makes something of that.
    ///
    /// # Errors
    /// What `read` fails with; the host replied to something else.
    pub(crate) async fn diff<T>(
        &self,
        (root, of): (u32, DiffOf),
        read: impl FnOnce(&DiffOutcome) -> Result<T, ToolError>,
    ) -> Result<T, ToolError> {
        match &*self.ask(Request::Diff { root, of }).await {
            Response::Diff { outcome } => read(outcome),
            _ => Err(wrong_reply()),
        }
    }

    /// Asks the model that the host has. What leaves has no secrets in it.
    ///
    /// # Errors
    /// The host replied to something else.
    pub(crate) async fn model(&self, request: ModelRequest) -> Result<ModelOutcome, ToolError> {
        if self.session().model_name().is_none() {
            return Ok(no_model());
        }
        let asker = self.asker();
        let (id, request) =
            self.change(|session, outbox| ask_model(session, outbox, asker, request));
        self.note_asked(id, request);
        match &*self.response(id).await {
            Response::Model { outcome } => Ok(outcome.clone()),
            _ => Err(wrong_reply()),
        }
    }

    /// Asks language providers about a name; none where the caller's surface has none. A further page of a list is made
    /// from the reply of the page before.
    ///
    /// # Errors
    /// The text of the file cannot be read; the host replied to something else.
    pub(crate) async fn consult(
        &self,
        about: ProviderTopic,
        place: (FileNo, u32),
        is_further_page: bool,
    ) -> Result<Option<ProviderReply>, ToolError> {
        let question = self.look(|cx| cx.provider_question(about, place)).await?;
        let Some(question) = question else {
            return Ok(None);
        };
        if is_further_page {
            let last = |cx: &Invocation<'_>| cx.last_reply(&question).cloned();
            if let Some(reply) = self.view(last).await {
                return Ok(Some(reply));
            }
        }
        match &*self.ask(Request::Providers { question }).await {
            Response::Providers { reply } => Ok(Some(reply.clone())),
            _ => Err(wrong_reply()),
        }
    }

    /// The edits that were applied and can be taken back, the newest first.
    ///
    /// # Errors
    /// They cannot be read; the host replied to something else.
    pub(crate) async fn applied_edits(
        &self,
        last_with_contents: bool,
    ) -> Result<Vec<AppliedEdit>, ToolError> {
        match &*self.ask(Request::AppliedEdits { last_with_contents }).await {
            Response::AppliedEdits { edits, error: None } => Ok(edits.clone()),
            Response::AppliedEdits {
                error: Some(error), ..
            } => Err(ToolError::new(
                ErrorCode::Unavailable,
                format!("The record of applied edits cannot be read: {error}"),
            )),
            _ => Err(wrong_reply()),
        }
    }

    /// Has an edit made.
    ///
    /// # Errors
    /// Why it was not.
    pub(crate) async fn apply(&self, edit: LiveEdit) -> Result<LiveEdit, ToolError> {
        let asker = self.asker();
        let (id, request) = self.change(|session, outbox| apply(session, outbox, asker, edit));
        self.note_asked(id, request);
        poll_fn(|_| match take_ended(&mut self.session_mut(), id) {
            Some(ended) => Poll::Ready(ended),
            None => Poll::Pending,
        })
        .await
    }
}

/// What a host does that does not keep to its contract.
fn wrong_reply() -> ToolError {
    ToolError::new(
        ErrorCode::InternalError,
        "The host replied to another question than the one it was asked.",
    )
}
