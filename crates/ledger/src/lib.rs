//! What the types of a workspace have been through: classes of change, drift, groups, the states of
//! semantic texts and their queue, aliases, and the readable files of `.context/` made of all that.
//!
//! The caller tells what it knows of types ([`TypeNow`]) and what time it is; [`Ledger`] says what has
//! changed and what follows ([`UpdateReport`]). Files come in as text and go out as text.

mod aliases;
mod config;
pub mod files;
mod folder_part;
mod graph;
mod ids;
mod interner;
mod jobs;
mod ledger;
mod model;
mod partial_hashes;
mod persist;
mod queue;
mod record;
mod semantic;
mod time;
mod update;

pub use config::{Config, DependencyStaleness, HASH_VERSION};
pub use files::{ContextFile, ContextFileProblem};
pub use folder_part::FolderPart;
pub use jobs::{Job, JobError, Seen, UnitView, WaitingUnit};
pub use ledger::{Ledger, Resolved, TypeView};
pub use model::{
    Alias, Batch, ChangedApi, Dependent, Identity, LogEntry, LogKind, LongMemberId, Move, NameHash,
    Pack, Project, Reason, RecordedSignature, Regrouped, StaleReason, TypeChange, TypeFate,
    TypeNow, UpdateReport,
};
pub use partial_hashes::HashKind;
pub use persist::Written;
pub use record::{DRIFT_CHANGES, DRIFT_TIME, MERGE_WINDOW};
pub use semantic::{
    BACKOFF_BASE, ChangeEffect, EFFECTS, Event, LEASE, MAX_ATTEMPTS, Next, OutlineEffect, Refused,
    SemanticEffect, TRANSITIONS, TextState, effect_of, transition,
};
pub use time::{Millis, parse_rfc3339, rfc3339};
