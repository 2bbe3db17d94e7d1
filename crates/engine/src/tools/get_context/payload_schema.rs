//! The published schema of the payload (SPEC CP1, D11).

use codecortex_answer::budget::Budget;
use codecortex_context::payload::{Payload, VERSION};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde_json::{Value, json};

/// What `codecortex context` prints.
#[derive(Serialize, JsonSchema)]
struct Published {
    #[serde(flatten)]
    payload: Payload,
    /// What the payload costs.
    budget: Budget,
}

/// The JSON Schema of `context_payload.v2`, draft 7.
#[must_use]
pub fn payload_schema() -> Value {
    let settings = SchemaSettings::draft07()
        .with(|settings| settings.inline_subschemas = true)
        .for_serialize();
    let mut schema = settings
        .into_generator()
        .into_root_schema_for::<Published>()
        .to_value();
    schema["title"] = json!(VERSION);
    schema["properties"]["version"]["const"] = json!(VERSION);
    let item = &mut schema["properties"]["repo_map"]["properties"]["items"]["items"];
    item["properties"]["schema_version"]["const"] = json!("repomap.v1");
    // A payload always has a budget, and says what it exchanged, if only nothing.
    let budget = &mut schema["properties"]["budget"];
    budget["properties"]["budget_tokens"]["type"] = json!("integer");
    if let Some(required) = budget["required"].as_array_mut() {
        required.push(json!("downgrade_applied"));
    }
    schema
}
