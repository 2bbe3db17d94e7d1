//! Packages that are installed in a project's virtual environment, as Python's checkers of types read them (PEP 561):
//! stubs for a package before the package's own, declarations before sources.
//!
//! An environment is a folder with a `pyvenv.cfg`. No listing says which folder that is, since environments are left out
//! of the workspace: every folder that is left out beside a file, or above, is asked for one.

use codecortex_protocol::Located;
use codecortex_protocol::paths::absolute_path;
use codecortex_resolve::{MissingModule, SearchPath};

use crate::analysis::Analysis;
use crate::external::libraries::environments::{CONFIG, DECLARATIONS, Environment, SOURCES, STUBS};
use crate::external::libraries::search::{LibrarySearch, SearchState};
use crate::external::libraries::{folders_upwards, module_path, place_of_module};
use crate::external::paths::{folder_of, joined};

/// So many folders are looked into for one file's environment.
const MAX_FOLDERS: usize = 64;

/// Where installed packages are, by the folders whose files import them.
pub(super) fn search_paths(code: &Analysis) -> Vec<SearchPath> {
    let all = code
        .external
        .libraries
        .environments
        .known
        .values()
        .flatten();
    let paths = all.flat_map(|of| {
        let folder = match module_path(code, of.root, &of.folder) {
            folder if folder.is_empty() => folder,
            folder => format!("{folder}/"),
        };
        of.sites.iter().map(move |site| SearchPath {
            folder: folder.clone(),
            path: module_path(code, of.root, site),
        })
    });
    let mut paths: Vec<SearchPath> = paths.collect();
    paths.sort_by(|a, b| (&a.folder, &a.path).cmp(&(&b.folder, &b.path)));
    paths
}

/// Asks for the files that a missing module may be.
pub(super) fn look_for(search: &mut LibrarySearch<'_>, module: &MissingModule) -> SearchState {
    let code = search.code;
    let names = code.names();
    let workspace = names.workspace();
    let from = workspace.path(module.from).unwrap_or("");
    let Some((root, from)) = place_of_module(code, module.folder.as_deref().unwrap_or(from)) else {
        return SearchState::Found;
    };
    let Some(sites) = sites_of(search, root, from) else {
        return SearchState::Open;
    };
    let paths = paths_of(&sites, module, from);
    let state = search.look_for(located(code, root, &paths));
    if module.folder.is_some() || sites.is_empty() || state != SearchState::Absent {
        return state;
    }
    // A package without `__init__` is known only by what is in it.
    let mut states = vec![state];
    for path in workspace.imported_paths(module.from, &module.path) {
        let paths = sites.iter().flat_map(|site| files_of(site, &path));
        let files = located(code, root, &paths.collect::<Vec<String>>());
        states.push(search.look_for(files));
    }
    let best = [SearchState::Open, SearchState::Found];
    let best = best.into_iter().find(|state| states.contains(state));
    best.unwrap_or(SearchState::Absent)
}

/// Files that a missing module may be, best first, relative to the workspace folder.
fn paths_of(sites: &[String], module: &MissingModule, from: &str) -> Vec<String> {
    match module.folder {
        None => sites
            .iter()
            .flat_map(|site| files_of(site, &module.path))
            .collect(),
        Some(_) => {
            // What is missing in stubs may be in the package that they are for, and the other way round.
            let inside = sites
                .iter()
                .filter_map(|site| Some((site, from.strip_prefix(site.as_str())?)));
            let of_package = inside.map(|(site, inside)| {
                let inside = inside.trim_start_matches('/');
                let (package, rest) = inside.split_once('/').unwrap_or((inside, ""));
                let package = package.strip_suffix(STUBS).unwrap_or(package);
                let path = joined(&joined(package, rest), &module.path);
                files_of(site, &path)
            });
            of_package.flatten().collect()
        }
    }
}

fn located(code: &Analysis, root: u32, paths: &[String]) -> Vec<Located> {
    let Some(of) = code.workspace.roots.get(root as usize) else {
        return Vec::new();
    };
    let located = paths
        .iter()
        .map(|path| code.located(&absolute_path(of, path)));
    located.collect()
}

/// Where the environment of a file has its packages; nothing where files have to be read to know that.
fn sites_of(search: &mut LibrarySearch<'_>, root: u32, path: &str) -> Option<Vec<String>> {
    let key = (root, folder_of(path).to_owned());
    if let Some(known) = search.sites.get(&key) {
        return Some(known.clone());
    }
    match environments_of(search.code, root, path) {
        Ok(environments) => {
            let sites = environments.iter().flat_map(|of| &of.sites).cloned();
            let sites: Vec<String> = sites.collect();
            search.sites.insert(key, sites.clone());
            Some(sites)
        }
        Err(unknown) => {
            for file in unknown {
                search.ask_first(file);
            }
            None
        }
    }
}

/// The virtual environments in the nearest folder around a path that has one; or the files that say whether there are.
fn environments_of<'a>(
    code: &'a Analysis,
    root: u32,
    path: &str,
) -> Result<Vec<&'a Environment>, Vec<Located>> {
    let Some(of) = code.workspace.roots.get(root as usize) else {
        return Ok(Vec::new());
    };
    let known = &code.external.libraries.environments.known;
    let (mut found, mut unknown) = (Vec::new(), Vec::new());
    let mut left = MAX_FOLDERS;
    for folder in folders_upwards(folder_of(path)) {
        let mut here = Vec::new();
        for inside in code.workspace.left_out_in(root, folder) {
            let config = absolute_path(of, &joined(inside, CONFIG));
            match known.get(&config) {
                Some(environment) => here.extend(environment),
                None if left > 0 => {
                    left -= 1;
                    unknown.push(code.located(&config));
                }
                None => {}
            }
        }
        if found.is_empty() {
            found = here;
        }
    }
    match unknown.is_empty() {
        true => Ok(found),
        false => Err(unknown),
    }
}

/// Files that a module may be, best first: stubs for its package, its declarations, its sources.
fn files_of(site: &str, module: &str) -> Vec<String> {
    let (package, rest) = module.split_once('/').unwrap_or((module, ""));
    let stubs = joined(&format!("{site}/{package}{STUBS}"), rest);
    let own = format!("{site}/{module}");
    let declared = DECLARATIONS.iter().map(|ending| format!("{own}{ending}"));
    let sources = SOURCES.iter().map(|ending| format!("{own}{ending}"));
    // Stubs for a package are a folder.
    let of_stubs = DECLARATIONS.iter().map(|ending| format!("{stubs}{ending}"));
    of_stubs.chain(declared).chain(sources).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::external::libraries::environments::Environments;

    #[test]
    fn stubs_come_before_declarations_and_those_before_sources() {
        let files = files_of("s/site-packages", "a/b");
        assert_eq!(
            files,
            [
                "s/site-packages/a-stubs/b/__init__.pyi",
                "s/site-packages/a-stubs/b.pyi",
                "s/site-packages/a/b/__init__.pyi",
                "s/site-packages/a/b.pyi",
                "s/site-packages/a/b/__init__.py",
                "s/site-packages/a/b.py",
            ]
        );
        // All of them are one module, of which one file is read.
        let mut environments = Environments::default();
        let best: Vec<bool> = files
            .iter()
            .map(|file| environments.is_best(file))
            .collect();
        assert_eq!(best, [true, false, false, false, false, false]);
        assert!(environments.is_best("s/site-packages/a/c.py"));
        assert!(environments.is_best("node_modules/a/index.d.ts"));
    }
}
