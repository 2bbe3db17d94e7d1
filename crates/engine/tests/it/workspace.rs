//! What is indexed, what is left out, and how changes arrive (SPEC P2, P4, I1, X2).

use crate::support::{Host, MIXED, Node};
use codecortex_engine::protocol::Caller;
use codecortex_engine::protocol::Config;
use codecortex_engine::protocol::Event;
use codecortex_engine::protocol::Position;
use codecortex_engine::protocol::TextChange;
use serde_json::json;

#[test]
fn everything_left_out_can_be_asked_for() {
    let mut host = Host::new(MIXED);
    host.put("/w/app/data.py", Node::File(b"\0\0\0binary".to_vec()));
    host.put(
        "/w/app/Form.Designer.cs",
        Node::File(b"class Form {}".to_vec()),
    );
    host.put("/w/app/big.rs", Node::File(vec![b' '; 100]));
    host.put("/w/app/link.py", Node::Link(Some("/elsewhere/x.py".into())));
    host.put("/w/app/pipe.py", Node::Pipe);
    host.put("/w/app/closed", Node::Denied);
    host.write("/w/app/.gitignore", "*.tmp.py\n");
    host.write("/w/app/a.tmp.py", "x = 1");
    host.write("/w/app/venv/pyvenv.cfg", "");
    host.write("/w/app/venv/lib.py", "x = 1");
    host.write("/w/app/proj/app.csproj", "");
    host.write("/w/app/proj/obj/Gen.cs", "class Gen {}");
    host.write("/w/app/skip/me.py", "x = 1");
    host.config = Config {
        max_file_size: 4096,
        exclude: vec!["skip/".into()],
        ..Config::default()
    };
    host.put("/w/app/huge.rs", Node::File(vec![b' '; 5000]));
    host.configure();
    let data = host.ok("status", json!({ "list": "skipped", "limit": 200 }));
    let reason = |path: &str| {
        let list = data["list"].as_array().unwrap();
        let entry = list
            .iter()
            .find(|entry| entry["filePath"] == format!("app/{path}"));
        entry
            .map(|entry| entry["reason"].as_str().unwrap().to_owned())
            .unwrap_or_default()
    };
    for (path, expected) in [
        ("data.py", "binary"),
        ("Form.Designer.cs", "generated"),
        ("huge.rs", "oversized"),
        ("link.py", "symlink"),
        ("pipe.py", "notAFile"),
        ("closed/", "unreadable"),
        ("a.tmp.py", "ignored"),
        ("venv/", "tooling"),
        ("proj/obj/", "tooling"),
        ("skip/", "excluded"),
        ("node_modules/", "tooling"),
        ("README.md", "unknownLanguage"),
    ] {
        assert_eq!(reason(path), expected, "{path}: {data}");
    }
    assert_eq!(data["listTotal"], data["list"].as_array().unwrap().len());
    assert_eq!(data["listTotal"], host.engine.state().skipped);
    // The state's count keeps up with what comes, changes and goes.
    host.write("/w/app/data.py", "x = 1");
    host.write("/w/app/b.tmp.py", "x = 1");
    host.disk.remove("/w/app/big.rs");
    host.disk.remove("/w/app/pipe.py");
    host.touched(&["/w/app/data.py", "/w/app/b.tmp.py", "/w/app/pipe.py"]);
    let now = host.ok("status", json!({ "list": "skipped" }))["listTotal"].clone();
    assert_eq!(now, data["listTotal"].as_u64().unwrap() - 1);
    assert_eq!(now, host.engine.state().skipped);
    host.put("/w/app/data.py", Node::File(b"\0\0\0binary".to_vec()));
    host.touched(&["/w/app/data.py"]);
    let only = host.ok("status", json!({ "reason": "binary" }));
    assert_eq!(
        only["list"],
        json!([{ "filePath": "app/data.py", "reason": "binary" }])
    );
    let below = host.ok("status", json!({ "list": "skipped", "folder": "app/proj" }));
    assert_eq!(below["listTotal"], 2);
}

