//! Preprocessing: what grammars cannot know, blanked out before parsing: macros of C and C++, directives of C#, and what
//! the grammars of the other languages below read wrong. Spaces in its place keep every offset, and the tree is that of what the
//! author means.

use std::borrow::Cow;
use std::ops::Range;

use crate::Language;
use crate::change::TextReplacement;

mod angelscript;
mod bash;
mod blank;
mod c_family;
mod csharp;
mod go;
mod java;
mod jsx;
mod kotlin;
mod line_ends;
mod python;
mod rust;
mod typescript;

pub(crate) use blank::blank;
pub(crate) use c_family::{conditions, macro_with_arguments};

/// `text` preprocessed as its language's parser should see it: same length, same offsets.
pub(crate) fn preprocess(language: Language, text: &str) -> Cow<'_, str> {
    let mended = |mended: Option<String>| mended.map_or(Cow::Borrowed(text), Cow::Owned);
    if let Some(ended) = line_ends::with_line_feeds(language, text) {
        return Cow::Owned(preprocess(language, &ended).into_owned());
    }
    match language {
        Language::C | Language::Cpp => c_family::preprocess(text, language == Language::Cpp),
        Language::CSharp => csharp::preprocess(text),
        Language::TypeScript => mended(typescript::preprocess(text, false)),
        Language::Tsx => mended(typescript::preprocess(text, true)),
        Language::JavaScript => mended(typescript::preprocess_javascript(text)),
        Language::Java => mended(java::preprocess(text)),
        Language::Kotlin => mended(kotlin::preprocess(text)),
        Language::AngelScript => mended(angelscript::preprocess(text)),
        Language::Bash => mended(bash::preprocess(text)),
        Language::Go => mended(go::preprocess(text)),
        Language::Python => mended(python::preprocess(text)),
        Language::Rust => mended(rust::preprocess(text)),
        _ => Cow::Borrowed(text),
    }
}

/// Whether preprocessing takes all of a text's tokens, so that what was found is worth keeping.
pub(crate) fn is_scanned(language: Language, text: &str) -> bool {
    language == Language::CSharp && csharp::may_blank(text)
}

/// Whether a change leaves what is blanked of a text what it was, by the preprocessed text `before` it.
pub(crate) fn keeps(language: Language, before: &str, text: &str, change: TextReplacement) -> bool {
    language == Language::CSharp && csharp::keeps(before, text, change)
}

/// Whether a text needs no preprocessing, if it needed none before an edit, by what is around the bytes that came with that. False
/// where it takes the whole text to know.
pub(crate) fn stays_as_written(language: Language, text: &str, new: Range<usize>) -> bool {
    if line_ends::has_lone_return_at(language, text, new.clone()) {
        return false;
    }
    match language {
        Language::C | Language::Cpp | Language::Java | Language::Kotlin | Language::Bash => false,
        Language::CSharp => csharp::stays_as_written(text, new),
        Language::TypeScript => typescript::stays_as_written(text, new),
        Language::Tsx => {
            typescript::stays_as_written(text, new) && jsx::ampersands(text).is_empty()
        }
        Language::JavaScript => typescript::javascript_stays_as_written(text, new),
        Language::Go => go::stays_as_written(text, new),
        Language::Python => python::stays_as_written(text, new),
        Language::AngelScript => angelscript::stays_as_written(text, new),
        Language::Rust => rust::stays_as_written(text, new),
        _ => true,
    }
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
            "\r",
            "def f[",
            "class A[",
            "]",
            ", ",
            "accessor",
            "for (",
            "import('./x')",
            ".Y",
            "..",
            "[",
            "is ",
            "?.",
            "a?[0]",
            "extension(",
            "extension",
            "abstract class {",
            "export default ",
            "= <p>",
            "</p>",
            "/>",
            "&",
            "&b",
            "<a b=\"",
            "async",
            "await ",
            "(1)",
            "with",
            "type,",
            "union A",
            "closed ",
            "class ",
            "break ",
            "operator",
            " +=(",
            "&",
            "Out ",
            "InOut",
            "safe fn",
            "become ",
            "impl const ",
            "~const A",
            "gen",
            " fn f",
            ": ",
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
            for language in [
                Language::CSharp, Language::TypeScript, Language::Tsx, Language::JavaScript,
                Language::Python, Language::Go, Language::AngelScript, Language::Rust,
            ] {
                let is_plain = |text: &str| {
                    matches!(preprocess(language, text), Cow::Borrowed(_)) && !is_scanned(language, text)
                };
                if is_plain(&before) && stays_as_written(language, &after, place.clone()) {
                    prop_assert!(is_plain(&after), "{language:?}: {before:?} became {after:?}");
                }
            }
        }
    }
}
