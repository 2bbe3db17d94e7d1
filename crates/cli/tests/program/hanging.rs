//! What does not come to an end costs itself alone: a grammar whose scanner loops, a git that hangs, files that are
//! pipes. In the program under test a grammar whose scanner loops at some marks stands in for Lua's
//! (`CODECORTEX_TEST_HANGING`, `crates/grammars/tree-sitter-hanging`); only debug builds can do that.

use std::io::{Seek, Write};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::client::{Client, hello};
use crate::support::{Place, Run};

/// Work is given up after this many milliseconds: far longer than any here takes that comes to an end.
const LIMIT: u32 = 4_000;

const GOOD: &str = "function good() end\n";

/// How a scanner fails: it asks the lexer for ever, or it asks nothing.
const FAULTS: [&str; 2] = ["asks", "spins"];

/// A file that is right but for the mark at which the scanner fails.
fn snow(fault: &str) -> String {
    format!("function snow() end @{fault}\n")
}

fn broken(command: &mut Command) {
    command.env("CODECORTEX_TEST_HANGING", format!("lua {LIMIT}"));
}

fn run(place: &Place, args: &[&str], stdin: &str) -> Run {
    let mut command = place.command(args);
    broken(&mut command);
    let mut input = tempfile::tempfile().unwrap();
    input.write_all(stdin.as_bytes()).unwrap();
    input.rewind().unwrap();
    let output = command
        .stdin(input)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn place(fault: &str) -> Place {
    let place = Place::new();
    place.write("snow.lua", snow(fault));
    // It waits for the end of a line, and is shown one.
    place.write("waits.lua", "function waits() end @waits");
    place.write("good.lua", GOOD);
    place.write("other.py", "def other():\n    pass\n");
    place
}

fn search(id: u32, name: &str) -> Value {
    json!({ "id": id, "tool": "codecortex_searchApi", "args": { "labelQuery": name } })
}

fn skipped(id: u32) -> Value {
    json!({ "id": id, "tool": "codecortex_status", "args": { "list": "skipped" } })
}

/// The file is named with its reason.
fn is_named(status: &Value) {
    let list = status["data"]["list"].as_array().unwrap();
    let is_it = |entry: &&Value| entry["filePath"].as_str().unwrap().ends_with("/snow.lua");
    let entry = list
        .iter()
        .find(is_it)
        .unwrap_or_else(|| panic!("{status}"));
    assert_eq!(entry["reason"], "tooComplex", "{status}");
    let told = entry["detail"].as_str().unwrap();
    assert!(told.contains("does not come to an end"), "{status}");
}

#[test]
fn an_index_leaves_out_the_file_at_which_a_scanner_loops() {
    for fault in FAULTS {
        let place = place(fault);
        let ran = run(&place, &["index"], "");
        assert_eq!(ran.code, Some(0), "{fault}: {}", ran.stderr);
        assert!(ran.stdout.contains("3 files"), "{fault}: {}", ran.stdout);
        assert_eq!(ran.stderr.contains("is given up"), fault == "spins");
        // The next start knows it from the cache: nobody waits a second time.
        let again = run(&place, &["index"], "");
        let told = &again.stdout;
        assert!(told.contains("tooComplex 1"), "{fault}: {told}");
        assert_eq!(again.stderr, "", "{fault}");
    }
}

#[test]
fn a_batch_answers_for_the_rest_and_names_the_file() {
    for fault in FAULTS {
        let place = place(fault);
        let calls = [
            search(1, "good"),
            search(2, "snow"),
            skipped(3),
            search(4, "waits"),
        ];
        let calls = calls.map(|call| call.to_string()).join("\n");
        let ran = run(&place, &["batch"], &calls);
        let answers: Vec<Value> = (ran.stdout.lines())
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let total = |at: usize| &answers[at]["result"]["data"]["total"];
        let totals = [total(0), total(1), total(3)];
        assert_eq!(totals, [&json!(1), &json!(0), &json!(1)], "{fault}");
        is_named(&answers[2]["result"]);
    }
}

#[test]
fn a_server_answers_for_the_rest_names_the_file_and_reads_it_again_when_it_is_mended() {
    for fault in FAULTS {
        let place = place(fault);
        let mut client = Client::greet_as(&place, "2025-06-18", broken);
        let mut ask = |call: Value| {
            client.say(
                &json!({ "jsonrpc": "2.0", "id": call["id"], "method": "tools/call",
                "params": { "name": call["tool"], "arguments": call["args"] } }),
            );
            loop {
                let answer = client.hear();
                if answer["id"] == call["id"] {
                    return answer["result"]["structuredContent"].clone();
                }
            }
        };
        assert_eq!(ask(search(1, "good"))["data"]["total"], 1, "{fault}");
        is_named(&ask(skipped(2)));
        place.write("snow.lua", "function snow() end @mended\n");
        assert_eq!(ask(search(3, "snow"))["data"]["total"], 1, "{fault}");
    }
}

fn git(place: &Place, args: &[&str]) {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    let output = Command::new("git")
        .args(identity)
        .args(args)
        .current_dir(place.path())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(output.status.success(), "{args:?}");
}

fn commit(place: &Place) {
    git(place, &["add", "good.lua", "snow.lua", "other.py"]);
    git(place, &["commit", "-q", "-m", "A step"]);
}

#[test]
fn a_review_goes_on_without_a_version_at_which_a_scanner_loops() {
    for fault in FAULTS {
        // The older version, then the newer one.
        for versions in [[&*snow(fault), GOOD], [GOOD, &*snow(fault)]] {
            let place = place(fault);
            git(&place, &["init", "-q"]);
            place.write("snow.lua", versions[0]);
            commit(&place);
            place.write("snow.lua", versions[1]);
            place.write("good.lua", "function good() return 1 end\n");
            commit(&place);
            let args = [
                "review", "--base", "HEAD~1", "--head", "HEAD", "--index", "--json",
            ];
            let ran = run(&place, &args, "");
            assert_eq!(ran.code, Some(0), "{fault}: {}{}", ran.stdout, ran.stderr);
            let told = ran.json();
            let units = told["data"]["units"].as_array().unwrap();
            let is_of = |file: &str| units.iter().any(|unit| unit.to_string().contains(file));
            assert!(is_of("good.lua") && is_of("snow.lua"), "{fault}: {told}");
        }
    }
}

#[test]
fn a_review_of_a_patch_goes_on_without_the_text_at_which_a_scanner_loops() {
    for fault in FAULTS {
        let place = place("any");
        place.write("snow.lua", GOOD);
        let patch = format!(
            "--- a/snow.lua\n+++ b/snow.lua\n@@ -1 +1 @@\n-{GOOD}+function good() return 1 @{fault} end\n\
             --- a/good.lua\n+++ b/good.lua\n@@ -1 +1 @@\n-{GOOD}+function good() return 2 end\n"
        );
        let review = json!({ "id": 1, "tool": "codecortex_reviewChanges",
            "args": { "patch": patch, "step": "index" } });
        let calls = [review, search(2, "good")].map(|call| call.to_string());
        let ran = run(&place, &["batch"], &calls.join("\n"));
        assert_eq!(ran.code, Some(0), "{fault}: {}", ran.stderr);
        let told = ran.stdout.lines().next().unwrap();
        let told: Value = serde_json::from_str(told).unwrap();
        let index = told["result"]["data"]["review_index"].as_array().unwrap();
        let files: Vec<_> = index.iter().map(|unit| &unit["file_path"]).collect();
        assert_eq!(files, ["good.lua", "snow.lua"], "{fault}: {told}");
    }
}

/// What cargo compiles for these arguments, a package a line.
fn compiled(args: &[&str]) -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--edges", "normal,build"])
        .args(["--prefix", "none", "--format", "{p}"])
        .args(args)
        .current_dir(root)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn nothing_that_is_handed_out_has_the_grammar_that_hangs() {
    let has_it = |args: &[&str]| {
        let compiled = compiled(args);
        assert!(compiled.contains("tree-sitter-lua "), "{compiled}");
        compiled.contains("tree-sitter-hanging ")
    };
    assert!(has_it(&["-p", "codecortex-wasm", "--features", "smoke"]));
    for package in ["codecortex", "codecortex-wasm"] {
        assert!(!has_it(&["-p", package]), "{package}");
    }
}

#[cfg(unix)]
#[test]
fn a_git_that_hangs_is_ended_and_said_so() {
    use std::os::unix::fs::PermissionsExt;
    let place = place("any");
    git(&place, &["init", "-q"]);
    let folder = tempfile::tempdir().unwrap();
    let hangs = folder.path().join("git");
    std::fs::write(&hangs, "#!/bin/sh\nexec sleep 100000\n").unwrap();
    std::fs::set_permissions(&hangs, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = place.command(&["review", "--json"]);
    broken(&mut command);
    let path = std::env::var_os("PATH").unwrap();
    let path = std::iter::once(folder.path().to_owned()).chain(std::env::split_paths(&path));
    command.env("PATH", std::env::join_paths(path).unwrap());
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stdout).unwrap();
    let told: Value = serde_json::from_str(&told).unwrap();
    let message = told["error"]["message"].as_str().unwrap();
    assert!(message.contains("did not end within 4 s"), "{told}");
    assert!(
        !told["error"]["hint"].as_str().unwrap().is_empty(),
        "{told}"
    );
}

/// A git that hangs until it is told to fail, and says when it was started.
#[cfg(unix)]
struct HeldGit(tempfile::TempDir);

#[cfg(unix)]
impl HeldGit {
    fn new() -> Self {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        for pipe in ["begun", "go"] {
            let status = Command::new("mkfifo")
                .arg(folder.path().join(pipe))
                .status();
            assert!(status.unwrap().success());
        }
        let at = folder.path().display();
        // Whoever reads `begun` to its end knows that the process is gone.
        let script =
            format!("#!/bin/sh\nexec 9>'{at}/begun'\necho begun >&9\nread go <'{at}/go'\nexit 1\n");
        let program = folder.path().join("git");
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        Self(folder)
    }

    /// Has a command find this git first.
    fn lead(&self, command: &mut Command) {
        let path = std::env::var_os("PATH").unwrap();
        let path = std::iter::once(self.0.path().to_owned()).chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(path).unwrap());
    }

    /// Waits until somebody started it; what is open as long as it runs.
    fn begun(&self) -> std::fs::File {
        let mut begun = std::fs::File::open(self.0.path().join("begun")).unwrap();
        std::io::Read::read_exact(&mut begun, &mut [0; 6]).unwrap();
        begun
    }

    fn fail(&self) {
        std::fs::write(self.0.path().join("go"), "go\n").unwrap();
    }
}

