//! Packages that TypeScript imports, in `node_modules`: what their manifests say has their types.
//!
//! For the imports of the file in which a name stands, the package's `package.json` is looked for from that folder
//! upwards, and what it says has its types is read. What that imports from beside itself is read in the next round.

use codecortex_bind::facts::Expr;
use codecortex_index::FileId;
use codecortex_protocol::Located;
use codecortex_protocol::paths::absolute_path;
use codecortex_resolve::{FileNo, Mapping, Resolver};
use serde_json::Value;

use crate::analysis::Analysis;
use crate::external::libraries::packages::is_script;
use crate::external::libraries::{DEEPEST, MAX_FILES, folders_upwards, module_path};
use crate::external::paths::joined;

/// So many modules of a file are looked for.
const MAX_MODULES: usize = 48;
/// What the file of a path without its ending is called.
const ENDINGS: [&str; 6] = [
    ".d.ts",
    "/index.d.ts",
    ".d.mts",
    ".d.cts",
    ".ts",
    "/index.ts",
];

/// What has to be read for the packages that a file imports.
pub(super) fn wanted(code: &Analysis, file: FileNo) -> Vec<Located> {
    let Some(found) = code.index.file(FileId(file)) else {
        return Vec::new();
    };
    if !is_script(found.facts.summary().language) || code.index.is_outside(found.root) {
        return Vec::new();
    }
    let root = found.root;
    let (folder, _) = found.path.rsplit_once('/').unwrap_or(("", &found.path));
    let (mut manifests, mut files) = (Vec::new(), Vec::new());
    for module in unresolved(code, file).into_iter().take(MAX_MODULES) {
        let paths = entries(code, root, folder, &module, &mut manifests);
        // What a package does not say may not be there: what describes the package is asked next.
        let mut paths = paths.iter().take_while(|path| !is_read(code, root, path));
        paths.find(|path| add_file(code, root, path, &mut files));
    }
    let packages = &code.external.libraries.packages;
    // With several folders paths in the index begin with the name of one.
    let is_named = code.workspace.roots.len() > 1;
    for (of, known) in packages.read.borrow_mut().iter_mut() {
        let known = known.get_or_insert_with(|| beside(code, *of));
        known.retain(|path| {
            let inside = code.workspace.roots.get(root as usize).filter(|_| is_named);
            let path = match inside {
                Some(root) => below(path, &root.name),
                None => Some(path.as_str()),
            };
            // Of another workspace folder it is looked for with a file of that.
            path.is_none_or(|path| add_file(code, root, path, &mut files))
        });
    }
    match manifests.is_empty() {
        true => files,
        false => manifests,
    }
}

/// A path below the folder of this name.
fn below<'p>(path: &'p str, name: &str) -> Option<&'p str> {
    path.strip_prefix(name)?.strip_prefix('/')
}

/// The modules that a file imports and that are not known.
fn unresolved(code: &Analysis, file: FileNo) -> Vec<String> {
    let names = code.names();
    let workspace = names.workspace();
    let resolver = Resolver::new(workspace);
    let mut modules: Vec<String> = Vec::new();
    let bound = workspace.file(file);
    for expr in bound.iter().flat_map(|bound| bound.exprs()) {
        let Expr::Module { name, level, .. } = expr else {
            continue;
        };
        let name = bound.map_or("", |bound| workspace.text(bound.name(name)));
        if !name.is_empty()
            && !modules.iter().any(|known| known == name)
            && !resolver.knows_module(file, name, level)
        {
            modules.push(name.to_owned());
        }
    }
    modules
}

/// Files that may have the types of a module, if it is in a package, the likeliest first: those of the package itself,
/// then those of what describes it. Adds what has to be read to know them.
fn entries(
    code: &Analysis,
    root: u32,
    folder: &str,
    module: &str,
    manifests: &mut Vec<Located>,
) -> Vec<String> {
    let libraries = &code.external.libraries.packages;
    let key = (root, folder.to_owned(), module.to_owned());
    if let Some(known) = libraries.modules.borrow().get(&key) {
        return known.clone();
    }
    let (Some((package, inner)), Some(of)) =
        (package_of(module), code.workspace.roots.get(root as usize))
    else {
        return Vec::new();
    };
    let mut missing = Vec::new();
    let mut found = Vec::new();
    for place in places(folder, &package) {
        let file = code.located(&absolute_path(of, &format!("{place}/package.json")));
        match libraries.manifests.get(&file.path) {
            None => missing.push(file),
            Some(Some(manifest)) => {
                let types = types_of(manifest, inner).into_iter();
                found.extend(types.map(|types| joined(&place, &types)));
            }
            Some(None) => {}
        }
    }
    if !missing.is_empty() {
        manifests.extend(missing);
        return Vec::new();
    }
    let mut known = libraries.modules.borrow_mut();
    known.insert(key, found.clone());
    found
}

