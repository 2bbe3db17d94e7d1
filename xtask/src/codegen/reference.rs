//! docs/tools.md: the purpose, arguments and answer of each tool.

use std::fmt::Write as _;

use serde_json::Value;

/// The reference of every tool in the table.
pub(crate) fn tools(table: &Value) -> String {
    let mut out = String::from(
        "<!-- Generated from the tool table by `cargo xtask codegen`; do not edit. -->\n\n# Tools\n\nVS Code, \
         MCP and the command line have the same tools. Every answer is an envelope: `{\"ok\":true,\"data\":…}` or \
         `{\"ok\":false,\"error\":{code,message,retryable?,hint?,details?},\"budget\":{…}}`; a failure with hardly any room has \
         no `budget`.\n\n\
         A symbol is a path, an id or a place: `src/a.ts:12:9` is the symbol named there, `src/a.ts:12` the declaration on \
         the line; `a.ts#L12` and `a.ts(12,9)` are equivalent. Tools without a `position` also accept `filePath` with \
         `position` instead of the symbol.\n\n\
         Outlines, references and members answer a name with up to eight meanings for all of them: `candidates` lists these \
         with their number of uses, the answer is for the first, `more` has the others, and the budget is shared evenly. With \
         more meanings, and in other tools, the error `AmbiguousSymbol` has the candidates. The same tools take a list of \
         symbols.\n\n\
         `maxTokens` (or `budget`) limits the tokens of the whole answer, in the form selected by `format`: `text` has the \
         same facts as `json` in fewer tokens. MCP lists an argument marked _full_ only in the `full` profile, VS Code \
         never; calls may pass it everywhere.\n",
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
        let _ = writeln!(out, "| argument | type | effect |\n| --- | --- | --- |");
        let required = tool["inputSchema"]["required"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        fields(&tool["inputSchema"]["properties"], &mut out, &required, "");
        fields(&tool["fullArguments"], &mut out, &[], " _full_");
        let _ = writeln!(out, "\n| `data` | type | contents |\n| --- | --- | --- |");
        let data = &tool["outputSchema"]["properties"]["data"]["properties"];
        fields(data, &mut out, &[], "");
    }
    out
}

/// The effects of a tool, from its row.
fn effect(tool: &Value) -> &'static str {
    let is = |name: &str| tool[name] == true;
    if tool["fullArguments"].get("dismiss").is_some() {
        return "read-only except for `dismiss` and `restore`, which `.context/` stores";
    }
    match (is("readOnly"), is("destructive"), is("needsConfirmation")) {
        (true, ..) => "read-only",
        (false, true, true) if tool["inputSchema"]["properties"].get("planId").is_some() => {
            "overwrites or deletes; VS Code asks a person first, as MCP does where the client can; elsewhere a second call \
             with the `planId` of the first one's answer applies it, on the command line `--apply`"
        }
        (false, true, true) => {
            "overwrites or deletes; VS Code asks a person first, an MCP client follows the annotation, `batch` does not \
             ask"
        }
        (false, true, false) => "writes and deletes only in `.context/`",
        (false, false, true) => {
            "changes no source, may change `.context/`; VS Code asks a person first, `call` and `batch` do not"
        }
        (false, false, false) => "changes no source, may change `.context/`",
    }
}

/// A row for each property: `required` names must be given, and `end` closes each description.
fn fields(properties: &Value, out: &mut String, required: &[Value], end: &str) {
    for (name, field) in properties.as_object().into_iter().flatten() {
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
            "| `{name}`{mark} | {} | {description}{end} |",
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
                // An unsigned type has the minimum 0, which says nothing about the field.
                (Some(least), None) if least > 0.0 => format!("number, from {least}"),
                _ => "number".to_owned(),
            }
        }
        Some(name) => name.to_owned(),
        None => "any".to_owned(),
    }
}
