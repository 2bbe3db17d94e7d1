//! Extension methods beside a type's own.

use codecortex_bind::facts::Expr;

use crate::query::{Found, Query};
use crate::ty::Ty;
use crate::workspace::ExprRef;

/// Extension methods that a call means because no method that the type itself has can take its arguments.
pub(super) fn instead(query: &Query<'_>, at: ExprRef, receiver: &Ty) -> Option<Found> {
    let Expr::Member { name, spaces, .. } = query.expr(at) else {
        return None;
    };
    let name = query.file(at.file)?.sym(name);
    if !matches!(receiver, Ty::Instance(..)) || query.workspace.extensions(name).is_empty() {
        return None;
    }
    let Expr::Call { args, .. } = query.expr(query.call_of(at)?) else {
        return None;
    };
    let own = query.member(receiver, name, spaces, at.file);
    let takes = |found: &Found| {
        let mut defs = found.defs.iter();
        defs.any(|def| query.can_take(*def, &found.env, at, args))
    };
    let are_methods = own
        .defs
        .iter()
        .all(|def| query.def(*def).is_some_and(|def| def.kind.is_callable()));
    if own.is_empty() || !are_methods || takes(&own) {
        return None;
    }
    let added = query.extension(receiver, name, at.file);
    takes(&added).then_some(added)
}
