//! Second pass: items, with the properties as they are at the end.

use super::evaluate::{EvaluatedItem, Evaluation, hold};
use super::expand::ExpandScope;
use super::msbuild::{ItemKind, MsbuildItem};
use super::sdk::{self, Switches};
use crate::build::{ProjectBuilder, reference};
use crate::glob::{GlobPattern, Syntax};
use crate::model::{AssemblyReference, Reference, Using};
use crate::path::{self, ManifestTarget};
use crate::source::SourcePosition;

/// What a project consists of, for one framework.
#[derive(Debug, Default)]
pub(super) struct Items {
    pub(super) compile: Vec<u32>,
    pub(super) include: Vec<String>,
    pub(super) exclude: Vec<String>,
    pub(super) references: Vec<Reference>,
    pub(super) assemblies: Vec<AssemblyReference>,
    pub(super) usings: Vec<Using>,
}

/// What is asked of a project.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish<'a> {
    pub(super) project: &'a str,
    /// None for projects of the old style.
    pub(super) sdk: Option<&'a str>,
    pub(super) framework: &'a str,
    /// Whether C# files are compiled at all.
    pub(super) compiles: bool,
    pub(super) implicit_usings: bool,
}

/// Folders of builds, and what the SDK takes out besides.
const NOT_COMPILED: &[&str] = &["bin/**", "obj/**"];

/// Properties with more patterns to take out.
const EXCLUDES: &[&str] = &[
    "DefaultItemExcludes",
    "DefaultExcludesInProjectFolder",
    "DefaultItemExcludesInProjectFolder",
];

/// Properties with the folders of builds.
const OUTPUTS: &[&str] = &["BaseOutputPath", "BaseIntermediateOutputPath"];

struct ItemCollector<'b, 'a> {
    builder: &'b mut ProjectBuilder<'a>,
    evaluation: &'b Evaluation<'a>,
    wish: Wish<'b>,
    items: Items,
}

/// Collects the items of an evaluated project.
pub(super) fn collect<'a>(
    builder: &mut ProjectBuilder<'a>,
    evaluation: &Evaluation<'a>,
    wish: Wish<'_>,
) -> Items {
    let mut collector = ItemCollector {
        builder,
        evaluation,
        wish,
        items: Items::default(),
    };
    collector.defaults();
    for placed in &evaluation.items {
        collector.item(placed);
    }
    let mut items = collector.items;
    items.compile.sort_unstable();
    items.compile.dedup();
    items
}

impl ItemCollector<'_, '_> {
    fn defaults(&mut self) {
        let properties = &self.evaluation.properties;
        let Some(sdk) = self.wish.sdk else {
            return;
        };
        let off = |name| properties.is_off(name);
        if self.wish.compiles && !off("EnableDefaultItems") && !off("EnableDefaultCompileItems") {
            self.default_files();
        }
        let on = |name| {
            properties
                .text(name)
                .is_some_and(|v| v.eq_ignore_ascii_case("true"))
        };
        if self.wish.implicit_usings {
            let names = sdk::implicit_usings(Switches {
                sdk,
                framework: self.wish.framework,
                forms: on("UseWindowsForms"),
                wpf: on("UseWPF"),
            });
            self.items
                .usings
                .extend(names.into_iter().map(|name| Using {
                    name: name.to_owned(),
                    ..Using::default()
                }));
        }
    }

    fn default_files(&mut self) {
        let folder = path::folder(self.wish.project).to_owned();
        let properties = &self.evaluation.properties;
        let mut texts: Vec<String> = NOT_COMPILED.iter().map(|t| (*t).to_owned()).collect();
        let outputs = OUTPUTS.iter().filter_map(|name| properties.text(name));
        texts.extend(outputs.map(|output| format!("{}/**", output.trim_end_matches(['/', '\\']))));
        let more = EXCLUDES.iter().filter_map(|name| properties.text(name));
        texts.extend(more.flat_map(|list| list.split(';')).map(str::to_owned));
        let excludes: Vec<GlobPattern> = texts
            .iter()
            .filter(|text| !text.trim().is_empty())
            .filter_map(|text| self.pattern(text, SourcePosition::default()))
            .collect();
        let files = self.builder.files;
        for index in files.below(&folder) {
            let path = files.get(index);
            let rest = path::below(&folder, path).unwrap_or(path);
            let hidden = || rest.rsplit('/').skip(1).any(|name| name.starts_with('.'));
            let excluded = || excludes.iter().any(|pattern| pattern.matches(path));
            if path::extension(path).eq_ignore_ascii_case("cs") && !hidden() && !excluded() {
                self.items.compile.push(index);
            }
        }
        self.items.include.push(path::join(&folder, "**/*.cs"));
        self.items
            .exclude
            .extend(excludes.iter().map(GlobPattern::text));
    }

    fn pattern(&mut self, text: &str, at: SourcePosition) -> Option<GlobPattern> {
        let project = self.wish.project;
        self.builder
            .pattern(project, path::folder(project), text, at, Syntax::AnyCase)
    }

