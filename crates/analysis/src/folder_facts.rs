//! What a look at the code may know of each root's `.context/`, whoever keeps it.

use codecortex_ledger::Ledger;

use crate::folder_config::FolderConfig;

/// What the `.context/` of a root says.
#[derive(Clone, Copy)]
pub struct FolderFacts<'a> {
    /// The types that were known when it was written; none before it was read.
    pub ledger: Option<&'a Ledger>,
    /// Its settings.
    pub config: &'a FolderConfig,
    /// Whether the settings are from a file; else they are the usual ones.
    pub has_config_file: bool,
}

/// The `.context/` of each root.
pub trait FolderLookup {
    /// What a root's says; none where there is no such root.
    fn folder(&self, root: u32) -> Option<FolderFacts<'_>>;

    /// Number of roots.
    fn root_count(&self) -> u32;
}
