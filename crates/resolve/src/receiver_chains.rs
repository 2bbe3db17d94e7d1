//! Receiver chains (`a.b().c().d()`): types of the calls of a long one are inferred from the first one on.

use codecortex_bind::facts::Expr;

use crate::ids::ExprRef;
use crate::resolver::Resolver;

/// Chains of more calls than this are climbed; what is shorter is never too deep.
const SHORT: usize = 6;

/// So many steps are gone down at most.
const LONGEST: usize = 2048;

/// Finds out what the calls that a call's receiver is made of give, the innermost first. Then each has what it is
/// called on at hand, and however long a chain is, it leads no deeper than a short one.
pub(crate) fn infer_receiver_chain(resolver: &Resolver<'_>, at: ExprRef) {
    let mut calls = Vec::new();
    let mut inner = at;
    for _ in 0..LONGEST {
        let (Expr::Call { of, .. }
        | Expr::Member { of, .. }
        | Expr::Apply { of, .. }
        | Expr::Index { of, .. }
        | Expr::Await { of }
        | Expr::Unwrap { of }) = resolver.expr(inner)
        else {
            break;
        };
        inner.expr = of;
        if matches!(resolver.expr(inner), Expr::Call { .. }) {
            if resolver.types.has(&inner) {
                break;
            }
            calls.push(inner);
        }
    }
    if calls.len() > SHORT {
        for call in calls.into_iter().rev() {
            resolver.type_of(call);
        }
    }
}
