//! Traits in scope: the methods of a trait can be called where it is declared, imported, or brought by a glob import.

use codecortex_bind::facts::{DefKind, space};

use super::memo::RustMemo;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::resolver::Resolver;
use crate::ty::Ty;

/// Whether a file has a trait in scope anywhere: methods are looked up by file. A file that names the trait imports it,
/// as it does with `use a::Trait as _`; nothing else brings it but a glob import.
pub(super) fn has_in_scope(resolver: &Resolver<'_>, from: FileNo, of: DefRef) -> bool {
    if of.file == from {
        return true;
    }
    let memo = resolver.languages.get::<RustMemo>();
    if let Some(known) = memo.traits_in_scope.borrow().get(&(from, of)) {
        return *known;
    }
    let is_in_scope = name_of(resolver, of).is_none_or(|name| names_it(resolver, from, name));
    memo.traits_in_scope
        .borrow_mut()
        .insert((from, of), is_in_scope);
    is_in_scope
}

/// Whether the methods of an `impl` can be called in a file: those of a type's own always, those of a trait where that
/// is in scope. A trait from outside may be in the prelude.
pub(super) fn can_call(resolver: &Resolver<'_>, from: FileNo, block: DefRef) -> bool {
    let Some(bound) = resolver.file(block.file) else {
        return true;
    };
    let bases = bound.bases().iter().filter(|base| base.def == block.def);
    let lowered = bases.map(|base| {
        let (file, expr) = (block.file, base.of);
        resolver.lower_type(ExprRef { file, expr }).ty
    });
    lowered.into_iter().all(|base| match base {
        Ty::Instance(of, _) => has_in_scope(resolver, from, of),
        _ => true,
    })
}

fn name_of(resolver: &Resolver<'_>, of: DefRef) -> Option<Name> {
    let bound = resolver.file(of.file)?;
    let def = resolver.def(of)?;
    (def.kind == DefKind::Trait).then(|| bound.name(def.name))
}

fn names_it(resolver: &Resolver<'_>, from: FileNo, name: Name) -> bool {
    let Some(bound) = resolver.file(from) else {
        return true;
    };
    let in_glob = |index| {
        let found = resolver.in_glob_import(from, index as u32, name, space::TYPE);
        !found.is_empty() || found.external
    };
    bound.local(name).is_some() || (0..bound.glob_imports().len()).any(in_glob)
}
