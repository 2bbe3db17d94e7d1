//! An investigation that is at work (SPEC IN1).

use std::collections::BTreeSet;

use codecortex_protocol::{ModelMessage, ModelRole};
use codecortex_semantics::{OpState, Operation};

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
