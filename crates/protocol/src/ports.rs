//! What an engine asks of its host, and what a host replies: one [`Request`] and one [`Response`] a question (SPEC D5).
//!
//! A request crosses the door in an [`Effect::Ask`](crate::Effect::Ask) with a number; the host sends one
//! [`Event::Replied`](crate::Event::Replied) with that number, whatever comes of the request. A new capability is a
//! variant of both here, and a port in each host.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::events::{
    AppliedEdit, ApplyOutcome, CommitOutcome, DiffOf, DiffOutcome, DiskChange, FetchedFile,
    FileEdit, FileRef, Stamped,
};
use crate::memory::{MemoryReply, MemoryRequest};
use crate::model::{ModelOutcome, ModelRequest};
use crate::providers::{ProviderQuestion, ProviderReply};

/// A question to the host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Request {
    /// Read these files of the roots as they are; a file that is not there is no failure.
    Texts {
        /// The files, in the order of the reply.
        files: Vec<FileRef>,
        /// Whether a file that a link leads to is not read: a repository names these files (SPEC D30).
        #[serde(default)]
        confined: bool,
    },
    /// Read these files as they are, which are in no root but were named by an earlier answer (SPEC D12).
    OutsideTexts {
        /// Absolute paths with `/`, in the order of the reply.
        paths: Vec<String>,
    },
    /// Read the commits that lead to a root's present state (ancestors of `HEAD` alone).
    Log {
        /// Index into the roots.
        root: u32,
        /// The most commits.
        most: u32,
    },
    /// Read what differs between two states of a root's repository, with the two versions of the files (SPEC RV1).
    Diff {
        /// Index into the roots.
        root: u32,
        /// Between which states.
        of: DiffOf,
    },
    /// Ask the store of observations in `.context/memory/` of a root (SPEC OB1, X7).
    Memory {
        /// Index into the roots.
        root: u32,
        /// What is to be done.
        request: MemoryRequest,
    },
    /// Change files below `.context/` of a root, all or none as far as the disk allows: with the lock
    /// held, and only if what is expected is there (SPEC I5, D17).
    Commit {
        /// Index into the roots.
        root: u32,
        /// Files that must be as they were when they were read or committed last.
        expect: Vec<Stamped>,
        /// What to do, in this order. Paths are relative to the root and begin with `.context/`.
        changes: Vec<DiskChange>,
    },
    /// Change these files, all or none (SPEC LC4, ED1). In an editor: as one undo step, after a person agreed where
    /// that is asked for, and what is open stays unsaved if it was. On the disk: with a lock held, each file put in
    /// place whole.
    Apply {
        /// What it is for, as the caller said.
        summary: Option<String>,
        /// The files.
        files: Vec<FileEdit>,
        /// The applied edit that this one takes back: it leaves no inverse, and the other's is forgotten.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        undoes: Option<String>,
    },
    /// Say which edits of these roots were applied and can be taken back.
    AppliedEdits {
        /// The newest alone, with what its files held and hold; else all, without contents.
        last_with_contents: bool,
    },
    /// Ask the editor's language providers. The host decides how long they have.
    Providers {
        /// What to ask.
        question: ProviderQuestion,
    },
    /// Read the log of telemetry of these roots: the lines of the last 30 days (SPEC T1).
    Telemetry,
    /// Ask the model. The host decides how long the model has, and how often it is asked again when it is busy.
    Model {
        /// What to ask.
        request: ModelRequest,
    },
}

/// What a host replies to a [`Request`]: the variant of the same name.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Response {
    /// To [`Request::Texts`] and [`Request::OutsideTexts`].
    Texts {
        /// What each file holds, in the order asked.
        files: Vec<FetchedFile>,
    },
    /// To [`Request::Log`].
    Log {
        /// The commits, the newest first: of each a character 1, its message, a character 2, and a line for each file it
        /// touched: status, tab, path relative to the root, and where it was moved a tab and the new path. Absent where the
        /// root is in no repository, or there is no git.
        log: Option<String>,
    },
    /// To [`Request::Diff`].
    Diff {
        /// What differs, or why nobody can say.
        outcome: DiffOutcome,
    },
    /// To [`Request::Memory`].
    Memory {
        /// What became of it.
        reply: MemoryReply,
    },
    /// To [`Request::Commit`].
    Commit {
        /// What became of it.
        outcome: CommitOutcome,
    },
    /// To [`Request::Apply`].
    Apply {
        /// What became of it.
        outcome: ApplyOutcome,
    },
    /// To [`Request::AppliedEdits`].
    AppliedEdits {
        /// The edits, the newest first.
        edits: Vec<AppliedEdit>,
        /// Why they cannot be read, as a sentence.
        error: Option<String>,
    },
    /// To [`Request::Providers`].
    Providers {
        /// What they said.
        reply: ProviderReply,
    },
    /// To [`Request::Telemetry`].
    Telemetry {
        /// What each day's file holds, the oldest first; none where no log is kept.
        files: Vec<String>,
        /// Why it cannot be read, as a sentence.
        error: Option<String>,
    },
    /// To [`Request::Model`].
    Model {
        /// What became of it.
        outcome: ModelOutcome,
    },
}

impl Request {
    /// Whether asking a second time costs nothing and changes nothing: a call that asks only such things may begin
    /// again. A model is paid, a store records, files change.
    #[must_use]
    pub fn is_repeatable(&self) -> bool {
        match self {
            Self::Texts { .. }
            | Self::OutsideTexts { .. }
            | Self::Log { .. }
            | Self::Diff { .. }
            | Self::AppliedEdits { .. }
            | Self::Telemetry
            | Self::Providers { .. } => true,
            Self::Memory { request, .. } => {
                matches!(request, MemoryRequest::Place | MemoryRequest::Recall { .. })
            }
            Self::Commit { .. } | Self::Apply { .. } | Self::Model { .. } => false,
        }
    }
}
