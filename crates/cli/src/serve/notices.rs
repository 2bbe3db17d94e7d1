//! What a peer is told without having asked: how far the index is, and which types changed.

use std::sync::Arc;
use std::time::Duration;

use codecortex_engine::protocol::{Phase, State};
use codecortex_rpc::{MessageId, Notice, notice};
use serde_json::{Map, Value, json};
use tokio::sync::oneshot;

use super::peer::PeerWriter;
use super::{CALLER, Shared};

/// More notices than these say nothing more.
const EVERY: Duration = Duration::from_millis(250);
/// Changes are looked at when no more came for this long.
const QUIET: Duration = Duration::from_millis(200);
/// The tool that lists what changed.
const CHANGES: &str = "codecortex_changes";

/// Tells how far the index is that a request waits for, until it is dropped or the engine is gone.
pub(super) async fn tell_progress(shared: &Shared, writer: &PeerWriter, id: &MessageId) {
    let mut states = shared.states.clone();
    loop {
        let told = progress(&states.borrow_and_update());
        if let Some(progress) = told {
            writer
                .send(notice(Notice::Progress, Some(id), &progress))
                .await;
        }
        tokio::time::sleep(EVERY).await;
        if states.changed().await.is_err() {
            return std::future::pending().await;
        }
    }
}

fn progress(state: &State) -> Option<Map<String, Value>> {
    let phase = match state.phase {
        Phase::Scanning => "scanning",
        Phase::Indexing => "indexing",
        Phase::Empty | Phase::Ready | Phase::Cancelled => return None,
    };
    let members = [
        ("phase", Value::from(phase)),
        ("files", state.files.into()),
        ("pending", state.pending.into()),
    ];
    Some(
        members
            .map(|(name, value)| (name.to_owned(), value))
            .into_iter()
            .collect(),
    )
}

/// Tells a peer of types whose meaning changed, until it is dropped.
pub(super) async fn tell_changes(shared: Arc<Shared>, writer: PeerWriter) {
    let mut states = shared.states.clone();
    let mut seen = None;
    loop {
        let state = states.borrow_and_update().clone();
        if state.phase == Phase::Ready && seen != Some(state.revision) {
            let before = seen.replace(state.revision);
            if let Some(before) = before
                && let Some(changes) = changes(&shared, before).await
            {
                writer.send(notice(Notice::Changed, None, &changes)).await;
            }
        }
        if states.changed().await.is_err() {
            return std::future::pending().await;
        }
        tokio::time::sleep(QUIET).await;
    }
}

/// What changed since a revision; nothing where nothing did.
async fn changes(shared: &Shared, since: u32) -> Option<Map<String, Value>> {
    let (sender, answer) = oneshot::channel();
    let args = json!({ "since": since });
    shared.service.call(CHANGES, args, CALLER, move |answer| {
        // The peer may be gone.
        let _ = sender.send(answer);
    });
    let answer = answer.await.ok()?;
    let mut envelope: Value = serde_json::from_str(answer.json.as_deref()?).ok()?;
    let Value::Object(data) = envelope["data"].take() else {
        return None;
    };
    (data.get("total")?.as_u64()? > 0).then_some(data)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_told_while_there_is_work() {
        let state = |phase| State {
            phase,
            files: 3,
            pending: 6,
            skipped: 0,
            symbols: 0,
            lines: 0,
            revision: 0,
        };
        let told = progress(&state(Phase::Indexing)).unwrap();
        let expected = json!({ "phase": "indexing", "files": 3, "pending": 6 });
        assert_eq!(Value::Object(told), expected);
        let told = progress(&state(Phase::Scanning)).unwrap();
        assert_eq!(told["phase"], "scanning");
        for phase in [Phase::Empty, Phase::Ready, Phase::Cancelled] {
            assert_eq!(progress(&state(phase)), None);
        }
    }
}
