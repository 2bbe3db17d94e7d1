//! What is seen everywhere, by its name or as a member of the object that has everything global.

use codecortex_bind::facts::{Expr, flag, space};

use super::modules::is_script;
use crate::query::{Found, Query};
use crate::ty::{Ty, none};
use crate::workspace::{ExprRef, FileNo, Sym};

/// Names of the object that has everything global.
pub(super) const OBJECTS: [&str; 3] = ["window", "self", "globalThis"];

/// What scripts and `declare global` say of a name.
pub(super) fn named(query: &Query<'_>, file: FileNo, name: Sym, spaces: u8) -> Found {
    let defs = query.globals(file, name).filter(|def| {
        let Some(file) = query.file(def.file) else {
            return false;
        };
        let def = file.def(def.def);
        let is_global = def.flags & flag::INTERNAL != 0 || is_script(file);
        is_global && def.spaces & spaces != 0
    });
    Found::defs(defs.collect())
}

/// A variable that programs add to what is global, as a member: `window.x`, `globalThis.x`.
pub(super) fn global_member(query: &Query<'_>, at: ExprRef) -> Option<Found> {
    let Expr::Member { of, name, .. } = query.expr(at) else {
        return None;
    };
    let bound = query.file(at.file)?;
    let of = ExprRef { expr: of, ..at };
    let Expr::Name { name: object, .. } = bound.expr(of.expr) else {
        return None;
    };
    let is_global = OBJECTS.contains(&query.workspace.text(bound.sym(object)));
    if !is_global || !query.find(of).defs.is_empty() {
        return None;
    }
    let found = named(query, at.file, bound.sym(name), space::VALUE);
    (!found.is_empty()).then_some(found)
}

/// What is global in a browser, as far as it is said in the workspace.
pub(super) fn global_object(query: &Query<'_>, file: FileNo) -> Found {
    let Some(name) = query.workspace.sym("Window") else {
        return Found::nothing();
    };
    let said = named(query, file, name, space::TYPE).defs;
    let said: Vec<Ty> = said
        .into_iter()
        .map(|def| Ty::Instance(def, none()))
        .collect();
    match said.is_empty() {
        true => Found::nothing(),
        false => Found::typed(Ty::union(said)).guessed(),
    }
}
