//! What became of the edits that a model asked for (`plan_hints`).

use crate::clock::Millis;

/// Edits that are remembered.
pub const MAX_HINTS: usize = 16;

/// What became of an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The number of the edit.
    pub id: u32,
    /// What it was for, as the caller said.
    pub summary: Option<String>,
    /// The files, as answers show them.
    pub files: Vec<String>,
    /// Why it failed.
    pub error: Option<String>,
    /// The versions of the files afterwards.
    pub versions: Vec<String>,
    /// The host's time.
    pub at: Millis,
}
