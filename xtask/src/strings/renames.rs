//! Literals of a file that differ by a word which is renamed among the file's identifiers too.

use std::collections::{BTreeMap, BTreeSet};

use crate::tokens::{Lexeme, Token, is_path, lexemes};

/// Arguments of attributes whose literal names an item, which the compiler looks up: it changes with the item.
const ITEM_ARGUMENTS: &[&str] = &[
    "bound",
    "default",
    "deserialize_with",
    "from",
    "into",
    "schema_with",
    "serialize_with",
    "skip_serializing_if",
    "try_from",
    "with",
];

/// A literal before and after, without quotes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RenamedLiteral<'a> {
    pub(super) old: &'a str,
    pub(super) new: &'a str,
    /// The word and what it became, among the identifiers and in the literal.
    pub(super) rename: (String, String),
}

/// The names and literals of one state of a file.
struct FileText<'a> {
    words: BTreeSet<&'a str>,
    /// Each literal with how often the file has it.
    literals: BTreeMap<&'a str, usize>,
}

impl<'a> FileText<'a> {
    fn new(text: &'a str) -> Self {
        let all = lexemes(text);
        let mut words = BTreeSet::new();
        let mut literals = BTreeMap::new();
        for (at, lexeme) in all.iter().enumerate() {
            match lexeme {
                Lexeme::Token(Token::Word(word)) => {
                    words.insert(*word);
                }
                Lexeme::Text(literal) if !names_item(&all[..at]) && !is_path(literal) => {
                    *literals.entry(*literal).or_default() += 1;
                }
                _ => {}
            }
        }
        Self { words, literals }
    }

    /// The literals that this state has more often than `other`.
    fn literals_beyond(&self, other: &Self) -> Vec<&'a str> {
        let more = self.literals.iter().filter(|(literal, count)| {
            other
                .literals
                .get(*literal)
                .is_none_or(|there| *count > there)
        });
        more.map(|(literal, _)| *literal).collect()
    }
}

/// Whether the literal behind these tokens is the value of one of [`ITEM_ARGUMENTS`].
fn names_item(before: &[Lexeme<'_>]) -> bool {
    matches!(
        before,
        [.., Lexeme::Token(Token::Sign('(' | ',')), Lexeme::Token(Token::Word(name)), Lexeme::Token(Token::Sign('='))]
            if ITEM_ARGUMENTS.contains(name)
    )
}

/// The literals that lost a word which is no identifier of the file any more, for a word that is one now.
pub(super) fn renamed_literals<'a>(old: &'a str, new: &'a str) -> Vec<RenamedLiteral<'a>> {
    let (old, new) = (FileText::new(old), FileText::new(new));
    // By what stands between the words, which a rename leaves.
    let mut added: BTreeMap<Vec<&str>, Vec<(&str, Vec<&str>)>> = BTreeMap::new();
    for literal in new.literals_beyond(&old) {
        let (words, between) = split(literal);
        added.entry(between).or_default().push((literal, words));
    }
    let mut renamed = Vec::new();
    for literal in old.literals_beyond(&new) {
        let (words, between) = split(literal);
        for (after, new_words) in added.get(&between).into_iter().flatten() {
            let Some((from, to)) = renamed_word(&words, new_words, &between) else {
                continue;
            };
            let is_lost = old.words.contains(from) && !new.words.contains(from);
            if is_lost && new.words.contains(to) && !old.words.contains(to) {
                renamed.push(RenamedLiteral {
                    old: literal,
                    new: after,
                    rename: (from.to_owned(), to.to_owned()),
                });
            }
        }
    }
    renamed
}

/// The words of a literal, and what stands before, between and behind them: one more than words. An escape with its
/// letter is none of a word.
fn split(literal: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut words, mut between) = (Vec::new(), Vec::new());
    let (mut gap, mut word) = (0, None);
    let mut is_escaped = false;
    for (at, letter) in literal.char_indices() {
        let is_word = !is_escaped && (letter.is_alphanumeric() || letter == '_');
        is_escaped = !is_escaped && letter == '\\';
        match (is_word, word) {
            (true, None) => {
                between.push(&literal[gap..at]);
                word = Some(at);
            }
            (false, Some(start)) => {
                words.push(&literal[start..at]);
                (gap, word) = (at, None);
            }
            _ => {}
        }
    }
    if let Some(start) = word {
        words.push(&literal[start..]);
        gap = literal.len();
    }
    between.push(&literal[gap..]);
    (words, between)
}

