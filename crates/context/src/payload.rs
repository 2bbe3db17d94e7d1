//! `context_payload.v2`: what an orchestrator hands to a sub-agent (SPEC CP1; `003` §4.1). Every field is there in every
//! mode; `docs/context_payload.v2.schema.json` is made from these types.

use codecortex_retrieval::{
    DetailTier, EntryCosts, SelectedFile, SelectedSymbol, SourceSelection, code_lines,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::observations::ObservationItem;

/// The version in every payload.
pub const VERSION: &str = "context_payload.v2";
/// The version of items of the map.
pub(crate) const MAP_VERSION: &str = "repomap.v1";

/// `map`: code; `mixed`: code and observations; others: observations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum PayloadMode {
    /// Summaries of observations.
    #[default]
    Index,
    /// Observations of a task, in their order.
    Timeline,
    /// Observations whole.
    Detail,
    /// The repository map.
    Map,
    /// The map, and summaries of observations.
    Mixed,
}

impl PayloadMode {
    /// The word in payloads.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Index => "index",
            Self::Timeline => "timeline",
            Self::Detail => "detail",
            Self::Map => "map",
            Self::Mixed => "mixed",
        }
    }

    /// Whether the map is wanted.
    #[must_use]
    pub fn has_map(self) -> bool {
        matches!(self, Self::Map | Self::Mixed)
    }
}

/// The reader of the payload; selects a budget rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum SubagentType {
    /// Whoever starts the others.
    #[default]
    Orchestrator,
    /// Who plans.
    Planner,
    /// Who writes code.
    Implementers,
    /// Who checks it.
    Verifier,
    /// Who is asked for advice.
    Consultant,
}

impl SubagentType {
    /// The word in payloads.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Orchestrator => "orchestrator",
            Self::Planner => "planner",
            Self::Implementers => "implementers",
            Self::Verifier => "verifier",
            Self::Consultant => "consultant",
        }
    }
}

/// The payload, but for its budget, which every answer has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Payload {
    /// `context_payload.v2`.
    pub version: &'static str,
    /// Time of creation, UTC: `YYYY-MM-DD HH:mm:ss`.
    pub generated_at: String,
    /// The reader of the payload.
    pub subagent_type: SubagentType,
    /// The mode of the payload.
    pub mode: PayloadMode,
    /// The task.
    pub task: Task,
    /// Earlier observations.
    pub observations: Observations,
    /// The code for the question.
    pub repo_map: Map,
    /// Notes about the payload.
    pub notes: Vec<String>,
}

/// The task that the payload is for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Task {
    /// Its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_id: Option<String>,
    /// Where the task is written, and its short fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_json: Option<TaskJson>,
}

/// A task's file: its path, and of what it says what is short.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TaskJson {
    /// Relative to its root.
    pub path: String,
    /// Its fields that are words, numbers or sentences, as far as there is room.
    #[serde(skip_serializing_if = "serde_json::Map::is_empty")]
    pub fields: serde_json::Map<String, serde_json::Value>,
}

/// Earlier observations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Observations {
    /// Where they are kept: `jsonl`, `sqlite` or `markdown_fallback`.
    pub source: &'static str,
    /// The observations.
    pub items: Vec<ObservationItem>,
}

/// The repository map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Map {
    /// Who made it: `codecortex`.
    pub source: &'static str,
    /// Files, the best first.
    pub items: Vec<MapItem>,
}

/// A file of the map (`003` §4.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MapItem {
    /// `repomap.v1`.
    pub schema_version: &'static str,
    /// Relative to its root; after the root's name where there are several.
    pub path: String,
    /// Of the file's content.
    pub hash: String,
    /// What of it is told, in its order.
    pub symbols: Vec<MapSymbol>,
}

/// A declaration of the map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MapSymbol {
    /// `class`, `function`, `method`, `const`, `var`, `module` or `other`.
    pub kind: &'static str,
    /// Its name; empty for what is outside of declarations.
    pub name: String,
    /// First line, from 1.
    pub line_start: u32,
    /// Last line.
    pub line_end: u32,
    /// How much of it is told: `name`, `signature`, `lines` or `body`.
    pub tier: &'static str,
    /// Why it is here, where that is asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<&'static str>,
    /// Its code, each line as in the file and after its number; one line says how many are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// What entries of the map cost in JSON beside names, paths and code.
#[must_use]
pub fn entry_costs() -> EntryCosts {
    /// A line number has about so many digits.
    const LINE: u32 = 1000;
    let characters =
        |value: serde_json::Result<String>| value.map_or(0, |json| json.chars().count() + 1);
    let symbol = MapSymbol {
        kind: "method",
        name: String::new(),
        line_start: LINE,
        line_end: LINE,
        tier: DetailTier::Lines.as_str(),
        why: Vec::new(),
        text: None,
    };
    let file = MapItem {
        schema_version: MAP_VERSION,
        path: String::new(),
        hash: "0".repeat(32),
        symbols: Vec::new(),
    };
    let bare = characters(serde_json::to_string(&symbol));
    let with_code = characters(serde_json::to_string(&MapSymbol {
        text: Some(String::new()),
        ..symbol
    }));
    EntryCosts {
        file: characters(serde_json::to_string(&file)),
        symbol: bare,
        code: with_code.saturating_sub(bare),
    }
}

/// The items of a selection, with what speaks for each where that is asked for; `hash` gives that of a file's content by
/// its path.
#[must_use]
pub fn map_items(
    selection: &SourceSelection,
    with_reasons: bool,
    hash: impl Fn(&str) -> String,
) -> Vec<MapItem> {
    let symbol = |symbol: &SelectedSymbol| MapSymbol {
        kind: kind_word(symbol.kind, symbol.container.is_empty()),
        name: symbol.name.clone(),
        line_start: symbol.line_start,
        line_end: symbol.line_end,
        tier: symbol.tier.as_str(),
        why: if with_reasons {
            symbol.why.clone()
        } else {
            Vec::new()
        },
        text: (symbol.tier != DetailTier::Name).then(|| code_lines(&symbol.lines)),
    };
    let item = |file: &SelectedFile| MapItem {
        schema_version: MAP_VERSION,
        path: file.path.clone(),
        hash: hash(&file.path),
        symbols: file.symbols.iter().map(symbol).collect(),
    };
    selection.files.iter().map(item).collect()
}

/// The word of `repomap.v1` for a kind.
pub(crate) fn kind_word(word: &str, is_top: bool) -> &'static str {
    match word {
        "class" | "struct" | "interface" | "trait" | "enum" | "record" | "union" | "typeAlias"
        | "delegate" => "class",
        "function" => "function",
        "method" | "constructor" | "destructor" | "operator" if !is_top => "method",
        "method" | "constructor" | "destructor" | "operator" => "function",
        "constant" | "enumMember" => "const",
        "field" | "variable" | "property" | "event" => "var",
        "namespace" | "module" => "module",
        _ => "other",
    }
}
