//! A `.context/` that leads elsewhere: links, pipes and other things in the place of its files and folders. Nothing
//! outside of the workspace is written, nothing is waited for, and what is in the way is named (SPEC D3, D17).

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::fs::{CWD, Mode, mkfifoat};
use serde_json::{Value, json};

use crate::mcp::Session;
use crate::scripted_model::FULL;
use crate::support::{Place, Run};

/// No command takes as long, however slow the machine.
const LIMIT: Duration = Duration::from_secs(30);

const OLD: &str = "class OldThing:\n    def a(self):\n        return 1\n    def b(self):\n        return 2\n    def c(self):\n        return 3\n";
const CART: &str = "class Cart:\n    def total(self):\n        return 1\n";
const LEFT: &str = "def total(items):\n    breakpoint()\n    return 1\n";
const PATCH: &str = "--- a/left.py\n+++ b/left.py\n@@ -1,2 +1,3 @@\n def total(items):\n+    breakpoint()\n     return 1\n";

/// What is put in the place of a file or folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trap {
    /// A link to a file or folder outside that has what was there.
    Link,
    /// A link to nothing: whoever writes through it makes a file outside.
    Dangling,
    /// A link to itself.
    Loop,
    /// A pipe that nobody writes to.
    Pipe,
    /// A socket that nobody listens at.
    Socket,
    /// A folder where a file belongs.
    Folder,
}

/// What is said of a trap in somebody's place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    /// Some command names it.
    Named,
    /// Nobody reads the file, and a whole one takes its place.
    Replaced,
}

/// Every file of the folder, `TYPE` and `OP` for ids.
const FILES: [(&str, Told); 19] = [
    ("config.json", Told::Named),
    (".gitignore", Told::Replaced),
    ("index.json", Told::Named),
    ("state.json", Told::Named),
    ("aliases.json", Told::Named),
    ("access.json", Told::Replaced),
    ("prompt_window.md", Told::Replaced),
    ("alias_conflicts.log", Told::Named),
    ("hash_conflicts.log", Told::Replaced),
    ("cache/ledger.bin", Told::Named),
    ("cache/facts.index", Told::Named),
    ("cache/.gitignore", Told::Replaced),
    ("memory/observations.jsonl", Told::Named),
    ("memory/observations.md", Told::Named),
    ("types/TYPE.semantic.md", Told::Named),
    ("types/TYPE.outline.md", Told::Replaced),
    ("packs/p.md", Told::Replaced),
    ("ops/OP.json", Told::Named),
    ("replay/old.jsonl", Told::Named),
];

/// Every folder of it, and itself.
const FOLDERS: [&str; 10] = [
    "",
    "types",
    "packs",
    "ops",
    "replay",
    "cache",
    "cache/semantic",
    "cache/lock",
    "memory",
    "memory/lock",
];

/// A workspace with all of it, and what its commands are told.
struct Prepared {
    place: Place,
    id: String,
    op: String,
    finding: String,
    ticket: String,
}

fn prepared() -> Prepared {
    let place = Place::new();
    place.person_sets(&own_settings());
    place.write("src/old.py", OLD);
    place.write("src/cart.py", CART);
    place.write("left.py", LEFT);
    place.write("left.diff", PATCH);
    let run = |args: &[&str]| {
        let run = place.run(args);
        assert_eq!(run.code, Some(0), "{args:?} {}{}", run.stdout, run.stderr);
        run
    };
    run(&["init"]);
    let config = json!({ "flags": { "observations_backend": "jsonl" } });
    place.write(".context/config.json", config.to_string());
    place.write(".context/replay/old.jsonl", "");
    run(&["window", "pin", "Cart"]);
    run(&["pack", "build", "p", "type:*"]);
    let semantic = run(&["semantic", "Cart", "--json"]).json();
    let ticket = text(&semantic["data"]["ticket"]);
    run(&["semantic", "submit", &ticket, "--text", FULL]);
    let asked = run(&["investigate", "How?", "--json"]).json();
    let op = text(&asked["data"]["operation"]["opId"]);
    run(&["memory", "remember", "one"]);
    run(&["memory", "remember", "two"]);
    run(&["outline", "Cart", "--form", "outline"]);
    let found = place.run(&["review", "--patch", "left.diff", "--findings", "--json"]);
    let finding = text(&found.json()["data"]["findings"][0]["id"]);
    let index = fs::read(place.path().join(".context/index.json")).unwrap();
    let index: Value = serde_json::from_slice(&index).unwrap();
    let types = index["types"].as_array().unwrap();
    let cart = types.iter().find(|found| found["fqn"] == "cart.Cart");
    let id = text(&cart.unwrap()["id"]);
    // A type that two others may be is told in `alias_conflicts.log`.
    place.write(
        "src/old.py",
        OLD.replace("OldThing", "NewA") + &OLD.replace("OldThing", "NewB"),
    );
    Prepared {
        place,
        id,
        op,
        finding,
        ticket,
    }
}

