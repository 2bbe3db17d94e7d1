//! Packages that are installed in a project's virtual environment, as Python's checkers of types read them (PEP 561):
//! stubs for a package before the package's own, declarations before sources.
//!
//! An environment is a folder with a `pyvenv.cfg`. No listing says which folder that is, since environments are left out
//! of the workspace: every folder that is left out beside a file, or above, is asked for one.

use codecortex_protocol::Located;
use codecortex_protocol::paths::absolute_path;
use codecortex_resolve::{MissingModule, SearchPath};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::Analysis;
use crate::external::joined;
use crate::external::libraries::{
    MOST_FILES, folder_of, folders_upwards, module_path, place_of_module,
};

/// The file that makes a folder a virtual environment.
const CONFIG: &str = "pyvenv.cfg";
/// Where packages are, below a folder of the environment.
const PACKAGES: &str = "site-packages";
/// So many folders are looked into for one file's environment.
const MOST_FOLDERS: usize = 64;
/// What the folder of stubs for a package ends with, behind the package's name.
const STUBS: &str = "-stubs";
/// What the file of a module is called behind the module's path: declarations, then sources.
const DECLARATIONS: [&str; 2] = ["/__init__.pyi", ".pyi"];
const SOURCES: [&str; 2] = ["/__init__.py", ".py"];

/// What is known of virtual environments.
#[derive(Debug, Default)]
pub(super) struct Environments {
    /// By the absolute path of its `pyvenv.cfg`; none where there is no such file.
    known: FxHashMap<String, Option<Environment>>,
    /// Absolute paths of modules, without their endings, of which a file was read.
    read: FxHashSet<String>,
}

/// A virtual environment.
#[derive(Debug)]
struct Environment {
    /// Index of its workspace folder.
    root: u32,
    /// The folder that it is in, relative to that: files there and below have it.
    folder: String,
    /// Where its packages may be, relative to the workspace folder.
    sites: Vec<String>,
}

impl Environments {
    /// Whether it is known what a file says of an environment.
    pub(super) fn knows(&self, path: &str) -> bool {
        self.known.contains_key(path)
    }

    /// Takes in what a file says of an environment. False where it is no such file.
    pub(super) fn take(&mut self, file: &Located, bytes: Option<&[u8]>) -> bool {
        let Some(place) = &file.place else {
            return false;
        };
        let Some(inside) = place.path.strip_suffix(CONFIG) else {
            return false;
        };
        let Some(inside) = inside.strip_suffix('/') else {
            return false;
        };
        let environment = bytes.map(|bytes| {
            let sites = sites(&String::from_utf8_lossy(bytes)).into_iter();
            Environment {
                root: place.root,
                folder: folder_of(inside).to_owned(),
                sites: sites.map(|site| joined(inside, &site)).collect(),
            }
        });
        self.known.insert(file.path.clone(), environment);
        true
    }

    /// Whether a file is the best one of its module, of those that come in the order in which they were asked for.
    pub(super) fn is_best(&mut self, path: &str) -> bool {
        match module_of(path) {
            Some(module) => self.read.insert(module),
            None => true,
        }
    }

    /// Where installed packages are, by the folders whose files import them.
    pub(super) fn search_paths(&self, code: &Analysis) -> Vec<SearchPath> {
        let all = self.known.values().flatten();
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
}

/// The module that an installed file is of, by its absolute path without an ending; stubs for a package are of that.
fn module_of(path: &str) -> Option<String> {
    let endings = DECLARATIONS.iter().chain(&SOURCES);
    let stem = endings
        .into_iter()
        .find_map(|ending| path.strip_suffix(ending))?;
    let begin = stem.rfind(PACKAGES)? + PACKAGES.len() + 1;
    let inside = stem.get(begin..)?;
    let (package, rest) = inside.split_once('/').unwrap_or((inside, ""));
    let package = package.strip_suffix(STUBS).unwrap_or(package);
    Some(format!("{}{package}/{rest}", &stem[..begin]))
}

/// Where an environment has its packages, as its configuration says: below a folder with the interpreter's version, or
/// below one without it, on Windows.
fn sites(config: &str) -> Vec<String> {
    let value = |wanted: &str| {
        let mut pairs = config.lines().filter_map(|line| line.split_once('='));
        let found = pairs.find(|(key, _)| key.trim() == wanted);
        found.map(|(_, value)| value.trim())
    };
    let version = value("version").or_else(|| value("version_info"));
    let version = version.and_then(|version| {
        let mut parts = version.split('.');
        let (major, minor) = (parts.next()?, parts.next()?);
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        (is_number(major) && is_number(minor)).then(|| format!("{major}.{minor}"))
    });
    let is_pypy = value("implementation").is_some_and(|name| name.eq_ignore_ascii_case("pypy"));
    let interpreter = if is_pypy { "pypy" } else { "python" };
    let versioned = version.map(|version| format!("lib/{interpreter}{version}/{PACKAGES}"));
    versioned
        .into_iter()
        .chain([format!("Lib/{PACKAGES}")])
        .collect()
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
                let path = joined(&joined_rest(package, rest), &module.path);
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
    let mut left = MOST_FOLDERS;
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
    let stubs = joined_rest(&format!("{site}/{package}{STUBS}"), rest);
    let own = format!("{site}/{module}");
    let declared = DECLARATIONS.iter().map(|ending| format!("{own}{ending}"));
    let sources = SOURCES.iter().map(|ending| format!("{own}{ending}"));
    // Stubs for a package are a folder.
    let of_stubs = DECLARATIONS.iter().map(|ending| format!("{stubs}{ending}"));
    of_stubs.chain(declared).chain(sources).collect()
}

/// A path below a folder, which is the folder where it is empty.
fn joined_rest(folder: &str, rest: &str) -> String {
    match rest {
        "" => folder.to_owned(),
        rest => format!("{folder}/{rest}"),
    }
}

/// Adds the files that are not known, all of them or none.
fn add_new(code: &Analysis, files: Vec<Located>, to: &mut Vec<Located>) {
    let is_new =
        |file: &Located| !code.external.libraries.is_known(&file.path) && !to.contains(file);
    let new: Vec<Located> = files.into_iter().filter(|file| is_new(file)).collect();
    if to.is_empty() || to.len() + new.len() <= MOST_FILES {
        to.extend(new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configurations_say_where_packages_are() {
        let cases = [
            (
                "home = /usr/bin\nversion = 3.11.4\n",
                "lib/python3.11/site-packages",
            ),
            (
                "version_info = 3.12.1.final.0\r\n",
                "lib/python3.12/site-packages",
            ),
            (
                "implementation = PyPy\nversion_info=3.10.2",
                "lib/pypy3.10/site-packages",
            ),
            ("version = ../../etc.x\n", "Lib/site-packages"),
            ("", "Lib/site-packages"),
        ];
        for (config, site) in cases {
            let sites = sites(config);
            assert_eq!(sites[0], site, "{config}");
            assert_eq!(sites.last().unwrap(), "Lib/site-packages", "{config}");
        }
    }

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
