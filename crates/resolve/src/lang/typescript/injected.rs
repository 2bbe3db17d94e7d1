//! What containers of dependencies give for a class or a token: `inject(Service)`, `TestBed.inject(Service)`,
//! `module.get(Service)`. Programs get most of their objects so, and the containers are hardly ever in the workspace.

use codecortex_bind::facts::Expr;

use super::hooks;
use crate::containers;
use crate::query::Query;
use crate::ty::{Ty, Typed};
use crate::workspace::{ExprRef, FileNo};

/// Functions and methods that give an instance of what they are given first.
const GIVERS: [&str; 3] = ["inject", "get", "resolve"];

/// What such a call gives.
pub(super) fn call(query: &Query<'_>, file: FileNo, callee: ExprRef, args: u32) -> Option<Typed> {
    let plain = match query.expr(callee) {
        Expr::Apply { of, .. } => ExprRef { file, expr: of },
        _ => callee,
    };
    let (name, receiver) = match query.expr(plain) {
        Expr::Name { name, .. } => (name, None),
        Expr::Member { name, of, .. } => (name, Some(ExprRef { file, expr: of })),
        _ => return None,
    };
    let name = query.workspace.text(query.file(file)?.sym(name));
    // As a function by itself only the first is more than a name.
    let is_giver = GIVERS.contains(&name) && (receiver.is_some() || name == GIVERS[0]);
    let first = *query.file(file)?.list(args).first().filter(|_| is_giver)?;
    let ty = match query.type_of(ExprRef { file, expr: first }).ty {
        Ty::Type(class, args) => Ty::Instance(class, args),
        Ty::External(Some(token), held) if query.workspace.text(token) == "InjectionToken" => {
            held.first()?.clone()
        }
        _ => return None,
    };
    // Maps are asked by classes too.
    let held = receiver.and_then(|receiver| {
        let receiver = query.type_of(receiver).ty;
        containers::call(query, file, &receiver, name, args)
    });
    (held.is_none() && hooks::is_outside(query, plain)).then(|| Typed::guess(ty))
}
