//! Files that declare what the workspace uses and does not have, in a status (SPEC AS3, D30).

use codecortex_protocol::counts::counted;
use schemars::JsonSchema;
use serde::Serialize;

use codecortex_analysis::external::{absent_packages, read_packages};

use crate::invocation::Invocation;

/// So many files and problems are listed.
const MAX_LISTED: usize = 20;

/// Files from outside.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExternalData {
    /// How many were read.
    files: u32,
    /// Types that they declare.
    types: u32,
    /// The first of them.
    file_paths: Vec<String>,
    /// Installed packages that questions have read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    packages: Vec<PackageData>,
    /// Packages that questions looked for and that are not installed.
    missing: u32,
    /// The first of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing_packages: Vec<MissingPackageData>,
    /// Files and parts of files that could not be read.
    skipped: u32,
    /// The first of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<ExternalProblem>,
}

/// An installed package.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PackageData {
    language: &'static str,
    /// As imports begin with it.
    name: String,
    /// As its manifest says.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    /// Files that questions have read.
    files: u32,
}

/// A package that is not installed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct MissingPackageData {
    language: &'static str,
    /// As imports begin with it.
    name: String,
    /// What makes it known.
    hint: String,
}

/// What could not be read.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ExternalProblem {
    file_path: String,
    /// Why, as the end of a sentence.
    problem: String,
}

/// What there is to tell, once somebody looked.
pub(super) fn external(cx: &Invocation<'_>) -> Option<ExternalData> {
    let external = cx.external();
    let problems: Vec<(&str, &str)> = external.problems().collect();
    let packages = read_packages(cx);
    let missing = absent_packages(cx);
    let is_empty = packages.is_empty() && missing.is_empty();
    if external.read.is_empty() && problems.is_empty() && is_empty {
        return None;
    }
    let items = cx
        .index
        .all_files()
        .filter(|(_, file)| cx.index.is_outside(file.root));
    let items = items.flat_map(|(_, file)| &file.facts.items);
    Some(ExternalData {
        files: external.read.len() as u32,
        types: items.filter(|item| item.kind.is_type()).count() as u32,
        file_paths: external.read.iter().take(MAX_LISTED).cloned().collect(),
        packages: packages
            .into_iter()
            .take(MAX_LISTED)
            .map(|package| PackageData {
                language: package.language.info().id,
                name: package.name,
                version: package.version,
                files: package.files,
            })
            .collect(),
        missing: missing.len() as u32,
        missing_packages: missing
            .into_iter()
            .take(MAX_LISTED)
            .map(|package| MissingPackageData {
                language: package.language.info().id,
                name: package.name,
                hint: package.hint,
            })
            .collect(),
        skipped: problems.len() as u32,
        problems: problems
            .into_iter()
            .take(MAX_LISTED)
            .map(|(path, problem)| ExternalProblem {
                file_path: path.to_owned(),
                problem: problem.to_owned(),
            })
            .collect(),
    })
}

impl ExternalData {
    pub(super) fn text(&self) -> String {
        let mut out = format!(
            "// outside of the workspace: {} of {}, {} skipped\n",
            counted(self.types, "type"),
            counted(self.files, "file"),
            self.skipped
        );
        for package in &self.packages {
            let version = package.version.as_deref().unwrap_or("");
            let PackageData {
                language,
                name,
                files,
                ..
            } = package;
            out.push_str(&format!(
                "// package {name} {version} ({language}): {files} files\n"
            ));
        }
        if self.missing > 0 {
            out.push_str(&format!("// {} packages are not installed\n", self.missing));
        }
        for package in &self.missing_packages {
            let MissingPackageData {
                language,
                name,
                hint,
            } = package;
            out.push_str(&format!("// not installed: {name} ({language}). {hint}\n"));
        }
        for one in &self.problems {
            out.push_str(&format!("// {}: {}\n", one.file_path, one.problem));
        }
        out
    }
}
