//! Operations of this session, what is kept of them, and how they go on after a restart (SPEC IN1).
//!
//! An operation at work is named in `state.json`, and what was said in it is in `cache/ops/`: whoever has a model after
//! a restart takes its next step, and nothing that a model answered is asked again.

use codecortex_semantics::{Investigation, OpState, Prepared};
use serde_json::json;

use crate::semantics::operation_files::{
    note_at_work, note_concluded_ops, note_news, noted_at_work, write_op,
};
use crate::session::{InternalCall, Session};

/// What a call of an operation is called. It is no tool: nobody outside can call it.
pub(crate) const INVESTIGATION: &str = "(investigate)";

/// Keeps what an operation is now, without secrets, and takes its next step if it is at work.
pub(crate) fn keep_op(session: &mut Session, mut op: Investigation) {
    op.clean();
    let id = op.operation.op_id.clone();
    if session.semantics.is_cancelled(&op) {
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
    let has_model = session.model_name().is_some();
    let Some(noted) = noted_at_work(session, root) else {
        return;
    };
    note_concluded_ops(session, root);
    let (now, foreign) = session.semantics.running_of(root, &noted);
    if now != noted {
        note_at_work(session, root, &now);
    }
    for id in foreign.into_iter().filter(|_| has_model) {
        if session.semantics.resumed.insert(id.clone()) {
            step(session, root, &id);
        }
    }
}

/// An operation that was at work is over, or gone.
pub(crate) fn forget_op(session: &mut Session, id: String) {
    session.semantics.gone_ops.insert(id);
    note_news(session);
}

/// How many investigations are at work.
pub(crate) fn at_work(session: &Session) -> usize {
    session.semantics.running()
}

/// Keeps the prompt of a job while a model has it.
pub(crate) fn keep_prepared(session: &mut Session, job: u32, prepared: Prepared) {
    session.semantics.prepared.insert(job, prepared);
}

/// Takes the prompt of a job that a model had.
pub(crate) fn take_prepared(session: &mut Session, job: u32) -> Option<Prepared> {
    session.semantics.prepared.remove(&job)
}
