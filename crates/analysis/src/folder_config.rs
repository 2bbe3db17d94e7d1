//! `.context/config.json`: settings of a workspace folder that travel with it (SPEC D3, H7, P2).

use std::collections::BTreeMap;

use codecortex_answer::budget::profile::BudgetProfile;
use codecortex_ledger::{Config as Switches, DependencyStaleness};
use codecortex_protocol::{ModelSettings, PersonalSettings, ScriptSettings};
use jsonc_parser::ParseOptions;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_path_to_error::Segment;

/// Where it is, relative to the root.
pub const CONFIG_PATH: &str = ".context/config.json";

/// What pins may take of a window, in hundredths, unless the folder's settings say otherwise.
pub const PINNED_SHARE: u32 = 60;
/// Letters that a window may have, unless the folder's settings say otherwise.
pub const MAX_CHARS: u32 = 16_000;
/// Minutes until an addition leaves the focus.
pub const FOCUS_MINUTES: u32 = 30;

/// Settings of a workspace folder. Comments and trailing commas are allowed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[schemars(title = "CodeCortex: settings of this folder")]
pub struct FolderConfig {
    /// The schema of this file, for editors.
    #[serde(rename = "$schema")]
    pub schema: Option<String>,
    /// Patterns, as in `.gitignore`, for files that are skipped in addition to those of ignore files.
    pub exclude: Vec<String>,
    /// Files above this number of bytes are skipped; overrides the settings.
    #[schemars(range(min = 1))]
    pub max_file_size: Option<u32>,
    /// Whether generated code is read like any other; overrides the settings.
    pub include_generated: Option<bool>,
    /// Files below this folder that declare types from outside it; overrides the settings. Without it and a
    /// setting, the usual places are searched; `[]` means none. Paths outside the folder count only in a person's
    /// own settings.
    pub external_types: Option<Vec<String>>,
    /// Settings for scripts; overrides the settings.
    pub angelscript: ScriptSettings,
    /// Which outlines are written to `.context/types/`.
    pub outlines: Outlines,
    /// Counts only in a person's own settings: records live context in `.context/replay/`, with the texts of open
    /// documents, every edit, cursors, problems and edits by tools. Files that look like secrets are recorded
    /// without text.
    pub record: bool,
    /// The prompt window.
    pub prompt_window: WindowConfig,
    /// Tags of types for `tag:` in filters of packs, each with patterns of paths as in `.gitignore`.
    pub tags: BTreeMap<String, Vec<String>>,
    /// Budgets of answers by profile, in addition to `small`, `default` and `large`.
    pub profiles: BTreeMap<String, BudgetProfile>,
    /// Counts only in a person's own settings: models that describe types and answer questions.
    pub model: ModelSettings,
    /// The profile of a caller without one: the first matching rule decides.
    pub budget_rules: Vec<BudgetRule>,
    /// Enabled features.
    pub flags: PayloadFlags,
    /// Documentation counts as structure: its changes affect all dependents of the type.
    pub structure_hash_includes_xml_doc: bool,
    /// Members that only the assembly, package or module sees count as structure too.
    pub include_internal_for_dependencies: bool,
    /// An internal change makes a semantic text stale at once, without waiting for more.
    pub internal_impl_affects_semantic: bool,
    /// A change of documentation makes a semantic text stale.
    pub semantic_doc_affects: bool,
    /// The texts of dependents that a change of a type's structure makes stale.
    pub dependency_staleness: Dependents,
}

/// The texts of dependents that a change of a type's structure makes stale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Dependents {
    /// Texts that name a changed or removed member, and all texts if the type's bases changed.
    #[default]
    Named,
    /// Texts of all direct dependents.
    All,
}

