//! Module resolution: the file of a dotted name.

use codecortex_bind::facts::{DefKind, Expr, ScopeId, space};

use crate::ids::{DefRef, FileNo, Name};
use crate::lookup::result::LookupResult;
use crate::missing_modules::{note_missing_in, note_missing_root};
use crate::paths::{joined, split_path};
use crate::resolver::Resolver;
use crate::standard_library::is_library;
use crate::ty::Ty;

/// How the folder of stubs for an installed package ends, behind the package's name.
const STUBS: &str = "-stubs";

/// A folder without `__init__` is a module too: it is told by a file below it and by this much plus the
/// number of folders between.
const FOLDER: ScopeId = 0x4000_0000;

/// What the first segment of an import is, or with dots before it what they reach.
pub(super) fn root(resolver: &Resolver<'_>, file: FileNo, name: &str, level: u8) -> LookupResult {
    let Some(bound) = resolver.file(file) else {
        return LookupResult::nothing();
    };
    let mut folder = split_path(bound.path()).0;
    if level == 0 {
        return resolver.module_root(file, name, || absolute(resolver, file, folder, name));
    }
    for _ in 1..level {
        folder = split_path(folder).0;
    }
    if name.is_empty() {
        return package(resolver, folder).unwrap_or_else(LookupResult::nothing);
    }
    if is_library(file) {
        return of_library(resolver, file, &joined(folder, name))
            .unwrap_or_else(LookupResult::external);
    }
    let found = in_folder(resolver, folder, name);
    found.unwrap_or_else(|| not_installed(resolver, file, folder, name))
}

/// The module of the language's own library that has a path. What type checkers know by itself is none.
fn of_library(resolver: &Resolver<'_>, from: FileNo, path: &str) -> Option<LookupResult> {
    let top = path.split('/').next().unwrap_or(path);
    if KNOWN_BY_RULES.contains(&top) {
        return None;
    }
    let family = resolver.rules(from).family();
    let mut endings = ["/__init__.pyi", ".pyi"].iter();
    let file = endings.find_map(|ending| {
        resolver
            .workspace
            .library_file_at(family, &format!("{path}{ending}"))
    })?;
    Some(LookupResult::typed(Ty::Module(file, 0)))
}

/// What every module has under a name without importing it.
pub(super) fn builtin(
    resolver: &Resolver<'_>,
    from: FileNo,
    name: Name,
    spaces: u8,
) -> Vec<DefRef> {
    let family = resolver.rules(from).family();
    let file = resolver.workspace.library_file_at(family, "builtins.pyi");
    let own = || {
        let file = file?;
        let bound = resolver.file(file)?;
        let defs = bound.defs_in(0, bound.local(name)?);
        let is_meant = |def: &u32| {
            let found = bound.def(*def);
            found.kind != DefKind::Alias && found.spaces & spaces != 0
        };
        let defs = defs.filter(is_meant).map(|def| DefRef { file, def });
        Some(defs.collect())
    };
    let is_private = resolver.workspace.text(name).starts_with('_');
    own().filter(|_| !is_private).unwrap_or_default()
}

/// Modules whose types and functions rules and tables know, who ask whether a name leads out.
const KNOWN_BY_RULES: [&str; 8] = [
    "typing",
    "typing_extensions",
    "_typeshed",
    "collections",
    "abc",
    "enum",
    "dataclasses",
    "functools",
];

/// A member of a package that is a module.
pub(super) fn submodule(
    resolver: &Resolver<'_>,
    file: FileNo,
    scope: ScopeId,
    name: Name,
) -> LookupResult {
    let Some(bound) = resolver.file(file) else {
        return LookupResult::nothing();
    };
    let (mut folder, file_name) = split_path(bound.path());
    if scope >= FOLDER {
        for _ in FOLDER..scope {
            folder = split_path(folder).0;
        }
    } else if scope != 0 || !is_init(file_name) {
        return LookupResult::nothing();
    }
    let name = resolver.workspace.text(name);
    if is_library(file) {
        let found = of_library(resolver, file, &joined(folder, name));
        return found.unwrap_or_else(LookupResult::nothing);
    }
    if let Some(found) = in_folder(resolver, folder, name) {
        return found;
    }
    match beside_namespace(resolver, folder, name) {
        found if found.is_empty() => not_installed(resolver, file, folder, name),
        found => found,
    }
}

/// What an installed package has that is in no file: whoever reads such packages learns of it.
fn not_installed(resolver: &Resolver<'_>, file: FileNo, folder: &str, name: &str) -> LookupResult {
    if resolver.workspace.hints().installed(folder).is_some() {
        note_missing_in(resolver, file, folder, name);
    }
    LookupResult::nothing()
}

