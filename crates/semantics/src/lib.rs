//! What is described of types, and what the answers change (SPEC SE1, I3, I4, X12). The model is an effect: here are
//! the prompt and the answer as values, the text that they make, and the jobs.

mod answer;
mod cleaning;
mod document;
mod members;
mod operation;
mod prompt;
mod quota;
mod sections;
mod semantic_jobs;
mod ticket;

pub use answer::{Answer, AnswerProblem, MOST_ANSWER, NO_CHANGE, read_answer};
pub use cleaning::{clean_messages, clean_request, clean_text};
pub use document::{Head, SemanticText, joined_texts};
pub use members::{Affected, MemberText, affected, read_snapshot, write_snapshot};
pub use operation::{
    Conclusion, Evidence, OpState, OpStep, Operation, ReadFile, SCHEMA_VERSION, conclusion_of,
    is_op_id, op_path, read_conclusion, verify,
};
pub use prompt::{Dependency, Finding, Material, Prompt, Subject, prompt};
pub use quota::{Cost, Quota, Usage};
pub use sections::Section;
pub use semantic_jobs::{Accepted, Given, Outcome, SemanticJobs, TextFile, Told, Worker};
pub use ticket::Ticket;
