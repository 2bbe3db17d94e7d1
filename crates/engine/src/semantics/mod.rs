//! Semantic texts: what a prompt is made of, who is asked, and what becomes of the answer (SPEC SE1–SE3, X12;
//! docs/semantic-texts.md).
//!
//! An agent that calls `codecortex_getSemantic` and `codecortex_submitSemantic`, and a model that the queue asks, get
//! the same prompt ([`gather`]) and are validated alike ([`text`]).

pub(crate) mod conclusion;
pub(crate) mod findings;
pub(crate) mod gather;
pub(crate) mod investigate;
pub(crate) mod investigation;
pub(crate) mod job_prompt;
pub(crate) mod jobs;
pub(crate) mod models;
pub(crate) mod operation_paths;
pub(crate) mod operations;
pub(crate) mod resumed_operations;
pub(crate) mod text;
pub(crate) mod units;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::semantics::investigation::Investigation;
use crate::semantics::text::Prepared;

/// What is being described.
#[derive(Debug, Default)]
pub(crate) struct Semantics {
    /// Jobs whose prompt is with a model, by their numbers.
    pub(crate) prepared: FxHashMap<u32, Prepared>,
    /// Investigations of this session, by id.
    pub(crate) ops: BTreeMap<String, Investigation>,
    /// Ids of those that were at work when a process ended, and are taken up again.
    pub(crate) resumed: BTreeSet<String>,
    /// Ids of those that are noted as at work and are not.
    pub(crate) gone_ops: BTreeSet<String>,
}
