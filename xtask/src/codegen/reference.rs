//! docs/tools.md: what each tool does, takes and gives.

use std::fmt::Write as _;

use serde_json::Value;

/// The reference of every tool in the table.
pub(crate) fn tools(table: &Value) -> String {
    let mut out = String::from(
        "<!-- Generated from the tool table by `cargo xtask codegen`; do not edit. -->\n\n# Tools\n\nThe same \
         tools answer in VS Code, over MCP and on the command line. Every answer is an envelope: `{\"ok\":true,\"data\":…}` \
         or `{\"ok\":false,\"error\":{code,message,retryable?,hint?,details?},\"budget\":{…}}`; where a failure has hardly any room, \
         `budget` is left out.\n\n\
         A symbol is a path, an id or a place: `src/a.ts:12:9` means what is named there, `src/a.ts:12` what is declared on \
         the line; `a.ts#L12` and `a.ts(12,9)` are the same. Tools that list no `position` take `filePath` with `position` in \
         place of the symbol too.\n\n\
         `maxTokens` (or `budget`) is the most tokens that the whole answer may cost, in the form that is asked for with \
         `format`: `text` says the same facts as `json` in fewer tokens.\n",
    );
    for tool in table.as_array().into_iter().flatten() {
        let text = |name: &str| tool[name].as_str().unwrap_or_default();
        // A failing write to a string is not possible.
        let _ = write!(
            out,
            "\n## {}\n\n{}\n\n`#{}` in a chat · profile `{}` · {}\n\n",
            text("name"),
            text("description"),
            text("referenceName"),
            text("profile"),
            effect(tool)
        );
        let _ = writeln!(out, "| argument | type | |\n| --- | --- | --- |");
        let required = tool["inputSchema"]["required"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        fields(&tool["inputSchema"], &mut out, &required);
        let _ = writeln!(out, "\n| `data` | type | |\n| --- | --- | --- |");
        fields(&tool["outputSchema"]["properties"]["data"], &mut out, &[]);
    }
    out
}

/// What a tool changes, as its row says.
fn effect(tool: &Value) -> &'static str {
    let is = |name: &str| tool[name] == true;
    if tool["inputSchema"]["properties"].get("dismiss").is_some() {
        return "read-only but for `dismiss` and `restore`, which `.context/` keeps";
    }
    match (is("readOnly"), is("destructive"), is("needsConfirmation")) {
        (true, ..) => "read-only",
        (false, true, true) => {
            "overwrites or deletes; VS Code asks a person first, an MCP client as it does for what is annotated so, \
             `call` and `batch` do not"
        }
        (false, true, false) => "writes and deletes in `.context/` alone",
        (false, false, true) => {
            "changes no source, may change what `.context/` keeps; VS Code asks a person first, `call` and `batch` do not"
        }
        (false, false, false) => "changes no source, may change what `.context/` keeps",
    }
}

fn fields(schema: &Value, out: &mut String, required: &[Value]) {
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let mark = if required.contains(&Value::String(name.clone())) {
            " (required)"
        } else {
            ""
        };
        let description = field["description"]
            .as_str()
            .unwrap_or_default()
            .replace('\n', " ")
            .replace('|', "\\|");
        let _ = writeln!(
            out,
            "| `{name}`{mark} | {} | {description} |",
            type_of(field)
        );
    }
}

fn type_of(field: &Value) -> String {
    if let Some(options) = field["enum"].as_array() {
        return options
            .iter()
            .filter_map(Value::as_str)
            .map(|option| format!("`{option}`"))
            .collect::<Vec<_>>()
            .join(" ");
    }
    if let Some(options) = field["oneOf"].as_array() {
        return options
            .iter()
            .filter_map(|option| option["const"].as_str())
            .map(|option| format!("`{option}`"))
            .collect::<Vec<_>>()
            .join(" ");
    }
    // What may be absent may be null; the table says so by listing the field at all.
    if let Some(option) = field["anyOf"].as_array().and_then(|options| {
        options
            .iter()
            .find(|option| option["type"].as_str() != Some("null"))
    }) {
        return type_of(option);
    }
    let kind = match &field["type"] {
        Value::Array(kinds) => kinds
            .iter()
            .filter_map(Value::as_str)
            .find(|kind| *kind != "null"),
        kind => kind.as_str(),
    };
    match kind {
        Some("array") => format!("list of {}", type_of(&field["items"])),
        Some("object") => {
            let names: Vec<&str> = field["properties"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(name, _)| name.as_str())
                .collect();
            if names.is_empty() {
                "object".to_owned()
            } else {
                format!("object of {}", names.join(", "))
            }
        }
        Some("integer" | "number") => {
            match (field["minimum"].as_f64(), field["maximum"].as_f64()) {
                (Some(least), Some(most)) => format!("number, {least} to {most}"),
                (Some(least), None) => format!("number, from {least}"),
                _ => "number".to_owned(),
            }
        }
        Some(name) => name.to_owned(),
        None => "any".to_owned(),
    }
}
