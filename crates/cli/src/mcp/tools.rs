//! The table of tools as MCP lists it.

use std::sync::Arc;

use codecortex_engine::{Profile, TOOLS, Tool};
use rmcp::model::{JsonObject, Tool as McpTool, ToolAnnotations};
use serde_json::{Value, json};

/// The tools of a profile.
pub(super) fn tools(profile: Profile) -> Vec<McpTool> {
    TOOLS
        .iter()
        .filter(|tool| tool.profile <= profile)
        .map(mcp_tool)
        .collect()
}

/// A tool of the table, whatever its profile.
pub(super) fn mcp_tool(tool: &Tool) -> McpTool {
    McpTool::new(tool.name, tool.description, object(tool.input_schema()))
        .with_title(tool.title)
        .with_raw_output_schema(object(envelope()))
        .with_annotations(
            ToolAnnotations::new()
                .read_only(tool.is_read_only())
                .idempotent(tool.is_read_only())
                .open_world(false),
        )
}

/// The envelope's shape and no more: every client pays for `tools/list` before it has asked anything
/// (SPEC X5). `codecortex tools` and docs/tools.md have the answers' fields.
fn envelope() -> Value {
    json!({
        "type": "object",
        "required": ["ok"],
        "properties": {
            "ok": { "type": "boolean" },
            "data": { "type": "object" },
            "error": { "type": "object" },
        },
    })
}

fn object(schema: Value) -> Arc<JsonObject> {
    match schema {
        Value::Object(object) => Arc::new(object),
        _ => Arc::default(),
    }
}
