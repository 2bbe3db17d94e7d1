//! Methods that give what they are called on: `m(): this`, and those that return `this`.

use codecortex_bind::facts::{DefKind, Expr, NONE, flag};

use crate::query::Query;
use crate::ty::{Ty, Typed};
use crate::workspace::{DefRef, ExprRef};

/// What a method gives whose result depends on the type it is called on, which derives from the method's own.
pub(super) fn called(query: &Query<'_>, callee: ExprRef) -> Option<Typed> {
    let Expr::Member { of, .. } = query.expr(callee) else {
        return None;
    };
    let methods = query.find(callee).defs;
    let result = result_of(query, *methods.first()?)?;
    let is_such = |method: &DefRef| result_of(query, *method).is_some();
    let receiver = receiver(query, ExprRef { expr: of, ..callee })?;
    if !methods.iter().all(is_such) || is_own(query, methods[0], &receiver.ty) {
        return None;
    }
    let is_declared = query.def(methods[0])?.ty != NONE;
    Some(Typed {
        ty: put(query, result, &receiver.ty),
        sure: receiver.sure && is_declared && methods.len() == 1,
    })
}

/// The type of what a method is called on; `super` is the instance that the code has.
fn receiver(query: &Query<'_>, of: ExprRef) -> Option<Typed> {
    let typed = match query.expr(of) {
        Expr::Super { scope } => query.this(of.file, scope),
        _ => query.type_of(of),
    };
    (!typed.ty.is_unknown()).then_some(typed)
}

/// The expression of a method's result, if the type that it is called on is in it.
fn result_of(query: &Query<'_>, method: DefRef) -> Option<ExprRef> {
    let def = query.def(method)?;
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
    let has_it = match query.expr(at) {
        Expr::This { .. } => true,
        Expr::Union { of } if def.ty != NONE => query
            .each(at.file, of, |part| is_this(query, part))
            .contains(&true),
        Expr::Union { of } => !query
            .each(at.file, of, |part| is_this(query, part))
            .contains(&false),
        _ => false,
    };
    (def.kind == DefKind::Method && expr != NONE && has_it).then_some(at)
}

fn is_this(query: &Query<'_>, at: ExprRef) -> bool {
    matches!(query.expr(at), Expr::This { .. })
}

/// Whether a method is called on the type that declares it, where what is declared says all.
fn is_own(query: &Query<'_>, method: DefRef, receiver: &Ty) -> bool {
    match receiver {
        Ty::Instance(class, _) | Ty::Type(class, _) => query.owner(method) == Some(*class),
        _ => false,
    }
}

/// A result with the receiver's type in the places of `this`.
fn put(query: &Query<'_>, result: ExprRef, receiver: &Ty) -> Ty {
    match query.expr(result) {
        Expr::Union { of } => {
            let parts = query.each(result.file, of, |part| match is_this(query, part) {
                true => receiver.clone(),
                false => query.denotes(part).ty,
            });
            Ty::union(parts)
        }
        _ => receiver.clone(),
    }
}
