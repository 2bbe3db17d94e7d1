//! Packages that TypeScript and JavaScript import, in `node_modules`: what their manifests say has their types.
//!
//! A package's `package.json` is looked for in the folders around the importing file that have a `node_modules`, and in
//! what describes packages from outside (`@types`). Files that packages import from beside themselves are looked for when
//! a question leads there.

use codecortex_protocol::Located;
use codecortex_protocol::paths::absolute_path;
use codecortex_resolve::{Mapping, MissingModule};

use crate::analysis::Analysis;
use crate::external::libraries::node_exports::types_of;
use crate::external::libraries::search::{LibrarySearch, SearchState};
use crate::external::libraries::{DEEPEST, folders_upwards, module_path, place_of_module};
use crate::external::paths::{folder_of, joined};

/// The folder of installed packages.
const MODULES: &str = "node_modules";
/// Where pnpm links the packages that installed packages use, below the folder of installed packages.
const SHARED: &str = ".pnpm/node_modules";
/// What the file of a path without its ending is called.
const ENDINGS: [&str; 6] = [
    ".d.ts",
    "/index.d.ts",
    ".d.mts",
    ".d.cts",
    ".ts",
    "/index.ts",
];

/// Asks for the files that a missing module may be.
pub(super) fn look_for(search: &mut LibrarySearch<'_>, module: &MissingModule) -> SearchState {
    let code = search.code;
    let names = code.names();
    let from = names.workspace().path(module.from).unwrap_or("");
    let Some((root, from)) = place_of_module(code, from) else {
        return SearchState::Found;
    };
    let folder = folder_of(from);
    let written = module.path.as_str();
    if written.starts_with('.') {
        let path = beside(folder, written).filter(|path| package_around(path).is_some());
        if let Some(path) = path {
            return search.look_for(files_of(code, root, &path));
        }
        return SearchState::Found;
    }
    let homes = homes_of(search, root, folder);
    let Some(mut paths) = entries(search, root, &homes, written) else {
        return SearchState::Open;
    };
    paths.extend(ambient(&homes, written));
    let files = paths.iter().flat_map(|path| files_of(code, root, path));
    search.look_for(files.collect())
}

/// The folders whose `node_modules` a file in a folder imports from, the nearest first, looked for once.
fn homes_of(search: &mut LibrarySearch<'_>, root: u32, folder: &str) -> Vec<String> {
    let code = search.code;
    let homes = search.homes.entry((root, folder.to_owned()));
    homes
        .or_insert_with(|| homes_around(code, root, folder))
        .clone()
}

/// Files that may describe a module of Node itself, each for one module: they say by `declare module` which.
fn ambient(homes: &[String], module: &str) -> Vec<String> {
    let name = module.strip_prefix("node:").unwrap_or(module);
    if package_of(name).is_none() || name.starts_with('@') {
        return Vec::new();
    }
    let modules = homes.iter().map(|home| joined(home, MODULES));
    let paths = modules.map(|modules| format!("{}/{name}.d.ts", described(&modules, "node")));
    paths.collect()
}

/// The path of what a file in a folder imports from beside itself, without the ending of a program.
fn beside(folder: &str, written: &str) -> Option<String> {
    let mut path: Vec<&str> = folder.split('/').collect();
    for part in written.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(path.pop()?),
            part => path.push(part),
        }
    }
    let path = path.join("/");
    let endings = [".js", ".mjs", ".cjs", ".jsx"];
    let stem = endings.iter().find_map(|ending| path.strip_suffix(ending));
    Some(stem.unwrap_or(&path).to_owned())
}

/// The folder of the installed package that a path is in.
pub(super) fn package_around(path: &str) -> Option<&str> {
    let is_whole = |at: &usize| *at == 0 || path.as_bytes()[*at - 1] == b'/';
    let mut found = path.rmatch_indices(MODULES).map(|(at, _)| at);
    let begin = found.find(is_whole)? + MODULES.len();
    let inside = path.get(begin..)?.strip_prefix('/')?;
    let parts = if inside.starts_with('@') { 2 } else { 1 };
    let mut ends = inside.match_indices('/').map(|(at, _)| at);
    let end = ends.nth(parts - 1).unwrap_or(inside.len());
    Some(&path[..begin + 1 + end])
}

/// The folders whose `node_modules` a file in a folder imports from, the nearest first.
fn homes_around(code: &Analysis, root: u32, folder: &str) -> Vec<String> {
    let mut homes = Vec::new();
    let mut outside = Some(folder);
    if let Some(package) = package_around(folder) {
        // Packages are not listed: each folder around one may have others.
        homes.push(package.to_owned());
        for (at, _) in package.rmatch_indices(MODULES) {
            let around = package[..at].trim_end_matches('/');
            homes.push(around.to_owned());
            outside = (!around.is_empty()).then(|| folder_of(around));
        }
    }
    let has_modules = |folder: &&str| {
        let modules = joined(folder, MODULES);
        let left_out = code.workspace.left_out_in(root, folder);
        left_out.contains(&modules.as_str())
    };
    let listed = outside.into_iter().flat_map(folders_upwards);
    let listed = listed.take(DEEPEST).filter(has_modules);
    homes.extend(listed.map(str::to_owned));
    homes
}