/// What the person wants: all that can be written is.
fn own_settings() -> Value {
    json!({ "observations": true, "record": true })
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

impl Prepared {
    /// A copy of the workspace.
    fn copy(&self) -> Place {
        let place = Place::new();
        place.person_sets(&own_settings());
        copy(self.place.path(), place.path());
        place
    }

    fn path(&self, path: &str) -> String {
        path.replace("TYPE", &self.id).replace("OP", &self.op)
    }

    /// Everything that writes to `.context/`; the last session is an editor's agent that only opens the folder.
    fn commands(&self) -> Vec<Vec<String>> {
        let conclusion = r#"{"conclusion": "So.", "evidence": [], "open": []}"#;
        let commands: [&[&str]; 20] = [
            &["status"],
            &["index"],
            &["memory", "remember", "three"],
            &["memory", "forget", "1"],
            &["memory", "forget", "2", "--purge"],
            &["memory", "recall"],
            &["memory", "export"],
            &["window", "pin", "NewA"],
            &["pack", "build", "p", "type:*"],
            &["semantic", "submit", &self.ticket, "--text", FULL],
            &["semantic", "Cart"],
            &["describe", "Cart"],
            &["investigate", "Why?"],
            &["op", &self.op, "--conclusion", conclusion],
            &["outline", "Cart", "--form", "outline"],
            &["review", "--patch", "left.diff", "--dismiss", &self.finding],
            &["changes"],
            &["init"],
            &["replay"],
            &["memory", "migrate", "--to", "sqlite"],
        ];
        let back: &[&str] = &["memory", "migrate", "--to", "jsonl"];
        let all = commands.into_iter().chain([back]);
        all.map(|args| args.iter().map(|arg| (*arg).to_owned()).collect())
            .collect()
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// All files below a folder with their bytes, and folders.
fn all(start: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut open = vec![start.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let is_folder = entry.file_type().unwrap().is_dir();
            if is_folder {
                open.push(entry.path());
            }
            let bytes = (!is_folder).then(|| fs::read(entry.path()).unwrap());
            found.insert(entry.path(), bytes);
        }
    }
    found
}

/// Puts a trap in the place of a file or folder of `.context/`; `outside` is where links lead.
fn lay(trap: Trap, path: &Path, outside: &Path) {
    let target = outside.join("target");
    if path.is_dir() {
        copy(path, &target);
        fs::remove_dir_all(path).unwrap();
    } else if path.exists() {
        fs::copy(path, &target).unwrap();
        fs::remove_file(path).unwrap();
    } else {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&target, "theirs\n").unwrap();
    }
    match trap {
        Trap::Link => symlink(&target, path).unwrap(),
        Trap::Dangling => symlink(outside.join("absent"), path).unwrap(),
        Trap::Loop => symlink(path.file_name().unwrap(), path).unwrap(),
        Trap::Pipe => mkfifoat(CWD, path, Mode::from_raw_mode(0o600)).unwrap(),
        Trap::Socket => drop(UnixListener::bind(path).unwrap()),
        Trap::Folder => fs::create_dir(path).unwrap(),
    }
}

/// Runs a command to its end.
fn run(place: &Place, args: &[String]) -> Result<Run, String> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let child = place
        .command(&args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.unwrap();
    let (stdout, stderr) = (collect(child.stdout.take()), collect(child.stderr.take()));
    let code = wait(&mut child).ok_or_else(|| format!("{args:?} hangs"))?;
    Ok(Run {
        code,
        stdout: stdout.join().unwrap(),
        stderr: stderr.join().unwrap(),
    })
}

fn collect(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    let mut pipe = pipe.unwrap();
    std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = pipe.read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    })
}

