//! What may come into the window, in the order of its importance (SPEC PW1, D23, `000` §8).
//!
//! **Pinned**: what somebody pinned, in that order. **Focus**: what somebody put there, and the type that was
//! queried last with its bases and what it directly depends on; dependencies first, then the latest first.
//! **Recent**: other types that were used, by score:
//!
//! ```text
//! score = weight × pack × (0.75 × 2^(-rank/16) + 0.25 × fan/(fan + 4))
//! weight: pinned ∞, focus 2.0, recent 1.0      pack: 1.5 where an active pack has the type
//! rank:   types used later                      fan:  types that depend on it
//! ```

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::sources::Sources;
use crate::window::candidate::{WindowCandidate, WindowSource, score, topological};
use crate::window::memo_lookup::{known_needs, known_type};
use crate::window::state::PinEntry;
use crate::window::symbols::symbol_of_entry;

/// The weight of what is in focus, and of what was used lately.
pub const FOCUS: f64 = 2.0;
/// The weight of what was used lately.
pub const RECENT: f64 = 1.0;
/// Used types among which dependencies are counted where nothing else counts them.
const COUNTED: usize = 64;

/// Everything that may come in, the most important first. With a root, only what is of it.
pub fn window_candidates(sources: &Sources<'_>, only: Option<u32>) -> Vec<WindowCandidate> {
    let mut all = Vec::new();
    let window = sources.context.window.borrow();
    let roots = (0..window.roots.len() as u32).filter(|root| only.is_none_or(|only| only == *root));
    for root in roots.clone() {
        let pins = window.roots[root as usize].pins.measured();
        all.extend(pins.map(|(pin, letters)| WindowCandidate {
            tier: WindowSource::Pinned,
            root,
            entry: Arc::clone(pin),
            letters,
            reason: Cow::Borrowed("pinned"),
            score: f64::INFINITY,
        }));
    }
    let is_wanted = |root: u32, id: &str| {
        let window = window.roots.get(root as usize);
        only.is_none_or(|only| only == root)
            && window.is_some_and(|window| !window.dismissed.contains(id))
    };
    let is_pinned = |root: u32, id: &str| window.roots[root as usize].pins.has(id);
    let mut focus: Vec<WindowCandidate> = Vec::new();
    for root in roots {
        let added = window.roots[root as usize].focus.iter().rev();
        focus.extend(added.map(|added| {
            let entry = Arc::clone(&added.entry);
            WindowCandidate::from_tier((WindowSource::Focus, FOCUS), root, entry, "added to focus")
        }));
    }
    focus.extend(
        queried_last(sources)
            .into_iter()
            .filter(|c| is_wanted(c.root, &c.entry.id)),
    );
    let mut in_focus: FxHashSet<(u32, String)> = FxHashSet::default();
    focus.retain(|candidate| {
        let (root, id) = (candidate.root, &candidate.entry.id);
        !is_pinned(root, id) && in_focus.insert((root, id.clone()))
    });
    all.extend(dependencies_first(sources, focus));
    let access = sources.code.access();
    let recent = access.latest().filter(|(root, id)| {
        is_wanted(*root, id)
            && !is_pinned(*root, id)
            && !in_focus.contains(&(*root, (*id).to_owned()))
    });
    let recent: Vec<(u32, &str)> = recent.collect();
    all.extend(recent_candidates(sources, &recent, &|root, id| {
        let packs = window.roots[root as usize].packs.values();
        let mut active = packs.filter(|pack| pack.active);
        active.any(|pack| pack.type_ids.iter().any(|known| known == id))
    }));
    all
}

/// The type that was queried last, its bases and what it directly depends on.
fn queried_last(sources: &Sources<'_>) -> Vec<WindowCandidate> {
    let access = sources.code.access();
    let Some((root, id)) = access.latest().next() else {
        return Vec::new();
    };
    let Some((symbol, entry)) = known_type(sources, root, id) else {
        return Vec::new();
    };
    let path = &entry.path;
    let tier = (WindowSource::Focus, FOCUS);
    let mut found = vec![WindowCandidate::from_tier(
        tier,
        root,
        Arc::clone(&entry),
        "queried last",
    )];
    let mut needs = known_needs(sources, symbol).to_vec();
    needs.sort_by_cached_key(|need| {
        let path = sources.code.index().path_of(need.symbol);
        (!need.is_base, std::cmp::Reverse(need.mentions), path)
    });
    found.extend(needs.into_iter().map(|need| {
        let word = if need.is_base { "base of" } else { "used by" };
        let entry = PinEntry {
            path: sources.code.index().path_of(need.symbol),
            id: need.id,
            since: 0,
        };
        WindowCandidate::from_tier(tier, root, Arc::new(entry), format!("{word} {path}"))
    }));
    found
}

