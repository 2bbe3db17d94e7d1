//! Who mentions whom: uses told by name alone, where few files declare the name.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::document::Role;
use crate::hits::{Field, TermHit};
use crate::index::{FileNo, Index, TermId};
use crate::query::ParsedQuestion;

/// A name that more files declare says nothing about which is meant.
const DEFINERS: usize = 3;
/// A name that more files mention is a common word.
const MENTIONS: usize = 200;
/// Terms of relevance feedback.
const FEEDBACK: usize = 24;

/// A declaration.
pub(crate) type LinkEnd = (FileNo, u32);

/// How strongly declarations and files are linked to good ones.
#[derive(Debug, Default)]
pub(crate) struct Links {
    /// Mentioned by good declarations of sources, and of tests.
    pub(crate) used_by_source: FxHashMap<LinkEnd, f32>,
    pub(crate) used_by_test: FxHashMap<LinkEnd, f32>,
    /// Mentioning good declarations.
    pub(crate) uses: FxHashMap<LinkEnd, f32>,
    /// Files mentioned by, and mentioning, the focus.
    pub(crate) files_used: FxHashMap<FileNo, f32>,
    pub(crate) files_using: FxHashMap<FileNo, f32>,
}

impl Links {
    /// The links of good declarations, which come with how good they are.
    pub(crate) fn of_good(index: &Index, good: &[(FileNo, u32, f32)]) -> Self {
        let mut links = Self::default();
        for (file, declaration, score) in good {
            let Some(entry) = index.file(*file) else {
                continue;
            };
            for (term, hit) in entry.hits_of(*declaration) {
                // What is seldom is asked first: a term is elsewhere in memory.
                if hit.count(Field::Body) == 0 || !is_telling(index, term) {
                    continue;
                }
                let used = match entry.role {
                    Role::Test => &mut links.used_by_test,
                    _ => &mut links.used_by_source,
                };
                for place in defined(index, term).filter(|place| *place != (*file, *declaration)) {
                    *used.entry(place).or_default() += score;
                }
            }
            let key = entry.declared[*declaration as usize].key;
            if *declaration != 0 && is_telling(index, key) {
                for (place, _) in
                    mentions(index, key).filter(|(place, _)| *place != (*file, *declaration))
                {
                    *links.uses.entry(place).or_default() += score;
                }
            }
        }
        links.saturate();
        links
    }

    /// The links of a file with others.
    pub(crate) fn of_focus(index: &Index, focus: FileNo, files: &[FileNo]) -> Self {
        let mut links = Self::default();
        let wanted: FxHashSet<FileNo> = files.iter().copied().collect();
        let Some(entry) = index.file(focus) else {
            return links;
        };
        for (term, mut hits) in entry.all_hits() {
            if !is_telling(index, term) || !hits.any(|hit| hit.count(Field::Body) > 0) {
                continue;
            }
            let rarity = exact(index.rarity(term));
            for place in
                defined(index, term).filter(|(file, _)| *file != focus && wanted.contains(file))
            {
                *links.files_used.entry(place.0).or_default() += rarity;
                *links.used_by_source.entry(place).or_default() += 1.0;
            }
        }
        let keys: FxHashSet<TermId> = entry.declared.iter().skip(1).map(|of| of.key).collect();
        for key in keys.into_iter().filter(|key| is_telling(index, *key)) {
            let mut seen = FxHashSet::default();
            let rarity = exact(index.rarity(key));
            for (place, _) in mentions(index, key)
                .filter(|((file, _), _)| *file != focus && wanted.contains(file))
            {
                *links.uses.entry(place).or_default() += 1.0;
                if seen.insert(place.0) {
                    *links.files_using.entry(place.0).or_default() += rarity;
                }
            }
        }
        for files in [&mut links.files_used, &mut links.files_using] {
            let best = files.values().copied().fold(f32::MIN_POSITIVE, f32::max);
            files.values_mut().for_each(|value| *value /= best);
        }
        links.saturate();
        links
    }

    fn saturate(&mut self) {
        for links in [
            &mut self.used_by_source,
            &mut self.used_by_test,
            &mut self.uses,
        ] {
            links.values_mut().for_each(|value| *value /= 1.0 + *value);
        }
    }

