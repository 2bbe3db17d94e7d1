//! What a model is asked and what it says (SPEC SE2). The core writes the messages and reads the answer; who answers
//! is the host's: a language model of the editor, an address, an MCP client.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a model is asked, whole: a host keeps nothing of earlier requests.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelRequest {
    /// What it is for: `describe`, `investigate`, `review` …; for logs, consents and accounts.
    pub purpose: String,
    /// What it is about, for people: a type's path, a question.
    pub subject: String,
    /// The conversation so far, the oldest first.
    pub messages: Vec<ModelMessage>,
    /// Tools that the model may call; the core answers the calls. None where it cannot call any.
    #[serde(default)]
    pub tools: Vec<ModelTool>,
    /// The most tokens that the answer may have.
    pub max_output_tokens: u32,
    /// How often the host may ask in all, where the model is busy or cannot be reached; it waits longer each time.
    pub attempts: u32,
}

impl ModelRequest {
    /// The text of all messages, for who counts what it costs.
    #[must_use]
    pub fn text(&self) -> String {
        let contents = self.messages.iter().map(|message| message.content.as_str());
        contents.collect::<Vec<_>>().join("\n\n")
    }
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelMessage {
    /// Who says it.
    pub role: ModelRole,
    /// What it says; may be empty where the model calls tools.
    pub content: String,
    /// Tools that the model called in this message.
    #[serde(default)]
    pub calls: Vec<ModelToolCall>,
    /// Of a tool's answer, the call that it is of.
    #[serde(default)]
    pub call_id: Option<String>,
}

impl ModelMessage {
    /// A message of somebody with nothing but a text.
    #[must_use]
    pub fn new(role: ModelRole, content: impl Into<String>) -> Self {
        Self {
            role,
            content: content.into(),
            calls: Vec::new(),
            call_id: None,
        }
    }
}

/// Who says something in a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ModelRole {
    /// Standing instructions.
    System,
    /// Who asks.
    User,
    /// The model.
    Assistant,
    /// A tool that the model called.
    Tool,
}

/// A tool that a model may call.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelTool {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The JSON schema of its arguments.
    pub input_schema: Value,
}

/// A call of a tool by a model.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelToolCall {
    /// The model's name for this call.
    pub id: String,
    /// The tool.
    pub name: String,
    /// Its arguments as the model wrote them: a JSON object, if the model is right.
    pub arguments: String,
}

/// What became of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum ModelOutcome {
    /// The model answered.
    Answered {
        /// What it said, as it is; nobody has looked at it.
        text: String,
        /// Tools that it wants called.
        #[serde(default)]
        calls: Vec<ModelToolCall>,
        /// What it cost, where the model says so.
        #[serde(default)]
        usage: Option<ModelUsage>,
    },
    /// It did not.
    Failed {
        /// In what way.
        failure: ModelFailure,
        /// Why, as a sentence.
        message: String,
        /// Ms until it may be asked again, where somebody said so.
        #[serde(default)]
        retry_after_ms: Option<u32>,
    },
}

impl ModelOutcome {
    /// A failure without a time.
    #[must_use]
    pub fn failed(failure: ModelFailure, message: impl Into<String>) -> Self {
        Self::Failed {
            failure,
            message: message.into(),
            retry_after_ms: None,
        }
    }
}

/// What a request cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelUsage {
    /// Tokens that went in, by the model's count.
    pub input_tokens: u32,
    /// Tokens that came out.
    pub output_tokens: u32,
}

/// Why a model did not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ModelFailure {
    /// There is no model.
    Absent,
    /// A key is missing or wrong, or a person did not agree: asking again does not help.
    Refused,
    /// Too much was asked in too short a time.
    Limited,
    /// It cannot be reached, or it is broken.
    Unreachable,
    /// It took too long.
    TimedOut,
    /// It answered with something that is no answer, or with too much.
    Malformed,
    /// Nobody wants it any more.
    Cancelled,
}

impl ModelFailure {
    /// Whether the same request may be answered later, without anybody doing something.
    #[must_use]
    pub fn may_pass(self) -> bool {
        !matches!(self, Self::Absent | Self::Refused)
    }
}
