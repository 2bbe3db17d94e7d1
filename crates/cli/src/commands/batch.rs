//! `codecortex batch`: a line in, a line out.
//!
//! Before each call the index is brought up to what the disk is then, so no answer is stale. What a call keeps is on the
//! disk when its answer is printed. A call that waits for git or a model for long lets those after it go first; a line
//! `{"cancel":ID}` gives it up, and it is answered by an error `Cancelled`.

use std::io::{self, BufRead, Read};
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::time::{Duration, Instant};

use codecortex_engine::ToolError;
use codecortex_engine::protocol::{Answer, Caller};
use codecortex_host::{HostWorkspace, OpenCall, Options, error_answer};
use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use crate::args::BatchArgs;
use crate::edit_gate::{gated, takes_plan};
use crate::failure::Failure;
use crate::output;

/// Longer lines than this are refused, so that one of them cannot take all memory.
const MAX_LINE: u64 = 16 << 20;

/// How long a call that waits for git or a model holds up those after it: answers come in the order of the calls as
/// long as none takes longer.
const IN_ORDER: Duration = Duration::from_secs(2);

/// What stands in every line that gives a call up.
const WORD_OF_CANCEL: &[u8] = b"\"cancel\"";

/// A call as it is written.
#[derive(Debug, Deserialize)]
struct BatchRequest {
    #[serde(default)]
    id: Value,
    #[serde(default)]
    tool: Value,
    #[serde(default)]
    args: Value,
}

/// An answer as it is written.
#[derive(Debug, serde::Serialize)]
struct BatchResponse<'a> {
    id: &'a Value,
    ms: f64,
    result: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

/// A call that was begun and is not answered yet.
struct Open {
    id: Value,
    begun: Instant,
    tool: String,
    args: Value,
    call: OpenCall,
    /// Whether its failure has an envelope in any case.
    has_envelope: bool,
}

pub(crate) fn run(command: &BatchArgs) -> Result<i32, Failure> {
    let mut workspace = super::ready(Options {
        watch: true,
        ..command.workspace.options_of_calls(&command.edits)?
    });
    workspace.prepare();
    let lines = lines()?;
    let mut open: Vec<Open> = Vec::new();
    loop {
        print_answered(&mut workspace, &mut open)?;
        let line = match open.first_mut() {
            None => lines.recv().map_err(|_| TryRecvError::Disconnected),
            Some(_) => lines.try_recv(),
        };
        match (line, open.first_mut()) {
            (Ok(line), _) => {
                let line = line?;
                if let Some(id) = given_up(&line) {
                    let calls = open.iter_mut().filter(|call| call.id == id);
                    calls.for_each(|call| workspace.cancel_call(&mut call.call));
                    continue;
                }
                take(&mut workspace, &line, command, &mut open)?;
                workspace.save_now_and_then();
            }
            (Err(_), Some(first)) => workspace.wait_for(&mut first.call),
            (Err(_), None) => break,
        }
    }
    workspace.save_if_worthwhile();
    workspace.leave();
    Ok(0)
}

/// The lines of stdin, read on a thread: calls that are open go on while there is none.
fn lines() -> Result<Receiver<Result<BatchLine, Failure>>, Failure> {
    let (sender, lines) = sync_channel(1);
    let read = move || {
        let mut input = io::stdin().lock();
        while let Some(line) = read_line(&mut input).transpose() {
            let is_last = line.is_err();
            // A batch that failed reads no more.
            if sender.send(line).is_err() || is_last {
                return;
            }
        }
    };
    let thread = std::thread::Builder::new().name("lines".into()).spawn(read);
    thread.map(|_| lines).map_err(|source| Failure::Io {
        what: "the calls cannot be read",
        source,
    })
}

/// Prints the answers of open calls that are there.
fn print_answered(workspace: &mut HostWorkspace, open: &mut Vec<Open>) -> Result<(), Failure> {
    let mut at = 0;
    while let Some(call) = open.get_mut(at) {
        match call.answer(workspace) {
            Some(answer) => {
                let call = open.remove(at);
                output::print_exact(&response(&call.id, call.begun, &answer)?)?;
            }
            None => at += 1,
        }
    }
    Ok(())
}

