//! Steps over bytes that all rules take.

use std::ops::Range;

/// The bytes from a place on that are all of a kind.
pub(crate) fn run(bytes: &[u8], from: usize, is_part: impl Fn(u8) -> bool) -> Range<usize> {
    let rest = bytes.get(from..).unwrap_or_default();
    let len = rest.iter().position(|&byte| !is_part(byte));
    from..from + len.unwrap_or(rest.len())
}

/// Where blanks end that stand at a place.
pub(crate) fn after_blanks(bytes: &[u8], from: usize) -> usize {
    run(bytes, from, |byte| matches!(byte, b' ' | b'\t')).end
}

/// The quote that stands at a place.
pub(crate) fn quote_at(bytes: &[u8], at: usize) -> Option<u8> {
    bytes
        .get(at)
        .copied()
        .filter(|byte| matches!(byte, b'"' | b'\'' | b'`'))
}

/// What is quoted from a place on, and whether it is: up to the same quote or the end of the line. Without a quote it is
/// what has no blank, quote or sign of a list in it.
pub(crate) fn value_at(bytes: &[u8], at: usize) -> (Range<usize>, bool) {
    match quote_at(bytes, at) {
        Some(quote) => (quoted(bytes, at + 1, quote), true),
        // A quote that is escaped stands in a string of JSON.
        None if bytes.get(at) == Some(&b'\\') && quote_at(bytes, at + 1).is_some() => {
            (quoted(bytes, at + 2, b'\\'), true)
        }
        None => {
            let is_part = |byte: u8| {
                byte.is_ascii_graphic()
                    && !matches!(byte, b'"' | b'\'' | b'`' | b',' | b';' | b'&' | b')')
            };
            (run(bytes, at, |byte| is_part(byte) || byte >= 0x80), false)
        }
    }
}

/// Up to a quote that is not escaped.
fn quoted(bytes: &[u8], from: usize, quote: u8) -> Range<usize> {
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' | b'\r' => break,
            _ if byte == quote => break,
            b'\\' if bytes.get(at + 1).is_some_and(|next| *next != b'\n') => at += 2,
            _ => at += 1,
        }
    }
    from..at.min(bytes.len())
}

/// A letter, a digit or `_`.
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The same, or `-`.
pub(crate) fn is_name(byte: u8) -> bool {
    is_word(byte) || byte == b'-'
}

/// The lines with where they begin, without their ends.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split(['\n', '\r']).map(move |line| {
        let start = at;
        at += line.len() + 1;
        (start, line)
    })
}

/// The parts of a line that blanks separate, with where they begin.
pub(crate) fn parts(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    line.split([' ', '\t']).filter_map(move |part| {
        let start = at;
        at += part.len() + 1;
        (!part.is_empty()).then_some((start, part))
    })
}

/// The words of a name, in lower case: `githubToken`, `API_KEY` and `api-key` have two.
pub(crate) fn words_of(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = b'_';
    let bytes = name.as_bytes();
    for (at, &byte) in bytes.iter().enumerate() {
        let begins_hump = byte.is_ascii_uppercase()
            && (before.is_ascii_lowercase()
                || bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase));
        if byte.is_ascii_alphanumeric() {
            let is_new = !before.is_ascii_alphanumeric() || begins_hump;
            if is_new || words.is_empty() {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.push(char::from(byte.to_ascii_lowercase()));
            }
        }
        before = byte;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_words() {
        assert_eq!(words_of("githubToken"), ["github", "token"]);
        assert_eq!(words_of("API_KEY2"), ["api", "key2"]);
        assert_eq!(words_of("--x-APIKey"), ["x", "api", "key"]);
        assert!(words_of("__").is_empty());
    }

    #[test]
    fn values_end_at_their_quotes() {
        let of = |text: &'static str| &text[value_at(text.as_bytes(), 0).0];
        assert_eq!(of(r#""a \" b" c"#), r#"a \" b"#);
        assert_eq!(of(r#"\"a b\" c"#), "a b");
        assert_eq!(of("a'b"), "a");
        assert_eq!(of("'a b"), "a b");
        assert_eq!(of("\"a\\"), "a\\");
    }
}
