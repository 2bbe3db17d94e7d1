//! Token usage as a room of the session. A new workspace resets no count.

use codecortex_protocol::Room;

use crate::token_usage::TokenUsage;

impl<Code> Room<Code> for TokenUsage {}
