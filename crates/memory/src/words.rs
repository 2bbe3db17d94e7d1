//! Words of texts and of questions, the same for every back end.
//!
//! A question's word is found where a word begins with it, in any case. Words are runs of letters and digits;
//! in one, another begins at a hump (`parseFile`) and at every character of a script without spaces. A question
//! has all its words found in an observation, in any order and any field.

use std::collections::HashSet;

/// Characters of a word that are compared; what follows makes no difference.
const MAX_WORD: usize = 24;
/// Words of a question.
pub const MAX_WORDS: usize = 16;

/// Letters and digits, the most frequent first.
const FREQUENT: &[u8] = b"etaoinsrhldcumfpgwyb0123456789vkxjqz";

/// A word of a question, folded.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct QueryWord(Box<str>);

impl QueryWord {
    /// The word as it is compared.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Where its letters are in a text, in any case; only for words of ASCII. The rarest one is looked for first.
    pub(crate) fn places<'t>(&'t self, text: &'t [u8]) -> impl Iterator<Item = usize> + 't {
        let word = self.0.as_bytes();
        let rareness = |at: &usize| FREQUENT.iter().position(|letter| *letter == word[*at]);
        let rarest = (0..word.len()).max_by_key(rareness).unwrap_or_default();
        let letter = word.get(rarest).copied().unwrap_or_default();
        let found = memchr::memchr2_iter(letter, letter.to_ascii_uppercase(), text);
        found.filter_map(move |at| {
            let start = at.checked_sub(rarest)?;
            let found = text.get(start..start + word.len())?;
            found.eq_ignore_ascii_case(word).then_some(start)
        })
    }

    /// Whether a word of the text begins with this one.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        if self.0.is_ascii() {
            let bytes = text.as_bytes();
            return self
                .places(bytes)
                .any(|at| !is_inside(bytes, at) && self.begins_at(text, at));
        }
        let first = self.0.chars().next();
        let mut places = text
            .char_indices()
            .filter(|(_, c)| fold(*c).next() == first);
        places.any(|(at, _)| self.begins_at(text, at))
    }

    fn begins_at(&self, text: &str, at: usize) -> bool {
        if !self.is_there(&text[at..]) {
            return false;
        }
        let mut rest = text[at..].chars();
        let current = rest.next().unwrap_or_default();
        is_start(text[..at].chars().next_back(), current, rest.next())
    }

    fn is_there(&self, text: &str) -> bool {
        if self.0.is_ascii() {
            let head = text.as_bytes().get(..self.0.len());
            return head.is_some_and(|head| head.eq_ignore_ascii_case(self.0.as_bytes()));
        }
        let letters = text.chars().take_while(|c| c.is_alphanumeric());
        let mut folded = letters.flat_map(fold);
        self.0.chars().all(|wanted| folded.next() == Some(wanted))
    }
}

/// Whether an ASCII letter is in the middle of a word of ASCII: most places are, and need no closer look.
fn is_inside(text: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| text[before]);
    before.is_some_and(|before| before.is_ascii_alphanumeric()) && !text[at].is_ascii_uppercase()
}

/// The words of a question, each once.
#[must_use]
pub fn words_of(question: &str) -> Vec<QueryWord> {
    let mut seen = HashSet::new();
    runs(question)
        .map(|run| QueryWord(cut(run)))
        .filter(|word| seen.insert(word.clone()))
        .collect()
}

/// All words that a text has, each once: what a full-text index is given. A question's word is in the text
/// exactly if one of these begins with it.
pub fn tokens(text: &str, into: &mut HashSet<Box<str>>) {
    for run in runs(text) {
        let mut before = None;
        for (at, c) in run.char_indices() {
            let after = run[at + c.len_utf8()..].chars().next();
            if is_start(before, c, after) {
                into.insert(cut(&run[at..]));
            }
            before = Some(c);
        }
    }
}

fn runs(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|c: char| !c.is_alphanumeric());
    parts.filter(|run| !run.is_empty())
}

fn cut(run: &str) -> Box<str> {
    let folded: String = run.chars().flat_map(fold).take(MAX_WORD).collect();
    folded.into()
}

/// Whether a word begins at a character that is a letter or digit.
fn is_start(before: Option<char>, current: char, after: Option<char>) -> bool {
    let Some(before) = before.filter(|c| c.is_alphanumeric()) else {
        return true;
    };
    let is_hump = || {
        let is_upper = current.is_uppercase();
        is_upper && (!before.is_uppercase() || after.is_some_and(char::is_lowercase))
    };
    is_unspaced(before) || is_unspaced(current) || is_hump()
}

/// Scripts that put no spaces between words.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0e00}'..='\u{0eff}' // Thai, Lao
        | '\u{1000}'..='\u{109f}' // Burmese
        | '\u{1780}'..='\u{17ff}' // Khmer
        | '\u{3040}'..='\u{30ff}' // kana
        | '\u{3400}'..='\u{9fff}' // Han
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

/// Lower case. Only ASCII folds to ASCII, so that a search may look for bytes first.
fn fold(c: char) -> impl Iterator<Item = char> {
    let lower = c.to_lowercase();
    let is_foreign = !c.is_ascii() && lower.clone().next().is_some_and(|c| c.is_ascii());
    let (kept, lower) = if is_foreign {
        (Some(c), None)
    } else {
        (None, Some(lower))
    };
    kept.into_iter().chain(lower.into_iter().flatten())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn is_in(word: &str, text: &str) -> bool {
        words_of(word).iter().all(|word| word.is_in(text))
    }

    #[test]
    fn words_are_found_where_they_begin() {
        for (word, text) in [
            ("pars", "the Parser"),
            ("file", "parseFile"),
            ("server", "HTTPServer"),
            ("file", "parse_file"),
            ("parsefile", "ParseFile()"),
            ("检索", "精确检索与预算"),
            ("ÄPFEL", "saure äpfel"),
            ("a b", "b.a"),
        ] {
            assert!(is_in(word, text), "{word} in {text}");
        }
        for (word, text) in [
            ("arse", "parser"),
            ("parser", "pars"),
            ("索检", "检索"),
            ("x", ""),
        ] {
            assert!(!is_in(word, text), "{word} in {text}");
        }
    }

    proptest! {
        /// The search in a text and the one in an index of its tokens agree.
        #[test]
        fn tokens_say_the_same_as_the_text(
            text in "[a-cA-C0-2_ .éÉßİK检索が\u{300}-\u{303}]{0,40}",
            word in "[a-cA-C0-2éÉßİK检索が]{1,4}",
        ) {
            let mut index = HashSet::new();
            tokens(&text, &mut index);
            for word in words_of(&word) {
                let by_index = index.iter().any(|token| token.starts_with(word.as_str()));
                prop_assert_eq!(word.is_in(&text), by_index, "{:?}", word);
            }
        }

        #[test]
        fn long_words_are_cut_alike(text in "[ab]{20,40}", len in 1usize..40) {
            let word = &text[..len.min(text.len())];
            prop_assert!(is_in(word, &text));
        }
    }
}
