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
use crate::external::libraries::{DEEPEST, MOST_FILES, folders_upwards, module_path};
use crate::external::paths::joined;

/// So many modules of a file are looked for.
const MOST_MODULES: usize = 48;
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
    for module in unresolved(code, file).into_iter().take(MOST_MODULES) {
        if let Some(path) = entry(code, root, folder, &module, &mut manifests) {
            add_file(code, root, &path, &mut files);
        }
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

/// The file with the types of a module, if it is in a package; adds what has to be read to know that.
fn entry(
    code: &Analysis,
    root: u32,
    folder: &str,
    module: &str,
    manifests: &mut Vec<Located>,
) -> Option<String> {
    let libraries = &code.external.libraries.packages;
    let key = (root, folder.to_owned(), module.to_owned());
    if let Some(known) = libraries.modules.borrow().get(&key) {
        return known.clone();
    }
    let (package, inner) = package_of(module)?;
    let of = code.workspace.roots.get(root as usize)?;
    let mut missing = Vec::new();
    let mut found = None;
    for place in places(folder, &package) {
        let file = code.located(&absolute_path(of, &format!("{place}/package.json")));
        match libraries.manifests.get(&file.path) {
            None => missing.push(file),
            Some(Some(manifest)) if found.is_none() => {
                found = types_of(manifest, inner).map(|types| joined(&place, &types));
            }
            Some(_) => {}
        }
    }
    if !missing.is_empty() {
        manifests.extend(missing);
        return None;
    }
    let mut known = libraries.modules.borrow_mut();
    known.insert(key, found.clone());
    found
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

/// The file with the types of a package or of a part of it, as its manifest says, relative to the package.
fn types_of(manifest: &Value, inner: &str) -> Option<String> {
    let said = match inner {
        "" => ["types", "typings"]
            .iter()
            .find_map(|key| manifest[*key].as_str()),
        _ => None,
    };
    let key = match inner {
        "" => ".".to_owned(),
        inner => format!("./{inner}"),
    };
    let exports = &manifest["exports"];
    let exported = match exports.get(&key) {
        Some(of) => of,
        None if inner.is_empty() => exports,
        None => &Value::Null,
    };
    let path = said.map(str::to_owned).or_else(|| declared_in(exported, 0));
    let path = path.or_else(|| match inner {
        "" => manifest["main"].as_str().map(as_declarations),
        inner => Some(inner.to_owned()),
    });
    let path = path.unwrap_or_else(|| "index.d.ts".to_owned());
    let path = path.trim_start_matches("./").to_owned();
    (!path.split('/').any(|part| part == "..")).then_some(path)
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

/// Adds a file, whose ending may be missing, unless it was read before. Whether there is something of it to read.
fn add_file(code: &Analysis, root: u32, path: &str, files: &mut Vec<Located>) -> bool {
    let Some(of) = code.workspace.roots.get(root as usize) else {
        return false;
    };
    let is_whole = [".ts", ".mts", ".cts"]
        .iter()
        .any(|ending| path.ends_with(ending));
    let paths: Vec<String> = match is_whole {
        true => vec![path.to_owned()],
        false => ENDINGS
            .iter()
            .map(|ending| format!("{path}{ending}"))
            .collect(),
    };
    let located = paths
        .iter()
        .map(|path| code.located(&absolute_path(of, path)));
    let new = located.filter(|file| !code.external.libraries.tried.contains(&file.path));
    let mut is_new = false;
    for file in new {
        is_new = true;
        if files.len() < MOST_FILES && !files.contains(&file) {
            files.push(file);
        }
    }
    is_new
}

/// Says which module is which file, as far as that was found out.
pub(super) fn map_modules(code: &mut Analysis) {
    let modules = code.external.libraries.packages.modules.borrow();
    let found = modules.iter().filter_map(|((root, folder, module), path)| {
        let folder = module_path(code, *root, folder);
        Some(Mapping {
            folder: if folder.is_empty() {
                folder
            } else {
                format!("{folder}/")
            },
            written: module.clone(),
            paths: vec![module_path(code, *root, path.as_ref()?)],
            is_own: false,
        })
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
                "dist/a.d.ts",
            ),
            (json!({ "main": "./lib/b.js" }), "", "lib/b.d.ts"),
            (json!({}), "", "index.d.ts"),
            (json!({}), "sub", "sub"),
            (
                json!({ "exports": { ".": { "import": { "types": "./m.d.mts" } }, "./sub": { "default": "./s.cjs" } } }),
                "",
                "m.d.mts",
            ),
            (
                json!({ "exports": { "./sub": { "default": "./s.cjs" } } }),
                "sub",
                "s.d.cts",
            ),
        ];
        for (manifest, inner, path) in cases {
            assert_eq!(
                types_of(&manifest, inner).as_deref(),
                Some(path),
                "{manifest}"
            );
        }
        assert_eq!(types_of(&json!({ "types": "../../secret.d.ts" }), ""), None);
    }
}
