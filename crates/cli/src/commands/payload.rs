//! `codecortex context`: `context_payload.v2` for whoever starts a sub-agent (SPEC CP1, CP2, D13).

use clap::ValueEnum;
use codecortex_engine::protocol::Caller;
use codecortex_engine::{Tokenizer, tokens_approx};
use serde_json::{Map, Value};

use crate::args::{ContextAction, ContextArgs, FormatArg};
use crate::failure::Failure;
use crate::output;

/// Fields of an answer that are none of the payload.
const OF_ANSWERS: [&str; 3] = ["index", "omitted", "nextCursor"];

/// Prints the payload, or does what the old words for the prompt window say.
pub(crate) fn run(command: &ContextArgs) -> Result<i32, Failure> {
    match &command.action {
        None => payload(command),
        Some(action) => {
            output::warn(
                "the prompt window is `codecortex window` now; `codecortex context` prints the payload",
            );
            match action {
                ContextAction::Window(args) => super::window::window(args),
                ContextAction::Change(action) => super::window::change(action),
            }
        }
    }
}

fn payload(command: &ContextArgs) -> Result<i32, Failure> {
    let mut args = Map::new();
    let mut give = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            args.insert(name.to_owned(), value.into());
        }
    };
    give("query", command.query.clone());
    give("focus", command.focus.as_deref().map(absolute));
    give("taskId", command.task_id.clone());
    give(
        "taskJsonPath",
        command.task_json_path.as_deref().map(absolute),
    );
    give("profile", command.profile.clone());
    give("model", command.model.clone());
    let mode = match (
        command.mode,
        command.ids.is_empty(),
        &command.query,
        &command.focus,
    ) {
        (Some(mode), ..) => word(mode),
        (None, false, ..) => "detail".to_owned(),
        (None, true, None, None) => "index".to_owned(),
        (None, true, ..) => "mixed".to_owned(),
    };
    give("mode", Some(mode));
    give("subagentType", command.subagent_type.map(word));
    if !command.ids.is_empty() {
        args.insert("ids".to_owned(), command.ids.clone().into());
    }
    if command.why {
        args.insert("why".to_owned(), true.into());
    }
    if !command.scope.is_empty() {
        args.insert("scope".to_owned(), command.scope.clone().into());
    }
    let mut args = Value::Object(args);
    command.answer.complete(&mut args);
    let mut workspace = command.workspace.open()?;
    let mut answer = workspace.call("codecortex_getContext", args, Caller::default());
    if command.answer.format != Some(FormatArg::Text) {
        answer.json = answer.json.as_deref().map(bare);
    }
    super::finish(workspace, &answer)
}

/// A file that is there, seen from the current folder; else as it is written.
fn absolute(path: &str) -> String {
    let found = std::path::Path::new(path).canonicalize().ok();
    let found = found.filter(|found| found.is_file());
    found.map_or_else(
        || path.to_owned(),
        |found| found.to_string_lossy().into_owned(),
    )
}

/// The word for a value in arguments.
fn word(value: impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}

/// A payload with what it costs as it is printed: the answer that it is taken from cost more.
fn accounted(mut payload: Value) -> String {
    let tokenizer = match payload["budget"].get("tokens_exact") {
        Some(_) => Tokenizer::O200kBase,
        None => Tokenizer::Approx,
    };
    let mut tokens = (0, tokenizer.exact(""));
    // It shows its own cost: each round can only lengthen the numbers by a digit.
    loop {
        payload["budget"]["tokens_approx"] = tokens.0.into();
        if let Some(exact) = tokens.1 {
            payload["budget"]["tokens_exact"] = exact.into();
        }
        let text = payload.to_string();
        let now = (tokens_approx(&text), tokenizer.exact(&text));
        if now.0 <= tokens.0 && now.1 <= tokens.1 {
            return text;
        }
        tokens = (now.0.max(tokens.0), now.1.max(tokens.1));
    }
}

/// The payload of an envelope, or its error as it is.
fn bare(envelope: &str) -> String {
    let Ok(Value::Object(mut envelope)) = serde_json::from_str(envelope) else {
        return envelope.to_owned();
    };
    let Some(Value::Object(mut data)) = envelope.remove("data") else {
        return Value::Object(envelope).to_string();
    };
    for name in OF_ANSWERS {
        data.remove(name);
    }
    accounted(Value::Object(data))
}
