//! Declarations by their names in words: `url for` is `url_for` (SPEC S4).

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use crate::document::Role;
use crate::hits::Field;
use crate::index::{FileNo, Index, TermId, name_key};
use crate::lexical::score;
use crate::params::Params;
use crate::query::ask;
use crate::words::parts_of;

/// What the name of a test or example counts beside one of the product, unless tests are asked for.
const OF_TESTS: f32 = 0.5;

/// A declaration that words name.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedMatch {
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

/// A declaration that has some of the words, before it is told of.
struct MatchedDeclaration {
    file: FileNo,
    declaration: u32,
    is_exact: bool,
    closeness: f32,
    lexical: f32,
}

/// What the words say of a name, whatever has it.
#[derive(Clone, Copy)]
struct NameSays {
    is_exact: bool,
    /// Share of it that the words have, by rarity.
    known: f32,
}

impl Index {
    /// Declarations for words, the best first: those whose name the words are, then by how much of the words and of the
    /// name is the same, then by what their documentation, signature and body say.
    #[must_use]
    pub fn search(&self, words: &str, most: usize, params: &Params) -> Vec<NamedMatch> {
        let mut found = self.with_words(words, params);
        let order = |a: &MatchedDeclaration, b: &MatchedDeclaration| self.better(a, b);
        if found.len() > most {
            found.select_nth_unstable_by(most, order);
            found.truncate(most);
        }
        found.sort_unstable_by(order);
        found.iter().filter_map(|of| self.named(of)).collect()
    }

    /// All declarations that have some of the words, in any order.
    fn with_words(&self, words: &str, params: &Params) -> Vec<MatchedDeclaration> {
        let asked = ask(self, words, params);
        let whole: Vec<String> = parts_of_words_raw(words).collect();
        let wants_tests = whole.iter().any(|word| Role::of_path(word) == Role::Test);
        let whole = whole.concat();
        let terms: Vec<(TermId, f32)> = asked
            .terms
            .iter()
            .map(|term| (term.term, term.weight))
            .collect();
        let lexical = score(self, &terms, params, |_| true);
        let mut weights: FxHashMap<TermId, f32> = asked.weights();
        let covers = self.name_covers(words, &mut weights, lexical.of.len(), &lexical.starts);
        let mut says: FxHashMap<&str, NameSays> = FxHashMap::default();
        let mut found = Vec::new();
        for file in self.by_path.values() {
            let Some(entry) = self.file(*file) else {
                continue;
            };
            let first = lexical.starts[*file as usize] as usize;
            for declaration in 1..entry.declared.len() {
                let Some(covered) = covers[first + declaration] else {
                    continue;
                };
                let declaration = declaration as u32;
                let mut of = MatchedDeclaration {
                    file: *file,
                    declaration,
                    is_exact: false,
                    closeness: 0.0,
                    lexical: lexical.get(*file, declaration),
                };
                if covered > 0.0 {
                    let name = entry.name(declaration);
                    let name = says.entry(name).or_insert_with(|| NameSays {
                        is_exact: parts_of(name)
                            .flat_map(str::chars)
                            .flat_map(char::to_lowercase)
                            .eq(whole.chars()),
                        known: self.share_known(name, &weights),
                    });
                    let is_test =
                        entry.role != Role::Source || entry.declared[declaration as usize].is_test;
                    let counts = if is_test && !wants_tests {
                        OF_TESTS
                    } else {
                        1.0
                    };
                    of.is_exact = name.is_exact;
                    of.closeness = covered * name.known * counts;
                }
                found.push(of);
            }
        }
        found
    }

    /// Share of the words that each declaration's name has, by number of declaration; none of those that have no word
    /// anywhere. Adds the words that every question leaves out to `weights`: names are made of them too (`url_for`).
    fn name_covers(
        &self,
        words: &str,
        weights: &mut FxHashMap<TermId, f32>,
        declarations: usize,
        starts: &[u32],
    ) -> Vec<Option<f32>> {
        for part in parts_of_words(words) {
            if let Some(term) = self.term(&part) {
                weights.entry(term).or_insert_with(|| self.rarity(term));
            }
        }
        let mut sorted: Vec<(TermId, f32)> = weights
            .iter()
            .map(|(term, weight)| (*term, *weight))
            .collect();
        let text = |term: TermId| &self.terms[term as usize].text;
        sorted.sort_by(|a, b| text(a.0).cmp(text(b.0)));
        let total = sorted.iter().map(|(_, weight)| weight).sum::<f32>();
        let total = total.max(f32::MIN_POSITIVE);
        let mut covers: Vec<Option<f32>> = vec![None; declarations];
        for (term, weight) in sorted {
            for (file, _, hits) in self.postings(term, |_| true) {
                let first = starts[file as usize] as usize;
                for hit in hits {
                    let of = covers[first + hit.declaration as usize].get_or_insert(0.0);
                    if hit.count(Field::Name) > 0 {
                        *of += weight / total;
                    }
                }
            }
        }
        covers
    }

    /// The better of two goes first.
    fn better(&self, a: &MatchedDeclaration, b: &MatchedDeclaration) -> Ordering {
        let place = |of: &MatchedDeclaration| {
            let entry = self.file(of.file)?;
            let name_at = entry.declared[of.declaration as usize].name_at;
            Some((&*entry.path, name_at, entry.name(of.declaration)))
        };
        let by_name = b
            .is_exact
            .cmp(&a.is_exact)
            .then(b.closeness.total_cmp(&a.closeness));
        by_name
            .then(b.lexical.total_cmp(&a.lexical))
            .then_with(|| place(a).cmp(&place(b)))
    }

    fn named(&self, of: &MatchedDeclaration) -> Option<NamedMatch> {
        let entry = self.file(of.file)?;
        Some(NamedMatch {
            path: entry.path.to_string(),
            name: entry.name(of.declaration).to_owned(),
            container: entry.container(of.declaration).to_owned(),
            name_at: entry.declared[of.declaration as usize].name_at,
            is_exact: of.is_exact,
            closeness: of.closeness,
        })
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
fn parts_of_words_raw(words: &str) -> impl Iterator<Item = String> {
    crate::words::identifiers(words)
        .flat_map(parts_of)
        .map(str::to_lowercase)
        .take(64)
}
