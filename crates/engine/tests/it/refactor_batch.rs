//! Batches of `codecortex_refactor`, and words in texts that change on request (SPEC ED1).

use codecortex_engine::protocol::Caller;
use serde_json::{Value, json};

use crate::support::Host;

const FILES: &str = "\
//- /app/a.ts
export function sum(x: number) { return x; }
//- /app/b.ts
import { sum } from './a';
sum(1); // sum
const said = \"sum of\";
//- /app/c.ts
// sum is elsewhere
export const other = 1;
//- /app/README.md
The function `sum` adds; summary stays.
";

fn batch(steps: Value) -> Value {
    json!({ "action": "batch", "steps": steps })
}

fn applied(host: &mut Host, mut args: Value) -> Value {
    let plan = host.ok("refactor", args.clone());
    args["planId"] = plan["planId"].clone();
    host.ok("refactor", args)
}

#[test]
fn a_step_sees_what_those_before_it_do() {
    let mut host = Host::new(FILES);
    let steps = json!([
        { "action": "rename", "symbol": "sum", "newName": "total" },
        { "action": "changeSignature", "symbol": "total", "add": "y:number=2" },
        { "action": "move", "symbol": "total", "newPath": "sums.ts" },
        { "action": "insert", "symbol": "total", "side": "after", "code": "export const one = 1;" },
        { "action": "rename", "symbol": "one", "newName": "first" },
    ]);
    let before = ["a", "b"].map(|name| host.text(&format!("/w/app/{name}.ts")).unwrap());
    let plan = host.ok("refactor", batch(steps.clone()));
    assert_eq!(plan["applied"], false);
    assert_eq!(plan["steps"].as_array().unwrap().len(), 5, "{plan}");
    assert_eq!(plan["totalFiles"], 3, "{plan}");
    let after = ["a", "b"].map(|name| host.text(&format!("/w/app/{name}.ts")).unwrap());
    assert_eq!(before, after, "planning changes nothing");
    let names = Host::names(&host.ok("searchApi", json!({ "labelQuery": "sum" })));
    assert_eq!(names, ["sum"], "the index is as it was");
    let uses = host.ok("findReferences", json!({ "symbol": "sum" }));
    assert_eq!(uses["total"], 2, "{uses}");

    let done = applied(&mut host, batch(steps));
    assert_eq!(done["applied"], true);
    assert_eq!(
        host.text("/w/app/sums.ts").unwrap(),
        "export function total(x: number, y: number) { return x; }\nexport const first = 1;\n"
    );
    let user = host.text("/w/app/b.ts").unwrap();
    assert!(
        user.starts_with("import { total } from './sums';\ntotal(1, 2);"),
        "{user}"
    );
    let uses = host.ok("findReferences", json!({ "symbol": "total" }));
    assert_eq!(uses["total"], 2, "{uses}");
}

#[test]
fn a_refused_step_is_named_and_nothing_changes() {
    let mut host = Host::new(FILES);
    let before = host.text("/w/app/b.ts").unwrap();
    for (second, code, told) in [
        (
            json!({ "action": "rename", "symbol": "total", "newName": "said" }),
            "InvalidParams",
            "Step 2 (`rename`)",
        ),
        (
            json!({ "action": "rename", "symbol": "sum", "newName": "x" }),
            "SymbolNotFound",
            "Step 2 (`rename`)",
        ),
        (json!({ "action": "undo" }), "InvalidParams", "Step 2:"),
        (
            json!({ "action": "batch", "steps": [] }),
            "InvalidParams",
            "Step 2:",
        ),
        (
            json!({ "action": "rename", "symbl": "a" }),
            "InvalidParams",
            "`symbl`",
        ),
        (json!({}), "InvalidParams", "Step 2:"),
    ] {
        let first = json!({ "action": "rename", "symbol": "sum", "newName": "total" });
        let error = host.fail("refactor", batch(json!([first, second])));
        assert_eq!(error["code"], code, "{second}: {error}");
        assert!(
            error["message"].as_str().unwrap().contains(told),
            "{second}: {error}"
        );
        assert_eq!(error["details"]["step"], 2, "{second}: {error}");
        assert_eq!(host.text("/w/app/b.ts").unwrap(), before);
    }
    for steps in [json!([]), json!(null)] {
        assert_eq!(host.fail("refactor", batch(steps))["code"], "InvalidParams");
    }
    let uses = host.ok("findReferences", json!({ "symbol": "sum" }));
    assert_eq!(uses["total"], 2, "{uses}");
}

