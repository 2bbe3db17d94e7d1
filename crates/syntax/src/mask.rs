//! What grammars cannot know, blanked out before parsing: macros of C and C++, directives of C#, and what
//! TypeScript's, Java's and Bash's read wrong. Spaces in its place keep every offset, and the tree is that of what
//! the author means.

use std::borrow::Cow;
use std::ops::Range;

use crate::Language;
use crate::change::Change;

mod bash;
mod conditions;
mod csharp;
mod csharp_arms;
mod csharp_heads;
mod csharp_pointers;
mod csharp_spelling;
mod csharp_tokens;
mod java;
mod macro_words;
mod macros;
mod preprocessor;
mod tokens;
mod typescript;

pub(crate) use conditions::conditions;

/// `text` as its language's parser should see it: same length, same offsets.
pub(crate) fn readable(language: Language, text: &str) -> Cow<'_, str> {
    match language {
        Language::C | Language::Cpp => preprocessor::without_preprocessor(text),
        Language::CSharp => csharp::readable(text),
        Language::TypeScript | Language::Tsx => {
            typescript::readable(text).map_or(Cow::Borrowed(text), Cow::Owned)
        }
        Language::Java => java::readable(text).map_or(Cow::Borrowed(text), Cow::Owned),
        Language::Bash => bash::readable(text).map_or(Cow::Borrowed(text), Cow::Owned),
        _ => Cow::Borrowed(text),
    }
}

/// Whether finding out what is readable takes all of a text's tokens, so that what was found is worth keeping.
pub(crate) fn is_scanned(language: Language, text: &str) -> bool {
    language == Language::CSharp && csharp::may_blank(text)
}

/// Whether a change leaves what is blanked of a text what it was, by what was readable `before` it.
pub(crate) fn keeps(language: Language, before: &str, text: &str, change: Change) -> bool {
    language == Language::CSharp && csharp::keeps(before, text, change)
}

/// Whether a text is readable as it is, if it was before an edit, by what is around the bytes that came with that. False
/// where it takes the whole text to know.
pub(crate) fn stays_readable(language: Language, text: &str, new: Range<usize>) -> bool {
    match language {
        Language::C | Language::Cpp | Language::Java | Language::Bash => false,
        Language::CSharp => csharp::stays_readable(text, new),
        Language::TypeScript | Language::Tsx => typescript::stays_readable(text, new),
        _ => true,
    }
}

/// The lines that some bytes are in, without the last one's end.
fn lines_around(text: &str, bytes: Range<usize>) -> Range<usize> {
    let (before, behind) = (
        &text.as_bytes()[..bytes.start],
        &text.as_bytes()[bytes.end..],
    );
    let start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    let end = memchr::memchr(b'\n', behind).map_or(text.len(), |at| bytes.end + at);
    start..end
}

/// `text` with the bytes of `ranges` as spaces; line breaks stay.
pub(crate) fn blank<'a>(text: &'a str, ranges: &[Range<usize>]) -> Cow<'a, str> {
    if ranges.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    for range in ranges {
        for byte in bytes.get_mut(range.clone()).unwrap_or_default() {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }
    // Whole characters were replaced, so it is still UTF-8; if not, the text is left as it was.
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Pieces of what is blanked, so that edits make and unmake it.
    fn piece() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec![
            "#",
            "if",
            "pragma",
            ":",
            "f",
            " ",
            "\n",
            "\r\n",
            "  ",
            "<T>(x): T",
            "<",
            "T",
            ">",
            "(",
            ")",
            "// r",
            "/* ",
            "* ",
            "é",
            ";",
            "=>",
            "export ",
            "type ",
            "* from 'a'",
            "\n  <T>(x): T",
            "export type *",
            "\n",
            "\n  <T>(\n",
            "using",
            "await",
            " = 1",
            "of x",
            "x\n",
            "): T",
            "$@\"",
            "\"\"",
            "{{",
            "{a}",
            "ref ",
            "partial ",
        ])
    }

    fn pieces(most: usize) -> impl Strategy<Value = String> {
        prop::collection::vec(piece(), 0..most).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        /// What is around an edit decides as the whole text does.
        #[test]
        fn a_text_stays_readable_only_if_nothing_of_it_is_blanked(
            head in pieces(12), old in pieces(3), new in pieces(3), tail in pieces(12),
        ) {
            let [before, after] = [&old, &new].map(|part| [&*head, part, &*tail].concat());
            let place = head.len()..head.len() + new.len();
            for language in [Language::CSharp, Language::TypeScript] {
                let is_plain = |text: &str| {
                    matches!(readable(language, text), Cow::Borrowed(_)) && !is_scanned(language, text)
                };
                if is_plain(&before) && stays_readable(language, &after, place.clone()) {
                    prop_assert!(is_plain(&after), "{language:?}: {before:?} became {after:?}");
                }
            }
        }
    }
}
