//! Imports that lead to a file: where a module path, or a part of one, stands for it.

use codecortex_bind::facts::{DefKind, Expr, NONE};
use rustc_hash::FxHashSet;

use crate::ids::{ExprRef, FileNo, Name};
use crate::paths::split_path;
use crate::resolution;
use crate::resolver::Resolver;

/// Files whose name says nothing of a module: their folder's does.
const OF_FOLDERS: [&str; 5] = ["index", "mod", "lib", "main", "__init__"];

/// Where the workspace imports a file as a whole: the file and the first byte of each such part of an import.
#[must_use]
pub(crate) fn imports_of_file(resolver: &Resolver<'_>, of: FileNo) -> Vec<(FileNo, u32)> {
    let mut found = Vec::new();
    let files: FxHashSet<FileNo> = names_of_module(resolver, of)
        .into_iter()
        .flat_map(|name| resolver.workspace.files_with(name).iter().copied())
        .filter(|file| *file != of)
        .collect();
    for file in files {
        imports_in(resolver, file, of, &mut found);
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Names by which an import may write a file: those whose last part is the file's name, or its folder's.
fn names_of_module(resolver: &Resolver<'_>, of: FileNo) -> Vec<Name> {
    let Some(path) = resolver.workspace.path(of) else {
        return Vec::new();
    };
    let (folder, name) = split_path(path);
    let stem = stem(name);
    let mut stems = vec![stem];
    if OF_FOLDERS.contains(&stem) {
        stems.push(split_path(folder).1);
        // `.` and `..` are the folder, and the one above.
        stems.extend(["", ".", ".."]);
    }
    resolver.workspace.names_where(|written| {
        let last = written.rsplit(['/', '\\']).next().unwrap_or(written);
        stems.contains(&last) || last == name || stems.contains(&self::stem(last))
    })
}

/// A file's name without its endings: `a` of `a.d.ts`.
fn stem(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

fn imports_in(resolver: &Resolver<'_>, file: FileNo, of: FileNo, found: &mut Vec<(FileNo, u32)>) {
    let Some(bound) = resolver.file(file) else {
        return;
    };
    let leads = |expr| {
        let target = resolution::target(resolver, ExprRef { file, expr });
        target.module == Some(of)
    };
    for (expr, _, at, role) in bound.uses() {
        let is_root = matches!(bound.expr(expr), Expr::Module { .. });
        let is_import = is_root || role == codecortex_bind::facts::Role::Import;
        if is_import && leads(expr) {
            found.push((file, at));
        }
    }
    // `mod a;` writes no path.
    for def in bound.defs().iter().filter(|def| def.at != NONE) {
        let is_module = def.value != NONE
            && matches!(def.kind, DefKind::Module | DefKind::Alias)
            && matches!(bound.expr(def.value), Expr::Module { at: NONE, .. });
        if is_module && leads(def.value) {
            found.push((file, def.at));
        }
    }
}
