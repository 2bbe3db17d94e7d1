//! Declarations by their names in words: `url for` is `url_for` (SPEC S4).

use rustc_hash::FxHashMap;

use crate::document::Role;
use crate::hits::Field;
use crate::index::{FileEntry, FileNo, Index, TermId, name_key};
use crate::lexical::score;
use crate::params::Params;
use crate::query::ask;
use crate::words::parts_of;

/// What the name of a test or example counts beside one of the product, unless tests are asked for.
const OF_TESTS: f32 = 0.5;

/// A declaration that words name.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// The path of its file.
    pub path: String,
    /// Its name.
    pub name: String,
    /// The name of what it is in; empty at the top level.
    pub container: String,
    /// First byte of its name.
    pub name_at: u32,
    /// Whether the words are its name, all of it and in order.
    pub is_exact: bool,
    /// Share of its name that the words have, times the share of the words that it has, 0 to 1; of tests and examples
    /// half of that, unless tests are asked for.
    pub closeness: f32,
}

impl Index {
    /// Declarations for words, the best first: those whose name the words are, then by how much of the words and of the
    /// name is the same, then by what their documentation, signature and body say.
    #[must_use]
    pub fn search(&self, words: &str, most: usize, params: &Params) -> Vec<Named> {
        let asked = ask(self, words, params);
        let wants_tests = parts_of_words_raw(words)
            .iter()
            .any(|word| Role::of_path(word) == Role::Test);
        let demotion = |entry: &FileEntry, declaration: u32| {
            let is_test =
                entry.role != Role::Source || entry.declared[declaration as usize].is_test;
            if is_test && !wants_tests {
                OF_TESTS
            } else {
                1.0
            }
        };
        let mut weights: FxHashMap<TermId, f32> = asked.weights();
        // Names are made of stop words too: `url_for`.
        for part in parts_of_words(words) {
            if let Some(term) = self.term(&part) {
                weights.entry(term).or_insert_with(|| self.rarity(term));
            }
        }
        let whole: String = parts_of_words_raw(words).concat();
        let terms: Vec<(TermId, f32)> = asked
            .terms
            .iter()
            .map(|term| (term.term, term.weight))
            .collect();
        let lexical = score(self, &terms, params, |_| true);
        let mut places: FxHashMap<(FileNo, u32), f32> = FxHashMap::default();
        let mut sorted: Vec<(TermId, f32)> = weights
            .iter()
            .map(|(term, weight)| (*term, *weight))
            .collect();
        sorted.sort_by(|a, b| {
            self.terms[a.0 as usize]
                .text
                .cmp(&self.terms[b.0 as usize].text)
        });
        let total = sorted
            .iter()
            .map(|(_, weight)| weight)
            .sum::<f32>()
            .max(f32::MIN_POSITIVE);
        for (term, weight) in &sorted {
            for (file, _, hits) in self.postings(*term, |_| true) {
                for hit in hits.filter(|hit| hit.declaration != 0) {
                    let of = places.entry((file, hit.declaration)).or_default();
                    *of += if hit.count(Field::Name) > 0 {
                        weight / total
                    } else {
                        0.0
                    };
                }
            }
        }
        let mut found: Vec<(Named, f32)> = places
            .into_iter()
            .filter_map(|((file, declaration), covered)| {
                let entry = self.file(file)?;
                let name = entry.name(declaration);
                let named = Named {
                    path: entry.path.to_string(),
                    name: name.to_owned(),
                    container: entry.container(declaration).to_owned(),
                    name_at: entry.declared[declaration as usize].name_at,
                    is_exact: parts_of(name)
                        .flat_map(str::chars)
                        .flat_map(char::to_lowercase)
                        .eq(whole.chars()),
                    closeness: covered
                        * self.share_known(name, &weights)
                        * demotion(entry, declaration),
                };
                Some((named, lexical.get(file, declaration)))
            })
            .collect();
        found.sort_by(|(a, a_score), (b, b_score)| {
            let by_name = b
                .is_exact
                .cmp(&a.is_exact)
                .then(b.closeness.total_cmp(&a.closeness));
            let by_place = || {
                a.path
                    .cmp(&b.path)
                    .then(a.name_at.cmp(&b.name_at))
                    .then_with(|| a.name.cmp(&b.name))
            };
            by_name.then(b_score.total_cmp(a_score)).then_with(by_place)
        });
        found.truncate(most);
        found.into_iter().map(|(named, _)| named).collect()
    }

    /// Share of a name's parts that are among terms, by rarity.
    fn share_known(&self, name: &str, terms: &FxHashMap<TermId, f32>) -> f32 {
        let (mut all, mut known) = (0.0, 0.0);
        for part in parts_of(name).map(name_key).filter(|part| part.len() > 1) {
            let term = self.term(&part);
            let rarity = term.map_or(1.0, |term| self.rarity(term));
            all += rarity;
            known += if term.is_some_and(|term| terms.contains_key(&term)) {
                rarity
            } else {
                0.0
            };
        }
        if all > 0.0 { known / all } else { 0.0 }
    }
}

/// The parts of all words as terms.
fn parts_of_words(words: &str) -> Vec<String> {
    crate::words::identifiers(words)
        .flat_map(parts_of)
        .map(name_key)
        .take(64)
        .collect()
}

/// The parts of all words in lower case.
fn parts_of_words_raw(words: &str) -> Vec<String> {
    crate::words::identifiers(words)
        .flat_map(parts_of)
        .map(str::to_lowercase)
        .take(64)
        .collect()
}
