//! What is called, and by whom.

use std::rc::Rc;

use codecortex_protocol::{Answer, Caller};
use serde_json::Value;

/// A call as it came, or as the engine makes it itself.
#[derive(Clone, Debug)]
pub(crate) struct Called {
    /// The caller's number; of a call of the engine's own it means nothing.
    pub(crate) id: u32,
    /// The tool's name.
    pub(crate) tool: String,
    /// The arguments, unchecked.
    pub(crate) args: Value,
    /// Where the call comes from.
    pub(crate) caller: Caller,
}

impl Called {
    /// The tokens that the answer may have, where the call or its surface says so: the smaller of both.
    pub(crate) fn granted_tokens(&self) -> Option<u32> {
        let asked = self.args.get("maxTokens").and_then(Value::as_u64);
        let asked = asked.and_then(|tokens| u32::try_from(tokens).ok());
        asked.into_iter().chain(self.caller.max_tokens).min()
    }
}

/// A call with its answer, while its effects are written.
#[derive(Debug)]
pub(crate) struct AnsweredCall {
    pub(crate) called: Rc<Called>,
    /// The path of the symbol on whose account the answer goes.
    pub(crate) subject: Option<String>,
    pub(crate) answer: Answer,
}
