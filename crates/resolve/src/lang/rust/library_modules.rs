//! The modules of the standard library, and the names that its prelude brings to every file.
//!
//! `core` and `alloc` are read as `std`: what they have, `std` has under the same path.

use codecortex_bind::facts::{Def, DefKind};

use crate::ids::{DefRef, FileNo, Name};
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;
use crate::ty::Ty;

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
pub(super) const PRELUDE: &str = "std/prelude/rust_2021.rs";

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
