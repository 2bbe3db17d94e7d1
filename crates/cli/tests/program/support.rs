//! A workspace on the disk, and the program in it.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Nothing here takes this long on the slowest machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A fresh folder with a cache of its own.
pub(crate) struct Place {
    folder: tempfile::TempDir,
    cache: tempfile::TempDir,
    state: tempfile::TempDir,
}

/// What a run of the program left.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// The only line of stdout, as JSON.
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.stdout.lines().count(), 1, "{}", self.stdout);
        serde_json::from_str(&self.stdout).unwrap()
    }
}

impl Place {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            cache: tempfile::tempdir().unwrap(),
            state: tempfile::tempdir().unwrap(),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The workspace folder's name, with which paths in answers begin.
    pub(crate) fn name(&self) -> String {
        let path = self.folder.path().canonicalize().unwrap();
        path.file_name().unwrap().to_str().unwrap().to_owned()
    }

    /// The folder that the program keeps its cache in.
    pub(crate) fn cache(&self) -> PathBuf {
        self.cache.path().join("codecortex")
    }

    /// The folder that the program keeps journals of edits in.
    pub(crate) fn edits(&self) -> PathBuf {
        self.state.path().join("codecortex/edits")
    }

    /// The folder of logs of telemetry; none is made before there is a line.
    pub(crate) fn telemetry(&self) -> PathBuf {
        self.state.path().join("codecortex/telemetry")
    }

    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    /// The person makes settings of their own, for every folder.
    pub(crate) fn person_sets(&self, settings: &Value) {
        let folder = self.cache.path().join("config/codecortex");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("config.json"), settings.to_string()).unwrap();
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_codecortex"));
        command
            .args(args)
            .current_dir(self.folder.path())
            .env("XDG_CACHE_HOME", self.cache.path())
            .env("XDG_STATE_HOME", self.state.path())
            .env("XDG_CONFIG_HOME", self.cache.path().join("config"))
            .env("LOCALAPPDATA", self.cache.path())
            // What a test puts into `.context/` is the person's own; context_trust.rs has those that are not.
            .env("CODECORTEX_TRUST_CONTEXT", "true")
            .env_remove("CODECORTEX_LOG");
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Run {
        self.run_with(args, b"")
    }

    /// Runs the program with this on stdin.
    pub(crate) fn run_with(&self, args: &[&str], stdin: &[u8]) -> Run {
        let mut child = self
            .command(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let bytes = stdin.to_vec();
        // A program that does not read all of it is right to end.
        let writer = std::thread::spawn(move || drop(input.write_all(&bytes)));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        Run {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Calls a tool; the envelope and the exit code.
    pub(crate) fn call(&self, tool: &str, args: &Value) -> (Value, Option<i32>) {
        let run = self.run(&["call", tool, "--args", &args.to_string()]);
        assert_eq!(run.stderr, "");
        (run.json(), run.code)
    }

    /// The same, whatever stands on stderr.
    pub(crate) fn call_told(&self, tool: &str, args: &Value) -> (Value, Option<i32>) {
        let run = self.run(&["call", tool, "--args", &args.to_string()]);
        (run.json(), run.code)
    }

    /// Runs a batch of lines; one response for each.
    pub(crate) fn batch(&self, lines: &str) -> Vec<Value> {
        let run = self.run_with(&["batch"], lines.as_bytes());
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        run.stdout
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Starts the program and talks to it line by line.
    pub(crate) fn talk(&self, args: &[&str]) -> Talk {
        self.talk_as(args, |_| {})
    }

    /// The same with a command that somebody changes first.
    pub(crate) fn talk_as(&self, args: &[&str], change: impl FnOnce(&mut Command)) -> Talk {
        let mut command = self.command(args);
        change(&mut command);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = read_lines(child.stdout.take().unwrap());
        Talk {
            stdin: child.stdin.take(),
            lines,
            child,
        }
    }
}

fn read_lines(stdout: ChildStdout) -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

/// A running program.
pub(crate) struct Talk {
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    child: Child,
}

impl Talk {
    /// The id of its process.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// The running process, for a test that kills it.
    pub(crate) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    pub(crate) fn say(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        writeln!(stdin, "{line}").unwrap();
        stdin.flush().unwrap();
    }

    pub(crate) fn hear(&self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// Closes stdin; the exit code, and how long the program took to end.
    pub(crate) fn end(mut self) -> (Option<i32>, Duration) {
        let begun = Instant::now();
        drop(self.stdin.take());
        let status = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break status,
                None => assert!(begun.elapsed() < PATIENCE, "it does not end"),
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        (status.code(), begun.elapsed())
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        // Only where a test failed is it still running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads what comes until `length` bytes are there.
pub(crate) fn read_some(mut from: impl Read, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes).unwrap();
    bytes
}
