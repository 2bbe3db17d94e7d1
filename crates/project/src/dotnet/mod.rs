//! C#: solutions, projects and the MSBuild files that they pull in.
//!
//! A project is evaluated as MSBuild does it, properties first and items after, as far as that goes
//! without running anything: imports inside the root, property expansion, conditions. What depends
//! on more is *uncertain*, and an uncertain condition counts as possible: a file belongs to a project
//! when it may belong to it.

mod condition;
mod evaluate;
mod expand;
mod holds;
mod items;
mod msbuild;
mod project;
mod sdk;
mod sln;
mod solution;

pub(crate) use msbuild::{MsBuild, read_msbuild};
pub(crate) use sln::{Solution, read_sln, read_slnx};

use crate::build::ProjectBuilder;
use crate::manifest::ManifestFormat;

/// Adds the projects and solutions of .NET.
pub(crate) fn build(builder: &mut ProjectBuilder<'_>) {
    let manifests: Vec<_> = builder.manifests_of(&[ManifestFormat::MsBuild]).collect();
    for manifest in manifests {
        if let Some(kind) = project::kind_of(manifest.path()) {
            let draft = project::build(builder, manifest, kind);
            builder.drafts.push(draft);
        }
    }
    project::link_shared(builder);
    solution::build(builder);
}
