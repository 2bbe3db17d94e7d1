//! `codecortex settings`: what a person set for themselves, which no repository can (SPEC D17, D25).

use std::path::Path;

use codecortex_engine::protocol::{ModelSettings, PersonalSettings, Root};
use codecortex_host::{PersonalError, change_personal, personal_file, read_personal};
use serde_json::{Map, Value, json};

use crate::args::SettingsArgs;
use crate::failure::Failure;
use crate::output;

/// The keys that there are.
const KEYS: [&str; 9] = [
    "record",
    "observations",
    "telemetry",
    "externalTypes",
    "model.mode",
    "model.callsPerHour",
    "model.callsPerDay",
    "model.tokensPerHour",
    "model.tokensPerDay",
];

pub(crate) fn run(args: &SettingsArgs) -> Result<i32, Failure> {
    let path = personal_file().ok_or(PersonalError::NoFolder)?;
    let roots = args.workspace.options()?.roots;
    let folder = roots.first().filter(|_| !args.everywhere);
    if let Some(key) = &args.key {
        if !KEYS.contains(&key.as_str()) {
            return Err(Failure::Setting(format!("there is no setting `{key}`")));
        }
        match (&args.value, args.unset) {
            (Some(value), _) => set(&path, folder, key, parse(value))?,
            (None, true) => set(&path, folder, key, Value::Null)?,
            (None, false) => {}
        }
    }
    show(&path, folder)
}

/// A word stands for itself.
fn parse(value: &str) -> Value {
    serde_json::from_str(value).unwrap_or_else(|_| json!(value))
}

fn set(path: &Path, folder: Option<&Root>, key: &str, value: Value) -> Result<(), Failure> {
    let before = read_personal(path)?;
    let before = match folder {
        Some(root) => before.folders.get(&root.path).cloned().unwrap_or_default(),
        None => before.everywhere,
    };
    let after = changed(&before, key, value).map_err(Failure::Setting)?;
    Ok(change_personal(path, folder, |settings| *settings = after)?)
}

/// The settings with one key changed; `null` takes it out.
fn changed(before: &PersonalSettings, key: &str, value: Value) -> Result<PersonalSettings, String> {
    let mut all = serde_json::to_value(before).unwrap_or_default();
    let (group, name) = match key.split_once('.') {
        Some((group, name)) => (Some(group), name),
        None => (None, key),
    };
    let object = match group {
        Some(group) => {
            if !all[group].is_object() {
                all[group] = Value::Object(Map::new());
            }
            all[group].as_object_mut()
        }
        None => all.as_object_mut(),
    };
    if let Some(object) = object {
        match value {
            Value::Null => drop(object.remove(name)),
            value => drop(object.insert(name.to_owned(), value)),
        }
    }
    let after: PersonalSettings =
        serde_json::from_value(all).map_err(|error| format!("`{key}`: {error}"))?;
    Ok(PersonalSettings {
        // Nothing that differs from what holds anyway is nothing said.
        model: after
            .model
            .filter(|model| *model != ModelSettings::default()),
        ..after
    })
}

fn show(path: &Path, folder: Option<&Root>) -> Result<i32, Failure> {
    let file = read_personal(path)?;
    let counts = match folder {
        Some(root) => file.for_root(&root.path),
        None => file.everywhere.clone(),
    };
    let of = folder.map_or("every folder", |root| root.path.as_str());
    let counts = serde_json::to_string_pretty(&counts).unwrap_or_default();
    output::print(&format!("// {of}, from {}\n{counts}", path.display()))?;
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_can_be_set_and_taken_out() {
        for key in KEYS {
            let value = match key {
                "record" | "observations" | "telemetry" => json!(true),
                "externalTypes" => json!(["/engine/as.predefined"]),
                "model.mode" => json!("automatic"),
                _ => json!(7),
            };
            let set = changed(&PersonalSettings::default(), key, value).unwrap();
            assert_ne!(set, PersonalSettings::default(), "{key}");
            let unset = changed(&set, key, Value::Null).unwrap();
            assert_eq!(unset, PersonalSettings::default(), "{key}");
        }
    }

    #[test]
    fn what_a_key_cannot_be_is_said() {
        for (key, value) in [("record", json!("yes")), ("model.callsPerHour", json!(-1))] {
            let error = changed(&PersonalSettings::default(), key, value).unwrap_err();
            assert!(error.contains(key), "{error}");
        }
    }
}