/// Switches of the payload and its parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PayloadFlags {
    /// Whether the payload contains more than an index.
    pub use_context_payload_v2: bool,
    /// Counts only in a person's own settings (`observations`): whether observations are recorded in
    /// `.context/memory/` and returned.
    pub use_observations_store: bool,
    /// Back end: `jsonl`, `sqlite`, or in an emergency `markdown`, which keeps only summaries. By default, the
    /// existing one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observations_backend: Option<String>,
    /// Whether the payload has a map of the code.
    pub use_repo_map: bool,
    /// Source of the map: `codecortex`.
    pub repo_map_provider: String,
    /// Selection of the map: `ranked`, or `simple_limit`.
    pub repo_map_selector: String,
    /// Whether observations also appear as timelines and details, not only as an index.
    pub use_progressive_disclosure: bool,
}

impl Default for PayloadFlags {
    fn default() -> Self {
        Self {
            use_context_payload_v2: true,
            use_observations_store: false,
            observations_backend: None,
            use_repo_map: true,
            repo_map_provider: "codecortex".to_owned(),
            repo_map_selector: "ranked".to_owned(),
            use_progressive_disclosure: true,
        }
    }
}

/// A profile for some callers; a missing condition matches all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BudgetRule {
    /// `orchestrator`, `planner`, `implementers`, `verifier` or `consultant`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subagent_type: Option<String>,
    /// `index`, `timeline`, `detail`, `map` or `mixed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// A word or folder of the scope.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// The beginning of a model's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The profile of matching callers.
    pub profile: String,
}

impl BudgetRule {
    /// Whether a caller fits.
    #[must_use]
    pub fn fits(&self, subagent_type: &str, mode: &str, scope: &[String], model: &str) -> bool {
        let is = |wanted: &Option<String>, found: &str| {
            wanted.as_deref().is_none_or(|wanted| wanted == found)
        };
        is(&self.subagent_type, subagent_type)
            && is(&self.mode, mode)
            && self.scope.as_ref().is_none_or(|word| scope.contains(word))
            && self
                .model
                .as_deref()
                .is_none_or(|start| model.starts_with(start))
    }
}

/// The prompt window.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct WindowConfig {
    /// Size limit of the window in characters; four are a token.
    pub max_chars: u32,
    /// Limit for pins, in hundredths of the window.
    #[schemars(range(min = 0, max = 100))]
    pub pinned_share: u32,
    /// Minutes until an addition leaves the focus.
    pub focus_minutes: u32,
}

impl Default for WindowConfig {
    fn default() -> Self {
        Self {
            max_chars: MAX_CHARS,
            pinned_share: PINNED_SHARE,
            focus_minutes: FOCUS_MINUTES,
        }
    }
}

/// Which outlines are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Outlines {
    /// Outlines that were requested once.
    #[default]
    Asked,
    /// Outlines of all types.
    All,
}

impl Default for FolderConfig {
    fn default() -> Self {
        let switches = Switches::default();
        Self {
            schema: None,
            exclude: Vec::new(),
            max_file_size: None,
            include_generated: None,
            external_types: None,
            angelscript: ScriptSettings::default(),
            outlines: Outlines::Asked,
            record: false,
            prompt_window: WindowConfig::default(),
            tags: BTreeMap::new(),
            profiles: BTreeMap::new(),
            model: ModelSettings::default(),
            budget_rules: Vec::new(),
            flags: PayloadFlags::default(),
            structure_hash_includes_xml_doc: switches.structure_hash_includes_xml_doc,
            include_internal_for_dependencies: switches.include_internal_for_dependencies,
            internal_impl_affects_semantic: switches.internal_impl_affects_semantic,
            semantic_doc_affects: switches.semantic_doc_affects,
            dependency_staleness: Dependents::default(),
        }
    }
}

impl FolderConfig {
    /// Reads the file's text: what can be read of it counts, and each key that cannot is told as a sentence.
    ///
    /// # Errors
    /// Why nothing of it can be read, as a sentence; then the defaults hold.
    pub fn read(text: &str) -> Result<(Self, Vec<String>), String> {
        let text = text.trim_start_matches('\u{feff}');
        let value: Option<Value> =
            jsonc_parser::parse_to_serde_value(text, &ParseOptions::default())
                .map_err(|error| format!("it is not JSON ({error})"))?;
        let value = value.unwrap_or_else(|| Value::Object(serde_json::Map::new()));
        if !value.is_object() {
            return Err("it is not an object".to_owned());
        }
        read_what_counts(value)
    }

