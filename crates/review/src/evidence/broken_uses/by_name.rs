//! What is left of names in languages of which only names are known: there a use means what has its name.

use super::super::facts::{Broken, Cause, Evidence};
use super::super::search::EvidenceSearch;
use super::former_uses::is_distinctive;

/// Adds names that are gone, that nothing else has, and that are still written.
pub(super) fn add(search: &EvidenceSearch<'_>, found: &mut Evidence) {
    let is_by_name = |unit: usize| {
        let language = search.units[unit].file_of(search.change).language;
        language.is_some_and(|language| !codecortex_syntax::dialect(language).is_resolved())
    };
    let gone = found.gone.iter();
    let broken = gone.filter(|gone| is_by_name(gone.unit) && !gone.left.is_empty());
    let broken: Vec<Broken> = broken
        .filter(|gone| is_distinctive(&gone.name) || gone.is_type)
        .map(|gone| Broken {
            unit: gone.unit,
            name: gone.name.clone(),
            cause: Cause::Gone,
            left: gone.left.clone(),
        })
        .collect();
    found.broken.extend(broken);
}
