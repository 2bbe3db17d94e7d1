//! What becomes of a message: it is handed on, refused with its id, or nobody waits for an answer (JSON-RPC 2.0 §5.1).

use rmcp::model::{
    ClientNotification, ClientRequest, ErrorData, InitializeRequestParams, JsonRpcMessage,
    ProtocolVersion, RequestId,
};
use rmcp::service::{RoleServer, RxJsonRpcMessage};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::message::Message;
use super::params;
use super::scan::{GivenId, Glance, Id, MessageKind, MessageScan};

pub(super) const PARSE_ERROR: i32 = -32700;
pub(super) const INVALID_REQUEST: i32 = -32600;
const INVALID_PARAMS: i32 = -32602;
/// Under which name a request of the newest protocol says its version.
const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// A refusal: the request's id where it can be told, a code of JSON-RPC, and a sentence.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) id: Option<Id>,
    pub(super) code: i32,
    pub(super) message: String,
}

impl Refusal {
    pub(super) fn new(id: Option<Id>, code: i32, message: impl Into<String>) -> Self {
        Self {
            id,
            code,
            message: message.into(),
        }
    }
}

/// What becomes of a message.
#[derive(Debug)]
pub(super) enum MessageVerdict {
    /// A request, with the id that its answer must have.
    Request(Id, Box<ClientRequest>),
    /// The client does not want the answer to this request any more.
    Cancelled(Value, Map<String, Value>),
    /// A notification, or the answer to a request of the server.
    Message(Box<RxJsonRpcMessage<RoleServer>>),
    /// Nothing that anybody waits for.
    Nothing,
    Refused(Refusal),
}

/// A code of JSON-RPC and a sentence.
type RpcProblem = (i32, String);

/// Judges one message; `is_open` tells whether the session is initialised.
pub(super) fn judge(message: &[u8], is_open: bool) -> MessageVerdict {
    let message: Message<'_> = match serde_json::from_slice(message) {
        Ok(message) => message,
        Err(error) => return unreadable(message, &error),
    };
    let glance = message.glance();
    match glance.kind() {
        MessageKind::Request(id) => match request(&message, &glance, is_open) {
            Ok(request) => MessageVerdict::Request(id, Box::new(request)),
            Err((code, why)) => MessageVerdict::Refused(Refusal::new(Some(id), code, why)),
        },
        MessageKind::Nameless => {
            let why = match (&glance.method, message.method) {
                (Some(_), _) => "`id` is neither a string nor a whole number.",
                (None, Some(_)) => "`method` is not a string.",
                (None, None) => "The message is not a JSON-RPC request: it has no `method`.",
            };
            MessageVerdict::Refused(Refusal::new(None, INVALID_REQUEST, why))
        }
        MessageKind::Notification if is_open => notification(&message, glance.method.as_deref()),
        MessageKind::Response if is_open => response(&message),
        MessageKind::Notification | MessageKind::Response => MessageVerdict::Nothing,
    }
}

/// Refuses what was not read, unless nobody waits for an answer to it.
pub(super) fn refuse_unread(glance: &Glance, code: i32, why: &str) -> MessageVerdict {
    let id = match glance.kind() {
        MessageKind::Request(id) => Some(id),
        MessageKind::Nameless => None,
        MessageKind::Notification | MessageKind::Response => return MessageVerdict::Nothing,
    };
    MessageVerdict::Refused(Refusal::new(id, code, why))
}

fn unreadable(line: &[u8], error: &serde_json::Error) -> MessageVerdict {
    if error.is_data() {
        // It is JSON, and no object.
        let why = "The line is not a JSON-RPC message, which is an object.";
        return MessageVerdict::Refused(Refusal::new(None, INVALID_REQUEST, why));
    }
    let mut scan = MessageScan::default();
    scan.read(line);
    let why = format!("The line is not JSON: {error}.");
    refuse_unread(&scan.end(), PARSE_ERROR, &why)
}

