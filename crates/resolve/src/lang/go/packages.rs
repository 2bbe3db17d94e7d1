//! Which files are a package, and which package an import means.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{DefId, DefKind, Expr, NONE, flag};

use super::support::{at, is_member};
use crate::file::BoundFile;
use crate::ids::{DefRef, FileNo, Name};
use crate::paths::split_path;
use crate::resolver::Resolver;
use crate::standard_library;

/// The name in a file's package clause.
fn clause(file: &BoundFile) -> Option<Name> {
    let defs = file.defs().iter();
    let clause = defs.take(8).find(|def| def.kind == DefKind::Module);
    clause.map(|def| file.name(def.name))
}

fn is_go(file: &BoundFile) -> bool {
    file.dialect() == codecortex_bind::Dialect::Go
}

/// Whether two files are of one package.
fn is_one(a: &BoundFile, b: &BoundFile) -> bool {
    is_go(b) && split_path(a.path()).0 == split_path(b.path()).0 && clause(a) == clause(b)
}

/// What a file's package has under a name. What the file itself has comes alone.
pub(super) fn members(
    resolver: &Resolver<'_>,
    file: FileNo,
    name: Name,
    spaces: u8,
) -> Vec<DefRef> {
    let Some(bound) = resolver.file(file) else {
        return Vec::new();
    };
    if standard_library::is_library(file) {
        let local = bound.local(name);
        let own = local.into_iter().flat_map(|local| bound.defs_in(0, local));
        let own = own.filter(|def| is_member(bound.def(*def), spaces));
        return own.map(|def| at(file, def)).collect();
    }
    let all = resolver.workspace.globals(name).iter().copied();
    let found = all.filter(|def| {
        let Some(other) = resolver.file(def.file) else {
            return false;
        };
        is_member(other.def(def.def), spaces) && (def.file == file || is_one(bound, other))
    });
    built(resolver, found.collect())
}

/// The import by which a file knows a package under this name, if its path does not say so.
pub(super) fn renamed_import(resolver: &Resolver<'_>, file: FileNo, name: Name) -> Option<DefId> {
    let bound = resolver.file(file)?;
    let imports = bound.defs().iter().enumerate();
    let mut imports = imports.filter(|(_, def)| {
        def.kind == DefKind::Alias && def.flags & flag::IMPLICIT != 0 && def.value != NONE
    });
    let found = imports.find(|(_, def)| {
        let Expr::Module { name: path, .. } = bound.expr(def.value) else {
            return false;
        };
        let path = resolver.workspace.text(bound.name(path));
        let package = imported(resolver, file, path).and_then(|file| resolver.file(file));
        package.and_then(clause) == Some(name)
    });
    found.map(|(index, _)| index as DefId)
}

/// A file of the package that an import's path means.
pub(super) fn imported(resolver: &Resolver<'_>, from: FileNo, path: &str) -> Option<FileNo> {
    let here = resolver.file(from)?.path();
    let mapped = resolver.workspace.hints().mapped(here, path);
    let mapped = mapped.iter();
    if let Some(file) = mapped
        .map(|folder| package_in(resolver, folder))
        .find(Option::is_some)
    {
        return file;
    }
    if is_standard(path) && !is_library(resolver) {
        return of_library(resolver, from, path);
    }
    if let Some(file) = package_in(resolver, path) {
        return Some(file);
    }
    let ends = path.match_indices('/').map(|(at, _)| at + 1);
    let inside = ends
        .map(|start| &path[start..])
        .find_map(|folder| package_in(resolver, folder));
    inside.or_else(|| root(resolver, path))
}

/// The file of one of the language's own packages.
fn of_library(resolver: &Resolver<'_>, from: FileNo, path: &str) -> Option<FileNo> {
    let family = resolver.rules(from).family();
    let (_, name) = split_path(path);
    resolver
        .workspace
        .library_file_at(family, &format!("{path}/{name}.go"))
}

/// A file that others can import, right in a folder.
fn package_in(resolver: &Resolver<'_>, folder: &str) -> Option<FileNo> {
    let folder = folder.trim_end_matches('/');
    let files = resolver.workspace.files_in(folder).iter().copied();
    let ranked = files.filter_map(|file| {
        let bound = resolver.file(file)?;
        let name = clause(bound).map_or("", |name| resolver.workspace.text(name));
        let is_test = bound.path().ends_with("_test.go");
        let can = is_go(bound) && !name.ends_with("_test");
        can.then(|| ((is_test, !is_built(bound), name == "main", file), file))
    });
    ranked.min().map(|(_, file)| file)
}

