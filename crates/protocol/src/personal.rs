//! Settings that a person makes and no repository can (SPEC D17, D25, D30): what is recorded, which model is asked and how
//! often, and files outside of the workspace.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Conditions and quotas for requests to models.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ModelSettings {
    /// Whether a request for a stale or missing text starts a new one.
    pub mode: ModelMode,
    /// Limit of requests in an hour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls_per_hour: Option<u32>,
    /// Limit of requests in a day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls_per_day: Option<u32>,
    /// Limit of tokens, in and out, in an hour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_per_hour: Option<u32>,
    /// Limit of tokens, in and out, in a day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_per_day: Option<u32>,
}

/// When a model is asked to describe types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ModelMode {
    /// Only on an explicit command.
    #[default]
    Manual,
    /// Also on a request for a stale or missing text.
    Automatic,
}

/// The settings of a person for one workspace folder. What is not there is as without a word.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PersonalSettings {
    /// Whether live context is recorded in `.context/replay/`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<bool>,
    /// Whether observations are recorded in `.context/memory/` and told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observations: Option<bool>,
    /// Whether a log of telemetry is kept on this machine (SPEC T1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub telemetry: Option<bool>,
    /// Files that declare what the workspace uses and does not have: absolute paths, or such below the folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external_types: Option<Vec<String>>,
    /// Models that describe types and answer questions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelSettings>,
}

impl PersonalSettings {
    /// These settings, and where they say nothing those of `others`.
    #[must_use]
    pub fn or(self, others: &Self) -> Self {
        Self {
            record: self.record.or(others.record),
            observations: self.observations.or(others.observations),
            telemetry: self.telemetry.or(others.telemetry),
            external_types: self
                .external_types
                .or_else(|| others.external_types.clone()),
            model: self.model.or_else(|| others.model.clone()),
        }
    }
}

/// A person's file of settings: those for all workspace folders, and those of some by their paths.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PersonalFile {
    /// For every workspace folder.
    #[serde(flatten)]
    pub everywhere: PersonalSettings,
    /// By the absolute path of the folder, with `/`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub folders: BTreeMap<String, PersonalSettings>,
}

impl PersonalFile {
    /// What counts for a folder: what is said of it goes before what is said of all.
    #[must_use]
    pub fn for_root(&self, path: &str) -> PersonalSettings {
        let own = self.folders.get(path).cloned().unwrap_or_default();
        own.or(&self.everywhere)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_a_folder_goes_before_what_is_said_of_all() {
        let text = r#"{"record": true, "observations": true, "folders": {"/w/a": {"observations": false}}}"#;
        let file: PersonalFile = serde_json::from_str(text).unwrap();
        assert_eq!(
            (
                file.for_root("/w/a").record,
                file.for_root("/w/a").observations
            ),
            (Some(true), Some(false))
        );
        assert_eq!(file.for_root("/w/b").observations, Some(true));
        assert_eq!(
            serde_json::to_value(&file).unwrap(),
            serde_json::from_str::<serde_json::Value>(text).unwrap()
        );
    }
}
