//! The table of tools as MCP lists it.

use std::sync::Arc;

use codecortex_engine::{Profile, TOOLS, Tool};
use rmcp::model::{JsonObject, Tool as McpTool, ToolAnnotations};
use serde_json::Value;

/// What a client is shown of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listing {
    /// Which tools.
    pub(super) profile: Profile,
    /// Whether with the schema of each tool's answers. Many clients put the whole list in front of a model, and these
    /// schemas cost many times what the rest of it does (SPEC X5): they are for clients that check answers or make types
    /// of them, and these say so.
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
        let shown = McpTool::new(tool.name, tool.description, object(arguments(tool)))
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

/// Arguments that orchestrators give and agents do not: they are taken, and not listed. Every client pays for
/// `tools/list` before it has asked anything (SPEC X5); docs/tools.md has all of them, and the answers' fields.
const RARE: [(&str, &[&str]); 4] = [
    (
        "codecortex_getContext",
        &[
            "list",
            "model",
            "profile",
            "scope",
            "subagentType",
            "taskJsonPath",
        ],
    ),
    ("codecortex_recall", &["filter"]),
    ("codecortex_remember", &["more"]),
    ("codecortex_reviewChanges", &["sarif", "units"]),
];

/// The arguments that are listed.
fn arguments(tool: &Tool) -> Value {
    let mut schema = tool.input_schema();
    let rare = RARE.iter().filter(|(name, _)| *name == tool.name);
    if let Some(properties) = schema["properties"].as_object_mut() {
        for name in rare.flat_map(|(_, names)| *names) {
            properties.shift_remove(*name);
        }
    }
    schema
}

fn object(schema: Value) -> Arc<JsonObject> {
    match schema {
        Value::Object(object) => Arc::new(object),
        _ => Arc::default(),
    }
}
