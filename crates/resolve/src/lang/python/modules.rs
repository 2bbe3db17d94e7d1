//! Which file a dotted name stands for.

use codecortex_bind::facts::{Expr, ScopeId, space};

use crate::query::{Found, Query};
use crate::ty::Ty;
use crate::workspace::{DefRef, FileNo, Sym, split_path};

/// A folder without `__init__` is a module too: it is told by a file below it and by this much plus the
/// number of folders between.
const FOLDER: ScopeId = 0x4000_0000;

/// What the first segment of an import is, or with dots before it what they reach.
pub(super) fn root(query: &Query<'_>, file: FileNo, name: &str, level: u8) -> Found {
    let Some(bound) = query.file(file) else {
        return Found::nothing();
    };
    let mut folder = split_path(bound.path()).0;
    if level == 0 {
        return query.module_root(file, name, || absolute(query, folder, name));
    }
    for _ in 1..level {
        folder = split_path(folder).0;
    }
    if name.is_empty() {
        return package(query, folder).unwrap_or_else(Found::nothing);
    }
    in_folder(query, folder, name).unwrap_or_else(Found::nothing)
}

/// A member of a package that is a module.
pub(super) fn submodule(query: &Query<'_>, file: FileNo, scope: ScopeId, name: Sym) -> Found {
    let Some(bound) = query.file(file) else {
        return Found::nothing();
    };
    let (mut folder, file_name) = split_path(bound.path());
    if scope >= FOLDER {
        for _ in FOLDER..scope {
            folder = split_path(folder).0;
        }
    } else if scope != 0 || !is_init(file_name) {
        return Found::nothing();
    }
    let name = query.workspace.text(name);
    let found = in_folder(query, folder, name);
    found.unwrap_or_else(|| beside_namespace(query, folder, name))
}

/// What the module has that is called like the folder around it: whoever runs in there means that by its name.
fn beside_namespace(query: &Query<'_>, folder: &str, name: &str) -> Found {
    let module = query.workspace.file_at(&inner_module(folder));
    let (Some(module), Some(name)) = (module, query.workspace.sym(name)) else {
        return Found::nothing();
    };
    let found = query.module_member(module, 0, name, space::ANY);
    found.guessed()
}

/// `poetry/poetry.py` of `poetry`.
fn inner_module(folder: &str) -> String {
    joined(folder, &format!("{}.py", split_path(folder).1))
}

fn is_init(file_name: &str) -> bool {
    matches!(file_name, "__init__.py" | "__init__.pyi")
}

fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}

/// The module or package of this name in a folder.
fn in_folder(query: &Query<'_>, folder: &str, name: &str) -> Option<Found> {
    let path = joined(folder, name);
    let init = |ending| query.workspace.file_at(&format!("{path}/__init__{ending}"));
    let module = |ending| query.workspace.file_at(&format!("{path}{ending}"));
    let found = init(".py")
        .or_else(|| module(".py"))
        .or_else(|| init(".pyi"))
        .or_else(|| module(".pyi"));
    if let Some(file) = found {
        return Some(Found::typed(Ty::Module(file, 0)));
    }
    folder_module(query, &path)
}

/// What a module says itself beside which its stub stands: checkers of types read that, and nobody says which is meant.
pub(super) fn beside_stub(query: &Query<'_>, file: FileNo, name: Sym, spaces: u8) -> Option<Found> {
    let path = query
        .workspace
        .path(file)
        .filter(|path| path.ends_with(".py"))?;
    query.workspace.file_at(&format!("{path}i"))?;
    let found = query.module_member(file, 0, name, spaces);
    let is_own = |def: &DefRef| def.file == file;
    (!found.defs.is_empty() && found.defs.iter().all(is_own)).then(|| found.guessed())
}

/// A folder as a module.
fn package(query: &Query<'_>, folder: &str) -> Option<Found> {
    for name in ["__init__.py", "__init__.pyi"] {
        if let Some(file) = query.workspace.file_at(&joined(folder, name)) {
            return Some(Found::typed(Ty::Module(file, 0)));
        }
    }
    folder_module(query, folder)
}

/// A folder that has no `__init__` but modules.
fn folder_module(query: &Query<'_>, folder: &str) -> Option<Found> {
    let inside = |file: &FileNo| {
        let path = query.workspace.path(*file).unwrap_or("");
        path.ends_with(".py") || path.ends_with(".pyi")
    };
    if let Some(file) = query
        .workspace
        .files_in(folder)
        .iter()
        .copied()
        .find(inside)
    {
        return Some(Found::typed(Ty::Module(file, FOLDER)));
    }
    // Only folders in it: the nearest file below tells where it is.
    let start = format!("{folder}/");
    let (file, depth) = query.workspace.folders_below(&start).find_map(|below| {
        let file = query
            .workspace
            .files_in(below)
            .iter()
            .copied()
            .find(inside)?;
        Some((file, below[start.len()..].split('/').count() as u32))
    })?;
    Some(Found::typed(Ty::Module(file, FOLDER + depth)))
}

