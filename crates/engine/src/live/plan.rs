//! What became of the edits that a model asked for (`plan_hints`).

use super::clock::Millis;

/// Edits that are remembered.
pub(crate) const MOST_HINTS: usize = 16;

/// What became of an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hint {
    /// The number of the edit.
    pub(crate) id: u32,
    /// What it was for, as the caller said.
    pub(crate) summary: Option<String>,
    /// The files, as answers show them.
    pub(crate) files: Vec<String>,
    /// Why it failed.
    pub(crate) error: Option<String>,
    /// The versions of the files afterwards.
    pub(crate) versions: Vec<String>,
    /// The host's time.
    pub(crate) at: Millis,
}
