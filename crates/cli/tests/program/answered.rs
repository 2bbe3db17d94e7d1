//! What a call answered with `ok` is on the disk whatever becomes of the program after it (D37, L1–L5): a kill, SIGTERM, or
//! a disk that takes nothing. `CODECORTEX_KILLS` says how many programs are killed at each door.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};

use crate::killing::{Moments, kill_at, kills};
use crate::mcp::Session;
use crate::scripted_model::FULL;
use crate::support::{Place, Talk};

/// Classes that the calls are about.
const CLASSES: usize = 12;
const PATCH: &str = "--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,3 @@\n class T0:\n     def run(self):\n-        return 1\n+        return 2\n";

/// A way to call tools one after the other in a program that goes on.
trait Door {
    fn ask(&mut self, tool: &str, args: &Value);
    /// The envelope of the answer, once it is there.
    fn hear(&mut self) -> Value;
    fn talk(self) -> Talk;

    /// Whether a model stands behind it, which may not dismiss findings.
    const IS_MODEL: bool;
}

struct Batch(Talk);

impl Door for Batch {
    const IS_MODEL: bool = false;

    fn ask(&mut self, tool: &str, args: &Value) {
        self.0
            .say(&json!({ "id": 1, "tool": tool, "args": args }).to_string());
    }

    fn hear(&mut self) -> Value {
        self.0.hear()["result"].clone()
    }

    fn talk(self) -> Talk {
        self.0
    }
}

struct Mcp(Session, u64);

impl Door for Mcp {
    const IS_MODEL: bool = true;

    fn ask(&mut self, tool: &str, args: &Value) {
        self.1 = self
            .0
            .ask("tools/call", &json!({ "name": tool, "arguments": args }));
    }

    fn hear(&mut self) -> Value {
        let id = self.1;
        self.0.response(id)["result"]["structuredContent"].clone()
    }

    fn talk(self) -> Talk {
        self.0.into_talk()
    }
}

fn batch(place: &Place) -> Batch {
    Batch(place.talk(&["batch"]))
}

fn mcp(place: &Place) -> Mcp {
    Mcp(
        Session::start(place, &["--root", ".", "--profile", "full"]),
        0,
    )
}

/// A workspace without a `.context/`, and the tickets of texts about its classes.
fn workspace() -> (Place, Vec<String>) {
    let place = Place::new();
    let class = |n: usize| format!("class T{n}:\n    def run(self):\n        return 1\n\n");
    place.write("a.py", (0..CLASSES).map(class).collect::<String>());
    let ask = |n: usize| {
        let args = json!({ "symbol": format!("T{n}"), "prompt": "always", "maxTokens": 4000 });
        json!({ "id": n, "tool": "codecortex_getSemantic", "args": args }).to_string() + "\n"
    };
    let answers = place.batch(&(0..CLASSES).map(ask).collect::<String>());
    let ticket = |answer: &Value| {
        answer["result"]["data"]["ticket"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let tickets = answers.iter().map(ticket).collect();
    (place, tickets)
}

/// The nth call that keeps something, each a thing of its own.
fn nth(n: usize, tickets: &[String], is_model: bool) -> (&'static str, Value) {
    let class = n / 6 % CLASSES;
    let symbol = format!("T{class}");
    match n % 6 {
        0 => (
            "codecortex_pin",
            json!({ "action": "pin", "symbols": [symbol] }),
        ),
        1 => {
            let (name, filter) = (format!("p{class}"), format!("type:{symbol}"));
            (
                "codecortex_pack",
                json!({ "action": "build", "name": name, "filter": filter }),
            )
        }
        2 if is_model => {
            let args = json!({ "action": "add", "symbols": [symbol] });
            ("codecortex_pin", args)
        }
        2 => {
            let ids = [format!("{class:012x}")];
            (
                "codecortex_reviewChanges",
                json!({ "step": "findings", "patch": PATCH, "dismiss": ids }),
            )
        }
        3 => (
            "codecortex_submitSemantic",
            json!({ "ticket": tickets[class], "text": FULL }),
        ),
        4 => (
            "codecortex_investigate",
            json!({ "question": format!("what is {symbol}?") }),
        ),
        _ => (
            "codecortex_getOutline",
            json!({ "symbol": symbol, "form": "outline" }),
        ),
    }
}

/// Whether a class is in a list of the window.
fn is_in(list: &Value, class: usize) -> bool {
    let ending = format!("T{class}");
    let list = list.as_array().map_or(&[][..], Vec::as_slice);
    let mut paths = list.iter().filter_map(|entry| entry["path"].as_str());
    paths.any(|path| path.ends_with(&ending))
}

/// Whether what the nth call keeps is on the disk.
fn is_kept(place: &Place, n: usize, told: &Value) -> bool {
    let class = n / 6 % CLASSES;
    let context = place.path().join(".context");
    let state = || -> Value {
        let text = std::fs::read(context.join("state.json")).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    };
    let data = &told["data"];
    match n % 6 {
        0 => is_in(&state()["promptWindow"]["pins"], class),
        1 => {
            let known = !state()["promptWindow"]["packs"][format!("p{class}")].is_null();
            known && context.join(format!("packs/p{class}.md")).is_file()
        }
        2 if data["inFocus"].is_u64() => is_in(&state()["promptWindow"]["focus"], class),
        2 => !state()["reviewDismissed"][format!("{class:012x}")].is_null(),
        3 => {
            let file = data["file"].as_str().unwrap_or("none");
            place.path().join(file).is_file()
        }
        4 => {
            let id = data["operation"]["opId"].as_str().unwrap_or("none");
            context.join(format!("ops/{id}.json")).is_file()
        }
        _ => {
            let id = data["resolved"]["typeId"].as_str().unwrap_or("none");
            context.join(format!("types/{id}.outline.md")).is_file()
        }
    }
}

/// Names of files below `.context/` that are half written.
fn halves(place: &Place) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![place.path().to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.file_type().unwrap().is_dir() {
                open.push(entry.path());
            } else if name.starts_with(".writing-") {
                found.insert(name);
            }
        }
    }
    found
}

