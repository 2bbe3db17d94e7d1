//! Functions of packages that stand in a module: `task::spawn_blocking(…)`, `use tokio::spawn`. What they give stands in the table of library types under the module's last name; the arguments of such a row are what is
//! written behind `::<`.

use codecortex_bind::facts::{DefKind, Expr, NONE};

use crate::ids::{ExprRef, Name};
use crate::library_types;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed, none};

/// What calling such a function gives.
pub(super) fn result(resolver: &Resolver<'_>, callee: ExprRef, args: u32) -> Option<Typed> {
    let file = callee.file;
    let (plain, written) = match resolver.expr(callee) {
        Expr::Apply { of, args } => {
            let written = resolver.each(file, args, |at| resolver.lower_type(at).ty);
            (ExprRef { file, expr: of }, written.into())
        }
        _ => (callee, none()),
    };
    let (module, name) = path(resolver, plain)?;
    let is_module = resolver
        .workspace
        .text(module)
        .starts_with(|first: char| first.is_ascii_lowercase());
    if !is_module {
        return None;
    }
    let of = Ty::ExternalType(Some(module), written);
    let name = resolver.workspace.text(name);
    library_types::call(resolver, file, &of, name, args).map(Typed::inferred)
}

/// The module and name of a function from outside, as it is written where it is called or imported.
fn path(resolver: &Resolver<'_>, callee: ExprRef) -> Option<(Name, Name)> {
    let bound = resolver.file(callee.file)?;
    match bound.expr(callee.expr) {
        Expr::Member { of, name, .. } => {
            let module = bound.head_name(of)?;
            let receiver = resolver.type_of(ExprRef { expr: of, ..callee }).ty;
            // A value of that name is no module.
            let is_outside =
                matches!(receiver, Ty::ExternalType(..)) && resolver.find(callee).is_empty();
            is_outside.then(|| (module, bound.name(name)))
        }
        Expr::Name { .. } => {
            let found = resolver.find(callee);
            let [alias] = found.defs[..] else {
                return None;
            };
            let def = resolver.def(alias)?;
            let followed = resolver.resolve_alias(alias);
            let is_outside = followed.ends.is_empty() && followed.external;
            if def.kind != DefKind::Alias || def.value == NONE || !is_outside {
                return None;
            }
            let bound = resolver.file(alias.file)?;
            match bound.expr(def.value) {
                Expr::Member { of, name, .. } => Some((bound.head_name(of)?, bound.name(name))),
                _ => None,
            }
        }
        _ => None,
    }
}
