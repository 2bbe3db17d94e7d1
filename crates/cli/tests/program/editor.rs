//! An editor that talks to `codecortex lsp`, for tests.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::support::Place;

/// Nothing here takes this long on the slowest machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// An editor and its server.
pub(crate) struct Editor {
    child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    next: u32,
    folder: String,
    /// What the server told or asked of its own accord.
    pub(crate) told: Vec<Value>,
}

/// What most editors can do.
pub(crate) fn capabilities() -> Value {
    json!({
        "window": { "workDoneProgress": true },
        "textDocument": {
            "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
            "codeAction": { "codeActionLiteralSupport": {}, "disabledSupport": true },
        },
        "workspace": {
            "workspaceEdit": {
                "documentChanges": true,
                "resourceOperations": ["create", "rename", "delete"],
            },
        },
    })
}

impl Editor {
    /// Starts the server in a place, without a word to it.
    pub(crate) fn start(place: &Place, args: &[&str]) -> Self {
        let mut command: Command = place.command(&[&["lsp"], args].concat());
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let stdout = child.stdout.take().unwrap();
        Self {
            stdin: child.stdin.take(),
            messages: read_messages(stdout),
            child,
            next: 0,
            folder: place.path().to_str().unwrap().to_owned(),
            told: Vec::new(),
        }
    }

    /// Starts the server and opens the place's folder.
    pub(crate) fn open(place: &Place) -> Self {
        let mut editor = Self::start(place, &[]);
        let folder = editor.uri("");
        let params = json!({
            "processId": null,
            "capabilities": capabilities(),
            "workspaceFolders": [{ "uri": folder, "name": "app" }],
        });
        editor.initialize(&params);
        editor
    }

    /// Begins a session; what the server offers.
    pub(crate) fn initialize(&mut self, params: &Value) -> Value {
        let result = self.ask("initialize", params);
        self.tell("initialized", &json!({}));
        result["result"]["capabilities"].clone()
    }

    /// The URI of a file in the folder.
    pub(crate) fn uri(&self, path: &str) -> String {
        let uri = format!("file://{}/{path}", self.folder);
        uri.trim_end_matches('/').to_owned()
    }

    /// Writes a body behind headers.
    pub(crate) fn write(&mut self, body: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        write!(stdin, "Content-Length: {}\r\n\r\n", body.len()).unwrap();
        stdin.write_all(body).unwrap();
        stdin.flush().unwrap();
    }

    pub(crate) fn tell(&mut self, method: &str, params: &Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.write(message.to_string().as_bytes());
    }

    /// Sends a request; its number.
    pub(crate) fn send(&mut self, method: &str, params: &Value) -> u32 {
        self.next += 1;
        let message =
            json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params });
        self.write(message.to_string().as_bytes());
        self.next
    }

    /// The next message.
    pub(crate) fn hear(&self) -> Value {
        self.messages.recv_timeout(PATIENCE).unwrap()
    }

    /// The reply to a request. What the server asks meanwhile is agreed to.
    pub(crate) fn reply(&mut self, id: u32) -> Value {
        loop {
            let heard = self.hear();
            if heard["method"].is_null() {
                assert_eq!(heard["id"], id, "{heard}");
                return heard;
            }
            if let Some(asked) = heard.get("id") {
                let agreed = json!({ "jsonrpc": "2.0", "id": asked, "result": null });
                self.write(agreed.to_string().as_bytes());
            }
            self.told.push(heard);
        }
    }

    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.send(method, params);
        self.reply(id)
    }

    /// The result of a request, as the protocol's types have it.
    pub(crate) fn result<R: DeserializeOwned>(&mut self, method: &str, params: &Value) -> R {
        let mut reply = self.ask(method, params);
        assert!(reply["error"].is_null(), "{method} {reply}");
        let result = reply["result"].take();
        serde_json::from_value(result.clone()).unwrap_or_else(|error| panic!("{error} {result}"))
    }

    /// A place in a file of the folder.
    pub(crate) fn at(&self, path: &str, (line, character): (u32, u32)) -> Value {
        json!({
            "textDocument": { "uri": self.uri(path) },
            "position": { "line": line, "character": character },
        })
    }

    /// A file of the folder.
    pub(crate) fn document(&self, path: &str) -> Value {
        json!({ "textDocument": { "uri": self.uri(path) } })
    }

    /// Opens a document.
    pub(crate) fn open_document(&mut self, uri: &str, language: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
        self.tell("textDocument/didOpen", &json!({ "textDocument": document }));
    }

    /// Changes a document.
    pub(crate) fn change(&mut self, uri: &str, version: i32, changes: &Value) {
        let document = json!({ "uri": uri, "version": version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.tell("textDocument/didChange", &params);
    }

    /// Closes stdin; the exit code and what was still to be heard.
    pub(crate) fn end(mut self) -> (Option<i32>, Vec<Value>) {
        drop(self.stdin.take());
        self.wait()
    }

    /// Waits for the end; the exit code and what was still to be heard.
    pub(crate) fn wait(mut self) -> (Option<i32>, Vec<Value>) {
        let begun = Instant::now();
        let heard: Vec<Value> = self.messages.iter().collect();
        let status = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break status,
                None => assert!(begun.elapsed() < PATIENCE, "it does not end"),
            }
            std::thread::yield_now();
        };
        (status.code(), heard)
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        // Only where a test failed is it still running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read_messages(stdout: ChildStdout) -> Receiver<Value> {
    let (sender, messages) = channel();
    std::thread::spawn(move || {
        let mut stdout = BufReader::new(stdout);
        while let Some(message) = read_message(&mut stdout) {
            if sender.send(message).is_err() {
                return;
            }
        }
    });
    messages
}

/// A message behind headers; none at the end.
fn read_message(from: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", number)) => length = number.parse().ok()?,
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    from.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

/// A text without its marks `<1>`, `<2>` …, and the place of each, in UTF-16 units.
pub(crate) fn marked(text: &str) -> (String, Vec<(u32, u32)>) {
    let (mut plain, mut rest, mut places) = (String::new(), text, Vec::new());
    for number in 1.. {
        let mark = format!("<{number}>");
        let Some((before, after)) = rest.split_once(&mark) else {
            break;
        };
        plain.push_str(before);
        rest = after;
        let line = plain.matches('\n').count();
        let start = plain.rfind('\n').map_or(0, |at| at + 1);
        places.push((line as u32, plain[start..].encode_utf16().count() as u32));
    }
    plain.push_str(rest);
    (plain, places)
}