#[cfg(unix)]
fn review(id: u32) -> Value {
    json!({ "id": id, "tool": "codecortex_reviewChanges", "args": {} })
}

#[cfg(unix)]
#[test]
fn a_server_answers_other_calls_while_git_hangs() {
    let (place, held) = (place("any"), HeldGit::new());
    git(&place, &["init", "-q"]);
    let mut client = Client::greet_as(&place, "2025-06-18", |command| held.lead(command));
    let say = |client: &mut Client, call: &Value| {
        client.say(
            &json!({ "jsonrpc": "2.0", "id": call["id"], "method": "tools/call",
            "params": { "name": call["tool"], "arguments": call["args"] } }),
        );
    };
    say(&mut client, &review(1));
    let begun = held.begun();
    for id in 2..5 {
        say(&mut client, &search(id, "good"));
        let answer = client.hear();
        assert_eq!(answer["id"], id, "{answer}");
        let told = &answer["result"]["structuredContent"];
        assert_eq!(told["data"]["total"], 1, "{answer}");
    }
    // The index follows the disk all the same.
    place.write("new.py", "def fresh():\n    pass\n");
    say(&mut client, &search(5, "fresh"));
    let answer = client.hear();
    assert_eq!(
        answer["result"]["structuredContent"]["data"]["total"], 1,
        "{answer}"
    );
    held.fail();
    let answer = client.hear();
    assert_eq!(answer["id"], 1, "{answer}");
    let error = &answer["result"]["structuredContent"]["error"];
    assert!(
        error["message"].as_str().unwrap().contains("git"),
        "{answer}"
    );
    drop(begun);
}

