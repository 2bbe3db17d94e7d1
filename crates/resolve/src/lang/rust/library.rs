//! The declarations of the standard library: its modules, the prelude, and the members of what it declares no type for
//! (SPEC D30).
//!
//! `core` and `alloc` are read as `std`: what they have, `std` has under the same path. A primitive type, a slice and a
//! tuple have blocks in a file of their own (`std/i32.rs`, `std/slice.rs`), and nothing else.

use std::rc::Rc;

use codecortex_bind::facts::{Def, DefKind, Expr, NONE, ScopeKind, space};
use rustc_hash::FxHashSet;

use super::memo::RustMemo;
use super::support::is_trait;
use super::{blanket, members, trait_scope};
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::infer_type_args;
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;
use crate::standard_library::{is_library, tables};
use crate::ty::{Substitution, Ty, no_substitution};

/// The crates whose items the library has.
pub(super) const CRATES: [&str; 3] = ["std", "core", "alloc"];

/// The modules in which types are meant by their simple names, the best known first.
pub(super) const MODULES: [&str; 24] = [
    "std/option.rs",
    "std/result.rs",
    "std/string.rs",
    "std/vec.rs",
    "std/boxed.rs",
    "std/rc.rs",
    "std/collections.rs",
    "std/iter.rs",
    "std/slice.rs",
    "std/collections/hash_map.rs",
    "std/cell.rs",
    "std/sync.rs",
    "std/sync/atomic.rs",
    "std/task.rs",
    "std/future.rs",
    "std/ops.rs",
    "std/mem.rs",
    "std/thread.rs",
    "std/sync/mpsc.rs",
    "std/borrow.rs",
    "std/convert.rs",
    "std/pin.rs",
    "std/io.rs",
    "std/str.rs",
];

/// The language's number among families.
pub(super) const FAMILY: u8 = 21;

/// The module whose names every file sees.
const PRELUDE: &str = "std/prelude/rust_2021.rs";

/// The module of the library that a path without ending has, or the folder that has further ones.
fn module_at(resolver: &Resolver<'_>, from: FileNo, path: &str) -> Option<LookupResult> {
    let workspace = resolver.workspace;
    let family = resolver.rules(from).family();
    if let Some(file) = workspace.library_file_at(family, &format!("{path}.rs")) {
        return Some(LookupResult::typed(Ty::Module(file, 0)));
    }
    if !workspace.is_library_namespace(family, path) {
        return None;
    }
    let path = workspace.shared_name(&path.replace('/', "."))?;
    Some(LookupResult::typed(Ty::Namespace(path)))
}

/// The library itself; nothing where it is not known.
pub(super) fn root(resolver: &Resolver<'_>, from: FileNo) -> Option<LookupResult> {
    let family = resolver.rules(from).family();
    let file = resolver.workspace.library_file_at(family, "std/lib.rs")?;
    Some(LookupResult::typed(Ty::Module(file, 0)))
}

/// A module in a module of the library.
pub(super) fn submodule(resolver: &Resolver<'_>, file: FileNo, name: Name) -> LookupResult {
    let path = resolver.workspace.path(file).unwrap_or_default();
    let folder = match path.strip_suffix(".rs").unwrap_or(path) {
        "std/lib" => "std",
        folder => folder,
    };
    let path = format!("{folder}/{}", resolver.workspace.text(name));
    module_at(resolver, file, &path).unwrap_or_else(LookupResult::nothing)
}

/// What a folder of the library has that is no module itself: `std::os`.
pub(super) fn in_folder(
    resolver: &Resolver<'_>,
    from: FileNo,
    folder: Name,
    name: Name,
) -> LookupResult {
    let text = |name| resolver.workspace.text(name);
    let path = format!("{}/{}", text(folder).replace('.', "/"), text(name));
    module_at(resolver, from, &path).unwrap_or_else(LookupResult::external)
}

