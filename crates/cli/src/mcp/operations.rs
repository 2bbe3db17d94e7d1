//! What a client is told while an investigation is at work: a call with a progress token is answered when it is over, and
//! hears of each step until then (SPEC IN1).

use std::time::Duration;

use codecortex_engine::protocol::Answer;
use codecortex_engine::protocol::counts::counted;
use codecortex_engine::{ToolUse, find_tool, tools_for};
use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::RequestContext;
use serde_json::{Value, json};

use super::session::Asking;

/// How often an operation is looked at.
const EVERY: Duration = Duration::from_millis(250);

/// Whether a tool has a use.
fn has_use(tool: &str, wanted: ToolUse) -> bool {
    find_tool(tool).is_some_and(|tool| tool.has_use(wanted))
}

/// The tool that shows operations and cancels them.
fn watcher() -> Option<&'static str> {
    tools_for(ToolUse::WatchOperation).next()
}

/// Follows the operation that an answer is about until it is over; the last answer. Who gives the call up that began it
/// does not want it any more.
pub(super) async fn follow(
    asking: &Asking<'_>,
    tool: &str,
    token: ProgressToken,
    first: Answer,
    context: &RequestContext<RoleServer>,
) -> Answer {
    let Some(watcher) = watcher() else {
        return first;
    };
    let mut answer = first;
    let mut told = 0.0;
    while let Some(operation) = at_work(tool, &answer) {
        let id = operation["opId"].clone();
        if let Some(notice) = notice(&token, &operation, &mut told) {
            // A client that does not want to hear of it any more still wants its answer.
            let _ = context.peer.notify_progress(notice).await;
        }
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            () = context.ct.cancelled() => {
                let args = match has_use(tool, ToolUse::BeginOperation) {
                    true => json!({ "opId": id, "cancel": true }),
                    false => json!({ "opId": id }),
                };
                return asking.answer(watcher, args).await.unwrap_or(answer);
            }
        }
        match asking.answer(watcher, json!({ "opId": id })).await {
            Some(next) => answer = next,
            None => return answer,
        }
    }
    answer
}

/// The operation of an answer, where a model is at it.
fn at_work(tool: &str, answer: &Answer) -> Option<Value> {
    if !has_use(tool, ToolUse::BeginOperation) && !has_use(tool, ToolUse::WatchOperation) {
        return None;
    }
    let envelope: Value = serde_json::from_str(answer.json.as_deref()?).ok()?;
    let operation = envelope["data"]["operation"].clone();
    (operation["state"] == "running").then_some(operation)
}

/// The notice of a step. Progress must grow from notice to notice: what was spent does.
fn notice(
    token: &ProgressToken,
    operation: &Value,
    told: &mut f64,
) -> Option<ProgressNotificationParam> {
    let steps = operation["steps"].as_array().map_or(&[][..], Vec::as_slice);
    let tokens = operation["tokens"].as_f64().unwrap_or_default();
    let progress = 1.0 + tokens + steps.len() as f64;
    if progress <= *told {
        return None;
    }
    *told = progress;
    let last = steps.last().and_then(|step| step["tool"].as_str());
    let last = last.map(|tool| format!(", last {tool}"));
    let message = format!(
        "{}, {tokens} tokens{}",
        counted(steps.len(), "step"),
        last.unwrap_or_default()
    );
    Some(ProgressNotificationParam::new(token.clone(), progress).with_message(message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::model::NumberOrString;

    #[test]
    fn one_tool_begins_operations_and_one_watches_them() {
        assert_eq!(tools_for(ToolUse::BeginOperation).count(), 1);
        assert_eq!(tools_for(ToolUse::WatchOperation).count(), 1);
    }

    #[test]
    fn each_step_is_told_once() {
        let token = ProgressToken(NumberOrString::Number(1));
        let operation = |tokens: u32, tools: &[&str]| {
            let steps: Vec<Value> = tools.iter().map(|tool| json!({ "tool": tool })).collect();
            json!({ "state": "running", "tokens": tokens, "steps": steps })
        };
        let mut told = 0.0;
        let mut notice = |operation: Value| super::notice(&token, &operation, &mut told);
        assert!(notice(operation(0, &[])).is_some());
        assert!(notice(operation(0, &[])).is_none());
        let step = notice(operation(90, &["codecortex_getOutline"])).unwrap();
        let said = step.message.unwrap();
        assert_eq!(said, "1 step, 90 tokens, last codecortex_getOutline");
        assert!(notice(operation(90, &["codecortex_getOutline"])).is_none());
    }
}
