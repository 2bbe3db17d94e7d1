//! The table of tools as MCP lists it.

use std::sync::Arc;

use codecortex_engine::{Profile, TOOLS, Tool};
use rmcp::model::{JsonObject, Tool as McpTool, ToolAnnotations};
use serde_json::Value;

/// The part of the table that a client sees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listing {
    /// The listed tools and arguments.
    pub(super) profile: Profile,
    /// Whether to list the schema of each tool's answers. Many clients show the whole list to a model, and these schemas
    /// are several times as long as the rest (SPEC X5), so clients that check or type answers request them.
    pub(super) has_output_schemas: bool,
}

impl Listing {
    /// The tools that are listed.
    pub(super) fn tools(self) -> Vec<McpTool> {
        let tools = TOOLS.iter().filter(|tool| tool.profile <= self.profile);
        tools.map(|tool| self.tool(tool)).collect()
    }

    /// A tool of the table, whatever its profile.
    pub(super) fn tool(self, tool: &Tool) -> McpTool {
        let shown = McpTool::new(
            tool.name,
            tool.description,
            object(tool.listed_schema(self.profile)),
        )
        .with_annotations(annotations(tool));
        match self.has_output_schemas {
            true => shown.with_raw_output_schema(object(tool.output_schema())),
            false => shown,
        }
    }
}

/// What a tool changes, as far as it differs from what clients assume of one that is silent: that it destroys and that
/// calling it twice is not calling it once. Of a tool that only reads both mean nothing.
fn annotations(tool: &Tool) -> ToolAnnotations {
    let mut annotations = ToolAnnotations::new()
        .read_only(tool.is_read_only)
        .open_world(false);
    if !tool.is_read_only {
        annotations.destructive_hint = (!tool.is_destructive).then_some(false);
        annotations.idempotent_hint = tool.is_idempotent.then_some(true);
    }
    annotations
}

fn object(schema: Value) -> Arc<JsonObject> {
    match schema {
        Value::Object(object) => Arc::new(object),
        _ => Arc::default(),
    }
}
