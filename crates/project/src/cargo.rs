//! Rust: packages and workspaces of Cargo.

mod facts;
mod targets;

pub(crate) use facts::{CargoToml, read_cargo};

use std::collections::{BTreeMap, BTreeSet};

use facts::{CargoDependency, DependencySection};

use crate::build::{DraftWorkspace, ProjectBuilder, ProjectDraft, WorkspaceMember, reference};
use crate::glob::{GlobPattern, Syntax};
use crate::manifest::{Manifest, ManifestFacts, ManifestFormat};
use crate::model::{Cargo, Detail, ManifestKind, Reference};
use crate::path::{self, ManifestTarget};
use crate::source::{ProblemKind, SourcePosition};

/// Manifests with their facts, by folder.
type CargoManifests<'a> = BTreeMap<&'a str, (&'a Manifest, &'a CargoToml)>;

/// Adds the packages and workspaces of Cargo.
pub(crate) fn build(builder: &mut ProjectBuilder<'_>) {
    let mut folders = CargoManifests::new();
    for manifest in builder.manifests_of(&[ManifestFormat::Cargo]) {
        if let ManifestFacts::Cargo(facts) = &manifest.facts {
            folders.insert(manifest.folder(), (manifest, facts));
        }
    }
    let mut drafts: BTreeMap<String, ProjectDraft> = BTreeMap::new();
    for (manifest, facts) in folders.values() {
        if let Some(package) = &facts.package {
            let workspace = workspace_of(manifest.folder(), facts, &folders);
            let shared = workspace.and_then(|(_, facts)| facts.workspace.as_ref());
            let detail = Detail::Cargo(Cargo {
                version: package
                    .version
                    .inherited(shared.map(|shared| &shared.version)),
                edition: package
                    .edition
                    .inherited(shared.map(|shared| &shared.edition)),
                targets: targets::all(builder, manifest, facts),
            });
            let name = package.name.as_deref().unwrap_or("");
            let mut draft = ProjectDraft::new(ManifestKind::Cargo, name, manifest.path(), detail);
            draft.project.references = references(builder, manifest, facts, workspace);
            drafts.insert(manifest.path().to_owned(), draft);
        }
    }
    for (manifest, facts) in folders.values() {
        if facts.workspace.is_some() {
            let workspace = workspace(builder, manifest, facts, &folders, &drafts);
            builder.workspaces.push(workspace);
        }
    }
    builder.drafts.extend(drafts.into_values());
}

/// The workspace that a package says it is in, or the nearest above.
fn workspace_of<'a>(
    folder: &str,
    facts: &CargoToml,
    folders: &CargoManifests<'a>,
) -> Option<(&'a Manifest, &'a CargoToml)> {
    let said = facts.package.as_ref().and_then(|p| p.workspace.as_ref());
    if let Some(said) = said {
        let place = path::resolve(folder, said);
        return folders.get(place.inside()?).copied();
    }
    path::upward(folder)
        .filter_map(|above| folders.get(above).copied())
        .find(|(manifest, facts)| {
            let Some(workspace) = &facts.workspace else {
                return false;
            };
            !is_excluded(manifest.folder(), workspace, folder)
        })
}

/// Whether the workspace at `root` leaves that folder out.
fn is_excluded(root: &str, workspace: &facts::CargoWorkspace, folder: &str) -> bool {
    workspace.exclude.iter().any(|word| {
        let place = path::resolve(root, &word.text);
        place
            .inside()
            .is_some_and(|out| path::below(out, folder).is_some())
    })
}

fn references(
    builder: &mut ProjectBuilder<'_>,
    manifest: &Manifest,
    facts: &CargoToml,
    workspace: Option<(&Manifest, &CargoToml)>,
) -> Vec<Reference> {
    let mut found: Vec<Reference> = Vec::new();
    for dependency in &facts.dependencies {
        let Some((folder, meant)) = place_of(builder, manifest, dependency, workspace) else {
            continue;
        };
        let target = match path::resolve(folder, &meant) {
            ManifestTarget::Inside(path) => ManifestTarget::Inside(path::join(&path, "Cargo.toml")),
            external => external,
        };
        let name = dependency.name.replace('-', "_");
        let dev = dependency.section != DependencySection::Normal;
        // A package in two sections is one reference; it is needed when one of them needs it.
        match found
            .iter_mut()
            .find(|r| r.name == name && r.target.as_ref() == Some(&target))
        {
            Some(known) => known.dev &= dev,
            None => found.push(reference(&name, target, dependency.at, dev)),
        }
    }
    found
}

