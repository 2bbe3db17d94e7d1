//! Crates and the trees of their modules.

use codecortex_bind::facts::{Def, DefKind, Expr, NONE, ScopeId, ScopeKind, flag};

use super::library_modules;
use super::memo::RustMemo;
use super::support::is_rust;
use crate::file::BoundFile;
use crate::ids::{DefRef, FileNo, Name};
use crate::lookup::request::LookupRequest;
use crate::lookup::result::LookupResult;
use crate::paths::{join, joined, split_path};
use crate::resolver::Resolver;
use crate::standard_library::is_library;
use crate::ty::Ty;

/// Folders in which each file is the root of a crate.
const HOMES_OF_ROOTS: [&str; 4] = ["tests", "benches", "examples", "bin"];

/// Deeper trees nobody writes.
const DEEPEST: usize = 32;

/// The level of what stands for the file of an `include!`.
const INCLUDED: u8 = 3;

/// What an included path begins with that is written from the package's folder on, `env!("CARGO_MANIFEST_DIR")`.
const IN_PACKAGE: &str = "$CARGO_MANIFEST_DIR/";

/// `crate`, `self`, `super`, `::name`; with level 1 the file of `mod name;`, with 2 that of its `#[path]`, with
/// [`INCLUDED`] that of an `include!`.
pub(super) fn module(resolver: &Resolver<'_>, file: FileNo, name: &str, level: u8) -> LookupResult {
    let found = |file: Option<FileNo>| {
        file.map_or_else(LookupResult::nothing, |file| {
            LookupResult::typed(Ty::Module(file, 0))
        })
    };
    match (level, name) {
        (1, path) => found(declared_file(resolver, file, path)),
        (2 | INCLUDED, path) => found(written_file(resolver, file, path)),
        (_, "crate") => found(Some(root(resolver, file))),
        (_, "self") => match includer(resolver, file) {
            Some((file, scope)) => {
                let scope = resolver
                    .file(file)
                    .map_or(0, |bound| module_around(bound, scope));
                LookupResult::typed(Ty::Module(file, scope))
            }
            None => found(Some(file)),
        },
        (_, "super") => parent_of(resolver, file, 0),
        (_, name) => named_crate(resolver, file, name),
    }
}

fn stem(file_name: &str) -> &str {
    file_name.strip_suffix(".rs").unwrap_or(file_name)
}

/// The file of `mod name;` in a file; the name may have folders of inline modules before it.
fn declared_file(resolver: &Resolver<'_>, file: FileNo, name: &str) -> Option<FileNo> {
    let (folder, file_name) = split_path(resolver.file(file)?.path());
    let own = joined(folder, stem(file_name));
    // A file that is no root has a folder of its own; a root under any name has not.
    let folders: [&str; 2] = match stem(file_name) {
        "mod" | "lib" | "main" => [folder, &own],
        _ => [&own, folder],
    };
    // A file is called without the sign of raw identifiers.
    let name = name.replace("r#", "");
    folders.into_iter().find_map(|folder| {
        let path = joined(folder, &name);
        let at = |path: String| resolver.workspace.file_at(&path);
        at(format!("{path}.rs")).or_else(|| at(format!("{path}/mod.rs")))
    })
}

