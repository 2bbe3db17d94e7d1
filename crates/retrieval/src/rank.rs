//! The declarations a question is about, in order.

use crate::document::Role;
use crate::features::{FEATURES, Feature, RankedDeclaration, candidates};
use crate::history::History;
use crate::index::{FileNo, Index};
use crate::params::Params;
use crate::query::{NamedPlace, ParsedQuestion, Query, ask};

/// A declaration that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    pub(crate) file: FileNo,
    pub(crate) declaration: u32,
    /// How likely the question is about it: shares of all candidates sum to 1.
    pub share: f32,
    /// What speaks for it, the strongest first.
    pub why: Vec<&'static str>,
    /// Whether it has a word of the question.
    pub(crate) has_words: bool,
    /// Whether the question gives its place or name.
    pub(crate) is_named: bool,
}

/// What a question is about, the best first.
#[derive(Clone, Debug, Default)]
pub struct Ranking {
    /// The declarations.
    pub items: Vec<Ranked>,
    /// Words of the question that declarations have, the rarest first.
    pub matched: Vec<String>,
    /// Words of the question that no declaration has.
    pub unmatched: Vec<String>,
    /// Whether the best answer has enough of the question's words to be taken for one.
    pub is_confident: bool,
    /// Whether nothing was asked: the order is that of what others use most.
    pub is_overview: bool,
    /// Whether it was asked from a file that is known.
    pub(crate) has_focus: bool,
    pub(crate) asked: ParsedQuestion,
}

impl Ranking {
    /// Leaves out the declarations of files that are not wanted.
    pub fn keep_files(&mut self, index: &Index, is_wanted: impl Fn(&str) -> bool) {
        self.items.retain(|item| {
            let file = index.files.get(item.file as usize).and_then(Option::as_ref);
            file.is_some_and(|file| is_wanted(&file.path))
        });
    }
}

/// Share of all that declarations have together whose places a question gives.
const OF_PLACES: f32 = 0.96;

/// Reasons that are named.
const REASONS: usize = 3;

impl Index {
    /// Ranks the declarations for a question. Deterministic: depends on the files and not on the order they came in.
    #[must_use]
    pub fn rank(&self, query: &Query, history: Option<&History>, params: &Params) -> Ranking {
        let asked = ask(self, &query.text, params);
        let found = candidates(self, history, query, &asked, params);
        let has_focus = query
            .focus
            .as_ref()
            .is_some_and(|focus| self.by_path.contains_key(focus.as_str()));
        let weights = if has_focus {
            &params.focus_weights
        } else {
            &params.weights
        };
        let shares = shares(&found, weights, has_focus, params);
        let reasons = Reasons::new(weights);
        let mut items: Vec<Ranked> = found
            .iter()
            .zip(shares)
            .map(|(of, share)| Ranked {
                file: of.file,
                declaration: of.declaration,
                share,
                why: reasons.for_candidate(of),
                has_words: of.get(Feature::Cover) > 0.0 || of.get(Feature::Mentioned) > 0.0,
                is_named: false,
            })
            .collect();
        if query.prefers_tests {
            self.prefer_tests(&mut items);
        }
        self.prefer_files(&query.files, &mut items);
        self.put_places(&query.places, &mut items);
        // Equal ones stay in the order of paths and places.
        items.sort_by(|a, b| b.share.total_cmp(&a.share));
        Ranking {
            is_confident: !query.places.is_empty() || self.is_confident(&found, &asked, query),
            matched: distinct(asked.terms.iter().map(|term| &term.word)),
            unmatched: asked.unknown.clone(),
            is_overview: false,
            has_focus,
            items,
            asked,
        }
    }

    /// Lets what is in files that the question names count many times as much as the rest.
    fn prefer_files(&self, files: &[String], items: &mut [Ranked]) {
        const TIMES: f32 = 30.0;
        let named: Vec<FileNo> = files
            .iter()
            .filter_map(|path| self.by_path.get(path.as_str()).copied())
            .collect();
        if !named.is_empty() {
            raise(items, TIMES, |item| named.contains(&item.file));
        }
    }

    /// Lets what is in tests count many times as much as the rest.
    fn prefer_tests(&self, items: &mut [Ranked]) {
        const TIMES: f32 = 20.0;
        raise(items, TIMES, |item| {
            self.file(item.file).is_some_and(|entry| {
                let declared = entry.declared.get(item.declaration as usize);
                entry.role == Role::Test || declared.is_some_and(|of| of.is_test)
            })
        });
    }

