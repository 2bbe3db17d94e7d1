//! Imports by their own name of something that keeps its name: how each language gives it another one.

use codecortex_bind::Dialect;

use crate::words::is_word_letter;

/// What an import writes afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ImportForm {
    /// The word is a name of its own: `import a from "b"`, `import b as a`.
    OwnName,
    /// `a as new`.
    AsNew,
    /// The language has no form for it, or the import is part of a path.
    Impossible,
}

/// The form of the import whose name is the word at `at..end`.
pub(super) fn import_form(dialect: Dialect, text: &str, at: usize, end: usize) -> ImportForm {
    let before = text.get(..at).unwrap_or_default().trim_end();
    let behind = text.get(end..).unwrap_or_default().trim_start();
    let word_before = last_word(before);
    if word_before == "as" {
        return ImportForm::OwnName;
    }
    match dialect {
        Dialect::TypeScript | Dialect::JavaScript => {
            let is_specifier = before.ends_with(['{', ','])
                || word_before == "type"
                    && last_sign(before, "type").is_some_and(|sign| "{,".contains(sign));
            match is_specifier {
                true => ImportForm::AsNew,
                false => ImportForm::OwnName,
            }
        }
        Dialect::Python if behind.starts_with('.') => ImportForm::Impossible,
        Dialect::Python => ImportForm::AsNew,
        Dialect::Rust if behind.starts_with("::") => ImportForm::Impossible,
        Dialect::Rust => ImportForm::AsNew,
        Dialect::Go | Dialect::CSharp => ImportForm::OwnName,
        _ => ImportForm::Impossible,
    }
}

fn last_word(text: &str) -> &str {
    let start = text
        .char_indices()
        .rev()
        .take_while(|(_, letter)| is_word_letter(*letter))
        .last()
        .map_or(text.len(), |(at, _)| at);
    &text[start..]
}

/// The last letter before a word at the end of a text.
fn last_sign(text: &str, word: &str) -> Option<char> {
    text.strip_suffix(word)?.trim_end().chars().next_back()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_imports() {
        for (dialect, text, wanted) in [
            (
                Dialect::TypeScript,
                "import { a } from 'b'",
                ImportForm::AsNew,
            ),
            (
                Dialect::TypeScript,
                "import { c, type a } from 'b'",
                ImportForm::AsNew,
            ),
            (
                Dialect::TypeScript,
                "import a from 'b'",
                ImportForm::OwnName,
            ),
            (
                Dialect::TypeScript,
                "import { b as a } from 'b'",
                ImportForm::OwnName,
            ),
            (
                Dialect::TypeScript,
                "import * as a from 'b'",
                ImportForm::OwnName,
            ),
            (Dialect::Python, "from b import a", ImportForm::AsNew),
            (Dialect::Python, "import a.b", ImportForm::Impossible),
            (Dialect::Rust, "use b::a;", ImportForm::AsNew),
            (Dialect::Java, "import b.a;", ImportForm::Impossible),
        ] {
            let at = crate::words::words_like(text, "a").next().unwrap() as usize;
            assert_eq!(import_form(dialect, text, at, at + 1), wanted, "{text}");
        }
    }
}
