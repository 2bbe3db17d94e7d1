//! What the room of reviews knows: which findings people dismissed.

use codecortex_review::dismissals::Dismissals;
use rustc_hash::FxHashMap;

/// Dismissed findings.
#[derive(Debug, Default)]
pub(crate) struct Reviews {
    /// By root.
    pub(crate) dismissed: FxHashMap<u32, Dismissals>,
}

impl Reviews {
    /// The workspace has other roots.
    pub(crate) fn begin(&mut self) {
        self.dismissed.clear();
    }

    /// What is dismissed of a root.
    pub(crate) fn dismissed(&self, root: u32) -> Dismissals {
        self.dismissed.get(&root).cloned().unwrap_or_default()
    }
}
