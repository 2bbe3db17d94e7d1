//! Types that both tables and a language's own library know: what members and bases the tables do not say is the
//! library's.
//!
//! Tables know a type by its simple name; the library has the type that this name means in its best-known namespace.

use codecortex_bind::facts::{Literal, ScopeKind};

use crate::distinct_types::any_of;
use crate::file::BoundFile;
use crate::ids::{DefRef, FileNo, Name};
use crate::lookup::result::LookupResult;
use crate::paths::split_path;
use crate::resolver::Resolver;
use crate::standard_library::is_library;
use crate::ty::{Ty, Tys};

/// Literals whose types rules know by their names.
const LITERALS: [Literal; 6] = [
    Literal::Text,
    Literal::Character,
    Literal::Integer,
    Literal::Float,
    Literal::Boolean,
    Literal::Bytes,
];

/// Whether a definition is the type that tables know by its name.
pub(crate) fn is_told(resolver: &Resolver<'_>, of: DefRef) -> bool {
    if !is_library(of.file) {
        return false;
    }
    let name = resolver.name_of(of);
    name.is_some_and(|name| {
        is_named(resolver, of.file, name)
            && declared(resolver, of.file, (name, resolver.params_of(of).len())) == Some(of)
    })
}

/// A type that tables know, by its name, as the library declares it; other types as they are.
pub(crate) fn as_declared(resolver: &Resolver<'_>, of: Ty, from: FileNo) -> Ty {
    let found = match &of {
        Ty::External(Some(name), args) | Ty::ExternalType(Some(name), args) => {
            known(resolver, from, (*name, args.len()))
                .map(|def| (def, arguments(resolver, def, args)))
        }
        _ => in_own_form(resolver, &of, from),
    };
    match (found, &of) {
        (Some((def, args)), Ty::ExternalType(..)) => Ty::Type(def, args),
        (Some((def, args)), _) => Ty::Instance(def, args),
        (None, _) => of,
    }
}

/// The library's type of what the language has a form of its own for.
fn in_own_form(resolver: &Resolver<'_>, of: &Ty, from: FileNo) -> Option<(DefRef, Tys)> {
    if !resolver.workspace.has_libraries() {
        return None;
    }
    let (name, mut args) = resolver.rules(from).library_form(of)?;
    if let Ty::Tuple(parts) = of {
        args = vec![any_of(resolver, from, parts)];
    }
    let name = resolver.workspace.shared_name(name)?;
    let def = declared(resolver, from, (name, args.len()))?;
    Some((def, arguments(resolver, def, &args.into())))
}

/// A type of the library by its name, as tables know types of that name; other types as they are.
pub(crate) fn as_named(resolver: &Resolver<'_>, of: &Ty) -> Ty {
    match of {
        Ty::Instance(def, args) | Ty::Type(def, args) if is_library(def.file) => {
            match (resolver.name_of(*def), of) {
                (Some(name), Ty::Instance(..)) => Ty::External(Some(name), args.clone()),
                (Some(name), _) => Ty::ExternalType(Some(name), args.clone()),
                (None, _) => of.clone(),
            }
        }
        _ => of.clone(),
    }
}

/// A member of a type from outside that tables know, as the library declares it.
pub(crate) fn member(
    resolver: &Resolver<'_>,
    of: &Ty,
    (name, spaces): (Name, u8),
    from: FileNo,
) -> Option<LookupResult> {
    let (Ty::Instance(def, args) | Ty::Type(def, args)) = as_declared(resolver, of.clone(), from)
    else {
        return None;
    };
    let found = resolver.member_of_type(def, &args, name, spaces);
    (!found.is_empty()).then_some(found)
}

/// The types of the library that all types of a kind derive from, though nobody writes it.
pub(crate) fn implied_bases(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    if !resolver.workspace.has_libraries() {
        return Vec::new();
    }
    let Some(kind) = resolver.def(of).map(|def| def.kind) else {
        return Vec::new();
    };
    let rules = resolver.rules(of.file);
    let names = rules.implied_bases(kind).iter().chain(rules.root_type());
    let names = names.filter_map(|name| resolver.workspace.shared_name(name));
    let bases = names.filter_map(|name| declared(resolver, of.file, (name, 0)));
    bases.filter(|base| *base != of).collect()
}