/// What is needed before what needs it; otherwise in the order given. Circles are left as they are.
fn dependencies_first(
    sources: &Sources<'_>,
    candidates: Vec<WindowCandidate>,
) -> Vec<WindowCandidate> {
    let places: BTreeMap<(u32, &str), usize> = candidates
        .iter()
        .enumerate()
        .map(|(place, one)| ((one.root, one.entry.id.as_str()), place))
        .collect();
    let needs: Vec<Vec<usize>> = candidates
        .iter()
        .map(|one| {
            let symbol = symbol_of_entry(sources, one.root, &one.entry.id, &one.entry.path);
            let needs = symbol.map(|symbol| known_needs(sources, symbol));
            let here = needs
                .iter()
                .flat_map(|needs| needs.iter())
                .filter_map(|need| places.get(&(one.root, need.id.as_str())));
            let mut here: Vec<usize> = here.copied().collect();
            here.sort_unstable();
            here
        })
        .collect();
    let order = topological(&needs);
    let mut left: Vec<Option<WindowCandidate>> = candidates.into_iter().map(Some).collect();
    order
        .into_iter()
        .filter_map(|place| left[place].take())
        .collect()
}

fn recent_candidates(
    sources: &Sources<'_>,
    recent: &[(u32, &str)],
    in_pack: &dyn Fn(u32, &str) -> bool,
) -> Vec<WindowCandidate> {
    let fans = fans(sources, recent);
    let mut scored: Vec<(f64, usize, bool)> = (0..recent.len())
        .map(|rank| {
            let (root, id) = &recent[rank];
            let in_pack = in_pack(*root, id);
            let fan = fans.get(&rank).copied().unwrap_or(0);
            (score(RECENT, rank, fan, in_pack), rank, in_pack)
        })
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let candidates = scored.into_iter().filter_map(|(score, rank, in_pack)| {
        let (root, id) = &recent[rank];
        let (_, entry) = known_type(sources, *root, id)?;
        let reason = match in_pack {
            true => "used lately, in an active pack",
            false => "used lately",
        };
        Some(WindowCandidate::from_tier(
            (WindowSource::Recent, score),
            *root,
            entry,
            reason,
        ))
    });
    candidates.collect()
}

/// How many types depend on each: as the ledger knows it, else among those used lately.
fn fans(sources: &Sources<'_>, recent: &[(u32, &str)]) -> BTreeMap<usize, usize> {
    let mut fans = BTreeMap::new();
    let mut unknown: BTreeMap<&str, usize> = BTreeMap::new();
    for (rank, (root, id)) in recent.iter().enumerate() {
        let folder = sources.folders.folder(*root);
        let ledger = folder.and_then(|folder| folder.ledger);
        match ledger.and_then(|ledger| ledger.get(id)) {
            Some(known) => drop(fans.insert(rank, known.references)),
            None => drop(unknown.insert(id, rank)),
        }
    }
    if unknown.is_empty() {
        return fans;
    }
    for (root, id) in recent.iter().take(COUNTED) {
        let known = known_type(sources, *root, id);
        let needs = known.map(|(symbol, _)| known_needs(sources, symbol));
        for need in needs.iter().flat_map(|needs| needs.iter()) {
            if let Some(rank) = unknown.get(need.id.as_str()) {
                *fans.entry(*rank).or_insert(0) += 1;
            }
        }
    }
    fans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_score_is_the_documented_one() {
        assert!((score(RECENT, 0, 0, false) - 0.75).abs() < 1e-9);
        assert!((score(RECENT, 16, 4, false) - 0.5).abs() < 1e-9);
        assert!((score(FOCUS, 0, 12, false) - 1.875).abs() < 1e-9);
        assert!((score(RECENT, 16, 4, true) - 0.75).abs() < 1e-9);
        assert!(score(RECENT, 3, 0, false) > score(RECENT, 4, 0, false));
        assert!(score(RECENT, 3, 9, false) > score(RECENT, 3, 8, false));
    }

    #[test]
    fn dependencies_come_first_and_circles_end() {
        assert_eq!(topological(&[vec![2], vec![], vec![1]]), [1, 2, 0]);
        assert_eq!(topological(&[vec![], vec![], vec![]]), [0, 1, 2]);
        let circle = topological(&[vec![1], vec![0], vec![2]]);
        assert_eq!(circle.len(), 3);
        let chain: Vec<Vec<usize>> = (0..100_000)
            .map(|n| if n < 99_999 { vec![n + 1] } else { vec![] })
            .collect();
        assert_eq!(topological(&chain)[0], 99_999);
    }
}
