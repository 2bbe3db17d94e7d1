//! The workspace of a session: opened once its folders are known, replaced when the client has others.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use codecortex_engine::protocol::{Answer, Caller, CallerKind, Root, State};
use codecortex_host::{ModelClient, Options, Service};
use rmcp::RoleServer;
use rmcp::service::Peer;
use serde_json::Value;
use tokio::sync::{oneshot, watch};

use super::resources::Ask;
use super::roots;
use super::sampling::Sampling;

/// What the engine knows of who asks.
pub(super) const CALLER: Caller = Caller {
    kind: CallerKind::Mcp,
    max_bytes: None,
    max_tokens: None,
    providers: false,
};
/// A client that offers roots and does not name them is not waited for any longer.
const ROOTS_PATIENCE: Duration = Duration::from_secs(3);

/// An indexed workspace and what it is doing.
pub(super) struct Running {
    pub(super) service: Service,
    pub(super) states: watch::Receiver<State>,
}

/// The workspace of a session, shared by everything that asks it.
#[derive(Clone)]
pub(super) struct Session {
    options: Arc<Options>,
    /// Whether the folders were named on the command line, so that the client's do not count.
    has_own_roots: bool,
    running: Arc<Mutex<Option<Arc<Running>>>>,
    /// Only one asks the client for its roots.
    opening: Arc<tokio::sync::Mutex<()>>,
    /// The client's model; none where it has none, or the command line names one.
    model: Arc<Mutex<Option<Arc<dyn ModelClient>>>>,
}

impl Session {
    /// A session; the index is begun where the folders are known already.
    pub(super) fn new(options: Options, has_own_roots: bool) -> std::io::Result<Self> {
        let session = Self {
            options: Arc::new(options),
            has_own_roots,
            running: Arc::default(),
            opening: Arc::default(),
            model: Arc::default(),
        };
        if has_own_roots {
            session.open(session.options.roots.clone())?;
        }
        Ok(session)
    }

    /// Ends the engine. Whether it ended in time.
    pub(super) fn stop(&self, deadline: Instant) -> bool {
        match self.replace(None).map(Arc::try_unwrap) {
            Some(Ok(running)) => running.service.stop(deadline),
            // A call that was abandoned still holds it; the process ends anyway.
            Some(Err(_)) => false,
            None => true,
        }
    }

    fn replace(&self, running: Option<Arc<Running>>) -> Option<Arc<Running>> {
        let mut slot = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *slot, running)
    }

    fn current(&self) -> Option<Arc<Running>> {
        let slot = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        slot.clone()
    }

    /// What the engine does, as long as there is one.
    pub(super) fn states(&self) -> Option<watch::Receiver<State>> {
        self.current().map(|running| running.states.clone())
    }

    /// Has the client's model asked, unless the command line named one.
    pub(super) fn use_model_of(&self, peer: &Peer<RoleServer>) {
        let has_own = self.options.model.is_some();
        let Some(model) = Sampling::from_peer(peer).filter(|_| !has_own) else {
            return;
        };
        let model: Arc<dyn ModelClient> = Arc::new(model);
        let mut slot = self.model.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = self.current() {
            running.service.open_model(Arc::clone(&model));
        }
        *slot = Some(model);
    }

    /// Calls tools for the server itself.
    pub(super) fn asking<'a>(&'a self, peer: &'a Peer<RoleServer>) -> Asking<'a> {
        Asking {
            session: self,
            peer,
        }
    }

    fn open(&self, roots: Vec<Root>) -> std::io::Result<Arc<Running>> {
        let (sender, states) = watch::channel(codecortex_host::no_state());
        let options = Options {
            roots,
            ..Options::clone(&self.options)
        };
        let on_state = move |state: &State| {
            // Nobody may be interested at the moment.
            sender.send_replace(state.clone());
        };
        let service = Service::start(options, on_state, codecortex_host::allocator::give_back)?;
        let model = self.model.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = &*model {
            service.open_model(Arc::clone(model));
        }
        let running = Arc::new(Running { service, states });
        self.replace(Some(Arc::clone(&running)));
        Ok(running)
    }

    /// The workspace; where its folders are not known yet, the client is asked.
    pub(super) async fn workspace(&self, peer: &Peer<RoleServer>) -> std::io::Result<Arc<Running>> {
        let _opening = self.opening.lock().await;
        match self.current() {
            Some(running) => Ok(running),
            None => self.open(client_roots(peer).await),
        }
    }

    /// Opens the client's folders anew, unless the command line named some.
    pub(super) async fn follow_roots(&self, peer: &Peer<RoleServer>) -> std::io::Result<()> {
        if self.has_own_roots {
            return Ok(());
        }
        let _opening = self.opening.lock().await;
        self.open(client_roots(peer).await).map(drop)
    }
}

/// Calls tools for the server itself.
pub(super) struct Asking<'a> {
    session: &'a Session,
    peer: &'a Peer<RoleServer>,
}

impl Asking<'_> {
    /// What a tool answers; none when the engine has ended.
    pub(super) async fn answer(&self, tool: &str, args: Value) -> Option<Answer> {
        let (sender, answer) = oneshot::channel();
        if let Ok(running) = self.session.workspace(self.peer).await {
            running.service.call(tool, args, CALLER, move |answer| {
                // Whoever asked may be gone.
                let _ = sender.send(answer);
            });
        }
        answer.await.ok()
    }
}

impl Ask for Asking<'_> {
    async fn ask(&self, tool: &str, args: Value) -> Value {
        let json = self.answer(tool, args).await.and_then(|answer| answer.json);
        json.and_then(|json| serde_json::from_str(&json).ok())
            .unwrap_or_default()
    }
}

/// The folders of a client that has some, else the one we were started in.
#[expect(
    deprecated,
    reason = "the newest protocol drops roots; today's clients have no other way"
)]
async fn client_roots(peer: &Peer<RoleServer>) -> Vec<Root> {
    let offers = peer
        .peer_info()
        .is_some_and(|client| client.capabilities.roots.is_some());
    if offers {
        let listed = tokio::time::timeout(ROOTS_PATIENCE, peer.list_roots()).await;
        match listed {
            Ok(Ok(listed)) => {
                let roots = roots::of_client(listed.roots.iter().map(|root| root.uri.as_str()));
                if !roots.is_empty() {
                    return roots;
                }
            }
            Ok(Err(error)) => tracing::warn!(%error, "the client does not name its roots"),
            Err(_) => tracing::warn!("the client does not name its roots in time"),
        }
    }
    roots::of_process()
}
