//! `codecortex batch-edit` and `rename --text` on the disk by the real program (SPEC ED1).

use serde_json::{Value, json};

use crate::mcp::Session;
use crate::support::Place;

const LIB: &str = "\u{feff}def total(x):\r\n    return x\r\n";
const APP: &str = "from lib import total\nprint(total(1))  # total of 1\n";
const STEPS: &str = r#"{"action":"rename","symbol":"total","newName":"sums"}

{"action":"changeSignature","symbol":"sums","add":"y:int=2"}
{"action":"insert","symbol":"sums","side":"after","code":"def twice(x):\n    return x * 2"}
{"action":"move","symbol":"twice","newPath":"more.py"}
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("lib.py", LIB);
    place.write("app.py", APP);
    place.write("README.md", "`total` adds.\n");
    place
}

fn text(place: &Place, path: &str) -> String {
    std::fs::read_to_string(place.path().join(path)).unwrap()
}

#[test]
fn steps_are_one_edit_with_one_undo() {
    let place = place();
    let plan = place.run_with(&["batch-edit", "--json"], STEPS.as_bytes());
    assert_eq!(plan.code, Some(0), "{}", plan.stdout);
    let data = &plan.json()["data"];
    assert_eq!(data["applied"], false);
    assert_eq!(data["steps"].as_array().unwrap().len(), 4, "{data}");
    assert_eq!(text(&place, "app.py"), APP, "a plan changes nothing");

    let file = place.write("../steps.jsonl", STEPS);
    let done = place.run(&["batch-edit", file.to_str().unwrap(), "--apply", "--json"]);
    assert_eq!(done.code, Some(0), "{}", done.stdout);
    assert_eq!(
        text(&place, "lib.py"),
        "\u{feff}def sums(x, y: int):\r\n    return x\r\n",
        "line ends and the byte order mark stay"
    );
    assert_eq!(
        text(&place, "app.py"),
        "from lib import sums\nprint(sums(1, 2))  # total of 1\n"
    );
    assert!(text(&place, "more.py").contains("def twice(x):"));

    let undone = place.run(&["undo", "--apply"]);
    assert_eq!(undone.code, Some(0), "{}", undone.stdout);
    assert_eq!(text(&place, "lib.py"), LIB);
    assert_eq!(text(&place, "app.py"), APP);
    assert!(!place.path().join("more.py").exists());
}

#[test]
fn a_refused_step_changes_no_file() {
    let place = place();
    let steps =
        format!("{STEPS}{{\"action\":\"rename\",\"symbol\":\"sums\",\"newName\":\"class\"}}\n");
    let refused = place.run_with(&["batch-edit", "--apply", "--json"], steps.as_bytes());
    assert_eq!(refused.code, Some(1), "{}", refused.stdout);
    let error = &refused.json()["error"];
    assert_eq!(error["details"]["step"], 5, "{error}");
    assert_eq!(error["details"]["kind"], "InvalidName", "{error}");
    let broken = place.run_with(&["batch-edit", "--apply", "--json"], b"{}\n{\n");
    assert_eq!(broken.code, Some(1), "{}", broken.stdout);
    let error = broken.json()["error"]["message"].to_string();
    assert!(error.contains("Line 2"), "{error}");
    assert_eq!(text(&place, "lib.py"), LIB);
    assert_eq!(text(&place, "app.py"), APP);
    assert!(!place.path().join("more.py").exists());
}

#[test]
fn words_in_texts_change_on_request() {
    let place = place();
    let some = place.run(&["rename", "total", "sums", "--text=document", "--json"]);
    let words = some.json()["data"]["words"].to_string();
    assert!(words.contains("README.md:1:2"), "{words}");
    assert!(!words.contains("comment"), "{words}");
    let all = place.run(&["rename", "total", "sums", "--text", "--apply"]);
    assert_eq!(all.code, Some(0), "{}", all.stdout);
    assert!(
        all.stdout.contains("words in texts change too"),
        "{}",
        all.stdout
    );
    assert_eq!(text(&place, "README.md"), "`sums` adds.\n");
    assert!(text(&place, "app.py").contains("# sums of 1"));
}

/// Where nobody can be asked, an edit takes a second call with the number of its plan (SPEC D28).
#[test]
fn doors_that_cannot_ask_take_a_second_call() {
    let place = place();
    let edit = json!({ "edits": [
        { "filePath": "new.py", "baseVersion": "new", "changes": [{ "newText": "x = 1\n" }] },
    ] });
    let tool = "codecortex_applyEdit";
    let mut session = Session::start(&place, &["--root", "."]);
    let first = session.call(tool, &edit)["structuredContent"].clone();
    assert_eq!(first["data"]["applied"], false, "{first}");
    let line = |args: &Value| json!({ "id": 1, "tool": tool, "args": args }).to_string();
    let batched = place.batch(&line(&edit));
    assert_eq!(
        batched[0]["result"]["data"]["applied"], false,
        "{batched:?}"
    );
    let id = &batched[0]["result"]["data"]["planId"];
    assert_eq!(*id, first["data"]["planId"], "one plan has one number");
    assert!(!place.path().join("new.py").exists());

    let mut other = edit.clone();
    other["planId"] = "0000000000000000".into();
    let refused = session.call(tool, &other)["structuredContent"].clone();
    assert_eq!(refused["error"]["code"], "VersionConflict", "{refused}");
    assert!(!place.path().join("new.py").exists());

    let mut agreed = edit.clone();
    agreed["planId"] = id.clone();
    let done = place.batch(&line(&agreed));
    assert_eq!(done[0]["result"]["data"]["applied"], true, "{done:?}");
    assert_eq!(text(&place, "new.py"), "x = 1\n");
}

#[test]
fn imports_are_organised() {
    let place = Place::new();
    place.write(
        "a.py",
        "import abc\nimport sys\nimport os\nimport os\n\nprint(os, abc)\n",
    );
    let plan = place.run(&["organise-imports", "a.py", "--json"]);
    assert_eq!(plan.code, Some(0), "{}", plan.stdout);
    let notes = plan.json()["data"]["notes"].to_string();
    assert!(notes.contains("`sys` is imported and not used"), "{notes}");
    let done = place.run(&["organize-imports", "a.py", "--apply"]);
    assert_eq!(done.code, Some(0), "{}", done.stdout);
    assert_eq!(
        text(&place, "a.py"),
        "import abc\nimport os\n\nprint(os, abc)\n"
    );
    let again = place.run(&["organise-imports", "a.py", "--apply", "--json"]);
    assert_eq!(again.code, Some(1), "{}", again.stdout);
    let kind = &again.json()["error"]["details"]["kind"];
    assert_eq!(*kind, "NothingToDo");
}
