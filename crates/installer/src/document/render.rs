//! Values as the text of a form.

use serde_json::Value;

/// A value as JSON over several lines. Lists of plain values stay on one; lines after the first begin with `indent`.
pub(super) fn json(value: &Value, indent: &str, unit: &str, line_end: &str) -> String {
    match value {
        Value::Object(object) if !object.is_empty() => {
            let deeper = format!("{indent}{unit}");
            let member = |(key, value): (&String, &Value)| {
                let key = Value::from(key.as_str());
                format!("{deeper}{key}: {}", json(value, &deeper, unit, line_end))
            };
            let members: Vec<String> = object.iter().map(member).collect();
            let members = members.join(&format!(",{line_end}"));
            format!("{{{line_end}{members}{line_end}{indent}}}")
        }
        _ => on_one_line(value),
    }
}

/// A value as JSON on one line, with the spaces of people.
pub(super) fn on_one_line(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(on_one_line).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(object) if !object.is_empty() => {
            let member = |(key, value): (&String, &Value)| {
                format!("{}: {}", Value::from(key.as_str()), on_one_line(value))
            };
            let members: Vec<String> = object.iter().map(member).collect();
            format!("{{ {} }}", members.join(", "))
        }
        other => other.to_string(),
    }
}

/// A value as YAML in a line of its own: words stand for themselves, everything else as JSON, which YAML contains.
pub(super) fn yaml(value: &Value) -> String {
    match value.as_str() {
        Some(word) if is_plain(word) => word.to_owned(),
        _ => on_one_line(value),
    }
}

/// Whether a word means itself without quotes in every version of YAML.
fn is_plain(word: &str) -> bool {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let begins = word.starts_with(|letter: char| letter.is_ascii_alphabetic());
    let means_another = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"];
    begins
        && word.chars().all(is_word)
        && !means_another.contains(&word.to_ascii_lowercase().as_str())
}