/// What the module has that is called like the folder around it: whoever runs in there means that by its name.
fn beside_namespace(resolver: &Resolver<'_>, folder: &str, name: &str) -> LookupResult {
    let module = resolver.workspace.file_at(&inner_module(folder));
    let (Some(module), Some(name)) = (module, resolver.workspace.name(name)) else {
        return LookupResult::nothing();
    };
    let found = resolver.module_member(module, 0, name, space::ANY);
    found.inferred()
}

/// `poetry/poetry.py` of `poetry`.
fn inner_module(folder: &str) -> String {
    joined(folder, &format!("{}.py", split_path(folder).1))
}

fn is_init(file_name: &str) -> bool {
    matches!(file_name, "__init__.py" | "__init__.pyi")
}

/// The module or package of this name in a folder.
fn in_folder(resolver: &Resolver<'_>, folder: &str, name: &str) -> Option<LookupResult> {
    let path = joined(folder, name);
    let found = module_file(resolver, &path);
    let found = found.or_else(|| module_file(resolver, &in_other_half(resolver, folder, name)?));
    found.or_else(|| folder_module(resolver, &path))
}

/// The file of the module or package that has a path.
fn module_file(resolver: &Resolver<'_>, path: &str) -> Option<LookupResult> {
    let mut endings = ["/__init__.py", ".py", "/__init__.pyi", ".pyi"].iter();
    let file = endings.find_map(|ending| resolver.workspace.file_at(&format!("{path}{ending}")))?;
    Some(LookupResult::typed(Ty::Module(file, 0)))
}

/// The path of an installed module in stubs for its package, or of what is in stubs in that package: either may have what
/// the other has not.
fn in_other_half(resolver: &Resolver<'_>, folder: &str, name: &str) -> Option<String> {
    let (site, inside) = resolver.workspace.hints().installed(folder)?;
    let (package, rest) = inside.split_once('/').unwrap_or((inside, ""));
    let other = match package.strip_suffix(STUBS) {
        _ if package.is_empty() => return None,
        Some(package) => package.to_owned(),
        None => format!("{package}{STUBS}"),
    };
    let folder = joined(site, &other);
    let folder = if rest.is_empty() {
        folder
    } else {
        joined(&folder, rest)
    };
    Some(joined(&folder, name))
}

/// A package among those that are installed where a file's imports are looked for; stubs before what they are for.
fn installed(resolver: &Resolver<'_>, from: &str, name: &str) -> Option<LookupResult> {
    let sites: Vec<&str> = resolver.workspace.hints().search_paths(from).collect();
    let mut files = sites.iter();
    let file = files.find_map(|site| {
        let stubs = module_file(resolver, &joined(site, &format!("{name}{STUBS}")));
        stubs.or_else(|| module_file(resolver, &joined(site, name)))
    });
    let mut folders = sites.iter();
    file.or_else(|| {
        folders.find_map(|site| {
            let own = folder_module(resolver, &joined(site, name));
            own.or_else(|| folder_module(resolver, &joined(site, &format!("{name}{STUBS}"))))
        })
    })
}

/// What a module says itself beside which its stub stands: checkers of types read that, and nobody says which is meant.
pub(super) fn beside_stub(
    resolver: &Resolver<'_>,
    file: FileNo,
    name: Name,
    spaces: u8,
) -> Option<LookupResult> {
    let path = resolver
        .workspace
        .path(file)
        .filter(|path| path.ends_with(".py"))?;
    resolver.workspace.file_at(&format!("{path}i"))?;
    let found = resolver.module_member(file, 0, name, spaces);
    let is_own = |def: &DefRef| def.file == file;
    (!found.defs.is_empty() && found.defs.iter().all(is_own)).then(|| found.inferred())
}

/// A folder as a module.
fn package(resolver: &Resolver<'_>, folder: &str) -> Option<LookupResult> {
    for name in ["__init__.py", "__init__.pyi"] {
        if let Some(file) = resolver.workspace.file_at(&joined(folder, name)) {
            return Some(LookupResult::typed(Ty::Module(file, 0)));
        }
    }
    folder_module(resolver, folder)
}

