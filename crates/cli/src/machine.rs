//! Commands whose stdout programs read: a failure has its envelope there too, whatever failed (SPEC D13).

use std::ffi::OsString;

use clap::error::ErrorKind;
use codecortex_engine::ToolError;

use crate::output;

/// What `codecortex context` prints as text for people unless told otherwise.
const OF_WINDOW: [&str; 6] = ["window", "pin", "unpin", "add", "dismiss", "clear"];

/// Whether a command line asks for JSON, also one that cannot be read: `context` and `call` unless they want text, and
/// what has `--json`.
pub(crate) fn gives_json(arguments: impl Iterator<Item = OsString>) -> bool {
    let words: Vec<String> = arguments
        .take_while(|word| word != "--")
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    if words.iter().any(|word| word == "--json") {
        return true;
    }
    let mut format = words.iter().skip_while(|word| *word != "--format");
    let is_text = words.iter().any(|word| word == "--format=text")
        || format.nth(1).is_some_and(|form| form == "text");
    let mut plain = words.iter().filter(|word| !word.starts_with('-'));
    match plain.next().map(String::as_str) {
        Some("call") => !is_text,
        Some("context") => {
            let first = words.iter().skip_while(|word| *word != "context").nth(1);
            let is_of_window = first.is_some_and(|word| OF_WINDOW.contains(&word.as_str()));
            !is_text && !is_of_window
        }
        _ => false,
    }
}

/// Says what is wrong with a command line; gives the exit code. Help and version are answers.
pub(crate) fn refuse(wrong: &clap::Error, gives_json: bool) -> i32 {
    let is_answer = matches!(
        wrong.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    );
    // Without the stream there is nobody to tell.
    let _ = wrong.print();
    if gives_json && !is_answer {
        print_failure(&as_tool_error(wrong));
    }
    wrong.exit_code()
}

/// Prints the envelope of a failure.
pub(crate) fn print_failure(error: &ToolError) {
    // Without stdout there is nobody to tell.
    let _ = output::print_exact(&error.accounted_envelope(None));
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
        let asked = |line: &str| gives_json(line.split(' ').map(OsString::from));
        for line in [
            "context --mode bogus",
            "-v context --query x",
            "context --format json",
            "call codecortex_status",
            "search x --json",
            "context window --json",
        ] {
            assert!(asked(line), "{line}");
        }
        for line in [
            "search x",
            "context --format text",
            "context --format=text",
            "context window",
            "context pin A",
            "mcp",
            "outline -- --json",
        ] {
            assert!(!asked(line), "{line}");
        }
    }
}
