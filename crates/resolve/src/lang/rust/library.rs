//! Members of types from outside by the declarations of the standard library, those of what it declares no type for
//! included (SPEC D30).
//!
//! A primitive type, a slice and a tuple have blocks in a file of their own (`std/i32.rs`, `std/slice.rs`), and nothing
//! else.

use super::associated_types;
use std::rc::Rc;

use codecortex_bind::facts::{DefKind, Expr, NONE, ScopeKind, space};
use rustc_hash::FxHashSet;

use super::library_modules::{FAMILY, prelude};
use super::library_traits::of_all;
use super::memo::RustMemo;
use super::support::is_trait;
use super::trait_scope;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::infer_type_args;
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;
use crate::standard_library::{is_library, tables};
use crate::ty::{Substitution, Ty, no_substitution};

/// Whether a method of a trait of the library can be called in a file.
fn is_seen(resolver: &Resolver<'_>, from: FileNo, method: DefRef) -> bool {
    if !is_library(method.file) {
        return true;
    }
    let Some(of) = trait_of(resolver, method) else {
        return true;
    };
    is_library(from)
        || is_of_prelude(resolver, from, of)
        || trait_scope::has_in_scope(resolver, from, of)
}

/// The trait that declares a member.
fn trait_of(resolver: &Resolver<'_>, member: DefRef) -> Option<DefRef> {
    let bound = resolver.file(member.file)?;
    let scope = bound.scope(bound.def(member.def).scope);
    let is_member = scope.kind == ScopeKind::Class && scope.owner != NONE;
    let of = DefRef {
        file: member.file,
        def: scope.owner,
    };
    (is_member && is_trait(resolver, of)).then_some(of)
}

fn is_of_prelude(resolver: &Resolver<'_>, from: FileNo, of: DefRef) -> bool {
    let name = resolver.name_of(of);
    name.is_some_and(|name| {
        let found = prelude(resolver, from, name, space::TYPE);
        found.defs.contains(&of)
    })
}

/// Without methods of the library's traits that are not in scope.
pub(super) fn seen(resolver: &Resolver<'_>, from: FileNo, mut found: LookupResult) -> LookupResult {
    if found.defs.iter().any(|def| is_library(def.file)) {
        found.defs.retain(|def| is_seen(resolver, from, *def));
    }
    found
}

/// Whether what was found is the library's, and its type's own: no trait's.
pub(super) fn is_inherent(resolver: &Resolver<'_>, found: &LookupResult) -> bool {
    let is_own = |def: &DefRef| is_library(def.file) && trait_of(resolver, *def).is_none();
    !found.defs.is_empty() && found.defs.iter().all(is_own)
}

/// Whether the library says what members a type from outside has.
pub(super) fn declares(resolver: &Resolver<'_>, of: &Ty, from: FileNo) -> bool {
    match of {
        Ty::Instance(def, _) | Ty::Type(def, _) => is_library(def.file),
        _ if !resolver.workspace.has_libraries() => false,
        of => {
            !shapes(resolver, of).is_empty()
                || tables::as_declared(resolver, of.clone(), from) != *of
        }
    }
}

/// The same, whoever asks.
pub(super) fn is_declared(resolver: &Resolver<'_>, of: &Ty) -> bool {
    let root = resolver.workspace.library_file_at(FAMILY, "std/lib.rs");
    root.is_some_and(|root| declares(resolver, of, root))
}

/// A member of a type from outside by the library's declarations; nothing where these have none.
pub(super) fn member(
    resolver: &Resolver<'_>,
    of: &Ty,
    name: Name,
    spaces: u8,
    from: FileNo,
) -> LookupResult {
    if !resolver.workspace.has_libraries() {
        return LookupResult::nothing();
    }
    for (path, shape) in shapes(resolver, of) {
        let found = of_shape(resolver, of, (path.as_str(), shape), (name, spaces), from);
        if !found.defs.is_empty() {
            return found;
        }
    }
    let found = match of {
        Ty::Array(element) => of_list(resolver, element, (name, spaces), from),
        of => {
            let declared = tables::as_declared(resolver, of.clone(), from);
            of_declared(resolver, &declared, (name, spaces), from)
        }
    };
    if !found.defs.is_empty() {
        return found;
    }
    of_all(resolver, of, (name, spaces), from)
}

/// A member of what its elements are taken from: to the rules a vector and an iterator are lists as well.
fn of_list(
    resolver: &Resolver<'_>,
    element: &Ty,
    (name, spaces): (Name, u8),
    from: FileNo,
) -> LookupResult {
    for head in ["Vec", "Iterator"] {
        let head = resolver.workspace.shared_name(head);
        let list = Ty::External(head, [element.clone()].into());
        if let Ty::Instance(def, args) = tables::as_declared(resolver, list, from) {
            let found = resolver.member_of_type(def, &args, name, spaces);
            let found = seen(resolver, from, found);
            if !found.defs.is_empty() {
                return found;
            }
        }
    }
    LookupResult::nothing()
}

fn of_declared(
    resolver: &Resolver<'_>,
    of: &Ty,
    (name, spaces): (Name, u8),
    from: FileNo,
) -> LookupResult {
    let (Ty::Instance(def, args) | Ty::Type(def, args)) = of else {
        return LookupResult::nothing();
    };
    if !is_library(def.file) {
        return LookupResult::nothing();
    }
    let found = resolver.member_of_type(*def, args, name, spaces);
    let found = seen(resolver, from, found);
    if !found.defs.is_empty() {
        return found;
    }
    let target =
        associated_types::associated(resolver, *def, args, "Target").filter(|target| target != of);
    let found = target.map(|target| resolver.member(&target, name, spaces, from));
    found.unwrap_or_else(LookupResult::nothing)
}

