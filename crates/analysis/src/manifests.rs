//! The manifests of a root as they come, and the projects that they make.

use codecortex_protocol::FetchedFile;

use crate::analysis::Analysis;
use crate::module_hints::name_crates;

/// Takes in a manifest of a root.
pub fn manifest_fetched(code: &mut Analysis, root: u32, path: &str, file: &FetchedFile) {
    if let Some(projects) = code.projects.get_mut(root as usize) {
        projects.fetched(path, file);
    }
}

/// Makes the projects of a root of its manifests.
///
/// # Errors
/// The manifests that are to be fetched before.
pub fn build_projects(code: &mut Analysis, root: u32) -> Result<(), Vec<String>> {
    loop {
        let Some(projects) = code.projects.get_mut(root as usize) else {
            return Ok(());
        };
        let missing = projects.take_missing();
        if !missing.is_empty() {
            return Err(missing);
        }
        if projects.build(code.workspace.paths(root)) {
            name_crates(code, root);
            return Ok(());
        }
    }
}
