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
use crate::external::libraries::{MAX_FILES, folders_upwards, module_path, place_of_module};
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

/// What has to be read for modules that are missing.
pub(super) fn wanted(code: &Analysis, missing: &[MissingModule]) -> Vec<Located> {
    let (mut configs, mut files) = (Vec::new(), Vec::new());
    for module in missing {
        match candidates(code, module) {
            Ok(candidates) => add_new(code, candidates, &mut files),
            Err(unknown) => add_new(code, unknown, &mut configs),
        }
    }
    match configs.is_empty() {
        true => files,
        false => configs,
    }
}

/// Files that a missing module may be, best first; or what has to be known before that.
fn candidates(code: &Analysis, module: &MissingModule) -> Result<Vec<Located>, Vec<Located>> {
    let names = code.names();
    let workspace = names.workspace();
    let from = workspace.path(module.from).unwrap_or("");
    let folder = module.folder.as_deref();
    let Some((root, from)) = place_of_module(code, folder.unwrap_or(from)) else {
        return Ok(Vec::new());
    };
    let environments = environments_of(code, root, from)?;
    let sites = environments.iter().flat_map(|of| &of.sites);
    let paths: Vec<String> = match folder {
        None => sites
            .flat_map(|site| files_of(site, &module.path))
            .collect(),
        Some(_) => {
            // What is missing in stubs may be in the package that they are for, and the other way round.
            let inside = sites.filter_map(|site| Some((site, from.strip_prefix(site.as_str())?)));
            let of_package = inside.map(|(site, inside)| {
                let inside = inside.trim_start_matches('/');
                let (package, rest) = inside.split_once('/').unwrap_or((inside, ""));
                let package = package.strip_suffix(STUBS).unwrap_or(package);
                let path = joined(&joined(package, rest), &module.path);
                files_of(site, &path)
            });
            of_package.flatten().collect()
        }
    };
    let Some(of) = code.workspace.roots.get(root as usize) else {
        return Ok(Vec::new());
    };
    let located = paths
        .iter()
        .map(|path| code.located(&absolute_path(of, path)));
    Ok(located.collect())
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

/// Adds the files that are not known, all of them or none.
fn add_new(code: &Analysis, files: Vec<Located>, to: &mut Vec<Located>) {
    let is_new =
        |file: &Located| !code.external.libraries.is_known(&file.path) && !to.contains(file);
    let new: Vec<Located> = files.into_iter().filter(|file| is_new(file)).collect();
    if to.is_empty() || to.len() + new.len() <= MAX_FILES {
        to.extend(new);
    }
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
