//! What answers wait for: calls whose words are not in a root's `.context/` yet (SPEC D37).

use codecortex_artifacts::NotWritten;
use codecortex_ledger::Millis;

use crate::artifacts::persisted_effects::PersistedEffect;
use crate::session::Session;

/// The roots that answers wait for.
pub(crate) fn awaited_roots(session: &Session) -> Vec<u32> {
    session.unwritten.awaited_roots()
}

/// Gives up on what has waited too long. The roots whose unwritten actions are dropped.
pub(crate) fn expired_roots(session: &mut Session, now: Millis) -> Vec<u32> {
    session.unwritten.expire(now)
}

/// Whether an answer waits for a root.
pub(crate) fn is_awaited(session: &Session, root: u32) -> bool {
    session.unwritten.is_awaited(root)
}

/// An update of a root begins: it includes everything until now.
pub(crate) fn begin_update(session: &mut Session, root: u32) {
    session.unwritten.take(root);
}

/// What the last update of a root included is on the disk.
pub(crate) fn update_written(session: &mut Session, root: u32) {
    session.unwritten.written(root);
}

/// Another process wrote first.
pub(crate) fn update_conflicted(session: &mut Session, root: u32) {
    session.unwritten.conflicted(root);
}

/// The text about a type that a call handed in is refused by what is there now. Whether a call still waits for that.
pub(crate) fn refuse_text(session: &mut Session, root: u32, id: &str, why: &str) -> bool {
    let is_it =
        |kept: &PersistedEffect| matches!(kept, PersistedEffect::Text(text) if text.id == id);
    let call = session.unwritten.call_of(root, is_it);
    if let Some(call) = call {
        session.unwritten.refused(call, why.to_owned());
    }
    call.is_some()
}

/// What waits for a root cannot be written: it is as if it had not been asked for. Whether something waited.
pub(crate) fn update_failed(session: &mut Session, root: u32, why: NotWritten) -> bool {
    let is_awaited = session.unwritten.is_awaited(root);
    if is_awaited {
        session.unwritten.failed(root, why);
    }
    is_awaited
}

/// What a root is to keep and the disk does not have, in order.
pub(crate) fn kept_of(session: &Session, root: u32) -> Vec<PersistedEffect> {
    session.unwritten.kept_of(root)
}
