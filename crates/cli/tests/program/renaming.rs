//! `codecortex rename` on the disk by the real program (SPEC ED1, D39).

use serde_json::{Value, json};

use crate::mcp::Session;
use crate::support::Place;

const LIB: &str = "\u{feff}def total(x):\r\n    return x\r\n";
const APP: &str = "from lib import total\nprint(total(1), \"total\")\n";

fn place() -> Place {
    let place = Place::new();
    place.write("lib.py", LIB);
    place.write("app.py", APP);
    place
}

fn text(place: &Place, path: &str) -> String {
    std::fs::read_to_string(place.path().join(path)).unwrap()
}

fn is_unchanged(place: &Place) -> bool {
    text(place, "lib.py") == LIB && text(place, "app.py") == APP
}

#[test]
fn a_plan_changes_nothing_and_apply_changes_all_files() {
    let place = place();
    let plan = place.run(&["rename", "lib.py:1:5", "sum_of", "--json"]);
    assert_eq!(plan.code, Some(0), "{}", plan.stdout);
    let data = &plan.json()["data"];
    assert_eq!(data["applied"], false);
    assert_eq!(data["totalEdits"], 3);
    assert_eq!(data["totalNotTouched"], 1);
    assert_eq!(data["notTouched"][0]["reason"], "string");
    let diffs = data["files"].as_array().unwrap().iter();
    assert!(
        diffs
            .clone()
            .all(|file| file["diff"].as_str().unwrap().contains("+++"))
    );
    assert!(is_unchanged(&place));

    let done = place.run(&["rename", "lib.py:1:5", "sum_of", "--apply", "--json"]);
    assert_eq!(done.code, Some(0), "{}", done.stdout);
    assert_eq!(done.json()["data"]["applied"], true);
    assert_eq!(text(&place, "lib.py"), LIB.replace("total", "sum_of"));
    let app = "from lib import sum_of\nprint(sum_of(1), \"total\")\n";
    assert_eq!(text(&place, "app.py"), app);

    // Back again: byte order mark and line ends are as they were.
    let back = place.run(&["rename", "sum_of", "total", "--apply"]);
    assert_eq!(back.code, Some(0), "{}", back.stdout);
    assert!(is_unchanged(&place));
}

#[test]
fn a_refusal_ends_with_1_and_changes_nothing() {
    let place = place();
    for (name, code, kind) in [
        ("class", "InvalidParams", "InvalidName"),
        ("1a", "InvalidParams", "InvalidName"),
        ("a-x", "InvalidParams", "InvalidName"),
        ("", "InvalidParams", "InvalidName"),
        ("print", "InvalidParams", "Conflict"),
    ] {
        let run = place.run(&["rename", "app.py:2:7", name, "--apply", "--json"]);
        assert_eq!(run.code, Some(1), "{name}");
        let error = &run.json()["error"];
        assert_eq!(error["code"], code, "{name}: {error}");
        assert_eq!(error["details"]["kind"], kind, "{name}: {error}");
        assert!(is_unchanged(&place), "{name}");
    }
}

#[test]
fn a_generated_or_hidden_file_is_not_changed_on_the_way() {
    let place = place();
    place.write("gen.py", "# @generated\nfrom lib import total\ntotal(2)\n");
    let run = place.run(&["rename", "lib.py:1:5", "sum_of", "--apply", "--json"]);
    let generated = text(&place, "gen.py");
    assert_eq!(generated, "# @generated\nfrom lib import total\ntotal(2)\n");
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    let message = run.json()["error"]["message"].to_string();
    assert!(
        message.contains("gen.py") && message.contains("generated"),
        "{message}"
    );
    assert!(is_unchanged(&place));
}

/// Whoever made a file read-only meant it; replacing it by another one would go round that.
#[cfg(unix)]
#[test]
fn a_read_only_file_refuses_the_edit_of_all() {
    use std::os::unix::fs::PermissionsExt;

    let place = place();
    let path = place.path().join("app.py");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o444)).unwrap();
    let run = place.run(&["rename", "lib.py:1:5", "sum_of", "--apply", "--json"]);
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    let message = run.json()["error"]["message"].to_string();
    assert!(message.contains("app.py"), "{message}");
    assert!(is_unchanged(&place));
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o444);
}

