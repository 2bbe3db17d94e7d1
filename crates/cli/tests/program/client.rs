//! A client that writes bytes as it likes, and whose pipes can be closed one by one.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::Place;

/// Nothing here takes this long on the slowest machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server and the client's ends of its pipes.
pub(crate) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    lines: Option<Receiver<String>>,
}

impl Client {
    /// Starts a server that nobody has greeted.
    pub(crate) fn start(place: &Place) -> Self {
        Self::start_as(place, |_| {})
    }

    /// Starts a server whose command somebody changes first.
    fn start_as(place: &Place, change: impl FnOnce(&mut Command)) -> Self {
        let mut command = place.command(&["mcp", "--root", "."]);
        change(&mut command);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self {
            stdin: child.stdin.take(),
            stdout: child.stdout.take(),
            lines: None,
            child,
        }
    }

    /// Starts a server and agrees on a version of the protocol.
    pub(crate) fn greet(place: &Place, version: &str) -> Self {
        Self::greet_as(place, version, |_| {})
    }

    /// The same for a server whose command somebody changes first.
    pub(crate) fn greet_as(
        place: &Place,
        version: &str,
        change: impl FnOnce(&mut Command),
    ) -> Self {
        Self::greet_with(place, &hello(json!("hello"), version), change)
    }

    /// A session of a client that greets with these words.
    pub(crate) fn greet_with(
        place: &Place,
        hello: &Value,
        change: impl FnOnce(&mut Command),
    ) -> Self {
        let mut client = Self::start_as(place, change);
        client.say(hello);
        let (answer, version) = (client.hear(), &hello["params"]["protocolVersion"]);
        assert_eq!(&answer["result"]["protocolVersion"], version, "{answer}");
        client.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    pub(crate) fn say(&mut self, message: &Value) {
        self.write(format!("{message}\n").as_bytes());
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(bytes).unwrap();
        stdin.flush().unwrap();
    }

    pub(crate) fn take_stdin(&mut self) -> ChildStdin {
        self.stdin.take().unwrap()
    }

    pub(crate) fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// Closes the end that answers come out of; nothing may have been heard before.
    pub(crate) fn close_stdout(&mut self) {
        drop(self.stdout.take().unwrap());
    }

    fn lines(&mut self) -> &Receiver<String> {
        let stdout = &mut self.stdout;
        self.lines.get_or_insert_with(|| {
            let stdout = stdout.take().unwrap();
            let (sender, lines) = channel();
            std::thread::spawn(move || {
                for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        return;
                    }
                }
            });
            lines
        })
    }

    pub(crate) fn hear(&mut self) -> Value {
        let line = self.lines().recv_timeout(PATIENCE).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// All that comes until the server closes its end.
    pub(crate) fn hear_all(&mut self) -> Vec<Value> {
        let lines = self.lines().iter();
        lines
            .map(|line| serde_json::from_str(&line).unwrap())
            .collect()
    }

    /// Asks for a sign of life: what is heard next is it.
    pub(crate) fn check_alive(&mut self) {
        self.say(&json!({ "jsonrpc": "2.0", "id": "alive", "method": "ping" }));
        let answer = self.hear();
        assert_eq!(answer["id"], "alive", "{answer}");
        assert!(answer["result"].is_object(), "{answer}");
    }

    /// Has the system tell the server to stop.
    #[cfg(unix)]
    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let status = Command::new("kill").args(["-s", name, &id]).status();
        assert!(status.unwrap().success());
    }

    /// The most memory that the server has had, and what it has now, in bytes.
    #[cfg(target_os = "linux")]
    pub(crate) fn memory(&self) -> (u64, u64) {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let number = |name: &str| -> u64 {
            let line = status.lines().find(|line| line.starts_with(name)).unwrap();
            let digits = line.split_whitespace().nth(1).unwrap();
            digits.parse::<u64>().unwrap() * 1024
        };
        (number("VmHWM:"), number("VmRSS:"))
    }

    /// The exit code of a server that has been told to end.
    pub(crate) fn code(&mut self) -> Option<i32> {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(begun.elapsed() < PATIENCE, "it does not end");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Only where a test failed is it still running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A request to initialise.
pub(crate) fn hello(id: Value, version: &str) -> Value {
    let params = json!({
        "protocolVersion": version,
        "capabilities": {},
        "clientInfo": { "name": "test", "version": "1" },
    });
    json!({ "jsonrpc": "2.0", "id": id, "method": "initialize", "params": params })
}
