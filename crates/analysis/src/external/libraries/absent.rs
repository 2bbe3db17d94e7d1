//! Which packages questions read, and which they looked for and did not find.

use std::collections::BTreeMap;

use codecortex_index::FileId;
use codecortex_resolve::{FileNo, MissingModule};
use codecortex_syntax::Language;

use crate::analysis::Analysis;
use crate::external::libraries::environments::{PACKAGES, STUBS};
use crate::external::libraries::node;

/// A package that files of the workspace import and that is not installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AbsentPackage {
    /// The language that imports it.
    pub language: Language,
    /// As an import begins with it.
    pub name: String,
    /// What makes it known, as a sentence.
    pub hint: String,
}

/// A package of which questions have read files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadPackage {
    /// The language of its files.
    pub language: Language,
    /// As an import begins with it.
    pub name: String,
    /// As its manifest says, where that was read.
    pub version: Option<String>,
    /// How many of its files were read.
    pub files: u32,
}

/// Notes that a package is not installed of which a module is missing.
pub(super) fn note_absent(code: &Analysis, module: &MissingModule) {
    if let Some(package) = package(code, module.from, &module.path) {
        let mut absent = code.external.libraries.absent.borrow_mut();
        absent.insert(package);
    }
}

/// The package that an import in a file names: its language and its name.
fn package(code: &Analysis, from: FileNo, module: &str) -> Option<(Language, String)> {
    let language = code.index.file(FileId(from))?.facts.summary().language;
    match language {
        Language::Python => Some((language, module.split(['/', '.']).next()?.to_owned())),
        Language::TypeScript | Language::Tsx | Language::JavaScript => {
            let named = node::package_of(module).map(|(name, _)| name);
            let named = named.or_else(|| {
                module
                    .starts_with("node:")
                    .then(|| "@types/node".to_owned())
            })?;
            Some((Language::TypeScript, named))
        }
        _ => None,
    }
}

/// The package of a module that an import in a file names, where questions looked for it and it is not installed.
#[must_use]
pub fn absent_package(code: &Analysis, from: FileNo, module: &str) -> Option<String> {
    let package = package(code, from, module)?;
    let absent = code.external.libraries.absent.borrow();
    absent.contains(&package).then_some(package.1)
}

/// The packages that questions looked for and that are not installed, by language and name.
#[must_use]
pub fn absent_packages(code: &Analysis) -> Vec<AbsentPackage> {
    let absent = code.external.libraries.absent.borrow();
    let packages = absent.iter().map(|(language, name)| AbsentPackage {
        language: *language,
        name: name.clone(),
        hint: match language {
            Language::Python => format!(
                "Install the package that has the module `{name}` into a virtual environment in the workspace, and \
                 reindex."
            ),
            _ => format!("Install `{name}` with the project's package manager, and reindex."),
        },
    });
    packages.collect()
}

/// The packages of which questions have read files, by language and name.
#[must_use]
pub fn read_packages(code: &Analysis) -> Vec<ReadPackage> {
    let mut found: BTreeMap<(Language, String), (Option<String>, u32)> = BTreeMap::new();
    for path in &code.external.libraries.present {
        let Some((language, name, folder)) = package_of_file(path) else {
            continue;
        };
        let known = found.entry((language, name)).or_default();
        known.1 += 1;
        let manifests = &code.external.libraries.packages.manifests;
        if let Some(Some(manifest)) = manifests.get(&format!("{folder}/package.json")) {
            known.0 = manifest["version"].as_str().map(str::to_owned);
        }
    }
    let packages = found.into_iter();
    let packages = packages.map(|((language, name), (version, files))| ReadPackage {
        language,
        name,
        version,
        files,
    });
    packages.collect()
}

/// The package that an installed file is of: its language, its name, and its folder.
fn package_of_file(path: &str) -> Option<(Language, String, &str)> {
    if let Some(folder) = node::package_around(path) {
        let name = folder.rsplit("node_modules/").next()?;
        return Some((Language::TypeScript, name.to_owned(), folder));
    }
    let begin = path.rfind(PACKAGES)? + PACKAGES.len() + 1;
    let inside = path.get(begin..)?;
    let end = inside.find('/').unwrap_or(inside.len());
    let name = inside[..end]
        .trim_end_matches(".pyi")
        .trim_end_matches(".py");
    let name = name.strip_suffix(STUBS).unwrap_or(name);
    Some((Language::Python, name.to_owned(), &path[..begin + end]))
}
