//! `codecortex memory`, `map` and the payload on a real disk: the acceptance rules of `003` §9 with both back ends (D30).

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::Place;

const CART: &str = "class Cart:\n    def total(self, x):\n        return x + 1\n\n    def url_for(self, name):\n        return name\n";
const MODES: [&str; 5] = ["index", "timeline", "detail", "map", "mixed"];

/// A workspace whose owner opted in.
fn place(backend: &str) -> Place {
    let place = Place::new();
    place.write("shop/cart.py", CART);
    let config = json!({ "flags": { "observations_backend": backend } });
    place.write(".context/config.json", config.to_string());
    place.person_sets(&json!({ "observations": true }));
    place
}

fn remember(place: &Place, args: &[&str]) -> Value {
    let all: Vec<&str> = ["memory", "remember"]
        .iter()
        .chain(args)
        .copied()
        .chain(["--json"])
        .collect();
    let run = place.run(&all);
    assert_eq!(
        (run.code, run.stderr.as_str()),
        (Some(0), ""),
        "{}",
        run.stdout
    );
    run.json()["data"].clone()
}

fn payload(place: &Place, args: &[&str]) -> Value {
    let all: Vec<&str> = ["context"].iter().chain(args).copied().collect();
    let run = place.run(&all);
    assert_eq!(run.stderr, "");
    run.json()
}

fn ids(payload: &Value) -> Vec<u64> {
    let items = payload["observations"]["items"].as_array().unwrap();
    items
        .iter()
        .map(|item| item["id"].as_u64().unwrap())
        .collect()
}

fn is_within(payload: &Value) {
    let budget = &payload["budget"];
    assert!(
        budget["tokens_approx"].as_u64().unwrap() <= budget["budget_tokens"].as_u64().unwrap(),
        "{budget}"
    );
}

/// §9.1 and §9.4: the same with every back end.
#[test]
fn both_back_ends_answer_alike() {
    for backend in ["jsonl", "sqlite"] {
        let place = place(backend);
        remember(
            &place,
            &[
                "Total adds one\nbecause of tax",
                "--symbol",
                "Cart.total",
                "--task-id",
                "T1",
            ],
        );
        remember(
            &place,
            &["Ran the suite", "--type", "test", "--ran", "pytest -q"],
        );
        remember(
            &place,
            &[
                "url_for keeps names",
                "--file",
                "shop/cart.py",
                "--task-id",
                "T1",
            ],
        );
        let index = payload(&place, &["--mode", "index"]);
        for field in [
            "version",
            "mode",
            "budget",
            "subagent_type",
            "generated_at",
            "task",
            "repo_map",
            "notes",
        ] {
            assert!(!index[field].is_null(), "{field}");
        }
        assert_eq!(
            (ids(&index), &index["observations"]["source"]),
            (vec![3, 2, 1], &json!(backend))
        );
        is_within(&index);
        assert_eq!(
            ids(&payload(&place, &["--mode", "timeline", "--task-id", "T1"])),
            [1, 3]
        );
        let detail = payload(&place, &["--mode", "detail", "--ids", "2,1"]);
        assert_eq!(ids(&detail), [2, 1]);
        assert_eq!(
            detail["observations"]["items"][0]["refs"]["commands"],
            json!(["pytest -q"])
        );
        assert_eq!(detail["observations"]["items"][1]["verdict"], "fresh");
        assert_eq!(
            ids(&payload(&place, &["--query", "suite", "--mode", "index"])),
            [2]
        );
        let map = payload(&place, &["--mode", "map", "--query", "url for"]);
        assert_eq!(map["repo_map"]["items"][0]["schema_version"], "repomap.v1");
        is_within(&map);
    }
}

