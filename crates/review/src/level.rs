//! How much of a unit is shown, and how much may go wrong with it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much of a unit is shown (`004` §2), least first.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceLevel {
    /// The diff.
    #[default]
    DiffOnly,
    /// The functions that changed, whole.
    Function,
    /// What is around them in the file.
    FileContext,
    /// The file.
    FullFile,
}

impl EvidenceLevel {
    /// Every level, least first.
    pub const ALL: [Self; 4] = [
        Self::DiffOnly,
        Self::Function,
        Self::FileContext,
        Self::FullFile,
    ];

    /// The word in answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::DiffOnly => "diff_only",
            Self::Function => "function",
            Self::FileContext => "file_context",
            Self::FullFile => "full_file",
        }
    }

    /// The level of a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.as_str() == word)
    }

    /// The next lower one; the lowest stays.
    #[must_use]
    pub fn below(self) -> Self {
        let at = Self::ALL
            .iter()
            .position(|level| *level == self)
            .unwrap_or(0);
        Self::ALL[at.saturating_sub(1)]
    }
}

/// How much may go wrong, least first.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    /// Nothing.
    #[default]
    None,
    /// Little.
    Low,
    /// Something.
    Medium,
    /// Much.
    High,
}

impl Risk {
    /// Every risk, least first.
    pub const ALL: [Self; 4] = [Self::None, Self::Low, Self::Medium, Self::High];

    /// The word in answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// Something that is to be looked up for a unit (`004` §2).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvidenceRequest {
    /// What is looked up.
    #[serde(rename = "type")]
    pub kind: RequestKind,
    /// Of what: a name or path of a symbol, or words; in rules also `$symbol`, `$container`, `$old_name` …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<String>,
}

/// What can be looked up.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum RequestKind {
    /// The file as it was.
    PreviousVersion,
    /// Code that calls a symbol.
    Callers,
    /// Uses of a name.
    Search,
    /// The same as `callers`.
    SearchCallers,
    /// Code that names a key of a configuration.
    SearchConfigUsage,
    /// What implements, overrides or derives from a symbol.
    SearchImplementations,
    /// Uses of a type.
    SearchModelUsage,
    /// Members of a type.
    SearchClassMethods,
    /// What tools report of the file.
    ScannerIssues,
}

impl RequestKind {
    /// Every kind.
    pub const ALL: [Self; 9] = [
        Self::PreviousVersion,
        Self::Callers,
        Self::Search,
        Self::SearchCallers,
        Self::SearchConfigUsage,
        Self::SearchImplementations,
        Self::SearchModelUsage,
        Self::SearchClassMethods,
        Self::ScannerIssues,
    ];

    /// The word in plans.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PreviousVersion => "previous_version",
            Self::Callers => "callers",
            Self::Search => "search",
            Self::SearchCallers => "search_callers",
            Self::SearchConfigUsage => "search_config_usage",
            Self::SearchImplementations => "search_implementations",
            Self::SearchModelUsage => "search_model_usage",
            Self::SearchClassMethods => "search_class_methods",
            Self::ScannerIssues => "scanner_issues",
        }
    }

    /// The kind of a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }

    /// Whether it is of a symbol, a word, or neither.
    #[must_use]
    pub fn takes(self) -> Takes {
        match self {
            Self::PreviousVersion | Self::ScannerIssues => Takes::Nothing,
            Self::Search | Self::SearchConfigUsage => Takes::Keyword,
            _ => Takes::Symbol,
        }
    }
}

/// What a request's `details` are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// It has none.
    Nothing,
    /// A symbol.
    Symbol,
    /// Words.
    Keyword,
}