#[cfg(unix)]
#[test]
fn a_server_takes_what_git_answers_when_no_call_is_open() {
    let (place, held) = (place("any"), HeldGit::new());
    git(&place, &["init", "-q"]);
    let mut greeting = hello(json!("hello"), "2025-06-18");
    greeting["params"]["capabilities"] = json!({ "sampling": {} });
    let mut client = Client::greet_with(&place, &greeting, |command| held.lead(command));
    client.say(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "codecortex_investigate", "arguments": { "question": "What is good?" } } }));
    let begun = held.begun();
    let answer = client.hear();
    let operation = &answer["result"]["structuredContent"]["data"]["operation"];
    assert_eq!(operation["state"], "running", "{answer}");
    // The investigation itself waits for the history, and nothing else happens.
    held.fail();
    let asked = client.hear();
    assert_eq!(asked["method"], "sampling/createMessage", "{asked}");
    drop(begun);
}

#[cfg(unix)]
#[test]
fn a_server_that_is_stopped_ends_the_git_that_it_waits_for() {
    let (place, held) = (place("any"), HeldGit::new());
    git(&place, &["init", "-q"]);
    let mut client = Client::greet_as(&place, "2025-06-18", |command| held.lead(command));
    client.say(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "codecortex_reviewChanges", "arguments": {} } }));
    let mut begun = held.begun();
    let (say, is_gone) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        std::io::Read::read_to_end(&mut begun, &mut Vec::new()).unwrap();
        say.send(()).unwrap();
    });
    // At the first signal it answers what it was asked before; at the next one it ends.
    let often = (0..3_000).any(|_| {
        client.signal("TERM");
        is_gone
            .recv_timeout(std::time::Duration::from_millis(20))
            .is_ok()
    });
    assert!(often, "its git runs on");
    assert!(client.code().is_some());
}

