//! What a schema requires is what the handler requires, of every tool (SPEC D6, TC5).

use codecortex_engine::protocol::Caller;
use codecortex_engine::{SCRIPT_TOOLS, TOOLS, Tool};
use serde_json::{Map, Value, json};

use crate::support::{Host, MIXED};

/// Something that an argument may be, by its schema.
fn sample(name: &str, schema: &Value) -> Value {
    if let Some(words) = schema["enum"].as_array() {
        return words[0].clone();
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds[0].clone(),
        kind => kind.clone(),
    };
    match kind.as_str().unwrap_or_default() {
        "string" if name == "filePath" => json!("app/src/Store.cs"),
        "string" => json!("NodeStore"),
        "integer" | "number" => schema.get("minimum").cloned().unwrap_or(json!(1)),
        "boolean" => json!(false),
        "array" => match schema["items"].is_object() {
            true => json!([sample(name, &schema["items"])]),
            false => json!([]),
        },
        _ => {
            let required = names(&schema["required"]);
            let fields = required.into_iter().map(|field| {
                let of = sample(&field, &schema["properties"][&field]);
                (field, of)
            });
            Value::Object(fields.collect())
        }
    }
}

fn names(list: &Value) -> Vec<String> {
    let names = list.as_array().into_iter().flatten();
    names.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// What is said of a call, where it fails.
fn said(tool: &Tool, args: &Map<String, Value>) -> String {
    let mut host = Host::new(MIXED);
    host.person_sets(|own| own.observations = Some(true));
    let answer = host.call_at(tool.name, Value::Object(args.clone()), Caller::default());
    let envelope: Value = serde_json::from_str(answer.json.as_deref().unwrap()).unwrap();
    envelope["error"]["message"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

fn is_missing(message: &str) -> bool {
    message.contains("missing field")
}

#[test]
fn the_least_that_a_schema_asks_for_is_taken_and_all_of_it_is_needed() {
    for tool in TOOLS.iter().chain(&SCRIPT_TOOLS) {
        let schema = tool.input_schema();
        let of = |name: &String| (name.clone(), sample(name, &schema["properties"][name]));
        let required = names(&schema["required"]);
        let least: Map<String, Value> = required.iter().map(of).collect();
        let message = said(tool, &least);
        assert!(!is_missing(&message), "{} {least:?}: {message}", tool.name);
        for name in &required {
            let mut less = least.clone();
            less.remove(name);
            let message = said(tool, &less);
            let is_told = message.contains(&format!("`{name}`"));
            assert!(
                is_missing(&message) && is_told,
                "{} without {name}: {message}",
                tool.name
            );
        }
    }
}

#[test]
fn each_argument_that_is_not_required_can_be_left_out() {
    for tool in TOOLS.iter().chain(&SCRIPT_TOOLS) {
        let schema = tool.input_schema();
        let required = names(&schema["required"]);
        let properties = schema["properties"].as_object().unwrap();
        let all: Map<String, Value> = properties
            .iter()
            .map(|(name, of)| (name.clone(), sample(name, of)))
            .collect();
        for name in properties.keys().filter(|name| !required.contains(name)) {
            let mut less = all.clone();
            less.remove(name);
            let message = said(tool, &less);
            assert!(
                !is_missing(&message),
                "{} without {name}: {message}",
                tool.name
            );
        }
    }
}

#[test]
fn what_few_callers_say_is_required_of_none() {
    let mut host = Host::new(MIXED);
    host.person_sets(|own| own.observations = Some(true));
    host.ok("remember", json!({ "text": "the port is kept" }));
    assert_eq!(host.ok("recall", json!({ "query": "port" }))["total"], 1);
    for tool in [
        "codecortex_remember",
        "codecortex_recall",
        "codecortex_reviewChanges",
    ] {
        let tool = TOOLS.iter().find(|of| of.name == tool).unwrap();
        let required = names(&tool.input_schema()["required"]);
        for name in ["filter", "more", "plan", "findings"] {
            assert!(!required.contains(&name.to_owned()), "{} {name}", tool.name);
        }
    }
}
