//! Whether an answer holds what a case expects; the rules are in `test/contract/README.md`.

use serde_json::{Map, Value};

/// The first place where `actual` does not hold what is expected, and why.
pub(crate) fn mismatch(expected: &Value, actual: &Value) -> Option<String> {
    at(expected, Some(actual), "answer")
}

fn at(expected: &Value, actual: Option<&Value>, place: &str) -> Option<String> {
    if let Some((name, argument)) = operator(expected) {
        return operate(name, argument, actual, place);
    }
    let Some(actual) = actual else {
        return Some(format!("{place} is absent, not {expected}"));
    };
    match (expected, actual) {
        (Value::Object(expected), Value::Object(actual)) => expected
            .iter()
            .find_map(|(name, value)| at(value, actual.get(name), &format!("{place}.{name}"))),
        (Value::Array(expected), Value::Array(actual)) if expected.len() == actual.len() => {
            expected
                .iter()
                .zip(actual)
                .enumerate()
                .find_map(|(index, (value, actual))| {
                    at(value, Some(actual), &format!("{place}[{index}]"))
                })
        }
        _ if expected == actual => None,
        _ => Some(format!("{place} is {actual}, not {expected}")),
    }
}

/// The operator that an object with one `$` field stands for.
fn operator(expected: &Value) -> Option<(&str, &Value)> {
    let object: &Map<String, Value> = expected.as_object()?;
    let (name, argument) = object.iter().next()?;
    (object.len() == 1)
        .then(|| Some((name.strip_prefix('$')?, argument)))
        .flatten()
}

fn operate(name: &str, argument: &Value, actual: Option<&Value>, place: &str) -> Option<String> {
    let holds = match (name, argument, actual) {
        ("absent", _, actual) => actual.is_none(),
        ("includes", Value::String(part), Some(Value::String(whole))) => {
            whole.contains(part.as_str())
        }
        ("contains", Value::Array(entries), Some(Value::Array(actual))) => {
            let holds = |entry| {
                actual
                    .iter()
                    .any(|actual| at(entry, Some(actual), "").is_none())
            };
            entries.iter().all(holds)
        }
        ("atMost", most, Some(actual)) => match (most.as_f64(), actual.as_f64()) {
            (Some(most), Some(actual)) => actual <= most,
            _ => false,
        },
        _ => false,
    };
    let shown = actual.map_or("absent".to_owned(), Value::to_string);
    (!holds).then(|| format!("{place} is {shown}: not ${name} {argument}"))
}

#[test]
fn the_rules_refuse_what_they_should() {
    use serde_json::json;
    let actual = json!({ "a": [1, { "b": "text" }], "n": 3 });
    for holds in [
        json!({}),
        json!({ "a": [1, { "b": "text" }] }),
        json!({ "a": { "$contains": [{ "b": { "$includes": "ex" } }] } }),
        json!({ "n": { "$atMost": 3 }, "m": { "$absent": true } }),
    ] {
        assert_eq!(mismatch(&holds, &actual), None, "{holds}");
    }
    for fails in [
        json!({ "a": [1] }),
        json!({ "a": { "$contains": [2] } }),
        json!({ "a": [1, { "b": "test" }] }),
        json!({ "n": { "$atMost": 2 } }),
        json!({ "n": { "$absent": true } }),
        json!({ "m": null }),
        json!({ "n": { "$unknown": 1 } }),
    ] {
        assert!(mismatch(&fails, &actual).is_some(), "{fails}");
    }
}
