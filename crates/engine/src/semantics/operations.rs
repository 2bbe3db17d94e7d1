//! Operations of this session, and what is kept of them (SPEC IN1).

use codecortex_semantics::OpState;
use serde_json::json;

use crate::artifacts::due::{ask_tick_if_due, has_context, keep_context};
use crate::semantics::investigation::Investigation;
use crate::session::{InternalCall, Session};

/// What a call of an operation is called. It is no tool: nobody outside can call it.
pub(crate) const INVESTIGATION: &str = "(investigate)";

/// Keeps what an operation is now, and takes its next step if it is at work.
pub(crate) fn keep_op(session: &mut Session, op: Investigation) {
    let id = op.operation.op_id.clone();
    let known = session.semantics.ops.get(&id);
    if known.is_some_and(|known| known.operation.state == OpState::Cancelled)
        && op.operation.state == OpState::Running
    {
        return; // nobody wants it any more
    }
    let root = op.root;
    if !has_context(session, root) {
        keep_context(session, root);
    }
    if let Some(folder) = session.contexts.folders.get_mut(root as usize) {
        folder.keep_text(&op.operation.path(), op.operation.render());
        folder.describers.has_news = true;
    }
    if op.operation.state == OpState::Running {
        session.internal.push_back(InternalCall {
            id: 0,
            name: INVESTIGATION,
            args: json!({ "opId": id }),
        });
    }
    session.semantics.ops.insert(id, op);
    ask_tick_if_due(session);
}
