//! What calls give whose function the library declares: by its signature, with what the receiver, the arguments and the
//! bounds say of its parameters (SPEC D30).

use codecortex_bind::facts::{DefKind, Expr, NONE, ScopeKind};

use super::support::called_name;
use super::{
    associated_types, builtins, inference_placeholders, members, projections, self_substitution,
};
use crate::call;
use crate::ids::{DefRef, ExprRef, FileNo};
use crate::infer_type_args;
use crate::library_types;
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;
use crate::standard_library::{is_library, results, tables};
use crate::ty::{Substitution, Ty, Typed, none};

/// Types in types are followed this deep.
const DEEPEST: u32 = 8;

/// What calling a member gives that the library declares, by its signature; where that does not say all of it, by tables.
pub(super) fn result(
    resolver: &Resolver<'_>,
    callee: ExprRef,
    plain: ExprRef,
    (of, found): (Typed, &LookupResult),
    args: u32,
) -> Option<Typed> {
    let declared = variant(resolver, plain.file, found, args)
        .or_else(|| by_signature(resolver, (callee, found), &of, args));
    let is_whole = |typed: &Typed| results::is_whole(&typed.ty);
    if declared.as_ref().is_some_and(is_whole) {
        return declared;
    }
    let told = told(resolver, plain, of, args).filter(is_whole);
    told.or(declared)
}

/// What calling a function of a module gives.
pub(super) fn of_function(
    resolver: &Resolver<'_>,
    callee: ExprRef,
    found: &LookupResult,
    args: u32,
) -> Option<Typed> {
    let mut followed = found.clone();
    followed.defs = Vec::new();
    for def in &found.defs {
        followed.defs.extend(resolver.resolve_alias(*def).ends);
    }
    by_signature(resolver, (callee, &followed), &Typed::unknown(), args)
}

/// What tables and rules say of a member of such a type.
fn told(resolver: &Resolver<'_>, plain: ExprRef, of: Typed, args: u32) -> Option<Typed> {
    let name = called_name(resolver, plain)?;
    let file = plain.file;
    let named = match &of.ty {
        Ty::Instance(def, _) if is_library(def.file) => {
            let container = members::as_library_type(resolver, &of.ty)?;
            return library_types::call(resolver, file, &container, name, args)
                .map(Typed::inferred);
        }
        Ty::Instance(..) | Ty::Type(..) | Ty::Param(_) if !of_library(&of.ty) => {
            let container = members::as_library_type(resolver, &of.ty)?;
            return library_types::call(resolver, file, &container, name, args)
                .map(Typed::inferred);
        }
        ty => tables::as_named(resolver, ty),
    };
    let is_type = matches!(named, Ty::ExternalType(..));
    if !is_type && let Some(ty) = library_types::call(resolver, file, &named, name, args) {
        return Some(Typed::inferred(ty));
    }
    let named = Typed {
        ty: named,
        is_declared: of.is_declared,
    };
    builtins::method(resolver, file, plain, named, name, args)
}

fn of_library(of: &Ty) -> bool {
    matches!(of, Ty::Instance(def, _) | Ty::Type(def, _) if is_library(def.file))
}

/// What calling a variant of an enum makes: its type, with the arguments that the values say.
fn variant(
    resolver: &Resolver<'_>,
    file: FileNo,
    found: &LookupResult,
    args: u32,
) -> Option<Typed> {
    let [variant] = found.defs[..] else {
        return None;
    };
    let bound = resolver.file(variant.file)?;
    let def = bound.def(variant.def);
    if def.kind != DefKind::EnumMember {
        return None;
    }
    let owner = resolver.owner(variant)?;
    let params = resolver.params_of(owner);
    let mut subst = Vec::new();
    let mut fields: Vec<u32> = match def.inner {
        NONE => Vec::new(),
        inner => bound.all_in(inner).collect(),
    };
    fields.sort_unstable();
    for (field, at) in fields.iter().zip(resolver.each(file, args, |at| at)) {
        let field = DefRef {
            file: variant.file,
            def: *field,
        };
        let (pattern, actual) = (resolver.type_of_def(field).ty, resolver.type_of(at).ty);
        infer_type_args::infer_type_args(resolver, &pattern, &actual, &params, &mut subst, DEEPEST);
    }
    let given = params.iter().map(|param| {
        let known = subst.iter().find(|(known, _)| known == param);
        known.map_or(Ty::Unknown, |(_, ty)| ty.clone())
    });
    let made = Ty::Instance(owner, given.collect());
    let ty = match tables::is_told(resolver, owner) {
        true => tables::as_named(resolver, &made),
        false => made,
    };
    Some(Typed::declared(ty))
}