    /// PageRank over files that mention each other's declarations, which begins again at files with the words.
    pub(crate) fn page_rank(
        index: &Index,
        files: &[FileNo],
        words: &[f32],
    ) -> FxHashMap<FileNo, f32> {
        const ROUNDS: usize = 12;
        const DAMPING: f32 = 0.8;
        let mut number: Vec<Option<usize>> = vec![None; index.files.len()];
        for (at, file) in files.iter().enumerate() {
            number[*file as usize] = Some(at);
        }
        let edges = edges(index, files, &number);
        let total: f32 = files
            .iter()
            .map(|file| words[*file as usize])
            .sum::<f32>()
            .max(f32::MIN_POSITIVE);
        let begin: Vec<f32> = files
            .iter()
            .map(|file| words[*file as usize] / total)
            .collect();
        let mut rank = begin.clone();
        for _ in 0..ROUNDS {
            let mut next: Vec<f32> = begin.iter().map(|share| (1.0 - DAMPING) * share).collect();
            for (from, to) in edges.iter().enumerate() {
                let all: f32 = to.iter().map(|(_, weight)| weight).sum();
                for (target, weight) in to {
                    next[*target] += DAMPING * rank[from] * weight / all;
                }
                if to.is_empty() {
                    next[from] += DAMPING * rank[from];
                }
            }
            rank = next;
        }
        let best = rank.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
        files
            .iter()
            .zip(rank)
            .map(|(file, rank)| (*file, rank / best))
            .collect()
    }

    /// Words that good declarations have in common and the question lacks, with weights.
    pub(crate) fn feedback(
        index: &Index,
        good: &[(FileNo, u32, f32)],
        asked: &ParsedQuestion,
    ) -> Vec<(TermId, f32)> {
        let known = asked.weights();
        let mut weights: FxHashMap<TermId, f32> = FxHashMap::default();
        for (file, declaration, score) in good {
            let Some(entry) = index.file(*file) else {
                continue;
            };
            let length = (20.0 + entry.lengths[*declaration as usize] as f32).sqrt();
            let hits = entry.hits_of(*declaration);
            for (term, hit) in hits.filter(|(term, _)| !known.contains_key(term)) {
                let count = hit.counts[..Field::Path as usize]
                    .iter()
                    .map(|count| f32::from(*count))
                    .sum::<f32>();
                *weights.entry(term).or_default() +=
                    score * index.rarity(term) * count.sqrt() / length;
            }
        }
        let mut best: Vec<(TermId, f32)> = weights.into_iter().collect();
        best.sort_by(|a, b| {
            b.1.total_cmp(&a.1).then_with(|| {
                index.terms[a.0 as usize]
                    .text
                    .cmp(&index.terms[b.0 as usize].text)
            })
        });
        best.truncate(FEEDBACK);
        best
    }
}

/// A value whose sums are the same in any order: terms are met in the order of their ids, which says nothing.
fn exact(value: f32) -> f32 {
    (value * 4096.0).round() / 4096.0
}

/// Whether a name leads to few places.
pub(crate) fn is_telling(index: &Index, term: TermId) -> bool {
    let known = &index.terms[term as usize];
    (1..=DEFINERS).contains(&known.definers.len()) && known.files.len() <= MENTIONS
}

/// The declarations of a name.
fn defined(index: &Index, term: TermId) -> impl Iterator<Item = LinkEnd> {
    index.terms[term as usize]
        .definers
        .iter()
        .flat_map(move |file| {
            let declared = index.file(*file).map_or(&[][..], |entry| &entry.declared);
            let places =
                (1..declared.len() as u32).filter(move |at| declared[*at as usize].key == term);
            places.map(|at| (*file, at))
        })
}

/// The declarations whose text has a name.
fn mentions(index: &Index, term: TermId) -> impl Iterator<Item = (LinkEnd, TermHit)> {
    index.postings(term, |_| true).flat_map(|(file, _, hits)| {
        let hits = hits.filter(|hit| hit.count(Field::Body) > 0);
        hits.map(move |hit| ((file, hit.declaration), hit))
    })
}

fn edges(index: &Index, files: &[FileNo], number: &[Option<usize>]) -> Vec<Vec<(usize, f32)>> {
    let mut edges: Vec<Vec<(usize, f32)>> = vec![Vec::new(); files.len()];
    for (at, file) in files.iter().enumerate() {
        let Some(entry) = index.file(*file) else {
            continue;
        };
        let mut keys: Vec<TermId> = entry
            .declared
            .iter()
            .skip(1)
            .map(|of| of.key)
            .filter(|key| is_telling(index, *key))
            .collect();
        keys.sort_unstable();
        keys.dedup();
        let mut weights: FxHashMap<usize, f32> = FxHashMap::default();
        for key in keys {
            let rarity = exact(index.rarity(key));
            for other in &index.terms[key as usize].files {
                if let Some(from) = number[other.file as usize].filter(|from| *from != at) {
                    *weights.entry(from).or_default() += rarity;
                }
            }
        }
        for (from, weight) in weights {
            edges[from].push((at, weight));
        }
    }
    edges
}
