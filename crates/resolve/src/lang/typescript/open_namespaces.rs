//! Namespaces whose parts are in several files: those of scripts, and what modules say of them by `declare global`.
//!
//! What one part gives out is a member of the namespace wherever it is named, and types of one name in several parts are
//! one type.

use codecortex_bind::facts::{DefKind, NONE, ScopeId, ScopeKind, flag, space};

use super::{globals, modules};
use crate::ids::{DefRef, FileNo, Name};
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;

/// Namespaces are in one another this deep.
const DEEPEST: u32 = 16;

/// So many parts of a namespace are told.
const MAX: usize = 256;

/// What the other parts of the namespace that a scope is of give out under a name.
pub(super) fn member_of_others(
    resolver: &Resolver<'_>,
    file: FileNo,
    scope: ScopeId,
    name: Name,
    spaces: u8,
) -> LookupResult {
    let parts = others(resolver, file, scope, DEEPEST).into_iter();
    let defs = parts.flat_map(|part| given_out(resolver, part, name, spaces));
    LookupResult::defs(defs.collect())
}

/// The declarations that are one with this one because they stand in other parts of a namespace, or declare a part of
/// a global one.
pub(super) fn merged(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let (Some(bound), Some(def)) = (resolver.file(of.file), resolver.def(of)) else {
        return Vec::new();
    };
    let name = bound.name(def.name);
    match def.scope {
        0 if def.flags & flag::INTERNAL != 0 => globals::parts(resolver, of.file, name),
        0 => Vec::new(),
        scope => member_of_others(resolver, of.file, scope, name, def.spaces).defs,
    }
}

fn given_out(
    resolver: &Resolver<'_>,
    (file, scope): (FileNo, ScopeId),
    name: Name,
    spaces: u8,
) -> Vec<DefRef> {
    let Some(bound) = resolver.file(file) else {
        return Vec::new();
    };
    let rules = resolver.rules(file);
    let local = bound.local(name).into_iter();
    local
        .flat_map(|local| bound.defs_in(scope, local))
        .filter(|def| rules.is_exported(bound, bound.def(*def), spaces))
        .map(|def| DefRef { file, def })
        .collect()
}

/// The scopes of the other parts of the namespace that a scope is of.
fn others(
    resolver: &Resolver<'_>,
    file: FileNo,
    scope: ScopeId,
    depth: u32,
) -> Vec<(FileNo, ScopeId)> {
    let (Some(bound), Some(depth)) = (resolver.file(file), depth.checked_sub(1)) else {
        return Vec::new();
    };
    let of = bound.scope(scope);
    let owner = bound.defs().get(of.owner as usize);
    let is_namespace = |flags: u32| of.kind == ScopeKind::Module && flags & flag::UNWRITTEN == 0;
    let Some(owner) = owner.filter(|owner| is_namespace(owner.flags)) else {
        return Vec::new();
    };
    let name = bound.name(owner.name);
    let is_global = || owner.flags & flag::INTERNAL != 0 || modules::is_script(bound);
    let declared: Vec<DefRef> = match owner.scope {
        0 if is_global() => globals::parts(resolver, file, name),
        around => {
            let mut around_all = others(resolver, file, around, depth);
            around_all.push((file, around));
            let all = around_all.into_iter();
            all.flat_map(|part| given_out_or_own(resolver, part, file, name))
                .collect()
        }
    };
    let scopes = declared.into_iter().take(MAX).filter_map(|part| {
        let def = resolver.def(part)?;
        let is_part = def.kind == DefKind::Module && def.inner != NONE;
        is_part.then_some((part.file, def.inner))
    });
    scopes.filter(|part| *part != (file, scope)).collect()
}

/// Namespaces of a name in a part of the one around, in its own file those that it does not give out as well.
fn given_out_or_own(
    resolver: &Resolver<'_>,
    part: (FileNo, ScopeId),
    own: FileNo,
    name: Name,
) -> Vec<DefRef> {
    if part.0 != own {
        return given_out(resolver, part, name, space::NAMESPACE);
    }
    let Some(bound) = resolver.file(own) else {
        return Vec::new();
    };
    let local = bound.local(name).into_iter();
    let all = local.flat_map(|local| bound.defs_in(part.1, local));
    all.map(|def| DefRef { file: own, def }).collect()
}
