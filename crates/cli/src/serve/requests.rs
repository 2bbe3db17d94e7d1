//! A request: the call of a tool, what is told while it is at work, and its reply.

use std::time::Duration;

use codecortex_engine::protocol::Answer;
use codecortex_engine::{ToolUse, find_tool, tools_for};
use codecortex_host::internal_error;
use codecortex_rpc::{MessageId, Method, Notice, ToolCall, method, notice, reply, tool_call};
use serde_json::{Map, Value, json};
use tokio::sync::oneshot;

use super::peer::{AtWork, PeerWriter};
use super::{CALLER, Shared, notices};
use crate::edit_gate::gated;

/// How often an operation is looked at.
const EVERY: Duration = Duration::from_millis(250);

/// The reply to a request.
pub(super) async fn answer(
    shared: &Shared,
    writer: &PeerWriter,
    at_work: &AtWork,
    (id, name, params): (&MessageId, &str, Value),
) -> String {
    let call = match tool_call(name, params, |tool| find_tool(tool).is_some()) {
        Ok(mut call) => {
            call.args = gated(&call.tool, call.args, shared.applies);
            call
        }
        Err(invalid) => return invalid.reply(id),
    };
    let method = method(name);
    let mut answer = asked(shared, writer, at_work, id, &call).await;
    if method.is_some_and(|method| method.follows) {
        answer = follow(shared, writer, at_work, id, answer).await;
    }
    said(id, method, &answer)
}

fn said(id: &MessageId, method: Option<&Method>, answer: &Answer) -> String {
    reply(id, method, answer.json.as_deref(), answer.text.as_deref())
}

/// Asks the engine, and tells how far the index is meanwhile.
async fn asked(
    shared: &Shared,
    writer: &PeerWriter,
    at_work: &AtWork,
    id: &MessageId,
    call: &ToolCall,
) -> Answer {
    let (sender, answer) = oneshot::channel();
    let handle = shared
        .service
        .call(&call.tool, call.args.clone(), CALLER, move |answer| {
            // The peer may be gone.
            let _ = sender.send(answer);
        });
    at_work.begin(id, handle);
    tokio::select! {
        answer = answer => answer.unwrap_or_else(|_| internal_error(CALLER, "The engine has ended.")),
        () = notices::tell_progress(shared, writer, id) => internal_error(CALLER, "The engine has ended."),
    }
}

/// Tells each step of the operation that an answer is about, until it is over; the last answer.
async fn follow(
    shared: &Shared,
    writer: &PeerWriter,
    at_work: &AtWork,
    id: &MessageId,
    first: Answer,
) -> Answer {
    let Some(watcher) = tools_for(ToolUse::WatchOperation).next() else {
        return first;
    };
    let (mut answer, mut told) = (first, Value::Null);
    loop {
        let operation = operation_of(&answer);
        if operation != told && !operation.is_null() {
            let event = Map::from_iter([("operation".to_owned(), operation.clone())]);
            writer
                .send(notice(Notice::Operation, Some(id), &event))
                .await;
        }
        if operation["state"] != "running" {
            return answer;
        }
        let args = json!({ "opId": operation["opId"] });
        told = operation;
        tokio::time::sleep(EVERY).await;
        let call = ToolCall {
            tool: watcher.to_owned(),
            args,
        };
        answer = asked(shared, writer, at_work, id, &call).await;
    }
}

fn operation_of(answer: &Answer) -> Value {
    let json = answer.json.as_deref().unwrap_or_default();
    let mut envelope: Value = serde_json::from_str(json).unwrap_or_default();
    envelope["data"]["operation"].take()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_without_an_operation_is_none_to_follow() {
        let answer = |json: Option<&str>| Answer {
            ok: true,
            json: json.map(str::to_owned),
            text: None,
        };
        assert!(operation_of(&answer(None)).is_null());
        assert!(operation_of(&answer(Some("{}"))).is_null());
        let running = r#"{"data":{"operation":{"state":"running"}}}"#;
        assert_eq!(operation_of(&answer(Some(running)))["state"], "running");
    }
}
