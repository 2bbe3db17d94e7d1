//! The lines between a client and the server: what is no JSON-RPC message is answered as one that is none, instead of
//! being dropped or ending the session (JSON-RPC 2.0 §5.1; SPEC TC5, RPC1).

use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, DuplexStream, duplex,
};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

/// Bytes that wait between the client's pipes and the server.
const WAITING: usize = 256 << 10;

/// The server's ends of the pipes, and the task that writes to the client.
pub(super) struct Wire {
    /// What the server reads.
    pub(super) input: DuplexStream,
    /// Where the server writes.
    pub(super) output: DuplexStream,
    /// Ends when all that the server wrote has been handed to the client.
    pub(super) written: JoinHandle<()>,
}

/// Connects a client's pipes. Must be called within a runtime.
pub(super) fn connect(
    client: impl AsyncRead + Send + Unpin + 'static,
    to_client: impl AsyncWrite + Send + Unpin + 'static,
) -> Wire {
    let (input, to_server) = duplex(WAITING);
    let (output, from_server) = duplex(WAITING);
    let (refused, refusals) = unbounded_channel();
    tokio::spawn(take_in(client, to_server, refused));
    Wire {
        input,
        output,
        written: tokio::spawn(give_out(from_server, refusals, to_client)),
    }
}

/// Hands on the client's messages, and answers those that are none.
async fn take_in(
    client: impl AsyncRead + Unpin,
    mut to_server: DuplexStream,
    refused: UnboundedSender<Value>,
) {
    let mut lines = BufReader::new(client);
    let mut line = Vec::new();
    let mut is_open = false;
    loop {
        line.clear();
        match lines.read_until(b'\n', &mut line).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        match judge(&line, &mut is_open) {
            Verdict::Message => {
                if line.last() != Some(&b'\n') {
                    line.push(b'\n');
                }
                if to_server.write_all(&line).await.is_err() {
                    return;
                }
            }
            Verdict::Nothing => {}
            Verdict::Refused(answer) => {
                if refused.send(answer).is_err() {
                    return;
                }
            }
        }
    }
}

/// Writes the server's lines and the answers to what was refused, each whole.
async fn give_out(
    from_server: DuplexStream,
    mut refusals: UnboundedReceiver<Value>,
    mut client: impl AsyncWrite + Unpin,
) {
    let mut lines = BufReader::new(from_server);
    let mut line = Vec::new();
    let mut has_refusals = true;
    loop {
        // A line that was read in part stays in `line` when a refusal comes first.
        let written = tokio::select! {
            read = lines.read_until(b'\n', &mut line) => match read {
                Ok(0) | Err(_) => return,
                Ok(_) => std::mem::take(&mut line),
            },
            refusal = refusals.recv(), if has_refusals => match refusal {
                Some(refusal) => format!("{refusal}\n").into_bytes(),
                None => {
                    has_refusals = false;
                    continue;
                }
            },
        };
        if client.write_all(&written).await.is_err() || client.flush().await.is_err() {
            return;
        }
    }
}

/// What a line of the client is.
#[derive(Debug, PartialEq)]
enum Verdict {
    /// A message for the server.
    Message,
    /// Nothing that anybody waits for.
    Nothing,
    /// No message; the answer to it.
    Refused(Value),
}

/// `is_open` tells whether the session was initialised before, and is set when it is.
fn judge(line: &[u8], is_open: &mut bool) -> Verdict {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Verdict::Nothing;
    }
    let message: Value = match serde_json::from_slice(line) {
        Ok(message) => message,
        Err(error) => {
            let why = format!("The line is no JSON: {error}.");
            return Verdict::Refused(refusal(id_in(line), -32700, &why));
        }
    };
    let id = message.get("id").cloned();
    let method = message.get("method").and_then(Value::as_str);
    let is_answer = message.get("result").is_some() || message.get("error").is_some();
    match method {
        None if is_answer => Verdict::Message,
        None => {
            let why = "The line is no JSON-RPC message: it has no `method`.";
            Verdict::Refused(refusal(id.unwrap_or_default(), -32600, why))
        }
        Some("initialize") => {
            *is_open = true;
            Verdict::Message
        }
        Some("ping") => Verdict::Message,
        Some(_) if *is_open => Verdict::Message,
        Some(_) => match id {
            Some(id) => {
                let why = "The session is not initialised: send `initialize` first.";
                Verdict::Refused(refusal(id, -32600, why))
            }
            None => Verdict::Nothing,
        },
    }
}

