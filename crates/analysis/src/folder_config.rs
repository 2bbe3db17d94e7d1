//! `.context/config.json`: settings of a workspace folder that travel with it (SPEC D3, H7, P2).

use std::collections::BTreeMap;

use codecortex_answer::budget::profile::BudgetProfile;
use codecortex_ledger::{Config as Switches, DependencyStaleness};
use jsonc_parser::ParseOptions;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// Where it is, relative to the root.
pub const CONFIG_PATH: &str = ".context/config.json";

/// What pins may take of a window, in hundredths, unless the folder's settings say otherwise.
pub const PINNED_SHARE: u32 = 60;
/// Letters that a window may have, unless the folder's settings say otherwise.
pub const MAX_CHARS: u32 = 16_000;
/// Minutes that something stays in focus.
pub const FOCUS_MINUTES: u32 = 30;

/// Settings of a workspace folder. Comments and trailing commas are allowed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[schemars(title = "CodeCortex: settings of this folder")]
pub struct FolderConfig {
    /// The schema of this file, for editors.
    #[serde(rename = "$schema")]
    pub schema: Option<String>,
    /// What to leave out besides what ignore files say: patterns as in `.gitignore`.
    pub exclude: Vec<String>,
    /// Which outlines are written to `.context/types/`.
    pub outlines: Outlines,
    /// Record live context in `.context/replay/`: the texts of open documents, every edit, cursors, problems and
    /// edits by tools. No text of files that look like secrets is recorded.
    pub record: bool,
    /// The prompt window.
    pub prompt_window: WindowConfig,
    /// Tags of types for `tag:` in filters of packs, each with patterns of paths as in `.gitignore`.
    pub tags: BTreeMap<String, Vec<String>>,
    /// How much an answer may cost by profile; `small`, `default` and `large` are there anyway.
    pub profiles: BTreeMap<String, BudgetProfile>,
    /// Models that describe types and answer questions.
    pub model: ModelConfig,
    /// Documentation counts as structure: changing it concerns everything that depends on the type.
    pub structure_hash_includes_xml_doc: bool,
    /// What only the assembly, package or module sees counts as structure too.
    pub include_internal_for_dependencies: bool,
    /// An internal change makes a semantic text stale at once, without waiting for more.
    pub internal_impl_affects_semantic: bool,
    /// A change of documentation makes a semantic text stale.
    pub semantic_doc_affects: bool,
    /// Which texts of dependents a change of a type's structure makes stale.
    pub dependency_staleness: Dependents,
}

/// Which texts of dependents a change of a type's structure makes stale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Dependents {
    /// Those that name a member whose head changed or that went, and all where the type's bases changed.
    #[default]
    Named,
    /// Those of all direct dependents.
    All,
}

/// When models are asked, and how often.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ModelConfig {
    /// Whether texts that are stale or missing are made anew when somebody asks for them.
    pub mode: ModelMode,
    /// The most requests in an hour.
    pub calls_per_hour: Option<u32>,
    /// The most requests in a day.
    pub calls_per_day: Option<u32>,
    /// The most tokens, in and out, in an hour.
    pub tokens_per_hour: Option<u32>,
    /// The most tokens, in and out, in a day.
    pub tokens_per_day: Option<u32>,
}

/// When a model is asked to describe types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ModelMode {
    /// Only where somebody says so: nothing is sent without that.
    #[default]
    Manual,
    /// Also where somebody asks for a text that is stale or missing.
    Automatic,
}

/// The prompt window.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct WindowConfig {
    /// The most characters of the window; four are a token.
    pub max_chars: u32,
    /// The most that pins may take of it, in hundredths.
    #[schemars(range(min = 0, max = 100))]
    pub pinned_share: u32,
    /// Minutes that something stays in focus.
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
    /// Those that somebody asked for once.
    #[default]
    Asked,
    /// Those of all types.
    All,
}

impl Default for FolderConfig {
    fn default() -> Self {
        let switches = Switches::default();
        Self {
            schema: None,
            exclude: Vec::new(),
            outlines: Outlines::Asked,
            record: false,
            prompt_window: WindowConfig::default(),
            tags: BTreeMap::new(),
            profiles: BTreeMap::new(),
            model: ModelConfig::default(),
            structure_hash_includes_xml_doc: switches.structure_hash_includes_xml_doc,
            include_internal_for_dependencies: switches.include_internal_for_dependencies,
            internal_impl_affects_semantic: switches.internal_impl_affects_semantic,
            semantic_doc_affects: switches.semantic_doc_affects,
            dependency_staleness: Dependents::default(),
        }
    }
}

impl FolderConfig {
    /// Reads the file's text.
    ///
    /// # Errors
    /// What is wrong with it, as a sentence; then the defaults hold.
    pub fn read(text: &str) -> Result<Self, String> {
        let text = text.trim_start_matches('\u{feff}');
        let value: Option<Value> =
            jsonc_parser::parse_to_serde_value(text, &ParseOptions::default())
                .map_err(|error| format!("it is no JSON ({error})"))?;
        let value = value.unwrap_or_else(|| Value::Object(serde_json::Map::new()));
        if !value.is_object() {
            return Err("it is no object".to_owned());
        }
        serde_path_to_error::deserialize(value).map_err(|error| match error.path().to_string() {
            path if path == "." => error.inner().to_string(),
            path => format!("`{path}`: {}", error.inner()),
        })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_fine_and_mistakes_have_their_place() {
        let text = "{\n  // ours\n  \"exclude\": [\"gen/\"], \"outlines\": \"all\",\n}";
        let config = FolderConfig::read(text).expect("it is right");
        assert_eq!(
            (config.exclude.as_slice(), config.outlines),
            (&["gen/".to_owned()][..], Outlines::All)
        );
        assert_eq!(FolderConfig::read(" "), Ok(FolderConfig::default()));
        let wrong = FolderConfig::read("{\"exclude\": [1]}");
        assert!(wrong.is_err_and(|why| why.contains("exclude[0]")));
        let unknown = FolderConfig::read("{\"excludes\": []}");
        assert!(unknown.is_err_and(|why| why.contains("excludes")));
        assert!(FolderConfig::read("{").is_err());
    }
}
