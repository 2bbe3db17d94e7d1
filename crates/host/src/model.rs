//! Models by their address, in the way that most servers of models have in common: `POST …/chat/completions`
//! (SPEC SE2).
//!
//! Each request has a thread of its own while it is open. What comes is read up to a bound and never shown as anything
//! but text. A key is read from the environment and goes into one header; it is in no file, no log and no message.

use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use codecortex_engine::protocol::{
    ModelFailure, ModelMessage, ModelOutcome, ModelRequest, ModelRole, ModelToolCall, ModelUsage,
};
use serde_json::{Value, json};
use ureq::unversioned::resolver::DefaultResolver;
use ureq::unversioned::transport::{Connector, DefaultConnector};

use crate::cancellation::{GiveUp, StillNeeded};

/// The most bytes of an answer that are read.
const MAX_BYTES: u64 = 1 << 20;
/// The first wait before a model is asked again; it doubles each time.
const FIRST_WAIT: Duration = Duration::from_secs(2);
/// The longest wait that a server may ask for.
const LONGEST_WAIT: Duration = Duration::from_secs(120);
/// How often a wait looks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(50);

/// Where a model is and what it is called.
#[derive(Clone)]
pub struct ModelAddress {
    /// The address that `/chat/completions` is put behind, such as `https://api.example.com/v1`.
    pub url: String,
    /// The model's name there.
    pub model: String,
    /// What identifies who pays; none where nothing does.
    pub key: Option<String>,
    /// How long one request may take.
    pub timeout: Duration,
    /// How many may be open at a time.
    pub slots: u32,
}

/// A model that somebody else has, such as the client of a server.
pub trait ModelClient: Send + Sync {
    /// What people call it.
    fn name(&self) -> String;

    /// Asks, on a thread of its own, until there is an answer or nobody wants one any more.
    fn ask(&self, request: &ModelRequest, is_wanted: &dyn Fn() -> bool) -> ModelOutcome;
}

/// Where models are asked.
#[derive(Clone)]
enum ModelEndpoint {
    Address(ModelAddress),
    Client(Arc<dyn ModelClient>),
}

impl std::fmt::Debug for ModelAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ModelAddress")
            .field("url", &self.url)
            .field("model", &self.model)
            .field("has_key", &self.key.is_some())
            .finish_non_exhaustive()
    }
}

/// `min(4, processors / 2)`, at least one (`000` §5.3).
#[must_use]
pub fn default_slots() -> u32 {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    (processors / 2).clamp(1, 4) as u32
}

/// Requests that are open.
pub(crate) struct Models {
    source: Option<ModelEndpoint>,
    cancelled: Arc<Mutex<HashSet<u32>>>,
    open: HashMap<u32, ()>,
    sender: Sender<(u32, ModelOutcome)>,
    inbox: Receiver<(u32, ModelOutcome)>,
}

impl Models {
    pub(crate) fn new(address: Option<ModelAddress>) -> Self {
        let (sender, inbox) = channel();
        Self {
            source: address.map(ModelEndpoint::Address),
            cancelled: Arc::default(),
            open: HashMap::new(),
            sender,
            inbox,
        }
    }

    /// From now on this one is asked.
    pub(crate) fn use_client(&mut self, client: Arc<dyn ModelClient>) {
        self.source = Some(ModelEndpoint::Client(client));
    }

    pub(crate) fn is_busy(&self) -> bool {
        !self.open.is_empty()
    }

    /// Begins a request; its answer comes from [`Self::next`].
    pub(crate) fn ask(&mut self, id: u32, request: ModelRequest) {
        self.open.insert(id, ());
        let sender = self.sender.clone();
        let cancelled = Arc::clone(&self.cancelled);
        let Some(source) = self.source.clone() else {
            let outcome = ModelOutcome::failed(ModelFailure::Absent, "No model was chosen.");
            // This end is ours.
            let _ = sender.send((id, outcome));
            return;
        };
        let work = move || {
            let wanted = StillNeeded::new(move || {
                !cancelled
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .contains(&id)
            });
            let outcome = match source {
                ModelEndpoint::Address(address) => ask_until(&address, &request, &wanted),
                ModelEndpoint::Client(client) => client.ask(&request, &|| wanted.is_wanted()),
            };
            // Whoever asked may have ended.
            let _ = sender.send((id, outcome));
        };
        let thread = std::thread::Builder::new().name("model".into()).spawn(work);
        if let Err(error) = thread {
            let outcome = ModelOutcome::failed(ModelFailure::Unreachable, error.to_string());
            let _ = self.sender.send((id, outcome));
        }
    }

