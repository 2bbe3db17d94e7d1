//! Projects of TypeScript: tsconfigs with what they extend, and the files that they include.

use std::collections::{BTreeMap, BTreeSet};

use super::package::Packages;
use super::selection::{ConfigSelection, Lists, Located, leafed};
use super::tsconfig::{PathMappings, TsConfig};
use crate::build::{Owns, ProjectBuilder, ProjectDraft, reference};
use crate::glob::GlobPattern;
use crate::manifest::{Manifest, ManifestFacts, ManifestFormat};
use crate::model::{Detail, ManifestKind, PathMapping, TypeScriptConfig};
use crate::path::{self, ManifestTarget};
use crate::source::{ProblemKind, SourcePosition, SpannedText};

/// A config with everything it extends laid under it.
#[derive(Clone, Debug, Default)]
struct Merged {
    extends: Vec<ManifestTarget>,
    lists: Lists,
    /// With the folder of the config that has them.
    paths: Option<(String, PathMappings)>,
    root_dirs: Option<Vec<Located>>,
    folders: BTreeMap<&'static str, Located>,
    allow_js: Option<bool>,
    options: BTreeMap<&'static str, String>,
}

/// Configs that extend each other end here.
const MAX_DEPTH: usize = 16;

struct Resolver<'b, 'a> {
    builder: &'b mut ProjectBuilder<'a>,
    packages: &'b Packages<'a>,
    /// Configs that others extend.
    bases: BTreeSet<String>,
}

pub(super) fn build<'a>(builder: &mut ProjectBuilder<'a>, packages: &Packages<'a>) {
    let manifests: Vec<&Manifest> = builder.manifests_of(&[ManifestFormat::TsConfig]).collect();
    let mut resolver = Resolver {
        builder,
        packages,
        bases: BTreeSet::new(),
    };
    let mut drafts = Vec::new();
    let mut referenced = BTreeSet::new();
    for manifest in manifests {
        let merged = resolver.merged(manifest, &mut Vec::new());
        let draft = draft(resolver.builder, manifest, merged);
        let targets = draft.project.references.iter();
        referenced.extend(targets.filter_map(|r| r.target.as_ref()?.inside().map(str::to_owned)));
        drafts.push(draft);
    }
    let bases = resolver.bases;
    drafts.retain(|draft| {
        let path = draft.project.path.as_str();
        let name = path::file_name(path);
        let plain = matches!(name, "tsconfig.json" | "jsconfig.json");
        plain || referenced.contains(path) || !bases.contains(path)
    });
    builder.drafts.extend(drafts);
}

