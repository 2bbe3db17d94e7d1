//! Solutions as workspaces.

use crate::build::{Builder, DraftWorkspace, Member};
use crate::manifest::{Facts, Format};
use crate::path::{self, Place};

/// Adds a workspace for each solution.
pub(super) fn build(builder: &mut Builder<'_>) {
    let manifests: Vec<_> = builder
        .of(&[Format::Solution, Format::SolutionXml])
        .collect();
    for manifest in manifests {
        let Facts::Solution(solution) = &manifest.facts else {
            continue;
        };
        let members = solution.projects.iter().map(|word| {
            let place = builder.real(path::resolve(manifest.folder(), &word.text));
            // Sites and services may be anything; a project is a file.
            let required = matches!(&place, Place::Inside(path) if path.ends_with("proj"));
            Member {
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