/// What a library has of a type that tables know by this name.
fn known(resolver: &Resolver<'_>, from: FileNo, of: (Name, usize)) -> Option<DefRef> {
    if !resolver.workspace.has_libraries() || !is_named(resolver, from, of.0) {
        return None;
    }
    declared(resolver, from, of)
}

/// Whether the tables of a language know members of a type from outside.
pub(crate) fn is_known(resolver: &Resolver<'_>, file: FileNo, name: Name) -> bool {
    let rules = resolver.rules(file);
    let text = resolver.workspace.text(name);
    rules.library_types().knows(text) || rules.is_value_type(text)
}

/// Whether tables or rules speak of a type by this name.
fn is_named(resolver: &Resolver<'_>, from: FileNo, name: Name) -> bool {
    let text = resolver.workspace.text(name);
    let rules = resolver.rules(from);
    is_known(resolver, from, name)
        || rules.is_top_type(text)
        || rules.speaks_of_all_library_types()
        || rules.is_dynamic(text)
        || LITERALS.iter().any(|of| rules.literal(*of) == text)
}

/// The type that a simple name means in its best-known namespace; of several that have the name that with so many type
/// parameters, else the first.
fn declared(resolver: &Resolver<'_>, from: FileNo, (name, arity): (Name, usize)) -> Option<DefRef> {
    let memo = &resolver.library_types;
    let key = (resolver.rules(from).family(), name, arity);
    if let Some(found) = memo.borrow().get(&key) {
        return *found;
    }
    let found = declared_now(resolver, from, (name, arity));
    memo.borrow_mut().insert(key, found);
    found
}

fn declared_now(
    resolver: &Resolver<'_>,
    from: FileNo,
    (name, arity): (Name, usize),
) -> Option<DefRef> {
    let workspace = resolver.workspace;
    let rules = resolver.rules(from);
    let text = rules.library_name(workspace.text(name));
    let name = workspace.shared_name(text)?;
    let mut modules = rules.library_modules().iter();
    let in_module = |path: &&str| {
        let file = workspace.library_file_at(rules.family(), path)?;
        let bound = resolver.file(file)?;
        let mut defs = bound.defs_in(0, bound.local(name)?);
        let def = defs.find(|def| bound.def(*def).kind.is_type())?;
        Some(DefRef { file, def })
    };
    if !rules.library_modules().is_empty() {
        return modules.find_map(in_module);
    }
    let nested = rules.nested_library_types().iter();
    let outer = nested.copied().find(|(inner, _)| *inner == text);
    let stem = outer.map_or(text, |(_, outer)| outer);
    let rank = |path: &str| {
        let folder = split_path(path).0;
        let mut namespaces = rules.library_namespaces().iter();
        let place = namespaces.position(|namespace| *namespace == folder);
        place.unwrap_or(usize::MAX)
    };
    let files = workspace.library_files_of(rules.family(), stem);
    let (file, path) = files.min_by_key(|(file, path)| (rank(path), *file))?;
    if rules.speaks_of_all_library_types() && rank(path) == usize::MAX {
        return None;
    }
    let bound = workspace.library_file(file)?;
    let of_name = |def: &u32| {
        let found = bound.def(*def);
        found.kind.is_type()
            && bound.name(found.name) == name
            && is_nested(bound, *def) == outer.is_some()
    };
    let defs = (0..bound.defs().len() as u32).filter(of_name);
    let defs: Vec<DefRef> = defs.map(|def| DefRef { file, def }).collect();
    let has_arity = |def: &&DefRef| resolver.params_of(**def).len() == arity;
    defs.iter().find(has_arity).or(defs.first()).copied()
}

/// Whether a type is declared in another one.
fn is_nested(bound: &BoundFile, def: u32) -> bool {
    bound.scope(bound.def(def).scope).kind == ScopeKind::Class
}

/// The type arguments of a library's type; what is not written is not known.
fn arguments(resolver: &Resolver<'_>, of: DefRef, written: &Tys) -> Tys {
    let params = resolver.params_of(of).len();
    if params <= written.len() {
        return written.clone();
    }
    let mut all = written.to_vec();
    all.resize(params, Ty::Unknown);
    all.into()
}
