//! Progress while the index is made, where the editor shows any.

use std::time::Duration;

use codecortex_engine::protocol::{Phase, State};
use codecortex_rpc::notification;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::session::Client;

/// Progress is told at most so often.
const EVERY: Duration = Duration::from_millis(200);

/// Tells how far the index is, until it is complete.
pub(super) async fn tell(client: Client, mut states: watch::Receiver<State>, token: String) {
    let begins = |state: &State| matches!(state.phase, Phase::Scanning | Phase::Indexing);
    if states.wait_for(begins).await.is_err() {
        return;
    }
    let progress = json!({ "token": token });
    if !client
        .ask("window/workDoneProgress/create", &progress)
        .await
    {
        return;
    }
    let send = |value: Value| {
        let params = json!({ "token": token, "value": value });
        client.send(notification("$/progress", &params))
    };
    send(json!({ "kind": "begin", "title": "CodeCortex: indexing", "percentage": 0 })).await;
    loop {
        let state = states.borrow_and_update().clone();
        if !begins(&state) {
            break;
        }
        send(report(&state)).await;
        tokio::time::sleep(EVERY).await;
        if states.changed().await.is_err() {
            break;
        }
    }
    send(json!({ "kind": "end" })).await;
}

fn report(state: &State) -> Value {
    let all = state.files + state.pending;
    let percentage = (u64::from(state.files) * 100).checked_div(u64::from(all));
    json!({
        "kind": "report",
        "message": format!("{} of {all} files", state.files),
        "percentage": percentage.unwrap_or(0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_a_share_of_the_files_that_are_known() {
        let mut state = codecortex_host::no_state();
        assert_eq!(report(&state)["percentage"], 0);
        (state.files, state.pending) = (3, 9);
        assert_eq!(report(&state)["percentage"], 25);
        assert_eq!(report(&state)["message"], "3 of 12 files");
    }
}