/// The file that `#[path = "…"]` says, from the folder of the file it is in.
fn written_file(resolver: &Resolver<'_>, file: FileNo, path: &str) -> Option<FileNo> {
    let (folder, _) = split_path(resolver.file(file)?.path());
    if let Some(path) = path.strip_prefix(IN_PACKAGE) {
        return file_of_package(resolver, folder, path);
    }
    if path.starts_with('$') {
        return None; // what a build makes
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    resolver.workspace.file_at(&parts.join("/"))
}

/// A file by its path from the folder of a package on, which is one of those around the asking file: the nearest that has it.
fn file_of_package(resolver: &Resolver<'_>, folder: &str, path: &str) -> Option<FileNo> {
    let mut around = folder;
    for _ in 0..DEEPEST {
        let found = join(around, path).and_then(|path| resolver.workspace.file_at(&path));
        if found.is_some() || around.is_empty() {
            return found;
        }
        around = split_path(around).0;
    }
    None
}

/// The module around a file or a module in one.
pub(super) fn parent_of(resolver: &Resolver<'_>, file: FileNo, scope: ScopeId) -> LookupResult {
    let Some(bound) = resolver.file(file) else {
        return LookupResult::nothing();
    };
    if scope != 0 {
        return LookupResult::typed(Ty::Module(
            file,
            module_around(bound, bound.scope(scope).parent),
        ));
    }
    if let Some((includer, scope)) = includer(resolver, file) {
        let around = resolver
            .file(includer)
            .map_or(0, |bound| module_around(bound, scope));
        return parent_of(resolver, includer, around);
    }
    match parent(resolver, file) {
        Some((file, scope)) => LookupResult::typed(Ty::Module(file, scope)),
        None => LookupResult::nothing(),
    }
}

/// Where a file is included: the file and scope in the place of whose call its items stand.
fn includer(resolver: &Resolver<'_>, file: FileNo) -> Option<(FileNo, ScopeId)> {
    let memo = resolver.languages.get::<RustMemo>();
    if let Some(known) = memo.includers.borrow().get(&file) {
        return *known;
    }
    // Whoever asks while it is looked for gets none.
    memo.includers.borrow_mut().insert(file, None);
    let found = parent(resolver, file).and_then(|(parent, _)| {
        let bound = resolver.file(parent)?;
        let includes = |def: &&Def| {
            let Expr::Module { name, level, .. } = bound.expr(def.value) else {
                return false;
            };
            let path = resolver.workspace.text(bound.name(name));
            level == INCLUDED && written_file(resolver, parent, path) == Some(file)
        };
        let mut modules = bound.defs().iter();
        let def = modules.find(|def| def.kind == DefKind::Module && includes(def))?;
        Some((parent, def.scope))
    });
    memo.includers.borrow_mut().insert(file, found);
    found
}

/// What an included file sees beside its own items: what is seen where it is included.
pub(super) fn around_include(
    resolver: &Resolver<'_>,
    file: FileNo,
    name: Name,
    spaces: u8,
) -> LookupResult {
    let Some((includer, scope)) = includer(resolver, file) else {
        return LookupResult::nothing();
    };
    let look = || resolver.lookup(includer, scope, LookupRequest::any(name, u32::MAX, spaces));
    let found = resolver.with_depth(look);
    let found = found.unwrap_or_else(LookupResult::nothing);
    if found.is_empty() {
        return LookupResult::nothing();
    }
    // In a module inside the file it is not seen.
    found.inferred()
}

/// The innermost module that a scope is in.
fn module_around(bound: &BoundFile, scope: ScopeId) -> ScopeId {
    let mut at = scope;
    for _ in 0..512 {
        let found = bound.scope(at);
        if at == NONE || found.parent == NONE {
            return 0;
        }
        if found.kind == ScopeKind::Module {
            return at;
        }
        at = found.parent;
    }
    0
}

/// The file and module that declare a file as a module.
fn parent(resolver: &Resolver<'_>, file: FileNo) -> Option<(FileNo, ScopeId)> {
    let memo = resolver.languages.get::<RustMemo>();
    if let Some(known) = memo.parents.borrow().get(&file) {
        return *known;
    }
    let found = near_parent(resolver, file).or_else(|| far_parent(resolver, file));
    memo.parents.borrow_mut().insert(file, found);
    found
}

/// Whether a member of a type is seen from a file.
pub(super) fn is_seen(resolver: &Resolver<'_>, from: FileNo, of: DefRef) -> bool {
    let flags = resolver.def(of).map_or(0, |def| def.flags);
    let module = match flags & (flag::PRIVATE | flag::INTERNAL) {
        flag::PRIVATE => Some(of.file),
        both if both & flag::PRIVATE != 0 => parent(resolver, of.file).map(|(file, _)| file),
        _ => None,
    };
    let parents = std::iter::successors(Some(from), |file| Some(parent(resolver, *file)?.0));
    module.is_none_or(|module| parents.take(64).any(|file| file == module))
}

/// A parent where the language looks for it.
fn near_parent(resolver: &Resolver<'_>, file: FileNo) -> Option<(FileNo, ScopeId)> {
    let (mut folder, file_name) = split_path(resolver.file(file)?.path());
    if stem(file_name) == "mod" {
        folder = split_path(folder).0;
    }
    let mut candidates: Vec<String> = ["mod.rs", "lib.rs", "main.rs"]
        .into_iter()
        .map(|root| joined(folder, root))
        .collect();
    // Modules in inline modules lie deeper, also in those of roots that have any name.
    let mut around = folder;
    let mut homes = vec![folder];
    while !around.is_empty() {
        candidates.push(format!("{around}.rs"));
        around = split_path(around).0;
        candidates.extend(["mod.rs", "lib.rs", "main.rs"].map(|root| joined(around, root)));
        if HOMES_OF_ROOTS.contains(&split_path(around).1) {
            homes.push(around);
        }
    }
    let candidates = candidates
        .iter()
        .filter_map(|path| resolver.workspace.file_at(path));
    let roots = homes
        .into_iter()
        .flat_map(|folder| resolver.workspace.files_in(folder).iter().copied());
    candidates
        .chain(roots)
        .filter(|other| *other != file)
        .find_map(|other| declares(resolver, other, file))
}

/// A parent that says where the file is: whoever writes an end of its path.
fn far_parent(resolver: &Resolver<'_>, file: FileNo) -> Option<(FileNo, ScopeId)> {
    const LONGEST_END: usize = 4;
    let workspace = resolver.workspace;
    let path = workspace.path(file)?;
    let starts = path.rmatch_indices('/').map(|(at, _)| at + 1).chain([0]);
    starts.take(LONGEST_END).find_map(|start| {
        let written = ["", "./", "../", "../../", IN_PACKAGE].into_iter();
        let mut written =
            written.filter_map(|before| workspace.name(&format!("{before}{}", &path[start..])));
        written.find_map(|written| {
            let mut others = workspace.files_with(written).iter();
            others.find_map(|other| declares(resolver, *other, file))
        })
    })
}

/// Where one file declares another one as a module.
fn declares(resolver: &Resolver<'_>, parent: FileNo, file: FileNo) -> Option<(FileNo, ScopeId)> {
    let bound = resolver.file(parent)?;
    let modules = bound.defs().iter();
    let declared = modules
        .filter(|def| def.kind == DefKind::Module && def.inner == NONE)
        .find(|def| {
            let Expr::Module { name, level, .. } = bound.expr(def.value) else {
                return false;
            };
            let path = resolver.workspace.text(bound.name(name));
            let found = match level {
                2 | INCLUDED => written_file(resolver, parent, path),
                _ => declared_file(resolver, parent, path),
            };
            found == Some(file)
        })?;
    Some((parent, module_around(bound, declared.scope)))
}

/// The root of the crate that a file is in.
pub(super) fn root(resolver: &Resolver<'_>, file: FileNo) -> FileNo {
    let mut at = file;
    for _ in 0..DEEPEST {
        match parent(resolver, at) {
            Some((parent, _)) if parent != at => at = parent,
            _ => break,
        }
    }
    if at != file || is_root(resolver, at) {
        return at;
    }
    // Nobody declares it: take the nearest root.
    let mut folder = resolver
        .workspace
        .path(at)
        .map_or("", |path| split_path(path).0);
    loop {
        for name in ["lib.rs", "main.rs"] {
            if let Some(root) = resolver.workspace.file_at(&joined(folder, name)) {
                return root;
            }
        }
        if folder.is_empty() {
            return at;
        }
        folder = split_path(folder).0;
    }
}

fn is_root(resolver: &Resolver<'_>, file: FileNo) -> bool {
    let path = resolver.workspace.path(file).unwrap_or("");
    let (folder, name) = split_path(path);
    matches!(name, "lib.rs" | "main.rs" | "build.rs")
        || HOMES_OF_ROOTS.contains(&split_path(folder).1)
}

/// A crate of the workspace by its name.
pub(super) fn named_crate(resolver: &Resolver<'_>, file: FileNo, name: &str) -> LookupResult {
    let is_of_library = library_modules::CRATES.contains(&name);
    if is_library(file) {
        let root = is_of_library
            .then(|| library_modules::root(resolver, file))
            .flatten();
        return root.unwrap_or_else(LookupResult::external);
    }
    if is_of_library || matches!(name, "proc_macro" | "test") {
        return own_crate(resolver, file, name)
            .or_else(|| {
                is_of_library
                    .then(|| library_modules::root(resolver, file))
                    .flatten()
            })
            .unwrap_or_else(LookupResult::external);
    }
    resolver.module_root(file, name, || {
        let from = resolver.workspace.path(file).unwrap_or("");
        let mapped = resolver.workspace.hints().mapped(from, name);
        let mapped = mapped
            .iter()
            .find_map(|path| resolver.workspace.file_at(path));
        let found = mapped
            .or_else(|| by_folder(resolver, name))
            .or_else(|| by_content(resolver, file, name));
        match found {
            Some(file) => LookupResult::typed(Ty::Module(file, 0)),
            None => LookupResult::external(),
        }
    })
}

/// A crate of the workspace that a manifest calls as one of the language is called.
fn own_crate(resolver: &Resolver<'_>, file: FileNo, name: &str) -> Option<LookupResult> {
    let from = resolver.workspace.path(file)?;
    let mapped = resolver.workspace.hints().mapped(from, name);
    let mut files = mapped
        .iter()
        .filter_map(|path| resolver.workspace.file_at(path));
    Some(LookupResult::typed(Ty::Module(files.next()?, 0)))
}

/// The folder of a library's package and its last name, a dash as an underscore.
fn package<'w>(resolver: &Resolver<'w>, library: FileNo) -> Option<(&'w str, String)> {
    let path = resolver.workspace.path(library)?;
    let folder = path.strip_suffix("src/lib.rs")?.trim_end_matches('/');
    Some((folder, split_path(folder).1.replace('-', "_")))
}

