//! What a declaration that moves uses of its old file: imports, and other declarations.

use std::ops::Range;

use codecortex_bind::facts::{DefKind, Expr, NONE, Role, ScopeKind};
use codecortex_resolve::{DefRef, ExprRef, FileNo, Resolver};

/// Something of the old file that is used in what moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OutgoingUse {
    /// The import or declaration in the old file.
    pub(crate) def: DefRef,
    /// Its name there.
    pub(crate) name: String,
    /// Whether it is an import.
    pub(crate) is_import: bool,
    /// Whether it is used as a value: in another way than as a type.
    pub(crate) is_value: bool,
    /// Whether it is assigned.
    pub(crate) is_written: bool,
    /// The first byte of the first use.
    pub(crate) at: u32,
    /// The first bytes of all uses.
    pub(crate) uses: Vec<u32>,
}

/// What the stretches of a file use of the rest of it.
pub(crate) fn outgoing(
    resolver: &Resolver<'_>,
    file: FileNo,
    stretches: &[Range<u32>],
) -> Vec<OutgoingUse> {
    let Some(bound) = resolver.workspace().file(file) else {
        return Vec::new();
    };
    let is_inside = |at: u32| stretches.iter().any(|range| range.contains(&at));
    let mut found: Vec<OutgoingUse> = Vec::new();
    for range in stretches {
        for (expr, at, _, role) in resolver.uses_between(file, range.start, range.end) {
            let Expr::Name { name: written, .. } = bound.expr(expr) else {
                continue;
            };
            if role.0 == Role::Doc as u8 {
                continue;
            }
            let target = resolver.target(ExprRef { file, expr });
            let written = resolver.text(bound.name(written));
            let of_file = |def: &&DefRef| {
                def.file == file
                    && is_at_top(resolver, **def)
                    && !resolver.place(**def).is_some_and(is_inside)
            };
            let import = target
                .via_aliases
                .iter()
                .filter(of_file)
                .find(|def| resolver.name(**def) == written);
            let own = target.defs.iter().find(|def| of_file(def));
            let Some(def) = import.or(own).copied() else {
                continue;
            };
            let is_value = role.0 != Role::Type as u8;
            let is_written = role.0 == Role::Write as u8 || role.0 == Role::ReadWrite as u8;
            let name = resolver.name(def);
            match found.iter_mut().find(|other| other.name == name) {
                Some(other) => {
                    other.is_value |= is_value;
                    other.is_written |= is_written;
                    other.uses.push(at);
                }
                None => found.push(OutgoingUse {
                    def,
                    name: name.to_owned(),
                    is_import: resolver.kind(def) == Some(DefKind::Alias),
                    is_value,
                    is_written,
                    at,
                    uses: vec![at],
                }),
            }
        }
    }
    found
}

/// Whether a definition is at the top of its file.
pub(crate) fn is_at_top(resolver: &Resolver<'_>, def: DefRef) -> bool {
    let is_top = |kind: ScopeKind| matches!(kind, ScopeKind::File | ScopeKind::Namespace);
    let (Some(found), Some(bound)) = (
        resolver.definition(def),
        resolver.workspace().file(def.file),
    ) else {
        return false;
    };
    let scope = bound.scope(found.scope);
    // Imports of Java are names in a block around the types of the file.
    let is_import_block = found.kind == DefKind::Alias
        && scope.kind == ScopeKind::Block
        && scope.parent != NONE
        && is_top(bound.scope(scope.parent).kind);
    is_top(scope.kind) || is_import_block
}

/// Whether a name is used or given out in a file outside of some stretches.
pub(crate) fn is_used_outside(
    resolver: &Resolver<'_>,
    file: FileNo,
    name: &str,
    stretches: &[Range<u32>],
    import: DefRef,
) -> bool {
    let workspace = resolver.workspace();
    let Some((bound, local)) = workspace
        .file(file)
        .and_then(|bound| Some((bound, bound.local(workspace.name(name)?)?)))
    else {
        return false;
    };
    let is_inside = |at: u32| stretches.iter().any(|range| range.contains(&at));
    let place = resolver.place(import);
    // The import names what it brings in its own statement.
    let own = resolver
        .definition(import)
        .and_then(|def| bound.expr(def.value).written());
    let own = own.map(|(_, at, _)| at);
    let mut uses = bound.uses().filter(|(_, other, at, role)| {
        *other == local
            && !is_inside(*at)
            && Some(*at) != place
            && Some(*at) != own
            && *role != Role::Doc
    });
    uses.any(|(expr, ..)| matches!(bound.expr(expr), Expr::Name { .. }))
        || bound.exported().contains(&local)
}
