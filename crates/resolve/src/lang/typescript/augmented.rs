//! What programs add to types of the workspace's own modules: `declare module "./a" { interface A { … } }`.

use codecortex_bind::DESCRIBED;
use codecortex_bind::facts::{DefKind, NONE, ScopeId, flag, space};

use super::modules::resolve;
use crate::query::Query;
use crate::workspace::{DefRef, FileNo, Sym};

/// All declarations of a type in its module and in what is added to that, if anything is added anywhere.
pub(super) fn parts(query: &Query<'_>, of: DefRef) -> Vec<DefRef> {
    let marks = query.workspace.sym(DESCRIBED);
    let marks = marks.map_or(&[][..], |marks| query.workspace.globals(marks));
    let (Some(def), Some(name)) = (query.def(of), query.name_of(of)) else {
        return Vec::new();
    };
    if marks.is_empty() || !matches!(def.kind, DefKind::Interface | DefKind::Class) {
        return Vec::new();
    }
    let meant = match def.scope {
        0 => vec![of],
        scope => described(query, of.file, scope, name),
    };
    let Some(first) = meant.first() else {
        return meant;
    };
    let added: Vec<DefRef> = marks
        .iter()
        .flat_map(|mark| added_by(query, *mark, name, *first))
        .collect();
    meant.into_iter().chain(added).collect()
}

/// What a description of a module adds to a type.
fn added_by(query: &Query<'_>, mark: DefRef, name: Sym, to: DefRef) -> Vec<DefRef> {
    let Some(bound) = query.file(mark.file) else {
        return Vec::new();
    };
    let inner = bound.def(mark.def).inner;
    let local = bound.local(name).filter(|_| inner != NONE);
    let added: Vec<DefRef> = local
        .into_iter()
        .flat_map(|local| bound.defs_in(inner, local))
        .map(|def| DefRef { def, ..mark })
        .collect();
    if added.is_empty() || !described(query, mark.file, inner, name).contains(&to) {
        return Vec::new();
    }
    added
}

/// What has a name in the module that the scope of a description describes, if the workspace has that module.
fn described(query: &Query<'_>, file: FileNo, scope: ScopeId, name: Sym) -> Vec<DefRef> {
    let path = query.file(file).and_then(|bound| {
        let owner = bound.defs().get(bound.scope(scope).owner as usize)?;
        let is_described = owner.kind == DefKind::Module && owner.flags & flag::UNWRITTEN != 0;
        is_described.then(|| query.workspace.text(bound.sym(owner.name)))
    });
    let module = path.and_then(|path| resolve(query, file, path.trim_matches('"')));
    let Some(module) = module else {
        return Vec::new();
    };
    let found = query.module_member(module, 0, name, space::TYPE).defs;
    let ends = found.into_iter().flat_map(|def| query.follow(def).ends);
    ends.collect()
}
