//! One workspace: events in, answers and effects out; the tool table.
//!
//! [`Engine`] is the whole product without its surroundings. It has no clock, no disk, no network
//! and no threads (SPEC D5): a test is a list of events and the answers and effects they must give.

mod access;
mod actions;
mod analysis;
mod artefacts;
mod budget;
mod cache;
mod call;
mod changes;
mod context;
mod describers;
mod documents;
mod engine;
mod error;
mod generated;
mod ingest;
mod invocation;
mod kept;
mod live;
mod memory;
mod module_hints;
mod names;
mod outside;
mod packs;
mod paths;
mod projects;
pub mod protocol;
mod providers;
pub mod scip;
mod spend;
mod tools;
mod view;
mod window;
mod workspace;

pub use access::Access;
pub use codecortex_project::is_manifest;

pub use budget::{
    Budget, BudgetProfile, Budgets, Grant, Mode, Omitted, Tokenizer, TopK, grant, profile, step,
    tokens_approx,
};
pub use cache::CacheBytes;
pub use context::{ContextFailure, ContextReport, FolderConfig, WindowConfig};
pub use engine::Engine;
pub use error::{ErrorCode, ToolError};
pub use live::{Line, Recorded, RecordedText, Replay, Replayed};
pub use tools::{Profile, TOOLS, Tool, find_tool, tool_table};

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
