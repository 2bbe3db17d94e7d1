//! What a bound says of associated types: `T: Has<Out = Item>`, `dyn Has<Out = Item>`, `impl Sub<Out: Other>`.
//!
//! To the resolver the associated types of a trait are type parameters that it does not declare as such: behind those that
//! it does, in the order in which they are written, then those of the traits that it extends.

use super::support;
use codecortex_bind::facts::{DefKind, Expr, NONE};

use super::support::is_rust;
use crate::ids::{DefRef, ExprRef, Name};
use crate::resolver::Resolver;
use crate::standard_library::is_library;
use crate::ty::{Ty, no_substitution};

/// So many traits that a trait extends are looked at.
const MAX_TRAITS: usize = 16;

fn is_trait(resolver: &Resolver<'_>, of: DefRef) -> bool {
    let kind = resolver.def(of).map(|def| def.kind);
    kind == Some(DefKind::Trait) && is_rust(resolver, of.file)
}

/// The associated types of a trait and of those that it extends; of anything else none.
pub(super) fn associated_types(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    if !is_trait(resolver, of) {
        return Vec::new();
    }
    let (mut found, mut open, mut seen) = (Vec::new(), vec![of], Vec::new());
    while let Some(next) = open.pop() {
        if seen.contains(&next) || seen.len() >= MAX_TRAITS {
            continue;
        }
        seen.push(next);
        found.extend(own_associated_types(resolver, next));
        // Where it says nothing of its traits there is nothing to look for.
        let bases = resolver.bases(&resolver.parts(next), &no_substitution());
        let traits = bases.into_iter().filter_map(|(base, _)| match base {
            Ty::Instance(def, _) if is_trait(resolver, def) => Some(def),
            _ => None,
        });
        open.extend(traits);
    }
    found
}

fn own_associated_types(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let (Some(bound), Some(def)) = (resolver.file(of.file), resolver.def(of)) else {
        return Vec::new();
    };
    if def.inner == NONE {
        return Vec::new();
    }
    let mut own: Vec<u32> = bound
        .all_in(def.inner)
        .filter(|def| bound.def(*def).kind == DefKind::TypeAlias)
        .collect();
    own.sort_unstable();
    let file = of.file;
    own.into_iter().map(|def| DefRef { file, def }).collect()
}

/// The type arguments of a trait that is written, with what is said of its associated types behind them. Those of which
/// nothing is said stand for themselves.
pub(super) fn arranged(resolver: &Resolver<'_>, at: ExprRef, args: Vec<Ty>) -> Vec<Ty> {
    let said = bindings(resolver, at);
    if said.iter().all(Option::is_none) {
        return args;
    }
    let Expr::Apply { of, .. } = resolver.expr(at) else {
        return args;
    };
    let found = resolver.find(ExprRef { expr: of, ..at });
    let ends = found
        .defs
        .iter()
        .flat_map(|def| resolver.resolve_alias(*def).ends);
    let Some(of) = ends.into_iter().find(|def| is_trait(resolver, *def)) else {
        return args;
    };
    let mut arranged: Vec<Ty> = resolver.params_of(of).into_iter().map(Ty::Param).collect();
    let plain = args.iter().zip(&said).filter(|(_, name)| name.is_none());
    for (place, (ty, _)) in arranged.iter_mut().zip(plain) {
        *place = ty.clone();
    }
    for (ty, name) in args.iter().zip(&said) {
        let is_it = |place: &&mut Ty| {
            let Ty::Param(param) = place else {
                return false;
            };
            let kind = resolver.def(*param).map(|def| def.kind);
            kind == Some(DefKind::TypeAlias) && resolver.name_of(*param) == *name
        };
        if name.is_none() {
            continue;
        }
        match arranged.iter_mut().find(is_it) {
            Some(place) => *place = ty.clone(),
            // The library has no such type: it is what the trait is about.
            None if is_library(of.file) => return args,
            None => {}
        }
    }
    arranged
}

/// Of each type argument the associated type that it is said of, if it is.
fn bindings(resolver: &Resolver<'_>, at: ExprRef) -> Vec<Option<Name>> {
    let Some(bound) = resolver.file(at.file) else {
        return Vec::new();
    };
    let Expr::Apply { args, .. } = bound.expr(at.expr) else {
        return Vec::new();
    };
    let named = |arg: &u32| match bound.expr(*arg) {
        Expr::Index { by, .. } => match bound.expr(by) {
            Expr::Member { name, .. } => Some(bound.name(name)),
            _ => None,
        },
        _ => None,
    };
    bound.list(args).iter().map(named).collect()
}

/// What the bounds of a type parameter, or a trait in the place of a type, say of an associated type.
pub(super) fn said_of(resolver: &Resolver<'_>, of: &Ty, associated: DefRef) -> Option<Ty> {
    match of {
        Ty::Param(param) => {
            said_of_bound(resolver, &support::bound_of(resolver, *param), associated)
        }
        of => said_of_bound(resolver, of, associated),
    }
}

fn said_of_bound(resolver: &Resolver<'_>, bound: &Ty, associated: DefRef) -> Option<Ty> {
    match bound {
        Ty::Union(parts) => parts
            .iter()
            .find_map(|part| said_of_bound(resolver, part, associated)),
        Ty::Instance(of, args) if is_trait(resolver, *of) => {
            let subst = resolver.substitution_of(*of, args);
            let (_, ty) = subst.iter().find(|(known, _)| *known == associated)?;
            (*ty != Ty::Param(associated)).then(|| ty.clone())
        }
        _ => None,
    }
}
