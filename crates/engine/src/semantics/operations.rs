//! Operations of this session, and what is kept of them (SPEC IN1).

use std::collections::BTreeSet;

use codecortex_protocol::{ModelMessage, ModelRole};
use codecortex_semantics::{OpState, Operation};
use serde_json::json;

use crate::context::due::{ask_tick_if_due, has_context, keep_context};
use crate::session::{InternalCall, Session};

/// What a call of an operation is called. It is no tool: nobody outside can call it.
pub(crate) const INVESTIGATION: &str = "(investigate)";

/// An operation that is at work.
#[derive(Clone, Debug)]
pub(crate) struct Investigation {
    /// Index of the root that keeps it.
    pub(crate) root: u32,
    /// Everything that is written of it.
    pub(crate) operation: Operation,
    pub(crate) messages: Vec<ModelMessage>,
    /// Files that tools told of.
    pub(crate) seen: BTreeSet<String>,
}

impl Investigation {
    pub(crate) fn new(root: u32, operation: Operation) -> Self {
        Self {
            root,
            operation,
            messages: Vec::new(),
            seen: BTreeSet::new(),
        }
    }

    /// How often the model has spoken.
    pub(crate) fn rounds(&self) -> usize {
        let said = self.messages.iter();
        said.filter(|message| message.role == ModelRole::Assistant)
            .count()
    }

    /// Ends it without a conclusion.
    pub(crate) fn fail(&mut self, why: impl Into<String>) {
        self.operation.state = OpState::Failed;
        self.operation.error = Some(why.into());
    }
}

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
