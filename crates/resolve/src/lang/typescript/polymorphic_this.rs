//! Polymorphic `this`: methods that return what they are called on, `m(): this`, and those that return `this`.

use codecortex_bind::facts::{DefKind, Expr, NONE, flag};

use super::support;
use crate::ids::{DefRef, ExprRef};
use crate::resolver::Resolver;
use crate::this;
use crate::ty::{Ty, Typed};

/// What a method gives whose result depends on the type it is called on, which derives from the method's own.
pub(super) fn called(resolver: &Resolver<'_>, callee: ExprRef) -> Option<Typed> {
    let Expr::Member { of, .. } = resolver.expr(callee) else {
        return None;
    };
    let methods = resolver.find(callee).defs;
    let result = result_of(resolver, *methods.first()?)?;
    let is_such = |method: &DefRef| result_of(resolver, *method).is_some();
    let receiver = receiver(resolver, ExprRef { expr: of, ..callee })?;
    if !methods.iter().all(is_such) || is_own(resolver, methods[0], &receiver.ty) {
        return None;
    }
    let is_declared = resolver.def(methods[0])?.ty != NONE;
    Some(Typed {
        ty: put(resolver, result, &receiver.ty),
        is_declared: receiver.is_declared && is_declared && methods.len() == 1,
    })
}

/// The type of what a method is called on; `super` is the instance that the code has.
fn receiver(resolver: &Resolver<'_>, of: ExprRef) -> Option<Typed> {
    let typed = match resolver.expr(of) {
        Expr::Super { scope } => this::instance(resolver, of.file, scope),
        _ => resolver.type_of(of),
    };
    (!typed.ty.is_unknown()).then_some(typed)
}

/// The expression of a method's result, if the type that it is called on is in it.
fn result_of(resolver: &Resolver<'_>, method: DefRef) -> Option<ExprRef> {
    let def = resolver.def(method)?;
    let changes = def.flags & (flag::ASYNC | flag::GENERATOR) != 0;
    let expr = match def.ty {
        NONE if changes => return None,
        NONE => def.value,
        written => written,
    };
    let at = ExprRef {
        file: method.file,
        expr,
    };
    let at = support::parts_of_intersection(resolver, at).unwrap_or(at);
    let has_it = match resolver.expr(at) {
        Expr::This { .. } => true,
        Expr::Union { of } if def.ty != NONE => resolver
            .each(at.file, of, |part| is_this(resolver, part))
            .contains(&true),
        Expr::Union { of } => !resolver
            .each(at.file, of, |part| is_this(resolver, part))
            .contains(&false),
        _ => false,
    };
    (def.kind == DefKind::Method && expr != NONE && has_it).then_some(at)
}

fn is_this(resolver: &Resolver<'_>, at: ExprRef) -> bool {
    matches!(resolver.expr(at), Expr::This { .. })
}

/// Whether a method is called on the type that declares it, where what is declared says all.
fn is_own(resolver: &Resolver<'_>, method: DefRef, receiver: &Ty) -> bool {
    match receiver {
        Ty::Instance(class, _) | Ty::Type(class, _) => resolver.owner(method) == Some(*class),
        _ => false,
    }
}

/// A result with the receiver's type in the places of `this`.
fn put(resolver: &Resolver<'_>, result: ExprRef, receiver: &Ty) -> Ty {
    match resolver.expr(result) {
        Expr::Union { of } => {
            let parts = resolver.each(result.file, of, |part| match is_this(resolver, part) {
                true => receiver.clone(),
                false => resolver.lower_type(part).ty,
            });
            Ty::union(parts)
        }
        _ => receiver.clone(),
    }
}