/// Takes a line in, and answers it unless its call waits for something that takes long.
fn take(
    workspace: &mut HostWorkspace,
    line: &BatchLine,
    command: &BatchArgs,
    open: &mut Vec<Open>,
) -> Result<(), Failure> {
    let begun = Instant::now();
    let mut call = match begin(workspace, line, command, begun) {
        None => return Ok(()),
        Some(Ok(call)) => call,
        Some(Err((id, error))) => {
            let answer = error_answer(Caller::default(), &error);
            return output::print_exact(&response(&id, begun, &answer)?);
        }
    };
    loop {
        if let Some(answer) = call.answer(workspace) {
            return output::print_exact(&response(&call.id, begun, &answer)?);
        }
        if workspace.awaits_replies() && begun.elapsed() > IN_ORDER {
            open.push(call);
            return Ok(());
        }
        workspace.wait_for(&mut call.call);
    }
}

/// A line's bytes, or why they are not worth reading.
type BatchLine = Result<Vec<u8>, ToolError>;

/// The next line without its end; `None` at the end of the input.
fn read_line(input: &mut impl BufRead) -> Result<Option<BatchLine>, Failure> {
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

/// The id of the calls that a line gives up; `None` where it does something else.
fn given_up(line: &BatchLine) -> Option<Value> {
    let line = line.as_ref().ok()?;
    if !line
        .windows(WORD_OF_CANCEL.len())
        .any(|part| part == WORD_OF_CANCEL)
    {
        return None; // most lines are not read twice
    }
    let value: Value = serde_json::from_slice(line).ok()?;
    match value.get("tool") {
        None => value.get("cancel").cloned(),
        Some(_) => None,
    }
}

/// Begins the call of a line; `None` for an empty one, an id and why where it is no call.
fn begin(
    workspace: &mut HostWorkspace,
    line: &BatchLine,
    command: &BatchArgs,
    begun: Instant,
) -> Option<Result<Open, (Value, ToolError)>> {
    let failure = |id: Value, error: &ToolError| Some(Err((id, error.clone())));
    let line = match line {
        Ok(line) if line.trim_ascii().is_empty() => return None,
        Ok(line) => line,
        Err(error) => return failure(Value::Null, error),
    };
    let value: Value = match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(error) => return failure(Value::Null, &no_call(&format!("no JSON: {error}"))),
    };
    let Ok(request) = BatchRequest::deserialize(&value) else {
        return failure(Value::Null, &no_call("no JSON object"));
    };
    if !value.is_object() {
        return failure(Value::Null, &no_call("no JSON object"));
    }
    let Value::String(tool) = request.tool else {
        return failure(request.id, &no_call("without the name of a `tool`"));
    };
    let mut args = match takes_plan(&tool) {
        true => gated(&tool, request.args, command.apply),
        false => request.args,
    };
    command.answer.complete(&mut args);
    workspace.refresh();
    Some(Ok(Open {
        id: request.id,
        begun,
        call: workspace.begin_call(&tool, args.clone(), Caller::default()),
        tool,
        args,
        has_envelope: false,
    }))
}

impl Open {
    /// The answer, once it is there. A failure always has its envelope, whatever form was asked for.
    fn answer(&mut self, workspace: &mut HostWorkspace) -> Option<Answer> {
        loop {
            let answer = workspace.answer_of(&mut self.call)?;
            if answer.ok || answer.json.is_some() || self.has_envelope {
                return Some(answer);
            }
            self.has_envelope = true;
            self.args["format"] = json!("json");
            self.call = workspace.begin_call(&self.tool, self.args.clone(), Caller::default());
        }
    }
}

fn no_call(problem: &str) -> ToolError {
    ToolError::invalid(format!("The line is {problem}."))
        .hint("Give one JSON object a line: {\"id\":1,\"tool\":\"codecortex_status\",\"args\":{}}.")
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
    serde_json::to_string(&BatchResponse {
        id,
        ms: codecortex_host::ms(begun.elapsed()),
        result: &result,
        text,
    })
    .map_err(broken)
}
