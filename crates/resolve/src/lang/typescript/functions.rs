//! Functions that are called by way of their own methods: `f.call(x)`, `f.apply(x, all)`, `f.bind(x)`.

use codecortex_bind::facts::{Expr, NONE};

use crate::query::Query;
use crate::ty::{Ty, Typed};
use crate::workspace::ExprRef;

/// What such a method gives: what the function does, or the function itself.
pub(super) fn call(query: &Query<'_>, callee: ExprRef) -> Option<Typed> {
    let Expr::Member { of, name, .. } = query.expr(callee) else {
        return None;
    };
    let name = query.workspace.text(query.file(callee.file)?.sym(name));
    if !matches!(name, "call" | "apply" | "bind") {
        return None;
    }
    let function = query.type_of(ExprRef { expr: of, ..callee });
    if !matches!(function.ty, Ty::Function(..)) || !query.find(callee).defs.is_empty() {
        return None;
    }
    let typed = match name {
        "bind" => function,
        _ => query.result_of(callee.file, &function.ty, NONE),
    };
    Some(typed.and(false))
}
