//! What a client is told while a call waits for the index.

use std::time::Duration;

use codecortex_engine::protocol::{Phase, State};
use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::Peer;
use tokio::sync::watch;

/// More notices than these say nothing more to a person.
const EVERY: Duration = Duration::from_millis(250);

/// Tells the client what the engine does, until it is dropped or the engine is gone.
pub(super) async fn tell(
    peer: Peer<RoleServer>,
    token: ProgressToken,
    mut states: watch::Receiver<State>,
) {
    let mut told = 0.0;
    loop {
        let state = states.borrow_and_update().clone();
        if let Some(notice) = notice(&token, &state, &mut told) {
            // A client that does not want to hear of it any more still wants its answer.
            let _ = peer.notify_progress(notice).await;
        }
        tokio::time::sleep(EVERY).await;
        if states.changed().await.is_err() {
            return std::future::pending().await;
        }
    }
}

/// The notice of a state, if it is one of work going on. Progress must grow from notice to notice.
fn notice(
    token: &ProgressToken,
    state: &State,
    told: &mut f64,
) -> Option<ProgressNotificationParam> {
    let progress = f64::from(state.files);
    let message = match state.phase {
        Phase::Scanning => format!("Scanning folders, {} files indexed", state.files),
        Phase::Indexing => format!("Indexing, {} files left", state.pending),
        Phase::Empty | Phase::Ready | Phase::Cancelled => return None,
    };
    if progress <= *told && *told > 0.0 {
        return None;
    }
    *told = progress.max(f64::EPSILON);
    let notice = ProgressNotificationParam::new(token.clone(), progress).with_message(message);
    Some(match state.phase {
        Phase::Indexing => notice.with_total(progress + f64::from(state.pending)),
        _ => notice,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::model::NumberOrString;

    #[test]
    fn progress_grows_and_ends_with_the_work() {
        let token = ProgressToken(NumberOrString::Number(1));
        let state = |phase, files, pending| State {
            phase,
            files,
            pending,
            skipped: 0,
            symbols: 0,
            lines: 0,
            revision: 0,
        };
        let mut told = 0.0;
        let mut notice = |state| super::notice(&token, &state, &mut told);
        let first = notice(state(Phase::Scanning, 0, 0)).unwrap();
        assert_eq!((first.progress, first.total), (0.0, None));
        assert!(notice(state(Phase::Indexing, 0, 9)).is_none());
        let next = notice(state(Phase::Indexing, 3, 6)).unwrap();
        assert_eq!((next.progress, next.total), (3.0, Some(9.0)));
        assert!(notice(state(Phase::Indexing, 3, 6)).is_none());
        assert!(notice(state(Phase::Ready, 9, 0)).is_none());
    }
}
