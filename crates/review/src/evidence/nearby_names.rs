//! What names beside the changed lines mean: in the hunks, and in the functions that changed. Who reviews a function asks
//! for these too, but less often, so they are shown where room is left.

use codecortex_bind::facts::Role;
use codecortex_index::Symbol;
use codecortex_resolve::ExprRef;
use rustc_hash::FxHashSet;

use super::enclosing_declarations::distance;
use super::evidence_lines::EvidenceReason;
use super::names::{Led, Meant, is_shown};
use super::search::EvidenceSearch;
use crate::source::{VersionedFile, span};
use crate::unit::ReviewUnit;

/// Uses of names that are resolved, the nearest to a change first.
const MAX_USES: usize = 400;
/// Of longer functions only what the hunks show is looked at.
const LONGEST: u32 = 80;
/// What a declaration outside of the files of the change comes later by.
const ELSEWHERE: f64 = 30.0;
/// Shorter names are words of everything.
const SHORTEST: usize = 4;

/// What they mean, the nearest to a change first.
pub(super) fn find(search: &EvidenceSearch<'_>, meant: &[Meant]) -> Vec<Meant> {
    let known: FxHashSet<Symbol> = meant.iter().map(|meant| meant.symbol).collect();
    let mut uses = places(search);
    uses.sort_unstable_by_key(|used| (used.distance, used.unit, used.at));
    uses.truncate(MAX_USES);
    let mut seen: FxHashSet<Symbol> = FxHashSet::default();
    let mut found = Vec::new();
    for (rank, used) in uses.into_iter().enumerate() {
        let mut led = Led::default();
        led.lead(search, used.at);
        for symbol in led.symbols.into_iter().chain(led.members) {
            let is_own = search.changed.contains_key(&symbol.file.0);
            let is_new =
                !known.contains(&symbol) && !is_shown(search, symbol) && seen.insert(symbol);
            if is_new && !search.is_test(symbol) {
                found.push(Meant {
                    part: EvidenceReason::Nearby,
                    symbol,
                    unit: used.unit,
                    score: rank as f64 + if is_own { 0.0 } else { ELSEWHERE },
                });
            }
        }
    }
    found
}

/// A use of a name beside changed lines.
struct Beside {
    /// Lines between it and the nearest changed one.
    distance: u32,
    unit: usize,
    at: ExprRef,
}

fn places(search: &EvidenceSearch<'_>) -> Vec<Beside> {
    let mut places = Vec::new();
    for (unit, of) in search.units.iter().enumerate() {
        let file = of.file_of(search.change);
        let (Some(id), Some(new)) = (search.current.get(&of.file), &file.new) else {
            continue;
        };
        if file.is_test || of.is_whole_file(search.change) || search.query.is_by_name(id.0) {
            continue;
        }
        let runs = of.runs(search.change);
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        for (first, last) in spans(search, of, new) {
            let bytes = (new.start_of(first), new.start_of(last + 1));
            for (expr, place, len, role) in search.query.uses_between(id.0, bytes.0, bytes.1) {
                let name = new
                    .text
                    .get(place as usize..(place + len) as usize)
                    .unwrap_or("");
                if name.len() < SHORTEST || role == Role::Doc.into() || !seen.insert(name) {
                    continue;
                }
                let line = new.line_at(place);
                let far = runs.iter().map(|run| distance(run, line)).min();
                places.push(Beside {
                    distance: far.unwrap_or(0),
                    unit,
                    at: ExprRef { file: id.0, expr },
                });
            }
        }
    }
    places
}

/// First and last lines of the hunks of a unit, and of the functions that it changes.
fn spans(search: &EvidenceSearch<'_>, of: &ReviewUnit, new: &VersionedFile) -> Vec<(u32, u32)> {
    let hunks = of.hunks_of(search.change);
    let mut spans: Vec<(u32, u32)> = hunks
        .filter(|hunk| hunk.new_count > 0)
        .map(|hunk| (hunk.new_start, hunk.new_start + hunk.new_count - 1))
        .collect();
    let items = new.facts.iter().flat_map(|facts| {
        let touched = of.touched.iter().filter_map(|touched| touched.new);
        touched.filter_map(|item| facts.items.get(item as usize))
    });
    let callable = items.filter(|item| item.kind.is_callable()).map(span);
    spans.extend(callable.filter(|(first, last)| last - first <= LONGEST));
    spans
}
