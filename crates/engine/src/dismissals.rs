//! Findings that people dismiss.

use crate::artifacts::folders::want_folder;
use crate::session::Session;

/// A person dismissed findings, or wants them back.
pub(crate) fn dismiss(session: &mut Session, root: u32, ids: &[String], restored: &[String]) {
    let now = session.code.clock().host();
    session.review.dismiss(root, ids, restored, now);
    want_folder(session, root);
    session.keep_window(root);
}
