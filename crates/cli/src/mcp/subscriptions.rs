//! Outlines that a client wants to hear about (SPEC RPC1).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use codecortex_engine::protocol::Phase;
use rmcp::RoleServer;
use rmcp::model::ResourceUpdatedNotificationParam;
use rmcp::service::Peer;

use super::resources::{MAX_SUBSCRIBED, digest, read};
use super::session::Session;

/// Changes are looked at when no more came for this long.
const QUIET: Duration = Duration::from_millis(200);
/// A workspace that is just being opened is looked for again after this long.
const PAUSE: Duration = Duration::from_secs(1);

/// URIs, and what the client knows of their outlines: nothing where there was none.
#[derive(Clone, Default)]
pub(super) struct Subscriptions {
    known: Arc<Mutex<BTreeMap<String, Option<String>>>>,
    is_watched: Arc<Mutex<bool>>,
}

impl Subscriptions {
    /// Adds one; false where there are too many.
    pub(super) fn add(&self, uri: String, known: Option<String>) -> bool {
        let mut all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MAX_SUBSCRIBED && !all.contains_key(&uri) {
            return false;
        }
        all.insert(uri, known);
        true
    }

    pub(super) fn remove(&self, uri: &str) {
        let mut all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        all.remove(uri);
    }

    fn uris(&self) -> Vec<String> {
        let all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        all.keys().cloned().collect()
    }

    /// Whether an outline is news to the client, who is told then.
    fn is_news(&self, uri: &str, now: &Option<String>) -> bool {
        let mut all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        match all.get_mut(uri) {
            Some(known) if known != now => {
                known.clone_from(now);
                true
            }
            _ => false,
        }
    }

    /// Whether nobody watches yet; from now on somebody does.
    pub(super) fn begin(&self) -> bool {
        let mut is_watched = self
            .is_watched
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        !std::mem::replace(&mut *is_watched, true)
    }
}

/// Tells a client of every subscribed outline whose structure or documentation is another, until the
/// session ends.
pub(super) async fn watch(session: Session, subscriptions: Subscriptions, peer: Peer<RoleServer>) {
    let mut seen = None;
    while !peer.is_transport_closed() {
        // The workspace is not held while nothing happens: it may be replaced, or end.
        let Some(mut states) = session.states() else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let state = states.borrow_and_update().clone();
        if state.phase == Phase::Ready && seen != Some(state.revision) {
            seen = Some(state.revision);
            for uri in subscriptions.uris() {
                let now = digest(&read(&session.asking(&peer), &uri).await);
                if subscriptions.is_news(&uri, &now) {
                    let notice = ResourceUpdatedNotificationParam::new(uri);
                    // A client that is gone hears nothing.
                    let _ = peer.notify_resource_updated(notice).await;
                }
            }
            continue;
        }
        if states.changed().await.is_err() {
            seen = None;
            tokio::time::sleep(PAUSE).await;
        }
        tokio::time::sleep(QUIET).await;
    }
}
