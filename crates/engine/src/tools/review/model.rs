//! A review by the model that the host has: it plans, it reviews, and what it says is checked (SPEC RV2, D29).

use codecortex_protocol::{
    ErrorCode, ModelFailure, ModelMessage, ModelOutcome, ModelRequest, ModelRole, ModelTool,
    ModelToolCall, ToolError, tokens_approx,
};
use codecortex_review::bundle::Room;
use codecortex_review::check::{Checked, check, known_name};
use codecortex_review::index::{PlannerUnit, UnitEntry, entry, metadata};
use codecortex_review::prompt::{PLANNER, Prompt, between_marks};
use codecortex_review::{PipelineInput, Review, ReviewedChange, review};
use serde_json::{Value, json};

use super::reviewer;
use crate::calls::CallContext;
use crate::semantics::accounts::refusal;

/// Said where files changed while the model was at it.
const MOVED: &str = "Files of the workspace changed while the model reviewed: this is about the change as it was before.";
/// The most tokens of one answer.
const ANSWER_TOKENS: u32 = 6_000;
/// Characters of the units that a planner is told of; the rules decide of the others.
const MAX_PLANNED: usize = 120_000;
/// Characters of a bundle that a model is sent.
const MAX_BUNDLE: usize = 240_000;

/// A review, and what of the model's findings stands.
pub(super) struct JudgedReview {
    pub(super) found: Review,
    pub(super) checked: Checked,
}

/// Reviews a change with the model: it makes a plan, unless one is given, and then findings, before which it may call
/// tools. What is reviewed is the change as it was when the review began.
pub(super) async fn by_model(
    cx: &CallContext,
    (root, change): (u32, &ReviewedChange),
    asked: &PipelineInput<'_>,
    wish: Option<&str>,
) -> Result<JudgedReview, ToolError> {
    let mut found = cx
        .look(|cx| review(&cx.question.view, root, change, asked))
        .await?;
    if asked.plan.is_none() {
        let plan = ask(cx, root, planner(&entries(change, &found))).await?;
        let planned = PipelineInput {
            plan: Some(&plan),
            ..asked.clone()
        };
        found = cx
            .look(|cx| review(&cx.question.view, root, change, &planned))
            .await?;
    }
    let room = Room {
        characters: MAX_BUNDLE,
        is_named: false,
    };
    let items = found.bundle(change, room).items;
    let prompt = codecortex_review::prompt::reviewer(
        wish,
        &metadata(change, None),
        &entries(change, &found),
        &items,
    );
    let of = reviewer::ReviewerInput {
        root,
        change,
        found: &found,
    };
    let written = reviewer::findings(cx, &of, prompt).await?;
    if cx.is_moved() {
        found.notes.push(MOVED.to_owned());
    }
    let checked = cx
        .view(|cx| {
            let known = |name: &str| known_name(&cx.question.view, root, name);
            check(&written, change, &known)
        })
        .await;
    Ok(JudgedReview { found, checked })
}

fn entries(change: &ReviewedChange, found: &Review) -> Vec<UnitEntry> {
    let units = found.units.iter().zip(&found.fused);
    units
        .map(|(unit, fused)| entry(change, unit, fused))
        .collect()
}

fn planner(entries: &[UnitEntry]) -> Prompt {
    let (mut units, mut room) = (Vec::new(), MAX_PLANNED);
    for unit in entries.iter().cloned().map(PlannerUnit::from) {
        let unit = serde_json::to_value(unit).unwrap_or_default();
        let length = unit.to_string().chars().count();
        if length > room {
            break;
        }
        room -= length;
        units.push(unit);
    }
    Prompt {
        system: PLANNER.to_owned(),
        user: between_marks("Plan the review.", &json!({ "units": units }).to_string()),
    }
}

/// What the model says to a prompt, as JSON; null where it is none.
async fn ask(cx: &CallContext, root: u32, prompt: Prompt) -> Result<Value, ToolError> {
    let messages = vec![
        ModelMessage::new(ModelRole::System, prompt.system),
        ModelMessage::new(ModelRole::User, prompt.user),
    ];
    let (text, _) = answer_to(cx, root, messages, Vec::new()).await?;
    Ok(json_in(&text))
}

/// What the model answers in a conversation, and the tools that it calls, of these.
pub(super) async fn answer_to(
    cx: &CallContext,
    root: u32,
    messages: Vec<ModelMessage>,
    tools: Vec<ModelTool>,
) -> Result<(String, Vec<ModelToolCall>), ToolError> {
    let request = ModelRequest {
        purpose: "review".to_owned(),
        subject: "a change".to_owned(),
        messages,
        tools,
        max_output_tokens: ANSWER_TOKENS,
        attempts: 3,
    };
    let has_model = cx.session().models.name().is_some();
    let refusal = has_model.then(|| refusal(&cx.session(), root, tokens_approx(&request.text())));
    if let Some(why) = refusal.flatten() {
        return Err(failed(ModelFailure::Refused, why));
    }
    match cx.model(request).await? {
        ModelOutcome::Answered { text, calls, .. } => Ok((text, calls)),
        ModelOutcome::Failed {
            failure, message, ..
        } => Err(failed(failure, message)),
    }
}

pub(super) fn failed(failure: ModelFailure, message: String) -> ToolError {
    let hint = match failure {
        ModelFailure::Absent => {
            "Choose a model (`--model-url`), or review by yourself: `step: \"prompt\"` is what a reviewer is told, and \
             its answer goes to `findings`."
        }
        _ => "`step: \"findings\"` gives what is found without a model.",
    };
    ToolError::new(ErrorCode::Unavailable, message).hint(hint)
}

/// The JSON object of an answer, which may stand in a fence or between sentences.
pub(super) fn json_in(text: &str) -> Value {
    let written = text.find('{').zip(text.rfind('}'));
    let written = written.and_then(|(start, end)| text.get(start..=end));
    written
        .and_then(|written| serde_json::from_str(written).ok())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_object_of_an_answer_is_read_wherever_it_stands() {
        let object = json!({ "findings": [] });
        for text in [
            "{\"findings\": []}",
            "```json\n{\"findings\": []}\n```",
            "Here it is: {\"findings\": []} Good luck.",
        ] {
            assert_eq!(json_in(text), object, "{text}");
        }
        for text in ["", "nothing", "} {", "{\"findings\": ["] {
            assert_eq!(json_in(text), Value::Null, "{text}");
        }
    }
}
