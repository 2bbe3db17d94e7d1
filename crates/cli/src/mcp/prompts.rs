//! The prompt `task_context` puts the code that a task is about, and what was observed of it before, in front of the question
//! (SPEC CP1). The prompt `live_context`: what is being edited now and the prompt window, made anew into the message that
//! carries the question, so that no text of the past stays in a conversation (SPEC D15, LC6).

use std::borrow::Cow;

use rmcp::model::{
    ErrorData, GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role,
};
use serde_json::{Map, Value, json};

use super::session::Asking;

/// The prompts' names.
const NAME: &str = "live_context";
const TASK: &str = "task_context";
/// Tokens of the code and observations for a task, unless the client says otherwise.
const TASK_TOKENS: u64 = 4_000;
/// Tokens of the live context and of the prompt window, unless the client says otherwise.
const LIVE_TOKENS: u64 = 8_000;
/// The prompt window's part of it.
const WINDOW_SHARE: u64 = 3;
/// The least with which both say something.
const LEAST_TOKENS: u64 = 600;

/// What a model is told to make of it.
const RULES: &str = "The context below is of this moment: it is made anew each time this prompt is used. \
    `Current Document` is the truth, the diffs are the trail that led to it, and `Plan Hints` say which of your \
    edits were done, which failed, and why; where an older message says otherwise, this is right. Change files with \
    codecortex_applyEdit: `baseVersion` is the version behind the file's name, small changes by `oldText`. After \
    VersionConflict fit the edit to the `diff` that comes with it. Ask for other declarations with the codecortex \
    tools before you read whole files.";

/// The prompts that a client can offer.
pub(super) fn list() -> Vec<Prompt> {
    let argument = |name: &str, description: &str| {
        PromptArgument::new(name)
            .with_description(description)
            .with_required(false)
    };
    let arguments = vec![
        argument("question", "What is asked, or is to be changed."),
        argument(
            "filePath",
            "The file of the question, best as `rootName/relative/path`; by default the one edited last.",
        ),
        argument("maxTokens", "Token limit of the context; 8000 by default."),
    ];
    let description = "Your question with the current code: the document, its changes, the outcome of edits, and the relevant declarations.";
    vec![
        Prompt::new(NAME, Some(description), Some(arguments)).with_title("Ask with live context"),
        task_prompt(argument),
    ]
}

fn task_prompt(argument: impl Fn(&str, &str) -> PromptArgument) -> Prompt {
    let arguments = vec![
        argument("question", "The task in words.").with_required(true),
        argument("focus", "The file that is being worked on."),
        argument("taskId", "The task whose observations are included."),
        argument("maxTokens", "Token limit of the context; 4000 by default."),
    ];
    let description = "Your task with its code, and observations of earlier sessions.";
    Prompt::new(TASK, Some(description), Some(arguments)).with_title("Ask with the code of a task")
}

/// The message of `task_context`.
async fn task(
    asking: &Asking<'_>,
    arguments: Option<&JsonObject>,
) -> Result<GetPromptResult, ErrorData> {
    let given = |name: &str| arguments.and_then(|arguments| arguments.get(name));
    let word = |name: &str| given(name).and_then(Value::as_str).map(str::trim);
    let question = word("question").filter(|question| !question.is_empty());
    let question = question
        .ok_or_else(|| ErrorData::invalid_params(Cow::from("`question` is missing."), None))?;
    let mut args = Map::new();
    args.insert("query".to_owned(), question.into());
    args.insert("mode".to_owned(), "mixed".into());
    let most = tokens(given("maxTokens"), TASK_TOKENS)?;
    args.insert("maxTokens".to_owned(), most.into());
    for name in ["focus", "taskId"] {
        if let Some(word) = word(name).filter(|word| !word.is_empty()) {
            args.insert(name.to_owned(), word.into());
        }
    }
    let payload = text(asking, "codecortex_getContext", Value::Object(args)).await?;
    let message = format!("# Context\n{}\n\n# Question\n{question}", payload.trim());
    let message = PromptMessage::new_text(Role::User, message);
    Ok(GetPromptResult::new(vec![message])
        .with_description("The task with the code that it is about."))
}

/// The message of a prompt.
pub(super) async fn get(
    asking: &Asking<'_>,
    name: &str,
    arguments: Option<&JsonObject>,
) -> Result<GetPromptResult, ErrorData> {
    if name == TASK {
        return task(asking, arguments).await;
    }
    if name != NAME {
        let message = format!("There is no prompt `{name}`; there are `{NAME}` and `{TASK}`.");
        return Err(ErrorData::invalid_params(Cow::from(message), None));
    }
    let given = |name: &str| arguments.and_then(|arguments| arguments.get(name));
    let tokens = tokens(given("maxTokens"), LIVE_TOKENS)?;
    let window = tokens / WINDOW_SHARE;
    let mut live = Map::new();
    live.insert("maxTokens".to_owned(), json!(tokens - window));
    if let Some(path) = given("filePath").and_then(Value::as_str) {
        live.insert("filePath".to_owned(), path.into());
    }
    let live = text(asking, "codecortex_getLiveContext", Value::Object(live)).await?;
    let args = json!({ "maxTokens": window });
    let window = text(asking, "codecortex_getContext", args).await?;
    let question = given("question").and_then(Value::as_str).unwrap_or("");
    let mut parts = vec![RULES.to_owned(), live, format!("# Prompt Window\n{window}")];
    if !question.trim().is_empty() {
        parts.push(format!("# Question\n{}", question.trim()));
    }
    let parts: Vec<&str> = parts.iter().map(|part| part.trim()).collect();
    let message = PromptMessage::new_text(Role::User, parts.join("\n\n"));
    Ok(GetPromptResult::new(vec![message])
        .with_description("The question with the code as it is now."))
}

/// A client's arguments are texts, and numbers in them too.
fn tokens(given: Option<&Value>, silent: u64) -> Result<u64, ErrorData> {
    let wanted = match given {
        None | Some(Value::Null) => Some(silent),
        Some(Value::String(text)) => text.trim().parse().ok(),
        Some(value) => value.as_u64(),
    };
    let wanted = wanted.filter(|tokens| *tokens >= LEAST_TOKENS);
    wanted.ok_or_else(|| {
        let message = format!("`maxTokens` is a number from {LEAST_TOKENS}.");
        ErrorData::invalid_params(Cow::from(message), None)
    })
}

/// What a tool says, as text; its error where it fails.
async fn text(asking: &Asking<'_>, tool: &str, args: Value) -> Result<String, ErrorData> {
    let answer = asking.answer(tool, args).await;
    let text = answer
        .as_ref()
        .and_then(|answer| answer.text.clone())
        .unwrap_or_else(|| "The engine has ended.".to_owned());
    match answer {
        Some(answer) if answer.ok => Ok(text),
        _ => Err(ErrorData::invalid_params(Cow::from(text), None)),
    }
}
