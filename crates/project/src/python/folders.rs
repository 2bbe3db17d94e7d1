//! Folders with manifests of Python: each is one project.

use std::collections::BTreeMap;

use crate::build::ProjectBuilder;
use crate::manifest::{Manifest, ManifestFacts, ManifestFormat};

/// The best manifest of a folder first.
const FORMATS: &[ManifestFormat] = &[
    ManifestFormat::PyProject,
    ManifestFormat::SetupCfg,
    ManifestFormat::SetupPy,
];

/// Manifests by their folder, the best one first.
pub(super) type PythonManifests<'a> = BTreeMap<&'a str, Vec<&'a Manifest>>;

/// All folders whose manifests make a project.
pub(super) fn all<'a>(builder: &ProjectBuilder<'a>) -> PythonManifests<'a> {
    let mut folders = PythonManifests::new();
    for manifest in builder.manifests_of(FORMATS) {
        // A `setup.cfg` with nothing but the settings of tools is no project.
        let counts = match &manifest.facts {
            ManifestFacts::Python(setup) => setup.is_project,
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
