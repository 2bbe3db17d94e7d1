//! Numbers and booleans that were written as strings, as clients send them that know no types (SPEC TC5).

use serde_json::{Map, Value};

/// Takes strings for the number or boolean that they say, in arguments where a schema wants one and no string. Anything
/// else stays as it is and is judged as that.
pub fn take_words(schema: &Value, args: &mut Map<String, Value>) {
    members(schema, schema, args);
}

/// The whole number that a value is or says; 800.0 is one too.
pub fn whole_number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::String(text) => number_in(text)?.as_f64(),
        value => value.as_f64(),
    };
    number.filter(|number| number.fract() == 0.0)
}

fn members(root: &Value, schema: &Value, object: &mut Map<String, Value>) {
    for (name, value) in object {
        if let Some(schema) = schema["properties"].get(name) {
            take(root, schema, value);
        }
    }
}

fn take(root: &Value, schema: &Value, value: &mut Value) {
    let schemas = alternatives(root, schema);
    let wants = |kind: &str| schemas.iter().any(|schema| is_of(schema, kind));
    match value {
        // What may be a string is one.
        Value::String(text) if !wants("string") => {
            let number = number_in(text).filter(|number| {
                wants("number") || wants("integer") && (number.is_i64() || number.is_u64())
            });
            let boolean = boolean_in(text).filter(|_| wants("boolean"));
            if let Some(meant) = number.map(Value::Number).or(boolean.map(Value::Bool)) {
                *value = meant;
            }
        }
        Value::Object(object) => {
            if let Some(schema) = schemas.iter().find(|schema| is_of(schema, "object")) {
                members(root, schema, object);
            }
        }
        Value::Array(entries) => {
            let items = schemas.iter().find_map(|schema| schema.get("items"));
            if let Some(items) = items {
                entries
                    .iter_mut()
                    .for_each(|entry| take(root, items, entry));
            }
        }
        _ => {}
    }
}

/// The schemas of which a value may be any: those of `anyOf` and `oneOf`, references followed.
fn alternatives<'a>(root: &'a Value, schema: &'a Value) -> Vec<&'a Value> {
    let mut found: Vec<&Value> = Vec::new();
    let mut left = vec![schema];
    while let Some(schema) = left.pop() {
        // A schema may refer to itself.
        if found.iter().any(|known| std::ptr::eq(*known, schema)) {
            continue;
        }
        found.push(schema);
        for name in ["anyOf", "oneOf"] {
            left.extend(schema[name].as_array().into_iter().flatten());
        }
        let place = schema["$ref"].as_str().and_then(|to| to.strip_prefix('#'));
        left.extend(place.and_then(|place| root.pointer(place)));
    }
    found
}

/// Whether a schema says that a value may be of a kind. One that says nothing may be anything, so also a string.
fn is_of(schema: &Value, kind: &str) -> bool {
    let constants = schema["enum"].as_array().into_iter().flatten();
    let is_word = constants
        .chain(schema.get("const"))
        .any(|constant| constant.is_string());
    match &schema["type"] {
        Value::String(only) => only == kind,
        Value::Array(kinds) => kinds.iter().any(|any| any == kind),
        _ if is_word => kind == "string",
        _ => {
            let says_elsewhere = ["anyOf", "oneOf", "$ref"]
                .iter()
                .any(|name| schema.get(name).is_some());
            kind == "string" && !says_elsewhere
        }
    }
}

fn number_in(text: &str) -> Option<serde_json::Number> {
    match serde_json::from_str(text.trim()) {
        Ok(Value::Number(number)) => Some(number),
        _ => None,
    }
}

fn boolean_in(text: &str) -> Option<bool> {
    match text.trim() {
        "true" | "True" => Some(true),
        "false" | "False" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn taken(schema: &Value, mut args: Value) -> Value {
        take_words(schema, args.as_object_mut().unwrap());
        args
    }

    #[test]
    fn a_string_is_the_number_that_it_says_where_a_number_is_wanted() {
        let schema = json!({
            "$defs": { "At": { "type": "object", "properties": { "line": { "type": "integer" } } } },
            "properties": {
                "limit": { "type": "integer" },
                "share": { "type": ["number", "null"] },
                "deep": { "type": "boolean" },
                "name": { "type": "string" },
                "either": { "anyOf": [{ "type": "integer" }, { "type": "string" }] },
                "any": {},
                "kind": { "enum": ["1", "2"] },
                "at": { "anyOf": [{ "$ref": "#/$defs/At" }, { "type": "null" }] },
                "ids": { "type": "array", "items": { "type": "integer" } },
            },
        });
        let args = json!({
            "limit": " 50", "share": "0.5", "deep": "true", "name": "7", "either": "7", "any": "7",
            "kind": "1", "at": { "line": "3", "other": "4" }, "ids": ["1", 2, "x"], "unknown": "5",
        });
        let expected = json!({
            "limit": 50, "share": 0.5, "deep": true, "name": "7", "either": "7", "any": "7",
            "kind": "1", "at": { "line": 3, "other": "4" }, "ids": [1, 2, "x"], "unknown": "5",
        });
        assert_eq!(taken(&schema, args), expected);
    }

    #[test]
    fn what_says_no_number_stays_a_string() {
        let schema = json!({ "properties": {
            "limit": { "type": "integer" }, "deep": { "type": "boolean" },
        } });
        for text in [
            "", "x", "1.5", "0x10", "1 2", "\"1\"", "[1]", "true", "null", "1e400",
        ] {
            let args = json!({ "limit": text });
            assert_eq!(taken(&schema, args.clone()), args);
        }
        for text in ["", "1", "yes", "TRUE"] {
            let args = json!({ "deep": text });
            assert_eq!(taken(&schema, args.clone()), args);
        }
    }

    #[test]
    fn a_schema_may_refer_to_itself() {
        let schema = json!({
            "$defs": { "Node": {
                "type": "object",
                "properties": {
                    "size": { "type": "integer" },
                    "next": { "anyOf": [{ "$ref": "#/$defs/Node" }, { "$ref": "#/properties/loop" }] },
                },
            } },
            "properties": {
                "node": { "$ref": "#/$defs/Node" },
                "loop": { "anyOf": [{ "$ref": "#/properties/loop" }] },
            },
        });
        let args = json!({ "node": { "size": "1", "next": { "size": "2" } }, "loop": "3" });
        let expected = json!({ "node": { "size": 1, "next": { "size": 2 } }, "loop": "3" });
        assert_eq!(taken(&schema, args), expected);
    }
}
