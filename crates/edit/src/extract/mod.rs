//! Extract: an expression becomes a variable, statements become a function.

mod arithmetic;
pub(crate) mod effects;
mod extracted_function;
mod extraction;
mod flow;
pub(crate) mod forms;
mod host;
mod jumps;
mod made_values;
mod method;
mod method_hazards;
mod method_object;
mod method_parameters;
mod method_result;
mod method_text;
mod names;
pub(crate) mod place;
mod script_context;
mod script_tests;
mod selection;
mod statements;
mod types;
mod value_form;
mod variable;

pub use extraction::{ExtractedAs, Extraction};
