//! `codecortex_refactor` (SPEC ED1, D39).

use serde_json::{Value, json};

use crate::support::Host;

const FILES: &str = "\
//- /app/a.ts
export function sum(x: number) { return x; }
//- /app/b.ts
import { sum } from './a';
sum(1); // sum
";

fn rename(symbol: &str, new: &str) -> Value {
    json!({ "action": "rename", "symbol": symbol, "newName": new })
}

fn with_plan(mut args: Value, plan: &Value) -> Value {
    args["planId"] = plan["planId"].clone();
    args
}

#[test]
fn a_plan_is_applied_by_its_id() {
    let mut host = Host::new(FILES);
    let args = rename("sum", "total");
    let plan = host.ok("refactor", args.clone());
    assert_eq!(plan["applied"], false);
    assert_eq!(plan["totalEdits"], 3);
    assert_eq!(plan["notTouched"][0]["reason"], "comment");
    let again = host.ok("refactor", args.clone());
    assert_eq!(again["planId"], plan["planId"], "planning changes nothing");

    let other = with_plan(rename("sum", "other"), &plan);
    let error = host.fail("refactor", other);
    assert_eq!(error["code"], "VersionConflict", "{error}");

    let done = host.ok("refactor", with_plan(args, &plan));
    assert_eq!(done["applied"], true);
    assert!(done["planId"].is_null());
    let names = Host::names(&host.ok("searchApi", json!({ "labelQuery": "total" })));
    assert_eq!(names, ["total"]);
    let uses = host.ok("findReferences", json!({ "symbol": "total" }));
    assert_eq!(uses["total"], 2, "{uses}");
}

#[test]
fn the_check_leaves_the_index_as_it_was() {
    let mut host = Host::new(FILES);
    let before = host.ok("findReferences", json!({ "symbol": "sum" }));
    let error = host.fail("refactor", rename("sum", "new"));
    assert_eq!(error["details"]["kind"], "InvalidName");
    host.ok("refactor", rename("sum", "total"));
    let after = host.ok("findReferences", json!({ "symbol": "sum" }));
    assert_eq!(before["references"], after["references"]);
}

#[test]
fn a_signature_changes_with_its_calls() {
    let mut host = Host::new(FILES);
    let args = json!({ "action": "changeSignature", "symbol": "sum", "add": "y:number=2" });
    let plan = host.ok("refactor", args.clone());
    assert_eq!(plan["totalEdits"], 2);
    assert!(plan["oldName"].is_null(), "no name changes");
    host.ok("refactor", with_plan(args, &plan));
    assert_eq!(
        host.text("/w/app/a.ts").unwrap(),
        "export function sum(x: number, y: number) { return x; }\n"
    );
    assert!(host.text("/w/app/b.ts").unwrap().contains("sum(1, 2);"));

    let both =
        json!({ "action": "changeSignature", "symbol": "sum", "add": "z:number=2", "remove": 1 });
    assert_eq!(host.fail("refactor", both)["code"], "InvalidParams");
    let unsure = json!({ "action": "changeSignature", "symbol": "sum", "remove": 0 });
    let error = host.fail("refactor", unsure);
    assert_eq!(
        error["details"]["kind"], "Conflict",
        "the parameter is used: {error}"
    );
}

#[test]
fn a_declaration_moves_to_a_new_file() {
    let mut host = Host::new(FILES);
    let args = json!({ "action": "move", "symbol": "sum", "newPath": "sums.ts" });
    let plan = host.ok("refactor", args.clone());
    assert_eq!(plan["totalFiles"], 3, "{plan}");
    assert_eq!(plan["notes"][0], "a.ts has nothing else.", "{plan}");
    host.ok("refactor", with_plan(args, &plan));
    let moved = host.text("/w/app/sums.ts").unwrap();
    assert_eq!(moved, "export function sum(x: number) { return x; }\n");
    assert!(
        host.text("/w/app/b.ts")
            .unwrap()
            .starts_with("import { sum } from './sums';")
    );
    let uses = host.ok("findReferences", json!({ "symbol": "sum" }));
    assert_eq!(uses["total"], 2, "{uses}");

    for path in ["../x.ts", "/x.ts", "", "a.ts/../../x.ts"] {
        let outside = json!({ "action": "move", "symbol": "sum", "newPath": path });
        let error = host.fail("refactor", outside);
        assert_eq!(error["code"], "InvalidParams", "{path}: {error}");
    }
}

#[test]
fn selected_code_gets_a_name_and_is_inlined_again() {
    let text = "export function f(a: number) {\n  const b = a + 1;\n  return [b, a * 2];\n}\n";
    let mut host = Host::new(&format!("//- /app/a.ts\n{text}"));
    let place = |line: u32, character: u32| json!({ "line": line, "character": character });
    let args = json!({
        "action": "extractVariable", "filePath": "app/a.ts", "position": place(3, 14), "end": place(3, 19),
        "newName": "twice",
    });
    let plan = host.ok("refactor", args.clone());
    assert_eq!(plan["totalEdits"], 2, "{plan}");
    assert_eq!(host.text("/w/app/a.ts").unwrap(), text);
    host.ok("refactor", with_plan(args.clone(), &plan));
    let after = text.replace(
        "  return [b, a * 2]",
        "  const twice = a * 2;\n  return [b, twice]",
    );
    assert_eq!(host.text("/w/app/a.ts").unwrap(), after);

    let inline = json!({ "action": "inline", "filePath": "app/a.ts", "position": place(3, 9) });
    let plan = host.ok("refactor", inline.clone());
    host.ok("refactor", with_plan(inline, &plan));
    assert_eq!(host.text("/w/app/a.ts").unwrap(), text);

    let method = json!({
        "action": "extractMethod", "filePath": "app/a.ts", "position": place(2, 3), "end": place(2, 19),
        "newName": "next",
    });
    let plan = host.ok("refactor", method.clone());
    host.ok("refactor", with_plan(method, &plan));
    let done = host.text("/w/app/a.ts").unwrap();
    assert!(done.contains("  const b = next(a);\n"), "{done}");
    assert!(done.contains("function next(a: number) {\n"), "{done}");

    for (change, code, kind) in [
        (json!({ "newName": "a" }), "InvalidParams", "Conflict"),
        (json!({ "newName": "new" }), "InvalidParams", "InvalidName"),
        (
            json!({ "position": place(1, 1) }),
            "Unavailable",
            "Unsupported",
        ),
    ] {
        let mut args = args.clone();
        for (name, value) in change.as_object().unwrap() {
            args[name] = value.clone();
        }
        args["position"] = change.get("position").cloned().unwrap_or(place(3, 11));
        args["end"] = place(3, 12);
        if kind != "Unsupported" {
            args["position"] = place(3, 14);
            args["end"] = place(3, 19);
        }
        let error = host.fail("refactor", args);
        assert_eq!(error["code"], code, "{error}");
        assert_eq!(error["details"]["kind"], kind, "{error}");
    }
    let open = json!({ "action": "extractVariable", "filePath": "app/a.ts", "position": place(1, 1), "newName": "x" });
    assert_eq!(host.fail("refactor", open)["code"], "InvalidParams");
}
