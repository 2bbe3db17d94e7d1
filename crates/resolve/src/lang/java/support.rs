//! What the parts of Java's rules share.

use codecortex_bind::facts::Expr;

use crate::ids::{ExprRef, Name};
use crate::resolver::Resolver;
use crate::ty::{Ty, none};

/// The member and receiver of a callee `a.b` or `a.<T>b`.
pub(super) fn receiver(resolver: &Resolver<'_>, callee: ExprRef) -> Option<(ExprRef, Name)> {
    let file = callee.file;
    let plain = match resolver.expr(callee) {
        Expr::Apply { of, .. } => ExprRef { file, expr: of },
        _ => callee,
    };
    match resolver.expr(plain) {
        Expr::Member { of, name, .. } => {
            Some((ExprRef { file, expr: of }, resolver.file(file)?.name(name)))
        }
        _ => None,
    }
}

/// A type of the library by its name.
pub(super) fn named(resolver: &Resolver<'_>, name: &str) -> Option<Ty> {
    let name: Option<Name> = resolver.workspace.name(name);
    Some(Ty::External(name, none()))
}
