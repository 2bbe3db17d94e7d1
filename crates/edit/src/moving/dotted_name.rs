//! A declaration's name with its module before it, as comments, strings and documents write it: `pkg.mod.Name`.

use std::ops::Range;

use crate::words::{is_word_letter, words_like};

/// A dotted name before and after a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DottedName {
    /// The folders that both modules are in, which texts may write before the name.
    shared: Vec<String>,
    old: String,
    new: String,
}

impl DottedName {
    /// Of a declaration that moves from one module to another, each by its parts.
    pub(crate) fn new(old: &[&str], new: &[&str], name: &str) -> Self {
        let most = old.len().min(new.len()).saturating_sub(1);
        let pairs = old.iter().zip(new).take(most);
        let shared = pairs.take_while(|(a, b)| a == b).count();
        let written = |parts: &[&str]| format!("{}.{name}", parts[shared..].join("."));
        Self {
            shared: old[..shared]
                .iter()
                .map(|part| (*part).to_owned())
                .collect(),
            old: written(old),
            new: written(new),
        }
    }

    /// What is written afterwards in place of each range of [`DottedName::places`].
    #[must_use]
    pub fn replacement(&self) -> &str {
        &self.new
    }

    /// Where a text writes the name before the move.
    #[must_use]
    pub fn places(&self, text: &str) -> Vec<Range<u32>> {
        let length = self.old.len() as u32;
        let whole = words_like(text, &self.old).map(|at| at..at + length);
        whole
            .filter(|range| self.is_meant(text, range.start))
            .collect()
    }

    /// Whether what is before the name is nothing of it, or the folders around it.
    fn is_meant(&self, text: &str, at: u32) -> bool {
        let before = text.get(..at as usize).unwrap_or_default();
        let Some(before) = before.strip_suffix('.') else {
            return true;
        };
        let start = before
            .rfind(|letter| !is_word_letter(letter) && letter != '.')
            .map_or(0, |end| {
                end + before[end..].chars().next().map_or(1, char::len_utf8)
            });
        let parts: Vec<&str> = before[start..].split('.').collect();
        let shared = self.shared.len().checked_sub(parts.len());
        // A sentence may end before the name.
        before[start..].is_empty()
            || shared.is_some_and(|first| self.shared[first..].iter().eq(parts.iter()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_behind_its_package_and_no_other() {
        let name = DottedName::new(&["src", "pkg", "core"], &["src", "pkg", "sub", "more"], "A");
        assert_eq!(
            (name.old.as_str(), name.replacement()),
            ("core.A", "sub.more.A")
        );
        for (text, count) in [
            ("core.A", 1),
            ("pkg.core.A and `src.pkg.core.A.b`", 2),
            ("other.core.A core.Ab score.A core.A_", 0),
            ("src.core.A", 0),
            ("\u{e4}.core.A", 0),
        ] {
            assert_eq!(name.places(text).len(), count, "{text}");
        }
        let apart = DottedName::new(&["a"], &["b", "c"], "A");
        assert_eq!((apart.old.as_str(), apart.replacement()), ("a.A", "b.c.A"));
    }
}
