//! Globals, by name or as members of the global object.

use codecortex_bind::facts::{DefKind, Expr, FILE_SCOPE, flag, space};

use super::modules::is_script;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;
use crate::standard_library::is_library;
use crate::ty::{Ty, none};

/// Names of the object that has everything global.
pub(super) const OBJECTS: [&str; 3] = ["window", "self", "globalThis"];

/// What scripts, `declare global` and the language's own library say of a name: of a type one of its declarations.
///
/// A name that programs declare is theirs. Only interfaces and namespaces add to what the library has.
pub(super) fn named(resolver: &Resolver<'_>, file: FileNo, name: Name, spaces: u8) -> LookupResult {
    let mut defs = of_programs(resolver, file, name, spaces);
    if adds_to_library(resolver, &defs) {
        let mut is_told = false;
        defs.extend(of_library(resolver, file, name, spaces).filter(|def| {
            let merges = resolver.def(*def).is_some_and(|def| is_open(def.kind));
            !(merges && std::mem::replace(&mut is_told, true))
        }));
    }
    LookupResult::defs(defs)
}

/// All declarations that are one with those of a name in programs and in the library.
pub(super) fn parts(resolver: &Resolver<'_>, file: FileNo, name: Name) -> Vec<DefRef> {
    let mut defs = of_programs(resolver, file, name, space::ANY);
    if adds_to_library(resolver, &defs) {
        defs.extend(of_library(resolver, file, name, space::ANY));
    }
    defs
}

fn of_programs(resolver: &Resolver<'_>, file: FileNo, name: Name, spaces: u8) -> Vec<DefRef> {
    let defs = resolver.globals(file, name).filter(|def| {
        let Some(file) = resolver.file(def.file) else {
            return false;
        };
        let def = file.def(def.def);
        let is_global = def.flags & flag::INTERNAL != 0 || is_script(file);
        is_global && def.spaces & spaces != 0
    });
    defs.collect()
}

/// What the library declares of a name; one of its files has all of that.
fn of_library<'r>(
    resolver: &'r Resolver<'_>,
    file: FileNo,
    name: Name,
    spaces: u8,
) -> impl Iterator<Item = DefRef> + use<'r> {
    let workspace = resolver.workspace;
    let rules = resolver.rules(file);
    let path = || format!("{}{}", workspace.text(name), rules.library_ending());
    let has_library = workspace.has_libraries();
    let file = has_library.then(|| workspace.library_file_at(rules.family(), &path()));
    let bound = file
        .flatten()
        .and_then(|file| Some((file, workspace.library_file(file)?)));
    bound.into_iter().flat_map(move |(file, bound)| {
        let local = bound.local(name).into_iter();
        let defs = local.flat_map(|local| bound.defs_in(FILE_SCOPE, local));
        let defs = defs.filter(move |def| bound.def(*def).spaces & spaces != 0);
        defs.map(move |def| DefRef { file, def })
    })
}

/// A type of the library.
pub(super) fn library_type(resolver: &Resolver<'_>, file: FileNo, name: &str) -> Option<DefRef> {
    let name = resolver.workspace.shared_name(name)?;
    let mut types = of_library(resolver, file, name, space::TYPE);
    types.find(|def| resolver.def(*def).is_some_and(|def| def.kind.is_type()))
}

/// A value of a type of the library; where there is no library, it is known by its name alone.
pub(super) fn instance(resolver: &Resolver<'_>, file: FileNo, name: &str, args: Vec<Ty>) -> Ty {
    match library_type(resolver, file, name) {
        Some(def) => {
            let mut args = args;
            args.resize(resolver.params_of(def).len(), Ty::Unknown);
            Ty::Instance(def, args.into())
        }
        None => Ty::External(resolver.workspace.name(name), args.into()),
    }
}

fn adds_to_library(resolver: &Resolver<'_>, defs: &[DefRef]) -> bool {
    let mut defs = defs.iter();
    defs.all(|def| resolver.def(*def).is_some_and(|def| is_open(def.kind)))
}

/// Whether several declarations of such a kind are one.
fn is_open(kind: DefKind) -> bool {
    matches!(kind, DefKind::Interface | DefKind::Module)
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
    let is_outside = |defs: &[DefRef]| defs.iter().all(|def| is_library(def.file));
    let is_global = OBJECTS.contains(&resolver.workspace.text(bound.name(object)));
    if !is_global || !is_outside(&resolver.find(of).defs) {
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