    /// Nobody waits for a request any more. Its connection is closed in a moment; what it still brings is dropped.
    pub(crate) fn cancel(&mut self, id: u32) {
        if self.open.remove(&id).is_some() {
            let mut cancelled = self
                .cancelled
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            cancelled.insert(id);
        }
    }

    /// The next answer, after waiting for it at most this long.
    pub(crate) fn next(&mut self, patience: Duration) -> Option<(u32, ModelOutcome)> {
        let until = Instant::now() + patience;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.inbox.recv_timeout(left) {
                Ok((id, outcome)) if self.open.remove(&id).is_some() => return Some((id, outcome)),
                Ok((id, _)) => {
                    let mut cancelled = self
                        .cancelled
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner);
                    cancelled.remove(&id);
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
            }
        }
    }
}

/// Asks, and asks again where the model is busy or cannot be reached, as often as the request allows.
fn ask_until(address: &ModelAddress, request: &ModelRequest, wanted: &StillNeeded) -> ModelOutcome {
    let mut wait = FIRST_WAIT;
    let mut attempt = 1;
    loop {
        let outcome = ask_once(address, request, wanted);
        let ModelOutcome::Failed {
            failure,
            retry_after_ms,
            ..
        } = &outcome
        else {
            return outcome;
        };
        let may_again = matches!(
            failure,
            ModelFailure::Limited | ModelFailure::Unreachable | ModelFailure::TimedOut
        );
        if !may_again || attempt >= request.attempts {
            return outcome;
        }
        let asked_for = retry_after_ms.map(|ms| Duration::from_millis(u64::from(ms)));
        let until = Instant::now() + asked_for.unwrap_or(wait).min(LONGEST_WAIT);
        while Instant::now() < until {
            if !wanted.is_wanted() {
                return ModelOutcome::failed(ModelFailure::Cancelled, "Nobody waits for it.");
            }
            std::thread::sleep(LOOK);
        }
        wait *= 2;
        attempt += 1;
    }
}

fn ask_once(address: &ModelAddress, request: &ModelRequest, wanted: &StillNeeded) -> ModelOutcome {
    let url = format!("{}/chat/completions", address.url.trim_end_matches('/'));
    let config = ureq::Agent::config_builder()
        .timeout_global(Some(address.timeout))
        .http_status_as_error(false)
        // A key goes to the address that was given and to no other.
        .max_redirects(0)
        .build();
    let connector = DefaultConnector::default().chain(GiveUp(wanted.clone()));
    let agent = ureq::Agent::with_parts(config, connector, DefaultResolver::default());
    let mut post = agent.post(&url).header("content-type", "application/json");
    if let Some(key) = &address.key {
        post = post.header("authorization", format!("Bearer {key}"));
    }
    let body = body(address, request).to_string();
    let mut response = match post.send(body.as_bytes()) {
        Ok(response) => response,
        Err(error) => return failure_of(&error),
    };
    let status = response.status().as_u16();
    let retry_after = response
        .headers()
        .get("retry-after")
        .and_then(|value| value.to_str().ok()?.trim().parse::<f64>().ok())
        .map(|seconds| (seconds.clamp(0.0, 86_400.0) * 1e3) as u32);
    let mut bytes = Vec::new();
    let read = response
        .body_mut()
        .as_reader()
        .take(MAX_BYTES + 1)
        .read_to_end(&mut bytes);
    match (status, read) {
        (401 | 403, _) => ModelOutcome::failed(
            ModelFailure::Refused,
            format!("The model's server refused the key ({status})."),
        ),
        (429, _) => ModelOutcome::Failed {
            failure: ModelFailure::Limited,
            message: "The model's server has had too many requests (429).".to_owned(),
            retry_after_ms: retry_after,
        },
        (500.., _) => ModelOutcome::Failed {
            failure: ModelFailure::Unreachable,
            message: format!("The model's server failed ({status})."),
            retry_after_ms: retry_after,
        },
        (200..=299, Ok(_)) if bytes.len() as u64 > MAX_BYTES => ModelOutcome::failed(
            ModelFailure::Malformed,
            format!("The model's answer has more than {MAX_BYTES} bytes."),
        ),
        (200..=299, Ok(_)) => answer(&bytes),
        (200..=299, Err(error)) => ModelOutcome::failed(
            ModelFailure::Unreachable,
            format!("The model's answer broke off: {error}."),
        ),
        (status, _) => ModelOutcome::failed(
            ModelFailure::Malformed,
            format!("The model's server did not accept the request ({status})."),
        ),
    }
}

