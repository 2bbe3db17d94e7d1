//! What rules are asked of.

use std::collections::BTreeSet;

use codecortex_retrieval::Role;
use codecortex_syntax::Language;

use crate::effect::are_prose;
use crate::source::line_starts;

/// The properties of a unit.
#[derive(Clone, Debug, Default)]
pub struct Traits<'u> {
    /// Path of its file.
    pub path: &'u str,
    /// Id of its language; empty where there is none.
    pub language: &'u str,
    /// Its text after the change, and how it is parsed; absent where it is not.
    pub code: Option<(&'u str, Language)>,
    /// `add`, `modify` …
    pub patch_type: &'u str,
    /// The gravest class of change in it.
    pub change_class: Option<&'u str>,
    /// Added lines with their numbers in the new version.
    pub added: Vec<(u32, &'u str)>,
    /// Removed lines with their numbers in the old version.
    pub removed: Vec<(u32, &'u str)>,
    /// What all changed lines are.
    pub tokens: Option<&'u str>,
    /// Share of them that stand elsewhere in the change.
    pub moved_ratio: Option<f64>,
    /// Whether only one name stands for another.
    pub is_rename: bool,
    /// Whether the whole change is one of tests.
    pub is_all_tests: bool,
    /// Whether a program wrote the file.
    pub is_generated: bool,
    /// Whether it is no text.
    pub is_binary: bool,
    /// Whether it is another repository.
    pub is_submodule: bool,
    /// What changed of its declarations.
    pub symbol_changes: BTreeSet<&'u str>,
    /// What they are.
    pub symbol_kinds: BTreeSet<&'u str>,
    /// Calls of the most called of them, outside of the change.
    pub callers: u32,
    /// Tests that name one of them; absent where that is not known.
    pub tests: Option<u32>,
    /// How much the most similar code that did not change has of the rare words of what did, 0 to 1.
    pub similarity: f64,
    /// Commits lately that mend something in the file.
    pub recent_fixes: u32,
    /// What tools report of the changed lines.
    pub scanner_issues: u32,
}

/// Endings of documentation.
const DOCS: [&str; 5] = [".md", ".rst", ".adoc", ".txt", ".mdx"];
/// Names of files that say what a project is made of.
const MANIFESTS: [&str; 10] = [
    "package.json",
    "Cargo.toml",
    "go.mod",
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "pom.xml",
    "build.gradle",
    "composer.json",
    "Directory.Packages.props",
];

impl Traits<'_> {
    /// Lines that are added and removed.
    #[must_use]
    pub fn changed_lines(&self) -> u32 {
        (self.added.len() + self.removed.len()) as u32
    }

    /// Of places in lines of the new version, by the number of the line and the bytes of it before the place, the line of the
    /// first behind code, as far as that can be told: what is before it is neither in a comment nor in a string.
    #[must_use]
    pub fn first_behind_code(&self, places: &[(u32, usize)]) -> Option<u32> {
        let Some((text, language)) = self.code.filter(|_| !places.is_empty()) else {
            return places.first().map(|(number, _)| *number);
        };
        let starts = line_starts(text);
        let byte_of = |(number, end): &(u32, usize)| {
            let start = starts.get((*number as usize).checked_sub(1)?)?;
            Some(*start as usize + end.checked_sub(1)?)
        };
        let bytes: Vec<usize> = places.iter().map(|of| byte_of(of).unwrap_or(0)).collect();
        let prose = are_prose(language, text, &bytes);
        let mut first = places.iter().zip(prose);
        first.find(|(_, is)| !is).map(|((number, _), _)| *number)
    }

    /// What the file is for, as rules call it.
    #[must_use]
    pub fn path_class(&self) -> &'static str {
        let name = self.path.rsplit('/').next().unwrap_or(self.path);
        let role = Role::of_path(self.path);
        if MANIFESTS.contains(&name)
            || name.ends_with(".csproj")
            || name.starts_with("requirements")
        {
            "manifest"
        } else if DOCS.iter().any(|ending| name.ends_with(ending)) {
            "doc"
        } else if self.language.is_empty() {
            "other"
        } else if role == Role::Test {
            "test"
        } else {
            "source"
        }
    }
}
