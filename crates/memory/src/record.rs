//! An observation as it is kept: `obs.v1` of the specification (`003` §4.2, SPEC OB1, D26).
//!
//! Reading is lenient, writing is strict: fields and words that this version does not know are kept as they
//! are, so that a record of a later `obs.v1` survives a migration.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::anchor::Anchor;

/// The version that every record names.
pub const SCHEMA_VERSION: &str = "obs.v1";

/// A set of words of the schema, with room for one of a later version.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$item:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(from = "String", into = "String")]
        pub enum $name {
            $($(#[$item])* $variant,)+
            /// A word of a later version. It is kept; no new record may have it.
            Other(Box<str>),
        }

        impl $name {
            /// The words that a new record may have.
            pub const KNOWN: &'static [&'static str] = &[$($word),+];

            /// The word in the schema.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $word,)+
                    Self::Other(word) => word,
                }
            }

            /// Whether a new record may have it.
            #[must_use]
            pub fn is_known(&self) -> bool {
                !matches!(self, Self::Other(_))
            }
        }

        impl From<&str> for $name {
            fn from(word: &str) -> Self {
                match word {
                    $($word => Self::$variant,)+
                    _ => Self::Other(word.into()),
                }
            }
        }

        impl From<String> for $name {
            fn from(word: String) -> Self {
                Self::from(word.as_str())
            }
        }

        impl From<$name> for String {
            fn from(word: $name) -> Self {
                word.as_str().to_owned()
            }
        }
    };
}

words! {
    /// Who observed something.
    Actor {
        /// Who divides the work.
        Orchestrator = "orchestrator",
        /// Who plans.
        Planner = "planner",
        /// Who writes code.
        Implementers = "implementers",
        /// Who checks it.
        Verifier = "verifier",
        /// A skill.
        Skill = "skill",
        /// The program itself.
        System = "system",
    }
}

words! {
    /// The phase of the work that it belongs to.
    Phase {
        /// Planning.
        Plan = "plan",
        /// Writing code.
        Implement = "implement",
        /// Checking it.
        Verify = "verify",
        /// Mending it.
        Fix = "fix",
        /// None of these.
        Unphased = "other",
        /// About the task itself.
        Task = "task",
    }
}

/// One observation. The order of the fields is the order in the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// [`SCHEMA_VERSION`].
    pub schema_version: String,
    /// Given by the store under its lock: ascending, never given twice.
    pub id: u64,
    /// When, in UTC: `YYYY-MM-DD HH:mm:ss`.
    pub ts: String,
    /// The task; absent and empty both mean none.
    #[serde(default)]
    pub task_id: Option<String>,
    /// Who observed it.
    pub actor: Actor,
    /// In which phase.
    pub phase: Phase,
    /// At most 120 characters on one line, for the index.
    pub summary: String,
    /// Everything else, told only to who asks for it by id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// What it refers to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refs: Option<Refs>,
    /// What `obs.v1` itself does not have (SPEC D26).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ext: Option<Ext>,
    /// Fields of a later version.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

/// What an observation refers to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Refs {
    /// Paths relative to the root, `/` as separator.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Command lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<String>,
    /// Addresses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub urls: Vec<String>,
    /// Fields of a later version.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

/// The extension of `obs.v1`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ext {
    /// What kind of observation it is: one lower-case word, such as `decision`.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The symbols that it is about, as they were then (SPEC X7).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub anchors: Vec<Anchor>,
    /// The branch that was checked out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The worktree, by its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worktree: Option<String>,
    /// Says that others are forgotten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tombstone: Option<Tombstone>,
    /// How many secrets were taken out before it was written, by rule.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub redacted: BTreeMap<String, u32>,
    /// Fields of a later version.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

/// Says that observations are forgotten: they are told to nobody any more.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tombstone {
    /// Their ids, ascending.
    pub ids: Vec<u64>,
    /// Whether they were taken out of the files as well.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub purged: bool,
}

impl Observation {
    /// The task, if it has one.
    #[must_use]
    pub fn task(&self) -> Option<&str> {
        self.task_id.as_deref().filter(|task| !task.is_empty())
    }

    /// The tombstone, if it is one.
    #[must_use]
    pub fn tombstone(&self) -> Option<&Tombstone> {
        self.ext.as_ref()?.tombstone.as_ref()
    }

    /// The kind, if it has one.
    #[must_use]
    pub fn kind(&self) -> Option<&str> {
        self.ext.as_ref()?.kind.as_deref()
    }

    /// The line in a file, without its end.
    ///
    #[must_use]
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}