/// The folder of a dependency: its own, the workspace's, or that of a patch.
fn place_of<'a>(
    builder: &mut ProjectBuilder<'_>,
    manifest: &'a Manifest,
    dependency: &CargoDependency,
    workspace: Option<(&'a Manifest, &'a CargoToml)>,
) -> Option<(&'a str, String)> {
    if let Some(path) = &dependency.path {
        return Some((manifest.folder(), path.clone()));
    }
    let mut package = dependency.package.as_ref().unwrap_or(&dependency.name);
    if dependency.workspace {
        let shared = workspace.and_then(|(_, facts)| facts.workspace.as_ref());
        let entry = shared.and_then(|w| w.dependencies.iter().find(|d| d.name == dependency.name));
        let (Some(entry), Some((root, _))) = (entry, workspace) else {
            let message = format!("The workspace has no dependency “{}”.", dependency.name);
            builder.problem(
                manifest.path(),
                dependency.at,
                ProblemKind::Missing,
                message,
            );
            return None;
        };
        if let Some(path) = &entry.path {
            return Some((root.folder(), path.clone()));
        }
        package = entry.package.as_ref().unwrap_or(&entry.name);
    }
    let (root, facts) = workspace?;
    let patch = facts.patches.iter().find(|patch| {
        patch.package.as_ref().unwrap_or(&patch.name) == package && patch.path.is_some()
    });
    Some((root.folder(), patch?.path.clone()?))
}

/// Members by pattern, the root's own package, and what they reach by path inside the workspace.
fn workspace(
    builder: &mut ProjectBuilder<'_>,
    manifest: &Manifest,
    facts: &CargoToml,
    folders: &CargoManifests<'_>,
    drafts: &BTreeMap<String, ProjectDraft>,
) -> DraftWorkspace {
    let folder = manifest.folder();
    let nothing = facts::CargoWorkspace::default();
    let own = facts.workspace.as_ref().unwrap_or(&nothing);
    let mut members = Vec::new();
    let mut patterns: Vec<GlobPattern> = Vec::new();
    for word in &own.members {
        let pattern = builder.pattern(manifest.path(), folder, &word.text, word.at, Syntax::Shell);
        let Some(pattern) = pattern else { continue };
        let path = path::join(&pattern.text(), "Cargo.toml");
        if pattern.is_exact() && builder.manifest(&path, ManifestFormat::Cargo).is_none() {
            members.push(member(&path, word.at, true));
        }
        patterns.push(pattern);
    }
    let mut open: Vec<&str> = Vec::new();
    for (at, (member, _)) in folders {
        // A member that is named wins over `exclude`, one that a pattern finds does not.
        let out = is_excluded(folder, own, at);
        let found = |pattern: &GlobPattern| pattern.matches(at) && (pattern.is_exact() || !out);
        if *at == folder || patterns.iter().any(found) {
            open.push(member.path());
        }
    }
    let reached = reached(open, folder, own, folders, drafts);
    let found = reached
        .iter()
        .map(|path| member(path, SourcePosition::default(), false));
    members.splice(0..0, found);
    let name = facts.package.as_ref().and_then(|p| p.name.clone());
    DraftWorkspace {
        path: manifest.path().to_owned(),
        name: name.unwrap_or_else(|| match path::file_name(folder) {
            "" => "root".to_owned(),
            name => name.to_owned(),
        }),
        members,
    }
}

fn member(path: &str, at: SourcePosition, required: bool) -> WorkspaceMember {
    WorkspaceMember {
        manifest: ManifestTarget::Inside(path.to_owned()),
        at,
        required,
    }
}

/// Packages and what they depend on by path below the workspace's folder.
fn reached<'a>(
    mut open: Vec<&'a str>,
    root: &str,
    workspace: &facts::CargoWorkspace,
    folders: &CargoManifests<'_>,
    drafts: &'a BTreeMap<String, ProjectDraft>,
) -> BTreeSet<&'a str> {
    let mut members: BTreeSet<&str> = BTreeSet::new();
    while let Some(path) = open.pop() {
        let Some(draft) = drafts.get(path) else {
            continue;
        };
        if !members.insert(path) {
            continue;
        }
        let targets = draft.project.references.iter();
        let inside = targets.filter_map(|r| r.target.as_ref()?.inside());
        open.extend(inside.filter(|target| {
            let at = path::folder(target);
            let other = folders
                .get(at)
                .is_some_and(|(_, facts)| facts.workspace.is_some());
            path::below(root, at).is_some() && !other && !is_excluded(root, workspace, at)
        }));
    }
    members
}