/// Files that may have the types of a module, if it is in a package, the likeliest first: those of the package itself,
/// then those of what describes it. Nothing where manifests have to be read to know them.
fn entries(
    search: &mut LibrarySearch<'_>,
    root: u32,
    homes: &[String],
    module: &str,
) -> Option<Vec<String>> {
    let code = search.code;
    let libraries = &code.external.libraries.packages;
    let (Some(nearest), Some((package, inner))) = (homes.first(), package_of(module)) else {
        return Some(Vec::new());
    };
    let key = (root, nearest.clone(), module.to_owned());
    if let Some(known) = libraries.modules.borrow().get(&key) {
        return Some(known.clone());
    }
    let of = code.workspace.roots.get(root as usize)?;
    let mut found = Vec::new();
    let mut is_known = true;
    for place in places(homes, &package) {
        let file = code.located(&absolute_path(of, &format!("{place}/package.json")));
        let path = file.path.clone();
        is_known &= search.ask_first(file);
        if let Some(Some(manifest)) = libraries.manifests.get(&path) {
            let types = types_of(manifest, inner).into_iter();
            found.extend(types.map(|types| joined(&place, &types)));
        }
    }
    if !is_known {
        return None;
    }
    libraries.modules.borrow_mut().insert(key, found.clone());
    Some(found)
}

/// Where a package may be, the nearest first, and what describes it behind the package itself.
fn places(homes: &[String], package: &str) -> Vec<String> {
    let own = homes.iter().map(|home| joined(home, MODULES));
    let shared = homes
        .last()
        .map(|last| format!("{}/{SHARED}", joined(last, MODULES)));
    let places = own.chain(shared);
    let both = places.flat_map(|modules| [joined(&modules, package), described(&modules, package)]);
    both.collect()
}

/// Where a package is described from outside.
fn described(modules: &str, package: &str) -> String {
    let name = match package.strip_prefix('@') {
        Some(scoped) => scoped.replace('/', "__"),
        None => package.to_owned(),
    };
    format!("{modules}/@types/{name}")
}

/// The package that a module is in, and the rest of the module's name.
pub(super) fn package_of(module: &str) -> Option<(String, &str)> {
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

/// The files that a path may mean, whose ending may be missing.
fn files_of(code: &Analysis, root: u32, path: &str) -> Vec<Located> {
    let Some(of) = code.workspace.roots.get(root as usize) else {
        return Vec::new();
    };
    let paths = whole_paths(path).into_iter();
    let files = paths.map(|path| code.located(&absolute_path(of, &path)));
    files.collect()
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

/// Says which module is which file, as far as that was found out.
pub(super) fn map_modules(code: &mut Analysis) {
    let modules = code.external.libraries.packages.modules.borrow();
    let found = modules.iter().filter(|(_, paths)| !paths.is_empty());
    let found = found.map(|((root, folder, module), paths)| {
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

    #[test]
    fn modules_are_in_packages() {
        let of = |module: &'static str| package_of(module);
        assert_eq!(of("left-pad"), Some(("left-pad".to_owned(), "")));
        assert_eq!(of("@a/b/c/d"), Some(("@a/b".to_owned(), "c/d")));
        assert_eq!(of("a/b"), Some(("a".to_owned(), "b")));
        for other in ["./a", "/a", "node:fs", "a/../b", "#own", "a//b"] {
            assert_eq!(of(other), None, "{other}");
        }
        let homes = ["a".to_owned(), String::new()];
        assert_eq!(
            places(&homes, "@x/y"),
            [
                "a/node_modules/@x/y",
                "a/node_modules/@types/x__y",
                "node_modules/@x/y",
                "node_modules/@types/x__y",
                "node_modules/.pnpm/node_modules/@x/y",
                "node_modules/.pnpm/node_modules/@types/x__y",
            ]
        );
        for name in ["node:fs/promises", "fs/promises"] {
            let files = ambient(&homes[1..], name);
            assert_eq!(files, ["node_modules/@types/node/fs/promises.d.ts"]);
        }
        assert_eq!(ambient(&homes, "@x/y"), [""; 0]);
    }

    #[test]
    fn packages_are_around_their_files() {
        let cases = [
            ("node_modules/a/lib/b.d.ts", Some("node_modules/a")),
            ("x/node_modules/@a/b/c", Some("x/node_modules/@a/b")),
            (
                "node_modules/a/node_modules/b",
                Some("node_modules/a/node_modules/b"),
            ),
            ("src/a", None),
            ("src/my_node_modules/a", None),
        ];
        for (path, package) in cases {
            assert_eq!(package_around(path), package, "{path}");
        }
        assert_eq!(
            beside("node_modules/a/lib", "../c.js").unwrap(),
            "node_modules/a/c"
        );
    }
}