/// The request of a message, or what is wrong with it.
fn request(
    message: &Message<'_>,
    glance: &Glance,
    is_open: bool,
) -> Result<ClientRequest, RpcProblem> {
    let invalid = |why: String| Err((INVALID_REQUEST, why));
    if let Some(name) = message.doubled {
        return invalid(format!("`{name}` occurs twice in the message."));
    }
    let method = match (&glance.method, message.method) {
        (Some(method), _) => method,
        (None, Some(_)) => return invalid("`method` is not a string.".to_owned()),
        (None, None) => return invalid("The message has no `method`.".to_owned()),
    };
    if glance.has_outcome {
        return invalid("A request has no `result` and no `error`.".to_owned());
    }
    if !is_version(message.jsonrpc) {
        return invalid("`jsonrpc` is not \"2.0\".".to_owned());
    }
    if let GivenId::Read(id) = &glance.id
        && !is_whole(id)
    {
        return invalid("`id` is a number with a fraction.".to_owned());
    }
    let params = object_of(message.params)?;
    let is_known_peer = is_open || params.as_ref().is_some_and(is_self_contained);
    if !is_known_peer && !matches!(method.as_str(), "initialize" | "ping") {
        return invalid("The session is not initialised: send `initialize` first.".to_owned());
    }
    let params = params.unwrap_or_default();
    if let Some(problem) = params::problem(method, &params) {
        return Err((INVALID_PARAMS, problem));
    }
    if method == "initialize"
        && let Err(error) = InitializeRequestParams::deserialize(&Value::Object(params.clone()))
    {
        let why = format!("The parameters of `initialize` cannot be read: {error}.");
        return Err((INVALID_PARAMS, why));
    }
    let mut read = Map::new();
    read.insert("method".to_owned(), method.as_str().into());
    // Some requests have a form for having no parameters at all.
    if !params.is_empty() || params::is_known(method) {
        read.insert("params".to_owned(), Value::Object(params));
    }
    ClientRequest::deserialize(Value::Object(read))
        .map_err(|error| (INVALID_PARAMS, format!("`params` cannot be read: {error}.")))
}

/// Whether a request says itself of which protocol it is: those without a handshake need no session.
fn is_self_contained(params: &Map<String, Value>) -> bool {
    let meta = params.get("_meta");
    let version = meta
        .and_then(|meta| meta.get(META_VERSION))
        .and_then(Value::as_str);
    version.is_some_and(|version| version >= ProtocolVersion::NO_INITIALIZE.as_str())
}

fn is_version(jsonrpc: Option<&RawValue>) -> bool {
    let text = jsonrpc.and_then(|raw| serde_json::from_str::<String>(raw.get()).ok());
    text.as_deref() == Some("2.0")
}

/// Whether an id is a string or a whole number, however large.
fn is_whole(id: &Id) -> bool {
    let text = id.get();
    let is_plain = text.starts_with('"') || !text.contains(['.', 'e', 'E']);
    // 1.0 is a whole number, and so is 1e2.
    is_plain || text.parse().is_ok_and(|number: f64| number.fract() == 0.0)
}

/// The parameters of a message; none where there are none.
fn object_of(params: Option<&RawValue>) -> Result<Option<Map<String, Value>>, RpcProblem> {
    let Some(raw) = params else {
        return Ok(None);
    };
    match serde_json::from_str(raw.get()) {
        Ok(Value::Object(params)) => Ok(Some(params)),
        Ok(Value::Null) => Ok(None),
        Ok(other) => {
            let why = format!("`params` is {}, not an object.", params::kind(&other));
            Err((INVALID_PARAMS, why))
        }
        Err(error) => Err((PARSE_ERROR, format!("`params` cannot be read: {error}."))),
    }
}

