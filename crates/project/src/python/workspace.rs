//! uv's workspaces and dependencies on folders.

use std::collections::BTreeMap;

use super::folders::PythonManifests;
use super::setup::SetupDependency;
use crate::build::{DraftWorkspace, ProjectBuilder, ProjectDraft, WorkspaceMember, reference};
use crate::glob::{GlobPattern, Syntax};
use crate::manifest::{Manifest, ManifestFacts};
use crate::path::{self, ManifestTarget};
use crate::source::{ProblemKind, SourcePosition};

/// Folders of members and names of members, by the folder of the workspace.
pub(super) struct PythonWorkspaces {
    folder: String,
    members: Vec<String>,
    /// Normalised name to manifest.
    names: BTreeMap<String, String>,
}

/// Letters' case, `-`, `_` and `.` make no difference between names of distributions.
fn normal(name: &str) -> String {
    name.to_lowercase().replace(['_', '.'], "-")
}

pub(super) fn build<'a>(
    builder: &mut ProjectBuilder<'a>,
    folders: &PythonManifests<'a>,
) -> Vec<PythonWorkspaces> {
    let mut groups = Vec::new();
    for (folder, manifests) in folders {
        for manifest in manifests {
            let ManifestFacts::Python(setup) = &manifest.facts else {
                continue;
            };
            let Some((members, exclude)) = &setup.workspace else {
                continue;
            };
            let mut patterns = |words: &[crate::source::SpannedText]| -> Vec<GlobPattern> {
                let path = manifest.path();
                let words = words.iter();
                words
                    .filter_map(|w| builder.pattern(path, folder, &w.text, w.at, Syntax::Shell))
                    .collect()
            };
            let (members, exclude) = (patterns(members), patterns(exclude));
            let group = group(folder, folders, &members, &exclude);
            builder.workspaces.push(DraftWorkspace {
                path: manifest.path().to_owned(),
                name: setup.name.clone().unwrap_or_else(|| (*folder).to_owned()),
                members: group
                    .members
                    .iter()
                    .filter_map(|at| folders.get(at.as_str())?.first())
                    .map(|member| WorkspaceMember {
                        manifest: ManifestTarget::Inside(member.path().to_owned()),
                        at: SourcePosition::default(),
                        required: false,
                    })
                    .collect(),
            });
            groups.push(group);
        }
    }
    groups
}

fn group(
    own: &str,
    folders: &PythonManifests<'_>,
    members: &[GlobPattern],
    exclude: &[GlobPattern],
) -> PythonWorkspaces {
    let mut group = PythonWorkspaces {
        folder: own.to_owned(),
        members: Vec::new(),
        names: BTreeMap::new(),
    };
    for (folder, manifests) in folders {
        let matches = |patterns: &[GlobPattern]| patterns.iter().any(|p| p.matches(folder));
        if *folder != own && (!matches(members) || matches(exclude)) {
            continue;
        }
        group.members.push((*folder).to_owned());
        let setups = manifests
            .iter()
            .filter_map(|manifest| match &manifest.facts {
                ManifestFacts::Python(setup) => setup.name.as_ref(),
                _ => None,
            });
        if let (Some(name), Some(first)) = (setups.into_iter().next(), manifests.first()) {
            group.names.insert(normal(name), first.path().to_owned());
        }
    }
    group
}

/// Adds a project's references to other projects.
pub(super) fn references(
    builder: &mut ProjectBuilder<'_>,
    draft: &mut ProjectDraft,
    folder: &str,
    manifests: &[&Manifest],
    folders: &PythonManifests<'_>,
    groups: &[PythonWorkspaces],
) {
    let own = groups
        .iter()
        .filter(|group| group.members.iter().any(|member| member == folder))
        .max_by_key(|group| group.folder.len());
    for manifest in manifests {
        let ManifestFacts::Python(setup) = &manifest.facts else {
            continue;
        };
        for depend in &setup.depends {
            let target = match &depend.path {
                Some(path) => by_path(folder, path, folders),
                None => by_name(builder, manifest, depend, own),
            };
            if let Some(target) = target {
                let found = reference(&depend.name, target, depend.at, depend.dev);
                draft.project.references.push(found);
            }
        }
    }
}

fn by_path(folder: &str, text: &str, folders: &PythonManifests<'_>) -> Option<ManifestTarget> {
    if text.ends_with(".whl") || text.ends_with(".tar.gz") {
        return None;
    }
    Some(match path::resolve(folder, text) {
        ManifestTarget::Inside(path) => {
            let known = folders.get(path.as_str()).and_then(|list| list.first());
            let manifest = known.map(|manifest| manifest.path().to_owned());
            ManifestTarget::Inside(manifest.unwrap_or_else(|| path::join(&path, "pyproject.toml")))
        }
        external => external,
    })
}

fn by_name(
    builder: &mut ProjectBuilder<'_>,
    manifest: &Manifest,
    depend: &SetupDependency,
    group: Option<&PythonWorkspaces>,
) -> Option<ManifestTarget> {
    // The root of a workspace sets sources for all members: there a name need not be used.
    let found = group.and_then(|group| group.names.get(&normal(&depend.name)));
    if found.is_none() {
        let message = format!("No project of the workspace is called “{}”.", depend.name);
        builder.problem(manifest.path(), depend.at, ProblemKind::Missing, message);
    }
    found.map(|path| ManifestTarget::Inside(path.clone()))
}
