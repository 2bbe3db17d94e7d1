//! Which file the path of a module stands for, and what a module gives as a whole.

use codecortex_bind::facts::{DefKind, flag};

use crate::file::File;
use crate::query::{Found, Query};
use crate::ty::Ty;
use crate::workspace::{DefRef, FileNo, Sym, split_path};

/// Endings that an import may leave out, in the order in which they are tried.
const ENDINGS: [&str; 10] = [
    "", ".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs",
];

/// What a folder stands for that is no package.
const INDEXES: [&str; 4] = ["/index.ts", "/index.tsx", "/index.d.ts", "/index.js"];

/// What a written ending may stand for.
const WRITTEN: [(&str, &[&str]); 4] = [
    (".js", &[".ts", ".tsx", ".d.ts", ".js", ".jsx"]),
    (".jsx", &[".tsx", ".jsx"]),
    (".mjs", &[".mts", ".mjs"]),
    (".cjs", &[".cts", ".cjs"]),
];

/// What programs say of a module of another package: `declare module "a" { … }`.
pub(super) fn described(query: &Query<'_>, file: FileNo, path: &str) -> Option<Found> {
    let name = query.workspace.sym(&format!("\"{path}\""))?;
    let modules = query.globals(file, name).filter_map(|of| {
        let def = query.def(of)?;
        (def.kind == DefKind::Module).then_some(Ty::Module(of.file, def.inner))
    });
    let modules: Vec<Ty> = modules.collect();
    (!modules.is_empty()).then(|| Found::typed(Ty::union(modules)))
}

/// What `export =` or `module.exports =` gives.
pub(super) fn exported_value(query: &Query<'_>, file: FileNo) -> Found {
    let Some(name) = query.workspace.sym("export=") else {
        return Found::nothing();
    };
    let Some(bound) = query.file(file) else {
        return Found::nothing();
    };
    top_level(bound, file, name)
}

/// What the outermost scope of a file has under a name.
pub(super) fn top_level(bound: &File, file: FileNo, name: Sym) -> Found {
    let Some(local) = bound.local(name) else {
        return Found::nothing();
    };
    let defs = bound.defs_in(0, local).map(|def| DefRef { file, def });
    Found::defs(defs.collect())
}

/// Whether a file has neither imports nor exports: then what is in it is global.
pub(super) fn is_script(file: &File) -> bool {
    let leaves = flag::EXPORTED | flag::DEFAULT | flag::HIDDEN;
    file.exported().is_empty()
        && file.glob_imports().is_empty()
        && !file.all_in(0).any(|def| {
            let def = file.def(def);
            def.kind == DefKind::Alias || def.flags & leaves != 0
        })
}

/// The file that a module's path stands for.
pub(super) fn resolve(query: &Query<'_>, file: FileNo, written: &str) -> Option<FileNo> {
    let from = query.file(file)?.path();
    let (folder, _) = split_path(from);
    if written.starts_with('.') {
        let path = join(folder, written)?;
        let file = try_files(query, &path).or_else(|| package_at(query, from, &path));
        return file.or_else(|| first_of(query, &path, &INDEXES));
    }
    let mapped = query.workspace.hints().mapped(from, written);
    mapped.iter().find_map(|path| try_endings(query, path))
}

/// What the package in a folder says that it stands for.
fn package_at(query: &Query<'_>, from: &str, folder: &str) -> Option<FileNo> {
    let mains = query.workspace.hints().mapped(from, &format!("./{folder}"));
    mains.iter().find_map(|path| try_endings(query, path))
}

fn try_endings(query: &Query<'_>, path: &str) -> Option<FileNo> {
    try_files(query, path).or_else(|| first_of(query, path, &INDEXES))
}

fn try_files(query: &Query<'_>, path: &str) -> Option<FileNo> {
    for (written, others) in WRITTEN {
        if let Some(stem) = path.strip_suffix(written) {
            let found = others
                .iter()
                .find_map(|ending| query.workspace.file_at(&format!("{stem}{ending}")));
            if found.is_some() {
                return found;
            }
        }
    }
    first_of(query, path, &ENDINGS)
}

/// The file with the first of these endings.
fn first_of(query: &Query<'_>, path: &str, endings: &[&str]) -> Option<FileNo> {
    endings.iter().find_map(|ending| {
        let path = format!("{path}{ending}");
        // The folder of the workspace itself has no name.
        query.workspace.file_at(path.trim_start_matches('/'))
    })
}

/// A path relative to a folder, without `.` and `..`.
pub(crate) fn join(folder: &str, written: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in written.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
