//! A model that answers by rule, on loopback, and writes down what it was asked. It ends with the test.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use serde_json::{Value, json};

/// What the model does with one request.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// Says this.
    Says(&'static str),
    /// Calls a tool.
    Calls(&'static str, Value),
    /// Refuses with this status.
    Status(u16),
    /// Closes in the middle of the answer.
    Cut,
    /// Answers with so many letters.
    Huge(usize),
}

/// Every section.
pub(crate) const FULL: &str = "ROLE:\nKeeps nodes.\nLIFECYCLE:\nMade once.\nEDGE_CASES:\nNone.\nLIMITATIONS:\nSlow.\n\
    RECOMMENDATIONS:\nClose it.\n";

/// A running model.
pub(crate) struct ScriptedModel {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<Value>>>,
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl ScriptedModel {
    /// Answers with these in turn, then with the last one.
    pub(crate) fn start(replies: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let (asked, ended) = (
            Arc::new(Mutex::new(Vec::new())),
            Arc::new(AtomicBool::new(false)),
        );
        let (log, is_over) = (Arc::clone(&asked), Arc::clone(&ended));
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if is_over.load(Ordering::Relaxed) {
                    return;
                }
                let mut stream = stream.unwrap();
                let body = read_body(&mut stream);
                if body.is_null() {
                    continue; // it was killed before it had asked
                }
                let number = {
                    let mut log = log.lock().unwrap();
                    log.push(body);
                    log.len() - 1
                };
                let reply = &replies[number.min(replies.len() - 1)];
                // Whoever asked may be gone.
                let _ = stream.write_all(render(reply).as_bytes());
            }
        });
        Self {
            url,
            asked,
            ended,
            thread: Some(thread),
        }
    }

    /// Everything that it was asked.
    pub(crate) fn asked(&self) -> Vec<Value> {
        self.asked.lock().unwrap().clone()
    }

    /// The texts of all messages of a request.
    pub(crate) fn prompt(&self, at: usize) -> String {
        let asked = self.asked();
        let messages = asked[at]["messages"].as_array().unwrap().iter();
        messages
            .map(|message| message["content"].as_str().unwrap_or_default())
            .collect::<Vec<_>>()
            .join("\n")
    }
}

impl Drop for ScriptedModel {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        drop(TcpStream::connect(
            self.url
                .trim_start_matches("http://")
                .trim_end_matches("/v1"),
        ));
        if let Some(thread) = self.thread.take() {
            // What failed there failed the test already.
            let _ = thread.join();
        }
    }
}

fn read_body(stream: &mut TcpStream) -> Value {
    let mut asked = Vec::new();
    let mut buffer = [0; 8192];
    loop {
        let text = String::from_utf8_lossy(&asked).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length")
                    .then(|| value.trim().parse::<usize>().ok())?
            });
            if body.len() >= length.unwrap_or(0) {
                return serde_json::from_str(body).unwrap_or_default();
            }
        }
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return Value::Null,
            Ok(read) => asked.extend_from_slice(&buffer[..read]),
        }
    }
}

fn render(reply: &Reply) -> String {
    let message = |message: Value| {
        let usage = json!({ "prompt_tokens": 100, "completion_tokens": 10 });
        json!({ "choices": [{ "message": message }], "usage": usage }).to_string()
    };
    let http = |status: u16, length: usize, body: &str| {
        format!(
            "HTTP/1.1 {status} X\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
        )
    };
    let (status, body) = match reply {
        Reply::Says(text) => (200, message(json!({ "content": text }))),
        Reply::Huge(letters) => (200, message(json!({ "content": "x".repeat(*letters) }))),
        Reply::Calls(name, args) => {
            let function = json!({ "name": name, "arguments": args.to_string() });
            let call = json!({ "id": "c1", "type": "function", "function": function });
            (
                200,
                message(json!({ "content": null, "tool_calls": [call] })),
            )
        }
        Reply::Status(status) => (*status, "{}".to_owned()),
        Reply::Cut => {
            let body = message(json!({ "content": FULL }));
            return http(200, body.len(), &body[..body.len() / 2]);
        }
    };
    http(status, body.len(), &body)
}