/// `name/src/lib.rs`, a dash in the place of an underscore or not.
fn by_folder(resolver: &Resolver<'_>, name: &str) -> Option<FileNo> {
    let mut roots = resolver.workspace.files_named("lib.rs").iter().copied();
    roots.find(|file| package(resolver, *file).is_some_and(|(_, folder)| folder == name))
}

/// A library whose package is in a folder of another name: that of the file's own package, or one whose
/// name ends like the crate's. All that the file takes from it must be there. A library that a manifest names
/// has that name and no other.
fn by_content(resolver: &Resolver<'_>, file: FileNo, name: &str) -> Option<FileNo> {
    let path = resolver.workspace.path(file)?;
    let own_root = root(resolver, file);
    let mut roots: Vec<(bool, usize, FileNo)> = Vec::new();
    for library in resolver.workspace.files_named("lib.rs") {
        let Some((folder, last)) = package(resolver, *library) else {
            continue;
        };
        let known = resolver.workspace.path(*library);
        if known.is_some_and(|path| resolver.workspace.hints().leads_to(path)) {
            continue;
        }
        let is_own = folder.is_empty() || path.starts_with(&format!("{folder}/"));
        let is_like = name
            .strip_suffix(&last)
            .is_some_and(|rest| rest.ends_with('_'));
        if *library != own_root && (is_own || is_like) {
            roots.push((!is_like, usize::MAX - folder.len(), *library));
        }
    }
    roots.sort_by_key(|(is_like, length, _)| (*is_like, *length));
    let mut roots = roots.into_iter().map(|(_, _, library)| library);
    roots.find(|library| has_what_is_taken(resolver, file, name, *library))
}