/// What the prelude has under a name.
pub(super) fn prelude(
    resolver: &Resolver<'_>,
    from: FileNo,
    name: Name,
    spaces: u8,
) -> LookupResult {
    let family = resolver.rules(from).family();
    let Some(file) = resolver.workspace.library_file_at(family, PRELUDE) else {
        return LookupResult::nothing();
    };
    let Some(bound) = resolver.file(file) else {
        return LookupResult::nothing();
    };
    let local = bound.local(name).into_iter();
    let aliases = local.flat_map(|local| bound.defs_in(0, local));
    let mut defs = Vec::new();
    for def in aliases.map(|def| DefRef { file, def }) {
        for end in resolver.resolve_alias(def).ends {
            let is_meant = |def: &Def| def.spaces & spaces != 0 && def.kind != DefKind::Macro;
            if !defs.contains(&end) && resolver.def(end).is_some_and(is_meant) {
                defs.push(end);
            }
        }
    }
    LookupResult::defs(defs)
}

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
    let target = members::associated(resolver, *def, args, "Target").filter(|target| target != of);
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

/// A member of a trait of the prelude that the library implements for all types of some kind: `into`, `to_string`.
fn of_all(
    resolver: &Resolver<'_>,
    of: &Ty,
    (name, spaces): (Name, u8),
    from: FileNo,
) -> LookupResult {
    if spaces & space::VALUE == 0 || !declares(resolver, of, from) {
        return LookupResult::nothing();
    }
    let traits = traits_for_all(resolver, from);
    let found = traits.iter().map(|of| {
        let own = resolver.own_members(&resolver.parts(*of), name, spaces);
        LookupResult::defs(own)
    });
    let mut found = found.filter(|found| !found.defs.is_empty());
    found.next().unwrap_or_else(LookupResult::nothing)
}

/// Traits that attributes implement.
const DERIVABLE: [&str; 8] = [
    "Clone",
    "Debug",
    "Default",
    "Eq",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
];

/// A method of a trait that a type has by an attribute: `#[derive(Clone)]`.
pub(super) fn derived(resolver: &Resolver<'_>, name: Name, from: FileNo) -> LookupResult {
    let traits = DERIVABLE.iter().filter_map(|name| {
        let name = resolver.workspace.shared_name(name)?;
        let found = prelude(resolver, from, name, space::TYPE);
        found.defs.first().copied()
    });
    let mut found = traits.map(|of| {
        let own = resolver.own_members(&resolver.parts(of), name, space::VALUE);
        LookupResult::defs(own)
    });
    let found = found.find(|found| !found.defs.is_empty());
    found.unwrap_or_else(LookupResult::nothing)
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

/// The traits of the prelude with an implementation for a type parameter.
fn traits_for_all(resolver: &Resolver<'_>, from: FileNo) -> Rc<[DefRef]> {
    let memo = resolver.languages.get::<RustMemo>();
    if let Some(known) = &*memo.library_traits_for_all.borrow() {
        return known.clone();
    }
    *memo.library_traits_for_all.borrow_mut() = Some([].into());
    let mut found = Vec::new();
    let family = resolver.rules(from).family();
    let file = resolver.workspace.library_file_at(family, PRELUDE);
    if let Some((file, bound)) = file.and_then(|file| Some((file, resolver.file(file)?))) {
        let aliases = (0..bound.defs().len() as u32).map(|def| DefRef { file, def });
        let ends = aliases.flat_map(|alias| resolver.resolve_alias(alias).ends);
        found.extend(ends.filter(|end| is_trait(resolver, *end) && is_for_all(resolver, *end)));
    }
    let found: Rc<[DefRef]> = found.into();
    *memo.library_traits_for_all.borrow_mut() = Some(found.clone());
    found
}

fn is_for_all(resolver: &Resolver<'_>, of: DefRef) -> bool {
    let (Some(bound), Some(name)) = (resolver.file(of.file), resolver.name_of(of)) else {
        return false;
    };
    let of_file = |param: Name| resolver.workspace.written_outside(of.file, param);
    let mut blocks = blanket::parameter_names(resolver).flat_map(of_file);
    blocks.any(|block| {
        let mut bases = bound.bases().iter().filter(|base| base.def == block.def);
        let expr = resolver.def(*block).map_or(NONE, |def| def.ty);
        let file = block.file;
        let is_param = || matches!(resolver.lower_type(ExprRef { file, expr }).ty, Ty::Param(_));
        bases.any(|base| bound.head_name(base.of) == Some(name)) && is_param()
    })
}