    /// What counts of it on this machine, and the keys that say something and do not count: a repository switches on no
    /// recording and no model, and names no files outside of itself (SPEC D17).
    pub fn for_person(mut self, personal: &PersonalSettings) -> (Self, Vec<&'static str>) {
        let mut ignored = Vec::new();
        for (key, says) in self.of_persons() {
            if says {
                ignored.push(key);
            }
        }
        self.record = personal.record.unwrap_or(false);
        self.flags.use_observations_store = personal.observations.unwrap_or(false);
        self.model = personal.model.clone().unwrap_or_default();
        if let Some(own) = &mut self.external_types {
            own.retain(|path| is_below(path));
        }
        self.external_types = personal.external_types.clone().or(self.external_types);
        (self, ignored)
    }

    /// The keys that count in a person's own settings alone, each with whether this file says something by it.
    fn of_persons(&self) -> [(&'static str, bool); 4] {
        let leads_out = |paths: &Vec<String>| paths.iter().any(|path| !is_below(path));
        [
            ("record", self.record),
            (
                "flags.use_observations_store",
                self.flags.use_observations_store,
            ),
            ("model", self.model != ModelSettings::default()),
            (
                "externalTypes",
                self.external_types.as_ref().is_some_and(leads_out),
            ),
        ]
    }

    /// The file that a new folder gets: what `003` §6 requires, each with its default.
    #[must_use]
    pub fn initial_text() -> String {
        let flags = PayloadFlags {
            observations_backend: Some("jsonl".to_owned()),
            ..PayloadFlags::default()
        };
        let profiles = serde_json::json!({ "default": BudgetProfile::default() });
        let all = serde_json::json!({ "flags": flags, "profiles": profiles });
        serde_json::to_string_pretty(&all).unwrap_or_default() + "\n"
    }

    /// The ledger's part.
    pub fn switches(&self) -> Switches {
        Switches {
            structure_hash_includes_xml_doc: self.structure_hash_includes_xml_doc,
            include_internal_for_dependencies: self.include_internal_for_dependencies,
            internal_impl_affects_semantic: self.internal_impl_affects_semantic,
            semantic_doc_affects: self.semantic_doc_affects,
            dependency_staleness: match self.dependency_staleness {
                Dependents::Named => DependencyStaleness::Named,
                Dependents::All => DependencyStaleness::All,
            },
            ..Switches::default()
        }
    }
}

/// Keys that are left out one after the other; a file with more of them that are wrong is none of ours.
const MAX_WRONG: usize = 64;

/// Reads settings, leaving out one key after the other that cannot be read.
fn read_what_counts(mut value: Value) -> Result<(FolderConfig, Vec<String>), String> {
    let mut problems = Vec::new();
    loop {
        let error = match serde_path_to_error::deserialize(value.clone()) {
            Ok(config) => return Ok((config, problems)),
            Err(error) => error,
        };
        let path: Vec<String> = error
            .path()
            .iter()
            .filter_map(|segment| match segment {
                Segment::Seq { index } => Some(index.to_string()),
                Segment::Map { key } => Some(key.clone()),
                Segment::Enum { .. } | Segment::Unknown => None,
            })
            .collect();
        let why = error.inner().to_string();
        let wrong = match path.is_empty() {
            true => why.clone(),
            false => format!("`{}`: {why}", error.path()),
        };
        if problems.len() == MAX_WRONG || !leave_out(&mut value, &path, unknown_key(&why)) {
            return Err(wrong);
        }
        problems.push(wrong);
    }
}

/// The key that a type does not have, as an error of `serde` names it.
fn unknown_key(why: &str) -> Option<&str> {
    let rest = why.strip_prefix("unknown field `")?;
    rest.split('`').next()
}

/// Takes out what is at a path, or the key in it that is not known; whether something was there.
fn leave_out(value: &mut Value, path: &[String], unknown: Option<&str>) -> bool {
    // An entry of a list means nothing without the others: the list goes.
    let path = match path.iter().position(|key| key.parse::<usize>().is_ok()) {
        Some(of_list) => &path[..of_list],
        None => path,
    };
    if let Some(unknown) = unknown
        && let Some(Value::Object(around)) = within(value, path)
        && around.remove(unknown).is_some()
    {
        return true;
    }
    let Some((last, above)) = path.split_last() else {
        return false;
    };
    match within(value, above) {
        Some(Value::Object(around)) => around.remove(last).is_some(),
        _ => false,
    }
}

/// What is at a path of keys.
fn within<'v>(value: &'v mut Value, path: &[String]) -> Option<&'v mut Value> {
    path.iter().try_fold(value, |at, key| at.get_mut(key))
}

