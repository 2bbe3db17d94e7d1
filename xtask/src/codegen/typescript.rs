//! extension/generated/protocol.ts: the messages between a JavaScript host and the engine.
//!
//! The input is the JSON schemas of the Rust types; only what these use is understood, and anything
//! else fails the generation rather than becoming `unknown` in silence.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context, Result, bail};
use codecortex_engine::protocol::{Effect, Event};
use codecortex_engine::{named_endings, resolved_endings};
use schemars::SchemaGenerator;
use serde_json::{Map, Value};

/// The module with every message type.
pub(crate) fn protocol() -> Result<String> {
    let declared: String = protocol_types()?.into_values().collect();
    Ok(format!(
        "// Generated from crates/protocol/src/events.rs by `cargo xtask codegen`; do not edit.\n{declared}"
    ))
}

/// The declaration of every message type by its name.
pub(super) fn protocol_types() -> Result<BTreeMap<String, String>> {
    let mut generator = SchemaGenerator::default();
    let event = generator.root_schema_for::<Event>().to_value();
    let effect = generator.root_schema_for::<Effect>().to_value();
    let mut types: Map<String, Value> = Map::new();
    for (name, schema) in [("Event", event), ("Effect", effect)] {
        for (name, schema) in schema["$defs"].as_object().into_iter().flatten() {
            types.insert(name.clone(), schema.clone());
        }
        types.insert(name.to_owned(), schema);
    }
    types
        .into_iter()
        .map(|(name, schema)| {
            let text = declaration(&name, &schema).with_context(|| name.clone())?;
            Ok((name, text))
        })
        .collect()
}

/// The module with the endings of the languages.
pub(crate) fn languages() -> String {
    let mut out = String::from(
        "// Generated from crates/syntax/src/language.rs by `cargo xtask codegen`; do not edit.\n",
    );
    let (resolved, named): (Vec<_>, Vec<_>) =
        (resolved_endings().collect(), named_endings().collect());
    for (name, what, endings) in [
        ("RESOLVED_ENDINGS", "names are resolved", resolved),
        ("NAMED_ENDINGS", "uses are found by name", named),
    ] {
        out.push_str(&format!(
            "\n/** Endings of files in which {what}, in lower case. */\n\
             export const {name}: ReadonlySet<string> = new Set([\n"
        ));
        for ending in endings {
            out.push_str(&format!("  \"{ending}\",\n"));
        }
        out.push_str("]);\n");
    }
    out
}

/// extension/generated/confirmed.ts: the tools whose row says that a person confirms what they do.
pub(crate) fn confirmed(table: &Value) -> String {
    let mut out = String::from(
        "// Generated from the tool table by `cargo xtask codegen`; do not edit.\n\n\
         /** Tools of which a person confirms what they do. */\n\
         export const CONFIRMED: ReadonlySet<string> = new Set([\n",
    );
    let tools = table.as_array().into_iter().flatten();
    for tool in tools.filter(|tool| tool["needsConfirmation"] == true) {
        out.push_str(&format!("  {},\n", tool["name"]));
    }
    out.push_str("]);\n");
    out
}

/// An exported type, with a blank line in front.
pub(super) fn declaration(name: &str, schema: &Value) -> Result<String> {
    let mut text = String::from("\n");
    declare(name, schema, &mut text)?;
    Ok(text)
}

fn declare(name: &str, schema: &Value, out: &mut String) -> Result<()> {
    comment(schema, "", out);
    if schema["type"] == "object" {
        writeln!(out, "export interface {name} {{")?;
        members(schema, "  ", out)?;
        writeln!(out, "}}")?;
        return Ok(());
    }
    if let Some(variants) = schema["oneOf"].as_array() {
        writeln!(out, "export type {name} =")?;
        for (index, variant) in variants.iter().enumerate() {
            comment(variant, "  ", out);
            let end = if index + 1 == variants.len() { ";" } else { "" };
            writeln!(out, "  | {}{end}", expression(variant, "    ")?)?;
        }
        return Ok(());
    }
    writeln!(out, "export type {name} = {};", expression(schema, "")?)?;
    Ok(())
}

fn members(schema: &Value, indent: &str, out: &mut String) -> Result<()> {
    let required: Vec<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        comment(member, indent, out);
        let optional = if required.contains(&name.as_str()) {
            ""
        } else {
            "?"
        };
        let inner = format!("{indent}  ");
        writeln!(
            out,
            "{indent}{name}{optional}: {};",
            expression(member, &inner).with_context(|| name.clone())?
        )?;
    }
    Ok(())
}

fn expression(schema: &Value, indent: &str) -> Result<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        return Ok(reference.rsplit('/').next().unwrap_or(reference).to_owned());
    }
    if let Some(value) = schema.get("const") {
        return Ok(value.to_string());
    }
    if let Some(values) = schema["enum"].as_array() {
        return Ok(values
            .iter()
            .map(Value::to_string)
            .collect::<Vec<_>>()
            .join(" | "));
    }
    if let Some(options) = schema["anyOf"].as_array() {
        let options: Result<Vec<String>> = options
            .iter()
            .map(|option| expression(option, indent))
            .collect();
        return Ok(options?.join(" | "));
    }
    match &schema["type"] {
        Value::String(kind) => named(kind, schema, indent),
        Value::Array(kinds) => {
            let kinds: Result<Vec<String>> = kinds
                .iter()
                .filter_map(Value::as_str)
                .map(|kind| named(kind, schema, indent))
                .collect();
            Ok(kinds?.join(" | "))
        }
        _ if schema == &Value::Bool(true)
            || schema
                .as_object()
                .is_some_and(|object| !object.contains_key("type")) =>
        {
            Ok("unknown".to_owned())
        }
        _ => bail!("cannot express {schema}"),
    }
}

fn named(kind: &str, schema: &Value, indent: &str) -> Result<String> {
    Ok(match kind {
        "string" if schema["format"] == "binary" => "Uint8Array".to_owned(),
        "string" | "boolean" | "null" => kind.to_owned(),
        "integer" | "number" => "number".to_owned(),
        "array" if schema["prefixItems"].is_array() => {
            let items = schema["prefixItems"].as_array().into_iter().flatten();
            let items: Result<Vec<String>> = items.map(|item| expression(item, indent)).collect();
            format!("[{}]", items?.join(", "))
        }
        "array" => {
            let item = expression(&schema["items"], indent)?;
            if item.contains(' ') {
                format!("({item})[]")
            } else {
                format!("{item}[]")
            }
        }
        "object" if schema["properties"].is_null() => {
            let value = schema.get("additionalProperties");
            let value = value.unwrap_or(&Value::Bool(true));
            format!("Record<string, {}>", expression(value, indent)?)
        }
        "object" => {
            let mut body = String::new();
            members(schema, indent, &mut body)?;
            format!("{{\n{body}{}}}", indent.strip_suffix("  ").unwrap_or(""))
        }
        _ => bail!("no type '{kind}'"),
    })
}

fn comment(schema: &Value, indent: &str, out: &mut String) {
    let Some(text) = schema["description"].as_str() else {
        return;
    };
    let lines: Vec<&str> = text.lines().collect();
    if let [line] = lines.as_slice() {
        let _ = writeln!(out, "{indent}/** {line} */");
        return;
    }
    let _ = writeln!(out, "{indent}/**");
    for line in lines {
        let _ = writeln!(out, "{indent} * {line}");
    }
    let _ = writeln!(out, "{indent} */");
}
