//! What follows from the table as a whole.

use std::collections::HashMap;
use std::sync::LazyLock;

use codecortex_answer::args::Arguments;
use serde_json::{Value, json};

use crate::tools::editor::EDITOR_TOOLS;
use crate::tools::tool::Tool;
use crate::tools::{SCRIPT_TOOLS, TOOLS};

/// What a server tells its clients of the tools, for their models (SPEC X5). It names tools of the profile `default`
/// alone, because a model is shown no others.
pub const INSTRUCTIONS: &str = "CodeCortex knows every declaration of this workspace and keeps up with \
    edits. Before reading or grepping files: codecortex_getContext returns the code for a task in words; codecortex_searchApi finds declarations by name, initials, part or \
    documentation; codecortex_getOutline shows the contents of a file or type, with line numbers, for a fraction of its source; codecortex_findReferences returns every use of a symbol. maxTokens limits an answer; omitted parts are listed with their cost, and nextCursor continues.";

/// What a tool's schema says of its arguments.
#[derive(Default)]
struct Schema {
    names: Vec<String>,
    required: Vec<String>,
    whole: Value,
}

/// The arguments that a tool takes. Their names are made once: every call is checked against them.
pub(crate) fn arguments(tool: &Tool) -> Arguments {
    static SCHEMAS: LazyLock<HashMap<&str, Schema>> = LazyLock::new(|| {
        let all = TOOLS.iter().chain(&SCRIPT_TOOLS).chain(&EDITOR_TOOLS);
        all.map(|tool| (tool.name, read(tool.input_schema())))
            .collect()
    });
    let schema = SCHEMAS.get(tool.name);
    Arguments {
        tool: tool.name,
        names: schema.map_or(&[], |schema| schema.names.as_slice()),
        required: schema.map_or(&[], |schema| schema.required.as_slice()),
        aliases: tool.aliases,
        schema: schema.map_or(&Value::Null, |schema| &schema.whole),
    }
}

fn read(schema: Value) -> Schema {
    let properties = schema["properties"].as_object().cloned();
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let required = required.iter().filter_map(Value::as_str);
    Schema {
        names: properties
            .unwrap_or_default()
            .into_iter()
            .map(|(name, _)| name)
            .collect(),
        required: required.map(str::to_owned).collect(),
        whole: schema,
    }
}

/// The table as JSON, for generators and clients.
#[must_use]
pub fn tool_table() -> Value {
    rows(&TOOLS)
}

/// The names of AngelScript's tools, as rows of such a table.
#[must_use]
pub fn script_tool_table() -> Value {
    rows(&SCRIPT_TOOLS)
}

fn rows(tools: &[Tool]) -> Value {
    tools
        .iter()
        .map(|tool| {
            json!({
                "name": tool.name,
                "referenceName": tool.reference_name,
                "title": tool.title,
                "description": tool.description,
                "icon": tool.icon,
                "profile": tool.profile.as_str(),
                "readOnly": tool.is_read_only,
                "destructive": tool.is_destructive,
                "idempotent": tool.is_idempotent,
                "needsConfirmation": tool.needs_confirmation,
                "inputSchema": tool.listed_schema(tool.profile),
                "fullArguments": tool.full_arguments(),
                "outputSchema": tool.output_schema(),
            })
        })
        .collect()
}
