//! Results on stdout. What is for people shows the control characters of names, paths and documentation instead of
//! sending them: those of a repository are not to move a terminal's cursor, or turn the order of a line around (S7).

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use codecortex_engine::protocol::Answer;

use crate::failure::Failure;

fn failed(source: io::Error) -> Failure {
    Failure::Io {
        what: "the result cannot be written",
        source,
    }
}

/// Whether a terminal obeys a character, or a reader is shown another order than that of the text: controls of ASCII and
/// Latin-1 but line ends and tabs, line and paragraph separators, and what turns the direction of writing.
fn is_control(letter: char) -> bool {
    match letter {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            true
        }
        _ => letter.is_control(),
    }
}

/// A text in which control characters are written as `\u{1b}`.
pub(crate) fn shown(text: &str) -> Cow<'_, str> {
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_line_end = letter == '\r' && letters.peek() == Some(&'\n');
        match is_control(letter) && !is_line_end {
            // Into a text it cannot fail.
            true => drop(write!(out, "\\u{{{:x}}}", u32::from(letter))),
            false => out.push(letter),
        }
    }
    Cow::Owned(out)
}

/// Prints a text for people, whole or not at all as far as the reader goes, with a line end.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    print_exact(&shown(text))
}

/// Prints a text for programs, as it is, with a line end: JSON, scripts.
pub(crate) fn print_exact(text: &str) -> Result<(), Failure> {
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
    if let Some(json) = &answer.json {
        print_exact(json)?;
    }
    if let Some(text) = &answer.text {
        print(text)?;
    }
    Ok(i32::from(!answer.ok))
}

/// Tells a person something on stderr; stdout is for results.
#[allow(
    clippy::print_stderr,
    reason = "what a person is told beside the result"
)]
pub(crate) fn warn(text: &str) {
    eprintln!("codecortex: {}", shown(text));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_and_nothing_else_is_changed() {
        for (text, expected) in [
            ("class A // \tx\r\nnext\n", "class A // \tx\r\nnext\n"),
            ("größer 検索 👍🏽 a\u{200d}b", "größer 検索 👍🏽 a\u{200d}b"),
            ("\u{1b}[31mred\u{7}", "\\u{1b}[31mred\\u{7}"),
            ("over\rwritten", "over\\u{d}written"),
            ("\u{9b}2J\u{7f}\0", "\\u{9b}2J\\u{7f}\\u{0}"),
            (
                "a\u{202e}b\u{2066}c\u{200f}",
                "a\\u{202e}b\\u{2066}c\\u{200f}",
            ),
            ("a\u{2028}b\u{2029}", "a\\u{2028}b\\u{2029}"),
        ] {
            assert_eq!(shown(text), expected);
        }
    }
}