fn wait(child: &mut Child) -> Option<Option<i32>> {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status.code());
        }
        if begun.elapsed() > LIMIT {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// What is wrong with how all commands take a trap.
fn problems_of(prepared: &Prepared, trap: Trap, path: &str, told: Told) -> Vec<String> {
    let (place, outside) = (prepared.copy(), tempfile::tempdir().unwrap());
    let inner = prepared.path(path);
    let context = place.path().join(".context");
    let at = match inner.is_empty() {
        true => context,
        false => context.join(&inner),
    };
    lay(trap, &at, outside.path());
    let before = all(outside.path());
    let what = format!("{trap:?} in the place of .context/{path}");
    let (mut problems, mut said) = (Vec::new(), String::new());
    for args in prepared.commands() {
        match run(&place, &args) {
            Ok(run) => {
                // 0 and 1 are answers, 2 is a refusal, 3 says that there are findings.
                if !matches!(run.code, Some(0..=3)) {
                    problems.push(format!("{what}: {args:?} ended with {:?}", run.code));
                }
                said += &(run.stdout + &run.stderr);
            }
            Err(problem) => problems.push(format!("{what}: {problem}")),
        }
        if all(outside.path()) != before {
            problems.push(format!("{what}: {args:?} wrote outside"));
            return problems;
        }
    }
    open_by_agent(&place);
    if all(outside.path()) != before {
        problems.push(format!(
            "{what}: an agent that opens the folder wrote outside"
        ));
    }
    let name = at.file_name().unwrap().to_str().unwrap();
    let is_named = said.contains(name);
    let words = ["link", "pipe", "socket", "folder", "no folder"];
    let is_explained = words.iter().any(|word| said.contains(&format!(" {word}")));
    if told == Told::Named && !(is_named && is_explained) {
        let last: Vec<&str> = said.lines().filter(|line| line.contains("rror")).collect();
        problems.push(format!("{what}: nobody says so, only {last:?}"));
    }
    problems
}

/// What a client of MCP does on its own.
fn open_by_agent(place: &Place) {
    let mut session = Session::start(place, &["--root", "."]);
    session.call("codecortex_status", &json!({}));
    session.call(
        "codecortex_getLiveContext",
        &json!({ "filePath": "src/cart.py" }),
    );
}

fn check(cases: impl Iterator<Item = (Trap, &'static str, Told)>) {
    let prepared = prepared();
    let problems: Vec<String> = cases
        .flat_map(|(trap, path, told)| problems_of(&prepared, trap, path, told))
        .collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn files_that_are_links_are_not_written_through() {
    check(FILES.iter().map(|(path, told)| (Trap::Link, *path, *told)));
}

#[test]
fn files_that_are_links_to_nothing_are_not_made() {
    check(
        FILES
            .iter()
            .map(|(path, told)| (Trap::Dangling, *path, *told)),
    );
}

#[test]
fn folders_that_are_links_are_not_gone_through() {
    check(FOLDERS.iter().map(|path| (Trap::Link, *path, Told::Named)));
}

#[test]
fn what_is_no_file_is_not_opened() {
    // Each by those that open it in a way of their own.
    let appended = ["alias_conflicts.log", "memory/observations.jsonl"];
    let read = ["config.json", "cache/facts.index"];
    let traps = [Trap::Pipe, Trap::Socket, Trap::Folder, Trap::Loop];
    let files = appended.into_iter().chain(read);
    check(traps.into_iter().flat_map(move |trap| {
        let files = files.clone();
        files.map(move |path| (trap, path, Told::Named))
    }));
}

/// S1: a clone that appends to a file of its victim as soon as an agent opens it.
#[test]
fn opening_a_clone_appends_to_no_link() {
    let prepared = prepared();
    let (place, outside) = (prepared.copy(), tempfile::tempdir().unwrap());
    let profile = outside.path().join(".bashrc");
    fs::write(&profile, "theirs\n").unwrap();
    symlink(&profile, place.path().join(".context/alias_conflicts.log")).unwrap();
    let index = place.path().join(".context/index.json");
    let forged = fs::read_to_string(&index).unwrap();
    let forged = forged.replace("old.OldThing", "x $(touch pwned)");
    assert!(forged.contains("pwned"));
    fs::write(&index, forged).unwrap();
    let mut session = Session::start(&place, &["--root", ".", "--profile", "full"]);
    // The folder is written with a tick after the first answer; status tells of it.
    let begun = Instant::now();
    loop {
        let status = session.call("codecortex_status", &json!({})).to_string();
        if status.contains("alias_conflicts.log: it is not a file but a link") {
            break;
        }
        assert!(begun.elapsed() < LIMIT, "{status}");
        std::thread::sleep(Duration::from_millis(50));
    }
    drop(session);
    assert_eq!(fs::read_to_string(&profile).unwrap(), "theirs\n");
    let run = place.run(&["changes"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("alias_conflicts.log"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(&profile).unwrap(), "theirs\n");
}

/// Who may write a file by one name may write it by another; a file that is put in place whole has the one name alone.
#[test]
fn a_hard_link_is_a_file() {
    let prepared = prepared();
    let place = prepared.copy();
    let (path, other) = (
        place.path().join(".context/state.json"),
        place.path().join("other"),
    );
    fs::hard_link(&path, &other).unwrap();
    let before = fs::read(&other).unwrap();
    let pinned = place.run(&["window", "pin", "NewA"]);
    assert_eq!(pinned.code, Some(0), "{}", pinned.stderr);
    assert_ne!(fs::read(&path).unwrap(), before);
    assert_eq!(fs::read(&other).unwrap(), before);
}
