//! What a root's folder keeps of operations: their files, and in `state.json` which are at work (SPEC IN1).

use std::collections::BTreeSet;

use codecortex_grounding::for_file;
use codecortex_ledger::Ledger;
use codecortex_protocol::paths::display;
use codecortex_semantics::{
    Investigation, OpState, conversation_path, note_concluded, note_running, noted_running,
};

use crate::artifacts::folders::want_folder;
use crate::session::Session;

/// Puts the files of an operation into what is written next.
pub(crate) fn write_op(session: &mut Session, op: &Investigation) {
    want_folder(session, op.root);
    let kept = for_file(&session.code, op.root, &op.operation);
    let Some(folder) = session.contexts.folders.get_mut(op.root as usize) else {
        return;
    };
    folder.keep_text(&kept.path(), kept.render());
    let conversation = conversation_path(&op.operation.op_id);
    match op.operation.state == OpState::Running {
        true if op.messages.is_empty() => {}
        true => folder.keep_text(&conversation, op.conversation()),
        false => folder.drop_text(&conversation),
    }
    folder.semantic_jobs.has_news = true;
}

/// The operations that a root's `state.json` names as at work; none where it was not read.
pub(crate) fn noted_at_work(session: &Session, root: u32) -> Option<BTreeSet<String>> {
    let folder = session.contexts.folders.get(root as usize)?;
    folder.ledger.as_ref().map(noted_running)
}

/// Notes which operations are at work.
pub(crate) fn note_at_work(session: &mut Session, root: u32, now: &BTreeSet<String>) {
    if let Some(ledger) = ledger_mut(session, root) {
        note_running(ledger, now);
    }
}

/// Notes what the operations of a root have found out.
pub(crate) fn note_concluded_ops(session: &mut Session, root: u32) {
    let roots = &session.code.workspace().roots;
    let folder_name = roots.get(root as usize);
    let folder_name = folder_name
        .map(|folder| display(folder, ""))
        .unwrap_or_default();
    session.with_operations(root, |ledger, ops| {
        note_concluded(ledger, root, &folder_name, ops)
    });
}

fn ledger_mut(session: &mut Session, root: u32) -> Option<&mut Ledger> {
    let folder = session.contexts.folders.get_mut(root as usize)?;
    folder.ledger.as_mut()
}

/// The jobs of every root have something to be taken in.
pub(crate) fn note_news(session: &mut Session) {
    for folder in &mut session.contexts.folders {
        folder.semantic_jobs.has_news = true;
    }
}
