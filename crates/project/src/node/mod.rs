//! JavaScript and TypeScript: packages, their workspaces, and tsconfigs.

mod package;
mod selection;
mod tsconfig;
mod workspace;

pub(crate) use package::{Package, PnpmWorkspace, read_package, read_pnpm};
pub(crate) use tsconfig::{TsConfig, read_tsconfig};

use rustc_hash::FxHashMap;

use crate::build::Builder;
use crate::manifest::{Facts, Format};

/// Package names and their `package.json`; of several with one name the first by path.
type Packages<'a> = FxHashMap<&'a str, &'a str>;

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
    tsconfig::build(builder, &packages);
}
