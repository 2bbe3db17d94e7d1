//! A session with an editor: its state, notifications, and requests as tasks.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use codecortex_engine::protocol::Root;
use codecortex_host::{Options, resolve_roots};
use codecortex_lsp::{Languages, LspError, World, registrations, server_capabilities};
use codecortex_rpc::{CANCEL, Message, MessageId, failed, named_id, request, succeeded};
use serde_json::{Value, json};
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::task::JoinSet;

use super::calls::{Calls, Cancellation};
use super::lifecycle::{SessionStage, folder_uris, roots_of, uri_of, world_of};
use super::workspace::Workspace;
use super::{documents, progress};
use crate::args::LspArgs;
use crate::failure::Failure;

/// So many requests are at work; more are not read before one of them is answered.
const MAX_AT_WORK: usize = 64;

/// The way to the editor. Clones lead to the same.
#[derive(Clone)]
pub(super) struct Client {
    messages: mpsc::Sender<String>,
    /// Requests of ours that are not answered, by their numbers.
    asked: Rc<RefCell<HashMap<String, oneshot::Sender<bool>>>>,
    next: Rc<Cell<u32>>,
}

impl Client {
    pub(super) fn new(messages: mpsc::Sender<String>) -> Self {
        Self {
            messages,
            asked: Rc::default(),
            next: Rc::default(),
        }
    }

    /// Sends a message.
    pub(super) async fn send(&self, message: String) {
        // An editor that is gone hears nothing.
        let _ = self.messages.send(message).await;
    }

    /// Asks the editor. Whether it agreed.
    pub(super) async fn ask(&self, method: &str, params: &Value) -> bool {
        let id = self.next.get();
        self.next.set(id.wrapping_add(1));
        let (sender, answer) = oneshot::channel();
        self.asked.borrow_mut().insert(id.to_string(), sender);
        self.send(request(id, method, params)).await;
        answer.await.unwrap_or(false)
    }

    fn answered(&self, id: &MessageId, is_error: bool) {
        if let Some(asker) = self.asked.borrow_mut().remove(id.text()) {
            // It may wait no more.
            let _ = asker.send(!is_error);
        }
    }

    /// Waits until nobody reads any more.
    pub(super) async fn closed(&self) {
        self.messages.closed().await;
    }
}

/// A session, from `initialize` to `exit`.
pub(super) struct EditorSession {
    options: Options,
    /// The folders of the command line.
    own_roots: Vec<Root>,
    /// The languages of the command line.
    languages: Languages,
    stage: SessionStage,
    /// What the editor told; a request keeps that of its begin.
    world: Rc<World>,
    folders: Vec<String>,
    workspace: Option<Workspace>,
    at_work: Rc<RefCell<HashMap<MessageId, Cancellation>>>,
    permits: Arc<Semaphore>,
    tasks: JoinSet<()>,
    /// What the editor is told of its own accord; given up at the end.
    notices: JoinSet<()>,
    /// The exit code, once the editor wants the end.
    exit: Option<i32>,
    /// How often progress was told.
    progresses: u32,
}

impl EditorSession {
    pub(super) fn new(args: &LspArgs) -> Result<Self, Failure> {
        let own_roots = resolve_roots(&args.workspace.roots)?;
        let options = Options {
            watch: true,
            ..args.workspace.options_with(Vec::new())
        };
        let ids = args.languages.iter().map(String::as_str);
        let languages = match args.languages.is_empty() {
            true => Languages::default(),
            false => Languages::only(ids).map_err(|error| Failure::Setting(error.to_string()))?,
        };
        Ok(Self {
            options,
            own_roots,
            languages,
            stage: SessionStage::New,
            world: Rc::default(),
            folders: Vec::new(),
            workspace: None,
            at_work: Rc::default(),
            permits: Arc::new(Semaphore::new(MAX_AT_WORK)),
            tasks: JoinSet::new(),
            notices: JoinSet::new(),
            exit: None,
            progresses: 0,
        })
    }

    /// The exit code, once the editor wants the end.
    pub(super) fn exit(&self) -> Option<i32> {
        self.exit
    }

    /// The exit code when the editor is gone.
    pub(super) fn code_when_gone(&self) -> i32 {
        i32::from(self.stage != SessionStage::ShutDown)
    }

    pub(super) fn into_workspace(self) -> Option<Workspace> {
        self.workspace
    }

    /// Takes a message in.
    pub(super) async fn take(&mut self, client: &Client, message: Message) {
        match message {
            Message::Wrong(reply) => client.send(reply).await,
            Message::Reply { id, is_error } => client.answered(&id, is_error),
            Message::Notification { method, params } => self.notified(client, &method, params),
            Message::Request { id, method, params } => {
                self.requested(client, id, method, params).await;
            }
        }
    }

    async fn requested(&mut self, client: &Client, id: MessageId, method: String, params: Value) {
        if let Some(refusal) = self.stage.refusal(&method) {
            return client.send(error_reply(&id, refusal)).await;
        }
        match method.as_str() {
            "initialize" => {
                let reply = match self.initialize(&params) {
                    Ok(result) => succeeded(&id, &result),
                    Err(error) => error_reply(&id, error),
                };
                client.send(reply).await;
            }
            "shutdown" => {
                self.stage = SessionStage::ShutDown;
                client.send(succeeded(&id, &Value::Null)).await;
            }
            _ => self.begin(client, id, method, params).await,
        }
    }

