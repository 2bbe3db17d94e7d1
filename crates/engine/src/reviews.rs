//! What calls review: the differences that were read for them, until they are answered; and which findings people dismissed.

use codecortex_protocol::{DiffOutcome, ErrorCode, GitDiff, ToolError};
use codecortex_review::dismissals::Dismissals;
use rustc_hash::FxHashMap;

use crate::context::due::{has_context, keep_context};
use crate::context::window::keep_window;
use crate::session::Session;

/// What is reviewed, by the numbers of calls.
#[derive(Debug, Default)]
pub(crate) struct Reviews {
    diffs: FxHashMap<u32, DiffOutcome>,
    /// By root.
    dismissed: FxHashMap<u32, Dismissals>,
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

/// Takes in what a root's `state.json` says of dismissed findings.
pub(crate) fn load_dismissals(session: &mut Session, root: u32) {
    let folder = &mut session.contexts.folders[root as usize];
    let Some(ledger) = &folder.ledger else {
        return;
    };
    let dismissed = session.review.dismissed.entry(root).or_default();
    let problem = dismissed.load(ledger.foreign_state());
    folder.account.problems.extend(problem);
}

/// Puts them into what is written next.
pub(crate) fn write_dismissals(session: &mut Session, root: u32) {
    let folder = &mut session.contexts.folders[root as usize];
    if let (Some(ledger), Some(dismissed)) =
        (&mut folder.ledger, session.review.dismissed.get(&root))
    {
        dismissed.save(ledger.foreign_state_mut());
    }
}

/// A person dismissed findings, or wants them back.
pub(crate) fn dismiss(session: &mut Session, root: u32, ids: &[String], restored: &[String]) {
    let now = session.code.clock.host();
    let dismissed = session.review.dismissed.entry(root).or_default();
    ids.iter().for_each(|id| dismissed.note(id, Some(now)));
    restored.iter().for_each(|id| dismissed.note(id, None));
    if !has_context(session, root) {
        // What is to last has to be written somewhere (SPEC D17).
        keep_context(session, root);
    }
    keep_window(session, root);
}