/// §7: a parameter of the runner may come from the environment.
#[test]
fn parameters_come_from_the_environment_too() {
    let place = place("jsonl");
    remember(&place, &["one", "--task-id", "T1"]);
    remember(&place, &["two", "--task-id", "T2"]);
    place.write("task.json", r#"{"id": "T2", "goal": "two"}"#);
    let run = |variables: &[(&str, &str)]| -> Value {
        let output = place
            .command(&["context"])
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let told = run(&[
        ("CODECORTEX_MODE", "timeline"),
        ("CODECORTEX_TASK_ID", "T1"),
        ("CODECORTEX_SUBAGENT_TYPE", "verifier"),
    ]);
    assert_eq!(
        (ids(&told), &told["subagent_type"]),
        (vec![1], &json!("verifier"))
    );
    let told = run(&[("CODECORTEX_IDS", "2,1")]);
    assert_eq!((ids(&told), &told["mode"]), (vec![2, 1], &json!("detail")));
    let told = run(&[
        ("CODECORTEX_TASK_JSON_PATH", "task.json"),
        ("CODECORTEX_PROFILE", "small"),
    ]);
    assert_eq!(
        (ids(&told), &told["budget"]["budget_tokens"]),
        (vec![2], &json!(600))
    );
    let told = run(&[("CODECORTEX_SCOPE", "nowhere"), ("CODECORTEX_QUERY", "one")]);
    assert_eq!(told["error"]["code"], "InvalidParams");
}

/// §9.2 and D33: nothing but JSON, whatever is switched; failures too.
#[test]
fn stdout_is_one_json_object_whatever_is_switched() {
    let place = Place::new();
    place.write("shop/cart.py", CART);
    for flags in [
        json!({}),
        json!({ "use_context_payload_v2": false }),
        json!({ "use_observations_store": true, "observations_backend": "markdown" }),
        json!({ "use_repo_map": false }),
        json!({ "use_progressive_disclosure": false }),
        json!({ "observations_backend": "redis" }),
    ] {
        place.write(
            ".context/config.json",
            json!({ "flags": flags }).to_string(),
        );
        for mode in MODES {
            let run = place.run(&["context", "--mode", mode, "--query", "total", "--ids", "1"]);
            let told = run.json();
            let has_failed = flags["observations_backend"] == "redis";
            assert_eq!(run.code, Some(i32::from(has_failed)), "{flags} {mode}");
            assert_eq!(told["error"]["code"] == "InvalidParams", has_failed);
        }
    }
}

/// D14: a failure has its account as well.
#[test]
fn failures_have_a_budget() {
    let place = place("jsonl");
    let run = place.run(&[
        "context", "--mode", "map", "--query", "total", "--budget", "5",
    ]);
    let told = run.json();
    assert_eq!(told["error"]["code"], "BudgetExceeded");
    let budget = &told["budget"];
    assert_eq!(budget["budget_tokens"], 5);
    let letters = run.stdout.trim_end().chars().count();
    assert_eq!(budget["tokens_approx"], letters.div_ceil(4));
}

/// D26: the log for people is written and never read.
#[test]
fn the_markdown_log_changes_nothing() {
    let place = place("jsonl");
    remember(&place, &["one\nwith detail"]);
    let log = place.path().join(".context/memory/observations.md");
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(
        text.contains("one") && !text.contains("with detail"),
        "{text}"
    );
    let before = payload(&place, &["--ids", "1"])["observations"].clone();
    std::fs::write(
        &log,
        "- #1 2026-01-01 00:00:00 system/other something else\n- #9 x\n",
    )
    .unwrap();
    assert_eq!(payload(&place, &["--ids", "1"])["observations"], before);
    assert_eq!(ids(&payload(&place, &[])), [1]);
}

#[test]
fn records_move_forget_and_leave() {
    let place = place("jsonl");
    for text in ["one", "two", "three"] {
        remember(&place, &[text]);
    }
    assert_eq!(place.run(&["memory", "forget", "1"]).code, Some(0));
    assert_eq!(
        place.run(&["memory", "forget", "2", "--purge"]).code,
        Some(0)
    );
    assert_eq!(place.run(&["memory", "forget", "44"]).code, Some(1));
    let exported = |place: &Place| place.run(&["memory", "export"]).stdout;
    let before = exported(&place);
    assert!(
        before.contains("\"one\"") && !before.contains("\"two\""),
        "{before}"
    );
    let moved = place.run(&["memory", "migrate", "--to", "sqlite"]);
    assert_eq!(moved.code, Some(0), "{}", moved.stderr);
    assert_eq!(exported(&place), before);
    assert_eq!(ids(&payload(&place, &[])), [3], "the settings follow");
    assert_eq!(
        place.run(&["memory", "migrate", "--to", "jsonl"]).code,
        Some(0)
    );
    assert_eq!(exported(&place), before);
    let recalled = place.run(&["memory", "recall", "three"]).stdout;
    assert!(
        recalled.contains("#3") && recalled.contains("1 of 1"),
        "{recalled}"
    );
}

#[test]
fn a_new_folder_has_its_settings() {
    let place = Place::new();
    place.write("shop/cart.py", CART);
    assert_eq!(place.run(&["init"]).code, Some(0));
    let read = |path: &str| std::fs::read_to_string(place.path().join(path)).unwrap();
    let config: Value = serde_json::from_str(&read(".context/config.json")).unwrap();
    assert_eq!(config["flags"]["use_observations_store"], false);
    assert_eq!(
        config["profiles"]["default"]["downgrade_order"],
        json!(["index", "map", "timeline", "detail"])
    );
    assert!(read(".context/.gitignore").contains("memory/lock/"));
    // What somebody wrote stays.
    place.write(".context/config.json", "{}");
    place.run(&["init"]);
    assert_eq!(read(".context/config.json"), "{}");
}

/// PR-4: built, kept with version and hash, read back.
#[test]
fn a_map_is_built_and_read() {
    let place = Place::new();
    place.write("shop/cart.py", CART);
    place.write("tools/build.py", "def build():\n    pass\n");
    let run = place.run(&["map", "build", "--exclude", "tools/", "--out", "map.json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let loaded = place.run(&["map", "load", "map.json"]);
    let map = loaded.json();
    assert_eq!(
        (&map["schema_version"], loaded.stderr.as_str()),
        (&json!("repomap.v1"), "")
    );
    assert_eq!(map["items"].as_array().unwrap().len(), 1);
    let symbol = &map["items"][0]["symbols"][1];
    let expected = json!({ "kind": "method", "name": "total", "signature": "def total(self, x)", "line_start": 2, "line_end": 3 });
    assert_eq!(*symbol, expected);
    place.write("shop/cart.py", format!("{CART}\nX = 1\n"));
    assert!(
        place
            .run(&["map", "load", "map.json"])
            .stderr
            .contains("shop/cart.py")
    );
    let only = place
        .run(&["map", "build", "--include", "tools/*.py"])
        .json();
    assert_eq!(only["items"][0]["path"], "tools/build.py");
    let text = std::fs::read_to_string(place.path().join("map.json")).unwrap();
    place.write("map.json", text.replace("total", "sum"));
    assert_eq!(place.run(&["map", "load", "map.json"]).code, Some(1));
}

/// The published schema, by a validator that is not ours: Node's `ajv`, where it is installed.
#[test]
fn payloads_are_as_the_published_schema_says() {
    let place = place("jsonl");
    remember(
        &place,
        &[
            "Total adds one\nbecause of tax",
            "--symbol",
            "Cart.total",
            "--task-id",
            "T1",
        ],
    );
    place.write("task.json", r#"{"id": "T1", "goal": "two"}"#);
    let mut told: Vec<Value> = MODES
        .iter()
        .map(|mode| {
            payload(
                &place,
                &[
                    "--mode",
                    mode,
                    "--query",
                    "total",
                    "--ids",
                    "1",
                    "--task-json-path",
                    "task.json",
                ],
            )
        })
        .collect();
    told.push(payload(&place, &["--ids", "1,5", "--budget", "200"]));
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let script = "const [schema, payloads] = JSON.parse(require('fs').readFileSync(0, 'utf8'));
        const Ajv = require('ajv'); const check = new (Ajv.default ?? Ajv)({ strict: false, validateFormats: false }).compile(schema);
        for (const payload of payloads) { if (!check(payload)) { console.log(JSON.stringify([payload.mode, check.errors])); } }
        const { budget, ...rest } = payloads[0]; if (check(rest)) { console.log('a payload without budget passes'); }
        if (check({ ...payloads[0], version: 'context_payload.v1' })) { console.log('another version passes'); }";
    let schema =
        std::fs::read_to_string(format!("{root}/docs/context_payload.v2.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let node = Command::new("node")
        .args(["-e", script])
        .current_dir(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut node) = node else {
        return; // there is no Node
    };
    serde_json::to_writer(node.stdin.take().unwrap(), &json!([schema, told])).unwrap();
    let output = node.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    if said.contains("Cannot find module") {
        return; // its packages are not installed
    }
    assert_eq!(
        (
            String::from_utf8_lossy(&output.stdout).as_ref(),
            said.as_ref()
        ),
        ("", "")
    );
}

/// X9: tasks of the repository's own history, beside two others, losses first.
#[test]
fn a_bench_replays_the_history() {
    let place = Place::new();
    let git = |args: &[&str]| {
        let status = Command::new("git")
            .args([
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@example.com",
                "-c",
                "commit.gpgSign=false",
            ])
            .arg("-C")
            .arg(place.path())
            .args(args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        assert!(status.unwrap().success(), "{args:?}");
    };
    git(&["init", "-q"]);
    place.write("shop/cart.py", CART);
    place.write("shop/other.py", "def rate(x):\n    return x\n");
    git(&["add", "."]);
    git(&["commit", "-qm", "Begin the shop"]);
    place.write("shop/cart.py", CART.replace("x + 1", "x + 2"));
    git(&["add", "."]);
    git(&["commit", "-qm", "Let the total of a cart add two"]);
    let head = std::fs::read_to_string(place.path().join(".git/HEAD")).unwrap();
    let run = place.run(&["bench", "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let report = run.json();
    assert_eq!(report["tasks"], 1);
    let ours = &report["systems"]["codecortex"];
    assert_eq!(
        (&ours["violations"], &ours["recall"][0]["file"]),
        (&json!(0), &json!(1.0))
    );
    assert_eq!(ours["recall"][0]["symbol"], 1.0);
    for system in ["bm25", "grep"] {
        assert_eq!(
            report["systems"][system]["recall"]
                .as_array()
                .unwrap()
                .len(),
            4
        );
    }
    assert_eq!(
        std::fs::read_to_string(place.path().join(".git/HEAD")).unwrap(),
        head
    );
    assert!(!place.path().join(".git/worktrees").exists());
    assert!(
        place
            .run(&["bench"])
            .stdout
            .starts_with("Worse than another in 0 of 1 tasks")
    );
    let elsewhere = Place::new();
    assert_eq!(elsewhere.run(&["bench"]).code, Some(1));
}

/// An id is given once, whichever back end gives it (507).
#[test]
fn ids_are_given_once_over_all_back_ends() {
    let place = place("jsonl");
    let config = |backend: &str| {
        let config = json!({ "flags": { "observations_backend": backend } });
        place.write(".context/config.json", config.to_string());
    };
    let id = |text: &str| remember(&place, &[text])["id"].as_u64().unwrap();
    assert_eq!(id("one"), 1);
    config("markdown");
    assert_eq!(id("two"), 2);
    config("jsonl");
    assert_eq!(id("three"), 3);
    config("markdown");
    assert_eq!(id("four"), 4);
}

/// A note follows what it is about to another name and another file (277).
#[test]
fn notes_follow_what_they_are_about() {
    let place = place("jsonl");
    place.run(&["changes"]);
    remember(&place, &["the cart adds one", "--symbol", "cart.Cart"]);
    remember(
        &place,
        &["the total of it adds one", "--symbol", "cart.Cart.total"],
    );
    let verdicts = |args: &[&str]| -> Vec<String> {
        let all = [&["memory", "recall"], args, &["--json"]].concat();
        let run = place.run(&all);
        let items = run.json()["data"]["items"].as_array().unwrap().clone();
        let verdict = |item: &Value| item["verdict"].as_str().unwrap_or("none").to_owned();
        items.iter().map(verdict).collect()
    };
    assert_eq!(verdicts(&["adds"]), ["fresh", "fresh"]);
    place.write("shop/cart.py", CART.replace("Cart", "Basket"));
    place.run(&["changes"]);
    assert!(!verdicts(&["adds"]).contains(&"orphaned".to_owned()));
    assert_eq!(verdicts(&["--symbol", "cart.Basket"]).len(), 1);
    assert_eq!(verdicts(&["--symbol", "cart.Basket.total"]).len(), 1);
    // A member by another name is told from what it does.
    place.write(
        "shop/cart.py",
        CART.replace("Cart", "Basket").replace("total", "whole"),
    );
    place.run(&["changes"]);
    assert!(!verdicts(&["adds"]).contains(&"orphaned".to_owned()));
}

const POT: &str = "class Pot:\n    def fill(self, n):\n        self.n = n + 7\n        return self.n\n\n    def same(self):\n        \
    return 1\n\ndef brew(x):\n    y = x + 41\n    return y * 2\n";

/// Asked by the new name, notes are found that were left at the old one: of members and functions that were renamed, and of
/// what moved to another file or folder, also where nobody had looked at the types before (277).
#[test]
fn notes_are_found_by_new_names() {
    let place = place("jsonl");
    place.write("src/deep/pot.py", POT);
    for symbol in ["pot.Pot", "pot.Pot.fill", "pot.brew", "cart.Cart.total"] {
        remember(&place, &[&format!("about {symbol}"), "--symbol", symbol]);
    }
    let noted = |symbol: &str| -> Vec<String> {
        let run = place.run(&["memory", "recall", "--symbol", symbol, "--json"]);
        let items = run.json()["data"]["items"].as_array().unwrap().clone();
        let told = |item: &Value| {
            assert_ne!(item["verdict"], "orphaned", "{item}");
            item["summary"].as_str().unwrap().to_owned()
        };
        items.iter().map(told).collect()
    };
    // A member and a function by other names.
    place.write(
        "src/deep/pot.py",
        POT.replace("fill", "load").replace("brew", "cook"),
    );
    assert_eq!(noted("pot.Pot.load"), ["about pot.Pot.fill"]);
    assert_eq!(noted("pot.cook"), ["about pot.brew"]);
    assert!(
        noted("pot.Pot.same").is_empty(),
        "another member does another thing"
    );
    // Another folder.
    std::fs::rename(place.path().join("src/deep"), place.path().join("src/low")).unwrap();
    assert_eq!(noted("pot.Pot"), ["about pot.Pot"]);
    assert_eq!(noted("pot.Pot.load"), ["about pot.Pot.fill"]);
    // Another file.
    place.write("shop/stock.py", CART);
    std::fs::remove_file(place.path().join("shop/cart.py")).unwrap();
    assert_eq!(noted("stock.Cart.total"), ["about cart.Cart.total"]);
    // Who does the same twice is nobody's successor.
    place.write("shop/more.py", CART);
    assert!(noted("more.Cart.total").is_empty());
}

/// What a terminal would obey is shown to people and is data for programs (278).
#[test]
fn escapes_in_a_note_are_shown_and_not_sent() {
    let place = place("jsonl");
    let text = "a note\nred \u{1b}[31mtext\u{202e} and \u{7}bell";
    place.run(&["memory", "remember", text]);
    for args in [&["recall", "note"][..], &["recall", "--ids", "1"]] {
        let run = place.run(&[&["memory"], args].concat());
        assert!(run.stdout.contains("a note"), "{}", run.stdout);
        let sent = run.stdout.contains(['\u{1b}', '\u{7}', '\u{202e}']);
        assert!(!sent, "{}", run.stdout.escape_debug());
    }
    let whole = place.run(&["memory", "recall", "--ids", "1"]).stdout;
    assert!(
        whole.contains("red \\u{1b}[31mtext"),
        "{}",
        whole.escape_debug()
    );
    let told = place
        .run(&["memory", "recall", "--ids", "1", "--json"])
        .json();
    let detail = told["data"]["items"][0]["detail"].as_str().unwrap();
    assert!(detail.contains("red \u{1b}[31mtext"), "{told}");
}

/// What begins like an option is a text all the same (279).
#[test]
fn a_note_may_begin_with_dashes() {
    let place = place("jsonl");
    for text in ["- first", "--- a line", "-x is the option"] {
        remember(&place, &[text, "--type", "note"]);
    }
    let run = place.run(&["memory", "recall", "first", "--json"]);
    assert_eq!(run.json()["data"]["total"], 1, "{}", run.stdout);
}
