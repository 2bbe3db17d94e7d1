//! Packages of a root, and which of them belong together.

use std::collections::{BTreeMap, BTreeSet};

use super::frameworks;
use super::package::{ExportsPath, NodeDependency, NodePackage};
use crate::build::{DraftWorkspace, ProjectBuilder, ProjectDraft, WorkspaceMember, reference};
use crate::glob::{GlobPattern, Syntax};
use crate::manifest::{Manifest, ManifestFacts, ManifestFormat};
use crate::model::{Detail, Export, ManifestKind, NamedPlace, Npm, Reference};
use crate::path::{self, ManifestTarget};
use crate::source::{ProblemKind, SourcePosition, SpannedText};

/// Members of one workspace: package name to `package.json`.
type PackagesByName<'a> = BTreeMap<&'a str, &'a str>;

struct NodeWorkspace<'a> {
    names: PackagesByName<'a>,
    members: BTreeSet<&'a str>,
}

pub(super) fn build(builder: &mut ProjectBuilder<'_>) {
    let packages: Vec<&Manifest> = builder.manifests_of(&[ManifestFormat::Package]).collect();
    let groups = groups(builder, &packages);
    for manifest in packages {
        let draft = match &manifest.facts {
            ManifestFacts::Package(package) => {
                // The innermost workspace that has the package as a member.
                let own = groups
                    .iter()
                    .rev()
                    .find(|group| group.members.contains(manifest.path()));
                draft(builder, manifest, package, own)
            }
            _ => ProjectDraft::new(
                ManifestKind::Npm,
                "",
                manifest.path(),
                detail(Npm::default()),
            ),
        };
        builder.drafts.push(draft);
    }
}

fn detail(npm: Npm) -> Detail {
    Detail::Npm(Box::new(npm))
}

/// Workspaces by path; the outer ones first.
fn groups<'a>(
    builder: &mut ProjectBuilder<'a>,
    packages: &[&'a Manifest],
) -> Vec<NodeWorkspace<'a>> {
    let manifests: Vec<&Manifest> = builder
        .manifests_of(&[ManifestFormat::Package, ManifestFormat::PnpmWorkspace])
        .collect();
    let mut found: Vec<(usize, NodeWorkspace<'a>)> = Vec::new();
    for manifest in manifests {
        let words = match &manifest.facts {
            ManifestFacts::Package(package) => &package.workspaces,
            ManifestFacts::PnpmWorkspace(workspace) => &workspace.packages,
            _ => continue,
        };
        let pnpm = manifest.format() == ManifestFormat::PnpmWorkspace;
        if words.is_empty() && !pnpm {
            continue;
        }
        let group = group(builder, manifest, words, packages);
        builder.workspaces.push(DraftWorkspace {
            path: manifest.path().to_owned(),
            name: group_name(builder, manifest),
            members: group.members.iter().map(|path| member(path)).collect(),
        });
        found.push((path::depth(manifest.folder()), group));
    }
    found.sort_by_key(|(depth, _)| *depth);
    found.into_iter().map(|(_, group)| group).collect()
}

fn member(path: &str) -> WorkspaceMember {
    WorkspaceMember {
        manifest: ManifestTarget::Inside(path.to_owned()),
        at: SourcePosition::default(),
        required: false,
    }
}

fn group_name(builder: &ProjectBuilder<'_>, manifest: &Manifest) -> String {
    let package = path::join(manifest.folder(), "package.json");
    let name = match builder.manifests.get(&package).map(|m| &m.facts) {
        Some(ManifestFacts::Package(package)) => package.name.clone(),
        _ => None,
    };
    let folder = path::file_name(manifest.folder());
    let folder = if folder.is_empty() { "root" } else { folder };
    name.unwrap_or_else(|| folder.to_owned())
}

fn group<'a>(
    builder: &mut ProjectBuilder<'a>,
    manifest: &Manifest,
    words: &[SpannedText],
    packages: &[&'a Manifest],
) -> NodeWorkspace<'a> {
    let folder = manifest.folder();
    let mut include: Vec<(GlobPattern, &SpannedText)> = Vec::new();
    let mut exclude: Vec<GlobPattern> = Vec::new();
    for word in words {
        let (text, not) = match word.text.trim().strip_prefix('!') {
            Some(text) => (text, true),
            None => (word.text.as_str(), false),
        };
        let pattern = builder.pattern(manifest.path(), folder, text, word.at, Syntax::Shell);
        match pattern {
            Some(pattern) if not => exclude.push(pattern),
            Some(pattern) => include.push((pattern, word)),
            None => {}
        }
    }
    let mut members = BTreeSet::new();
    let mut names = PackagesByName::new();
    for package in packages {
        let at = package.folder();
        let own = at == folder;
        let wanted = include.iter().any(|(pattern, _)| pattern.matches(at));
        if !own && (!wanted || exclude.iter().any(|pattern| pattern.matches(at))) {
            continue;
        }
        members.insert(package.path());
        if let ManifestFacts::Package(facts) = &package.facts
            && let Some(name) = &facts.name
        {
            names.entry(name).or_insert(package.path());
        }
    }
    for (pattern, word) in include {
        let path = path::join(&pattern.text(), "package.json");
        if pattern.is_exact() && builder.manifest(&path, ManifestFormat::Package).is_none() {
            let message = format!("“{path}” does not exist.");
            builder.problem(manifest.path(), word.at, ProblemKind::Missing, message);
        }
    }
    NodeWorkspace { names, members }
}

