//! Declarations that bear a name of the changed lines and that nobody resolved the name to: what a removed call meant, a
//! member of the repository where one of a library is meant, a type where a variable is.
//!
//! They are worth less than meanings, so they are shown where room is left.

use codecortex_index::Symbol;
use rustc_hash::FxHashSet;

use super::evidence_lines::EvidenceReason;
use super::names::{ChangedName, ChangedNames, Meant, is_shown, nearest};
use super::search::EvidenceSearch;

/// A name with more declarations says nothing about any of them.
const MAX_BEARERS: usize = 6;
/// Names of a change whose bearers are looked for.
const MAX_NAMES: usize = 600;
/// What a name that is neither called nor spelled like a type or a constant comes later by.
const PLAIN: f64 = 1_000.0;

/// The nearest bearer of each name of which nothing is shown.
pub(super) fn find(
    search: &EvidenceSearch<'_>,
    words: &ChangedNames,
    meant: &[Meant],
) -> Vec<Meant> {
    let known: FxHashSet<Symbol> = meant.iter().map(|meant| meant.symbol).collect();
    let mut order: Vec<(&String, &ChangedName)> = words.iter().collect();
    order.sort_by_key(|(name, word)| (word.rank(), *name));
    let mut seen: FxHashSet<Symbol> = FxHashSet::default();
    let mut found = Vec::new();
    for (rank, (name, word)) in order.into_iter().take(MAX_NAMES).enumerate() {
        let bearers = search.named_for(word.unit, name);
        let is_known = |symbol: &Symbol| known.contains(symbol) || is_shown(search, *symbol);
        if bearers.len() > MAX_BEARERS || bearers.iter().any(is_known) {
            continue;
        }
        let Some(symbol) = nearest(search, &bearers).filter(|symbol| seen.insert(*symbol)) else {
            continue;
        };
        let doubt = 10.0 * (bearers.len() - 1) as f64 + if word.is_telling { 0.0 } else { PLAIN };
        found.push(Meant {
            part: EvidenceReason::Namesake,
            symbol,
            unit: word.unit,
            score: rank as f64 + doubt,
        });
    }
    found
}