/// The one word by which two literals differ, and what it became. None where only variables in braces differ, as
/// `format!` takes them: they are names.
fn renamed_word<'a>(
    old: &[&'a str],
    new: &[&'a str],
    between: &[&str],
) -> Option<(&'a str, &'a str)> {
    let mut renamed = None;
    for (at, pair) in old.iter().copied().zip(new.iter().copied()).enumerate() {
        let is_variable = between[at].ends_with('{')
            && !between[at].ends_with("{{")
            && between[at + 1].starts_with(['}', ':']);
        if pair.0 == pair.1 || is_variable {
            continue;
        }
        if renamed.is_some_and(|other| other != pair) {
            return None;
        }
        renamed = Some(pair);
    }
    renamed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn renamed(old: &str, from: &str, to: &str) -> Vec<(String, String)> {
        let new = old.replace(from, to);
        let literals = renamed_literals(old, &new);
        let pairs = literals.into_iter();
        pairs
            .map(|literal| (literal.old.to_owned(), literal.new.to_owned()))
            .collect()
    }

    fn pair(old: &str, new: &str) -> Vec<(String, String)> {
        vec![(old.to_owned(), new.to_owned())]
    }

    #[test]
    fn a_word_renamed_with_a_type_is_seen_in_literals_of_any_kind() {
        for (literal, old, new) in [
            (r#""Awaited""#, "Awaited", "Need"),
            (
                r#""Awaited<T> or Awaited""#,
                "Awaited<T> or Awaited",
                "Need<T> or Need",
            ),
            (r##"r#"of "Awaited""#"##, r#"of "Awaited""#, r#"of "Need""#),
            (r#"b"\nAwaited""#, r"\nAwaited", r"\nNeed"),
            (r#""{{Awaited}}""#, "{{Awaited}}", "{{Need}}"),
        ] {
            let text = format!("struct Awaited; const NAME: &str = {literal};");
            assert_eq!(
                renamed(&text, "Awaited", "Need"),
                pair(old, new),
                "{literal}"
            );
        }
    }

    #[test]
    fn a_rename_of_identifiers_alone_is_none() {
        let old = r#"struct Awaited; const NAME: &str = "Awaited";"#;
        let new = r#"struct Need; const NAME: &str = "Awaited";"#;
        assert_eq!(renamed_literals(old, new), []);
    }

    #[test]
    fn a_literal_that_changes_without_an_identifier_is_none() {
        let old = r#"struct Other; const NAME: &str = "Awaited";"#;
        assert_eq!(renamed(old, "Awaited", "Need"), []);
        // The identifier is still there: another one came beside it.
        let old = r#"struct Awaited; const NAME: &str = "Awaited";"#;
        let new = r#"struct Awaited; struct Need; const NAME: &str = "Need";"#;
        assert_eq!(renamed_literals(old, new), []);
    }

    #[test]
    fn literals_that_name_items_and_variables_change_with_them() {
        for old in [
            r#"let held = 1; format!("{held} {held:?}");"#,
            r#"fn held() {} #[serde(default = "held", with = "held")] struct A;"#,
            r#"mod held {} #[serde(with = "crate::held")] struct A;"#,
        ] {
            assert_eq!(renamed(old, "held", "element"), [], "{old}");
        }
        // A name in the protocol is no item.
        let old = r#"struct A { #[serde(rename = "held")] held: u8 }"#;
        assert_eq!(renamed(old, "held", "element"), pair("held", "element"));
    }
}
