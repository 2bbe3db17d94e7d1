//! What the parts of C#'s rules share.

use codecortex_bind::facts::{Expr, NONE};

use crate::ids::{ExprRef, Name};
use crate::resolver::Resolver;
use crate::ty::{Ty, none};

/// Languages of one family see each other's definitions.
pub(super) const FAMILY: u8 = 22;

/// The name of a type from outside.
pub(super) fn named<'w>(resolver: &Resolver<'w>, ty: &Ty) -> &'w str {
    match ty {
        Ty::External(Some(name), _) | Ty::ExternalType(Some(name), _) => {
            resolver.workspace.text(*name)
        }
        _ => "",
    }
}

/// A type from outside by its name and arguments.
pub(super) fn outside(resolver: &Resolver<'_>, name: &str, args: Vec<Ty>) -> Ty {
    Ty::External(resolver.workspace.name(name), args.into())
}

/// The receiver and name of a callee `a.b` or `a.b<T>`.
pub(super) fn receiver(resolver: &Resolver<'_>, callee: ExprRef) -> Option<(ExprRef, Name)> {
    let file = callee.file;
    let plain = match resolver.expr(callee) {
        Expr::Apply { of, .. } => ExprRef { file, expr: of },
        _ => callee,
    };
    match resolver.expr(plain) {
        Expr::Member { of, name, .. } if of != NONE => {
            Some((ExprRef { file, expr: of }, resolver.file(file)?.name(name)))
        }
        _ => None,
    }
}

/// A type from outside without arguments.
pub(super) fn plain(resolver: &Resolver<'_>, name: &str) -> Ty {
    Ty::External(resolver.workspace.name(name), none())
}
