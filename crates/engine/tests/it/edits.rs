//! Edits by tools: optimistic versions, all files or none, failures remembered (SPEC LC3, LC4, D15).

use crate::support::{Host, Node};
use codecortex_engine::protocol::ApplyOutcome;
use codecortex_engine::protocol::Caller;
use codecortex_engine::protocol::Event;
use codecortex_engine::protocol::Position;
use codecortex_engine::protocol::TextChange;
use proptest::prelude::*;
use serde_json::{Value, json};

const FILES: &str = "//- /app/a.py\nx = 1\ny = 2\n//- /app/b.py\nfrom a import x\n";

fn open(host: &mut Host, path: &str, text: &str) {
    host.send(Event::Opened {
        path: path.into(),
        version: 1,
        text: text.into(),
        dirty: false,
    });
}

fn version(host: &mut Host, file: &str) -> Value {
    let data = host.ok("getLiveContext", json!({ "filePath": file }));
    data["current_document"]["versionId"].clone()
}

fn edit(file: &str, base: &Value, old: &str, new: &str) -> Value {
    json!({ "filePath": file, "baseVersion": base, "changes": [{ "oldText": old, "newText": new }] })
}

fn type_at_start(host: &mut Host, path: &str, version: i64, text: &str) {
    let start = Position {
        line: 0,
        character: 0,
    };
    host.send(Event::Edited {
        path: path.into(),
        version,
        changes: vec![TextChange {
            start,
            end: start,
            text: text.into(),
        }],
        dirty: true,
    });
}

/// Source §: the model edits, and the next live context says what became of it.
#[test]
fn several_files_change_at_once_on_the_disk_and_in_the_editor() {
    let mut host = Host::new(FILES);
    open(&mut host, "/w/app/a.py", "x = 1\ny = 2\n");
    type_at_start(&mut host, "/w/app/a.py", 2, "# unsaved\n");
    let (a, b) = (version(&mut host, "a.py"), version(&mut host, "b.py"));
    let edits = json!({
        "edits": [
            edit("app/a.py", &a, "x = 1", "renamed = 1"),
            edit("app/b.py", &b, "import x", "import renamed"),
            { "filePath": "app/c.py", "baseVersion": "new", "changes": [{ "newText": "import b\n" }] },
        ],
        "summary": "rename x",
    });
    let mut dry = edits.clone();
    dry["dryRun"] = json!(true);
    let plan = host.ok("applyEdit", dry);
    assert_eq!(plan["applied"], false);
    assert!(
        plan["files"][0]["diff"]
            .as_str()
            .unwrap()
            .ends_with("-x = 1\n+renamed = 1\n y = 2\n")
    );
    assert_eq!(host.text("/w/app/b.py").unwrap(), "from a import x\n");
    let done = host.ok("applyEdit", edits.clone());
    assert_eq!(done["applied"], true);
    assert_eq!(
        host.text("/w/app/a.py").unwrap(),
        "x = 1\ny = 2\n",
        "what is open stays unsaved"
    );
    assert_eq!(host.text("/w/app/b.py").unwrap(), "from a import renamed\n");
    assert_eq!(host.text("/w/app/c.py").unwrap(), "import b\n");
    let live = host.ok("getLiveContext", json!({ "filePath": "a.py" }));
    assert_eq!(
        live["current_document"]["text"],
        "# unsaved\nrenamed = 1\ny = 2\n"
    );
    assert_eq!(
        live["current_document"]["versionId"],
        done["files"][0]["versionId"]
    );
    assert_eq!(live["recent_diffs"][0]["origin"], "tool");
    assert_eq!(live["recent_diffs"][1]["origin"], "editor");
    assert_eq!(live["plan_hints"][0]["status"], "done");
    assert_eq!(live["plan_hints"][0]["summary"], "rename x");
    // The index knows of it, and so does who looks at the other file.
    let names = Host::names(&host.ok("searchApi", json!({ "labelQuery": "renamed" })));
    assert!(names.contains(&"renamed".to_owned()));
    let other = host.ok("getLiveContext", json!({ "filePath": "b.py" }));
    assert_eq!(other["recent_diffs"][0]["origin"], "tool");
    // The same once more is based on what is no more.
    let error = host.fail("applyEdit", edits);
    assert_eq!(error["code"], "VersionConflict");
}

