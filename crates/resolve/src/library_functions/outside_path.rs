//! The full name of something from outside: `slices.MaxFunc`, `itertools.chain.from_iterable`.

use codecortex_bind::facts::{DefKind, Expr, NONE};

use crate::ids::ExprRef;
use crate::resolver::Resolver;
use crate::standard_library::is_library;
use crate::ty::Ty;

/// Names of imports are followed this often.
const MAX_STEPS: usize = 16;

/// The module and the names that an expression leads out of the workspace by, joined by dots; a name alone where it is
/// the language's own. Nothing for what the workspace declares.
pub(super) fn path_of(resolver: &Resolver<'_>, at: ExprRef) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    let mut at = at;
    for _ in 0..MAX_STEPS {
        let bound = resolver.file(at.file)?;
        match bound.expr(at.expr) {
            Expr::Member { of, name, .. } => {
                names.push(resolver.workspace.text(bound.name(name)));
                at = ExprRef { expr: of, ..at };
            }
            Expr::Module { name, level: 0, .. } => {
                // A module that is in the workspace has functions of its own.
                let found = resolver.find(at);
                let is_library = matches!(found.ty, Some(Ty::Module(file, _)) if is_library(file));
                if !found.is_empty() && !is_library {
                    return None;
                }
                names.push(resolver.workspace.text(bound.name(name)));
                return Some(joined(names));
            }
            Expr::Name { name, .. } => {
                let found = resolver.find(at);
                match found.defs[..] {
                    [] if found.ty.is_none() => {
                        names.push(resolver.workspace.text(bound.name(name)));
                        return Some(joined(names));
                    }
                    [def, ..] if is_library(def.file) => {
                        names.push(resolver.workspace.text(bound.name(name)));
                        return Some(joined(names));
                    }
                    [def] => {
                        let alias = resolver.def(def)?;
                        if alias.kind != DefKind::Alias || alias.value == NONE {
                            return None;
                        }
                        at = ExprRef {
                            file: def.file,
                            expr: alias.value,
                        };
                    }
                    _ => return None,
                }
            }
            _ => return None,
        }
    }
    None
}

fn joined(mut names: Vec<&str>) -> String {
    names.reverse();
    names.join(".")
}
