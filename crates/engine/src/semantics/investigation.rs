//! An investigation that is at work (SPEC IN1).

use std::collections::BTreeSet;

use codecortex_protocol::{ModelMessage, ModelRole};
use codecortex_semantics::{OpState, Operation, clean_messages};
use serde::{Deserialize, Serialize};

/// What was said in an operation, for who goes on with it after a restart. It is disposable.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Conversation {
    messages: Vec<ModelMessage>,
    seen: BTreeSet<String>,
}

/// Where that is kept, relative to `.context/`.
pub(crate) fn conversation_path(id: &str) -> String {
    format!("cache/ops/{id}.json")
}

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

    /// An operation that was at work when a process ended. What was said in it may be lost: it begins anew then.
    pub(crate) fn restored(root: u32, operation: Operation, said: Option<&str>) -> Self {
        let said = said.and_then(|said| serde_json::from_str::<Conversation>(said).ok());
        let Conversation { messages, seen } = said.unwrap_or_default();
        Self {
            root,
            operation,
            messages,
            seen,
        }
    }

    /// What was said, for [`Self::restored`].
    pub(crate) fn conversation(&self) -> String {
        let said = Conversation {
            messages: self.messages.clone(),
            seen: self.seen.clone(),
        };
        // Plain data can always be written.
        serde_json::to_string(&said).unwrap_or_default()
    }

    /// Takes secrets out of what is written and sent of it.
    pub(crate) fn clean(&mut self) {
        self.operation.clean();
        let taken = clean_messages(&mut self.messages);
        self.operation.redacted = self.operation.redacted.saturating_add(taken);
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
