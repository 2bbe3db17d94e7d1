//! Functions that are called by `Function.prototype`'s methods: `f.call(x)`, `f.apply(x, all)`, `f.bind(x)`.

use codecortex_bind::facts::{Expr, NONE};

use super::support;
use crate::call;
use crate::ids::ExprRef;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// What such a method gives: what the function does, or the function itself.
pub(super) fn call(resolver: &Resolver<'_>, callee: ExprRef) -> Option<Typed> {
    let Expr::Member { of, name, .. } = resolver.expr(callee) else {
        return None;
    };
    let name = resolver
        .workspace
        .text(resolver.file(callee.file)?.name(name));
    if !matches!(name, "call" | "apply" | "bind") {
        return None;
    }
    let function = resolver.type_of(ExprRef { expr: of, ..callee });
    if !matches!(function.ty, Ty::Function(..)) || !support::leads_out(&resolver.find(callee)) {
        return None;
    }
    let typed = match name {
        "bind" => function,
        _ => call::result_of(resolver, callee.file, &function.ty, NONE),
    };
    Some(typed.and(false))
}
