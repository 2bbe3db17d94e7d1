//! Failures as every surface shows them (SPEC TC1, TC3).

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::tokens::tokens_approx;

/// The one list of error codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub enum ErrorCode {
    /// An argument is missing, of the wrong type, out of range or ambiguous.
    InvalidParams,
    /// Inside the workspace, and not there.
    NotFound,
    /// No symbol of that path; `details.suggestions`.
    SymbolNotFound,
    /// Several symbols of that path; `details.candidates`.
    AmbiguousSymbol,
    /// Outside the workspace; `details.publicAlternatives` for members that are not accessible.
    AccessDenied,
    /// The index is not far enough to answer rightly; `details.progress`.
    Busy,
    /// A filter does not parse; `details.position`.
    InvalidFilter,
    /// The document changed since the version that the call is based on.
    VersionConflict,
    /// No answer is small enough; `details.minimumTokens`.
    BudgetExceeded,
    /// The caller gave up.
    Cancelled,
    /// This cannot be answered here, though the call is right.
    Unavailable,
    /// Our fault; `details.traceId` finds it in the log.
    InternalError,
}

/// A failed call.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ToolError {
    /// What kind of failure.
    pub code: ErrorCode,
    /// What is wrong, as a sentence.
    pub message: String,
    /// Whether the same call may succeed later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retryable: Option<bool>,
    /// What to do next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Data for the code.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub details: Map<String, Value>,
}

impl ToolError {
    /// An error of `code` with a sentence.
    #[must_use]
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            retryable: None,
            hint: None,
            details: Map::new(),
        }
    }

    /// Adds what to do next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds data.
    #[must_use]
    pub fn detail(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.details.insert(name.to_owned(), value.into());
        self
    }

    /// Says that the same call may succeed later.
    #[must_use]
    pub fn retryable(mut self) -> Self {
        self.retryable = Some(true);
        self
    }

    /// A wrong argument.
    #[must_use]
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::InvalidParams, message)
    }

    /// Drops what can be missed most easily; false when nothing is left to drop.
    pub fn shrink(&mut self) -> bool {
        for value in self.details.values_mut() {
            if let Value::Array(values) = value
                && values.len() > 1
            {
                values.truncate(values.len() / 2);
                return true;
            }
        }
        let long = self.details.values_mut().find_map(|value| match value {
            Value::String(text) if text.len() > 200 => Some(text),
            _ => None,
        });
        if let Some(text) = long {
            text.truncate(text.floor_char_boundary(text.len() / 2));
            text.push('…');
            return true;
        }
        if !self.details.is_empty() {
            self.details.clear();
            return true;
        }
        self.hint.take().is_some()
    }

    /// The envelope.
    #[must_use]
    pub fn envelope(&self) -> Value {
        json!({ "ok": false, "error": self })
    }

    /// The envelope with what it costs, the account included (SPEC D14); `granted` is what the answer may cost.
    #[must_use]
    pub fn accounted_envelope(&self, granted: Option<u32>) -> String {
        let mut envelope = self.envelope();
        let mut tokens = 0;
        // It shows its own cost: another digit can make it one token more.
        loop {
            envelope["budget"] = json!({
                "budget_tokens": granted,
                "tokens_approx": tokens,
                "truncated": false,
                "downgrade_applied": [],
            });
            let text = envelope.to_string();
            let now = tokens_approx(&text);
            if now <= tokens {
                return text;
            }
            tokens = now;
        }
    }

    /// The text form.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = format!("// error {:?}: {}\n", self.code, self.message);
        if let Some(hint) = &self.hint {
            out.push_str(&format!("// hint: {hint}\n"));
        }
        let is_empty = |value: &Value| match value {
            Value::Null => true,
            Value::Array(entries) => entries.is_empty(),
            Value::Object(members) => members.is_empty(),
            _ => false,
        };
        for (name, value) in self.details.iter().filter(|(_, value)| !is_empty(value)) {
            out.push_str(&format!("// {name}: {value}\n"));
        }
        out
    }
}
