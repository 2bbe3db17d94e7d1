//! JSON schemas of tools, for models, clients and generators.

use std::borrow::Cow;

use codecortex_answer::args;
use codecortex_answer::budget::Budget;
use codecortex_protocol::ToolError;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::tools::tool::{Profile, Tool};

/// The schema of a type, self-contained.
pub(crate) fn schema_of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    generator.root_schema_for::<T>().to_value()
}

/// Marks an argument that agents do not need: `#[schemars(extend("x-profile" = "full"))]`. Calls may pass it in every
/// profile, but only the full one lists it, because every client pays for `tools/list` (SPEC X5).
const PROFILE_MARK: &str = "x-profile";

/// The schema of an argument whose fields its description names. An optional argument is marked as
/// `#[schemars(with = "Option<AnyObject>")]`, because the schema alone does not make it optional.
pub(crate) struct AnyObject;

impl JsonSchema for AnyObject {
    fn schema_name() -> Cow<'static, str> {
        "AnyObject".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "object" })
    }
}

impl Tool {
    /// The JSON schema of all arguments, self-contained.
    #[must_use]
    pub fn input_schema(&self) -> Value {
        let mut schema = self.marked_schema();
        for (_, property) in properties_mut(&mut schema) {
            property
                .as_object_mut()
                .map(|property| property.remove(PROFILE_MARK));
        }
        schema
    }

    /// The JSON schema of the arguments that a profile lists.
    #[must_use]
    pub fn listed_schema(&self, profile: Profile) -> Value {
        let mut schema = self.input_schema();
        if profile < Profile::Full
            && let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut)
        {
            for name in self.full_arguments().keys() {
                properties.shift_remove(name);
            }
        }
        schema
    }

    /// The arguments that only the full profile lists, with their schemas.
    #[must_use]
    pub fn full_arguments(&self) -> Map<String, Value> {
        let mut schema = self.marked_schema();
        let mut rare = Map::new();
        for (name, property) in properties_mut(&mut schema) {
            let Some(fields) = property.as_object_mut() else {
                continue;
            };
            if fields.shift_remove(PROFILE_MARK).is_some() {
                rare.insert(name.clone(), Value::Object(fields.clone()));
            }
        }
        rare
    }

    /// The schema of all arguments, with marks.
    fn marked_schema(&self) -> Value {
        let mut schema = (self.schema)(&mut settings().into_generator());
        simplify(&mut schema, Nulls::Dropped);
        // The type's doc comment is for developers; models read the tool's description.
        schema
            .as_object_mut()
            .map(|schema| schema.remove("description"));
        if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            properties.extend(args::common_properties());
        } else {
            schema["properties"] = Value::Object(args::common_properties());
        }
        schema
    }

    /// The schema of the answer's `data` in the generator's own way, such as with a definition for each type.
    pub fn data_schema(&self, generator: &mut SchemaGenerator) -> Value {
        (self.output)(generator)
    }

    /// The JSON schema of the envelope, success or failure.
    #[must_use]
    pub fn output_schema(&self) -> Value {
        // What is left out when it is empty is not required; what may be null says so.
        let mut generator = settings().for_serialize().into_generator();
        let mut data = (self.output)(&mut generator);
        let mut error = schema_of::<ToolError>(&mut generator);
        let mut budget = schema_of::<Budget>(&mut generator);
        simplify(&mut data, Nulls::Kept);
        simplify(&mut error, Nulls::Kept);
        simplify(&mut budget, Nulls::Kept);
        budget["description"] = json!("What a failure costs; as far as there is room.");
        json!({
            "type": "object",
            "required": ["ok"],
            "properties": {
                "ok": { "type": "boolean", "description": "Whether the call succeeded." },
                "data": data,
                "error": error,
                "budget": budget,
            },
        })
    }
}

/// The properties of a schema.
fn properties_mut(schema: &mut Value) -> impl Iterator<Item = (&String, &mut Value)> {
    schema
        .get_mut("properties")
        .and_then(Value::as_object_mut)
        .into_iter()
        .flat_map(|properties| properties.iter_mut())
}

/// MCP's dialect of JSON Schema.
fn settings() -> SchemaSettings {
    SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    })
}

/// Whether a schema still says that a value may be null. In arguments null is the same as absent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nulls {
    Kept,
    Dropped,
}

/// `oneOf` constants as an `enum`: what each means is said where the argument is described.
fn fold_choices(schema: &mut Map<String, Value>) {
    let Some(choices) = schema.get("oneOf").and_then(Value::as_array) else {
        return;
    };
    let words: Option<Vec<Value>> = choices
        .iter()
        .map(|choice| choice.get("const").cloned())
        .collect();
    if let Some(words) = words {
        schema.remove("oneOf");
        schema.insert("type".into(), json!("string"));
        schema.insert("enum".into(), Value::Array(words));
    }
}

/// Drops what says nothing to a reader: titles, integer formats, in arguments `null` as a type.
fn simplify(schema: &mut Value, nulls: Nulls) {
    match schema {
        Value::Object(object) => {
            object
                .remove("title")
                .filter(Value::is_object)
                .map(|kept| object.insert("title".into(), kept));
            if object.get("format").is_some_and(|format| {
                format
                    .as_str()
                    .is_some_and(|f| f.starts_with("uint") || f.starts_with("int") || f == "double")
            }) {
                object.remove("format");
            }
            if nulls == Nulls::Dropped && object.get("minimum") == Some(&json!(0)) {
                // Every client pays for it, and who gives less is told.
                object.remove("minimum");
            }
            if object.get("default") == Some(&Value::Null) {
                object.remove("default");
            }
            if nulls == Nulls::Dropped
                && let Some(Value::Array(types)) = object.get_mut("type")
            {
                types.retain(|kind| kind != "null");
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    object.insert("type".into(), only);
                }
            }
            if nulls == Nulls::Dropped
                && let Some(Value::Array(words)) = object.get_mut("enum")
            {
                words.retain(|word| !word.is_null());
            }
            if nulls == Nulls::Dropped
                && let Some(Value::Array(options)) = object.get_mut("anyOf")
            {
                options.retain(|option| option.get("type") != Some(&json!("null")));
                if let [only] = options.as_slice() {
                    let only = only.clone();
                    object.remove("anyOf");
                    if let Value::Object(only) = only {
                        for (name, value) in only {
                            object.entry(name).or_insert(value);
                        }
                    }
                }
            }
            object.values_mut().for_each(|value| simplify(value, nulls));
            if nulls == Nulls::Dropped {
                fold_choices(object);
                // What a list is of says what its words are.
                if let Some(Value::Object(items)) = object.get_mut("items")
                    && items.contains_key("enum")
                {
                    items.remove("description");
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| simplify(value, nulls)),
        _ => {}
    }
}
