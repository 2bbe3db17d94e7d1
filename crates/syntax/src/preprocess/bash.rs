//! What Bash's grammar must not see.
//!
//! Behind `{` and behind its `..` the scanner asks C's `isdigit` about whatever stands there, which is defined for the
//! characters of one byte alone: about others it looks into a table where that has ended, and with luck the process
//! ends there. A digit cannot be among them, so that any other character is as good.

use std::ops::Range;

/// Characters from here on are not in the table.
const FIRST: char = '\u{100}';

/// `text` with `_` for the bytes of such characters: as long, with the same offsets.
pub(super) fn preprocess(text: &str) -> Option<String> {
    let asked: Vec<_> = asked(text).collect();
    if asked.is_empty() {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    for character in asked {
        bytes.get_mut(character)?.fill(b'_');
    }
    // Only whole characters were replaced.
    String::from_utf8(bytes).ok()
}

fn asked(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    memchr::memchr_iter(b'{', text.as_bytes()).flat_map(move |brace| {
        let first = digits_end(text, brace + 1);
        let is_range = text[first..].starts_with("..");
        let second = is_range.then(|| digits_end(text, first + 2));
        let ends = [Some(first), second].into_iter().flatten();
        ends.filter_map(|at| {
            let character = text[at..].chars().next()?;
            (character >= FIRST).then(|| at..at + character.len_utf8())
        })
    })
}

fn digits_end(text: &str, start: usize) -> usize {
    let digits = text.as_bytes()[start..].iter();
    start + digits.take_while(|byte| byte.is_ascii_digit()).count()
}

#[cfg(test)]
mod tests {
    use super::preprocess;

    #[test]
    fn characters_that_may_be_asked_about_are_words() {
        let check = |text: &str, expected: &str| {
            assert_eq!(preprocess(text).as_deref(), Some(expected), "{text}");
        };
        check("echo {\u{e01da}a}", "echo {____a}");
        check("echo {12漢", "echo {12___");
        check("echo {1..22é..漢}{1..漢}", "echo {1..22é..漢}{1..___}");
        check("{{..Ā", "{{..__");
    }

    #[test]
    fn others_stay() {
        for text in [
            "",
            "{",
            "{1",
            "{1.",
            "{1..",
            "{1..2}",
            "{é}",
            "漢{a漢}..漢",
            "${a}漢",
        ] {
            assert_eq!(preprocess(text), None, "{text}");
        }
    }
}
