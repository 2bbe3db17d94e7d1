//! Answers: a tool's envelope as the reply of a request.

use serde_json::{Map, Value, json};

use crate::message::{MessageId, failed, succeeded};
use crate::methods::{Invalid, Method, MethodResult};

const METHOD_NOT_FOUND: i32 = -32_601;
const INVALID_PARAMS: i32 = -32_602;
const INTERNAL_ERROR: i32 = -32_603;

/// Codes that JSON-RPC leaves to servers, by those of the envelope (`000` §6.1, §16); editors' code of what was given up.
const CODES: [(&str, i32); 12] = [
    ("SymbolNotFound", -32_001),
    ("AmbiguousSymbol", -32_002),
    ("AccessDenied", -32_003),
    ("Busy", -32_004),
    ("InvalidFilter", -32_005),
    ("NotFound", -32_006),
    ("VersionConflict", -32_007),
    ("BudgetExceeded", -32_008),
    ("Unavailable", -32_009),
    ("InvalidParams", INVALID_PARAMS),
    ("InternalError", INTERNAL_ERROR),
    ("Cancelled", -32_800),
];
/// Of any other.
const OTHER: i32 = -32_000;

/// The reply to a request from a tool's envelope and text form.
#[must_use]
pub fn reply(
    id: &MessageId,
    method: Option<&Method>,
    json: Option<&str>,
    text: Option<&str>,
) -> String {
    let envelope = json.and_then(|json| serde_json::from_str::<Value>(json).ok());
    let Some(Value::Object(mut envelope)) = envelope else {
        return server_failure(id, "The engine gave no answer that can be read.");
    };
    if envelope.get("ok") != Some(&Value::Bool(true)) {
        let error = envelope.remove("error").unwrap_or_default();
        return refused(id, error);
    }
    let mut data = match envelope.remove("data") {
        Some(Value::Object(data)) => data,
        Some(other) => Map::from_iter([("value".to_owned(), other)]),
        None => Map::new(),
    };
    for result in method.map_or(&[][..], |method| &method.results) {
        let value = value_of(result, &data, text);
        data.insert(result.name.clone(), value);
    }
    succeeded(id, &Value::Object(data))
}

fn value_of(result: &MethodResult, data: &Map<String, Value>, text: Option<&str>) -> Value {
    if result.from == "ok" {
        return Value::Bool(true);
    }
    let mut parts = result.from.split('.');
    let first = parts.next().and_then(|part| data.get(part));
    let found = parts.fold(first, |value, part| value?.get(part));
    match found {
        Some(value) => value.clone(),
        None if result.from == "text" => text.map_or(Value::Null, Value::from),
        None => Value::Null,
    }
}

/// The reply of an envelope with an error: a sentence, and as data the form of `000` §6.1.
fn refused(id: &MessageId, mut error: Value) -> String {
    let word = error["code"].as_str().unwrap_or("InternalError").to_owned();
    let message = error["message"].as_str().unwrap_or_default().to_owned();
    // `suggestions`, `candidates` and the like stand beside the code there.
    if let Some(details) = error.get_mut("details").map(Value::take)
        && let (Value::Object(details), Value::Object(fields)) = (details, &mut error)
    {
        fields.remove("details");
        for (name, value) in details {
            fields.entry(name).or_insert(value);
        }
    }
    let code = CODES.iter().find(|(known, _)| *known == word);
    failed(
        id,
        code.map_or(OTHER, |(_, code)| *code),
        &message,
        Some(error),
    )
}

impl Invalid {
    /// The reply that says so.
    #[must_use]
    pub fn reply(&self, id: &MessageId) -> String {
        let code = match self {
            Self::Method(_) => METHOD_NOT_FOUND,
            Self::Count { .. } | Self::Twice(..) | Self::ByPlace(_) => INVALID_PARAMS,
        };
        let said = self.to_string();
        let data = json!({ "code": "InvalidParams", "message": said });
        failed(id, code, &said, Some(data))
    }
}

/// The reply that the server itself failed.
#[must_use]
pub fn server_failure(id: &MessageId, message: &str) -> String {
    let data = json!({ "code": "InternalError", "message": message });
    failed(id, INTERNAL_ERROR, message, Some(data))
}
