//! Globals, by name or as members of the global object.

use codecortex_bind::facts::{Expr, flag, space};

use super::modules::is_script;
use crate::ids::{ExprRef, FileNo, Name};
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;
use crate::ty::{Ty, none};

/// Names of the object that has everything global.
pub(super) const OBJECTS: [&str; 3] = ["window", "self", "globalThis"];

/// What scripts and `declare global` say of a name.
pub(super) fn named(resolver: &Resolver<'_>, file: FileNo, name: Name, spaces: u8) -> LookupResult {
    let defs = resolver.globals(file, name).filter(|def| {
        let Some(file) = resolver.file(def.file) else {
            return false;
        };
        let def = file.def(def.def);
        let is_global = def.flags & flag::INTERNAL != 0 || is_script(file);
        is_global && def.spaces & spaces != 0
    });
    LookupResult::defs(defs.collect())
}

/// A variable that programs add to what is global, as a member: `window.x`, `globalThis.x`.
pub(super) fn global_member(resolver: &Resolver<'_>, at: ExprRef) -> Option<LookupResult> {
    let Expr::Member { of, name, .. } = resolver.expr(at) else {
        return None;
    };
    let bound = resolver.file(at.file)?;
    let of = ExprRef { expr: of, ..at };
    let Expr::Name { name: object, .. } = bound.expr(of.expr) else {
        return None;
    };
    let is_global = OBJECTS.contains(&resolver.workspace.text(bound.name(object)));
    if !is_global || !resolver.find(of).defs.is_empty() {
        return None;
    }
    let found = named(resolver, at.file, bound.name(name), space::VALUE);
    (!found.is_empty()).then_some(found)
}

/// What is global in a browser, as far as it is said in the workspace.
pub(super) fn global_object(resolver: &Resolver<'_>, file: FileNo) -> LookupResult {
    let Some(name) = resolver.workspace.name("Window") else {
        return LookupResult::nothing();
    };
    let said = named(resolver, file, name, space::TYPE).defs;
    let said: Vec<Ty> = said
        .into_iter()
        .map(|def| Ty::Instance(def, none()))
        .collect();
    match said.is_empty() {
        true => LookupResult::nothing(),
        false => LookupResult::typed(Ty::union(said)).inferred(),
    }
}