fn refusal(id: Value, code: i32, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

/// The id of a message that is broken elsewhere, where it can be told: the client waits for an answer to it.
fn id_in(line: &[u8]) -> Value {
    const KEY: &[u8] = b"\"id\"";
    let (mut depth, mut at) = (0usize, 0);
    while let Some(byte) = line.get(at) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                let end = end_of_string(line, at);
                if depth == 1 && line[at..end] == *KEY {
                    return id_behind(&line[end..]);
                }
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    Value::Null
}

/// The first byte behind a string that begins here.
fn end_of_string(line: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = line.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    line.len()
}

/// The number or string behind the colon; anything else is no id.
fn id_behind(rest: &[u8]) -> Value {
    let rest = rest.trim_ascii_start();
    let Some(rest) = rest.strip_prefix(b":").map(<[u8]>::trim_ascii_start) else {
        return Value::Null;
    };
    let end = match rest.first() {
        Some(b'"') => end_of_string(rest, 0),
        _ => {
            let is_number = |byte: &u8| byte.is_ascii_digit() || *byte == b'-';
            rest.iter().take_while(|byte| is_number(byte)).count()
        }
    };
    serde_json::from_slice(&rest[..end]).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn code(line: &[u8]) -> (Value, Value) {
        match judge(line, &mut true) {
            Verdict::Refused(answer) => (answer["id"].clone(), answer["error"]["code"].clone()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_no_json_is_answered_with_its_id_where_that_can_be_read() {
        let parse = json!(-32700);
        assert_eq!(code(b"{nonsense"), (Value::Null, parse.clone()));
        assert_eq!(code(br#"{"id":7,"method":"x","#), (json!(7), parse.clone()));
        let surrogate = br#"{"params":{"id":1,"s":"\ud83d"},"id" : "a\"b","method":"x"}"#;
        assert_eq!(code(surrogate), (json!("a\"b"), parse.clone()));
        assert_eq!(
            code(b"{\"id\":3,\"x\":\"\xff\"}"),
            (json!(3), parse.clone())
        );
        let nested = [b"{\"id\":4,\"x\":".as_slice(), &[b'['; 100_000]].concat();
        assert_eq!(code(&nested), (json!(4), parse));
    }

    #[test]
    fn what_is_no_message_is_no_valid_request() {
        assert_eq!(code(br#"{"id":7}"#), (json!(7), json!(-32600)));
        assert_eq!(code(b"[]"), (Value::Null, json!(-32600)));
    }

    #[test]
    fn before_the_handshake_notifications_are_ignored_and_requests_refused() {
        let mut is_open = false;
        for method in ["notifications/cancelled", "notifications/initialized"] {
            let line = json!({ "jsonrpc": "2.0", "method": method }).to_string();
            assert_eq!(judge(line.as_bytes(), &mut is_open), Verdict::Nothing);
        }
        let list = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
        assert!(matches!(judge(list, &mut is_open), Verdict::Refused(_)));
        let hello = br#"{"jsonrpc":"2.0","id":2,"method":"initialize"}"#;
        assert_eq!(judge(hello, &mut is_open), Verdict::Message);
        assert_eq!(judge(list, &mut is_open), Verdict::Message);
    }

    proptest! {
        #[test]
        fn any_line_has_a_verdict(line in proptest::collection::vec(any::<u8>(), 0..200)) {
            let mut is_open = false;
            let _ = judge(&line, &mut is_open);
            let _ = id_in(&line);
        }
    }
}
