//! One workspace: events in, answers and effects out; the tool table.
//!
//! [`Engine`] is the whole product without its surroundings. It has no clock, no disk, no network
//! and no threads (SPEC D5): a test is a list of events and the answers and effects they must give.

// A look at the session ends before a call waits (docs/architecture.md).
#![deny(clippy::await_holding_refcell_ref)]

mod actions;
mod answered_files;
mod artifacts;
mod called;
mod calls;
mod dismissals;
mod engine;
mod events;
mod invocation;
mod live;
mod memory_limit;
mod observations;
mod semantics;
mod session;
mod signals;
mod tool_use;
mod tools;

pub use codecortex_analysis::Analysis;
pub use codecortex_analysis::access::Access;
pub use codecortex_analysis::cache::CacheBytes;
pub use codecortex_analysis::folder_config::{FolderConfig, WindowConfig};
pub use codecortex_answer::budget::{
    Budget, BudgetMode, BudgetProfile, Budgets, Grant, Omitted, TopK, grant, profile, step,
};
pub use codecortex_artifacts::{ContextFailure, ContextReport};
pub use codecortex_live::{Recorded, RecordedLine, RecordedText};
pub use codecortex_project::is_manifest;
pub use codecortex_protocol as protocol;
pub use codecortex_protocol::{ErrorCode, Tokenizer, ToolError, tokens_approx};

pub use engine::Engine;
pub use live::replay::{Replay, Replayed};
pub use tool_use::ToolUse;
pub use tools::get_context::payload_schema::payload_schema;
pub use tools::semantic::investigate::operation_schema;
pub use tools::table::{INSTRUCTIONS, script_tool_table, tool_table};
pub use tools::tool::{Profile, Tool};
pub use tools::{SCRIPT_TOOLS, TOOLS, find_tool, tools_for};

/// Endings of files in which names are resolved, in lower case and without the dot.
pub fn resolved_endings() -> impl Iterator<Item = &'static str> {
    endings(true)
}

/// Endings of files in which uses are found by name, in lower case and without the dot.
pub fn named_endings() -> impl Iterator<Item = &'static str> {
    endings(false)
}

fn endings(resolved: bool) -> impl Iterator<Item = &'static str> {
    codecortex_syntax::LANGUAGES
        .iter()
        .filter(move |info| codecortex_syntax::dialect(info.language).is_resolved() == resolved)
        .flat_map(|info| info.extensions.iter().copied())
}
