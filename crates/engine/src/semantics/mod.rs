//! Semantic texts: what a prompt is made of, who is asked, and what becomes of the answer (SPEC SE1–SE3, X12;
//! docs/semantic-texts.md).
//!
//! An agent that calls `codecortex_getSemantic` and `codecortex_submitSemantic`, and a model that the queue asks, get
//! the same prompt (`codecortex_grounding`) and are validated alike (`codecortex_semantics::Prepared`).

pub(crate) mod accounts;
pub(crate) mod investigate;
pub(crate) mod job_prompt;
pub(crate) mod jobs;
pub(crate) mod models;
pub(crate) mod operation_files;
pub(crate) mod operations;
pub(crate) mod resumed_operations;
