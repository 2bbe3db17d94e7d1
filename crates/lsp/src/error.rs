//! Errors of requests: a tool's error as LSP has it.

use serde_json::{Value, json};

/// Why a request has no result.
#[derive(Clone, Debug, PartialEq)]
pub struct LspError {
    /// The number of JSON-RPC or LSP.
    pub code: i32,
    /// A sentence for a person.
    pub message: String,
    /// The tool's code, hint and details.
    pub data: Option<Value>,
}

impl LspError {
    /// The method is not known.
    pub const METHOD_NOT_FOUND: i32 = -32_601;
    /// The parameters are not those of the method.
    pub const INVALID_PARAMS: i32 = -32_602;
    /// The request is not allowed now.
    pub const INVALID_REQUEST: i32 = -32_600;
    /// A request came before `initialize`.
    pub const NOT_INITIALIZED: i32 = -32_002;
    /// The client gave the request up.
    pub const CANCELLED: i32 = -32_800;
    /// The request is right and cannot be done.
    pub const REQUEST_FAILED: i32 = -32_803;

    /// An error without data.
    #[must_use]
    pub fn new(code: i32, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }

    /// A request that cannot be done.
    #[must_use]
    pub fn failed(message: impl Into<String>) -> Self {
        Self::new(Self::REQUEST_FAILED, message)
    }
}

/// What a tool answered instead of data.
#[derive(Clone, Debug, PartialEq)]
pub enum ToolFailure {
    /// The client gave the request up.
    Cancelled,
    /// The `error` of the envelope.
    Error(Value),
}

impl ToolFailure {
    /// The code of the envelope.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Self::Cancelled => "Cancelled",
            Self::Error(error) => error["code"].as_str().unwrap_or("InternalError"),
        }
    }

    /// The tool's sentence.
    #[must_use]
    pub fn message(&self) -> &str {
        match self {
            Self::Cancelled => "The request was cancelled.",
            Self::Error(error) => error["message"].as_str().unwrap_or_default(),
        }
    }

    /// Whether nothing is wrong: there is nothing at the place, or nothing is known of it.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        matches!(
            self.code(),
            "SymbolNotFound" | "NotFound" | "AccessDenied" | "InvalidParams" | "Unavailable"
        )
    }
}

impl From<ToolFailure> for LspError {
    fn from(failure: ToolFailure) -> Self {
        let code = match failure.code() {
            "Cancelled" => Self::CANCELLED,
            "InternalError" => -32_603,
            _ => Self::REQUEST_FAILED,
        };
        let message = failure.message().to_owned();
        let data = match failure {
            ToolFailure::Cancelled => None,
            ToolFailure::Error(error) => Some(json!({
                "code": error["code"],
                "hint": error["hint"],
                "details": error["details"],
            })),
        };
        Self {
            code,
            message,
            data,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_keeps_its_reason_and_its_next_step() {
        let refusal = json!({ "code": "Unavailable", "message": "No.", "hint": "Look." });
        let error = LspError::from(ToolFailure::Error(refusal));
        assert_eq!((error.code, error.message.as_str()), (-32_803, "No."));
        assert_eq!(error.data.unwrap()["hint"], "Look.");
        assert_eq!(LspError::from(ToolFailure::Cancelled).code, -32_800);
    }
}