fn failure_of(error: &ureq::Error) -> ModelOutcome {
    let failure = match error {
        ureq::Error::Timeout(_) => ModelFailure::TimedOut,
        _ => ModelFailure::Unreachable,
    };
    ModelOutcome::failed(failure, format!("The model cannot be asked: {error}."))
}

fn body(address: &ModelAddress, request: &ModelRequest) -> Value {
    let messages: Vec<Value> = request.messages.iter().map(message).collect();
    let mut body = json!({
        "model": address.model,
        "messages": messages,
        "max_tokens": request.max_output_tokens,
        "temperature": 0,
    });
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|tool| {
            json!({
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": tool.input_schema,
                },
            })
        });
        body["tools"] = tools.collect();
    }
    body
}

fn message(message: &ModelMessage) -> Value {
    let role = match message.role {
        ModelRole::System => "system",
        ModelRole::User => "user",
        ModelRole::Assistant => "assistant",
        ModelRole::Tool => "tool",
    };
    let mut value = json!({ "role": role, "content": message.content });
    if !message.calls.is_empty() {
        let calls = message.calls.iter().map(|call| {
            json!({
                "id": call.id,
                "type": "function",
                "function": { "name": call.name, "arguments": call.arguments },
            })
        });
        value["tool_calls"] = calls.collect();
    }
    if let Some(id) = &message.call_id {
        value["tool_call_id"] = id.as_str().into();
    }
    value
}