fn by_signature(
    resolver: &Resolver<'_>,
    (callee, found): (ExprRef, &LookupResult),
    of: &Typed,
    args: u32,
) -> Option<Typed> {
    let plain = resolver.type_of_found(found);
    let function = match resolver.expr(callee) {
        Expr::Apply { args, .. } => call::applied(resolver, callee.file, plain, args),
        _ => plain,
    };
    let Ty::Function(defs, subst) = &function.ty else {
        return None;
    };
    // What is written as `_` is what the rest says.
    let is_said = |(_, ty): &&(DefRef, Ty)| !inference_placeholders::is_hole(resolver, ty);
    let subst = &subst
        .iter()
        .filter(is_said)
        .cloned()
        .collect::<Substitution>();
    let file = callee.file;
    let called = Ty::Function(defs.clone(), subst.clone());
    let mut result = call::result_of(resolver, file, &called, args);
    if let [def] = defs[..] {
        let written = ExprRef {
            file: def.file,
            expr: resolver.def(def)?.ty,
        };
        if written.expr == NONE {
            // A function without a result gives nothing.
            return Some(Typed::declared(Ty::Tuple(none())));
        }
        if is_unread(resolver, written, &result.ty) {
            return None;
        }
        let receiver = self_substitution::instance(&of.ty);
        let known = || {
            let more = infer_type_args::type_args_of_call(resolver, file, def, subst, args, true);
            subst.iter().chain(more.iter()).cloned().collect()
        };
        result.ty = projections::put(resolver, known, receiver.as_ref(), (written, &result.ty));
        if let (Some(of), Some(receiver)) = (trait_around(resolver, def), &receiver) {
            result.ty = self_substitution::replaced(resolver, &result.ty, (of, receiver), DEEPEST);
        }
    }
    let ty = without_open(&result.ty, DEEPEST);
    Some(Typed {
        ty,
        is_declared: result.is_declared && function.is_declared,
    })
}

/// Whether a result is a path behind a type (`<I as SliceIndex<[T]>>::Output`) of which nothing but its name is known.
fn is_unread(resolver: &Resolver<'_>, written: ExprRef, ty: &Ty) -> bool {
    let name = match resolver.file(written.file) {
        Some(bound) => bound.head_name(written.expr),
        None => None,
    };
    let is_path = matches!(resolver.expr(written), Expr::Member { .. });
    is_path && matches!(ty, Ty::External(of, _) if of.is_some() && *of == name)
}

/// The trait that declares a method.
fn trait_around(resolver: &Resolver<'_>, method: DefRef) -> Option<DefRef> {
    let owner = resolver.owner(method)?;
    super::support::is_trait(resolver, owner).then_some(owner)
}

/// A type without the library's type parameters of which nothing said what they stand for.
pub(super) fn without_open(of: &Ty, depth: u32) -> Ty {
    let Some(depth) = depth.checked_sub(1) else {
        return of.clone();
    };
    let all = |of: &[Ty]| of.iter().map(|of| without_open(of, depth)).collect();
    match of {
        Ty::Param(param) if is_library(param.file) => Ty::Unknown,
        Ty::External(name, args) => Ty::External(*name, all(args)),
        Ty::Instance(def, args) => Ty::Instance(*def, all(args)),
        Ty::Tuple(parts) => Ty::Tuple(all(parts)),
        Ty::Array(of) => Ty::array(without_open(of, depth)),
        of => of.clone(),
    }
}

/// What a found method of a trait is given by the receiver's associated types: `Self::Item`.
pub(super) fn with_associated(
    resolver: &Resolver<'_>,
    receiver: &Ty,
    found: LookupResult,
) -> LookupResult {
    let [def] = found.defs[..] else {
        return found;
    };
    let receiver = self_substitution::instance(receiver);
    let (Some(receiver), Some(of)) = (
        receiver.filter(|_| is_library(def.file)),
        trait_around(resolver, def),
    ) else {
        return found;
    };
    let associated = super::trait_bindings::associated_types(resolver, of);
    let mut subst = found.subst.to_vec();
    // Of a function that is passed by its path nothing else says what `Self` is.
    subst.push((of, receiver.clone()));
    for alias in associated {
        let is_known = |(known, ty): &(DefRef, Ty)| {
            *known == alias && *ty != Ty::Param(alias) && !ty.is_unknown()
        };
        if subst.iter().any(is_known) {
            continue;
        }
        if let Some(ty) = associated_types::of_type(resolver, alias, &receiver) {
            subst.retain(|(known, _)| *known != alias);
            subst.push((alias, ty));
        }
    }
    LookupResult {
        subst: subst.into(),
        ..found
    }
}

/// The type parameters of the block around a function: `T` of `Mutex::new`.
pub(super) fn params_around(resolver: &Resolver<'_>, function: DefRef) -> Vec<DefRef> {
    let Some(bound) = resolver.file(function.file) else {
        return Vec::new();
    };
    let scope = bound.scope(bound.def(function.def).scope);
    let is_in_block = scope.kind == ScopeKind::Class
        && scope.owner != NONE
        && bound.def(scope.owner).kind == DefKind::Impl;
    if !is_in_block || !is_library(function.file) {
        return Vec::new();
    }
    resolver.params_of(DefRef {
        file: function.file,
        def: scope.owner,
    })
}
