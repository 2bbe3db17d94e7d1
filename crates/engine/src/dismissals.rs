//! Findings that people dismissed, as a root's `state.json` keeps them.

use crate::artifacts::schedule::want_folder;
use crate::artifacts::window::keep_window;
use crate::session::Session;

/// Takes in what a root's `state.json` says of dismissed findings.
pub(crate) fn load_dismissals(session: &mut Session, root: u32) {
    let folder = &mut session.contexts.folders[root as usize];
    let Some(ledger) = &folder.ledger else {
        return;
    };
    let dismissed = session.review.dismissed.entry(root).or_default();
    // What is not on the disk yet is done again after this.
    *dismissed = Default::default();
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
    want_folder(session, root);
    keep_window(session, root);
}
