//! Starts an MCP server as a client would: initialize, the list of tools, and the end.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use codecortex_installer::Invocation;
use serde_json::{Value, json};

/// The protocol that is asked for; a server answers with one that it has.
const PROTOCOL: &str = "2025-06-18";
/// A longer line is no answer to these questions.
const MAX_LINE: u64 = 8 << 20;
/// What of a server's complaints is repeated.
const MAX_COMPLAINT: u64 = 4 << 10;
/// A server whose stdin is closed may tidy up for so long.
const FAREWELL: Duration = Duration::from_secs(2);
/// Between two looks at whether it has ended.
const LOOK: Duration = Duration::from_millis(10);

/// What a server says of itself.
pub(super) struct Probed {
    pub(super) version: String,
    pub(super) tools: usize,
}

/// Why a server cannot be used.
pub(super) enum ProbeError {
    /// The program cannot be started.
    NotStarted(io::Error),
    /// It said nothing in time.
    Silent(Duration),
    /// It ended before it answered; with its last words.
    Ended { complaint: String },
    /// It answered something else.
    Answer(String),
}

impl ProbeError {
    /// The same as a part of a sentence.
    pub(super) fn told(&self, invocation: &Invocation) -> String {
        let program = &invocation.command;
        match self {
            Self::NotStarted(error) if error.kind() == io::ErrorKind::NotFound => {
                format!("the program {program} is not there")
            }
            Self::NotStarted(error) => format!("{program} cannot be started: {error}"),
            Self::Silent(wait) => format!("{program} does not answer in {} s", wait.as_secs()),
            Self::Ended { complaint } if complaint.is_empty() => {
                format!("{program} ends without an answer")
            }
            Self::Ended { complaint } => format!("{program} ends without an answer: {complaint}"),
            Self::Answer(what) => format!("{program} {what}"),
        }
    }
}

/// Starts a server and asks it.
pub(super) fn probe(invocation: &Invocation, wait: Duration) -> Result<Probed, ProbeError> {
    let mut command = Command::new(&invocation.command);
    command.args(&invocation.args).envs(&invocation.env);
    // A look at a server is no use of it.
    command.env("CODECORTEX_NO_TELEMETRY", "true");
    let mut server = ProbedServer::start(command, wait)?;
    let told = server.ask(
        1,
        "initialize",
        &json!({
            "protocolVersion": PROTOCOL,
            "capabilities": {},
            "clientInfo": { "name": "codecortex-doctor", "version": super::VERSION },
        }),
    )?;
    let name = told["serverInfo"]["name"].as_str().unwrap_or_default();
    if name != "codecortex" {
        return Err(ProbeError::Answer(format!("is another server, `{name}`")));
    }
    let version = told["serverInfo"]["version"].as_str().unwrap_or_default();
    let version = version.to_owned();
    server.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    let listed = server.ask(2, "tools/list", &json!({}))?;
    let tools = listed["tools"].as_array().map_or(0, Vec::len);
    Ok(Probed { version, tools })
}

/// A running server; dropping it ends it.
struct ProbedServer {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    complaints: Receiver<String>,
    deadline: Instant,
    wait: Duration,
}

impl ProbedServer {
    fn start(mut command: Command, wait: Duration) -> Result<Self, ProbeError> {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = piped
            .stderr(Stdio::piped())
            .spawn()
            .map_err(ProbeError::NotStarted)?;
        Ok(Self {
            stdin: child.stdin.take(),
            lines: read_lines(child.stdout.take()),
            complaints: read_all(child.stderr.take()),
            child,
            deadline: Instant::now() + wait,
            wait,
        })
    }

    /// Says a message. A server that has ended is noticed where its answer is waited for.
    fn say(&mut self, message: &Value) {
        if let Some(stdin) = &mut self.stdin {
            let _ = writeln!(stdin, "{message}").and_then(|()| stdin.flush());
        }
    }

    /// Asks, and waits for the answer; what else the server says is passed over.
    fn ask(&mut self, id: u32, method: &str, params: &Value) -> Result<Value, ProbeError> {
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let left = self.deadline.saturating_duration_since(Instant::now());
            let line = match self.lines.recv_timeout(left) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => return Err(ProbeError::Silent(self.wait)),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
            };
            let Ok(mut message) = serde_json::from_str::<Value>(&line) else {
                let what = "writes to stdout what is no message".to_owned();
                return Err(ProbeError::Answer(what));
            };
            if message["id"] == json!(id) {
                if let Some(told) = message["error"]["message"].as_str() {
                    return Err(ProbeError::Answer(format!("refuses {method}: {told}")));
                }
                return Ok(message["result"].take());
            }
        }
    }

    fn ended(&self) -> ProbeError {
        let said = self.complaints.recv_timeout(FAREWELL).unwrap_or_default();
        let last = said.lines().rev().find(|line| !line.trim().is_empty());
        ProbeError::Ended {
            complaint: last.unwrap_or_default().trim().to_owned(),
        }
    }
}

impl Drop for ProbedServer {
    fn drop(&mut self) {
        drop(self.stdin.take());
        let until = Instant::now() + FAREWELL;
        while Instant::now() < until {
            if let Ok(Some(_)) = self.child.try_wait() {
                return;
            }
            std::thread::sleep(LOOK);
        }
        // By its own id; it had its time.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read_lines(stdout: Option<ChildStdout>) -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        let Some(stdout) = stdout else {
            return;
        };
        let mut stdout = BufReader::new(stdout);
        loop {
            let mut line = Vec::new();
            let read = stdout.by_ref().take(MAX_LINE).read_until(b'\n', &mut line);
            let line = String::from_utf8_lossy(&line).into_owned();
            if !matches!(read, Ok(1..)) || sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

/// Reads everything, so that the server never waits for a reader, and gives the last of it.
fn read_all(stderr: Option<ChildStderr>) -> Receiver<String> {
    let (sender, said) = channel();
    std::thread::spawn(move || {
        let Some(mut stderr) = stderr else {
            return;
        };
        let mut first = Vec::new();
        let _ = stderr.by_ref().take(MAX_COMPLAINT).read_to_end(&mut first);
        let _ = sender.send(String::from_utf8_lossy(&first).into_owned());
        let _ = io::copy(&mut stderr, &mut io::sink());
    });
    said
}