/// `import name` in a file of this folder: the roots around it, then any other.
fn absolute(query: &Query<'_>, folder: &str, name: &str) -> Found {
    let mut at = folder;
    let mut namespace = None;
    loop {
        // What is in a package is not seen without its name. A package without `__init__` may have a module of its own
        // name, which hides it from none that imports from it.
        if is_namespace_of(query, at, name) {
            namespace = namespace.or_else(|| folder_module(query, at));
        } else if !is_package(query, at) {
            for root in [at.to_owned(), joined(at, "src"), joined(at, "lib")] {
                match in_folder(query, &root, name) {
                    Some(found) if is_file(&found) => return found,
                    Some(found) => namespace = namespace.or(Some(found)),
                    None => {}
                }
            }
        }
        if at.is_empty() {
            break;
        }
        at = split_path(at).0;
    }
    if let Some(found) = elsewhere(query, name) {
        return found;
    }
    if STANDARD.contains(&name) {
        return Found::external();
    }
    if is_package(query, "") && !name.starts_with('_') && is_root_package(query, name) {
        return package(query, "").unwrap_or_else(Found::external);
    }
    namespace.unwrap_or_else(Found::external)
}

/// Whether a folder is a package without `__init__` that has other packages, and a module of its own name.
fn is_namespace_of(query: &Query<'_>, folder: &str, name: &str) -> bool {
    let below = format!("{folder}/");
    split_path(folder).1 == name
        && !is_package(query, folder)
        && query.workspace.file_at(&inner_module(folder)).is_some()
        && query
            .workspace
            .folders_below(&below)
            .any(|folder| is_package(query, folder))
}

fn is_file(found: &Found) -> bool {
    matches!(found.ty, Some(Ty::Module(_, 0)))
}

fn is_package(query: &Query<'_>, folder: &str) -> bool {
    let has = |name| query.workspace.file_at(&joined(folder, name)).is_some();
    has("__init__.py") || has("__init__.pyi")
}

/// The one package of this name in the workspace that is in no other package.
fn elsewhere(query: &Query<'_>, name: &str) -> Option<Found> {
    let mut found = None;
    for init in ["__init__.py", "__init__.pyi"] {
        for file in query.workspace.files_named(init) {
            let folder = query
                .workspace
                .path(*file)
                .map_or("", |path| split_path(path).0);
            let (around, last) = split_path(folder);
            if last == name && !folder.is_empty() && !is_package(query, around) {
                if found.is_some_and(|found| found != *file) {
                    return None;
                }
                found = Some(*file);
            }
        }
        if found.is_some() {
            break;
        }
    }
    found.map(|file| Found::typed(Ty::Module(file, 0)))
}

/// Whether a name is that of the package that the workspace's folder is: all that is imported from it is
/// there.
fn is_root_package(query: &Query<'_>, name: &str) -> bool {
    let Some(sym) = query.workspace.sym(name) else {
        return false;
    };
    let (mut all, mut there) = (0_u32, 0_u32);
    for file in query.workspace.files_with(sym) {
        let Some(bound) = query.file(*file) else {
            continue;
        };
        for expr in bound.exprs() {
            let Expr::Member { of, name, .. } = expr else {
                continue;
            };
            let Expr::Module { name: root, .. } = bound.expr(of) else {
                continue;
            };
            if bound.sym(root) != sym {
                continue;
            }
            all += 1;
            there += u32::from(is_in_root(query, bound.sym(name)));
        }
    }
    all > 0 && there * 10 >= all * 9
}

fn is_in_root(query: &Query<'_>, name: Sym) -> bool {
    let text = query.workspace.text(name);
    if in_folder(query, "", text).is_some() {
        return true;
    }
    let init = query.workspace.file_at("__init__.py");
    let bound = init.and_then(|init| query.file(init));
    bound.is_some_and(|bound| {
        let local = bound.local(name);
        local.is_some_and(|local| bound.defs_in(0, local).next().is_some())
    })
}

/// Modules of the standard library that a workspace's own would not be taken for.
const STANDARD: [&str; 96] = [
    "abc",
    "argparse",
    "array",
    "ast",
    "asyncio",
    "base64",
    "bisect",
    "builtins",
    "bz2",
    "calendar",
    "cmd",
    "code",
    "codecs",
    "collections",
    "colorsys",
    "concurrent",
    "configparser",
    "contextlib",
    "contextvars",
    "copy",
    "csv",
    "ctypes",
    "curses",
    "dataclasses",
    "datetime",
    "decimal",
    "difflib",
    "dis",
    "doctest",
    "email",
    "enum",
    "errno",
    "fcntl",
    "fileinput",
    "fnmatch",
    "fractions",
    "functools",
    "gc",
    "getpass",
    "gettext",
    "glob",
    "gzip",
    "hashlib",
    "heapq",
    "hmac",
    "html",
    "http",
    "importlib",
    "inspect",
    "io",
    "ipaddress",
    "itertools",
    "json",
    "keyword",
    "linecache",
    "locale",
    "logging",
    "math",
    "mimetypes",
    "multiprocessing",
    "numbers",
    "operator",
    "os",
    "pathlib",
    "pdb",
    "pickle",
    "pkgutil",
    "platform",
    "pprint",
    "queue",
    "random",
    "re",
    "shlex",
    "shutil",
    "signal",
    "socket",
    "sqlite3",
    "ssl",
    "string",
    "struct",
    "subprocess",
    "sys",
    "tempfile",
    "textwrap",
    "threading",
    "time",
    "tokenize",
    "traceback",
    "types",
    "typing",
    "unicodedata",
    "unittest",
    "urllib",
    "uuid",
    "warnings",
    "weakref",
];
