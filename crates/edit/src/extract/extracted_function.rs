//! A function that selected code becomes.

use crate::extract::flow::SharedVariable;
use crate::extract::host::FunctionHost;
use crate::extract::statements::SelectedPart;

/// What the new function gives, and what becomes of it.
#[derive(Clone, Debug)]
pub(super) enum ExtractedResult {
    /// Nothing.
    Nothing,
    /// Values of variables that are used behind the selection.
    Values(Vec<SharedVariable>),
    /// The value of the expression.
    Expression,
    /// What the function around returns.
    Returned,
}

/// A parameter of the new function and its argument.
#[derive(Clone, Debug)]
pub(super) struct ExtractedParameter {
    pub(super) name: String,
    /// The type; empty where the language needs none.
    pub(super) ty: String,
    /// What stands before the name in the call: `&`, `&mut `.
    pub(super) passed: &'static str,
    /// Whether it is assigned in the new function.
    pub(super) is_assigned: bool,
}

/// The new function.
pub(super) struct ExtractedFunction<'t> {
    pub(super) host: FunctionHost<'t>,
    pub(super) part: SelectedPart<'t>,
    pub(super) parameters: Vec<ExtractedParameter>,
    pub(super) result: ExtractedResult,
    /// The type of the result; empty where the language needs none or there is none.
    pub(super) result_type: String,
    /// Type parameters with brackets, and what constrains them.
    pub(super) generics: (String, String),
    pub(super) is_async: bool,
    /// Whether it works on the object of the function around.
    pub(super) uses_object: bool,
    /// The parameter of Python, Go or Rust that is the object.
    pub(super) receiver: Option<String>,
    /// Where the variables are defined that it shares with the function around.
    pub(super) shared_defs: Vec<u32>,
}
