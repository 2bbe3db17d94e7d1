//! Plans and applies changes to other programs' configuration, and takes them back.
//!
//! The programs are agents that use the CodeCortex server over MCP ([`agents`], data in `data/agents.json`). A plan is
//! made from values and a [`Files`] to read ([`install`], [`uninstall`]); only [`apply`] writes, all files of an agent or
//! none. Documents are changed in place ([`document`]): comments, order, indentation and line ends stay. What cannot be
//! derived when a change is taken back is kept in a [`RecordStore`].

mod agents;
mod apply;
mod check;
mod disk;
mod document;
mod entry;
mod links;
mod paths;
mod plan;
mod record;
mod unified;

pub use agents::{Agent, InstructionKind, Scope, ScopeFiles, agents};
pub use apply::{ApplyError, apply};
pub use check::{CheckedEntry, EntryState, check};
pub use disk::{Disk, Files};
pub use document::{Form, MARK_BEGIN, MARK_END};
pub use entry::Invocation;
pub use paths::{Platform, Surroundings};
pub use plan::{
    AgentPart, AgentPlan, FileChange, Goal, Outcome, Step, detected, install, uninstall,
};
pub use record::{FileRecord, RecordError, RecordKey, RecordStore};
pub use unified::unified_diff;
