//! Operations of this session, what is kept of them, and how they go on after a restart (SPEC IN1).
//!
//! An operation at work is named in `state.json`, and what was said in it is in `cache/ops/`: whoever has a model after
//! a restart takes its next step, and nothing that a model answered is asked again.

use std::collections::BTreeSet;

use codecortex_protocol::paths::display;
use codecortex_semantics::{OpState, is_op_id};
use serde_json::json;

use crate::artifacts::schedule::{ask_tick_if_due, want_folder};
use crate::semantics::findings::note_concluded;
use crate::semantics::investigation::{Investigation, conversation_path};
use crate::semantics::operation_paths::for_file;
use crate::session::{InternalCall, Session};

/// What a call of an operation is called. It is no tool: nobody outside can call it.
pub(crate) const INVESTIGATION: &str = "(investigate)";
/// The key of `state.json` with the ids of operations that are at work.
const AT_WORK: &str = "operations";

/// Keeps what an operation is now, without secrets, and takes its next step if it is at work.
pub(crate) fn keep_op(session: &mut Session, mut op: Investigation) {
    op.clean();
    let id = op.operation.op_id.clone();
    let known = session.semantics.ops.get(&id);
    if known.is_some_and(|known| known.operation.state == OpState::Cancelled)
        && op.operation.state == OpState::Running
        && !op.messages.is_empty()
    {
        return; // nobody wants it any more
    }
    let root = op.root;
    write_op(session, &op);
    if op.operation.state == OpState::Running {
        step(session, root, &id);
    } else {
        // What a model is still asked for it is for nobody.
        session.given_up.push(id.clone());
    }
    session.semantics.ops.insert(id, op);
    ask_tick_if_due(session);
}

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

fn step(session: &mut Session, root: u32, id: &str) {
    session.internal.push_back(InternalCall {
        id: 0,
        name: INVESTIGATION,
        args: json!({ "opId": id, "root": root }),
    });
}

/// With an update of a root: begins again what was at work when a process ended, and notes what is.
pub(crate) fn resume_ops(session: &mut Session, root: u32) {
    let has_model = session.models.name.is_some();
    let folder_name = session
        .code
        .workspace
        .roots
        .get(root as usize)
        .map(|folder| display(folder, ""))
        .unwrap_or_default();
    let Some(ledger) = session
        .contexts
        .folders
        .get_mut(root as usize)
        .and_then(|folder| folder.ledger.as_mut())
    else {
        return;
    };
    note_concluded(ledger, root, &folder_name, &session.semantics.ops);
    let noted = ledger.foreign_state().get(AT_WORK);
    let noted = noted.and_then(|noted| noted.as_array()).into_iter();
    let noted = noted.flatten().filter_map(|id| id.as_str());
    let noted: BTreeSet<String> = noted.filter(|id| is_op_id(id)).map(str::to_owned).collect();
    let ops = &session.semantics.ops;
    let gone = &session.semantics.gone_ops;
    let mut now: BTreeSet<String> = noted.iter().cloned().collect();
    now.retain(|id| !ops.contains_key(id) && !gone.contains(id));
    let resumed: Vec<String> = now.iter().filter(|_| has_model).cloned().collect();
    let running = ops
        .iter()
        .filter(|(_, op)| op.root == root && op.operation.state == OpState::Running);
    now.extend(running.map(|(id, _)| id.clone()));
    if now != noted {
        let state = ledger.foreign_state_mut();
        match now.is_empty() {
            true => drop(state.remove(AT_WORK)),
            false => drop(state.insert(AT_WORK.to_owned(), json!(now))),
        }
    }
    for id in resumed {
        if session.semantics.resumed.insert(id.clone()) {
            step(session, root, &id);
        }
    }
}

/// An operation that was at work is over, or gone.
pub(crate) fn forget_op(session: &mut Session, id: String) {
    session.semantics.gone_ops.insert(id);
    for folder in &mut session.contexts.folders {
        folder.semantic_jobs.has_news = true;
    }
    ask_tick_if_due(session);
}