    /// Puts declarations that the question gives the places of before all others, each with half the share of the one
    /// before it.
    fn put_places(&self, places: &[NamedPlace], items: &mut Vec<Ranked>) {
        let mut left = OF_PLACES;
        let mut named: Vec<Ranked> = Vec::new();
        for place in places {
            let Some(file) = self.by_path.get(place.path.as_str()).copied() else {
                continue;
            };
            let declared = self.file(file).map_or(&[][..], |entry| &entry.declared);
            let at = (1..declared.len()).find(|at| declared[*at].name_at == place.name_at);
            let Some(declaration) = at.map(|at| at as u32) else {
                continue;
            };
            if named
                .iter()
                .any(|of| (of.file, of.declaration) == (file, declaration))
            {
                continue;
            }
            left /= 2.0;
            named.push(Ranked {
                file,
                declaration,
                share: left,
                why: vec!["place"],
                has_words: true,
                is_named: true,
            });
        }
        if named.is_empty() {
            return;
        }
        let given: f32 = named.iter().map(|item| item.share).sum();
        let is_named = |item: &Ranked| {
            let mut of = named.iter();
            of.any(|of| (of.file, of.declaration) == (item.file, item.declaration))
        };
        items.retain(|item| !is_named(item));
        let rest: f32 = items.iter().map(|item| item.share).sum();
        let least = named.last().map_or(0.0, |last| last.share);
        let best = items
            .iter()
            .map(|item| item.share)
            .fold(f32::MIN_POSITIVE, f32::max);
        // None of the others comes before one of them.
        let scale = ((1.0 - given) / rest.max(f32::MIN_POSITIVE)).min(0.5 * least / best);
        items.iter_mut().for_each(|item| item.share *= scale);
        items.extend(named);
    }

    /// Whether a declaration, its container and its path have a third of what the question says, by rarity; words that
    /// nothing has count as the rarest.
    fn is_confident(
        &self,
        found: &[RankedDeclaration],
        asked: &ParsedQuestion,
        query: &Query,
    ) -> bool {
        if query.focus.is_some() && asked.terms.is_empty() {
            return !found.is_empty();
        }
        let known: f32 = asked.terms.iter().map(|term| term.weight).sum();
        let rarest = asked
            .terms
            .iter()
            .map(|term| term.weight)
            .fold(0.0, f32::max);
        let unknown = asked.unknown.len() as f32 * rarest;
        let best = found
            .iter()
            .map(|of| of.get(Feature::NameCover) + of.get(Feature::PathCover))
            .fold(0.0, f32::max);
        let named = found
            .iter()
            .any(|of| of.get(Feature::Mentioned) > 0.0 || of.get(Feature::Compound) > 0.0);
        known > 0.0 && (named || best * known / (known + unknown) > 0.2)
    }

    /// The features of every candidate with file and place; for tuning.
    #[doc(hidden)]
    #[must_use]
    pub fn features(
        &self,
        query: &Query,
        history: Option<&History>,
        params: &Params,
    ) -> Vec<(&str, u32, [f32; FEATURES])> {
        let asked = ask(self, &query.text, params);
        let found = candidates(self, history, query, &asked, params);
        let of_file = |of: &RankedDeclaration| self.file(of.file).map_or("", |file| &*file.path);
        found
            .iter()
            .map(|of| (of_file(of), of.declaration, of.values))
            .collect()
    }

    /// The declaration of a name that is named in a range of bytes; for tuning.
    #[doc(hidden)]
    #[must_use]
    pub fn declaration_named(
        &self,
        path: &str,
        name: &str,
        range: std::ops::Range<u32>,
    ) -> Option<u32> {
        let entry = self.file(*self.by_path.get(path)?)?;
        (1..entry.declared.len() as u32).find(|at| {
            entry.name(*at) == name && range.contains(&entry.declared[*at as usize].name_at)
        })
    }

    /// The innermost declaration around a byte; for tuning.
    #[doc(hidden)]
    #[must_use]
    pub fn declaration_around(&self, path: &str, at: u32) -> u32 {
        let entry = self.by_path.get(path).and_then(|file| self.file(*file));
        let pieces = entry
            .map(|entry| crate::index::own_pieces(&entry.declared))
            .unwrap_or_default();
        pieces
            .iter()
            .find(|(_, piece)| piece.contains(&at))
            .map_or(0, |(owner, _)| *owner)
    }
}

/// Multiplies the shares of some; those of all sum to 1 as before.
fn raise(items: &mut [Ranked], times: f32, is_raised: impl Fn(&Ranked) -> bool) {
    for item in items.iter_mut() {
        item.share *= if is_raised(item) { times } else { 1.0 };
    }
    let all: f32 = items.iter().map(|item| item.share).sum();
    let all = all.max(f32::MIN_POSITIVE);
    items.iter_mut().for_each(|item| item.share /= all);
}