/// The package right in the workspace's folder, if somebody imports folders of it under this path.
fn root(resolver: &Resolver<'_>, path: &str) -> Option<FileNo> {
    let root = package_in(resolver, "")?;
    let has_folders = resolver.workspace.paths().any(|(_, file, dialect)| {
        let folder = split_path(file).0;
        !folder.is_empty()
            && dialect == Dialect::Go
            && resolver
                .workspace
                .name(&format!("{path}/{folder}"))
                .is_some()
    });
    let name = clause(resolver.file(root)?).map_or("", |name| resolver.workspace.text(name));
    let is_named = path.rsplit('/').next() == Some(name);
    (has_folders || is_named).then_some(root)
}

/// Whether a path is one of the language's own packages.
fn is_standard(path: &str) -> bool {
    const ROOTS: &str = " archive bufio bytes cmp compress container context crypto database debug \
        embed encoding errors expvar flag fmt go hash html image index io iter log maps math mime \
        net os path plugin reflect regexp runtime slices sort strconv strings structs sync syscall \
        testing text time unicode unique unsafe weak C ";
    let first = path.split('/').next().unwrap_or(path);
    ROOTS.contains(&format!(" {first} "))
}

/// Whether the workspace is the language's own library: no other has a package `unsafe` right in its folder.
fn is_library(resolver: &Resolver<'_>) -> bool {
    !resolver.workspace.files_in("unsafe").is_empty()
}

/// Whether a file is part of an ordinary build: its constraints and its name say so.
fn is_built(file: &BoundFile) -> bool {
    let mut defs = file.defs().iter().take(8);
    let clause = defs.find(|def| def.kind == DefKind::Module);
    clause.is_none_or(|def| def.flags & flag::OPTIONAL == 0) && is_for_here(file.path())
}

/// Whether a file's name says that it is for a 64-bit Linux, or for all systems.
fn is_for_here(path: &str) -> bool {
    const SYSTEMS: &str = " aix android darwin dragonfly freebsd illumos ios js netbsd openbsd plan9 \
        solaris wasip1 windows zos ";
    const MACHINES: &str = " 386 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 \
        s390x wasm ";
    let (_, name) = split_path(path);
    let stem = name.strip_suffix(".go").unwrap_or(name);
    let stem = stem.strip_suffix("_test").unwrap_or(stem);
    let mut parts = stem.split('_').skip(1);
    !parts.any(|part| {
        let word = format!(" {part} ");
        SYSTEMS.contains(&word) || MACHINES.contains(&word)
    })
}

/// Without what files declare that are left out of the build, where others declare it too.
pub(super) fn built(resolver: &Resolver<'_>, mut defs: Vec<DefRef>) -> Vec<DefRef> {
    let is_built = |def: &DefRef| resolver.file(def.file).is_some_and(is_built);
    if defs.len() > 1 && defs.iter().any(is_built) {
        defs.retain(is_built);
    }
    defs
}

/// The same name of one package in files of which not all are built.
pub(super) fn redeclarations(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let (Some(bound), Some(def), Some(name)) = (
        resolver.file(of.file),
        resolver.def(of),
        resolver.name_of(of),
    ) else {
        return Vec::new();
    };
    let all = resolver.workspace.globals(name);
    if def.scope != 0 || all.len() < 2 || matches!(def.kind, DefKind::Alias | DefKind::Module) {
        return Vec::new();
    }
    let redeclarations = all.iter().copied().filter(|other| {
        let Some(file) = resolver.file(other.file).filter(|_| other.file != of.file) else {
            return false;
        };
        let redeclaration = file.def(other.def);
        let is_same = redeclaration.kind == def.kind
            && redeclaration.flags & flag::HIDDEN == def.flags & flag::HIDDEN
            && file.head_name(redeclaration.container) == bound.head_name(def.container);
        is_same && is_one(bound, file) && !(is_built(bound) && is_built(file))
    });
    redeclarations.collect()
}

/// Every method of this name that is written outside of a type, whatever the package.
pub(super) fn methods<'q>(
    resolver: &'q Resolver<'_>,
    name: Name,
) -> impl Iterator<Item = DefRef> + use<'q> {
    let all = resolver.workspace.globals(name).iter().copied();
    all.filter(|def| {
        resolver.file(def.file).is_some_and(|bound| {
            let found = bound.def(def.def);
            is_go(bound) && found.kind == DefKind::Method && found.container != NONE
        })
    })
}

/// Every interface that has a method of this name itself.
pub(super) fn interfaces_with(resolver: &Resolver<'_>, name: Name) -> Vec<DefRef> {
    let mut found = Vec::new();
    for file in resolver.workspace.files_with(name) {
        let Some(bound) = resolver.file(*file).filter(|bound| is_go(bound)) else {
            continue;
        };
        let Some(local) = bound.local(name) else {
            continue;
        };
        for def in bound.defs() {
            let is_method = def.name == local && def.kind == DefKind::Method;
            if !is_method || def.flags & flag::ABSTRACT == 0 {
                continue;
            }
            let owner = bound.scope(def.scope).owner;
            if owner != NONE && bound.def(owner).kind == DefKind::Interface {
                found.push(at(*file, owner));
            }
        }
    }
    found
}
