//! One workspace: events in, answers and effects out; the tool table.
//!
//! [`Engine`] is the whole product without its surroundings. It has no clock, no disk, no network
//! and no threads (SPEC D5): a test is a list of events and the answers and effects they must give.

mod artefacts;
mod budget;
mod cache;
mod changes;
mod documents;
mod engine;
mod error;
mod paths;
pub mod protocol;
mod tools;
mod workspace;

pub use budget::{Budget, Omitted, tokens_approx};
pub use engine::Engine;
pub use error::{ErrorCode, ToolError};
pub use tools::{Profile, TOOLS, Tool, find_tool, tool_table};