/// Whether a file was read and is there, by a path that may lack its ending.
fn is_read(code: &Analysis, root: u32, path: &str) -> bool {
    let origins = &code.external.origins;
    let mut paths = whole_paths(path).into_iter();
    paths.any(|path| origins.contains_key(module_path(code, root, &path).as_str()))
}

/// The package that a module is in, and the rest of the module's name.
fn package_of(module: &str) -> Option<(String, &str)> {
    let is_scoped = module.starts_with('@');
    let is_path = module.starts_with(['.', '/', '#']) || module.contains([':', '\\', ' ', '*']);
    let mut ends = module.match_indices('/').map(|(at, _)| at);
    let end = ends.nth(usize::from(is_scoped)).unwrap_or(module.len());
    let (package, rest) = module.split_at(end);
    let has_dots = module
        .split('/')
        .any(|part| part == ".." || part.is_empty());
    (!is_path && !has_dots).then(|| (package.to_owned(), rest.trim_start_matches('/')))
}

/// Where a package may be, seen from a folder: the nearest first, and what describes it behind the package itself.
fn places(folder: &str, package: &str) -> Vec<String> {
    let described = match package.strip_prefix('@') {
        Some(scoped) => scoped.replace('/', "__"),
        None => package.to_owned(),
    };
    let mut places = Vec::new();
    for folder in folders_upwards(folder).take(DEEPEST) {
        let modules = joined(folder, "node_modules");
        places.push(joined(&modules, package));
        places.push(format!("{modules}/@types/{described}"));
    }
    places
}

/// Files that may have the types of a package or of a part of it, relative to the package: what its manifest says, or
/// what stands beside its programs.
fn types_of(manifest: &Value, inner: &str) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    if inner.is_empty() {
        let said = ["types", "typings"].iter();
        paths.extend(said.filter_map(|key| Some(manifest[*key].as_str()?.to_owned())));
    }
    paths.extend(exported(&manifest["exports"], inner));
    match inner {
        "" => {
            paths.extend(manifest["main"].as_str().map(as_declarations));
            paths.push("index.d.ts".to_owned());
        }
        inner => paths.push(inner.to_owned()),
    }
    let paths = paths.iter().map(|path| path.trim_start_matches("./"));
    let inside = paths.filter(|path| !path.split('/').any(|part| part == ".."));
    let mut seen: Vec<String> = Vec::new();
    for path in inside {
        if !seen.iter().any(|known| known == path) {
            seen.push(path.to_owned());
        }
    }
    seen
}

/// The declarations of what a manifest exports, by its own name or by a pattern (`./*`).
fn exported(exports: &Value, inner: &str) -> Option<String> {
    if inner.is_empty() {
        return declared_in(exports.get(".").unwrap_or(exports), 0);
    }
    let key = format!("./{inner}");
    if let Some(of) = exports.get(&key) {
        return declared_in(of, 0);
    }
    let fitting = exports.as_object()?.iter().filter_map(|(pattern, of)| {
        let (before, after) = pattern.split_once('*')?;
        let rest = key.strip_prefix(before)?.strip_suffix(after)?;
        Some((before.len(), rest, of))
    });
    let (_, rest, of) = fitting.max_by_key(|(length, ..)| *length)?;
    declared_in(of, 0).map(|path| path.replacen('*', rest, 1))
}

/// The declarations among what a manifest exports under conditions.
fn declared_in(exported: &Value, depth: u32) -> Option<String> {
    match exported {
        Value::String(path) => Some(as_declarations(path)),
        Value::Object(conditions) if depth < 4 => {
            let wanted = ["types", "import", "require", "node", "default"];
            let mut found = wanted.iter().filter_map(|word| conditions.get(*word));
            found.find_map(|of| declared_in(of, depth + 1))
        }
        _ => None,
    }
}

/// The declarations beside a program: `a.js` has them in `a.d.ts`.
fn as_declarations(path: &str) -> String {
    for (ending, declared) in [(".mjs", ".d.mts"), (".cjs", ".d.cts"), (".js", ".d.ts")] {
        if let Some(stem) = path.strip_suffix(ending) {
            return format!("{stem}{declared}");
        }
    }
    path.to_owned()
}

