//! First pass over a project and its imports: properties in order; items are collected for later.

use std::sync::Arc;

use super::condition::MsbuildCondition;
use super::expand::{ExpandScope, Properties, PropertyText};
use super::holds::holds;
use super::msbuild::{MsBuild, MsbuildElement, MsbuildItem, Statement};
use crate::build::ProjectBuilder;
use crate::glob::Syntax;
use crate::manifest::{Manifest, ManifestFacts, ManifestFormat};
use crate::path::{self, ManifestTarget};
use crate::source::{ProblemKind, SourcePosition};

/// An item with the file in which it stands.
#[derive(Clone, Debug)]
pub(super) struct EvaluatedItem<'a> {
    pub(super) item: &'a MsbuildItem,
    pub(super) conditions: &'a [Arc<MsbuildCondition>],
    pub(super) file: &'a str,
    pub(super) at: SourcePosition,
}

/// What the first pass gives.
#[derive(Debug, Default)]
pub(super) struct Evaluation<'a> {
    pub(super) properties: Properties,
    pub(super) items: Vec<EvaluatedItem<'a>>,
    /// Files that were read besides the project, in order.
    pub(super) imports: Vec<String>,
}

/// Imports within imports end here.
const MAX_DEPTH: usize = 32;

/// What no build sets differently while it is looked at in an editor.
const DEFAULTS: &[(&str, &str)] = &[
    ("Configuration", "Debug"),
    ("Platform", "AnyCPU"),
    // MSBuild's own, with which files look for the next one above.
    ("_DirectoryBuildPropsFile", PROPS),
    ("_DirectoryBuildTargetsFile", TARGETS),
];

const PROPS: &str = "Directory.Build.props";
const TARGETS: &str = "Directory.Build.targets";

struct Evaluator<'b, 'a> {
    builder: &'b mut ProjectBuilder<'a>,
    project: &'a str,
    /// The framework of this pass; nothing in the files changes it.
    framework: Option<&'b str>,
    result: Evaluation<'a>,
    /// Files that are being read, outermost first.
    chain: Vec<&'a str>,
}

/// Evaluates a project for one framework, or before its frameworks are known.
pub(super) fn evaluate<'a>(
    builder: &mut ProjectBuilder<'a>,
    manifest: &'a Manifest,
    facts: &'a MsBuild,
    framework: Option<&str>,
) -> Evaluation<'a> {
    let mut evaluator = Evaluator {
        builder,
        project: manifest.path(),
        framework,
        result: Evaluation::default(),
        chain: Vec::new(),
    };
    let properties = &mut evaluator.result.properties;
    for (name, value) in DEFAULTS {
        properties.set(name, PropertyText::certain(*value));
    }
    if facts.sdk.is_some() {
        properties.set("DefineConstants", PropertyText::certain("TRACE;DEBUG"));
    }
    if let Some(framework) = framework {
        properties.set("TargetFramework", PropertyText::certain(framework));
    }
    evaluator.above(PROPS, "DirectoryBuildPropsPath");
    evaluator.file(manifest.path(), facts);
    evaluator.above(TARGETS, "DirectoryBuildTargetsPath");
    evaluator.result
}

impl<'a> Evaluator<'_, 'a> {
    /// The nearest file of that name above the project, whose path becomes a property.
    fn above(&mut self, name: &str, property: &str) {
        let folder = path::folder(self.project);
        let found = self.scope(self.project).above(folder, name);
        if let Some(path) = found {
            let value = PropertyText::certain(format!("{}/{path}", path::ROOT));
            self.result.properties.set(property, value);
            self.import_file(&path);
        }
    }

    fn scope<'s>(&'s self, file: &'s str) -> ExpandScope<'s> {
        ExpandScope {
            properties: &self.result.properties,
            file,
            project: self.project,
            files: self.builder.files,
            manifests: self.builder.manifests,
        }
    }

    fn file(&mut self, path: &'a str, facts: &'a MsBuild) {
        self.chain.push(path);
        for statement in &facts.statements {
            match &statement.what {
                MsbuildElement::Property { name, value } => {
                    self.property(path, statement, name, value)
                }
                MsbuildElement::Import { project } => self.import(path, statement, project),
                MsbuildElement::Item(item) => self.result.items.push(EvaluatedItem {
                    item,
                    conditions: &statement.conditions,
                    file: path,
                    at: statement.at,
                }),
            }
        }
        self.chain.pop();
    }

    fn property(&mut self, path: &str, statement: &Statement, name: &str, value: &str) {
        if self.framework.is_some() && name.eq_ignore_ascii_case("TargetFramework") {
            return;
        }
        let scope = self.scope(path);
        let Some(sure) = hold(&scope, &statement.conditions) else {
            return;
        };
        let mut value = scope.expand(value);
        value.certain &= sure;
        self.result.properties.set(name, value);
    }

    fn import(&mut self, path: &'a str, statement: &'a Statement, project: &str) {
        let scope = self.scope(path);
        let Some(sure) = hold(&scope, &statement.conditions) else {
            return;
        };
        let target = scope.expand(project);
        if !target.certain || target.text.trim().is_empty() {
            return;
        }
        let folder = path::folder(path);
        if target.text.contains(['*', '?']) {
            self.import_all(path, folder, &target.text, statement.at);
            return;
        }
        let ManifestTarget::Inside(wanted) = path::resolve(folder, &target.text) else {
            return;
        };
        let real = self.builder.files.find(&wanted).map(str::to_owned);
        let real = real.unwrap_or(wanted);
        if self.chain.contains(&real.as_str()) {
            let message = format!("“{real}” imports itself.");
            self.builder
                .problem(path, statement.at, ProblemKind::Cycle, message);
            return;
        }
        let found = self.import_file(&real);
        // SDKs and packages bring files along that no one can see here.
        if !found && sure && !self.builder.files.contains(&real) {
            let message = format!("The imported file “{real}” does not exist.");
            self.builder
                .problem(path, statement.at, ProblemKind::Missing, message);
        }
    }

    fn import_all(&mut self, path: &str, folder: &str, text: &str, at: SourcePosition) {
        let pattern = self
            .builder
            .pattern(path, folder, text, at, Syntax::AnyCase);
        let files = self.builder.files;
        if let Some(pattern) = pattern {
            for file in pattern.files(files) {
                self.import_file(files.get(file));
            }
        }
    }

    /// Reads another file once; false when it is not there.
    fn import_file(&mut self, path: &str) -> bool {
        let Some(manifest) = self.builder.manifest(path, ManifestFormat::MsBuild) else {
            return false;
        };
        let path = manifest.path();
        let again = self.chain.contains(&path) || self.result.imports.iter().any(|p| p == path);
        if again || self.chain.len() >= MAX_DEPTH {
            return true;
        }
        if let ManifestFacts::MsBuild(facts) = &manifest.facts {
            self.result.imports.push(path.to_owned());
            self.file(path, facts);
        }
        true
    }
}

/// Whether all conditions may hold, and if so whether they surely do.
pub(super) fn hold(scope: &ExpandScope<'_>, conditions: &[Arc<MsbuildCondition>]) -> Option<bool> {
    let mut sure = true;
    for condition in conditions {
        match holds(condition, scope) {
            Some(true) => {}
            Some(false) => return None,
            None => sure = false,
        }
    }
    Some(sure)
}
