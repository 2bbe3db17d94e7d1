//! JavaScript and TypeScript: packages, their workspaces, and tsconfigs.

mod frameworks;
mod package;
mod selection;
mod tsconfig;
mod typescript;
mod workspace;

pub(crate) use package::{NodePackage, PnpmWorkspace, read_package, read_pnpm};
pub(crate) use tsconfig::{TsConfig, read_tsconfig};

use package::Packages;

use crate::build::ProjectBuilder;
use crate::manifest::{ManifestFacts, ManifestFormat};

/// Adds packages, their workspaces and tsconfigs.
pub(crate) fn build(builder: &mut ProjectBuilder<'_>) {
    let mut packages = Packages::default();
    for manifest in builder.manifests_of(&[ManifestFormat::Package]) {
        if let ManifestFacts::Package(package) = &manifest.facts
            && let Some(name) = &package.name
        {
            packages.entry(name).or_insert(manifest.path());
        }
    }
    workspace::build(builder);
    typescript::build(builder, &packages);
}