#[test]
fn steps_that_cancel_out_are_no_edit() {
    let mut host = Host::new(FILES);
    let steps = json!([
        { "action": "rename", "symbol": "sum", "newName": "total" },
        { "action": "rename", "symbol": "total", "newName": "sum" },
    ]);
    let error = host.fail("refactor", batch(steps));
    assert_eq!(error["code"], "InvalidParams", "{error}");
    assert!(error["message"].as_str().unwrap().contains("as it is"));
}

#[test]
fn a_step_that_finds_nothing_to_do_is_named() {
    let mut host = Host::new(
        "//- /app/a.ts\nimport { b } from './b';\nexport const x = b;\n//- /app/b.ts\nexport const b = 1;\n",
    );
    let steps = json!([
        { "action": "organiseImports", "filePath": "app/a.ts" },
        { "action": "rename", "symbol": "b", "newName": "d" },
    ]);
    let plan = host.ok("refactor", batch(steps.clone()));
    assert_eq!(
        plan["steps"][0]["summary"], "organiseImports: nothing to change",
        "{plan}"
    );
    assert_eq!(plan["steps"][0]["files"], 0, "{plan}");
    assert_eq!(plan["steps"][1]["files"], 2, "{plan}");
    let mut args = batch(steps);
    args["format"] = "text".into();
    let answer = host.call_at("codecortex_refactor", args, Caller::default());
    let text = answer.text.unwrap();
    assert!(
        text.contains("// step 1: organiseImports: nothing to change\n"),
        "{text}"
    );
    assert!(
        text.contains("// step 2: Rename `b` to `d`: 3 places in 2 files\n"),
        "{text}"
    );
}

#[test]
fn a_plan_is_void_where_a_file_has_changed() {
    let mut host = Host::new(FILES);
    let mut args = batch(json!([{ "action": "rename", "symbol": "sum", "newName": "total" }]));
    let plan = host.ok("refactor", args.clone());
    host.write("/w/app/b.ts", "import { sum } from './a';\nsum(2);\n");
    args["planId"] = plan["planId"].clone();
    assert_eq!(host.fail("refactor", args)["code"], "VersionConflict");
}

