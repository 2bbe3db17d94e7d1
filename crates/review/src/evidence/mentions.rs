//! Further lines that have the name of a declaration that changed: imports and exports of it, prototypes, and places where
//! the name leads elsewhere or nobody knows where.
//!
//! They are no callers, so they are shown where room is left. A prototype and an export still tell what has to change with
//! a signature.

use codecortex_bind::facts::Role;
use codecortex_index::Symbol;
use codecortex_resolve::ConfidenceTier;

use super::evidence_lines::{EvidenceLines, EvidenceReason};
use super::facts::Evidence;
use super::search::EvidenceSearch;
use super::uses::{ChangedUses, EvidenceUse, MAX_MEANINGS, is_own, rank, split, with_roles};

/// Lines that are shown of what kept its signature, and of what did not.
const SHOWN: [usize; 2] = [3, 8];
/// Shorter names are words of everything.
const SHORTEST: usize = 4;

/// The lines that have the name of one declaration.
#[derive(Debug)]
pub(super) struct Mentions {
    unit: usize,
    is_grave: bool,
    /// Whether tests of it are known that the diff does not show.
    has_tests: bool,
    pub(super) uses: Vec<EvidenceUse>,
}

pub(super) fn find(search: &EvidenceSearch<'_>, used: &ChangedUses) -> Vec<Mentions> {
    let mut found = Vec::new();
    for of in &used.of {
        let touched = &search.units[of.unit].touched[of.place];
        let is_common = search.named(&touched.name).len() > MAX_MEANINGS;
        if is_common || touched.name.len() < SHORTEST {
            continue;
        }
        let mut uses = with_roles(search, &touched.name, |role| role != Role::Doc);
        uses.extend(prototypes(search, of.unit, touched.new));
        let is_known = |used: &EvidenceUse| {
            let same = |known: &EvidenceUse| known.file == used.file && known.at == used.at;
            of.uses.iter().any(same) || is_own(search, of.unit, touched, used)
        };
        uses.retain(|used| !is_known(used));
        rank(search, &mut uses);
        // Several may stand on one line, or on one that the diff shows.
        uses.truncate(4 * SHOWN[usize::from(of.is_grave)]);
        found.push(Mentions {
            unit: of.unit,
            is_grave: of.is_grave,
            has_tests: of
                .uses
                .iter()
                .any(|used| is_in_test(search, used) && !is_in_diff(search, used)),
            uses,
        });
    }
    found
}

/// Where else a declaration is declared.
fn prototypes(search: &EvidenceSearch<'_>, unit: usize, new: Option<u32>) -> Vec<EvidenceUse> {
    let file = search.current.get(&search.units[unit].file);
    let symbol = file
        .zip(new)
        .map(|(file, item)| Symbol { file: *file, item });
    let def = symbol.and_then(|symbol| search.view.def_of(search.query, symbol));
    let parts = def.map_or_else(Vec::new, |def| search.query.symbol(def));
    let others = parts.into_iter().filter(|part| Some(*part) != def);
    let places = others.filter_map(|part| {
        Some(EvidenceUse {
            file: part.file,
            at: search.query.place(part)?,
            tier: ConfidenceTier::Exact,
        })
    });
    places.collect()
}

/// Whether the diff shows a use.
fn is_in_diff(search: &EvidenceSearch<'_>, used: &EvidenceUse) -> bool {
    let changed = search.changed.get(&used.file);
    let file = changed.map(|at| &search.change.files[*at]);
    file.is_some_and(|file| {
        let line = file.new.as_ref().map(|new| new.line_at(used.at));
        line.is_some_and(|line| search.shown.has(&file.path, line))
    })
}

fn is_in_test(search: &EvidenceSearch<'_>, used: &EvidenceUse) -> bool {
    match search.view.around(used.file, used.at) {
        Some((symbol, _)) => search.is_test(symbol),
        None => search
            .path(used.file)
            .is_some_and(crate::source::is_test_path),
    }
}

pub(super) fn add(search: &EvidenceSearch<'_>, mentions: Vec<Mentions>, found: &mut Evidence) {
    for of in mentions {
        let (code, tests) = split(search, &of.uses, found);
        let tests = if of.has_tests { Vec::new() } else { tests };
        let sites = code.into_iter().chain(tests);
        for (rank, site) in sites.take(SHOWN[usize::from(of.is_grave)]).enumerate() {
            found.add(EvidenceLines {
                part: EvidenceReason::Mention,
                score: rank as f64 + if of.is_grave { 0.0 } else { 10.0 },
                unit: of.unit,
                path: site.path,
                lines: vec![site.line],
            });
        }
    }
}
