//! Text of unbounded GLR ambiguity, found before it is parsed.
//!
//! Where a text is ambiguous the parser follows several parse stacks at once and keeps what they share
//! as one. In `a<a<a<…` nothing ever decides between them, and at the end of the text every
//! way through that stack becomes a tree of its own: work that grows with the square of the text
//! or faster, within one operation, so that no limit on operations stops it.
//!
//! Code decides all the time: with a semicolon, a closing brace, the end of a line. So only the
//! stretches that do not, and are full of operators, are suspected; of those a few samples of a
//! kilobyte or less are parsed with the parser's log counted. In samples of 20,000 files of fourteen
//! languages it compared two trees 63 times at most, in ambiguous ones hundreds to thousands of times.
//! Counting is done by the same rules everywhere, so the same bytes are suspected everywhere.

use std::ops::Range;

use crate::Language;
use crate::parse_stacks::comparisons;

/// Bytes that are looked at together: enough for an ambiguity to show, few enough to be parsed quickly.
const WINDOW: usize = 768;

/// A window that ends this many statements is code.
const ENDS: usize = 4;

/// A window with fewer operators holds no ambiguity that matters.
const OPERATORS: usize = 16;

/// Ambiguities of less than this many bytes are parsed sooner than looked for.
const SUSPECT: usize = 3 * WINDOW;

/// Comparisons of two stacks in a sample, from which on it is ambiguous.
const AMBIGUOUS: usize = 128;

/// Samples of a text in which no ambiguity was found.
const SAMPLES: usize = 3;

/// Samples of a text in which one was.
const SAMPLES_OF_AMBIGUOUS: usize = 24;

/// The stretches of `text` that its grammar cannot decide about, in order.
pub(crate) fn ambiguous_spans(language: Language, text: &str) -> Vec<Range<usize>> {
    let suspects = suspects(language, text);
    let mut order: Vec<_> = suspects.iter().collect();
    order.sort_by_key(|range| (std::cmp::Reverse(range.len()), range.start));
    let mut spans = Vec::new();
    let mut samples = 0;
    for range in order {
        let allowed = if spans.is_empty() {
            SAMPLES
        } else {
            SAMPLES_OF_AMBIGUOUS
        };
        // What is beyond the last sample is judged by what was found before it.
        if samples >= allowed {
            if spans.is_empty() {
                break;
            }
            spans.push(range.clone());
            continue;
        }
        let is_ambiguous = samples_of(text, range).any(|sample| {
            samples += 1;
            comparisons(language, &text[sample]) >= AMBIGUOUS
        });
        if is_ambiguous {
            spans.push(range.clone());
        }
    }
    spans.sort_by_key(|range| range.start);
    spans
}

/// A window in the middle of a stretch; of a long one also at its start and end.
fn samples_of<'a>(
    text: &'a str,
    range: &'a Range<usize>,
) -> impl Iterator<Item = Range<usize>> + 'a {
    let last = range.len().saturating_sub(WINDOW);
    let places: &[usize] = if last > 2 * WINDOW { &[2, 0, 4] } else { &[2] };
    places.iter().map(move |quarter| {
        let start = text.floor_char_boundary(range.start + last * quarter / 4);
        start..text.floor_char_boundary((start + WINDOW).min(range.end))
    })
}

/// Runs of windows that end no statements.
fn suspects(language: Language, text: &str) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    if text.len() < SUSPECT {
        return out;
    }
    let by_line = ends_with_the_line(language);
    // Blanking comments costs a copy; most texts have no window that looks suspect even with them.
    let windows = text.as_bytes().chunks(WINDOW);
    let candidates = windows.filter(|window| is_suspect(window, by_line)).count();
    if candidates * WINDOW < SUSPECT {
        return out;
    }
    let code = without_comments(language, text);
    let mut start = 0;
    while start < text.len() {
        let end = text.floor_char_boundary((start + WINDOW).min(text.len()));
        if is_suspect(&code[start..end], by_line) {
            match out.last_mut() {
                Some(last) if last.end == start => last.end = end,
                _ => out.push(start..end),
            }
        }
        start = end;
    }
    // What is between them decides, so that they do not add up.
    out.retain(|range| range.len() >= SUSPECT);
    out
}

/// Whether a statement ends where its line does.
fn ends_with_the_line(language: Language) -> bool {
    matches!(
        language,
        Language::Python
            | Language::Go
            | Language::Ruby
            | Language::Kotlin
            | Language::Swift
            | Language::Scala
            | Language::Lua
            | Language::Bash
            | Language::Elixir
    )
}