#[cfg(unix)]
#[test]
fn a_batch_answers_later_lines_while_git_hangs_and_the_earlier_one_when_it_ends() {
    let (place, held) = (place("any"), HeldGit::new());
    git(&place, &["init", "-q"]);
    let mut talk = place.talk_as(&["batch"], |command| held.lead(command));
    talk.say(&review(1).to_string());
    let _begun = held.begun();
    for id in 2..5 {
        talk.say(&search(id, "good").to_string());
        let answer = talk.hear();
        assert_eq!(answer["id"], id, "{answer}");
        assert_eq!(answer["result"]["data"]["total"], 1, "{answer}");
    }
    held.fail();
    let answer = talk.hear();
    assert_eq!(
        (&answer["id"], &answer["result"]["ok"]),
        (&json!(1), &json!(false))
    );
    // A line that comes last is waited for.
    talk.say(&review(6).to_string());
    let _begun = held.begun();
    held.fail();
    assert_eq!(talk.end().0, Some(0));
}

/// Waits until the git is gone that has this open.
#[cfg(unix)]
fn await_end(mut begun: std::fs::File) {
    let (say, is_gone) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        std::io::Read::read_to_end(&mut begun, &mut Vec::new()).unwrap();
        say.send(()).unwrap();
    });
    let gone = is_gone.recv_timeout(std::time::Duration::from_secs(60));
    gone.expect("its git is ended");
}

#[cfg(unix)]
#[test]
fn a_server_ends_the_git_of_a_call_that_is_given_up() {
    let (place, held) = (place("any"), HeldGit::new());
    git(&place, &["init", "-q"]);
    let mut client = Client::greet_as(&place, "2025-06-18", |command| held.lead(command));
    client.say(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "codecortex_reviewChanges", "arguments": {} } }));
    let begun = held.begun();
    client.say(
        &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": { "requestId": 1, "reason": "enough" } }),
    );
    await_end(begun);
    client.say(&json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": { "name": "codecortex_searchApi", "arguments": { "labelQuery": "good" } } }));
    let answer = client.hear();
    assert_eq!(
        answer["id"], 2,
        "who gave a call up hears no answer: {answer}"
    );
    assert_eq!(answer["result"]["structuredContent"]["data"]["total"], 1);
}

#[cfg(unix)]
#[test]
fn a_line_of_a_batch_gives_a_call_up() {
    let (place, held) = (place("any"), HeldGit::new());
    git(&place, &["init", "-q"]);
    let mut talk = place.talk_as(&["batch"], |command| held.lead(command));
    talk.say(&review(1).to_string());
    let begun = held.begun();
    // One that is answered, or that nobody made, is nothing to give up.
    talk.say(&json!({ "cancel": 7 }).to_string());
    talk.say(&json!({ "cancel": 1 }).to_string());
    let answer = talk.hear();
    let code = &answer["result"]["error"]["code"];
    assert_eq!((&answer["id"], code), (&json!(1), &json!("Cancelled")));
    await_end(begun);
    talk.say(&search(2, "good").to_string());
    let answer = talk.hear();
    assert_eq!(
        (&answer["id"], &answer["result"]["data"]["total"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(talk.end().0, Some(0));
}

#[cfg(unix)]
#[test]
fn pipes_where_git_keeps_its_files_hold_nothing_up() {
    let made = |path: &std::path::Path| {
        let status = Command::new("mkfifo").arg(path).status().unwrap();
        assert!(status.success());
    };
    for pipe in [
        ".git",
        ".git/HEAD",
        ".git/info/exclude",
        ".gitignore",
        ".ignore",
    ] {
        let place = place("any");
        let path = place.path().join(pipe);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        made(&path);
        let ran = place.run(&["index"]);
        assert_eq!(ran.code, Some(0), "{pipe}: {}", ran.stderr);
        let ran = place.run(&["settings", "observations", "true"]);
        assert_eq!(ran.code, Some(0), "{pipe}: {}", ran.stderr);
        let (told, _) = place.call_told(
            "codecortex_remember",
            &json!({ "text": "The depot counts.", "more": {} }),
        );
        assert_eq!(told["ok"], true, "{pipe}: {told}");
    }
}
