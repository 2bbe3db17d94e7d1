//! Declarations that already have the new name where a renamed declaration is seen.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{Def, DefKind, NONE, Scope, ScopeId, ScopeKind, flag};

use crate::file::BoundFile;
use crate::hierarchy;
use crate::ids::{DefRef, Name};
use crate::list::push;
use crate::lookup::request::LookupRequest;
use crate::resolver::Resolver;
use crate::ty::none;

/// Declarations with this name in the scopes and types of these; without those that are among these.
pub(crate) fn name_clashes(resolver: &Resolver<'_>, of: &[DefRef], new: &str) -> Vec<DefRef> {
    let Some(name) = resolver.workspace.name(new) else {
        return Vec::new();
    };
    let mut clashes = Vec::new();
    for def in of {
        resolver.reset_budget();
        for clash in clashes_of(resolver, *def, name) {
            if !of.contains(&clash) {
                push(&mut clashes, clash);
            }
        }
    }
    clashes
}

fn clashes_of(resolver: &Resolver<'_>, of: DefRef, name: Name) -> Vec<DefRef> {
    let (Some(bound), Some(def)) = (resolver.file(of.file), resolver.def(of)) else {
        return Vec::new();
    };
    if def.kind == DefKind::Constructor {
        return Vec::new(); // its type is asked
    }
    let mut found = in_scope(bound, of, def, name);
    match bound.scope(def.scope).kind {
        ScopeKind::Class => {}
        ScopeKind::Function | ScopeKind::Block | ScopeKind::Header => {
            found.extend(in_function(resolver, bound, of, name));
        }
        ScopeKind::Object => {}
        ScopeKind::File | ScopeKind::Namespace | ScopeKind::Module => {
            // Nothing else may be meant by it at the place of the declaration.
            let request = LookupRequest::any(name, u32::MAX, def.spaces);
            found.extend(resolver.lookup(of.file, def.scope, request).defs);
        }
    }
    let is_member = def.flags & flag::MEMBER != 0
        || bound.scope(def.scope).kind == ScopeKind::Class
        || def.container != NONE;
    if is_member {
        found.extend(in_type(resolver, of, name, def.spaces));
    }
    found.retain(|other| *other != of && resolver.name_of(*other) == Some(name));
    found
}

/// Definitions in the same scope that share a space of names.
fn in_scope(bound: &BoundFile, of: DefRef, def: &Def, name: Name) -> Vec<DefRef> {
    let Some(local) = bound.local(name) else {
        return Vec::new();
    };
    let file = of.file;
    let same = bound.defs_in(def.scope, local);
    let same = same.filter(|other| bound.def(*other).spaces & def.spaces != 0);
    same.map(|def| DefRef { file, def }).collect()
}

/// Local definitions that a language forbids beside a local one: those of the whole function where nested blocks may not
/// use a name again, else those of the scopes right around and right inside, as parameters and body are apart.
fn in_function(resolver: &Resolver<'_>, bound: &BoundFile, of: DefRef, name: Name) -> Vec<DefRef> {
    let (Some(local), Some(def)) = (bound.local(name), resolver.def(of)) else {
        return Vec::new();
    };
    let is_local = |scope: &ScopeId| {
        matches!(
            bound.scope(*scope).kind,
            ScopeKind::Function | ScopeKind::Block | ScopeKind::Header
        )
    };
    let forbids_nested = matches!(
        bound.dialect(),
        Dialect::Java | Dialect::CSharp | Dialect::AngelScript
    );
    let outermost = resolver
        .scopes_up(bound, def.scope)
        .take_while(is_local)
        .last();
    let Some(around) = outermost.map(|scope| bound.scope(scope)) else {
        return Vec::new();
    };
    let is_beside = |scope: ScopeId| {
        let [inner, outer] = [scope, def.scope].map(|scope| bound.scope(scope));
        let is_function = |scope: &Scope| scope.kind == ScopeKind::Function;
        inner.parent == def.scope && is_function(outer)
            || outer.parent == scope && is_function(inner)
    };
    let file = of.file;
    let inside = bound.defs_of(local).filter(|other| {
        let other = bound.def(*other);
        let scope = bound.scope(other.scope);
        let is_within = around.start <= scope.start && scope.end <= around.end;
        let counts = is_beside(other.scope) || forbids_nested && is_within;
        counts && is_local(&other.scope) && other.spaces & def.spaces != 0
    });
    inside.map(|def| DefRef { file, def }).collect()
}

/// Members of the type of a member, of its bases, and of what derives from it.
fn in_type(resolver: &Resolver<'_>, of: DefRef, name: Name, spaces: u8) -> Vec<DefRef> {
    let Some(owner) = resolver.owner(of) else {
        return Vec::new();
    };
    let mut found = resolver.member_of_type(owner, &none(), name, spaces).defs;
    found.extend(resolver.own_members(&resolver.parts(owner), name, spaces));
    for derived in hierarchy::derived(resolver, owner) {
        found.extend(resolver.own_members(&resolver.parts(derived), name, spaces));
    }
    found
}
