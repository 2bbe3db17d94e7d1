//! The protocols of the language: what iterating a value, indexing it and waiting for it give, by the members that it
//! declares for that.

use codecortex_bind::facts::{NONE, space};

use crate::call;
use crate::contextual;
use crate::ids::{DefRef, FileNo};
use crate::library_types;
use crate::resolver::Resolver;
use crate::standard_library::{is_library, tables};
use crate::ty::{Ty, Typed};

/// Promises of promises are followed this far.
const DEEPEST: u32 = 4;

/// What a value gives by one of the protocols, `iter`, `index` or `await`.
pub(super) fn unwrapped(resolver: &Resolver<'_>, file: FileNo, of: &Ty, how: &str) -> Option<Ty> {
    match how {
        "iter" => iterated(resolver, file, of),
        "index" => indexed(resolver, of),
        "await" => kept(resolver, file, of, DEEPEST),
        _ => None,
    }
}

/// The same of a type from outside that the language's own library declares.
pub(super) fn unwrapped_outside(
    resolver: &Resolver<'_>,
    file: FileNo,
    of: &Ty,
    how: &str,
) -> Option<Ty> {
    let declared = tables::as_declared(resolver, of.clone(), file);
    (declared != *of)
        .then(|| unwrapped(resolver, file, &declared, how))
        .flatten()
}

/// What a value gives that says itself how it is iterated: what the steps of its iterator hold.
fn iterated(resolver: &Resolver<'_>, file: FileNo, of: &Ty) -> Option<Ty> {
    let iterator = given(resolver, file, of, "[Symbol.iterator]")
        .or_else(|| given(resolver, file, of, "[Symbol.asyncIterator]"))?;
    let declared = tables::as_declared(resolver, iterator.clone(), file);
    let step = given(resolver, file, &declared, "next").and_then(|step| {
        let step = library_types::unwrap(resolver, file, &step, "await").unwrap_or(step);
        held(resolver, file, &step)
    });
    step.or_else(|| {
        let is_other = iterator != *of;
        is_other
            .then(|| library_types::unwrap(resolver, file, &iterator, "iter"))
            .flatten()
    })
}

/// What a step of an iterator holds that is not its last.
fn held(resolver: &Resolver<'_>, file: FileNo, step: &Ty) -> Option<Ty> {
    match step {
        Ty::External(_, args) => args.first().cloned(),
        Ty::Union(parts) => {
            let held = parts.iter().filter_map(|part| held(resolver, file, part));
            let held: Vec<Ty> = held.collect();
            (!held.is_empty()).then(|| Ty::union(held))
        }
        Ty::Instance(def, args) if is_library(def.file) => {
            let name = resolver.name_of(*def)?;
            let is_last = resolver.workspace.text(name) == "IteratorReturnResult";
            args.first().filter(|_| !is_last).cloned()
        }
        _ => {
            let name = resolver.workspace.name("value")?;
            let found = resolver.member(step, name, space::VALUE, file);
            (!found.defs.is_empty()).then(|| resolver.type_of_found(&found).ty)
        }
    }
}

/// What an index signature gives.
fn indexed(resolver: &Resolver<'_>, of: &Ty) -> Option<Ty> {
    let Ty::Instance(def, args) = of else {
        return None;
    };
    let parts = resolver.parts(*def);
    let mut scopes = parts.scopes.iter();
    let ty = scopes.find_map(|(file, scope)| resolver.indexed(*file, *scope))?;
    Some(ty.with(&resolver.substitution_of(*def, args)))
}

/// What waiting for a value gives that has a method `then`: what that hands on.
fn kept(resolver: &Resolver<'_>, file: FileNo, of: &Ty, depth: u32) -> Option<Ty> {
    let depth = depth.checked_sub(1)?;
    let name = resolver.workspace.name("then")?;
    let found = resolver.member(of, name, space::ANY, file);
    if found.defs.is_empty() {
        return None;
    }
    let function = resolver.type_of_found(&found);
    let callback = contextual::contextual_param(resolver, file, &function, 0);
    let kept = contextual::contextual_param(resolver, file, &callback, 0).ty;
    if kept.is_unknown() {
        return Some(kept);
    }
    let inner = tables::as_declared(resolver, kept.clone(), file);
    Some(kept_in(resolver, file, &inner, depth).unwrap_or(kept))
}

fn kept_in(resolver: &Resolver<'_>, file: FileNo, of: &Ty, depth: u32) -> Option<Ty> {
    matches!(of, Ty::Instance(..))
        .then(|| kept(resolver, file, of, depth))
        .flatten()
}

/// What a method of a value gives that is called without arguments.
fn given(resolver: &Resolver<'_>, file: FileNo, of: &Ty, name: &str) -> Option<Ty> {
    let name = resolver.workspace.name(name)?;
    let found = resolver.member(of, name, space::VALUE, file);
    let function: Typed = resolver.type_of_found(&found);
    (!found.defs.is_empty()).then(|| call::result_of(resolver, file, &function.ty, NONE).ty)
}

/// The type arguments with which a value is iterable, or can be waited for.
pub(super) fn args_by_form(resolver: &Resolver<'_>, of: DefRef, value: &Ty) -> Option<Vec<Ty>> {
    let name = resolver.workspace.text(resolver.name_of(of)?);
    let value = tables::as_declared(resolver, value.clone(), of.file);
    let held = match name {
        "PromiseLike" | "Promise" => kept(resolver, of.file, &value, DEEPEST),
        "Iterable" | "AsyncIterable" => iterated(resolver, of.file, &value),
        "Iterator" | "AsyncIterator" => {
            let step = given(resolver, of.file, &value, "next")?;
            held(resolver, of.file, &step)
        }
        "ArrayLike" => indexed(resolver, &value),
        _ => None,
    };
    held.map(|held| vec![held])
}
