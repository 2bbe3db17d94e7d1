//! Results on stdout.

use std::io::{self, Write};

use codecortex_engine::protocol::Answer;

use crate::failure::Failure;

fn failed(source: io::Error) -> Failure {
    Failure::Io {
        what: "the result cannot be written",
        source,
    }
}

/// Prints a text, whole or not at all as far as the reader goes, with a line end.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let mut write = || {
        out.write_all(text.as_bytes())?;
        if !text.ends_with('\n') {
            out.write_all(b"\n")?;
        }
        out.flush()
    };
    write().map_err(failed)
}

/// Prints an answer in the forms it has: the envelope on a line of its own, then the text. The exit
/// code says whether the call succeeded.
pub(crate) fn print_answer(answer: &Answer) -> Result<i32, Failure> {
    for form in [&answer.json, &answer.text].into_iter().flatten() {
        print(form)?;
    }
    Ok(i32::from(!answer.ok))
}

/// Tells a person something on stderr; stdout is for results.
#[allow(
    clippy::print_stderr,
    reason = "what a person is told beside the result"
)]
pub(crate) fn warn(text: &str) {
    eprintln!("codecortex: {text}");
}
