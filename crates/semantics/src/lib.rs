//! What is described of types, and what the answers change (SPEC SE1, I3, I4, X12). The model is an effect: here are
//! the prompt and the answer as values, the text that they make, the jobs, the account, and investigations.

mod accounts;
mod answer;
mod cleaning;
mod document;
mod gathered;
mod investigation;
mod members;
mod operation;
mod prepared;
mod prompt;
mod quota;
mod running_operations;
mod sections;
mod semantic_jobs;
mod state;
mod ticket;

pub use accounts::{change_usage, note_redacted, note_usage, quota, refusal, shortage, usage_of};
pub use answer::{Answer, AnswerProblem, MAX_ANSWER, NO_CHANGE, read_answer};
pub use cleaning::{clean_messages, clean_request, clean_text};
pub use document::{FrontMatter, SemanticText, joined_texts};
pub use gathered::{Gathered, snapshot_path};
pub use investigation::{Investigation, conversation_path};
pub use members::{Affected, MemberText, affected, read_snapshot, write_snapshot};
pub use operation::{
    Conclusion, Evidence, OpState, OpStep, Operation, ReadFile, SCHEMA_VERSION, conclusion_of,
    is_op_id, op_path, read_conclusion, verify,
};
pub use prepared::{Prepared, TextOutcome};
pub use prompt::{DescribedType, Finding, Material, Prompt, PromptDependency, prompt};
pub use quota::{Cost, Quota, Usage};
pub use running_operations::{concluded_about, note_concluded, note_running, noted_running};
pub use sections::TextSections;
pub use semantic_jobs::{
    Accepted, Given, JobOutcome, LedgerConsequence, SemanticJobs, TextFile, Worker,
};
pub use state::{Models, PendingModelRequest, Semantics};
pub use ticket::Ticket;