/// Whether a library has what a file takes from the crate of a name.
fn has_what_is_taken(resolver: &Resolver<'_>, file: FileNo, name: &str, library: FileNo) -> bool {
    let (Some(bound), Some(root)) = (resolver.file(file), resolver.file(library)) else {
        return false;
    };
    let Some(sym) = resolver.workspace.name(name) else {
        return false;
    };
    let (mut all, mut there) = (0_u32, 0_u32);
    for expr in bound.exprs() {
        let Expr::Member { of, name, .. } = expr else {
            continue;
        };
        let (Expr::Name { name: first, .. } | Expr::Module { name: first, .. }) = bound.expr(of)
        else {
            continue;
        };
        if bound.name(first) != sym {
            continue;
        }
        all += 1;
        let local = root.local(bound.name(name));
        let is_there = local.is_some_and(|local| root.defs_in(0, local).next().is_some());
        there += u32::from(is_there || has_macro(resolver, library, bound.name(name)));
    }
    all > 0 && there * 10 >= all * 7
}

/// Whether a library gives out a macro, which then is at its root wherever it is written.
fn has_macro(resolver: &Resolver<'_>, library: FileNo, name: Name) -> bool {
    let is_given_out = |of: &DefRef| {
        let def = resolver.def(*of);
        def.is_some_and(|def| def.kind == DefKind::Macro && def.flags & flag::EXPORTED != 0)
    };
    let mut macros = resolver.workspace.globals(name).iter();
    macros.any(|of| is_given_out(of) && root(resolver, of.file) == root(resolver, library))
}