    fn item(&mut self, placed: &EvaluatedItem<'_>) {
        let scope = ExpandScope {
            properties: &self.evaluation.properties,
            file: placed.file,
            project: self.wish.project,
            files: self.builder.files,
            manifests: self.builder.manifests,
        };
        let Some(sure) = hold(&scope, placed.conditions) else {
            return;
        };
        let include = list(&scope, &placed.item.include);
        let exclude = list(&scope, &placed.item.exclude);
        let remove = list(&scope, &placed.item.remove);
        // What is only possibly taken out may still be in.
        let remove = if sure { remove } else { Vec::new() };
        match placed.item.kind {
            ItemKind::Compile => self.compile(&include, &exclude, &remove, placed.at),
            ItemKind::ProjectReference => {
                if !scope.expand(&placed.item.include).certain {
                    self.unknown_reference(placed);
                }
                self.reference(&include, &remove, placed);
            }
            ItemKind::Assembly => {
                let hint = placed.item.hint.as_ref().map(|hint| scope.expand(hint));
                let hint = hint.filter(|hint| hint.certain).map(|hint| hint.text);
                self.assemblies(&include, &remove, hint.as_deref());
            }
            ItemKind::Using => self.usings(&include, &remove, placed.item),
        }
    }

    fn compile(
        &mut self,
        include: &[String],
        exclude: &[String],
        remove: &[String],
        at: SourcePosition,
    ) {
        if !self.wish.compiles {
            return;
        }
        let files = self.builder.files;
        for text in remove {
            if let Some(pattern) = self.pattern(text, at) {
                self.items
                    .compile
                    .retain(|file| !pattern.matches(files.get(*file)));
                self.items.exclude.push(pattern.text());
            }
        }
        let excludes: Vec<GlobPattern> = exclude
            .iter()
            .filter_map(|text| self.pattern(text, at))
            .collect();
        for text in include {
            let Some(pattern) = self.pattern(text, at) else {
                continue;
            };
            let out = |file: &u32| excludes.iter().any(|p| p.matches(files.get(*file)));
            self.items
                .compile
                .extend(pattern.files(files).filter(|file| !out(file)));
            self.items.include.push(pattern.text());
        }
        self.items
            .exclude
            .extend(excludes.iter().map(GlobPattern::text));
    }

    fn reference(&mut self, include: &[String], remove: &[String], placed: &EvaluatedItem<'_>) {
        for text in remove {
            if let Some(pattern) = self.pattern(text, placed.at) {
                let target = |r: &Reference| {
                    r.target
                        .as_ref()
                        .and_then(ManifestTarget::inside)
                        .map(str::to_owned)
                };
                self.items
                    .references
                    .retain(|r| !target(r).is_some_and(|path| pattern.matches(&path)));
            }
        }
        for text in include {
            self.one_reference(text, placed);
        }
    }

    /// A reference whose path depends on more than the manifests is kept as it is written.
    fn unknown_reference(&mut self, placed: &EvaluatedItem<'_>) {
        let text = placed.item.include.trim();
        let name = text.rsplit(['/', '\\']).next().unwrap_or(text);
        let found = reference(
            path::stem(name),
            ManifestTarget::external(text),
            placed.at,
            false,
        );
        self.items.references.push(found);
    }

    fn one_reference(&mut self, text: &str, placed: &EvaluatedItem<'_>) {
        let files = self.builder.files;
        let mut targets = Vec::new();
        if text.contains(['*', '?']) {
            if let Some(pattern) = self.pattern(text, placed.at) {
                let found = pattern.files(files);
                targets
                    .extend(found.map(|file| ManifestTarget::Inside(files.get(file).to_owned())));
            }
        } else {
            let place = path::resolve(path::folder(self.wish.project), text);
            targets.push(self.builder.real(place));
        }
        for target in targets {
            let path = match &target {
                ManifestTarget::Inside(path) => path.as_str(),
                ManifestTarget::External { external } => external.as_str(),
            };
            let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
            // A place in another file says nothing in this project's manifest.
            let own = placed.file == self.wish.project;
            let at = if own {
                placed.at
            } else {
                SourcePosition::default()
            };
            let reference = reference(path::stem(name), target.clone(), at, false);
            if !self
                .items
                .references
                .iter()
                .any(|r| r.target == reference.target)
            {
                self.items.references.push(reference);
            }
        }
    }

    fn assemblies(&mut self, include: &[String], remove: &[String], hint: Option<&str>) {
        let assemblies = &mut self.items.assemblies;
        assemblies.retain(|assembly| !remove.contains(&assembly.name));
        for text in include {
            // Behind the name may be a version, a culture and a key.
            let name = text.split(',').next().unwrap_or(text).trim();
            let place = hint.map(|hint| path::resolve(path::folder(self.wish.project), hint));
            let assembly = AssemblyReference {
                name: name.to_owned(),
                place,
            };
            if !name.is_empty() && !assemblies.contains(&assembly) {
                assemblies.push(assembly);
            }
        }
    }

    fn usings(&mut self, include: &[String], remove: &[String], item: &MsbuildItem) {
        self.items
            .usings
            .retain(|using| !remove.contains(&using.name));
        for name in include {
            let using = Using {
                name: name.clone(),
                is_static: item.is_static,
                alias: item.alias.clone(),
            };
            if !self.items.usings.contains(&using) {
                self.items.usings.push(using);
            }
        }
    }
}

/// The parts of a list; those that come from other items are left out.
fn list(scope: &ExpandScope<'_>, text: &str) -> Vec<String> {
    if text.is_empty() {
        return Vec::new();
    }
    let expanded = scope.expand(text);
    if !expanded.certain {
        return Vec::new();
    }
    let parts = expanded.text.split(';').map(str::trim);
    parts
        .filter(|part| !part.is_empty() && !part.contains("@(") && !part.contains("%("))
        .map(str::to_owned)
        .collect()
}
