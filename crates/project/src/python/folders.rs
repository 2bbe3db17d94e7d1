//! Folders with manifests of Python: each is one project.

use std::collections::BTreeMap;

use crate::build::Builder;
use crate::manifest::{Facts, Format, Manifest};

/// The best manifest of a folder first.
const FORMATS: &[Format] = &[Format::PyProject, Format::SetupCfg, Format::SetupPy];

/// Manifests by their folder, the best one first.
pub(super) type Folders<'a> = BTreeMap<&'a str, Vec<&'a Manifest>>;

/// All folders whose manifests make a project.
pub(super) fn all<'a>(builder: &Builder<'a>) -> Folders<'a> {
    let mut folders = Folders::new();
    for manifest in builder.of(FORMATS) {
        // A `setup.cfg` with nothing but the settings of tools is no project.
        let counts = match &manifest.facts {
            Facts::Python(setup) => setup.is_project,
            _ => true,
        };
        if counts {
            folders.entry(manifest.folder()).or_default().push(manifest);
        }
    }
    for manifests in folders.values_mut() {
        manifests.sort_by_key(|manifest| manifest.format());
    }
    folders
}
