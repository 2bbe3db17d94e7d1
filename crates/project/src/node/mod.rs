//! JavaScript and TypeScript: packages, their workspaces, and tsconfigs.

mod frameworks;
mod package;
mod selection;
mod tsconfig;
mod typescript;
mod workspace;

pub(crate) use package::{Package, PnpmWorkspace, read_package, read_pnpm};
pub(crate) use tsconfig::{TsConfig, read_tsconfig};

use package::Packages;

use crate::build::Builder;
use crate::manifest::{Facts, Format};

/// Adds packages, their workspaces and tsconfigs.
pub(crate) fn build(builder: &mut Builder<'_>) {
    let mut packages = Packages::default();
    for manifest in builder.of(&[Format::Package]) {
        if let Facts::Package(package) = &manifest.facts
            && let Some(name) = &package.name
        {
            packages.entry(name).or_insert(manifest.path());
        }
    }
    workspace::build(builder);
    typescript::build(builder, &packages);
}