#[test]
fn a_stale_version_is_a_conflict_with_what_changed_and_nothing_happens() {
    let mut host = Host::new(FILES);
    open(&mut host, "/w/app/a.py", "x = 1\ny = 2\n");
    let (a, b) = (version(&mut host, "a.py"), version(&mut host, "b.py"));
    type_at_start(&mut host, "/w/app/a.py", 2, "z = 0\n");
    let edits =
        json!({ "edits": [edit("b.py", &b, "x", "y"), edit("a.py", &a, "x = 1", "x = 5")] });
    let error = host.fail("applyEdit", edits);
    assert_eq!(error["code"], "VersionConflict");
    assert_eq!(error["retryable"], true);
    let details = &error["details"];
    assert_eq!(details["filePath"], "app/a.py");
    assert!(
        details["diff"].as_str().unwrap().contains("+z = 0\n"),
        "{details}"
    );
    assert_eq!(
        host.text("/w/app/b.py").unwrap(),
        "from a import x\n",
        "not half applied"
    );
    let live = host.ok("getLiveContext", json!({ "filePath": "a.py" }));
    assert_eq!(live["recent_diffs"][0]["is_error"], true);
    assert_eq!(live["recent_diffs"][0]["patchSnippet"], "-x = 1\n+x = 5\n");
    assert_eq!(live["plan_hints"][0]["status"], "failed");
    // With the version that the conflict names it goes through.
    let again = json!({ "edits": [edit("a.py", &details["currentVersion"], "x = 1", "x = 5")] });
    host.ok("applyEdit", again);
    let text = version_text(&mut host, "a.py");
    assert_eq!(text, "z = 0\nx = 5\ny = 2\n");
}

