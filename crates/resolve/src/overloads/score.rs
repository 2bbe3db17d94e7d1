//! Overload resolution by scores: how well the arguments of a call fit the parameters of a candidate.

use codecortex_bind::facts::{NONE, flag};

use crate::ids::{DefRef, ExprRef, Name};
use crate::overloads::assignability;
use crate::resolver::Resolver;
use crate::ty::{Substitution, Ty};

/// The score of a candidate by the types of arguments.
pub(crate) fn score(
    resolver: &Resolver<'_>,
    def: DefRef,
    subst: &Substitution,
    given: &[ExprRef],
) -> i32 {
    let Some(bound) = resolver.file(def.file) else {
        return 0;
    };
    let mut params: Vec<u32> = bound
        .params(def.def)
        .filter(|param| bound.def(*param).flags & flag::RECEIVER == 0)
        .collect();
    if bound.def(def.def).flags & flag::EXTENSION != 0 && params.len() > given.len() {
        params.remove(0);
    }
    let mut score = 0;
    let mut is_variadic = false;
    for (index, at) in given.iter().enumerate() {
        let Some(param) = params.get(index).or(params.last()) else {
            break;
        };
        is_variadic |= bound.def(*param).flags & flag::VARIADIC != 0;
        let declared = bound.def(*param).ty;
        if declared == NONE {
            continue;
        }
        let expected = resolver.lower_type(ExprRef {
            file: def.file,
            expr: declared,
        });
        let mut expected = expected.ty.with(subst);
        let actual = resolver.type_of(*at);
        let is_whole = bound.def(*param).flags & flag::VARIADIC != 0
            && matches!(actual.ty, Ty::Array(_))
            && given.len() == params.len();
        if is_whole {
            expected = Ty::array(expected);
        }
        let known = resolver
            .rules(def.file)
            .conversion_rank(resolver, &expected, &actual.ty);
        score += known.unwrap_or_else(|| conversion_rank(resolver, &expected, &actual.ty));
    }
    if is_variadic {
        score -= 1;
    }
    score
}

fn conversion_rank(resolver: &Resolver<'_>, expected: &Ty, actual: &Ty) -> i32 {
    if expected.is_unknown() || actual.is_unknown() {
        return 0;
    }
    match (expected, actual) {
        (Ty::Instance(a, _), Ty::Instance(b, _)) if a == b => 6,
        (Ty::External(Some(a), _), Ty::External(Some(b), _)) if a == b => 6,
        (Ty::External(Some(a), _), Ty::External(Some(b), _)) => {
            external_conversion_rank(resolver, *a, *b)
        }
        (Ty::Param(_), _) => 1,
        (Ty::Function(a, _), Ty::Function(b, _)) => {
            let count = |defs: &[DefRef]| {
                let def = defs.first()?;
                Some(resolver.file(def.file)?.params(def.def).count())
            };
            if count(a) == count(b) { 3 } else { -2 }
        }
        (Ty::Array(a), Ty::Array(b)) => 2 + conversion_rank(resolver, a, b).min(3),
        (Ty::Union(parts), _) => {
            let best = parts
                .iter()
                .map(|part| conversion_rank(resolver, part, actual))
                .max();
            best.unwrap_or(0).min(5)
        }
        (_, Ty::Union(parts)) => {
            let best = parts
                .iter()
                .map(|part| conversion_rank(resolver, expected, part))
                .min();
            best.unwrap_or(0)
        }
        _ if assignability::accepts(resolver, expected, actual) => 3,
        _ => -4,
    }
}

/// The rank of a conversion from one type from outside to another, by their names.
fn external_conversion_rank(resolver: &Resolver<'_>, expected: Name, actual: Name) -> i32 {
    let text = |sym| resolver.workspace.text(sym);
    match (text(expected), text(actual)) {
        ("Object" | "object" | "any" | "unknown" | "CharSequence" | "Iterable", _) => 2,
        ("long" | "float" | "double" | "number" | "f64" | "Number", "int" | "Integer" | "long") => {
            3
        }
        (expected, actual) if expected.ends_with("stream") && actual.ends_with("stream") => 3,
        _ => -3,
    }
}
