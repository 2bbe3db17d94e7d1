//! Substitution of `Self` in results of a trait's methods by the type that they are called on: `Self`, `Option<Self>`,
//! `Self::Item`.

use codecortex_bind::facts::{DefKind, Expr, NONE};

use super::support::is_trait;
use super::{associated_types, trait_bindings};
use crate::call;
use crate::ids::{DefRef, ExprRef, FileNo};
use crate::resolver::Resolver;
use crate::standard_library::is_library;
use crate::ty::{Ty, Typed};

/// Types in types are followed this deep.
const DEEPEST: u32 = 6;

/// The result of a call of a trait's method, with the receiver's type in the place of `Self`; nothing where its
/// declaration does not say `Self`.
pub(super) fn result(
    resolver: &Resolver<'_>,
    file: FileNo,
    callee: ExprRef,
    receiver: &Ty,
    args: u32,
) -> Option<Typed> {
    let function = resolver.type_of(callee);
    let Ty::Function(defs, _) = &function.ty else {
        return None;
    };
    let [method] = defs[..] else {
        return None;
    };
    let of = resolver
        .owner(method)
        .filter(|of| is_trait(resolver, *of))?;
    let expr = resolver.def(method)?.ty;
    let file_of = method.file;
    let written = ExprRef {
        file: file_of,
        expr,
    };
    if expr == NONE || !says_self(resolver, written, DEEPEST) {
        return None;
    }
    let receiver = instance(receiver).filter(|receiver| !is_of(receiver, of))?;
    let result = call::result_of(resolver, file, &function.ty, args);
    Some(Typed {
        ty: replaced(resolver, &result.ty, (of, &receiver), DEEPEST),
        is_declared: result.is_declared && function.is_declared,
    })
}

/// A value of the type that a method is called on.
pub(super) fn instance(receiver: &Ty) -> Option<Ty> {
    match receiver {
        Ty::Type(of, args) => Some(Ty::Instance(*of, args.clone())),
        Ty::Instance(..) | Ty::Param(_) | Ty::Array(_) | Ty::Tuple(_) => Some(receiver.clone()),
        Ty::External(Some(_), _) => Some(receiver.clone()),
        _ => None,
    }
}

fn is_of(ty: &Ty, of: DefRef) -> bool {
    matches!(ty, Ty::Instance(def, _) if *def == of)
}

/// Whether a type that is written names `Self` or something of it.
fn says_self(resolver: &Resolver<'_>, at: ExprRef, depth: u32) -> bool {
    let Some(bound) = resolver.file(at.file).filter(|_| depth > 0) else {
        return false;
    };
    let says = |expr| says_self(resolver, ExprRef { expr, ..at }, depth - 1);
    match bound.expr(at.expr) {
        Expr::SelfType { .. } => true,
        Expr::Member { of, .. }
        | Expr::Array { of }
        | Expr::Pointer { of }
        | Expr::Index { of, .. }
        | Expr::Value { of } => says(of),
        Expr::Apply { of, args } => says(of) || bound.list(args).iter().any(|arg| says(*arg)),
        Expr::Tuple { of } | Expr::Union { of } => bound.list(of).iter().any(|part| says(*part)),
        _ => false,
    }
}

/// A type with the receiver's in the place of the trait that stands for `Self`, and with what the receiver has for the
/// trait's associated types.
pub(super) fn replaced(resolver: &Resolver<'_>, ty: &Ty, of: (DefRef, &Ty), depth: u32) -> Ty {
    let Some(depth) = depth.checked_sub(1) else {
        return ty.clone();
    };
    let inner = |ty: &Ty| replaced(resolver, ty, of, depth);
    match ty {
        Ty::Instance(def, _) if *def == of.0 => of.1.clone(),
        Ty::Instance(def, args) => Ty::Instance(*def, args.iter().map(inner).collect()),
        Ty::External(name, args) => Ty::External(*name, args.iter().map(inner).collect()),
        Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(inner).collect()),
        Ty::Array(item) => Ty::array(inner(item)),
        Ty::Union(parts) => Ty::choice(parts.iter().map(inner).collect()),
        Ty::Pointer(to) => Ty::Pointer(inner(to).into()),
        Ty::Param(param) => by_receiver(resolver, *param, of).unwrap_or_else(|| ty.clone()),
        _ => ty.clone(),
    }
}

/// What the receiver has for an associated type of the trait.
fn by_receiver(
    resolver: &Resolver<'_>,
    param: DefRef,
    (of, receiver): (DefRef, &Ty),
) -> Option<Ty> {
    let is_associated = resolver.def(param)?.kind == DefKind::TypeAlias;
    let name = resolver.name_of(param).filter(|_| is_associated)?;
    let owner = resolver.owner(param)?;
    if owner != of && !resolver.is_subtype(of, owner) {
        return None;
    }
    if is_library(param.file) {
        return associated_types::of_type(resolver, param, receiver);
    }
    if let Some(said) = trait_bindings::said_of(resolver, receiver, param) {
        return Some(said);
    }
    let Ty::Instance(def, args) = receiver else {
        return None;
    };
    associated_types::associated(resolver, *def, args, resolver.workspace.text(name))
}
