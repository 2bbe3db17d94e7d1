//! What the types of a workspace have been through: classes of change, drift, groups, the states of
//! semantic texts and their queue, aliases, and the readable files of `.context/` made of all that.
//!
//! The caller tells what it knows of types ([`TypeNow`]) and what time it is; [`Ledger`] says what has
//! changed and what follows ([`Report`]). Files come in as text and go out as text.

mod aliases;
mod config;
pub mod files;
mod graph;
mod ids;
mod jobs;
mod ledger;
mod load;
mod model;
mod prints;
mod queue;
mod record;
mod semantic;
mod texts;
mod time;
mod update;

pub use aliases::{Alias, Reason};
pub use config::{Config, HASH_VERSION};
pub use files::index::{Pack, Project};
pub use files::{File, Problem};
pub use jobs::{Job, JobError, Waiting};
pub use ledger::{Ledger, Resolved, TypeView};
pub use load::Written;
pub use model::{
    Batch, Change, Identity, LogEntry, LogKind, Move, Report, Signature, TypeNow, What,
};
pub use prints::HashKind;
pub use record::{DRIFT_CHANGES, DRIFT_TIME, MERGE_WINDOW};
pub use semantic::{
    BACKOFF_BASE, EFFECTS, Effect, Event, LEASE, MAX_ATTEMPTS, Next, OutlineEffect, Refused,
    SemanticEffect, State, TRANSITIONS, effect_of, transition,
};
pub use time::{Millis, parse_rfc3339, rfc3339};
