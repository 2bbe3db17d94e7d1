//! Python: `pyproject.toml`, `setup.cfg` and `setup.py` of one folder make one project.

mod folders;
mod roots;
mod setup;
mod workspace;

pub(crate) use roots::detected_roots;
pub(crate) use setup::{Setup, read_pyproject, read_setup_cfg, read_setup_py};

use folders::PythonManifests;

use crate::build::{ProjectBuilder, ProjectDraft};
use crate::manifest::{Manifest, ManifestFacts};
use crate::model::{Detail, ManifestKind, PythonProject};
use crate::path;

/// Adds the projects of Python and uv's workspaces.
pub(crate) fn build(builder: &mut ProjectBuilder<'_>) {
    let folders = folders::all(builder);
    let workspaces = workspace::build(builder, &folders);
    let drafts: Vec<ProjectDraft> = folders
        .iter()
        .map(|(folder, manifests)| project(builder, folder, manifests, &folders))
        .collect();
    for (mut draft, (folder, manifests)) in drafts.into_iter().zip(&folders) {
        workspace::references(
            builder,
            &mut draft,
            folder,
            manifests,
            &folders,
            &workspaces,
        );
        builder.drafts.push(draft);
    }
}

fn project(
    builder: &ProjectBuilder<'_>,
    folder: &str,
    manifests: &[&Manifest],
    folders: &PythonManifests<'_>,
) -> ProjectDraft {
    let mut name = None;
    let mut version = None;
    let mut packages: Vec<String> = Vec::new();
    let mut roots = Vec::new();
    for manifest in manifests {
        let ManifestFacts::Python(setup) = &manifest.facts else {
            continue;
        };
        name = name.or(setup.name.as_deref());
        version = version.or_else(|| setup.version.clone());
        for package in &setup.packages {
            if !packages.contains(package) {
                packages.push(package.clone());
            }
        }
        roots.extend(roots::declared(folder, setup));
    }
    let path = manifests.first().map_or(folder, |manifest| manifest.path());
    let detail = Detail::Python(PythonProject { version, packages });
    let mut draft = ProjectDraft::new(ManifestKind::Python, name.unwrap_or(""), path, detail);
    // What is in a project further down is that project's.
    let own = |path: &str| {
        let nearest = path::upward(path::folder(path)).find(|at| folders.contains_key(at));
        nearest == Some(folder)
    };
    draft.project.source_roots = roots::all(builder.files, folder, roots, own);
    draft
}
