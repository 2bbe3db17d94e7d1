//! extension/generated/answers.ts: what the tools answer, from the schemas of the tool table.
//!
//! The extension trusts these types: the module that answers is of the same build, and the contract
//! tests compare answers with their schemas.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use anyhow::{Context, Result, bail};
use codecortex_engine::{TOOLS, ToolError};
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use super::typescript::{declaration, protocol_types};

/// The module with the data of every tool, their error, and the map from names to data.
pub(crate) fn answers() -> Result<String> {
    let mut roots = Vec::new();
    let mut map = String::new();
    for tool in &TOOLS {
        let root = Root::of(tool.data_schema(&mut generator())).context(tool.name)?;
        // A failing write to a string is not possible.
        let _ = writeln!(map, "  {}: {};", tool.name, root.name);
        roots.push(root);
    }
    let error = Root::of(generator().root_schema_for::<ToolError>().to_value())?;
    let error_name = error.name.clone();
    roots.push(error);

    let known = protocol_types()?;
    let mut imported = Vec::new();
    let mut declared = String::new();
    for (name, mut schema) in types(&roots)? {
        drop_absent_nulls(&mut schema);
        let text = declaration(&name, &schema).with_context(|| name.clone())?;
        if known.get(&name) == Some(&text) {
            imported.push(name);
        } else {
            declared.push_str(&text);
        }
    }
    Ok(format!(
        "// Generated from the tool table by `cargo xtask codegen`; do not edit.\n\
         import type {{ {} }} from \"./protocol\";\n\
         {declared}\n\
         /** What the answer of each tool holds as `data`, by the tool's name. */\n\
         export interface ToolAnswers {{\n{map}}}\n\n\
         /** The name of a tool. */\n\
         export type ToolName = keyof ToolAnswers;\n\n\
         /** A tool's answer in JSON. */\n\
         export type Envelope<Name extends ToolName = ToolName> =\n\
         \x20 | {{ ok: true; data: ToolAnswers[Name] }}\n\
         \x20 | {{ ok: false; error: {error_name}; budget?: Budget }};\n",
        imported.join(", ")
    ))
}

/// Made anew for each root: names of types are only told apart where they are meant for one document.
fn generator() -> SchemaGenerator {
    SchemaSettings::default().for_serialize().into_generator()
}

/// The type of an answer, with the types in it.
struct Root {
    name: String,
    schema: Value,
    definitions: Map<String, Value>,
}

impl Root {
    fn of(mut schema: Value) -> Result<Self> {
        let definitions = match schema["$defs"].take() {
            Value::Object(definitions) => definitions,
            _ => Map::new(),
        };
        match schema["title"].as_str().map(str::to_owned) {
            Some(name) => Ok(Self {
                name,
                schema,
                definitions,
            }),
            None => bail!("a schema has no title to name its type by"),
        }
    }

    /// What a type inside is called where others have its name: `Data` says no more than the name does.
    fn qualified(&self, name: &str) -> String {
        format!("{}{name}", self.name.trim_end_matches("Data"))
    }

    /// A schema with the types in it in place of their names.
    fn inlined(&self, schema: &Value) -> Value {
        match schema {
            Value::Object(object) => {
                let target = reference(schema).and_then(|name| self.definitions.get(name));
                let own = object
                    .iter()
                    .map(|(key, value)| (key.clone(), self.inlined(value)));
                let mut own: Map<String, Value> = own.collect();
                if let Some(target) = target {
                    own.insert("$ref".to_owned(), self.inlined(target));
                }
                Value::Object(own)
            }
            Value::Array(values) => values.iter().map(|value| self.inlined(value)).collect(),
            _ => schema.clone(),
        }
    }
}

/// The types of all answers by their names: one that several answers have stands once, and where types
/// of several answers have one name, each gets that of its answer in front.
fn types(roots: &[Root]) -> Result<BTreeMap<String, Value>> {
    let mut all = BTreeMap::new();
    for root in roots {
        // Two tools may give one answer.
        let before = all.insert(root.name.clone(), root.schema.clone());
        if before.is_some_and(|before| before != root.schema) {
            bail!("two answers are called {}", root.name);
        }
    }
    let ambiguous = ambiguous(roots, all.keys().cloned().collect());
    for root in roots {
        let rename = |name: &str| match ambiguous.contains(name) {
            true => root.qualified(name),
            false => name.to_owned(),
        };
        let mut own = root.schema.clone();
        rename_references(&mut own, &rename);
        all.insert(root.name.clone(), own);
        for (name, schema) in &root.definitions {
            let mut schema = schema.clone();
            rename_references(&mut schema, &rename);
            let name = rename(name);
            if all.get(&name).is_some_and(|other| *other != schema) {
                bail!("two types are called {name}");
            }
            all.insert(name, schema);
        }
    }
    Ok(all)
}

/// The names, among them those of roots, that types of different shape have.
fn ambiguous(roots: &[Root], mut ambiguous: BTreeSet<String>) -> BTreeSet<String> {
    let mut shapes: BTreeMap<&str, Value> = BTreeMap::new();
    for root in roots {
        for (name, schema) in &root.definitions {
            let shape = root.inlined(schema);
            match shapes.get(name.as_str()) {
                Some(other) if *other != shape => {
                    ambiguous.insert(name.clone());
                }
                _ => {
                    shapes.insert(name, shape);
                }
            }
        }
    }
    ambiguous
}

fn reference(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.rsplit('/').next()
}

fn rename_references(schema: &mut Value, rename: &impl Fn(&str) -> String) {
    if let Some(name) = reference(schema).map(rename) {
        schema["$ref"] = Value::String(name);
    }
    children(schema, &mut |child| rename_references(child, rename));
}

/// Fields that may be absent are never `null`: the engine leaves out what it has nothing to say of.
fn drop_absent_nulls(schema: &mut Value) {
    let required = schema["required"].clone();
    let is_required = |name: &str| {
        let mut names = required.as_array().into_iter().flatten();
        names.any(|one| one == name)
    };
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        for (name, property) in properties {
            if !is_required(name) {
                drop_null(property);
            }
        }
    }
    children(schema, &mut drop_absent_nulls);
}

fn drop_null(schema: &mut Value) {
    if let Some(kinds) = schema.get_mut("type").and_then(Value::as_array_mut) {
        kinds.retain(|kind| kind != "null");
    }
    if let Some(options) = schema.get_mut("anyOf").and_then(Value::as_array_mut) {
        options.retain(|option| option["type"] != "null");
    }
}

fn children(schema: &mut Value, work: &mut impl FnMut(&mut Value)) {
    match schema {
        Value::Object(object) => object.values_mut().for_each(work),
        Value::Array(values) => values.iter_mut().for_each(work),
        _ => {}
    }
}