fn answer(bytes: &[u8]) -> ModelOutcome {
    let malformed = |why: &str| ModelOutcome::failed(ModelFailure::Malformed, why);
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else {
        return malformed("The model's server answered without JSON.");
    };
    let message = &value["choices"][0]["message"];
    if !message.is_object() {
        return malformed("The model's server answered without a message.");
    }
    let number = |name: &str| value["usage"][name].as_u64().map(|it| it as u32);
    let usage = number("prompt_tokens").map(|input_tokens| ModelUsage {
        input_tokens,
        output_tokens: number("completion_tokens").unwrap_or(0),
    });
    let calls = message["tool_calls"].as_array().into_iter().flatten();
    let text_of = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let calls = calls.map(|call| ModelToolCall {
        id: text_of(&call["id"]),
        name: text_of(&call["function"]["name"]),
        arguments: text_of(&call["function"]["arguments"]),
    });
    ModelOutcome::Answered {
        text: text_of(&message["content"]),
        calls: calls.collect(),
        usage,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::net::TcpListener;

    /// A server for so many requests, which answers each with the next of these.
    fn server(answers: Vec<String>) -> (String, std::thread::JoinHandle<Vec<String>>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let thread = std::thread::spawn(move || {
            let serve = |answer: String| {
                let (mut stream, _) = listener.accept().unwrap();
                let mut asked = Vec::new();
                let mut buffer = [0; 4096];
                while !is_whole(&asked) {
                    let read = stream.read(&mut buffer).unwrap();
                    asked.extend_from_slice(&buffer[..read]);
                }
                stream.write_all(answer.as_bytes()).unwrap();
                String::from_utf8(asked).unwrap()
            };
            answers.into_iter().map(serve).collect()
        });
        (url, thread)
    }

    fn is_whole(asked: &[u8]) -> bool {
        let text = String::from_utf8_lossy(asked);
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            return false;
        };
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            (name.eq_ignore_ascii_case("content-length")).then(|| value.trim().parse().ok())?
        });
        body.len() >= length.unwrap_or(0)
    }

    fn http(status: &str, headers: &str, body: &str) -> String {
        let length = body.len();
        format!(
            "HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
        )
    }

    fn said(text: &str) -> String {
        let body = json!({ "choices": [{ "message": { "content": text } }], "usage": { "prompt_tokens": 7, "completion_tokens": 2 } });
        http("200 OK", "", &body.to_string())
    }

    fn request(attempts: u32) -> ModelRequest {
        ModelRequest {
            purpose: "test".to_owned(),
            subject: "N.A".to_owned(),
            messages: vec![ModelMessage::new(ModelRole::User, "what is it?")],
            tools: Vec::new(),
            max_output_tokens: 100,
            attempts,
        }
    }

    fn ask(url: String, attempts: u32) -> ModelOutcome {
        let address = ModelAddress {
            url,
            model: "m".to_owned(),
            key: Some("secret".to_owned()),
            timeout: Duration::from_secs(20),
            slots: 1,
        };
        assert!(!format!("{address:?}").contains("secret"));
        let mut models = Models::new(Some(address));
        models.ask(3, request(attempts));
        assert!(models.is_busy());
        let (id, outcome) = models.next(Duration::from_secs(30)).unwrap();
        assert_eq!(id, 3);
        outcome
    }

    #[test]
    fn an_answer_comes_with_its_cost() {
        let (url, server) = server(vec![said("ROLE: x")]);
        let ModelOutcome::Answered { text, usage, .. } = ask(url, 1) else {
            panic!()
        };
        assert_eq!((text.as_str(), usage.unwrap().input_tokens), ("ROLE: x", 7));
        let asked = &server.join().unwrap()[0];
        assert!(asked.starts_with("POST /v1/chat/completions "));
        assert!(
            asked
                .to_lowercase()
                .contains("authorization: bearer secret")
        );
        assert!(asked.contains("what is it?"));
    }

    #[test]
    fn a_busy_server_is_asked_again_after_its_time() {
        let busy = http("429 Too Many Requests", "retry-after: 0.2\r\n", "{}");
        let (url, server) = server(vec![busy, said("done")]);
        let begun = Instant::now();
        assert!(matches!(ask(url, 3), ModelOutcome::Answered { text, .. } if text == "done"));
        assert!(begun.elapsed() >= Duration::from_millis(200));
        assert_eq!(server.join().unwrap().len(), 2);
    }

    #[test]
    fn failures_have_their_kinds() {
        let cut = said("x").replace("content-length: ", "content-length: 9");
        for (answer, expected) in [
            (http("401 Unauthorized", "", "{}"), ModelFailure::Refused),
            (
                http("500 Internal Server Error", "", "{}"),
                ModelFailure::Unreachable,
            ),
            (http("404 Not Found", "", "{}"), ModelFailure::Malformed),
            (
                http("302 Found", "location: http://127.0.0.1:1/\r\n", ""),
                ModelFailure::Malformed,
            ),
            (http("200 OK", "", "garbage"), ModelFailure::Malformed),
            (http("200 OK", "", "{}"), ModelFailure::Malformed),
            (
                http("200 OK", "", &"x".repeat(MAX_BYTES as usize + 5)),
                ModelFailure::Malformed,
            ),
            (cut, ModelFailure::Unreachable),
        ] {
            let (url, server) = server(vec![answer]);
            let ModelOutcome::Failed {
                failure, message, ..
            } = ask(url, 1)
            else {
                panic!()
            };
            assert_eq!(failure, expected, "{message}");
            assert!(!message.contains("secret"));
            drop(server.join());
        }
        let refused = ask("http://127.0.0.1:9/v1".to_owned(), 1);
        assert!(matches!(
            refused,
            ModelOutcome::Failed {
                failure: ModelFailure::Unreachable,
                ..
            }
        ));
    }

    #[test]
    fn what_is_cancelled_closes_its_connection() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut models = Models::new(Some(ModelAddress {
            url: format!("http://{}/v1", listener.local_addr().unwrap()),
            model: "m".to_owned(),
            key: None,
            timeout: Duration::from_secs(600),
            slots: 1,
        }));
        models.ask(1, request(3));
        let (mut stream, _) = listener.accept().unwrap();
        let mut asked = Vec::new();
        let mut buffer = [0; 4096];
        while !is_whole(&asked) {
            let read = stream.read(&mut buffer).unwrap();
            asked.extend_from_slice(&buffer[..read]);
        }
        models.cancel(1);
        // The server sees the end; without it, it would wait for ten minutes.
        assert_eq!(stream.read(&mut buffer).unwrap_or(0), 0);
        assert!(models.next(Duration::from_millis(100)).is_none());
    }

    #[test]
    fn what_is_cancelled_is_dropped() {
        let (url, server) = server(vec![said("late")]);
        let mut models = Models::new(Some(ModelAddress {
            url,
            model: "m".to_owned(),
            key: None,
            timeout: Duration::from_secs(20),
            slots: 1,
        }));
        models.ask(1, request(1));
        models.cancel(1);
        assert!(!models.is_busy());
        drop(server.join());
        assert!(models.next(Duration::from_millis(300)).is_none());
    }
}
