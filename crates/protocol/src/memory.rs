//! What a store of observations is asked, and what it says (SPEC OB1, X7). What observations and questions are, the crate
//! `codecortex-memory` knows; here they are JSON.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::events::Bytes;

/// What is to be done in the store of a root.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum MemoryRequest {
    /// Say what is checked out, and where.
    Place,
    /// Record these under new ids, all or none.
    Append {
        /// `jsonl`, `sqlite` or `markdown`; absent for the one that holds records.
        backend: Option<String>,
        /// Records of `obs.v1` without ids.
        records: Vec<Value>,
    },
    /// Say what a question finds.
    Recall {
        /// `jsonl`, `sqlite` or `markdown`; absent for the one that holds records.
        backend: Option<String>,
        /// The question.
        question: Value,
    },
    /// Take these out of all files, and record that they are gone.
    Purge {
        /// `jsonl` or `sqlite`; absent for the one that holds records.
        backend: Option<String>,
        /// Their ids.
        ids: Vec<u64>,
        /// What records it: a record of `obs.v1` without an id.
        tombstone: Value,
        /// When, in UTC: `YYYY-MM-DD HH:mm:ss`.
        ts: String,
    },
}

/// What became of a [`MemoryRequest`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum MemoryReply {
    /// What is checked out.
    Place {
        /// The branch; absent without git, and where none is checked out.
        branch: Option<String>,
        /// The name of the worktree, where it is not the repository's first.
        worktree: Option<String>,
    },
    /// They are recorded.
    Recorded {
        /// Their ids, in their order.
        ids: Vec<u64>,
        /// Problems that did not prevent the recording.
        warnings: Vec<String>,
    },
    /// What the question found.
    Found {
        /// As the crate `codecortex-memory` has it.
        found: Value,
    },
    /// The whole log of a host that does not look into it; absent where there is none yet.
    Log {
        /// Its lines: records of `obs.v1`, or those of Markdown.
        bytes: Option<Bytes>,
        /// `jsonl`, `sqlite` or `markdown`.
        backend: String,
    },
    /// It was not done.
    Failed {
        /// A code of the envelope.
        code: String,
        /// Why, as a sentence.
        message: String,
        /// What to do next.
        hint: String,
        /// Whether the same may succeed later.
        retryable: bool,
    },
}
