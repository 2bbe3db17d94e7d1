//! Messages: what a peer sent, and what it is told without having asked.

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

/// The notification that gives a request up, with its id, as editors send it.
pub const CANCEL: &str = "$/cancelRequest";

/// More messages than this in one batch are not taken.
const MAX_BATCH: usize = 1_000;

const PARSE_ERROR: i32 = -32_700;
const INVALID_REQUEST: i32 = -32_600;

/// What a request is answered by, as the peer wrote it: a number of any size, a text or `null`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MessageId(Box<str>);

/// A message of a peer.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// Wants an answer.
    Request {
        /// What it is answered by.
        id: MessageId,
        /// What is called.
        method: String,
        /// A list or an object; an empty object where there are none.
        params: Value,
    },
    /// Wants none.
    Notification {
        /// What is called.
        method: String,
        /// A list or an object; an empty object where there are none.
        params: Value,
    },
    /// Answers a request of ours.
    Reply {
        /// What it answers.
        id: MessageId,
        /// Whether the peer refused it.
        is_error: bool,
    },
    /// Cannot be understood: the reply.
    Wrong(String),
}

/// What one frame holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Incoming {
    /// One message.
    One(Message),
    /// Several, which are answered together.
    Batch(Vec<Message>),
}

/// A message as it is written.
#[derive(Deserialize)]
struct Written<'a> {
    #[serde(borrow, default, deserialize_with = "also_null")]
    id: Option<&'a RawValue>,
    #[serde(default)]
    jsonrpc: Value,
    #[serde(default)]
    method: Value,
    params: Option<Value>,
    #[serde(borrow, default, deserialize_with = "also_null")]
    result: Option<&'a RawValue>,
    error: Option<IgnoredAny>,
}

fn also_null<'de, D: Deserializer<'de>>(from: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(from).map(Some)
}

/// Reads a frame. What cannot be read is a message with the reply that says so.
#[must_use]
pub fn incoming(bytes: &[u8]) -> Incoming {
    let wrong =
        |code, said| Incoming::One(Message::Wrong(failed(&MessageId::null(), code, said, None)));
    let Ok(frame) = serde_json::from_slice::<&RawValue>(bytes) else {
        return wrong(PARSE_ERROR, "This is not JSON.");
    };
    if !frame.get().starts_with('[') {
        return Incoming::One(message(frame.get()));
    }
    match serde_json::from_str::<Vec<&RawValue>>(frame.get()) {
        Ok(all) if all.is_empty() => wrong(INVALID_REQUEST, "A batch has at least one message."),
        Ok(all) if all.len() <= MAX_BATCH => {
            Incoming::Batch(all.into_iter().map(|one| message(one.get())).collect())
        }
        _ => wrong(INVALID_REQUEST, "A batch has too many messages."),
    }
}

fn message(text: &str) -> Message {
    let wrong = |id: &MessageId, said| Message::Wrong(failed(id, INVALID_REQUEST, said, None));
    let Ok(written) = serde_json::from_str::<Written<'_>>(text) else {
        return wrong(
            &MessageId::null(),
            "A message is an object with each member once.",
        );
    };
    let id = match written.id.map(|id| MessageId::read(id.get())) {
        None => None,
        Some(Some(id)) => Some(id),
        Some(None) => return wrong(&MessageId::null(), "`id` is a number or a text."),
    };
    let null = MessageId::null();
    let of = id.as_ref().unwrap_or(&null);
    if written.jsonrpc != "2.0" {
        return wrong(of, "`jsonrpc` is \"2.0\".");
    }
    let is_answer = written.result.is_some() != written.error.is_some();
    let method = match (written.method, id.clone()) {
        (Value::String(method), _) => method,
        (Value::Null, Some(id)) if is_answer => {
            let is_error = written.error.is_some();
            return Message::Reply { id, is_error };
        }
        _ => return wrong(of, "`method` is a text."),
    };
    let params = match written.params {
        None => Value::Object(Map::new()),
        Some(params @ (Value::Array(_) | Value::Object(_))) => params,
        Some(_) => return wrong(of, "`params` is a list or an object."),
    };
    match id {
        Some(id) => Message::Request { id, method, params },
        None => Message::Notification { method, params },
    }
}

impl MessageId {
    fn null() -> Self {
        Self("null".into())
    }

    /// An id by its JSON text; `None` where it is none.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let is_id = text == "null"
            || text.starts_with(|first: char| matches!(first, '"' | '-' | '0'..='9'));
        is_id.then(|| Self(text.into()))
    }

    /// Its JSON text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }
}

/// The id that a notification names, as `$/cancelRequest` does; `None` where there is none.
#[must_use]
pub fn named_id(params: &Value) -> Option<MessageId> {
    MessageId::read(&params.get("id")?.to_string())
}

/// The reply to a message that was not read at all.
#[must_use]
pub fn not_read(why: &str) -> String {
    failed(&MessageId::null(), INVALID_REQUEST, why, None)
}

/// The reply that a request failed, with a number of the protocol that is spoken.
#[must_use]
pub fn failed(id: &MessageId, code: i32, message: &str, data: Option<Value>) -> String {
    let mut error = json!({ "code": code, "message": message });
    if let Some(data) = data {
        error["data"] = data;
    }
    written(id, "error", &error)
}

/// The reply of a request that was answered.
#[must_use]
pub fn succeeded(id: &MessageId, result: &Value) -> String {
    written(id, "result", result)
}

/// The id stands as the peer wrote it, which a value of it may not.
fn written(id: &MessageId, member: &str, value: &Value) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{},"{member}":{value}}}"#, id.0)
}

/// A message that wants no answer, by another protocol's method.
#[must_use]
pub fn notification(method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string()
}

/// A request of ours, by another protocol's method.
#[must_use]
pub fn request(id: u32, method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
}

/// What the server tells of its own accord.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// How far the work is that a request waits for.
    Progress,
    /// Types changed their structure, behaviour or documentation.
    Changed,
    /// A step of an operation that `StreamOp` follows.
    Operation,
}

impl Notice {
    fn method(self) -> &'static str {
        match self {
            Self::Progress => "$/progress",
            Self::Changed => "TypesChanged",
            Self::Operation => "OpEvent",
        }
    }
}

/// A notification for a peer. `about` is the request that it is about, which is named as `id` then.
#[must_use]
pub fn notice(of: Notice, about: Option<&MessageId>, params: &Map<String, Value>) -> String {
    let params = Value::Object(params.clone()).to_string();
    let params = match (about, params.strip_prefix('{')) {
        (Some(id), Some("}")) => format!(r#"{{"id":{}}}"#, id.0),
        (Some(id), Some(rest)) => format!(r#"{{"id":{},{rest}"#, id.0),
        _ => params,
    };
    let method = of.method();
    format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params}}}"#)
}