/// How likely each candidate is: how likely its file is, times how likely it is in its file.
fn shares(
    found: &[RankedDeclaration],
    weights: &[f32; FEATURES],
    has_focus: bool,
    params: &Params,
) -> Vec<f32> {
    let scores: Vec<f32> = found
        .iter()
        .map(|of| weigh(of, weights) / params.temperature)
        .collect();
    // Candidates of a file stand together.
    let files: Vec<std::ops::Range<usize>> = runs(found);
    let sums: Vec<f32> = files
        .iter()
        .map(|run| log_sum(&scores[run.clone()]))
        .collect();
    let file_weights = if has_focus {
        &params.focus_file_weights
    } else {
        &params.file_weights
    };
    let [by_sum, by_best] = params.file_scores[usize::from(has_focus)];
    let of_file = |(run, sum): (&std::ops::Range<usize>, &f32)| {
        let best = scores[run.clone()]
            .iter()
            .copied()
            .fold(f32::NEG_INFINITY, f32::max);
        let strongest = Feature::ALL.into_iter().map(|feature| {
            file_weights[feature as usize] * strongest(&found[run.clone()], feature)
        });
        by_sum * sum + by_best * best + strongest.sum::<f32>()
    };
    let file_scores: Vec<f32> = files.iter().zip(&sums).map(of_file).collect();
    let total = log_sum(&file_scores);
    let mut shares = vec![0.0; found.len()];
    for ((run, sum), file_score) in files.into_iter().zip(sums).zip(file_scores) {
        for at in run {
            shares[at] = (file_score - total + scores[at] - sum).exp();
        }
    }
    shares
}

/// The value of a feature for a file: the largest of its declarations'; a file is a test when all of it is.
fn strongest(found: &[RankedDeclaration], feature: Feature) -> f32 {
    let values = found.iter().map(|of| of.get(feature));
    match feature {
        Feature::Test => values.fold(1.0, f32::min),
        _ => values.fold(f32::NEG_INFINITY, f32::max),
    }
}

fn runs(found: &[RankedDeclaration]) -> Vec<std::ops::Range<usize>> {
    let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
    for (at, of) in found.iter().enumerate() {
        match runs.last_mut() {
            Some(last) if found[last.start].file == of.file => last.end += 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

/// The logarithm of a sum of exponentials.
fn log_sum(scores: &[f32]) -> f32 {
    let best = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    best + scores
        .iter()
        .map(|score| (score - best).exp())
        .sum::<f32>()
        .ln()
}

fn weigh(of: &RankedDeclaration, weights: &[f32; FEATURES]) -> f32 {
    of.values
        .iter()
        .zip(weights)
        .map(|(value, weight)| value * weight)
        .sum()
}

/// The reasons that features are, each with the features that say it.
struct Reasons {
    words: Vec<&'static str>,
    /// Feature, its weight, and its reason.
    of: Vec<(Feature, f32, usize)>,
}

impl Reasons {
    fn new(weights: &[f32; FEATURES]) -> Self {
        let mut reasons = Self {
            words: Vec::new(),
            of: Vec::new(),
        };
        for feature in Feature::ALL {
            let (weight, word) = (weights[feature as usize], feature.why());
            if weight == 0.0 || word.is_empty() {
                continue;
            }
            let known = reasons.words.iter().position(|known| *known == word);
            let at = known.unwrap_or(reasons.words.len());
            if known.is_none() {
                reasons.words.push(word);
            }
            reasons.of.push((feature, weight, at));
        }
        reasons
    }

    /// The features that add most.
    fn for_candidate(&self, of: &RankedDeclaration) -> Vec<&'static str> {
        let mut adds = [0.0_f32; FEATURES];
        for (feature, weight, at) in &self.of {
            adds[*at] = adds[*at].max(of.get(*feature) * weight);
        }
        let mut reasons = Vec::with_capacity(REASONS);
        while reasons.len() < REASONS {
            let (mut best, mut most) = (None, 0.0);
            for (at, adds) in adds[..self.words.len()].iter().enumerate() {
                if *adds > most {
                    (best, most) = (Some(at), *adds);
                }
            }
            let Some(at) = best else {
                break;
            };
            reasons.push(self.words[at]);
            adds[at] = 0.0;
        }
        reasons
    }
}

fn distinct<'a>(words: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut distinct: Vec<String> = Vec::new();
    for word in words {
        if !distinct.contains(word) {
            distinct.push(word.clone());
        }
    }
    distinct
}