/// Macros are seen by order and by `#[macro_use]`: those of the crate, then exported ones.
pub(super) fn macros(resolver: &Resolver<'_>, file: FileNo, name: Name) -> LookupResult {
    let mut all = Vec::new();
    // Those of inline modules are found where they are used, or not at all.
    let globals = resolver.workspace.globals(name).iter();
    for at in globals.filter(|at| is_rust(resolver, at.file)) {
        let Some(def) = resolver.def(*at).filter(|def| def.kind == DefKind::Macro) else {
            continue;
        };
        all.push((*at, def.flags & flag::EXPORTED != 0));
    }
    // Of two for different builds the one that most builds have.
    let is_awake = |of: DefRef| {
        let def = resolver.def(of);
        def.is_some_and(|def| def.flags & flag::INACTIVE == 0)
    };
    if all.iter().any(|(of, _)| is_awake(*of)) {
        all.retain(|(of, _)| is_awake(*of));
    }
    let own = root(resolver, file);
    let of_crate: Vec<DefRef> = all
        .iter()
        .filter(|(def, _)| root(resolver, def.file) == own)
        .map(|(def, _)| *def)
        .collect();
    let in_file: Vec<DefRef> = of_crate
        .iter()
        .copied()
        .filter(|def| def.file == file)
        .collect();
    if !in_file.is_empty() {
        return LookupResult::defs(in_file);
    }
    if !of_crate.is_empty() {
        return LookupResult::defs(of_crate);
    }
    let exported = all.into_iter().filter(|(_, exported)| *exported);
    LookupResult::defs(exported.map(|(def, _)| def).collect())
}

/// Without modules and imports that a module keeps to itself and what is below it, if there is something else. Those of
/// another crate are seen by nobody here.
pub(super) fn without_hidden(
    resolver: &Resolver<'_>,
    file: FileNo,
    found: LookupResult,
) -> LookupResult {
    let is_hidden = |of: &DefRef| {
        let hides = |def: &Def| {
            matches!(def.kind, DefKind::Module | DefKind::Alias) && def.flags & flag::PRIVATE != 0
        };
        resolver.def(*of).is_some_and(hides) && !is_seen(resolver, file, *of)
    };
    let is_import = |of: &DefRef| {
        let def = resolver.def(*of);
        def.is_some_and(|def| def.kind == DefKind::Alias)
    };
    let (hidden, kept): (Vec<DefRef>, Vec<DefRef>) =
        found.defs.iter().copied().partition(is_hidden);
    if hidden.is_empty() {
        return found;
    }
    if kept.is_empty() {
        let own = root(resolver, file);
        let is_of_other_crate =
            |of: &DefRef| root(resolver, of.file) != own && is_root(resolver, of.file);
        let are_of_others = hidden
            .iter()
            .all(|of| is_import(of) && is_of_other_crate(of));
        return match are_of_others {
            true => LookupResult::external(),
            false => found,
        };
    }
    LookupResult {
        defs: kept,
        ..found
    }
}

/// Items of one name and kind in one place are one symbol: conditions choose between them.
pub(super) fn redeclarations(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let (Some(bound), Some(def)) = (resolver.file(of.file), resolver.def(of)) else {
        return Vec::new();
    };
    if def.at == NONE || !is_item(def) {
        return Vec::new();
    }
    let same = bound.defs_in(def.scope, def.name);
    let same = same.filter(|other| {
        let other = bound.def(*other);
        is_item(other) && other.spaces & def.spaces != 0
    });
    same.map(|other| DefRef {
        file: of.file,
        def: other,
    })
    .collect()
}

/// Whether something cannot be defined twice in one place.
pub(super) fn is_item(def: &Def) -> bool {
    def.kind.is_type()
        || def.kind.is_callable()
        || matches!(
            def.kind,
            DefKind::Constant | DefKind::TypeAlias | DefKind::Field | DefKind::EnumMember
        )
}
