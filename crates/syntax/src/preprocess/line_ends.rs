//! Lines that end with a carriage return alone, as old editors write them: to most languages that is a line's end, to
//! their grammars white space, so that a comment swallows what follows it.

use std::ops::Range;

use crate::Language;

/// Whether a carriage return alone ends a line in a language.
fn ends_lines(language: Language) -> bool {
    matches!(
        language,
        Language::C
            | Language::Cpp
            | Language::CSharp
            | Language::Java
            | Language::JavaScript
            | Language::TypeScript
            | Language::Tsx
            | Language::Python
            | Language::Kotlin
            | Language::Swift
            | Language::Php
    )
}

fn lone_returns(bytes: &[u8]) -> impl Iterator<Item = usize> + '_ {
    memchr::memchr_iter(b'\r', bytes).filter(|at| bytes.get(at + 1) != Some(&b'\n'))
}

/// `text` with line feeds in their place, if there are any.
pub(super) fn with_line_feeds(language: Language, text: &str) -> Option<String> {
    if !ends_lines(language) || lone_returns(text.as_bytes()).next().is_none() {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    for at in lone_returns(text.as_bytes()) {
        bytes[at] = b'\n';
    }
    // Only characters of one byte were replaced.
    String::from_utf8(bytes).ok()
}

/// Whether there is one among some bytes or right before or behind them.
pub(super) fn has_lone_return_at(language: Language, text: &str, new: Range<usize>) -> bool {
    let around = new.start.saturating_sub(1)..(new.end + 1).min(text.len());
    ends_lines(language)
        && memchr::memchr_iter(b'\r', &text.as_bytes()[around.clone()])
            .any(|at| text.as_bytes().get(around.start + at + 1) != Some(&b'\n'))
}

#[cfg(test)]
mod tests {
    use super::with_line_feeds;
    use crate::Language;

    #[test]
    fn a_return_alone_ends_a_line() {
        let shown = with_line_feeds(Language::Python, "a\r# b\r\nc\r");
        assert_eq!(shown.as_deref(), Some("a\n# b\r\nc\n"));
        assert_eq!(with_line_feeds(Language::Python, "a\r\nb\n"), None);
        assert_eq!(with_line_feeds(Language::Rust, "a\rb"), None);
    }
}
