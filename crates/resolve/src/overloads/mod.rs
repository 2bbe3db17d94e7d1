//! Overload resolution: which of several functions a call means.

use codecortex_bind::facts::ListId;

use crate::ids::{DefRef, FileNo};
use crate::overloads::arity::MAX_COMPARED;
use crate::resolver::Resolver;
use crate::symbol_identity;
use crate::ty::Substitution;

pub(crate) mod arity;
pub(crate) mod assignability;
pub(crate) mod by_conversion;
pub(crate) mod conversion;
mod passing;
mod score;
pub(crate) mod type_comparison;

/// The overloads that a call resolves to: of the candidates that accept its arguments the best ones.
pub(crate) fn resolve_overloads(
    resolver: &Resolver<'_>,
    file: FileNo,
    defs: &[DefRef],
    subst: &Substitution,
    args: ListId,
) -> Vec<DefRef> {
    if defs.len() < 2 {
        return defs.to_vec();
    }
    let given = resolver.each(file, args, |at| at);
    let fitting: Vec<DefRef> = defs
        .iter()
        .copied()
        .filter(|def| arity::accepts_arity(resolver, *def, &given))
        .collect();
    let fitting = if fitting.is_empty() {
        defs.to_vec()
    } else {
        fitting
    };
    let fitting = resolver.rules(file).applicable(resolver, fitting, &given);
    if fitting.len() == 1 {
        return fitting;
    }
    if resolver.rules(file).resolves_by_conversion() {
        return by_conversion::resolve_by_conversion(resolver, file, &fitting, subst, args);
    }
    let scored: Vec<(i32, DefRef)> = fitting
        .into_iter()
        .map(|def| (score::score(resolver, def, subst, &given), def))
        .collect();
    let best = scored.iter().map(|(score, _)| *score).max().unwrap_or(0);
    let best = scored.into_iter().filter(|(score, _)| *score == best);
    let best: Vec<DefRef> = best.map(|(_, def)| def).collect();
    let best = resolver
        .rules(file)
        .by_value_category(resolver, best, &given);
    if !resolver.rules(file).overloads_are_separate() || best.len() > MAX_COMPARED {
        return best;
    }
    // A prototype and what it declares are one.
    let mut kept: Vec<DefRef> = Vec::new();
    for def in best {
        if !kept
            .iter()
            .any(|other| symbol_identity::is_same_symbol(resolver, *other, def))
        {
            kept.push(def);
        }
    }
    kept
}
