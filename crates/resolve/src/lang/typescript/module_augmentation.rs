//! Module augmentation: what programs add to types of the workspace's own modules, `declare module "./a" { interface A
//! { … } }`.

use codecortex_bind::DESCRIBED;
use codecortex_bind::facts::{DefKind, NONE, ScopeId, flag, space};

use super::modules::resolve;
use crate::ids::{DefRef, FileNo, Name};
use crate::resolver::Resolver;

/// All declarations of a type in its module and in what is added to that, if anything is added anywhere.
pub(super) fn parts(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let marks = resolver.workspace.name(DESCRIBED);
    let marks = marks.map_or(&[][..], |marks| resolver.workspace.globals(marks));
    let (Some(def), Some(name)) = (resolver.def(of), resolver.name_of(of)) else {
        return Vec::new();
    };
    if marks.is_empty() || !matches!(def.kind, DefKind::Interface | DefKind::Class) {
        return Vec::new();
    }
    let meant = match def.scope {
        0 => vec![of],
        scope => described(resolver, of.file, scope, name),
    };
    let Some(first) = meant.first() else {
        return meant;
    };
    let added: Vec<DefRef> = marks
        .iter()
        .flat_map(|mark| added_by(resolver, *mark, name, *first))
        .collect();
    meant.into_iter().chain(added).collect()
}

/// What a description of a module adds to a type.
fn added_by(resolver: &Resolver<'_>, mark: DefRef, name: Name, to: DefRef) -> Vec<DefRef> {
    let Some(bound) = resolver.file(mark.file) else {
        return Vec::new();
    };
    let inner = bound.def(mark.def).inner;
    let local = bound.local(name).filter(|_| inner != NONE);
    let added: Vec<DefRef> = local
        .into_iter()
        .flat_map(|local| bound.defs_in(inner, local))
        .map(|def| DefRef { def, ..mark })
        .collect();
    if added.is_empty() || !described(resolver, mark.file, inner, name).contains(&to) {
        return Vec::new();
    }
    added
}

/// What has a name in the module that the scope of a description describes, if the workspace has that module.
fn described(resolver: &Resolver<'_>, file: FileNo, scope: ScopeId, name: Name) -> Vec<DefRef> {
    let path = resolver.file(file).and_then(|bound| {
        let owner = bound.defs().get(bound.scope(scope).owner as usize)?;
        let is_described = owner.kind == DefKind::Module && owner.flags & flag::UNWRITTEN != 0;
        is_described.then(|| resolver.workspace.text(bound.name(owner.name)))
    });
    let module = path.and_then(|path| resolve(resolver, file, path.trim_matches('"')));
    let Some(module) = module else {
        return Vec::new();
    };
    let found = resolver.module_member(module, 0, name, space::TYPE).defs;
    let ends = found
        .into_iter()
        .flat_map(|def| resolver.resolve_alias(def).ends);
    ends.collect()
}
