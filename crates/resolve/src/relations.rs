//! Relations of declarations for call and type hierarchies: uses within them, implementations, what they implement.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{Def, DefKind, ExprId, ScopeKind, space};

use crate::at_position;
use crate::hierarchy::{self, UnsureSubtypes};
use crate::ids::{DefRef, ExprRef, FileNo};
use crate::list::push;
use crate::object_keys;
use crate::overrides;
use crate::references::RoleOf;
use crate::resolver::Resolver;
use crate::symbol_identity;

/// Every use between two bytes of a file, in source order: its expression, first byte, length and role.
#[must_use]
pub(crate) fn uses_between(
    resolver: &Resolver<'_>,
    file: FileNo,
    start: u32,
    end: u32,
) -> Vec<(ExprId, u32, u32, RoleOf)> {
    let Some(bound) = resolver.file(file) else {
        return Vec::new();
    };
    let inside = bound
        .uses()
        .filter(|(_, _, at, _)| (start..end).contains(at));
    let mut uses: Vec<_> = inside
        .map(|(expr, name, at, role)| {
            let len = resolver.workspace.text(bound.name(name)).len() as u32;
            (expr, at, len, RoleOf::from(role))
        })
        .collect();
    uses.sort_unstable_by_key(|(expr, at, ..)| (*at, *expr));
    uses
}

/// What implements, overrides or derives from a declaration: of a type what names it as a base, of a
/// member those that replace it anywhere below.
#[must_use]
pub(crate) fn implementations(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    resolver.reset_budget();
    let is_alias = |def: &Def| def.kind == DefKind::TypeAlias;
    if resolver.is_type(of) || resolver.def(of).is_some_and(is_alias) {
        return hierarchy::subtypes(resolver, of);
    }
    let mut found = of_symbol(resolver, of, overrides::overriding);
    for key in implementations_of_member(resolver, of) {
        push(&mut found, key);
    }
    found
}

/// Keys of object literals that stand for a member, or for another declaration of it.
pub(crate) fn implementations_of_member(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    of_symbol(resolver, of, keys_of_objects)
}

/// Keys of object literals that stand for a member, because an object of its type is expected where they are written:
/// `const unit: Shape = { area() { … } }`.
fn keys_of_objects(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let (Some(name), Some(def), Some(own)) = (
        resolver.name_of(of),
        resolver.def(of),
        resolver.file(of.file),
    ) else {
        return Vec::new();
    };
    if !matches!(
        own.scope(def.scope).kind,
        ScopeKind::Class | ScopeKind::Object
    ) {
        return Vec::new();
    }
    // Other languages have no objects that somebody writes down for an interface.
    let has_objects = |file| {
        let dialect = resolver.workspace.dialect(file);
        matches!(dialect, Some(Dialect::TypeScript | Dialect::JavaScript))
    };
    if !has_objects(of.file) {
        return Vec::new();
    }
    let mut keys = Vec::new();
    for file in resolver.workspace.files_with(name).iter().copied() {
        let Some(bound) = resolver.file(file).filter(|_| has_objects(file)) else {
            continue;
        };
        let Some(local) = bound.local(name) else {
            continue;
        };
        let all = bound.defs_of(local).map(|def| DefRef { file, def });
        keys.extend(all.filter(|key| {
            *key != of && object_keys::contextual_property(resolver, *key).contains(&of)
        }));
    }
    keys
}

/// What may implement a type, or a member of one, for all that is known: the base that says so has the type's name
/// alone (SPEC X3).
#[must_use]
pub(crate) fn unsure_implementations(resolver: &Resolver<'_>, of: DefRef) -> UnsureSubtypes {
    resolver.reset_budget();
    if resolver.is_type(of) {
        return hierarchy::unsure_subtypes(resolver, of);
    }
    let (Some(owner), Some(name)) = (resolver.owner(of), resolver.name_of(of)) else {
        return UnsureSubtypes::default();
    };
    let members = |types: Vec<DefRef>| -> Vec<DefRef> {
        let types = types.into_iter();
        types
            .flat_map(|derived| resolver.own_members(&resolver.parts(derived), name, space::ANY))
            .collect()
    };
    let types = hierarchy::unsure_subtypes(resolver, owner);
    UnsureSubtypes {
        by_name: members(types.by_name),
        outside: members(types.outside),
    }
}

/// What a declaration implements, overrides or derives from: of a type its bases, of a member those that
/// it replaces.
#[must_use]
pub(crate) fn implemented(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    resolver.reset_budget();
    if resolver.is_type(of) {
        return hierarchy::supertypes(resolver, of).0;
    }
    of_symbol(resolver, of, overrides::overridden)
}

/// What a question finds for any declaration of a symbol, without the symbol's own.
fn of_symbol<'q>(
    resolver: &'q Resolver<'_>,
    of: DefRef,
    question: impl Fn(&'q Resolver<'_>, DefRef) -> Vec<DefRef>,
) -> Vec<DefRef> {
    let symbol = symbol_identity::symbol(resolver, of);
    let mut found = Vec::new();
    for def in &symbol {
        for other in question(resolver, *def) {
            if !symbol.contains(&other) {
                push(&mut found, other);
            }
        }
    }
    found
}

/// Whether a part of a file names something: a name that `is_wanted` lets through, and which leads nowhere any more or
/// to a definition that `is_meant` says.
pub(crate) fn names_any(
    resolver: &Resolver<'_>,
    file: FileNo,
    extent: std::ops::Range<u32>,
    is_wanted: &dyn Fn(&str) -> bool,
    is_meant: &dyn Fn(DefRef) -> bool,
) -> bool {
    let Some(bound) = resolver.file(file) else {
        return true; // nobody knows
    };
    let mut uses = bound.uses().filter(|(_, name, at, _)| {
        extent.contains(at) && is_wanted(resolver.workspace.text(bound.name(*name)))
    });
    uses.any(|(expr, ..)| {
        resolver.reset_budget();
        let defs = at_position::target_of_written(resolver, ExprRef { file, expr }).defs;
        defs.is_empty() || defs.iter().any(|def| is_meant(*def))
    })
}