impl<'a> Resolver<'_, 'a> {
    fn merged(&mut self, manifest: &'a Manifest, chain: &mut Vec<&'a str>) -> Merged {
        let ManifestFacts::TsConfig(config) = &manifest.facts else {
            return Merged::default();
        };
        let mut merged = Merged::default();
        chain.push(manifest.path());
        for word in &config.extends {
            let place = match self.extended(manifest, word) {
                Some(base) if chain.contains(&base.path()) || chain.len() >= MAX_DEPTH => {
                    let message = format!("“{}” extends itself.", base.path());
                    self.builder
                        .problem(manifest.path(), word.at, ProblemKind::Cycle, message);
                    continue;
                }
                Some(base) => {
                    self.bases.insert(base.path().to_owned());
                    let under = self.merged(base, chain);
                    merged.lay(under);
                    ManifestTarget::Inside(base.path().to_owned())
                }
                None => ManifestTarget::external(&word.text),
            };
            merged.extends.insert(0, place);
        }
        chain.pop();
        merged.own(manifest.folder(), config);
        merged
    }

    /// The config that `extends` means.
    fn extended(&mut self, manifest: &'a Manifest, word: &SpannedText) -> Option<&'a Manifest> {
        let text = word.text.trim();
        if !text.starts_with('.') && !text.starts_with('/') {
            return self.of_package(manifest.folder(), text);
        }
        let ManifestTarget::Inside(path) = path::resolve(manifest.folder(), text) else {
            return None;
        };
        let found = self.first(&[
            path.clone(),
            format!("{path}.json"),
            path::join(&path, "tsconfig.json"),
        ]);
        if found.is_none() && !self.builder.wanted.contains_key(&path) {
            let message = format!("“{path}” does not exist.");
            self.builder
                .problem(manifest.path(), word.at, ProblemKind::Missing, message);
        }
        found
    }

    fn first(&mut self, candidates: &[String]) -> Option<&'a Manifest> {
        for path in candidates {
            // A folder of that name is no file.
            if self.builder.files.find(path).is_some() || self.builder.manifests.get(path).is_some()
            {
                return self.builder.manifest(path, ManifestFormat::TsConfig);
            }
        }
        None
    }

    /// A config inside a package: of the workspace, or one that is installed and listed.
    fn of_package(&mut self, folder: &str, text: &str) -> Option<&'a Manifest> {
        let names = if text.starts_with('@') { 2 } else { 1 };
        let end = text.match_indices('/').nth(names - 1).map(|(at, _)| at);
        let (name, rest) = match end {
            Some(end) => (&text[..end], &text[end + 1..]),
            None => (text, ""),
        };
        let mut folders = Vec::new();
        if let Some(package) = self.packages.get(name) {
            folders.push(path::folder(package).to_owned());
        }
        for above in path::upward(folder) {
            folders.push(path::join(above, &format!("node_modules/{name}")));
        }
        for folder in folders {
            let file = path::join(&folder, rest);
            let named = self.named(&folder, rest);
            let candidates = [
                named.unwrap_or_default(),
                if rest.is_empty() {
                    String::new()
                } else {
                    file.clone()
                },
                format!("{file}.json"),
                path::join(&file, "tsconfig.json"),
            ];
            if let Some(found) = self.first(&candidates) {
                return Some(found);
            }
        }
        None
    }

    /// What the package itself says of its config: `exports`, or the field `tsconfig`.
    fn named(&self, folder: &str, rest: &str) -> Option<String> {
        let manifest = self
            .builder
            .manifests
            .get(&path::join(folder, "package.json"))?;
        let ManifestFacts::Package(package) = &manifest.facts else {
            return None;
        };
        let text = if rest.is_empty() {
            package.tsconfig.clone()
        } else {
            let subpath = format!("./{rest}");
            let way = package.exports.iter().find(|way| way.subpath == subpath);
            way.and_then(|way| way.target.clone())
        };
        path::resolve(folder, &text?).inside().map(str::to_owned)
    }
}

impl Merged {
    /// Lays what another config says over this one.
    fn lay(&mut self, other: Merged) {
        self.extends.splice(0..0, other.extends);
        self.lists.lay(other.lists);
        self.paths = other.paths.or(self.paths.take());
        self.root_dirs = other.root_dirs.or(self.root_dirs.take());
        self.folders.extend(other.folders);
        self.allow_js = other.allow_js.or(self.allow_js);
        self.options.extend(other.options);
    }

    fn own(&mut self, folder: &str, config: &TsConfig) {
        let located = |text: &str, at: SourcePosition| Located {
            folder: folder.to_owned(),
            text: text.to_owned(),
            at,
        };
        let words = |words: &Option<Vec<SpannedText>>| {
            let words = words.as_ref()?.iter();
            Some(words.map(|word| located(&word.text, word.at)).collect())
        };
        let plain = |texts: &Vec<String>| {
            let texts = texts.iter();
            texts
                .map(|text| located(text, SourcePosition::default()))
                .collect()
        };
        let own = Merged {
            extends: Vec::new(),
            lists: Lists {
                files: words(&config.files),
                include: words(&config.include),
                exclude: words(&config.exclude),
            },
            paths: config.paths.clone().map(|paths| (folder.to_owned(), paths)),
            root_dirs: config.root_dirs.as_ref().map(plain),
            folders: config
                .folders
                .iter()
                .map(|(name, text)| (*name, located(text, SourcePosition::default())))
                .collect(),
            allow_js: config.allow_js,
            options: config.options.iter().cloned().collect(),
        };
        self.lay(own);
    }

