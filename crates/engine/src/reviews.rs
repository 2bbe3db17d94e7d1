//! What calls review: the differences that were read for them, until they are answered.

use std::cell::RefCell;
use std::rc::Rc;

use codecortex_protocol::{DiffOutcome, ErrorCode, GitDiff, ToolError};
use codecortex_review::Change;
use rustc_hash::FxHashMap;

/// What is reviewed, by the numbers of calls.
#[derive(Debug, Default)]
pub(crate) struct Reviews {
    diffs: FxHashMap<u32, DiffOutcome>,
    changes: RefCell<FxHashMap<u32, Rc<Change>>>,
}

impl Reviews {
    /// Takes in what a host read.
    pub(crate) fn take_in(&mut self, call: u32, outcome: DiffOutcome) {
        self.diffs.insert(call, outcome);
    }

    /// A call was answered.
    pub(crate) fn end(&mut self, call: u32) {
        self.diffs.remove(&call);
        self.changes.get_mut().remove(&call);
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

    /// The change of a call, which is made once: a call is made again for each thing it waits for.
    pub(crate) fn change(&self, call: u32, make: impl FnOnce() -> Change) -> Rc<Change> {
        let known = self.changes.borrow().get(&call).map(Rc::clone);
        known.unwrap_or_else(|| {
            let made = Rc::new(make());
            self.changes.borrow_mut().insert(call, Rc::clone(&made));
            made
        })
    }
}
