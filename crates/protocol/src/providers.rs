//! What the engine and an editor say to each other about the editor's language providers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::position::{DocumentSpan, Position};

/// What language providers are asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ProviderTopic {
    /// Where the symbol at a place is used.
    References,
    /// Where it is declared.
    Definition,
    /// The direct bases of a type, and what derives from it or implements it.
    Hierarchy,
    /// What implements or overrides it.
    Implementations,
}

/// A question to the language providers of an editor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProviderQuestion {
    /// What is asked.
    pub about: ProviderTopic,
    /// Absolute path with `/`.
    pub path: String,
    /// A place in a name of that file.
    pub position: Position,
}

/// How a question to language providers ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ProviderOutcome {
    /// Whoever serves the file has answered, or nobody does.
    Answered,
    /// There was no answer in time.
    TimedOut,
    /// The question could not be asked.
    #[default]
    Failed,
}

/// What language providers said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ProviderReply {
    /// How it ended.
    pub outcome: ProviderOutcome,
    /// Whether nothing was left out; of a file that is here, nothing ever is.
    pub complete: bool,
    /// Of references, definitions and implementations, the places.
    pub places: Vec<ProviderResult>,
    /// Of a hierarchy, the bases.
    pub above: Vec<ProviderResult>,
    /// Of a hierarchy, what derives from it.
    pub below: Vec<ProviderResult>,
}

/// What language providers said about one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ProviderResult {
    /// Absolute path with `/`.
    pub path: String,
    /// The editor's version of the text that was asked about; absent where no editor holds the file.
    pub version: Option<i64>,
    /// The places, in any order.
    pub ranges: Vec<DocumentSpan>,
}

/// A place about which language providers and the index disagree. It holds nothing of the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Disagreement {
    /// Language id.
    pub language: String,
    /// What the symbol is: `method`, `class` …
    pub kind: String,
    /// What stands before the name: `none`, `this`, `name`, `member`, `call` …
    pub shape: String,
    /// How sure the index was; `none` where only the providers know the place.
    pub tier: String,
    /// How many places.
    pub count: u32,
}

/// Verdicts on a kind of place as the cache keeps them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatsEntry {
    /// The id of the language.
    pub language: String,
    /// The number of the tier.
    pub tier: u8,
    /// What stands before the name.
    pub before: String,
    /// How often providers confirmed such places.
    pub confirmed: u32,
    /// How often they denied them.
    pub denied: u32,
}