#[test]
fn a_watcher_s_news_add_change_and_remove() {
    let mut host = Host::new(MIXED);
    assert!(host.is_ready());
    let before = host.reads.len();
    host.write("/w/app/new/deep/Fresh.cs", "class Fresh {}");
    host.touched(&["/w/app/new/deep/Fresh.cs"]);
    assert_eq!(
        Host::names(&host.ok("searchApi", json!({ "labelQuery": "Fresh" }))),
        ["Fresh"]
    );
    host.write("/w/app/new/deep/Fresh.cs", "class Renewed {}");
    host.touched(&["/w/app/new/deep/Fresh.cs"]);
    assert_eq!(
        host.ok("searchApi", json!({ "labelQuery": "Fresh" }))["total"],
        0
    );
    assert_eq!(
        host.ok("searchApi", json!({ "labelQuery": "Renewed" }))["total"],
        1
    );
    assert_eq!(host.reads.len(), before + 2, "only what changed is read");
    host.disk.remove("/w/app/new/deep/Fresh.cs");
    host.touched(&["/w/app/new/deep/Fresh.cs"]);
    assert_eq!(
        host.ok("searchApi", json!({ "labelQuery": "Renewed" }))["total"],
        0
    );
    assert!(host.is_ready());
}

#[test]
fn a_new_ignore_rule_removes_and_its_end_brings_back() {
    let mut host = Host::new(MIXED);
    assert_eq!(
        host.ok("searchApi", json!({ "labelQuery": "HttpClient" }))["total"],
        1
    );
    host.write("/w/app/.gitignore", "pkg/\n*.go\n");
    host.touched(&["/w/app/.gitignore"]);
    assert_eq!(
        host.ok("searchApi", json!({ "labelQuery": "HttpClient" }))["total"],
        0
    );
    assert_eq!(
        host.ok("searchApi", json!({ "labelQuery": "Listen" }))["total"],
        0
    );
    host.disk.remove("/w/app/.gitignore");
    host.touched(&["/w/app/.gitignore"]);
    assert_eq!(
        host.ok("searchApi", json!({ "labelQuery": "HttpClient" }))["total"],
        1
    );
    assert_eq!(
        host.ok("searchApi", json!({ "labelQuery": "Listen" }))["total"],
        1
    );
}

#[test]
fn unsaved_text_wins_until_it_is_closed() {
    let mut host = Host::new(MIXED);
    let path = "/w/app/pkg/tools.py".to_owned();
    let text = "class HttpClient:\n    pass\n";
    host.send(Event::Opened {
        path: path.clone(),
        version: 1,
        text: text.into(),
        dirty: false,
    });
    let at = |line, character| Position { line, character };
    let change = TextChange {
        start: at(0, 6),
        end: at(0, 10),
        text: "Smtp".into(),
    };
    host.send(Event::Edited {
        path: path.clone(),
        version: 2,
        changes: vec![change],
        dirty: true,
    });
    let data = host.ok("searchApi", json!({ "labelQuery": "SmtpClient" }));
    assert_eq!(
        (&data["total"], &data["index"]["unsaved"]),
        (&json!(1), &json!(true))
    );
    assert_eq!(
        host.ok("searchApi", json!({ "labelQuery": "HttpClient" }))["items"][0]["match"],
        "fuzzy"
    );
    // What the watcher says of the disk does not undo what is being typed.
    host.touched(&["/w/app/pkg/tools.py"]);
    assert_eq!(
        host.ok("searchApi", json!({ "labelQuery": "SmtpClient" }))["total"],
        1
    );
    host.send(Event::Closed { path });
    assert_eq!(
        host.ok("searchApi", json!({ "labelQuery": "HttpClient" }))["total"],
        1
    );
    assert!(
        host.ok("searchApi", json!({ "labelQuery": "helper" }))["index"]
            .get("unsaved")
            .is_none()
    );
}

#[test]
fn a_warm_start_reads_only_what_changed() {
    let mut host = Host::new(MIXED);
    assert_eq!(host.saves, 1);
    let cache = host.engine.export_cache(host.clock + 10_000.0);
    host.write("/w/app/pkg/tools.py", "class Changed: pass\n");
    host.restart(cache);
    assert_eq!(host.reads, ["/w/app/pkg/tools.py"]);
    assert_eq!(host.saves, 1);
    assert_eq!(
        Host::names(&host.ok("searchApi", json!({ "labelQuery": "Changed" }))),
        ["Changed"]
    );
    assert_eq!(
        host.ok("searchApi", json!({ "labelQuery": "NodeStore" }))["total"],
        2
    );
}