/// The settings that count for a folder: what its `.context/config.json` says, and the person. What
/// cannot be read counts as not said; it is told when the folder is read.
pub fn settings_of(text: Option<&str>, personal: &PersonalSettings) -> FolderConfig {
    let config = text.and_then(|text| FolderConfig::read(text).ok());
    let (config, _) = config.unwrap_or_default();
    config.for_person(personal).0
}

/// Whether a path that a repository names stays below the folder, on every system.
fn is_below(path: &str) -> bool {
    let path = path.trim().replace('\\', "/");
    let mut parts = path.split('/');
    !path.starts_with('/') && !path.contains(':') && parts.all(|part| part != "..")
}

#[cfg(test)]
mod tests {
    use codecortex_protocol::ModelMode;

    use super::*;

    /// The table in docs/context-folder.md, "Whose settings count".
    #[test]
    fn a_repository_decides_nothing_that_is_the_persons() {
        let rows = [
            (r#"{"record": true}"#, "record"),
            (
                r#"{"flags": {"use_observations_store": true}}"#,
                "flags.use_observations_store",
            ),
            (r#"{"model": {"mode": "automatic"}}"#, "model"),
            (r#"{"model": {"callsPerHour": 1000000}}"#, "model"),
            (r#"{"model": {"tokensPerDay": 1}}"#, "model"),
            (
                r#"{"externalTypes": ["/elsewhere/private.hpp"]}"#,
                "externalTypes",
            ),
            (
                r#"{"externalTypes": ["../x/as.predefined"]}"#,
                "externalTypes",
            ),
            (r#"{"externalTypes": ["a/../../x.xml"]}"#, "externalTypes"),
            (
                r#"{"externalTypes": ["\\\\host\\share\\x.xml"]}"#,
                "externalTypes",
            ),
            (r#"{"externalTypes": ["C:\\x.xml"]}"#, "externalTypes"),
            (r#"{"externalTypes": ["file:///x.xml"]}"#, "externalTypes"),
        ];
        for (text, key) in rows {
            let (config, _) = FolderConfig::read(text).unwrap();
            let (counts, ignored) = config.for_person(&PersonalSettings::default());
            assert_eq!(ignored, [key], "{text}");
            assert!(
                !counts.record && !counts.flags.use_observations_store,
                "{text}"
            );
            assert_eq!(counts.model, ModelSettings::default(), "{text}");
            assert_eq!(counts.external_types.unwrap_or_default(), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_persons_settings_count_whatever_the_repository_says() {
        let personal = PersonalSettings {
            record: Some(true),
            telemetry: None,
            observations: Some(true),
            external_types: Some(vec!["/engine/as.predefined".to_owned()]),
            model: Some(ModelSettings {
                mode: ModelMode::Automatic,
                calls_per_hour: Some(3),
                ..ModelSettings::default()
            }),
        };
        let text = r#"{"record": false, "externalTypes": ["own.xml"], "exclude": ["gen/"]}"#;
        let (counts, ignored) = FolderConfig::read(text).unwrap().0.for_person(&personal);
        assert!(ignored.is_empty());
        assert!(counts.record && counts.flags.use_observations_store);
        assert_eq!(Some(counts.model), personal.model);
        assert_eq!(counts.external_types, personal.external_types);
        assert_eq!(counts.exclude, ["gen/"], "what is the repository's stays");
        let (inside, _) = FolderConfig::read(r#"{"externalTypes": ["docs/own.xml"]}"#).unwrap();
        let (counts, ignored) = inside.for_person(&PersonalSettings::default());
        assert_eq!(
            (counts.external_types, ignored.len()),
            (Some(vec!["docs/own.xml".to_owned()]), 0)
        );
    }

    #[test]
    fn comments_are_fine_and_mistakes_have_their_place() {
        let text = "{\n  // ours\n  \"exclude\": [\"gen/\"], \"outlines\": \"all\",\n}";
        let (config, problems) = FolderConfig::read(text).expect("it is right");
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(
            (config.exclude.as_slice(), config.outlines),
            (&["gen/".to_owned()][..], Outlines::All)
        );
        let nothing = (FolderConfig::default(), Vec::new());
        assert_eq!(FolderConfig::read(" "), Ok(nothing));
        assert!(FolderConfig::read("{").is_err() && FolderConfig::read("[]").is_err());
    }

    /// What is wrong with one key says nothing of the others.
    #[test]
    fn keys_that_cannot_be_read_are_told_and_the_others_count() {
        for (wrong, word) in [
            (r#""excludes": []"#, "excludes"),
            (r#""maxFileSize": "big""#, "maxFileSize"),
            (r#""tags": { "core": [1] }"#, "tags.core[0]"),
            (
                r#""flags": { "use_repo_map": true, "use_magic": 1 }"#,
                "use_magic",
            ),
            (
                r#""profiles": { "own": { "budgets": { "map_token": 1, "index_tokens": 7 } } }"#,
                "map_token",
            ),
            (
                r#""budgetRules": [{ "mode": "map", "profil": "small" }]"#,
                "profil",
            ),
            (
                r#""excludes": 1, "outline": 2, "promptWindow": { "max": 3 }"#,
                "max",
            ),
        ] {
            let text =
                format!("{{ \"exclude\": [\"gen/\"], {wrong}, \"semanticDocAffects\": true }}");
            let (config, problems) = FolderConfig::read(&text).unwrap();
            assert!(
                config.exclude == ["gen/"] && config.semantic_doc_affects,
                "{text}"
            );
            assert!(
                problems.iter().any(|problem| problem.contains(word)),
                "{problems:?}"
            );
            if let Some(own) = config.profiles.get("own") {
                assert_eq!(own.budgets.index_tokens, 7, "its other keys count too");
            }
        }
    }

    #[test]
    fn a_new_file_says_what_holds_without_it() {
        let (config, _) = FolderConfig::read(&FolderConfig::initial_text()).unwrap();
        assert_eq!(config.profiles["default"], BudgetProfile::default());
        assert_eq!(config.flags.observations_backend.as_deref(), Some("jsonl"));
        let rest = FolderConfig {
            profiles: BTreeMap::new(),
            flags: PayloadFlags {
                observations_backend: None,
                ..config.flags.clone()
            },
            ..config
        };
        assert_eq!(rest, FolderConfig::default());
    }

    #[test]
    fn a_rule_fits_who_meets_all_its_conditions() {
        let rule: BudgetRule = serde_json::from_str(
            r#"{ "subagent_type": "planner", "scope": "task", "model": "gpt-", "profile": "large" }"#,
        )
        .unwrap();
        let scope = ["task".to_owned()];
        assert!(rule.fits("planner", "map", &scope, "gpt-5"));
        assert!(!rule.fits("planner", "map", &scope, "claude"));
        assert!(!rule.fits("verifier", "map", &scope, "gpt-5"));
        assert!(!rule.fits("planner", "map", &[], "gpt-5"));
        assert!(BudgetRule::default().fits("any", "index", &[], ""));
    }
}
