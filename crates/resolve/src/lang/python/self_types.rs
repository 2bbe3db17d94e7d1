//! `Self` types: methods that return an instance of the class that they are called on.

use codecortex_bind::facts::{DefKind, Expr, NONE, flag};

use super::classes::is_record;
use super::support::called_name;
use crate::ids::ExprRef;
use crate::resolver::Resolver;
use crate::this;
use crate::ty::{Ty, Typed};

/// Values are followed this far.
const FARTHEST: u32 = 8;

/// What a method of an ancestor gives that makes an instance of the class it is called on: `-> Self`, `return self`,
/// `return cls(…)`.
pub(super) fn called(resolver: &Resolver<'_>, callee: ExprRef) -> Option<Typed> {
    let Expr::Member { of, .. } = resolver.expr(callee) else {
        return None;
    };
    let of = ExprRef { expr: of, ..callee };
    if this::is_super(resolver, of) {
        return None;
    }
    let receiver = resolver.type_of(of);
    let (Ty::Instance(class, args) | Ty::Type(class, args)) = receiver.ty else {
        return None;
    };
    let found = resolver.find(callee);
    if found.defs.is_empty() {
        let gives = copies_tuple(resolver, callee) && is_record(resolver, class);
        return gives.then_some(Typed {
            ty: Ty::Instance(class, args),
            is_declared: receiver.is_declared,
        });
    }
    let [method] = found.defs[..] else {
        return None;
    };
    let def = resolver.def(method)?;
    let changed = flag::ASYNC | flag::GENERATOR | flag::DECORATED;
    if def.kind != DefKind::Method || def.flags & changed != 0 {
        return None;
    }
    let owner = resolver.owner(method).filter(|owner| *owner != class)?;
    let at = |expr| ExprRef {
        file: method.file,
        expr,
    };
    let is_own = match def.ty {
        NONE => {
            let gives = resolver.declared_result(method).ty;
            matches!(gives, Ty::Instance(of, _) if of == owner)
                && is_made_of_receiver(resolver, at(def.value), FARTHEST)
        }
        written => matches!(resolver.expr(at(written)), Expr::SelfType { .. }),
    };
    is_own.then_some(Typed {
        ty: Ty::Instance(class, args),
        is_declared: receiver.is_declared && def.ty != NONE,
    })
}

/// Whether the method that every named tuple has is called that gives another one: `pair._replace(x=1)`.
fn copies_tuple(resolver: &Resolver<'_>, callee: ExprRef) -> bool {
    matches!(called_name(resolver, callee), Some("_replace" | "_make"))
}

/// Whether a value is the receiver of the method around, or is made by calling its class.
fn is_made_of_receiver(resolver: &Resolver<'_>, at: ExprRef, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let part = |expr| is_made_of_receiver(resolver, ExprRef { expr, ..at }, depth);
    match resolver.expr(at) {
        Expr::Call { of, .. } | Expr::TypeOf { of } => part(of),
        Expr::Union { of } => {
            let parts = resolver.each(at.file, of, |at| part(at.expr));
            parts.contains(&true)
        }
        Expr::Name { .. } => match resolver.find(at).defs[..] {
            [of] if of.file == at.file => resolver.def(of).is_some_and(|def| {
                def.flags & flag::RECEIVER != 0
                    || def.kind == DefKind::Variable && def.value != NONE && part(def.value)
            }),
            _ => false,
        },
        _ => false,
    }
}
