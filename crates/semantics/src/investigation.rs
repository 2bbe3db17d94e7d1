//! An investigation that is at work (SPEC IN1).

use std::collections::BTreeSet;

use codecortex_protocol::{ModelMessage, ModelRole};
use serde::{Deserialize, Serialize};

use crate::cleaning::clean_messages;
use crate::operation::{OpState, Operation};

/// What was said in an operation, for who goes on with it after a restart. It is disposable.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Conversation {
    messages: Vec<ModelMessage>,
    seen: BTreeSet<String>,
}

/// Where that is kept, relative to `.context/`.
pub fn conversation_path(id: &str) -> String {
    format!("cache/ops/{id}.json")
}

/// An operation that is at work.
#[derive(Clone, Debug)]
pub struct Investigation {
    /// Index of the root that keeps it.
    pub root: u32,
    /// Everything that is written of it.
    pub operation: Operation,
    /// The messages to and from the model.
    pub messages: Vec<ModelMessage>,
    /// Files that tools reported.
    pub seen: BTreeSet<String>,
}

impl Investigation {
    /// An operation of a root that begins.
    pub fn new(root: u32, operation: Operation) -> Self {
        Self {
            root,
            operation,
            messages: Vec::new(),
            seen: BTreeSet::new(),
        }
    }

    /// An operation that was at work when a process ended. What was said in it may be lost: it begins anew then.
    pub fn restored(root: u32, operation: Operation, said: Option<&str>) -> Self {
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
    pub fn conversation(&self) -> String {
        let said = Conversation {
            messages: self.messages.clone(),
            seen: self.seen.clone(),
        };
        // Plain data can always be written.
        serde_json::to_string(&said).unwrap_or_default()
    }

    /// Takes secrets out of what is written and sent of it.
    pub fn clean(&mut self) {
        self.operation.clean();
        let taken = clean_messages(&mut self.messages);
        self.operation.redacted = self.operation.redacted.saturating_add(taken);
    }

    /// How often the model has spoken.
    pub fn rounds(&self) -> usize {
        let said = self.messages.iter();
        said.filter(|message| message.role == ModelRole::Assistant)
            .count()
    }

    /// Ends it without a conclusion.
    pub fn fail(&mut self, why: impl Into<String>) {
        self.operation.state = OpState::Failed;
        self.operation.error = Some(why.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn op() -> Investigation {
        let mut op = Investigation::new(2, Operation::new("Who pays?", Vec::new()));
        let message = ModelMessage::new(ModelRole::Assistant, "I look.");
        op.messages.push(message);
        op.seen.insert("shop/a.rs".to_owned());
        op
    }

    #[test]
    fn a_conversation_goes_on_after_a_restart() {
        let before = op();
        let said = before.conversation();
        let after = Investigation::restored(2, before.operation.clone(), Some(&said));
        assert_eq!((after.rounds(), &after.seen), (1, &before.seen));
        let lost = Investigation::restored(2, before.operation.clone(), None);
        assert_eq!(lost.rounds(), 0);
        let damaged = Investigation::restored(2, before.operation, Some("{\"messages\": 3}"));
        assert_eq!(damaged.rounds(), 0);
    }

    #[test]
    fn a_failed_operation_gives_the_reason() {
        let mut op = op();
        op.fail("no model");
        assert_eq!(op.operation.state, OpState::Failed);
        assert_eq!(op.operation.error.as_deref(), Some("no model"));
    }

    #[test]
    fn secrets_are_taken_out_of_messages_and_counted() {
        let mut op = op();
        let key = format!("token ghp_{}", "a1B2".repeat(9));
        op.messages.push(ModelMessage::new(ModelRole::User, key));
        op.clean();
        assert!(
            !op.messages[1].content.contains("ghp_"),
            "{:?}",
            op.messages
        );
        assert_eq!(op.operation.redacted, 1);
    }
}
