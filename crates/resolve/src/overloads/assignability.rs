//! Whether a value of one type is assignable where another type is expected, as far as names of types say so.

use codecortex_bind::facts::NONE;

use crate::ids::{DefRef, ExprRef, Name};
use crate::library_types;
use crate::resolver::Resolver;
use crate::ty::{Ty, no_substitution};

/// Whether a value of one type is assignable to another.
pub(crate) fn accepts(resolver: &Resolver<'_>, expected: &Ty, actual: &Ty) -> bool {
    match (expected, actual) {
        (Ty::Unknown, _) | (_, Ty::Unknown) => false,
        (Ty::Param(param), _) => {
            let bound = resolver.def(*param).map_or(NONE, |def| def.ty);
            bound == NONE
                || accepts(
                    resolver,
                    &resolver
                        .lower_type(ExprRef {
                            file: param.file,
                            expr: bound,
                        })
                        .ty,
                    actual,
                )
        }
        (Ty::Instance(a, _), Ty::Instance(b, _)) => resolver.is_subtype(*b, *a),
        (Ty::External(Some(a), _), Ty::External(Some(b), _)) => {
            a == b || names_accept(resolver, *a, *b)
        }
        (Ty::External(Some(a), _), Ty::Array(_)) => {
            library_types::is_sequence(resolver.workspace.text(*a))
        }
        (Ty::External(Some(a), _), Ty::Instance(b, _)) => has_outside_base(resolver, *b, *a),
        (Ty::External(None, _), _) => false,
        (Ty::Array(a), Ty::Array(b)) => {
            **a == Ty::Unknown || **b == Ty::Unknown || accepts(resolver, a, b)
        }
        (Ty::Function(..), Ty::Function(..)) => true,
        (Ty::Pointer(a), Ty::Pointer(b)) => accepts(resolver, a, b),
        (Ty::Pointer(a), b) | (b, Ty::Pointer(a)) => accepts(resolver, a, b),
        (Ty::Union(parts), _) => parts.iter().any(|part| accepts(resolver, part, actual)),
        _ => false,
    }
}

fn names_accept(resolver: &Resolver<'_>, expected: Name, actual: Name) -> bool {
    let text = |sym| resolver.workspace.text(sym);
    matches!(text(expected), "Object" | "object")
        || (library_types::is_sequence(text(expected)) && library_types::is_sequence(text(actual)))
}

fn has_outside_base(resolver: &Resolver<'_>, of: DefRef, base: Name) -> bool {
    let mut open = vec![of];
    let mut seen = Vec::new();
    while let Some(def) = open.pop() {
        if seen.contains(&def) || seen.len() > 256 {
            continue;
        }
        seen.push(def);
        for (ty, _) in resolver.bases(&resolver.parts(def), &no_substitution()) {
            match ty {
                Ty::External(Some(name), _) if name == base => return true,
                Ty::Instance(def, _) => open.push(def),
                _ => {}
            }
        }
    }
    false
}
