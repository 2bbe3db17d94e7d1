//! Types that may stand for one another by their members alone (TypeScript, JavaScript): a member that is renamed in one
//! of them is missing in the other.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{ScopeId, ScopeKind, flag};
use rustc_hash::FxHashSet;

use crate::file::BoundFile;
use crate::ids::{DefRef, FileNo, Name};
use crate::renaming::doubts::{RenameDoubt, RenameDoubtReason};
use crate::resolver::Resolver;

/// A member of another type with the name of a family, where either type has all members of the other: whether one is
/// given for the other somewhere is not known.
pub(super) fn structural_doubts(resolver: &Resolver<'_>, family: &[DefRef]) -> Vec<RenameDoubt> {
    let members: FxHashSet<DefRef> = family.iter().copied().collect();
    let sites: FxHashSet<(FileNo, u32)> = family
        .iter()
        .filter_map(|def| Some((def.file, resolver.place(*def)?)))
        .collect();
    let mut types: Vec<FxHashSet<Name>> = Vec::new();
    let Some(first) = family.iter().find(|def| is_structural(resolver, **def)) else {
        return Vec::new();
    };
    for def in family.iter().filter(|def| is_structural(resolver, **def)) {
        types.extend(type_around(resolver, *def).map(|(bound, scope)| keys(bound, scope)));
    }
    let Some(name) = resolver.name_of(*first) else {
        return Vec::new();
    };
    let files = resolver.workspace.files_with(name).iter().copied();
    for file in files.filter(|file| resolver.is_of_family(first.file, *file)) {
        let Some((bound, local)) = resolver
            .file(file)
            .and_then(|bound| Some((bound, bound.local(name)?)))
        else {
            continue;
        };
        for def in bound.defs_of(local) {
            let other = DefRef { file, def };
            let is_own = members.contains(&other) || sites.contains(&(file, bound.def(def).at));
            if is_own || !is_structural(resolver, other) {
                continue;
            }
            let Some((bound, scope)) = type_around(resolver, other) else {
                continue;
            };
            let keys = keys(bound, scope);
            if types
                .iter()
                .any(|own| own.is_subset(&keys) || keys.is_subset(own))
            {
                return vec![RenameDoubt {
                    def: *first,
                    reason: RenameDoubtReason::SameMembers(other),
                }];
            }
        }
    }
    Vec::new()
}

/// Whether a definition is a member that counts when types are compared.
fn is_structural(resolver: &Resolver<'_>, of: DefRef) -> bool {
    let dialect = resolver.workspace.dialect(of.file);
    let has_structure = matches!(dialect, Some(Dialect::TypeScript | Dialect::JavaScript));
    let hidden = flag::PRIVATE | flag::PROTECTED | flag::STATIC;
    has_structure
        && resolver.def(of).is_some_and(|def| def.flags & hidden == 0)
        && type_around(resolver, of).is_some()
}

/// The scope with the members of the type that a member is in.
fn type_around<'w>(resolver: &Resolver<'w>, of: DefRef) -> Option<(&'w BoundFile, ScopeId)> {
    let (bound, def) = (resolver.file(of.file)?, resolver.def(of)?);
    let kind = bound.scope(def.scope).kind;
    matches!(kind, ScopeKind::Class | ScopeKind::Object).then_some((bound, def.scope))
}

/// The names of the members of a type's own body that a value of it must have.
fn keys(bound: &BoundFile, scope: ScopeId) -> FxHashSet<Name> {
    let left_out = flag::OPTIONAL | flag::STATIC | flag::UNWRITTEN;
    let members = bound.all_in(scope).map(|def| bound.def(def));
    members
        .filter(|def| def.flags & left_out == 0)
        .map(|def| bound.name(def.name))
        .collect()
}