fn notification(message: &Message<'_>, method: Option<&str>) -> MessageVerdict {
    let params = object_of(message.params);
    let (Some(method), Ok(params), true) = (method, params, is_version(message.jsonrpc)) else {
        return MessageVerdict::Nothing;
    };
    if method == "notifications/cancelled" {
        let mut params = params.unwrap_or_default();
        return match params.remove("requestId") {
            Some(id) => MessageVerdict::Cancelled(id, params),
            None => MessageVerdict::Nothing,
        };
    }
    match notification_of(method, params) {
        Some(notification) => {
            MessageVerdict::Message(Box::new(JsonRpcMessage::notification(notification)))
        }
        None => MessageVerdict::Nothing,
    }
}

/// A notification of the client.
pub(super) fn notification_of(
    method: &str,
    params: Option<Map<String, Value>>,
) -> Option<ClientNotification> {
    let read = match params {
        Some(params) => json!({ "method": method, "params": params }),
        None => json!({ "method": method }),
    };
    ClientNotification::deserialize(read).ok()
}

/// The answer to a request of the server. Whoever asked is told where it is none.
fn response(message: &Message<'_>) -> MessageVerdict {
    let id = message.id.map(RawValue::get);
    let Some(id) = id.and_then(|id| serde_json::from_str::<RequestId>(id).ok()) else {
        return MessageVerdict::Nothing;
    };
    let result = message.result.filter(|_| message.error.is_none());
    let result = result.and_then(|result| serde_json::from_str(result.get()).ok());
    let answer = match (result, message.error) {
        (Some(result), _) => JsonRpcMessage::response(result, id),
        (None, error) => {
            let error = error.and_then(|error| serde_json::from_str(error.get()).ok());
            let none = || ErrorData::internal_error("The client's answer cannot be read.", None);
            JsonRpcMessage::error(error.unwrap_or_else(none), Some(id))
        }
    };
    MessageVerdict::Message(Box::new(answer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The id and the code of a refusal.
    fn refused(line: &str) -> (Option<String>, i32) {
        match judge(line.as_bytes(), true) {
            MessageVerdict::Refused(refusal) => {
                assert!(refusal.message.ends_with('.'), "{}", refusal.message);
                (refusal.id.map(|id| id.get().to_owned()), refusal.code)
            }
            other => panic!("{line}: {other:?}"),
        }
    }

    /// A request whose id is 7, with these members beside it.
    fn with(members: &str) -> String {
        format!("{{\"id\":7,{members}}}")
    }

    #[test]
    fn a_broken_request_is_refused_with_its_id() {
        let seven = Some("7".to_owned());
        let ping = r#""jsonrpc":"2.0","method":"ping""#;
        for (members, code) in [
            (r#""method":"ping""#.to_owned(), INVALID_REQUEST),
            (
                r#""jsonrpc":"1.0","method":"ping""#.to_owned(),
                INVALID_REQUEST,
            ),
            (
                r#""jsonrpc":2.0,"method":"ping""#.to_owned(),
                INVALID_REQUEST,
            ),
            (r#""jsonrpc":"2.0""#.to_owned(), INVALID_REQUEST),
            (r#""jsonrpc":"2.0","method":5"#.to_owned(), INVALID_REQUEST),
            (format!("{ping},\"result\":{{}}"), INVALID_REQUEST),
            (format!("{ping},\"error\":{{}}"), INVALID_REQUEST),
            (format!("{ping},\"method\":\"ping\""), INVALID_REQUEST),
            (
                format!("{ping},\"params\":{{}},\"params\":{{}}"),
                INVALID_REQUEST,
            ),
            (format!("{ping},\"params\":[1]"), INVALID_PARAMS),
            (format!("{ping},\"params\":\"x\""), INVALID_PARAMS),
            (format!("{ping},\"params\":0"), INVALID_PARAMS),
            (format!("{ping},\"params\":{{\"_meta\":5}}"), INVALID_PARAMS),
            (
                format!("{ping},\"params\":{{\"x\":\"\\ud83d\"}}"),
                PARSE_ERROR,
            ),
            (
                format!("{ping},\"params\":{}", "[".repeat(100_000)),
                PARSE_ERROR,
            ),
            (format!("{ping},\"params\":{{}},"), PARSE_ERROR),
        ] {
            assert_eq!(refused(&with(&members)), (seven.clone(), code), "{members}");
        }
    }

    #[test]
    fn an_id_is_any_string_or_whole_number() {
        let line = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        for id in [
            "0",
            "-1",
            "9223372036854775808",
            "18446744073709551616",
            "123456789012345678901234567890",
            "1.0",
            "1e2",
            "\"\"",
            "\"\\u0061\"",
        ] {
            match judge(line(id).as_bytes(), true) {
                MessageVerdict::Request(given, _) => assert_eq!(given.get(), id),
                other => panic!("{id}: {other:?}"),
            }
        }
        for id in ["1.5", "1e-2"] {
            assert_eq!(refused(&line(id)), (Some(id.to_owned()), INVALID_REQUEST));
        }
        for id in ["null", "true", "[1]", "{}", "1e400"] {
            assert_eq!(refused(&line(id)), (None, INVALID_REQUEST), "{id}");
        }
    }

    #[test]
    fn what_is_no_message_at_all_is_refused_without_an_id() {
        for (line, code) in [
            ("{nonsense", PARSE_ERROR),
            ("7", INVALID_REQUEST),
            ("\"text\"", INVALID_REQUEST),
            ("{}", INVALID_REQUEST),
            (r#"{"foo":1}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","method":1}"#, INVALID_REQUEST),
        ] {
            assert_eq!(refused(line), (None, code), "{line}");
        }
    }

    #[test]
    fn nothing_is_said_to_broken_notifications_and_responses() {
        for line in [
            r#"{"method":"notifications/cancelled"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/progress","params":"\ud83d"}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":1}}"#,
            r#"{"jsonrpc":"2.0","id":[],"result":{}}"#,
            r#"{"jsonrpc":"2.0","result":{}"#,
        ] {
            let verdict = judge(line.as_bytes(), true);
            assert!(
                matches!(verdict, MessageVerdict::Nothing),
                "{line}: {verdict:?}"
            );
        }
    }

    #[test]
    fn before_the_handshake_only_requests_are_answered() {
        let hello = json!({
            "jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": { "name": "test", "version": "1" },
            },
        });
        let is_nothing = |line: &Value| {
            matches!(
                judge(line.to_string().as_bytes(), false),
                MessageVerdict::Nothing
            )
        };
        let is_request = |line: &Value| {
            matches!(
                judge(line.to_string().as_bytes(), false),
                MessageVerdict::Request(..)
            )
        };
        assert!(is_request(&hello));
        let mut notice = hello.clone();
        notice.as_object_mut().unwrap().remove("id");
        assert!(is_nothing(&notice), "`initialize` as a notification");
        assert!(is_nothing(
            &json!({ "jsonrpc": "2.0", "id": 1, "result": {} })
        ));
        assert!(is_nothing(
            &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })
        ));
        assert!(is_request(
            &json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" })
        ));
        let list = json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/list" }).to_string();
        let verdict = judge(list.as_bytes(), false);
        assert!(matches!(
            verdict,
            MessageVerdict::Refused(Refusal {
                code: INVALID_REQUEST,
                ..
            })
        ));
        for params in [json!({}), json!({ "protocolVersion": 1 })] {
            let mut wrong = hello.clone();
            wrong["params"] = params;
            let MessageVerdict::Refused(refusal) = judge(wrong.to_string().as_bytes(), false)
            else {
                panic!("{wrong}");
            };
            assert_eq!(refusal.code, INVALID_PARAMS);
            assert!(refusal.message.contains("protocolVersion"), "{refusal:?}");
        }
    }

    proptest! {
        #[test]
        fn any_line_has_a_verdict(line in proptest::collection::vec(any::<u8>(), 0..200), is_open: bool) {
            let _ = judge(&line, is_open);
        }
    }
}
