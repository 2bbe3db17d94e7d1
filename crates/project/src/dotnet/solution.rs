//! Solutions as workspaces.

use crate::build::{DraftWorkspace, ProjectBuilder, WorkspaceMember};
use crate::manifest::{ManifestFacts, ManifestFormat};
use crate::path::{self, ManifestTarget};

/// Adds a workspace for each solution.
pub(super) fn build(builder: &mut ProjectBuilder<'_>) {
    let manifests: Vec<_> = builder
        .manifests_of(&[ManifestFormat::Solution, ManifestFormat::SolutionXml])
        .collect();
    for manifest in manifests {
        let ManifestFacts::Solution(solution) = &manifest.facts else {
            continue;
        };
        let members = solution.projects.iter().map(|word| {
            let place = builder.real(path::resolve(manifest.folder(), &word.text));
            // Sites and services may be anything; a project is a file.
            let required = matches!(&place, ManifestTarget::Inside(path) if path.ends_with("proj"));
            WorkspaceMember {
                manifest: place,
                at: word.at,
                required,
            }
        });
        let workspace = DraftWorkspace {
            path: manifest.path().to_owned(),
            name: path::stem(manifest.path()).to_owned(),
            members: members.collect(),
        };
        builder.workspaces.push(workspace);
    }
}
