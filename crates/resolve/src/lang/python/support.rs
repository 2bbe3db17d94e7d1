//! What the parts of Python's rules share.

use codecortex_bind::facts::{DefKind, Expr, flag};

use crate::ids::{DefRef, ExprRef};
use crate::resolver::Resolver;

/// Whether a value is an enumeration's class.
pub(super) fn is_enumeration(resolver: &Resolver<'_>, of: DefRef) -> bool {
    resolver
        .def(of)
        .is_some_and(|def| def.kind == DefKind::Enum && def.flags & flag::ABSTRACT == 0)
}

/// The name that is called: `f` of `f(…)` and of `a.f(…)`.
pub(super) fn called_name<'w>(resolver: &Resolver<'w>, callee: ExprRef) -> Option<&'w str> {
    let bound = resolver.file(callee.file)?;
    match bound.expr(callee.expr) {
        Expr::Name { name, .. } | Expr::Member { name, .. } => {
            Some(resolver.workspace.text(bound.name(name)))
        }
        _ => None,
    }
}
