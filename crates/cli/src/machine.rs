//! Commands whose stdout programs read: a failure has its envelope there too, whatever failed (SPEC D13).

use std::ffi::OsString;

use clap::error::ErrorKind;
use codecortex_engine::{ErrorCode, ToolError};
use serde_json::{Value, json};

use crate::output;

/// What `codecortex context` prints as text for people unless told otherwise.
const OF_WINDOW: [&str; 6] = ["window", "pin", "unpin", "add", "dismiss", "clear"];

/// How programs read what a command prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The envelope of an answer, on a line of its own.
    Envelope,
    /// `codecortex batch`: a line with the `id` of its call. What fails before the first call has the id `null`.
    Batch,
    /// `codecortex mcp`: messages of JSON-RPC. What fails before the first request has the id `null`.
    Mcp,
}

/// The form that a command line asks for, also one that cannot be read; none where text for people is printed. `context` and
/// `call` give the envelope unless they want text, others with `--json` or `--format json`.
pub(crate) fn form_of(arguments: impl Iterator<Item = OsString>) -> Option<Form> {
    let words: Vec<String> = arguments
        .take_while(|word| word != "--")
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let mut format = words.iter().skip_while(|word| *word != "--format");
    let format = format.nth(1).map(String::as_str);
    let format = format.or_else(|| words.iter().find_map(|word| word.strip_prefix("--format=")));
    let mut plain = words.iter().filter(|word| !word.starts_with('-'));
    let gives_json = match plain.next().map(String::as_str) {
        Some("batch") => return Some(Form::Batch),
        Some("mcp") => return Some(Form::Mcp),
        _ if words.iter().any(|word| word == "--json") => true,
        Some("call") => format != Some("text"),
        Some("context") => {
            let first = words.iter().skip_while(|word| *word != "context").nth(1);
            let is_of_window = first.is_some_and(|word| OF_WINDOW.contains(&word.as_str()));
            format != Some("text") && !is_of_window
        }
        _ => format == Some("json"),
    };
    gives_json.then_some(Form::Envelope)
}

/// Says what is wrong with a command line; gives the exit code. Help and version are answers.
pub(crate) fn refuse(wrong: &clap::Error, form: Option<Form>) -> i32 {
    let is_answer = matches!(
        wrong.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    );
    // Without the stream there is nobody to tell.
    let _ = wrong.print();
    if let Some(form) = form.filter(|_| !is_answer) {
        print_failure(&as_tool_error(wrong), form);
    }
    wrong.exit_code()
}

/// Code of JSON-RPC for what failed on this side.
const INTERNAL_ERROR: i32 = -32603;
/// Code of JSON-RPC for arguments that are wrong.
const INVALID_PARAMS: i32 = -32602;

/// Prints a failure as programs read it.
pub(crate) fn print_failure(error: &ToolError, form: Form) {
    let envelope = error.accounted_envelope(None);
    let line = match form {
        Form::Envelope => envelope,
        Form::Batch => format!("{{\"id\":null,\"ms\":0.0,\"result\":{envelope}}}"),
        Form::Mcp => of_json_rpc(error, &envelope),
    };
    // Without stdout there is nobody to tell.
    let _ = output::print_exact(&line);
}

fn of_json_rpc(error: &ToolError, envelope: &str) -> String {
    let code = match error.code {
        ErrorCode::InvalidParams => INVALID_PARAMS,
        _ => INTERNAL_ERROR,
    };
    let data: Value = serde_json::from_str(envelope).unwrap_or_default();
    json!({ "jsonrpc": "2.0", "id": null, "error": { "code": code, "message": error.message, "data": data } })
        .to_string()
}

/// The first sentence is what is wrong, the rest is what leads on.
fn as_tool_error(wrong: &clap::Error) -> ToolError {
    let told = wrong.render().to_string();
    let mut lines = told.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or("The command line cannot be read.");
    let message = first.trim_start_matches("error: ");
    let rest: Vec<&str> = lines.collect();
    let error = ToolError::invalid(message);
    match rest.is_empty() {
        true => error,
        false => error.hint(rest.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_for_programs_are_known_by_their_words() {
        let form = |line: &str| form_of(line.split(' ').map(OsString::from));
        let asked = |line: &str| form(line) == Some(Form::Envelope);
        for line in [
            "context --mode bogus",
            "-v context --query x",
            "context --format json",
            "call codecortex_status",
            "search x --json",
            "context window --json",
            "graph --format json",
            "graph --format=json Depot",
        ] {
            assert!(asked(line), "{line}");
        }
        for line in [
            "search x",
            "context --format text",
            "context --format=text",
            "context window",
            "context pin A",
            "graph --format dot",
            "outline -- --json",
        ] {
            assert_eq!(form(line), None, "{line}");
        }
        assert_eq!(form("batch --format text"), Some(Form::Batch));
        assert_eq!(form("-v mcp --root x"), Some(Form::Mcp));
    }
}
