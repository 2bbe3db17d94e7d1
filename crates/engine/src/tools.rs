//! The one table of tools (SPEC D6).
//!
//! From it come the Language Model tools of package.json, the MCP tool list, the commands of the
//! binary and the reference documentation. A row names the types of its arguments and its answer;
//! their doc comments are the descriptions that a model reads.

pub(crate) mod aliases;
pub(crate) mod apply_edit;
pub(crate) mod boxed;
pub(crate) mod changes;
pub(crate) mod dispatch;
mod editor;
pub(crate) mod folder;
mod forget;
pub(crate) mod get_context;
pub(crate) mod graph;
pub(crate) mod hashes;
pub(crate) mod hierarchy;
pub(crate) mod invalidate;
pub(crate) mod live_context;
pub(crate) mod members;
pub(crate) mod needs;
pub(crate) mod outline;
pub(crate) mod pack;
pub(crate) mod pins;
pub(crate) mod position;
pub(crate) mod recall;
mod refactor;
pub(crate) mod references;
pub(crate) mod remember;
pub(crate) mod resolve_symbol;
pub(crate) mod review;
pub(crate) mod schema;
pub(crate) mod script_names;
pub(crate) mod search_api;
pub(crate) mod semantic;
pub(crate) mod several;
pub(crate) mod status;
pub(crate) mod table;
pub(crate) mod tool;
mod written_places;

pub use script_names::SCRIPT_TOOLS;
use tool::Tool;

use crate::tool_use::ToolUse;

/// Every tool, in the order in which they are shown.
pub static TOOLS: [Tool; 28] = [
    outline::TOOL,
    search_api::TOOL,
    resolve_symbol::TOOL,
    references::TOOL,
    position::TOOL,
    members::TOOL,
    hierarchy::TOOL,
    status::TOOL,
    live_context::TOOL,
    apply_edit::TOOL,
    refactor::TOOL,
    get_context::TOOL,
    review::TOOL,
    remember::TOOL,
    recall::TOOL,
    forget::TOOL,
    pins::TOOL,
    pack::TOOL,
    changes::TOOL,
    hashes::TOOL,
    graph::TOOL,
    aliases::TOOL,
    invalidate::TOOL,
    semantic::get::TOOL,
    semantic::submit::TOOL,
    semantic::describe::TOOL,
    semantic::investigate::TOOL,
    semantic::investigate::OP_TOOL,
];

/// The names of the tools with a use, in the order of the table.
pub fn tools_for(wanted: ToolUse) -> impl Iterator<Item = &'static str> {
    let tools = TOOLS.iter().filter(move |tool| tool.has_use(wanted));
    tools.map(|tool| tool.name)
}

/// A tool by its name, or by the name that it had before.
#[must_use]
pub fn find_tool(name: &str) -> Option<&'static Tool> {
    TOOLS
        .iter()
        .chain(&SCRIPT_TOOLS)
        .chain(&editor::EDITOR_TOOLS)
        .find(|tool| tool.name == name || tool.former_name == Some(name))
}
