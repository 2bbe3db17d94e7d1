//! Writes what answers wait for without a tick (SPEC D37).

use codecortex_artifacts::NotWritten;
use codecortex_ledger::Millis;
use codecortex_protocol::Outbox;

use crate::artifacts::awaited::{awaited_roots, begin_update, expired_roots};
use crate::artifacts::{advance, fail_unwritten};
use crate::session::Session;

/// Does what it takes to write what answers wait for: nobody has to send a tick for that.
pub(crate) fn write_awaited(session: &mut Session, outbox: &mut Outbox) {
    let now: Millis = session.code.clock().host();
    for root in expired_roots(session, now) {
        session.contexts.reload(&mut session.code, outbox, root);
    }
    for root in awaited_roots(session) {
        match session.contexts.why_never(&session.code, root) {
            Some(why) => {
                begin_update(session, root);
                fail_unwritten(session, outbox, root, NotWritten::Disk(why));
            }
            // Another process is given the time that it takes.
            None if session.contexts.is_busy(root, now) => {}
            None => advance(session, outbox, root, now),
        }
    }
}