/// Kills programs at moments after and between their answers.
fn killed<D: Door>(open: fn(&Place) -> D) {
    let (place, tickets) = workspace();
    let mut moments = Moments::up_to(Duration::from_millis(40));
    let mut kept: Vec<(usize, Value)> = Vec::new();
    for (n, _) in (0..).zip(0..kills(8)) {
        let mut door = open(&place);
        // One that was answered, and one that may be at work.
        for number in [3 * n, 3 * n + 1] {
            let (tool, args) = nth(number, &tickets, D::IS_MODEL);
            door.ask(tool, &args);
            let told = door.hear();
            assert_eq!(told["ok"], true, "{tool}: {told}");
            kept.push((number, told));
        }
        let (tool, args) = nth(3 * n + 2, &tickets, D::IS_MODEL);
        door.ask(tool, &args);
        kill_at(door.talk().child(), || true, moments.next());
        let recent = &kept[kept.len().saturating_sub(24)..];
        for (number, told) in recent {
            assert!(is_kept(&place, *number, told), "kill {n}: {number} {told}");
        }
    }
    for (number, told) in &kept {
        assert!(is_kept(&place, *number, told), "{number} {told}");
    }
    // The next writer cleans up.
    assert_eq!(place.run(&["init"]).code, Some(0));
    assert_eq!(halves(&place), BTreeSet::new());
}

#[test]
fn a_killed_batch_has_kept_what_it_answered() {
    killed(batch);
}

#[test]
fn a_killed_server_has_kept_what_it_answered() {
    killed(mcp);
}

#[cfg(unix)]
#[test]
fn a_server_that_is_ended_after_each_answer_loses_nothing() {
    let (place, tickets) = workspace();
    for n in 0..12 {
        let (tool, args) = nth(n, &tickets, true);
        let mut session = mcp(&place);
        session.ask(tool, &args);
        let told = session.hear();
        assert_eq!(told["ok"], true, "{told}");
        let process = rustix::process::Pid::from_raw(session.0.process() as i32).unwrap();
        rustix::process::kill_process(process, rustix::process::Signal::TERM).unwrap();
        assert_eq!(session.talk().child().wait().unwrap().code(), Some(0));
        assert!(is_kept(&place, n, &told), "{tool}: {told}");
    }
}

#[test]
fn what_one_call_answered_is_there_when_it_has_ended() {
    let (place, tickets) = workspace();
    for n in 0..12 {
        let (tool, args) = nth(n, &tickets, false);
        let (told, code) = place.call(tool, &args);
        assert_eq!((&told["ok"], code), (&json!(true), Some(0)), "{told}");
        assert!(is_kept(&place, n, &told), "{tool}: {told}");
    }
}

/// A folder that cannot be written is no reason to say `ok`.
#[test]
fn what_cannot_be_kept_fails() {
    let (place, tickets) = workspace();
    // What stands in the folder's place can be no folder, also for root.
    place.write(".context", "in the way");
    for n in 0..5 {
        let (tool, args) = nth(n, &tickets, false);
        let (told, code) = place.call_told(tool, &args);
        assert_eq!(
            (&told["ok"], code),
            (&json!(false), Some(1)),
            "{tool}: {told}"
        );
        let hint = &told["error"]["hint"];
        assert!(hint.is_string(), "{told}");
    }
    let text = std::fs::read_to_string(place.path().join(".context")).unwrap();
    assert_eq!(text, "in the way");
}
