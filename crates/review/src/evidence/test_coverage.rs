//! Whether a change has tests of what it changes.

use codecortex_index::FileId;
use codecortex_resolve::ConfidenceTier;
use codecortex_syntax::{Facts, ItemIndex};

use super::search::EvidenceSearch;
use super::uses::DeclarationUses;
use crate::change::ChangedFile;
use crate::source::{has_word, is_in_test_module};
use crate::touched_declarations::Touched;

/// The tests that are part of a change.
pub(super) struct Tested<'s> {
    /// Paths of its files of tests, with their texts after the change.
    files: Vec<(&'s str, &'s str)>,
    /// Tests that it touches in files of other things.
    beside: Vec<&'s str>,
}

impl<'s> Tested<'s> {
    pub(super) fn new(search: &EvidenceSearch<'s>) -> Self {
        let tests = search.change.files.iter().filter(|file| file.is_test);
        let files = tests.filter_map(|file| Some((&*file.path, &*file.new.as_ref()?.text)));
        let touched = search.units.iter().flat_map(|unit| {
            let file = unit.file_of(search.change);
            let texts = unit.touched.iter();
            texts.filter_map(move |touched| test_beside(file, touched))
        });
        Self {
            files: files.collect(),
            beside: touched.collect(),
        }
    }

    /// Whether one of them names a declaration, what it is in or what uses it, or is the file of its file's tests by its name.
    pub(super) fn is_tested(&self, search: &EvidenceSearch<'_>, of: &DeclarationUses) -> bool {
        let unit = &search.units[of.unit];
        let touched = &unit.touched[of.place];
        let mut names = vec![touched.name.as_str(), touched.container.as_str()];
        names.extend(users(search, of));
        let is_named = |text: &str| {
            let mut names = names.iter().filter(|name| !name.is_empty());
            names.any(|name| has_word(text, name))
        };
        let stem = stem(&unit.file_of(search.change).path);
        let mut files = self.files.iter();
        files.any(|(path, text)| is_named(text) || tests_by_name(path, &stem))
            || self.beside.iter().any(|text| is_named(text))
    }
}

/// Names of functions that surely use a declaration: their tests run it too. A name of one word may be anything.
fn users<'s>(search: &EvidenceSearch<'s>, of: &DeclarationUses) -> Vec<&'s str> {
    let sure = of
        .uses
        .iter()
        .filter(|used| matches!(used.tier, ConfidenceTier::Exact | ConfidenceTier::Inferred));
    let around = sure.filter_map(|used| {
        let facts = &search.view.code.index().file(FileId(used.file))?.facts;
        let (symbol, _) = search.view.around(used.file, used.at)?;
        let item = facts.items.get(symbol.item as usize)?;
        let is_user = item.kind.is_callable() && !search.is_test(symbol);
        Some(facts.str(item.name)).filter(|name| is_user && is_of_words(name))
    });
    around.collect()
}

/// Whether a name has several words.
fn is_of_words(name: &str) -> bool {
    let name = name.trim_matches('_');
    let mut letters = name.chars();
    letters.next();
    letters.any(|c| c == '_' || c.is_uppercase())
}

/// The text of a test that a change touches in a file of other things.
fn test_beside<'s>(file: &'s ChangedFile, touched: &Touched) -> Option<&'s str> {
    let new = file.new.as_ref()?;
    let facts: &Facts = new.facts.as_ref()?;
    let index: ItemIndex = touched.new?;
    let item = facts.items.get(index as usize)?;
    let extent = item.start_byte as usize..item.end_byte as usize;
    is_in_test_module(facts, index)
        .then(|| new.text.get(extent))
        .flatten()
}

/// A file's name in small letters without its ending, and without what is no letter or digit.
fn stem(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = name.split('.').find(|part| !part.is_empty());
    let letters = name.unwrap_or("").chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Whether a file of tests is named after a file: `test_cart.py`, `CartTests.cs`, `cart.spec.ts`, `test/cart.ts`.
fn tests_by_name(path: &str, of: &str) -> bool {
    let own = stem(path);
    let words = ["test", "tests", "spec", "specs", "it"];
    let is_word = |rest: &str| rest.is_empty() || words.contains(&rest);
    !of.is_empty()
        && (own.strip_prefix(of).is_some_and(is_word) || own.strip_suffix(of).is_some_and(is_word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_named_after_what_they_test() {
        for path in [
            "tests/test_cart.py",
            "src/CartTests.cs",
            "a/cart.spec.ts",
            "test/cart.ts",
            "cart_test.go",
            "CartTest.java",
        ] {
            assert!(tests_by_name(path, &stem("src/cart.py")), "{path}");
        }
        for path in ["tests/test_carts.py", "tests/all.rs", "test/discard.ts"] {
            assert!(!tests_by_name(path, &stem("src/cart.py")), "{path}");
        }
    }
}