/// The text with blanks for comments and docstrings that begin a line: prose ends no statements, and is
/// full of quotes and brackets.
fn without_comments(language: Language, text: &str) -> Vec<u8> {
    let (line_start, blocks): (&str, &[(&str, &str)]) = match language {
        Language::Python => ("#", &[("\"\"\"", "\"\"\""), ("'''", "'''")]),
        Language::Ruby => ("#", &[("=begin", "=end")]),
        Language::Bash | Language::Elixir => ("#", &[]),
        Language::Lua => ("--", &[("--[[", "]]")]),
        _ => ("//", &[("/*", "*/")]),
    };
    let mut code = text.as_bytes().to_vec();
    let mut until: Option<&str> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let written = line.trim_start();
        let mut is_prose = until.is_some() || written.starts_with(line_start);
        if let Some(end) = until {
            until = (!line.contains(end)).then_some(end);
        } else if let Some((open, end)) = blocks.iter().find(|(open, _)| written.starts_with(open))
        {
            is_prose = true;
            until = (!written[open.len()..].contains(end)).then_some(end);
        }
        if is_prose {
            let bytes = code[at..at + line.len()].iter_mut();
            bytes
                .filter(|byte| **byte != b'\n')
                .for_each(|byte| *byte = b' ');
        }
        at += line.len();
    }
    code
}

/// Whether a window has many operators and hardly anything that ends a statement.
fn is_suspect(window: &[u8], by_line: bool) -> bool {
    // Nearly all code has them; counting these is quick.
    if memchr::memchr2_iter(b';', b'}', window).take(ENDS).count() == ENDS {
        return false;
    }
    let mut ends = 0;
    let mut operators = 0;
    // What the last line with anything on it ended with.
    let mut last = b'\n';
    let mut broke = false;
    for &byte in window {
        match byte {
            b';' | b'}' => ends += 1,
            b'<' | b'>' | b'=' | b'?' | b':' | b'*' | b'/' | b'&' | b'|' | b'^' | b'%' | b'+'
            | b'-' | b'!' | b'~' | b'(' | b'[' | b'{' | b'$' | b'@' | b'"' | b'\'' | b'`'
            | b'\\' => operators += 1,
            _ => {}
        }
        if byte == b'\n' {
            broke = true;
        } else if !byte.is_ascii_whitespace() {
            if broke && by_line && ends_line(last) && begins_line(byte) {
                ends += 1;
            }
            broke = false;
            last = byte;
        }
        if ends == ENDS {
            return false;
        }
    }
    operators >= OPERATORS
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn ends_line(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b')' | b']' | b'"' | b'\'' | b':' | b'`')
}

fn begins_line(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'@' | b'#' | b'"' | b'\'')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(piece: &str, size: usize) -> String {
        let line = piece.repeat(120 / piece.len()) + "\n";
        line.repeat(size / line.len())
    }

    #[test]
    fn what_never_decides_is_ambiguous() {
        for (language, piece) in [
            (Language::CSharp, "a<"),
            (Language::CSharp, "<a"),
            (Language::Java, "x=>"),
            (Language::C, "x=>"),
            (Language::Python, "/*"),
            (Language::Tsx, "a<b,"),
        ] {
            let text = lines(piece, 20_000);
            let spans = ambiguous_spans(language, &text);
            let size: usize = spans.iter().map(Range::len).sum();
            assert!(size > 19_000, "{language:?} {piece}: {spans:?}");
        }
    }

    #[test]
    fn code_around_ambiguous_text_is_not() {
        let code = "class A { void b() { c(1 + 2); } }\n".repeat(100);
        let text = format!("{code}{}{code}", lines("a<", 8_000));
        let spans = ambiguous_spans(Language::CSharp, &text);
        let around = code.len()..code.len() + 8_000;
        assert_eq!(spans.len(), 1);
        assert!(spans[0].start + WINDOW > around.start && spans[0].end < around.end + WINDOW);
    }

    #[test]
    fn prose_is_no_suspect() {
        let line = " * Gives `a<b>` for (x, y) => [z] - see (c.d) & \"e\", or 'f'.\n";
        let comment = format!("/**\n{} */\nclass A {{}}\n", line.repeat(200));
        assert!(suspects(Language::TypeScript, &comment).is_empty());
        let docstring = format!("def f():\n    \"\"\"\n{}    \"\"\"\n", line.repeat(200));
        assert!(suspects(Language::Python, &docstring).is_empty());
        assert!(!suspects(Language::TypeScript, &line.repeat(200)).is_empty());
    }

    #[test]
    fn tables_and_long_expressions_are_none() {
        let sum = format!("x = {}1\n", lines("a + b(c) * d + ", 20_000));
        let table = format!("int t[] = {{\n{}}};\n", lines("-1, 0x2f, ", 20_000));
        let union = format!(
            "type T =\n{};\n",
            "  | { a: 'b', c?: d<e> }\n".repeat(2_000)
        );
        for (language, text) in [
            (Language::Python, format!("x = ({sum})")),
            (Language::JavaScript, sum),
            (Language::C, table.clone()),
            (Language::Cpp, table),
            (Language::TypeScript, union),
        ] {
            assert!(ambiguous_spans(language, &text).is_empty(), "{language:?}");
        }
    }
}
