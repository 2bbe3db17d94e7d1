//! What a type has for an associated type of a trait, the library's included: `Item` of `Map<I, F>` is what `F` gives.

use super::support;
use codecortex_bind::facts::{DefKind, NONE, ScopeKind, space};

use super::support::is_trait;
use super::{impl_selection, projections, self_substitution, trait_bindings};
use crate::ids::{DefRef, ExprRef, Name};
use crate::infer_type_args;
use crate::resolver::Resolver;
use crate::standard_library::{is_library, tables};
use crate::ty::{Ty, Tys, no_substitution};

/// Types in types are followed this deep.
const DEEPEST: u32 = 6;

/// What a type has for an associated type.
pub(super) fn of_type(resolver: &Resolver<'_>, alias: DefRef, of: &Ty) -> Option<Ty> {
    resolver
        .with_depth(|| of_type_now(resolver, alias, of))
        .flatten()
}

fn of_type_now(resolver: &Resolver<'_>, alias: DefRef, of: &Ty) -> Option<Ty> {
    if let Some(said) = trait_bindings::said_of(resolver, of, alias) {
        return Some(said);
    }
    let name = resolver.workspace.text(resolver.name_of(alias)?);
    match of {
        Ty::Array(element) => match name {
            "Item" => Some((**element).clone()),
            "IntoIter" | "Target" | "Owned" => Some(of.clone()),
            "Output" => Some((**element).clone()),
            _ => None,
        },
        Ty::Pointer(of) => of_type(resolver, alias, of),
        Ty::Function(defs, subst) if name == "Output" => {
            let result = resolver.declared_result(*defs.first()?);
            Some(result.ty.with(subst))
        }
        of => {
            let from = alias.file;
            let (Ty::Instance(def, args) | Ty::Type(def, args)) =
                tables::as_declared(resolver, of.clone(), from)
            else {
                return None;
            };
            let own = associated_of(resolver, (def, &args), alias);
            own.or_else(|| match name {
                // What iterates is what it is made of where it is asked for that.
                "IntoIter" => associated(resolver, def, &args, "Item").map(|_| of.clone()),
                _ => None,
            })
        }
    }
}

/// What is written of an associated type in a block for a type, with what the type's arguments and the block's bounds say
/// of the block's parameters.
pub(super) fn written(
    resolver: &Resolver<'_>,
    alias: DefRef,
    of: (DefRef, &Tys),
    subst: &[(DefRef, Ty)],
) -> Option<Ty> {
    let bound = resolver.file(alias.file)?;
    let def = bound.def(alias.def);
    if def.ty == NONE {
        return None;
    }
    let at = ExprRef {
        file: alias.file,
        expr: def.ty,
    };
    let lowered = resolver.lower_type(at).ty;
    let scope = bound.scope(def.scope);
    let is_in_block = scope.kind == ScopeKind::Class
        && scope.owner != NONE
        && bound.def(scope.owner).kind == DefKind::Impl;
    if !is_in_block || !is_library(alias.file) {
        return Some(lowered.with(subst));
    }
    let block = DefRef {
        file: alias.file,
        def: scope.owner,
    };
    let this = Ty::Instance(of.0, of.1.clone());
    let params = resolver.params_of(block);
    let mut known: Vec<(DefRef, Ty)> = Vec::new();
    let for_type = resolver.lower_type(ExprRef {
        file: block.file,
        expr: bound.def(block.def).ty,
    });
    let for_type = tables::as_declared(resolver, for_type.ty, block.file);
    infer_type_args::infer_type_args(resolver, &for_type, &this, &params, &mut known, DEEPEST);
    bind_by_bounds(resolver, &params, &mut known);
    let put = lowered.with(&known);
    Some(projections::put(
        resolver,
        || known.clone(),
        Some(&this),
        (at, &put),
    ))
}