fn draft(
    builder: &mut ProjectBuilder<'_>,
    manifest: &Manifest,
    package: &NodePackage,
    group: Option<&NodeWorkspace<'_>>,
) -> ProjectDraft {
    let folder = manifest.folder();
    let place = |text: &String| path::resolve(folder, text);
    let ways = |ways: &[ExportsPath]| ways.iter().map(|way| export(folder, way)).collect();
    let npm = Npm {
        version: package.version.clone(),
        main: package.main.as_ref().map(place),
        module: package.module.as_ref().map(place),
        types: package.types.as_ref().map(place),
        es_modules: package.es_modules,
        bin: package
            .bin
            .iter()
            .map(|(name, path)| NamedPlace {
                name: name.clone(),
                path: place(path),
            })
            .collect(),
        exports: ways(&package.exports),
        imports: ways(&package.imports),
        aliases: frameworks::aliases(folder, &package.dependencies),
    };
    let name = package.name.as_deref().unwrap_or("");
    let mut draft = ProjectDraft::new(ManifestKind::Npm, name, manifest.path(), detail(npm));
    for dependency in &package.dependencies {
        let found = depends(builder, manifest, dependency, group);
        let references = &mut draft.project.references;
        // A name in two sections is one reference; the first one counts.
        if let Some(found) = found
            && !references.iter().any(|known| known.name == found.name)
        {
            references.push(found);
        }
    }
    draft
}

fn export(folder: &str, way: &ExportsPath) -> Export {
    Export {
        subpath: way.subpath.clone(),
        conditions: way.conditions.clone(),
        target: way.target.as_ref().map(|target| {
            // `imports` may lead to packages.
            let own = target.starts_with("./") || target.starts_with("../");
            if own {
                path::resolve(folder, target)
            } else {
                ManifestTarget::external(target)
            }
        }),
    }
}

const PATHS: &[&str] = &["file:", "link:", "portal:"];

/// The package that a dependency means; none when it comes from a registry.
fn depends(
    builder: &mut ProjectBuilder<'_>,
    manifest: &Manifest,
    dependency: &NodeDependency,
    group: Option<&NodeWorkspace<'_>>,
) -> Option<Reference> {
    let spec = dependency.spec.trim();
    let workspace = spec.strip_prefix("workspace:");
    let relative = PATHS
        .iter()
        .find_map(|prefix| spec.strip_prefix(prefix))
        .or(workspace.filter(|rest| rest.starts_with('.')));
    if let Some(relative) = relative {
        let target = in_folder(manifest.folder(), relative)?;
        return Some(reference(
            &dependency.name,
            target,
            dependency.at,
            dependency.dev,
        ));
    }
    // `workspace:other@*` means another name.
    let meant = workspace
        .and_then(|rest| rest.rsplit_once('@'))
        .map_or(dependency.name.as_str(), |(name, _)| name);
    let found = group.and_then(|group| group.names.get(meant));
    match found {
        _ if workspace.is_none() && spec.contains(':') => None,
        Some(path) => {
            let target = ManifestTarget::Inside((*path).to_owned());
            Some(reference(
                &dependency.name,
                target,
                dependency.at,
                dependency.dev,
            ))
        }
        None => {
            if workspace.is_some() {
                let message = format!("No package of the workspace is called “{meant}”.");
                builder.problem(
                    manifest.path(),
                    dependency.at,
                    ProblemKind::Missing,
                    message,
                );
            }
            None
        }
    }
}

/// The package in a folder; none for a packed archive, which is no project.
fn in_folder(folder: &str, text: &str) -> Option<ManifestTarget> {
    match path::resolve(folder, text) {
        ManifestTarget::Inside(path) if path.ends_with(".tgz") || path.ends_with(".tar.gz") => None,
        ManifestTarget::Inside(path) => {
            Some(ManifestTarget::Inside(path::join(&path, "package.json")))
        }
        external => Some(external),
    }
}
