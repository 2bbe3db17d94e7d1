//! What is made from the Rust types (SPEC D6): the tools in package.json, the types of the extension's
//! messages and of the tools' answers, the tool reference. `--check` writes nothing and fails where a
//! file is out of step.

mod answers;
mod reference;
mod typescript;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::Args;
use codecortex_engine::{
    FolderConfig, operation_schema, payload_schema, script_tool_table, tool_table,
};
use schemars::schema_for;
use serde_json::{Value, json};

/// What to do with the generated text.
#[derive(Args)]
pub(crate) struct Options {
    /// Only compare; fail where a file differs.
    #[arg(long)]
    check: bool,
}

/// Writes or checks every generated file.
pub(crate) fn run(root: &Path, options: &Options) -> Result<()> {
    let files = [
        ("package.json", manifest(root)?),
        ("extension/generated/protocol.ts", typescript::protocol()?),
        ("extension/generated/answers.ts", answers::answers()?),
        ("extension/generated/languages.ts", typescript::languages()),
        (
            "extension/generated/confirmed.ts",
            typescript::confirmed(&tool_table()),
        ),
        ("docs/tools.md", reference::tools(&tool_table())),
        ("media/context-config.schema.json", folder_config()?),
        (
            "docs/context_payload.v2.schema.json",
            format!("{}\n", serde_json::to_string_pretty(&payload_schema())?),
        ),
        (
            "docs/op.v1.schema.json",
            format!("{}\n", serde_json::to_string_pretty(&operation_schema())?),
        ),
    ];
    let mut stale = Vec::new();
    for (path, text) in files {
        let file = root.join(path);
        let current = fs::read_to_string(&file).unwrap_or_default();
        if current == text {
            continue;
        }
        if options.check {
            stale.push(path);
        } else {
            fs::write(&file, text).with_context(|| path.to_owned())?;
            println!("wrote {path}");
        }
    }
    if !stale.is_empty() {
        bail!(
            "out of step with the Rust types: {}; type: cargo xtask codegen",
            stale.join(", ")
        );
    }
    Ok(())
}

/// The schema of `.context/config.json`, for editors.
fn folder_config() -> Result<String> {
    let mut schema = schema_for!(FolderConfig).to_value();
    // Every field has its default; `null` is none of them.
    let properties = schema["properties"].as_object_mut();
    for property in properties.into_iter().flat_map(|all| all.values_mut()) {
        if property["type"] == json!(["string", "null"]) {
            property["type"] = json!("string");
            property
                .as_object_mut()
                .map(|property| property.remove("default"));
        }
    }
    Ok(format!("{}\n", serde_json::to_string_pretty(&schema)?))
}

/// package.json with the table's tools in `contributes.languageModelTools` and their set.
fn manifest(root: &Path) -> Result<String> {
    let path = root.join("package.json");
    let mut manifest: Value = serde_json::from_str(&fs::read_to_string(&path)?)?;
    let contributes = manifest
        .get_mut("contributes")
        .and_then(Value::as_object_mut)
        .context("package.json has no `contributes`")?;
    let table = tool_table();
    let tools = table.as_array().context("the tool table is no list")?;
    let script_tools = script_tool_table();
    let script_tools = script_tools
        .as_array()
        .context("the table of names is no list")?;
    let entries = tools.iter().map(language_model_tool);
    let script_entries = script_tools.iter().map(|tool| {
        let mut entry = language_model_tool(tool);
        entry["when"] = json!("codecortex.hasAngelScript");
        entry
    });
    contributes.insert(
        "languageModelTools".into(),
        entries.chain(script_entries).collect(),
    );
    Ok(format!("{}\n", serde_json::to_string_pretty(&manifest)?))
}

/// A row in VS Code's form. VS Code has one list of arguments for all profiles, so a default tool has the default list.
fn language_model_tool(tool: &Value) -> Value {
    let mut entry = json!({
        "name": tool["name"],
        "toolReferenceName": tool["referenceName"],
        "displayName": tool["title"],
        "modelDescription": tool["description"],
        "userDescription": first_sentence(tool["description"].as_str().unwrap_or_default()),
        "icon": tool["icon"],
        "canBeReferencedInPrompt": true,
        "tags": ["codecortex"],
        "inputSchema": tool["inputSchema"],
    });
    if tool["profile"] == "full" {
        entry["when"] = json!("config.codecortex.tools.profile == 'full'");
    }
    entry
}

fn first_sentence(text: &str) -> String {
    let end = text.find(". ").map_or(text.len(), |end| end + 1);
    text[..end].to_owned()
}
