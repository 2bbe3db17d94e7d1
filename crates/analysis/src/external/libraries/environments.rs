//! What is known of virtual environments, without a word of how it came to be known.

use codecortex_protocol::Located;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::external::paths::{folder_of, joined};

/// The file that makes a folder a virtual environment.
pub(super) const CONFIG: &str = "pyvenv.cfg";
/// Where packages are, below a folder of the environment.
pub(super) const PACKAGES: &str = "site-packages";
/// What the folder of stubs for a package ends with, behind the package's name.
pub(super) const STUBS: &str = "-stubs";
/// What the file of a module is called behind the module's path, of declarations.
pub(super) const DECLARATIONS: [&str; 2] = ["/__init__.pyi", ".pyi"];
/// The same of sources.
pub(super) const SOURCES: [&str; 2] = ["/__init__.py", ".py"];

/// What is known of virtual environments.
#[derive(Clone, Debug, Default)]
pub(super) struct Environments {
    /// By the absolute path of its `pyvenv.cfg`; none where there is no such file.
    pub(super) known: FxHashMap<String, Option<Environment>>,
    /// Absolute paths of modules, without their endings, of which a file was read.
    read: FxHashSet<String>,
}

/// A virtual environment.
#[derive(Clone, Debug)]
pub(super) struct Environment {
    /// Index of its workspace folder.
    pub(super) root: u32,
    /// The folder that it is in, relative to that: files there and below have it.
    pub(super) folder: String,
    /// Where its packages may be, relative to the workspace folder.
    pub(super) sites: Vec<String>,
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
}