/// What the bounds of parameters that are known say of others: `B` by `F: FnMut(A) -> B`, `T` by `I: Iterator<Item = T>`.
pub(super) fn bind_by_bounds(
    resolver: &Resolver<'_>,
    params: &[DefRef],
    known: &mut Vec<(DefRef, Ty)>,
) {
    let is_known = |param: &DefRef, known: &[(DefRef, Ty)]| known.iter().any(|(of, _)| of == param);
    if params.iter().all(|param| is_known(param, known)) {
        return;
    }
    for param in params {
        let Some((_, actual)) = known.iter().find(|(of, _)| of == param).cloned() else {
            continue;
        };
        let bound = support::bound_of(resolver, *param);
        for part in bound.alternatives().iter() {
            by_bound(resolver, part, &actual, params, known);
        }
    }
}

fn by_bound(
    resolver: &Resolver<'_>,
    bound: &Ty,
    actual: &Ty,
    params: &[DefRef],
    known: &mut Vec<(DefRef, Ty)>,
) {
    match (bound, actual) {
        (Ty::Function(asked, asked_subst), Ty::Function(given, given_subst)) => {
            let (Some(asked), Some(given)) = (asked.first(), given.first()) else {
                return;
            };
            let pattern = resolver.declared_result(*asked).ty.with(asked_subst);
            let mut result = resolver.declared_result(*given).ty.with(given_subst);
            for (of, this) in given_subst.iter().filter(|(of, _)| is_trait(resolver, *of)) {
                result = self_substitution::replaced(resolver, &result, (*of, this), DEEPEST);
            }
            infer_type_args::infer_type_args(resolver, &pattern, &result, params, known, DEEPEST);
        }
        (Ty::Instance(..) | Ty::External(..), actual) => {
            let Some(&file) = params.first().map(|param| &param.file) else {
                return;
            };
            let declared = tables::as_declared(resolver, bound.clone(), file);
            let Ty::Instance(of, args) = declared else {
                return;
            };
            for alias in trait_bindings::associated_types(resolver, of) {
                let subst = resolver.substitution_of(of, &args);
                let Some((_, pattern)) = subst.iter().find(|(known, _)| *known == alias) else {
                    continue;
                };
                if *pattern == Ty::Param(alias) {
                    continue;
                }
                if let Some(ty) = of_type(resolver, alias, actual) {
                    infer_type_args::infer_type_args(
                        resolver, pattern, &ty, params, known, DEEPEST,
                    );
                }
            }
        }
        _ => {}
    }
}

/// What an associated type of a type is, by its name alone.
pub(super) fn associated(
    resolver: &Resolver<'_>,
    def: DefRef,
    args: &[Ty],
    name: &str,
) -> Option<Ty> {
    let name = resolver.workspace.name(name)?;
    let parts = resolver.parts(def);
    let own = resolver.own_members(&parts, name, space::TYPE);
    of_block(resolver, (def, args), (name, *own.first()?))
}

/// What a type has for an associated type of a trait. `Output` of `SliceIndex` is not that of `Add`; who has an `Item` has
/// one, whether it is that of `Iterator` or of `IntoIterator`.
fn associated_of(
    resolver: &Resolver<'_>,
    (def, args): (DefRef, &[Ty]),
    alias: DefRef,
) -> Option<Ty> {
    let name = resolver.name_of(alias)?;
    let parts = resolver.parts(def);
    let own = resolver.own_members(&parts, name, space::TYPE);
    let is_meant = |own: &&DefRef| impl_selection::implements(resolver, **own, alias);
    let meant = own.iter().find(is_meant);
    let is_of_all = resolver.workspace.text(name) == "Item";
    let meant = meant.or_else(|| own.first().filter(|_| is_of_all));
    of_block(resolver, (def, args), (name, *meant?))
}

/// What a block writes for an associated type, with what the type's arguments say of the block's parameters.
fn of_block(
    resolver: &Resolver<'_>,
    (def, args): (DefRef, &[Ty]),
    (name, own): (Name, DefRef),
) -> Option<Ty> {
    let args: Tys = args.into();
    let found = resolver.member_of_type(def, &args, name, space::TYPE);
    let subst = match found.defs.contains(&own) {
        true => found.subst,
        false => no_substitution(),
    };
    written(resolver, own, (def, &args), &subst)
}