    fn initialize(&mut self, params: &Value) -> Result<Value, LspError> {
        let folders = folder_uris(params);
        let roots = roots_of(&self.own_roots, &folders);
        let world = world_of(params, roots.clone(), &self.languages)?;
        let opened = Workspace::open(&self.options, roots, std::iter::empty());
        let workspace = opened.map_err(|error| LspError::new(-32_603, error.to_string()))?;
        self.workspace = Some(workspace);
        self.folders = folders;
        self.world = Rc::new(world);
        self.stage = SessionStage::Running;
        Ok(server_capabilities(&self.world, env!("CARGO_PKG_VERSION")))
    }

    /// Begins a request that is about code.
    async fn begin(&mut self, client: &Client, id: MessageId, method: String, params: Value) {
        let Some(workspace) = self.workspace.clone() else {
            return;
        };
        // The semaphore is never closed.
        let Ok(permit) = Arc::clone(&self.permits).acquire_owned().await else {
            return;
        };
        // What has ended is forgotten.
        while self.tasks.try_join_next().is_some() {}
        let cancellation = Cancellation::default();
        let at_work = Rc::clone(&self.at_work);
        at_work
            .borrow_mut()
            .insert(id.clone(), cancellation.clone());
        let (client, world) = (client.clone(), Rc::clone(&self.world));
        self.tasks.spawn_local(async move {
            let calls = Calls {
                workspace,
                cancellation,
            };
            let answered = codecortex_lsp::answer(&calls, &world, &method, params).await;
            at_work.borrow_mut().remove(&id);
            let reply = match answered {
                Ok(result) => succeeded(&id, &result),
                Err(error) => error_reply(&id, error),
            };
            client.send(reply).await;
            drop(permit);
        });
        // It makes its first call before another message changes a document.
        tokio::task::yield_now().await;
    }

    fn notified(&mut self, client: &Client, method: &str, params: Value) {
        match (self.stage, method) {
            (stage, "exit") => self.exit = Some(i32::from(stage != SessionStage::ShutDown)),
            (_, CANCEL) => {
                let at_work = self.at_work.borrow();
                if let Some(request) = named_id(&params).and_then(|id| at_work.get(&id)) {
                    request.cancel();
                }
            }
            (SessionStage::Running, "initialized") => self.initialized(client),
            (SessionStage::Running, "workspace/didChangeWorkspaceFolders") => {
                self.follow_folders(client, &params["event"]);
            }
            (SessionStage::Running, _) => {
                let told = documents::take_in(Rc::make_mut(&mut self.world), method, params);
                if let Some((event, workspace)) = told.zip(self.workspace.as_ref()) {
                    workspace.service.tell(event);
                }
            }
            // Before `initialize` and after `shutdown` nothing is taken in.
            _ => {}
        }
    }

    fn initialized(&mut self, client: &Client) {
        if let Some(registrations) = registrations(&self.world) {
            let client = client.clone();
            self.notices.spawn_local(async move {
                client
                    .ask("client/registerCapability", &registrations)
                    .await;
            });
        }
        self.tell_progress(client);
    }

    fn tell_progress(&mut self, client: &Client) {
        let shown = self.workspace.as_ref();
        let Some(workspace) = shown.filter(|_| self.world.client.shows_progress()) else {
            return;
        };
        self.progresses += 1;
        let token = format!("codecortex/indexing/{}", self.progresses);
        let states = workspace.states.clone();
        self.notices
            .spawn_local(progress::tell(client.clone(), states, token));
    }

    /// The editor has other folders now: another engine opens them, and is told the open documents.
    fn follow_folders(&mut self, client: &Client, event: &Value) {
        let uris = |list: &Value| -> Vec<String> {
            let list = list.as_array();
            list.into_iter().flatten().filter_map(uri_of).collect()
        };
        let removed = uris(&event["removed"]);
        self.folders.retain(|folder| !removed.contains(folder));
        for added in uris(&event["added"]) {
            if !self.folders.contains(&added) {
                self.folders.push(added);
            }
        }
        let roots = roots_of(&self.own_roots, &self.folders);
        if roots == self.world.folders.roots() {
            return;
        }
        let opened = Workspace::open(&self.options, roots.clone(), self.world.documents.opened());
        match opened {
            Ok(workspace) => {
                if let Some(old) = self.workspace.replace(workspace) {
                    old.retire();
                }
                Rc::make_mut(&mut self.world).folders = codecortex_lsp::Folders::new(roots);
                self.tell_progress(client);
            }
            Err(error) => tracing::error!(%error, "the other folders cannot be opened"),
        }
    }

    /// Waits until every request is answered.
    pub(super) async fn finish(&mut self) {
        while self.tasks.join_next().await.is_some() {}
    }
}

fn error_reply(id: &MessageId, error: LspError) -> String {
    let data = error.data.filter(|data| *data != json!(null));
    failed(id, error.code, &error.message, data)
}