#[test]
fn words_in_texts_change_on_request() {
    let mut host = Host::new(FILES);
    let mut args = json!({ "action": "rename", "symbol": "sum", "newName": "total" });
    let plan = host.ok("refactor", args.clone());
    assert!(plan["words"].is_null(), "not without asking: {plan}");
    assert_eq!(plan["totalFiles"], 2);

    args["texts"] = json!(["comment", "string", "document"]);
    let plan = host.ok("refactor", args.clone());
    let kinds: Vec<&str> = plan["words"]
        .as_array()
        .unwrap()
        .iter()
        .map(|word| word["kind"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        ["comment", "string", "comment", "document"],
        "{plan}"
    );
    assert_eq!(plan["words"][3]["place"], "app/README.md:1:15", "{plan}");
    assert_eq!(plan["totalNotTouched"], 0, "{plan}");
    applied(&mut host, args);
    assert_eq!(
        host.text("/w/app/README.md").unwrap(),
        "The function `total` adds; summary stays.\n"
    );
    assert!(host.text("/w/app/c.ts").unwrap().starts_with("// total is"));
    let user = host.text("/w/app/b.ts").unwrap();
    assert!(
        user.contains("// total\nconst said = \"total of\";"),
        "{user}"
    );
}

#[test]
fn only_the_texts_that_are_asked_for_change() {
    let mut host = Host::new(FILES);
    let args = json!({
        "action": "rename", "symbol": "sum", "newName": "total", "texts": ["string"],
    });
    let plan = host.ok("refactor", args.clone());
    assert_eq!(plan["totalWords"], 1, "{plan}");
    assert_eq!(plan["notTouched"][0]["reason"], "comment", "{plan}");
    applied(&mut host, args);
    let user = host.text("/w/app/b.ts").unwrap();
    assert!(
        user.contains("// sum\nconst said = \"total of\";"),
        "{user}"
    );
}

#[test]
fn imports_are_organised_alone_and_as_a_step() {
    let mut host = Host::new(
        "//- /app/a.ts\nimport { b, c } from './b';\nexport const x = b;\n//- /app/b.ts\nexport const b = 1;\nexport const c = 2;\n",
    );
    let organise = json!({ "action": "organiseImports", "filePath": "app/a.ts" });
    let plan = host.ok("refactor", organise.clone());
    assert_eq!(plan["notes"][0], "`c` is imported and not used.", "{plan}");
    let steps = json!([
        { "action": "rename", "symbol": "b", "newName": "d" },
        organise,
        { "action": "organiseImports", "filePath": "app/a.ts" },
    ]);
    let done = applied(&mut host, batch(steps));
    assert_eq!(
        done["steps"][2]["summary"], "organiseImports: nothing to change",
        "{done}"
    );
    let text = host.text("/w/app/a.ts").unwrap();
    assert_eq!(text, "import { d } from './b';\nexport const x = d;\n");
    let again = host.fail("refactor", organise_again());
    assert_eq!(again["details"]["kind"], "NothingToDo", "{again}");
}

fn organise_again() -> Value {
    json!({ "action": "organiseImports", "filePath": "app/a.ts" })
}

#[test]
fn an_edit_of_text_is_applied_by_the_number_of_its_plan() {
    let mut host = Host::new(FILES);
    let mut edit = json!({ "edits": [
        { "filePath": "app/d.ts", "baseVersion": "new", "changes": [{ "newText": "export {};\n" }] },
    ], "dryRun": true });
    let plan = host.ok("applyEdit", edit.clone());
    assert_eq!(plan["applied"], false);
    assert_eq!(host.text("/w/app/d.ts"), None);
    edit["dryRun"] = Value::Null;
    edit["planId"] = "0".into();
    assert_eq!(
        host.fail("applyEdit", edit.clone())["code"],
        "VersionConflict"
    );
    edit["planId"] = plan["planId"].clone();
    assert_eq!(host.ok("applyEdit", edit)["applied"], true);
    assert_eq!(host.text("/w/app/d.ts").unwrap(), "export {};\n");
}

/// Whether a module imports another one when it is loaded.
fn loads(host: &Host, of: &str, other: &str) -> bool {
    let text = host.text(&format!("/w/app/{of}.py")).unwrap();
    let mut lines = text.lines();
    lines.any(|line| {
        line.starts_with(&format!("from {other} ")) || line.starts_with(&format!("import {other}"))
    })
}

/// Moves after one another whose imports would make a circle: late imports solve it, or the step is refused by name.
#[test]
fn several_moves_that_would_end_in_a_circle_of_imports_leave_none() {
    let fixture = "//- /app/a.py\ndef f():\n    return g()\n\n\ndef g():\n    return h()\n\n\ndef h():\n    return 1\n\n\nx = f()\n//- /app/user.py\nfrom a import f, h\n\nprint(f(), h())\n";
    let mut host = Host::new(fixture);
    let to =
        |symbol: &str, path: &str| json!({ "action": "move", "symbol": symbol, "newPath": path });
    let done = applied(
        &mut host,
        batch(json!([to("g", "b.py"), to("f", "c.py"), to("h", "d.py")])),
    );
    assert_eq!(done["applied"], true);
    for (of, other) in [
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
        ("c", "d"),
        ("b", "d"),
        ("a", "d"),
    ] {
        assert!(
            !(loads(&host, of, other) && loads(&host, other, of)),
            "{of} and {other}"
        );
    }
    let user = host.text("/w/app/user.py").unwrap();
    assert!(
        user.contains("from c import f") && user.contains("from d import h"),
        "{user}"
    );

    // What runs when a module is loaded cannot wait.
    let mut host = Host::new(
        "//- /app/a.py\ndef h():\n    return 1\n\n\nclass G:\n    y = h()\n\n\nz = G()\n",
    );
    let before = host.text("/w/app/a.py").unwrap();
    let steps = json!([{ "action": "rename", "symbol": "h", "newName": "start" }, to("G", "b.py")]);
    let error = host.fail("refactor", batch(steps));
    assert_eq!(error["details"]["step"], 2, "{error}");
    assert!(
        error["message"].as_str().unwrap().contains("circle"),
        "{error}"
    );
    assert_eq!(host.text("/w/app/a.py").unwrap(), before);
}
