//! The one table of tools (SPEC D6).
//!
//! From it come the Language Model tools of package.json, the MCP tool list, the commands of the
//! binary and the reference documentation. A row names the types of its arguments and its answer;
//! their doc comments are the descriptions that a model reads.

mod aliases;
mod apply_edit;
mod args;
mod changes;
mod common;
mod cursor;
mod dispatch;
mod get_context;
mod graph;
mod hashes;
mod invalidate;
mod live_context;
mod names;
mod need;
mod outline;
mod pack;
mod pins;
mod resolve_symbol;
mod schema;
mod search_api;
mod status;
mod symbols;
mod tool;

pub(crate) use apply_edit::edited;
pub(crate) use args::check_text;
pub(crate) use dispatch::{Dispatched, call, conclude};
pub(crate) use names::kind_word;
pub(crate) use names::words::TierWord;
pub(crate) use need::{Awaited, Called, Failure, ToolResult};
pub use schema::tool_table;
pub(crate) use symbols::{FoundFile, explain};
pub use tool::{Profile, Tool};

/// Every tool, in the order in which they are shown.
pub static TOOLS: [Tool; 18] = [
    outline::TOOL,
    search_api::TOOL,
    resolve_symbol::TOOL,
    names::references::TOOL,
    names::position::TOOL,
    names::members::TOOL,
    names::hierarchy::TOOL,
    status::TOOL,
    live_context::TOOL,
    apply_edit::TOOL,
    get_context::TOOL,
    pins::TOOL,
    pack::TOOL,
    changes::TOOL,
    hashes::TOOL,
    graph::TOOL,
    aliases::TOOL,
    invalidate::TOOL,
];

/// A tool by its name, or by the name that it had before.
#[must_use]
pub fn find_tool(name: &str) -> Option<&'static Tool> {
    TOOLS
        .iter()
        .find(|tool| tool.name == name || tool.former_name == Some(name))
}
