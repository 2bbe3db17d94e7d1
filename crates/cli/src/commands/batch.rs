//! `codecortex batch`: a line in, a line out.
//!
//! Before each call the index is brought up to what the disk is then, so no answer is stale. What a call keeps is on the
//! disk when its answer is printed.

use std::io::{self, BufRead, Read};
use std::time::Instant;

use codecortex_engine::ToolError;
use codecortex_engine::protocol::{Answer, Caller};
use codecortex_host::{Options, Workspace, error_answer};
use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use crate::args::{AnswerArgs, BatchArgs};
use crate::failure::Failure;
use crate::output;

/// Longer lines than this are refused, so that one of them cannot take all memory.
const MAX_LINE: u64 = 16 << 20;

/// A call as it is written.
#[derive(Debug, Deserialize)]
struct Request {
    #[serde(default)]
    id: Value,
    #[serde(default)]
    tool: Value,
    #[serde(default)]
    args: Value,
}

/// An answer as it is written.
#[derive(Debug, serde::Serialize)]
struct Response<'a> {
    id: &'a Value,
    ms: f64,
    result: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

pub(crate) fn run(command: &BatchArgs) -> Result<i32, Failure> {
    let mut workspace = super::ready(Options {
        watch: true,
        ..command.workspace.options_of_calls(&command.edits)?
    });
    workspace.prepare();
    let mut input = io::stdin().lock();
    while let Some(line) = read_line(&mut input)? {
        let begun = Instant::now();
        let Some((id, answer)) = answer(&mut workspace, &line, &command.answer) else {
            continue;
        };
        output::print_exact(&response(&id, begun, &answer)?)?;
        workspace.save_now_and_then();
    }
    workspace.save_if_worthwhile();
    std::mem::forget(workspace); // the system takes its memory back faster than we can
    Ok(0)
}

/// A line's bytes, or why they are not worth reading.
type Line = Result<Vec<u8>, ToolError>;

/// The next line without its end; `None` at the end of the input.
fn read_line(input: &mut impl BufRead) -> Result<Option<Line>, Failure> {
    let failed = |source| Failure::Io {
        what: "the calls cannot be read",
        source,
    };
    let mut line = Vec::new();
    let read = input
        .by_ref()
        .take(MAX_LINE)
        .read_until(b'\n', &mut line)
        .map_err(failed)?;
    if read == 0 {
        return Ok(None);
    }
    if read as u64 == MAX_LINE && !line.ends_with(b"\n") {
        input.skip_until(b'\n').map_err(failed)?;
        return Ok(Some(Err(ToolError::invalid(format!(
            "The line has more than {MAX_LINE} bytes."
        ))
        .hint("Give shorter arguments."))));
    }
    Ok(Some(Ok(line)))
}

/// The id and answer of a line; `None` for an empty one.
fn answer(workspace: &mut Workspace, line: &Line, form: &AnswerArgs) -> Option<(Value, Answer)> {
    let caller = Caller::default();
    let failure = |id: Value, error: &ToolError| Some((id, error_answer(caller, error)));
    let line = match line {
        Ok(line) if line.trim_ascii().is_empty() => return None,
        Ok(line) => line,
        Err(error) => return failure(Value::Null, error),
    };
    let value: Value = match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(error) => return failure(Value::Null, &no_call(&format!("no JSON: {error}"))),
    };
    let Ok(request) = Request::deserialize(&value) else {
        return failure(Value::Null, &no_call("no JSON object"));
    };
    if !value.is_object() {
        return failure(Value::Null, &no_call("no JSON object"));
    }
    let Value::String(tool) = request.tool else {
        return failure(request.id, &no_call("without the name of a `tool`"));
    };
    let mut args = request.args;
    form.complete(&mut args);
    workspace.refresh();
    let answer = call(workspace, &tool, &args, caller);
    Some((request.id, answer))
}

fn no_call(problem: &str) -> ToolError {
    ToolError::invalid(format!("The line is {problem}."))
        .hint("Give one JSON object a line: {\"id\":1,\"tool\":\"codecortex_status\",\"args\":{}}.")
}

/// Calls a tool. A failure always has its envelope, whatever form was asked for.
fn call(workspace: &mut Workspace, tool: &str, args: &Value, caller: Caller) -> Answer {
    let mut answer = workspace.call(tool, args.clone(), caller);
    if !answer.ok && answer.json.is_none() {
        let mut args = args.clone();
        args["format"] = json!("json");
        answer.json = workspace.call(tool, args, caller).json;
    }
    answer
}

fn response(id: &Value, begun: Instant, answer: &Answer) -> Result<String, Failure> {
    let broken = |error: serde_json::Error| Failure::Io {
        what: "the answer is not JSON",
        source: error.into(),
    };
    let (result, text) = match (&answer.json, &answer.text) {
        (Some(json), text) if answer.ok => (json.clone(), text.as_deref()),
        (Some(json), _) => (json.clone(), None),
        (None, text) => {
            let envelope = json!({ "ok": answer.ok, "data": { "text": text } });
            (envelope.to_string(), None)
        }
    };
    let result = RawValue::from_string(result)
        .or_else(|_| to_raw_value(&Value::Null))
        .map_err(broken)?;
    serde_json::to_string(&Response {
        id,
        ms: codecortex_host::ms(begun.elapsed()),
        result: &result,
        text,
    })
    .map_err(broken)
}
