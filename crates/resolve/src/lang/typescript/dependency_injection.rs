//! Dependency injection: what injectors return for a class or a token, `inject(Service)`, `TestBed.inject(Service)`,
//! `module.get(Service)`. Programs get most of their objects so, and the injectors are hardly ever in the workspace.

use codecortex_bind::facts::Expr;

use super::support;
use crate::ids::{ExprRef, FileNo};
use crate::resolver::Resolver;
use crate::standard_library::results::leads_into_library;
use crate::ty::{Ty, Typed};

/// Functions and methods that give an instance of what they are given first.
const GIVERS: [&str; 3] = ["inject", "get", "resolve"];

/// What such a call gives.
pub(super) fn call(
    resolver: &Resolver<'_>,
    file: FileNo,
    callee: ExprRef,
    args: u32,
) -> Option<Typed> {
    let plain = match resolver.expr(callee) {
        Expr::Apply { of, .. } => ExprRef { file, expr: of },
        _ => callee,
    };
    let (name, receiver) = match resolver.expr(plain) {
        Expr::Name { name, .. } => (name, None),
        Expr::Member { name, of, .. } => (name, Some(ExprRef { file, expr: of })),
        _ => return None,
    };
    let name = resolver.workspace.text(resolver.file(file)?.name(name));
    // As a function by itself only the first is more than a name.
    let is_giver = GIVERS.contains(&name) && (receiver.is_some() || name == GIVERS[0]);
    let first = *resolver
        .file(file)?
        .list(args)
        .first()
        .filter(|_| is_giver)?;
    let ty = match resolver.type_of(ExprRef { file, expr: first }).ty {
        Ty::Type(class, args) => Ty::Instance(class, args),
        Ty::External(Some(token), held) if resolver.workspace.text(token) == "InjectionToken" => {
            held.first()?.clone()
        }
        _ => return None,
    };
    // Maps of the library are asked by classes too.
    let is_of_library = leads_into_library(&resolver.find(plain).defs);
    (!is_of_library && support::is_outside(resolver, plain)).then(|| Typed::inferred(ty))
}
