//! What follows from the table as a whole.

use std::collections::HashMap;
use std::sync::LazyLock;

use codecortex_answer::args::Arguments;
use serde_json::{Value, json};

use crate::tools::tool::Tool;
use crate::tools::{SCRIPT_TOOLS, TOOLS};

/// The arguments that a tool takes. Their names are made once: every call is checked against them.
pub(crate) fn arguments(tool: &Tool) -> Arguments {
    static NAMES: LazyLock<HashMap<&str, Vec<String>>> = LazyLock::new(|| {
        let names = |tool: &Tool| {
            let schema = tool.input_schema();
            let properties = schema["properties"]
                .as_object()
                .cloned()
                .unwrap_or_default();
            properties.into_iter().map(|(name, _)| name).collect()
        };
        TOOLS
            .iter()
            .chain(&SCRIPT_TOOLS)
            .map(|tool| (tool.name, names(tool)))
            .collect()
    });
    Arguments {
        tool: tool.name,
        names: NAMES.get(tool.name).map_or(&[], Vec::as_slice),
        aliases: tool.aliases,
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
                "inputSchema": tool.input_schema(),
                "outputSchema": tool.output_schema(),
            })
        })
        .collect()
}
