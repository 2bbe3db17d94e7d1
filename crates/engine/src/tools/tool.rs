//! A row of the table of tools (SPEC D6).

use schemars::SchemaGenerator;
use serde_json::Value;

use crate::calls::Handler;
use crate::tool_use::ToolUse;
use crate::tools::needs::RequiredInput;

/// Which tools a surface shows without being asked (SPEC D16, X5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Profile {
    /// The few that an agent needs most.
    Default,
    /// All.
    Full,
}

impl Profile {
    /// The word in settings and flags.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Full => "full",
        }
    }
}

/// One row of the table.
pub struct Tool {
    /// The name that models call.
    pub name: &'static str,
    /// The name that people type after `#` in a chat.
    pub reference_name: &'static str,
    /// A short title.
    pub title: &'static str,
    /// What it does, for a model: the first sentence says what an agent would search for.
    pub description: &'static str,
    /// The icon of VS Code's set.
    pub icon: &'static str,
    /// The smallest profile that shows it.
    pub profile: Profile,
    /// Whether it changes nothing of the user's: neither files nor what `.context/` keeps for people.
    pub is_read_only: bool,
    /// Whether what it changes may be lost: text that was overwritten, something that was deleted.
    pub is_destructive: bool,
    /// Whether calling it twice with the same arguments does what calling it once does.
    pub is_idempotent: bool,
    /// Whether a host has a person confirm it before it runs.
    pub needs_confirmation: bool,
    /// Whether its answers may be about declarations of generated code that the caller names.
    pub(crate) sees_generated: bool,
    /// What it was called in the release before; it answers to that too, and nothing lists it.
    pub(crate) former_name: Option<&'static str>,
    /// What the engine and hosts do with it beside answering its calls.
    pub uses: &'static [ToolUse],
    /// Other names that callers use for its arguments, and what they mean.
    pub(crate) aliases: &'static [(&'static str, &'static str)],
    pub(crate) schema: fn(&mut SchemaGenerator) -> Value,
    pub(crate) output: fn(&mut SchemaGenerator) -> Value,
    /// What it needs in any case; it is all here when the handler begins.
    pub(crate) needs: &'static [RequiredInput],
    pub(crate) handler: Handler,
}

impl Tool {
    /// Whether the engine or a host uses it this way.
    #[must_use]
    pub fn has_use(&self, wanted: ToolUse) -> bool {
        self.uses.contains(&wanted)
    }
}