/// Files that a file of a package imports from beside itself, without their endings.
fn beside(code: &Analysis, file: FileNo) -> Vec<String> {
    let Some(found) = code.index.file(FileId(file)) else {
        return Vec::new();
    };
    let (folder, _) = found.path.rsplit_once('/').unwrap_or(("", &found.path));
    let modules = unresolved(code, file).into_iter();
    let modules = modules.filter(|module| module.starts_with('.'));
    let paths = modules.filter_map(|module| {
        let mut path: Vec<&str> = folder.split('/').collect();
        for part in module.split('/') {
            match part {
                "." | "" => {}
                ".." => drop(path.pop()?),
                part => path.push(part),
            }
        }
        let path = path.join("/");
        let endings = [".js", ".mjs", ".cjs"];
        let stem = endings.iter().find_map(|ending| path.strip_suffix(ending));
        Some(stem.unwrap_or(&path).to_owned())
    });
    paths
        .filter(|path| path.contains("node_modules/"))
        .collect()
}

/// A path with its ending, which may be missing.
fn whole_paths(path: &str) -> Vec<String> {
    let mut endings = [".ts", ".mts", ".cts"].iter();
    match endings.any(|ending| path.ends_with(ending)) {
        true => vec![path.to_owned()],
        false => ENDINGS
            .iter()
            .map(|ending| format!("{path}{ending}"))
            .collect(),
    }
}

/// Adds a file, whose ending may be missing, unless it was read before. Whether there is something of it to read.
fn add_file(code: &Analysis, root: u32, path: &str, files: &mut Vec<Located>) -> bool {
    let Some(of) = code.workspace.roots.get(root as usize) else {
        return false;
    };
    let paths = whole_paths(path);
    let located = paths
        .iter()
        .map(|path| code.located(&absolute_path(of, path)));
    let new = located.filter(|file| !code.external.libraries.tried.contains(&file.path));
    let mut is_new = false;
    for file in new {
        is_new = true;
        if files.len() < MAX_FILES && !files.contains(&file) {
            files.push(file);
        }
    }
    is_new
}

/// Says which module is which file, as far as that was found out.
pub(super) fn map_modules(code: &mut Analysis) {
    let modules = code.external.libraries.packages.modules.borrow();
    let found = modules.iter().map(|((root, folder, module), paths)| {
        let folder = module_path(code, *root, folder);
        Mapping {
            folder: if folder.is_empty() {
                folder
            } else {
                format!("{folder}/")
            },
            written: module.clone(),
            paths: paths
                .iter()
                .map(|path| module_path(code, *root, path))
                .collect(),
            is_own: false,
        }
    });
    let mut mappings: Vec<Mapping> = found.collect();
    drop(modules);
    mappings.sort_by(|a, b| (&a.folder, &a.written).cmp(&(&b.folder, &b.written)));
    code.external.libraries.packages.mappings = mappings;
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn modules_are_in_packages() {
        let of = |module: &'static str| package_of(module);
        assert_eq!(of("left-pad"), Some(("left-pad".to_owned(), "")));
        assert_eq!(of("@a/b/c/d"), Some(("@a/b".to_owned(), "c/d")));
        assert_eq!(of("a/b"), Some(("a".to_owned(), "b")));
        for other in ["./a", "/a", "node:fs", "a/../b", "#own", "a//b"] {
            assert_eq!(of(other), None, "{other}");
        }
        assert_eq!(
            places("a/b", "@x/y"),
            [
                "a/b/node_modules/@x/y",
                "a/b/node_modules/@types/x__y",
                "a/node_modules/@x/y",
                "a/node_modules/@types/x__y",
                "node_modules/@x/y",
                "node_modules/@types/x__y",
            ]
        );
    }

    #[test]
    fn manifests_say_where_types_are() {
        let cases = [
            (
                json!({ "types": "./dist/a.d.ts", "main": "b.js" }),
                "",
                vec!["dist/a.d.ts", "b.d.ts", "index.d.ts"],
            ),
            (
                json!({ "main": "./lib/b.js" }),
                "",
                vec!["lib/b.d.ts", "index.d.ts"],
            ),
            (json!({ "main": "index.js" }), "", vec!["index.d.ts"]),
            (json!({}), "sub", vec!["sub"]),
            (
                json!({ "exports": { ".": { "import": { "types": "./m.d.mts" } }, "./sub": { "default": "./s.cjs" } } }),
                "",
                vec!["m.d.mts", "index.d.ts"],
            ),
            (
                json!({ "exports": { "./sub": { "default": "./s.cjs" } } }),
                "sub",
                vec!["s.d.cts", "sub"],
            ),
            (
                json!({ "exports": { "./*": "./dist/*.js", "./in/*": "./deep/*.mjs" } }),
                "in/a",
                vec!["deep/a.d.mts", "in/a"],
            ),
            (
                json!({ "types": "../../secret.d.ts" }),
                "",
                vec!["index.d.ts"],
            ),
        ];
        for (manifest, inner, paths) in cases {
            assert_eq!(types_of(&manifest, inner), paths, "{manifest}");
        }
    }
}
