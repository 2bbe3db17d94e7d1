//! Which overloads take the arguments of a call: those with a type guard take nothing but type guards.

use codecortex_bind::facts::Expr;

use crate::ids::{DefRef, ExprRef};
use crate::narrow::guards;
use crate::resolver::Resolver;
use crate::ty::{Ty, no_substitution};

/// Of overloads those that a call may mean by its arguments. A guard among these is taken as what it is.
pub(super) fn applicable(
    resolver: &Resolver<'_>,
    overloads: Vec<DefRef>,
    given: &[ExprRef],
) -> Vec<DefRef> {
    let asked: Vec<Vec<usize>> = overloads
        .iter()
        .map(|of| guards_of(resolver, *of))
        .collect();
    if asked.iter().all(Vec::is_empty) {
        return overloads;
    }
    let is_guard = |at: &ExprRef| {
        let function = resolver.type_of(*at).ty;
        guards::guarded_by_function(resolver, at.file, &function).is_some()
    };
    let is_given = |place: &usize| given.get(*place).is_some_and(is_guard);
    let fits = |places: &Vec<usize>| places.iter().all(is_given);
    let has_guard = asked
        .iter()
        .any(|places| !places.is_empty() && fits(places));
    let all = overloads.iter().zip(&asked);
    let kept = all.filter(|(_, places)| places.is_empty() != has_guard);
    let kept: Vec<DefRef> = kept.map(|(of, _)| *of).collect();
    match kept.is_empty() {
        true => overloads,
        false => kept,
    }
}

/// The places of parameters that are type guards.
fn guards_of(resolver: &Resolver<'_>, of: DefRef) -> Vec<usize> {
    let Some(bound) = resolver.file(of.file) else {
        return Vec::new();
    };
    let is_guard = |param: u32| {
        let Expr::Function { def } = bound.expr(bound.def(param).ty) else {
            return false;
        };
        let function = Ty::Function([DefRef { def, ..of }].into(), no_substitution());
        guards::guarded_by_function(resolver, of.file, &function).is_some()
    };
    let params = bound.params(of.def).enumerate();
    let places = params.filter(|(_, param)| is_guard(*param));
    places.map(|(place, _)| place).collect()
}