fn version_text(host: &mut Host, file: &str) -> String {
    let live = host.ok("getLiveContext", json!({ "filePath": file }));
    live["current_document"]["text"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn what_the_host_says_is_what_the_caller_hears() {
    let mut host = Host::new(FILES);
    for (outcome, code) in [
        (ApplyOutcome::Rejected, "Cancelled"),
        (
            ApplyOutcome::Conflict {
                path: "/w/app/b.py".into(),
                not_restored: Vec::new(),
            },
            "VersionConflict",
        ),
        (
            ApplyOutcome::Failed {
                reason: "the disk is full.".into(),
                not_restored: Vec::new(),
            },
            "Unavailable",
        ),
    ] {
        let base = version(&mut host, "b.py");
        host.refuse_edits.push(outcome);
        let error = host.fail(
            "applyEdit",
            json!({ "edits": [edit("b.py", &base, "x", "y")] }),
        );
        assert_eq!(error["code"], code);
        let live = host.ok("getLiveContext", json!({ "filePath": "b.py" }));
        assert_eq!(live["plan_hints"][0]["status"], "failed");
        assert_eq!(live["recent_diffs"][0]["is_error"], true);
    }
    // Somebody writes between reading and writing.
    let base = version(&mut host, "b.py");
    host.hold_edits = true;
    let waiting = json!({ "edits": [edit("b.py", &base, "x", "y")] });
    assert!(
        host.try_call("codecortex_applyEdit", waiting.clone(), Caller::default())
            .is_none()
    );
    let busy = host.fail("applyEdit", waiting);
    assert_eq!(
        (busy["code"].as_str(), busy["retryable"].as_bool()),
        (Some("Busy"), Some(true))
    );
    host.write("/w/app/b.py", "somebody else's\n");
    host.release_edits();
    let answer = host.take_answer().unwrap();
    assert!(answer.json.unwrap().contains("VersionConflict"));
    assert_eq!(host.text("/w/app/b.py").unwrap(), "somebody else's\n");
    // A workspace that is set up anew forgets nobody who waits.
    let base = version(&mut host, "b.py");
    host.hold_edits = true;
    let waiting = json!({ "edits": [edit("b.py", &base, "else", "y")] });
    assert!(
        host.try_call("codecortex_applyEdit", waiting, Caller::default())
            .is_none()
    );
    host.configure();
    assert!(
        host.take_answer()
            .unwrap()
            .json
            .unwrap()
            .contains("set up anew")
    );
    host.release_edits();
}

/// An editor opens a file that it did not hold, changes it, and has its own way with the end when it saves.
#[test]
fn what_an_editor_opens_to_change_it_is_the_tools_doing() {
    let mut host = Host::new(FILES);
    let base = version(&mut host, "b.py");
    host.hold_edits = true;
    let wanted =
        json!({ "edits": [edit("b.py", &base, "import x\n", "import y")], "summary": "y" });
    assert!(
        host.try_call("codecortex_applyEdit", wanted, Caller::default())
            .is_none()
    );
    open(&mut host, "/w/app/b.py", "from a import x\n");
    host.send(Event::Edited {
        path: "/w/app/b.py".into(),
        version: 2,
        changes: host.held_edits[0].1[0].changes.clone(),
        dirty: true,
    });
    let end = Position {
        line: 0,
        character: 15,
    };
    host.send(Event::Edited {
        path: "/w/app/b.py".into(),
        version: 3,
        changes: vec![TextChange {
            start: end,
            end,
            text: "\n".into(),
        }],
        dirty: true,
    });
    host.send(Event::Saved {
        path: "/w/app/b.py".into(),
    });
    host.release_edits();
    let answer = host.take_answer().unwrap().json.unwrap();
    let done: Value = serde_json::from_str(&answer).unwrap();
    let live = host.ok("getLiveContext", json!({ "filePath": "b.py" }));
    assert_eq!(live["current_document"]["text"], "from a import y\n");
    assert_eq!(
        live["current_document"]["versionId"], done["data"]["files"][0]["versionId"],
        "the version is that of the text that is there"
    );
    let origins: Vec<&Value> = live["recent_diffs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|diff| &diff["origin"])
        .collect();
    assert_eq!(origins, ["editor", "tool"]);
    // What a person types afterwards is a person's.
    type_at_start(&mut host, "/w/app/b.py", 4, "# mine\n");
    let live = host.ok("getLiveContext", json!({ "filePath": "b.py" }));
    assert_eq!(live["recent_diffs"][0]["origin"], "editor");
}

#[test]
fn encodings_and_line_ends_are_kept() {
    let mut host = Host::new(FILES);
    let mut utf16 = vec![0xFF, 0xFE];
    utf16.extend(
        "a = 'ä'\r\nb = 2\r\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes),
    );
    host.put("/w/app/u.py", Node::File(utf16));
    host.put("/w/app/m.py", Node::File(b"\xEF\xBB\xBFa = 1\r\n".to_vec()));
    host.put("/w/app/l.py", Node::File(b"a = '\xE4'\n".to_vec()));
    host.configure();
    for (file, old, new) in [
        ("u.py", "b = 2", "b = 3\nc = '\u{1F600}'"),
        ("m.py", "a = 1", "a = 2"),
    ] {
        let base = version(&mut host, file);
        host.ok(
            "applyEdit",
            json!({ "edits": [edit(file, &base, old, new)] }),
        );
    }
    let Some(Node::File(bytes)) = host.disk.get("/w/app/u.py") else {
        panic!()
    };
    let units: Vec<u16> = bytes
        .chunks(2)
        .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
        .collect();
    let text = String::from_utf16(&units).unwrap();
    assert_eq!(text, "\u{FEFF}a = 'ä'\r\nb = 3\r\nc = '\u{1F600}'\r\n");
    assert!(
        matches!(host.disk.get("/w/app/m.py"), Some(Node::File(b)) if b == b"\xEF\xBB\xBFa = 2\r\n")
    );
    let base = version(&mut host, "l.py");
    let error = host.fail(
        "applyEdit",
        json!({ "edits": [edit("l.py", &base, "a", "b")] }),
    );
    assert_eq!(error["code"], "Unavailable", "invalid bytes would be lost");
}

#[test]
fn wrong_arguments_change_nothing() {
    let mut host = Host::new(FILES);
    let base = version(&mut host, "a.py");
    let one = edit("a.py", &base, "x = 1", "x = 2");
    for (args, code) in [
        (json!({}), "InvalidParams"),
        (json!({ "edits": [] }), "InvalidParams"),
        (json!({ "edits": "a.py" }), "InvalidParams"),
        (
            json!({ "edits": [one.clone(), one.clone()] }),
            "InvalidParams",
        ),
        (
            json!({ "edits": [edit("../a.py", &base, "x", "y")] }),
            "AccessDenied",
        ),
        (
            json!({ "edits": [edit("/etc/passwd", &base, "x", "y")] }),
            "AccessDenied",
        ),
        (
            json!({ "edits": [edit("none.py", &base, "x", "y")] }),
            "NotFound",
        ),
        (
            json!({ "edits": [edit("a.py", &json!("v0"), "x", "y")] }),
            "VersionConflict",
        ),
        (
            json!({ "edits": [edit("a.py", &json!("new"), "x", "y")] }),
            "VersionConflict",
        ),
        (
            json!({ "edits": [edit("no/where.py", &json!("new"), "x", "y")] }),
            "NotFound",
        ),
        (
            json!({ "edits": [edit(".git/config", &json!("new"), "x", "y")] }),
            "NotFound",
        ),
        (
            json!({ "edits": [edit("a.py", &base, "nothing", "y")] }),
            "InvalidParams",
        ),
        (
            json!({ "edits": [{ "filePath": "a.py", "baseVersion": base, "changes": [{ "startLine": 99, "newText": "" }] }] }),
            "InvalidParams",
        ),
    ] {
        let error = host.fail("applyEdit", args.clone());
        assert_eq!(error["code"], code, "{args}: {error}");
        assert_eq!(host.text("/w/app/a.py").unwrap(), "x = 1\ny = 2\n");
    }
    host.write("/w/app/.context/index.json", "{}");
    host.configure();
    let ours = edit(".context/config.json", &json!("new"), "", "y");
    assert_ne!(
        host.call("applyEdit", json!({ "edits": [ours] }))["ok"],
        true
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// Two clients that edit by turns, on the newest version or on an old one: only what is based on the
    /// text that is there is applied, and the disk always has what the last success said.
    #[test]
    fn no_edit_is_lost(steps in prop::collection::vec((any::<bool>(), 0usize..3, "[a-z]{1,5}"), 1..12)) {
        let mut host = Host::new("//- /app/a.py\nstart = 1\n");
        let mut versions = vec![version(&mut host, "a.py")];
        let mut plain = "start = 1\n".to_owned();
        for (is_newest, old, word) in steps {
            let newest = versions.len() - 1;
            let base = if is_newest { newest } else { newest.saturating_sub(old) };
            let change = json!({ "startLine": 1, "endLine": 0, "newText": word });
            let args = json!({ "edits": [{ "filePath": "a.py", "baseVersion": versions[base], "changes": [change] }] });
            let envelope = host.call("applyEdit", args);
            if versions[base] == versions[newest] {
                prop_assert_eq!(&envelope["ok"], true, "{}", envelope);
                plain = format!("{word}\n{plain}");
                versions.push(envelope["data"]["files"][0]["versionId"].clone());
            } else {
                prop_assert_eq!(&envelope["error"]["code"], "VersionConflict");
            }
            let on_disk = host.text("/w/app/a.py");
            prop_assert_eq!(on_disk.as_deref(), Some(plain.as_str()));
        }
    }
}