/// On a disk that folds case, `store.java` and `Store.java` are one file; elsewhere they are two.
#[test]
fn a_name_that_changes_its_case_alone_takes_its_file_along() {
    let place = Place::new();
    place.write("Store.java", "class Store { Store() {} }\n");
    place.write("Use.java", "class Use { Store s = new Store(); }\n");
    let run = place.run(&["rename", "Store", "STORE", "--apply", "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stdout);
    let names: Vec<String> = std::fs::read_dir(place.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.to_lowercase() == "store.java")
        .collect();
    assert_eq!(names, ["STORE.java"]);
    assert_eq!(text(&place, "STORE.java"), "class STORE { STORE() {} }\n");
    assert_eq!(
        text(&place, "Use.java"),
        "class Use { STORE s = new STORE(); }\n"
    );
    assert_eq!(place.run(&["undo", "--apply"]).code, Some(0));
    assert_eq!(text(&place, "Store.java"), "class Store { Store() {} }\n");
}

/// No door applies an edit that nobody saw: the first call is a plan, and a plan is for one state of the code.
#[test]
fn every_door_plans_first() {
    let place = place();
    let args = json!({
        "action": "rename", "filePath": "lib.py", "position": { "line": 1, "character": 5 }, "newName": "sum_of",
    });
    let call = place.run(&["call", "codecortex_refactor", "--args", &args.to_string()]);
    let line = json!({ "id": 1, "tool": "codecortex_refactor", "args": args }).to_string();
    let batch: Value =
        serde_json::from_str(&place.run_with(&["batch"], line.as_bytes()).stdout).unwrap();
    let mut session = Session::start(&place, &["--root", ".", "--profile", "full"]);
    let mcp = session.call("codecortex_refactor", &args)["structuredContent"].clone();
    let mut ids = Vec::new();
    for answer in [call.json(), batch["result"].clone(), mcp] {
        assert_eq!(answer["data"]["applied"], false, "{answer}");
        ids.push(answer["data"]["planId"].as_str().unwrap().to_owned());
    }
    assert!(is_unchanged(&place));
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");

    place.write("app.py", APP.replace("(1)", "(2)"));
    let mut with_id = args.clone();
    with_id["planId"] = ids[0].as_str().into();
    let stale = place.run(&[
        "call",
        "codecortex_refactor",
        "--args",
        &with_id.to_string(),
    ]);
    assert_eq!(stale.json()["error"]["code"], "VersionConflict");
    place.write("app.py", APP);
    let done = place.run(&[
        "call",
        "codecortex_refactor",
        "--args",
        &with_id.to_string(),
    ]);
    assert_eq!(done.json()["data"]["applied"], true, "{}", done.stdout);
    assert_eq!(text(&place, "lib.py"), LIB.replace("total", "sum_of"));
}

/// What is written, from one process to the next, comes back byte by byte; each undo goes one edit further back.
#[test]
fn undo_takes_edits_back_one_by_one() {
    let place = place();
    let empty = place.run(&["undo", "--json"]);
    assert_eq!(
        empty.json()["error"]["code"],
        "NotFound",
        "{}",
        empty.stdout
    );
    for (old, new) in [("lib.py:1:5", "sum_of"), ("sum_of", "sum_all")] {
        let run = place.run(&["rename", old, new, "--apply"]);
        assert_eq!(run.code, Some(0), "{}", run.stdout);
    }
    let list = place.run(&["undo", "--list", "--json"]);
    let history = list.json()["data"]["history"].clone();
    let summaries: Vec<&str> = history
        .as_array()
        .unwrap()
        .iter()
        .map(|edit| edit["summary"].as_str().unwrap())
        .collect();
    assert_eq!(
        summaries,
        ["Rename `sum_of` to `sum_all`", "Rename `total` to `sum_of`"]
    );

    let plan = place.run(&["undo", "--json"]);
    assert_eq!(plan.json()["data"]["applied"], false, "{}", plan.stdout);
    assert!(text(&place, "lib.py").contains("sum_all"));
    let done = place.run(&["undo", "--apply"]);
    assert!(
        done.stdout.contains("undone: Rename `sum_of`"),
        "{}",
        done.stdout
    );
    assert_eq!(text(&place, "lib.py"), LIB.replace("total", "sum_of"));
    let done = place.run(&["undo", "--apply"]);
    assert_eq!(done.code, Some(0), "{}", done.stdout);
    assert!(is_unchanged(&place));
    let none = place.run(&["undo", "--apply", "--json"]);
    assert_eq!(
        none.json()["error"]["code"],
        "NotFound",
        "what was undone is no edit to undo"
    );
}

#[test]
fn undo_is_refused_where_a_file_is_another_by_now() {
    let place = place();
    place.run(&["rename", "lib.py:1:5", "sum_of", "--apply"]);
    let mine = format!("{}# mine\n", text(&place, "app.py"));
    place.write("app.py", &mine);
    let before = text(&place, "lib.py");
    let run = place.run(&["undo", "--apply", "--json"]);
    assert_eq!(run.code, Some(1));
    let error = &run.json()["error"];
    assert_eq!(error["code"], "VersionConflict", "{error}");
    assert!(
        error["details"]["filePath"]
            .as_str()
            .unwrap()
            .ends_with("app.py")
    );
    assert_eq!(
        (text(&place, "lib.py"), text(&place, "app.py")),
        (before, mine)
    );
}

/// Other edits can be taken back, too: a file that was made is deleted.
#[test]
fn undo_deletes_what_an_edit_made() {
    let place = place();
    let edits = json!({ "summary": "add it", "edits": [
        { "filePath": "new.py", "baseVersion": "new", "changes": [{ "newText": "x = 1\n" }] },
    ] });
    let args = edits.to_string();
    let run = place.run(&["call", "codecortex_applyEdit", "--apply", "--args", &args]);
    assert_eq!(run.code, Some(0), "{}", run.stdout);
    let plan = place.run(&["undo"]);
    assert!(plan.stdout.contains("new.py deleted"), "{}", plan.stdout);
    let done = place.run(&["undo", "--apply"]);
    assert_eq!(done.code, Some(0), "{}", done.stdout);
    assert!(!place.path().join("new.py").exists());
    assert!(is_unchanged(&place));
}

/// A public type of Java and its file have one name; both come back together.
#[test]
fn a_file_goes_with_the_type_that_it_is_named_after() {
    let place = Place::new();
    let shelf = "public class Shelf { }\r\n";
    place.write("src/Shelf.java", shelf);
    place.write("src/Use.java", "class Use { Shelf shelf; }\n");
    place.write("src/Taken.java", "class Other { }\n");
    let run = place.run(&["rename", "Shelf", "Taken", "--apply", "--json"]);
    assert_eq!(
        run.json()["error"]["details"]["kind"],
        "Conflict",
        "{}",
        run.stdout
    );
    assert_eq!(text(&place, "src/Shelf.java"), shelf);

    let plan = place.run(&["rename", "Shelf", "Store", "--json"]);
    let files = &plan.json()["data"]["files"];
    assert_eq!(files[0]["operation"], "moved", "{}", plan.stdout);
    assert!(
        files[0]["movedTo"]
            .as_str()
            .unwrap()
            .ends_with("src/Store.java")
    );
    let done = place.run(&["rename", "Shelf", "Store", "--apply"]);
    assert_eq!(done.code, Some(0), "{}", done.stdout);
    assert!(!place.path().join("src/Shelf.java").exists());
    assert_eq!(
        text(&place, "src/Store.java"),
        shelf.replace("Shelf", "Store")
    );
    assert_eq!(text(&place, "src/Use.java"), "class Use { Store shelf; }\n");
    // The next process sees the type at its place.
    let found = place.run(&["outline", "Store"]);
    assert!(found.stdout.contains("Store"), "{}", found.stdout);

    let back = place.run(&["undo", "--apply"]);
    assert_eq!(back.code, Some(0), "{}", back.stdout);
    assert!(!place.path().join("src/Store.java").exists());
    assert_eq!(text(&place, "src/Shelf.java"), shelf);
}