#[test]
fn answers_wait_for_the_file_they_need_and_say_busy_for_the_rest() {
    let mut host = Host::empty(&[("app", "/w/app")]);
    for (path, text) in crate::support::parse_fixture(MIXED) {
        host.write(&format!("/w{path}"), &text);
    }
    host.hold_reads = true;
    host.configure();
    let error = host.fail("getOutline", json!({ "symbol": "NodeStore" }));
    assert_eq!(
        (&error["code"], &error["retryable"]),
        (&json!("Busy"), &json!(true))
    );
    assert!(error["details"]["progress"].is_number());
    let search = host.ok("searchApi", json!({ "labelQuery": "NodeStore" }));
    assert_eq!(search["index"]["phase"], "indexing");
    assert!(
        host.try_call(
            "codecortex_getOutline",
            json!({ "filePath": "app/lib/main.go" }),
            Caller::default()
        )
        .is_none()
    );
    host.release();
    let answer = host.take_answer().unwrap();
    assert!(answer.ok && answer.json.unwrap().contains("Listen"));
}

#[test]
fn no_call_waits_for_a_file_that_will_not_come() {
    let mut host = Host::empty(&[("app", "/w/app")]);
    host.write("/w/app/a.py", "x = 1");
    host.write("/w/app/b.py", "x = 1");
    host.hold_reads = true;
    host.configure();
    let outline = json!({ "filePath": "app/a.py" });
    let call = "codecortex_getOutline";
    assert!(
        host.try_call(call, outline.clone(), Caller::default())
            .is_none()
    );
    host.disk.remove("/w/app/a.py");
    host.touched(&["/w/app/a.py"]);
    assert!(!host.take_answer().unwrap().ok);
    let outline = json!({ "filePath": "app/b.py" });
    assert!(host.try_call(call, outline, Caller::default()).is_none());
    host.configure();
    assert!(host.take_answer().unwrap().json.unwrap().contains("Busy"));
}

#[test]
fn cancelled_indexing_is_said() {
    let mut host = Host::empty(&[("app", "/w/app")]);
    host.write("/w/app/a.py", "x = 1");
    host.hold_reads = true;
    host.configure();
    host.send(Event::CancelIndexing);
    assert_eq!(host.ok("status", json!({}))["phase"], "cancelled");
    assert_eq!(
        host.ok("searchApi", json!({ "labelQuery": "x" }))["index"]["pending"],
        1
    );
}

#[test]
fn an_empty_folder_and_no_folder_answer() {
    let mut host = Host::empty(&[("app", "/w/app")]);
    host.configure();
    assert_eq!(host.ok("status", json!({}))["phase"], "ready");
    assert_eq!(
        host.ok("searchApi", json!({ "labelQuery": "x" }))["total"],
        0
    );
    let mut none = Host::empty(&[]);
    none.configure();
    assert_eq!(none.ok("status", json!({}))["phase"], "empty");
    assert_eq!(
        none.fail("getOutline", json!({ "filePath": "a.py" }))["code"],
        "NotFound"
    );
}

#[test]
fn links_lead_to_what_is_indexed_or_are_denied() {
    let mut host = Host::new(MIXED);
    host.put(
        "/w/app/alias.py",
        Node::Link(Some("/w/app/pkg/tools.py".into())),
    );
    host.put("/w/app/out", Node::Link(Some("/etc".into())));
    host.put("/w/app/inside", Node::Link(Some("/w/app/pkg".into())));
    host.put("/w/app/dead.py", Node::Link(None));
    host.configure();
    let data = host.ok("getOutline", json!({ "filePath": "app/alias.py" }));
    assert_eq!(data["filePath"], "app/pkg/tools.py");
    assert_eq!(
        host.fail("getOutline", json!({ "filePath": "app/out/passwd.py" }))["code"],
        "AccessDenied"
    );
    assert_eq!(
        host.fail("getOutline", json!({ "filePath": "app/dead.py" }))["code"],
        "NotFound"
    );
    assert_eq!(
        host.ok("getOutline", json!({ "filePath": "app/inside/tools.py" }))["filePath"],
        "app/pkg/tools.py"
    );
}