/// A folder that has no `__init__` but modules.
fn folder_module(resolver: &Resolver<'_>, folder: &str) -> Option<LookupResult> {
    let inside = |file: &FileNo| {
        let path = resolver.workspace.path(*file).unwrap_or("");
        path.ends_with(".py") || path.ends_with(".pyi")
    };
    if let Some(file) = resolver
        .workspace
        .files_in(folder)
        .iter()
        .copied()
        .find(inside)
    {
        return Some(LookupResult::typed(Ty::Module(file, FOLDER)));
    }
    // Only folders in it: the nearest file below tells where it is.
    let start = format!("{folder}/");
    let (file, depth) = resolver.workspace.folders_below(&start).find_map(|below| {
        let file = resolver
            .workspace
            .files_in(below)
            .iter()
            .copied()
            .find(inside)?;
        Some((file, below[start.len()..].split('/').count() as u32))
    })?;
    Some(LookupResult::typed(Ty::Module(file, FOLDER + depth)))
}

/// `import name` in a file of this folder: the roots around it, then any other.
fn absolute(resolver: &Resolver<'_>, file: FileNo, folder: &str, name: &str) -> LookupResult {
    let library = || of_library(resolver, file, name);
    if is_library(file) {
        return library().unwrap_or_else(LookupResult::external);
    }
    let mut at = folder;
    let mut namespace = None;
    loop {
        // What is in a package is not seen without its name. A package without `__init__` may have a module of its own
        // name, which hides it from none that imports from it.
        if is_namespace_of(resolver, at, name) {
            namespace = namespace.or_else(|| folder_module(resolver, at));
        } else if !is_package(resolver, at) {
            for root in [at.to_owned(), joined(at, "src"), joined(at, "lib")] {
                match in_folder(resolver, &root, name) {
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
    if let Some(found) = elsewhere(resolver, name) {
        return found;
    }
    if STANDARD.contains(&name) {
        return library().unwrap_or_else(LookupResult::external);
    }
    if is_package(resolver, "") && !name.starts_with('_') && is_root_package(resolver, name) {
        return package(resolver, "").unwrap_or_else(LookupResult::external);
    }
    let from = resolver.workspace.path(file).unwrap_or("");
    let found = namespace.or_else(|| installed(resolver, from, name));
    let found = found.or_else(library);
    found.unwrap_or_else(|| {
        note_missing_root(resolver, file, name);
        LookupResult::external()
    })
}

/// Whether a folder is a package without `__init__` that has other packages, and a module of its own name.
fn is_namespace_of(resolver: &Resolver<'_>, folder: &str, name: &str) -> bool {
    let below = format!("{folder}/");
    split_path(folder).1 == name
        && !is_package(resolver, folder)
        && resolver.workspace.file_at(&inner_module(folder)).is_some()
        && resolver
            .workspace
            .folders_below(&below)
            .any(|folder| is_package(resolver, folder))
}

fn is_file(found: &LookupResult) -> bool {
    matches!(found.ty, Some(Ty::Module(_, 0)))
}

fn is_package(resolver: &Resolver<'_>, folder: &str) -> bool {
    let has = |name| resolver.workspace.file_at(&joined(folder, name)).is_some();
    has("__init__.py") || has("__init__.pyi")
}

/// The one package of this name in the workspace that is in no other package.
fn elsewhere(resolver: &Resolver<'_>, name: &str) -> Option<LookupResult> {
    let mut found = None;
    for init in ["__init__.py", "__init__.pyi"] {
        for file in resolver.workspace.files_named(init) {
            let folder = resolver
                .workspace
                .path(*file)
                .map_or("", |path| split_path(path).0);
            let (around, last) = split_path(folder);
            let is_own = !resolver.workspace.is_external(*file);
            if is_own && last == name && !folder.is_empty() && !is_package(resolver, around) {
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
    found.map(|file| LookupResult::typed(Ty::Module(file, 0)))
}

/// Whether a name is that of the package that the workspace's folder is: all that is imported from it is
/// there.
fn is_root_package(resolver: &Resolver<'_>, name: &str) -> bool {
    let Some(sym) = resolver.workspace.name(name) else {
        return false;
    };
    let (mut all, mut there) = (0_u32, 0_u32);
    for file in resolver.workspace.files_with(sym) {
        let Some(bound) = resolver.file(*file) else {
            continue;
        };
        for expr in bound.exprs() {
            let Expr::Member { of, name, .. } = expr else {
                continue;
            };
            let Expr::Module { name: root, .. } = bound.expr(of) else {
                continue;
            };
            if bound.name(root) != sym {
                continue;
            }
            all += 1;
            there += u32::from(is_in_root(resolver, bound.name(name)));
        }
    }
    all > 0 && there * 10 >= all * 9
}

fn is_in_root(resolver: &Resolver<'_>, name: Name) -> bool {
    let text = resolver.workspace.text(name);
    if in_folder(resolver, "", text).is_some() {
        return true;
    }
    let init = resolver.workspace.file_at("__init__.py");
    let bound = init.and_then(|init| resolver.file(init));
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