    fn folder(&self, name: &str, leaf: &str) -> Option<ManifestTarget> {
        self.folders.get(name).map(|located| place(located, leaf))
    }
}

/// Where a text leads, for the config in folder `leaf`.
fn place(located: &Located, leaf: &str) -> ManifestTarget {
    path::resolve(&located.folder, &leafed(&located.text, leaf))
}

fn draft(builder: &mut ProjectBuilder<'_>, manifest: &Manifest, merged: Merged) -> ProjectDraft {
    let folder = manifest.folder();
    let path = manifest.path();
    let jsconfig = path::file_name(path).starts_with("jsconfig");
    let base_url = merged.folder("baseUrl", folder);
    let detail = TypeScriptConfig {
        paths: mappings(&merged, base_url.as_ref(), folder),
        base_url,
        root_dir: merged.folder("rootDir", folder),
        root_dirs: merged
            .root_dirs
            .iter()
            .flatten()
            .map(|located| place(located, folder))
            .collect(),
        out_dir: merged.folder("outDir", folder),
        allow_js: merged.allow_js.unwrap_or(jsconfig),
        options: merged
            .options
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect(),
        extends: merged.extends.clone(),
    };
    let plain = matches!(path::file_name(path), "tsconfig.json" | "jsconfig.json");
    let name = if plain { "" } else { path::stem(path) };
    let outputs = outputs(&merged);
    let selection =
        ConfigSelection::new(builder, manifest, &merged.lists, &outputs, detail.allow_js);
    let files = selection.files(builder.files);
    let (include, exclude) = (texts(&selection.include), texts(&selection.exclude));
    let mut draft = ProjectDraft::new(
        ManifestKind::TypeScript,
        name,
        path,
        Detail::TypeScript(Box::new(detail)),
    );
    draft.owns = Owns::Files(files);
    draft.project.include = include;
    draft.project.exclude = exclude;
    draft.project.references = references(builder, manifest);
    draft
}

fn texts(patterns: &[GlobPattern]) -> Vec<String> {
    patterns.iter().map(GlobPattern::text).collect()
}

fn mappings(merged: &Merged, base_url: Option<&ManifestTarget>, leaf: &str) -> Vec<PathMapping> {
    let Some((origin, paths)) = &merged.paths else {
        return Vec::new();
    };
    let base = base_url.and_then(ManifestTarget::inside).unwrap_or(origin);
    let mapping = |(pattern, targets): &(String, Vec<String>)| PathMapping {
        pattern: pattern.clone(),
        targets: targets
            .iter()
            .map(|target| path::resolve(base, &leafed(target, leaf)))
            .collect(),
    };
    paths.iter().map(mapping).collect()
}

fn references(
    builder: &mut ProjectBuilder<'_>,
    manifest: &Manifest,
) -> Vec<crate::model::Reference> {
    let ManifestFacts::TsConfig(config) = &manifest.facts else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for word in &config.references {
        let target = match path::resolve(manifest.folder(), &word.text) {
            ManifestTarget::Inside(path) if path.ends_with(".json") => ManifestTarget::Inside(path),
            ManifestTarget::Inside(path) => {
                ManifestTarget::Inside(path::join(&path, "tsconfig.json"))
            }
            external => external,
        };
        if let ManifestTarget::Inside(path) = &target {
            // A config of any name may be referred to.
            let _ = builder.manifest(path, ManifestFormat::TsConfig);
        }
        let target = builder.real(target);
        found.push(reference(&word.text, target, word.at, false));
    }
    found
}

/// Where the compiler writes to.
fn outputs(merged: &Merged) -> Vec<Located> {
    ["outDir", "declarationDir"]
        .iter()
        .filter_map(|name| merged.folders.get(name).cloned())
        // A folder that holds the sources too leaves nothing out.
        .filter(|located| {
            !matches!(
                located.text.trim_end_matches('/'),
                "" | "." | "${configDir}"
            )
        })
        .collect()
}
