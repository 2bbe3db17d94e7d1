//! What calls review: the differences that were read for them, until they are answered; and which findings people dismissed.

use codecortex_protocol::{DiffOutcome, ErrorCode, GitDiff, ToolError};
use codecortex_review::dismissals::Dismissals;
use rustc_hash::FxHashMap;

/// What is reviewed, by the numbers of calls.
#[derive(Debug, Default)]
pub(crate) struct Reviews {
    diffs: FxHashMap<u32, DiffOutcome>,
    /// By root.
    pub(crate) dismissed: FxHashMap<u32, Dismissals>,
}

impl Reviews {
    /// Takes in what a host read.
    pub(crate) fn take_in(&mut self, call: u32, outcome: DiffOutcome) {
        self.diffs.insert(call, outcome);
    }

    /// The workspace has other roots.
    pub(crate) fn begin(&mut self) {
        self.dismissed.clear();
    }

    /// What is dismissed of a root.
    pub(crate) fn dismissed(&self, root: u32) -> Dismissals {
        self.dismissed.get(&root).cloned().unwrap_or_default()
    }

    /// A call was answered.
    pub(crate) fn end(&mut self, call: u32) {
        self.diffs.remove(&call);
    }

    /// What was read for a call; none where nothing was yet.
    pub(crate) fn diff(&self, call: u32) -> Option<Result<&GitDiff, ToolError>> {
        Some(match self.diffs.get(&call)? {
            DiffOutcome::Done { diff } => Ok(diff),
            DiffOutcome::Failed { reason, hint } => {
                Err(ToolError::new(ErrorCode::Unavailable, reason).hint(hint))
            }
        })
    }
}