/// The files and names of the blocks for a type that is not declared.
fn shapes(resolver: &Resolver<'_>, of: &Ty) -> Vec<(String, &'static str)> {
    let files: &[(&str, &'static str)] = match of {
        Ty::Array(_) => &[("slice", "[]"), ("array", "[]")],
        Ty::Tuple(_) => &[("tuple", "()")],
        Ty::External(Some(name), _) | Ty::ExternalType(Some(name), _) => {
            let text = resolver.workspace.text(*name);
            let primitive = PRIMITIVES.iter().find(|primitive| **primitive == text);
            return primitive
                .map(|primitive| vec![(format!("std/{primitive}.rs"), *primitive)])
                .unwrap_or_default();
        }
        _ => &[],
    };
    let paths = files.iter();
    paths
        .map(|(file, name)| (format!("std/{file}.rs"), *name))
        .collect()
}

/// Types that the language has without a declaration.
pub(super) const PRIMITIVES: [&str; 17] = [
    "bool", "char", "str", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64",
    "u128", "usize", "f32", "f64",
];

/// A member by the blocks for a type of some shape: one of its own, else one of its traits.
fn of_shape(
    resolver: &Resolver<'_>,
    of: &Ty,
    (path, shape): (&str, &str),
    (name, spaces): (Name, u8),
    from: FileNo,
) -> LookupResult {
    let family = resolver.rules(from).family();
    let workspace = resolver.workspace;
    let file = workspace.library_file_at(family, path);
    let Some((file, head)) = file.zip(workspace.shared_name(shape)) else {
        return LookupResult::nothing();
    };
    let Some(bound) = resolver.file(file) else {
        return LookupResult::nothing();
    };
    let blocks = workspace.written_outside(file, head);
    let mut traits = FxHashSet::default();
    for block in blocks {
        let own = resolver.own(
            file,
            bound,
            bound.def(block.def).inner,
            name,
            u32::MAX,
            spaces,
        );
        if !own.is_empty() && blocks_fit(resolver, *block, of) {
            return LookupResult {
                subst: block_substitution(resolver, *block, of),
                ..LookupResult::defs(own)
            };
        }
    }
    for block in blocks {
        for base in bound.bases().iter().filter(|base| base.def == block.def) {
            let head = bound.head_name(base.of);
            if !head.is_some_and(|head| traits.insert(head)) {
                continue;
            }
            let at = ExprRef {
                file,
                expr: base.of,
            };
            let lowered = tables::as_declared(resolver, resolver.lower_type(at).ty, file);
            let found = of_trait(resolver, &lowered, (name, spaces));
            let found = seen(resolver, from, found);
            if !found.defs.is_empty() {
                return found;
            }
        }
    }
    LookupResult::nothing()
}

fn of_trait(resolver: &Resolver<'_>, of: &Ty, (name, spaces): (Name, u8)) -> LookupResult {
    match of {
        Ty::Instance(def, args) if is_trait(resolver, *def) => {
            resolver.member_of_type(*def, args, name, spaces)
        }
        _ => LookupResult::nothing(),
    }
}

/// Whether a block is for a type, as far as it says: `impl [u8]` is for lists of one type alone.
fn blocks_fit(resolver: &Resolver<'_>, block: DefRef, of: &Ty) -> bool {
    let expr = resolver.def(block).map_or(NONE, |def| def.ty);
    let file = block.file;
    let written = resolver.lower_type(ExprRef { file, expr }).ty;
    match (&written, of) {
        (Ty::Array(a), Ty::Array(b)) => match (&**a, &**b) {
            (Ty::External(Some(a), _), Ty::External(Some(b), _)) => a == b,
            (Ty::External(Some(_), _), b) => b.is_unknown(),
            _ => true,
        },
        _ => true,
    }
}

/// What the parameters of a block stand for, in a value of the type that it is for.
fn block_substitution(resolver: &Resolver<'_>, block: DefRef, of: &Ty) -> Substitution {
    let params = resolver.params_of(block);
    if params.is_empty() {
        return no_substitution();
    }
    let expr = resolver.def(block).map_or(NONE, |def| def.ty);
    let file = block.file;
    let written = resolver.lower_type(ExprRef { file, expr }).ty;
    let mut subst = Vec::new();
    infer_type_args::infer_type_args(resolver, &written, of, &params, &mut subst, 6);
    subst.into()
}

/// Whether a type is written as what a block of the library is for: `impl<T> Box<T>` adds to `Box`, not to what it holds.
pub(super) fn is_head_of_block(resolver: &Resolver<'_>, of: ExprRef) -> bool {
    if !is_library(of.file) {
        return false;
    }
    let memo = resolver.languages.get::<RustMemo>();
    if let Some(known) = memo.library_heads.borrow().get(&of.file) {
        return known.contains(&of.expr);
    }
    let Some(bound) = resolver.file(of.file) else {
        return false;
    };
    let blocks = bound.defs().iter().filter(|def| def.kind == DefKind::Impl);
    let heads = blocks.filter_map(|block| match bound.expr(block.ty) {
        Expr::Apply { of, .. } => Some(of),
        _ => None,
    });
    let heads: Rc<FxHashSet<u32>> = Rc::new(heads.collect());
    let is_head = heads.contains(&of.expr);
    memo.library_heads.borrow_mut().insert(of.file, heads);
    is_head
}
