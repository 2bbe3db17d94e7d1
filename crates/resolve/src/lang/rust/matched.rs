//! Fields in patterns: the path says which, the value that is matched what the type's parameters stand for.

use codecortex_bind::facts::space;

use super::members;
use crate::containers;
use crate::query::{Found, Query};
use crate::ty::{Env, Ty, no_env};
use crate::workspace::{DefRef, ExprRef, FileNo, Sym};

/// What a field of a pattern means: `path { name, .. }` or `path(…)` of a value.
pub(super) fn field(
    query: &Query<'_>,
    file: FileNo,
    path: u32,
    value: u32,
    name: Sym,
) -> Option<Found> {
    let value = query.type_of(ExprRef { file, expr: value });
    let told = value.sure.then_some(&value.ty);
    if let Some(found) = members::of_variant(query, file, path, name) {
        let env = told.map_or_else(no_env, |ty| {
            arguments(query, ty, found.defs.first().copied())
        });
        return Some(Found { env, ..found });
    }
    let path = query.denotes(ExprRef { file, expr: path });
    match path.ty {
        Ty::Instance(def, args) => {
            let args = match told {
                Some(Ty::Instance(of, told)) if *of == def => told.clone(),
                _ => args,
            };
            let ty = Ty::Instance(def, args);
            Some(query.member(&ty, name, space::FIELD, file))
        }
        ty if ty.is_external() => outside(query, file, &value.ty, name),
        ty => Some(query.member(&ty, name, space::FIELD, file)),
    }
}

/// What a variant of a type from outside holds, where the table knows it: `Poll::Ready(x)`.
fn outside(query: &Query<'_>, file: FileNo, of: &Ty, name: Sym) -> Option<Found> {
    let is_first = query.workspace.text(name) == "0";
    let is_known = matches!(of, Ty::External(Some(_), args) if !args.is_empty());
    if !is_first || !is_known {
        return Some(Found::external());
    }
    let held = containers::unwrap(query, file, of, "unwrap")?;
    Some(Found::typed(held).guessed())
}

/// What the parameters of a type stand for in a value of it, where a field is written in that type.
fn arguments(query: &Query<'_>, of: &Ty, field: Option<DefRef>) -> Env {
    let is_around = |of: DefRef| field.is_some_and(|field| is_in(query, field, of));
    match of {
        Ty::Instance(def, args) if is_around(*def) => query.env_of(*def, args),
        Ty::Union(parts) => {
            let around = |part: &&Ty| matches!(part, Ty::Instance(def, _) if is_around(*def));
            match parts.iter().find(around) {
                Some(Ty::Instance(def, args)) => query.env_of(*def, args),
                _ => no_env(),
            }
        }
        _ => no_env(),
    }
}

/// Whether a definition is written in another one.
fn is_in(query: &Query<'_>, def: DefRef, around: DefRef) -> bool {
    let Some(bound) = query.file(def.file).filter(|_| def.file == around.file) else {
        return false;
    };
    let mut scopes = query.scopes_up(bound, bound.def(def.def).scope);
    scopes.any(|scope| bound.scope(scope).owner == around.def)
}
