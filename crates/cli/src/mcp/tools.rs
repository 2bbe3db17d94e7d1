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
        .with_raw_output_schema(object(shallow(tool.output_schema())))
        .with_annotations(
            ToolAnnotations::with_title(tool.title)
                .read_only(true)
                .idempotent(true)
                .open_world(false),
        )
}

/// A schema of the envelope that says which fields there are and no more: every client pays for
/// `tools/list` before it has asked anything (SPEC X5). `codecortex tools` has it whole.
fn shallow(mut envelope: Value) -> Value {
    for part in ["data", "error"] {
        let fields = envelope["properties"][part]["properties"].as_object_mut();
        for field in fields.into_iter().flat_map(|fields| fields.values_mut()) {
            let kind = field["type"].take();
            *field = if kind.is_null() {
                json!({})
            } else {
                json!({ "type": kind })
            };
        }
        if let Some(part) = envelope["properties"][part].as_object_mut() {
            part.remove("description");
        }
    }
    envelope
}

fn object(schema: Value) -> Arc<JsonObject> {
    match schema {
        Value::Object(object) => Arc::new(object),
        _ => Arc::default(),
    }
}
