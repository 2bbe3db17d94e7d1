//! Questions about names that are put wrongly, and workspaces that are odd (SPEC TC2, TC5, R1–R3, PV1, X2, X4).

use crate::support::{Host, moved};
use codecortex_engine::protocol::Caller;
use codecortex_engine::protocol::Event;
use codecortex_engine::protocol::Position;
use codecortex_engine::protocol::TextChange;
use serde_json::{Value, json};

const SHOP: &str = "
//- /app/store.ts
export class Store {
  load(n: number): void {}
}
// Store in a comment
const s = \"Store in a text\";  
export const all = [s];
//- /app/lib/main.ts
import { Store } from \"../store\";
const store = new Store();
store.load(1);
store.load(2);
";

fn lines(data: &Value) -> Vec<u64> {
    let uses = data["references"].as_array().unwrap().iter();
    uses.map(|entry| entry["startLine"].as_u64().unwrap())
        .collect()
}

#[test]
fn a_place_without_a_name_is_told() {
    let mut host = Host::new(SHOP);
    let places = [
        // white space, a comment, a text, the end of a line
        (2, 1, "SymbolNotFound"),
        (4, 5, "SymbolNotFound"),
        (5, 15, "SymbolNotFound"),
        (5, 31, "SymbolNotFound"),
        // past the end of a line, of the file, of all numbers
        (5, 99, "InvalidParams"),
        (99, 1, "InvalidParams"),
        (u32::MAX, u32::MAX, "InvalidParams"),
        (0, 1, "InvalidParams"),
    ];
    for (line, character, code) in places {
        for tool in ["resolveSymbolAtPosition", "findReferences"] {
            let place = json!({ "line": line, "character": character });
            let error = host.fail(tool, json!({ "filePath": "store.ts", "position": place }));
            assert_eq!(error["code"], code, "{tool} {line}:{character}: {error}");
        }
    }
}

#[test]
fn what_is_no_page_is_told() {
    let mut host = Host::new(SHOP);
    let wrong = [
        json!({ "limit": 0 }),
        json!({ "limit": -1 }),
        json!({ "limit": 201 }),
        json!({ "limit": 1e9 }),
        json!({ "limit": "x" }),
        json!({ "cursor": "x" }),
        json!({ "cursor": "1" }),
        json!({ "cursor": "1@x" }),
        json!({ "cursor": "-1@1" }),
        json!({ "cursor": "1@1" }),
        json!({ "cursor": "1@1.zzzz" }),
        json!({ "cursor": 1 }),
        json!({ "tiers": ["sure"] }),
        json!({ "roles": ["eat"] }),
        json!({ "relation": "friends" }),
    ];
    for mut args in wrong {
        args["symbol"] = json!("Store.load");
        let error = host.fail("findReferences", args.clone());
        assert_eq!(error["code"], "InvalidParams", "{args}: {error}");
    }
    for name in ["maxSuperDepth", "maxSubDepth", "maxSubBreadth"] {
        for number in [json!(-1), json!(1e9), json!("x"), json!(201)] {
            let error = host.fail(
                "getClassHierarchy",
                json!({ "name": "Store", name: number }),
            );
            assert_eq!(error["code"], "InvalidParams", "{name} {number}: {error}");
        }
    }
    // A page behind the end is empty; totals stay.
    let asked = json!({ "symbol": "Store.load" });
    let mut first = asked.clone();
    first["limit"] = 1.into();
    let cursor = host.ok("findReferences", first)["nextCursor"].clone();
    let behind = moved(&cursor, 99);
    let data = host.ok("findReferences", with_cursor(&asked, behind));
    assert_eq!((lines(&data).len(), &data["total"]), (0, &json!(2)));
    assert_eq!(data.get("nextCursor"), None);
    // A cursor of another question would skip what nobody has seen.
    for (tool, other) in [
        ("findReferences", json!({ "symbol": "Store" })),
        (
            "findReferences",
            json!({ "symbol": "Store.load", "roles": ["call"] }),
        ),
        ("resolveSymbol", asked),
    ] {
        let error = host.fail(tool, with_cursor(&other, cursor.clone()));
        assert_eq!(
            error["message"], "`cursor` is of another question.",
            "{error}"
        );
    }
}

fn with_cursor(args: &Value, cursor: Value) -> Value {
    let mut args = args.clone();
    args["cursor"] = cursor;
    args
}

/// SPEC TC2.
#[test]
fn a_folder_is_named_as_any_path_and_never_silently_missed() {
    let mut host = Host::new(SHOP);
    for folder in [
        "lib",
        "lib/",
        "app/lib",
        "./lib",
        "store.ts/../lib",
        "/w/app/lib",
        "app\\lib",
        "lib/main.ts",
    ] {
        let args = json!({ "symbol": "Store.load", "folder": folder });
        assert_eq!(lines(&host.ok("findReferences", args)), [3, 4], "{folder}");
    }
    // An empty text is one that was not given (SPEC TC5).
    for folder in [".", "app", "/w/app", ""] {
        let args = json!({ "symbol": "Store", "folder": folder });
        assert_eq!(host.ok("findReferences", args)["total"], 2, "{folder}");
    }
    for (folder, code) in [
        ("nowhere", "NotFound"),
        ("li", "NotFound"),
        ("../x", "AccessDenied"),
        ("/w/other", "AccessDenied"),
        ("C:\\x", "AccessDenied"),
    ] {
        for relation in [Value::Null, json!("callers")] {
            let args = json!({ "symbol": "Store.load", "folder": folder, "relation": relation });
            assert_eq!(host.fail("findReferences", args)["code"], code, "{folder}");
        }
    }
}

/// SPEC TC2: never a silent choice.
#[test]
fn a_folder_of_several_roots_is_not_chosen_silently() {
    let mut host = Host::empty(&[("one", "/w/one"), ("two", "/w/two")]);
    host.write("/w/one/src/a.ts", "export function f() {}\nf();\n");
    host.write("/w/two/src/b.ts", "export function g() {}\ng();\n");
    host.configure();
    let error = host.fail("findReferences", json!({ "symbol": "f", "folder": "src" }));
    assert_eq!(error["code"], "InvalidParams");
    let candidates = json!(["one/src", "two/src"]);
    assert_eq!(error["details"]["candidates"], candidates);
    let data = host.ok(
        "findReferences",
        json!({ "symbol": "f", "folder": "one/src" }),
    );
    assert_eq!(data["total"], 1);
    let data = host.ok(
        "findReferences",
        json!({ "symbol": "f", "folder": "two/src" }),
    );
    assert_eq!(data["total"], 0);
}

#[test]
fn filters_hold_together_and_on_every_page() {
    let mut host = Host::new(SHOP);
    // An empty list asks for nothing in particular.
    for empty in [json!({ "tiers": [] }), json!({ "roles": [] })] {
        let mut args = empty.clone();
        args["symbol"] = json!("Store.load");
        assert_eq!(host.ok("findReferences", args)["total"], 2, "{empty}");
    }
    let mut args = json!({
        "symbol": "Store",
        "tiers": ["exact"],
        "roles": ["import", "call"],
        "folder": "lib",
        "includePreview": false,
        "limit": 1,
    });
    let first = host.ok("findReferences", args.clone());
    assert_eq!((lines(&first), &first["total"]), (vec![1], &json!(2)));
    assert_eq!(first["references"][0].get("preview"), None);
    args["cursor"] = first["nextCursor"].clone();
    let second = host.ok("findReferences", args);
    assert_eq!((lines(&second), &second["total"]), (vec![2], &json!(2)));
    assert_eq!(second.get("nextCursor"), None);
}

#[test]
fn a_path_of_thousands_is_ambiguous_with_some_of_them() {
    let functions: String = (0..3000)
        .map(|index| format!("def item_{index}(): ...\n"))
        .collect();
    let mut host = Host::new(&format!("//- /app/many.py\n{functions}"));
    for (tool, argument) in [("findReferences", "symbol"), ("getTypeMembers", "name")] {
        let error = host.fail(tool, json!({ argument: "many.item_*" }));
        assert_eq!(error["code"], "AmbiguousSymbol");
        assert!(
            error["message"].as_str().unwrap().contains("3000"),
            "{error}"
        );
        let candidates = error["details"]["candidates"].as_array().unwrap();
        assert_eq!(candidates.len(), 20);
    }
}

/// Thousands of overloads are a set, and no question about them takes the cube of their number, or compares each
/// with each.
#[test]
fn thousands_of_overloads_end() {
    let list =
        |many: usize, line: &dyn Fn(usize) -> String| (0..many).map(line).collect::<String>();
    let types = |many| list(many, &|index| format!("class T{index} {{}};\n"));
    let csharp = list(5000, &|index| format!("  public void F(T{index} t) {{}}\n"));
    let cpp = list(1000, &|index| format!("  void f(T{index} t);\n"));
    let mut host = Host::new(&format!(
        "//- /app/ov.cs\nclass Ov {{\n{csharp}  void U() {{ F(1); }}\n}}\n{}
//- /app/ov.cpp\n{}class Over {{\npublic:\n{cpp}}};\nvoid u(Over o) {{ o.f(x()); }}\n",
        types(5000),
        types(1000),
    ));
    for (symbol, file, line, character) in
        [("Ov.F", "ov.cs", 5002, 14), ("Over.f", "ov.cpp", 2004, 20)]
    {
        let data = host.ok("findReferences", json!({ "symbol": symbol }));
        let tier = &data["references"][0]["tier"];
        assert_eq!((&data["total"], tier), (&json!(1), &json!("inferred")));
        let callers = json!({ "symbol": symbol, "relation": "callers" });
        assert_eq!(host.ok("findReferences", callers)["total"], 1);
        let place =
            json!({ "filePath": file, "position": { "line": line, "character": character } });
        let data = host.ok("resolveSymbolAtPosition", place.clone());
        assert_eq!(data["symbol"]["definitions"].as_array().unwrap().len(), 19);
        assert_eq!(host.ok("findReferences", place)["total"], 1);
        for relation in ["callees", "implementations", "overrides"] {
            let args = json!({ "symbol": symbol, "relation": relation });
            let data = host.ok("findReferences", args);
            assert_eq!(data["truncated"], true, "{relation}");
        }
    }
}

/// SPEC X2: what was edited half-way is told by the revision.
#[test]
fn pages_say_of_which_revision_they_are() {
    let calls = "f();\n".repeat(40);
    let mut host = Host::new(&format!("//- /app/a.ts\nfunction f() {{}}\n{calls}"));
    let first = host.ok("findReferences", json!({ "symbol": "f" }));
    host.send(Event::Opened {
        path: "/w/app/a.ts".into(),
        version: 1,
        text: format!("function f() {{}}\n{calls}"),
        dirty: false,
    });
    let at = Position {
        line: 1,
        character: 0,
    };
    host.send(Event::Edited {
        path: "/w/app/a.ts".into(),
        version: 2,
        changes: vec![TextChange {
            start: at,
            end: at,
            text: "f();\n".into(),
        }],
        dirty: true,
    });
    let cursor = &first["nextCursor"];
    let second = host.ok("findReferences", json!({ "symbol": "f", "cursor": cursor }));
    let revision = |data: &Value| data["index"]["revision"].as_u64().unwrap();
    assert!(revision(&second) > revision(&first));
    assert_eq!(
        (&first["total"], &second["total"]),
        (&json!(40), &json!(41))
    );
    assert_eq!(second["index"]["unsaved"], true);
}

/// Models fill in every argument: an empty text stands for one that is left out (SPEC TC5).
#[test]
fn empty_optional_arguments_are_not_given() {
    let mut host = Host::new("\n//- /app/a.py\ndef go():\n    pass\n");
    let filled =
        json!({ "symbol": "go", "filePath": "", "folder": "", "cursor": "", "relation": "" });
    let data = host.ok("findReferences", filled);
    assert_eq!(data["resolved"]["path"], "a.go");
    let error = host.fail("searchApi", json!({ "labelQuery": "" }));
    assert_eq!(error["code"], "InvalidParams");
}

/// Also the answer to wrong arguments is within what the call allows (SPEC D14).
#[test]
fn wrong_arguments_cost_no_more_than_is_allowed() {
    let mut host = Host::new("\n//- /app/a.py\ndef go():\n    pass\n");
    for tool in ["searchApi", "getOutline", "findReferences", "status"] {
        let error = host.fail(tool, json!({ "maxTokens": 1, "foo": 1 }));
        assert_eq!(error["code"], "BudgetExceeded", "{tool}");
        let least = error["details"]["minimumTokens"].as_u64().unwrap();
        let error = host.fail(tool, json!({ "maxTokens": least, "foo": 1 }));
        assert_eq!(error["code"], "InvalidParams", "{tool}");
    }
}

/// A backslash is a letter of a name on most systems: the path that an answer gave leads back to the file.
#[test]
fn a_name_with_a_backslash_is_found_as_it_is_shown() {
    let mut host = Host::new("\n//- /app/a\\b.ts\nexport class X {}\n");
    let found = host.ok("searchApi", json!({ "labelQuery": "X" }));
    let path = found["items"][0]["filePath"].as_str().unwrap().to_owned();
    assert_eq!(path, "app/a\\b.ts");
    for path in [path.as_str(), "a\\b.ts", "/w/app/a\\b.ts"] {
        let data = host.ok("getOutline", json!({ "filePath": path }));
        assert_eq!(data["filePath"], "app/a\\b.ts", "{data}");
    }
}

/// The engine's own calls are none that others can make.
#[test]
fn what_the_engine_calls_itself_is_no_tool() {
    let mut host = Host::new("\n//- /app/a.py\ndef go():\n    pass\n");
    for name in ["(describe)", "(investigate)"] {
        let answer = host.call_at(name, json!({ "root": 0, "job": 1 }), Caller::default());
        let envelope: Value = serde_json::from_str(&answer.json.unwrap()).unwrap();
        assert_eq!(envelope["error"]["code"], "InvalidParams", "{name}");
    }
}

/// Command lines and clients that know no types send numbers and booleans as strings (SPEC TC5).
#[test]
fn numbers_and_booleans_may_be_written_as_strings() {
    let mut host = Host::new(
        "\n//- /app/a.py\nclass Cart:\n    def add(self): pass\n    def take(self): pass\n",
    );
    let same = [
        (
            "searchApi",
            json!({ "labelQuery": "a", "limit": 1 }),
            json!({ "labelQuery": "a", "limit": "1" }),
        ),
        (
            "searchApi",
            json!({ "labelQuery": "a", "maxTokens": 150 }),
            json!({ "labelQuery": "a", "maxTokens": "150" }),
        ),
        (
            "searchApi",
            json!({ "labelQuery": "a", "maxTokens": 150 }),
            json!({ "labelQuery": "a", "budget": "150.0" }),
        ),
        (
            "resolveSymbolAtPosition",
            json!({ "filePath": "app/a.py", "position": { "line": 2, "character": 9 } }),
            json!({ "filePath": "app/a.py", "position": { "line": "2", "character": " 9 " } }),
        ),
        (
            "getTypeMembers",
            json!({ "name": "Cart", "includeDocs": true }),
            json!({ "name": "Cart", "includeDocs": "true" }),
        ),
    ];
    for (tool, plain, written) in same {
        let data = host.ok(tool, written.clone());
        assert_eq!(data, host.ok(tool, plain), "{tool} {written}");
    }
    // A name is a string, also where it looks like a number.
    host.ok("searchApi", json!({ "labelQuery": "1" }));
    for wrong in ["ten", "1.5", "-1"] {
        let error = host.fail(
            "searchApi",
            json!({ "labelQuery": "a", "maxTokens": wrong }),
        );
        assert_eq!(error["code"], "InvalidParams", "{wrong}");
        let error = host.fail("searchApi", json!({ "labelQuery": "a", "limit": wrong }));
        assert_eq!(error["code"], "InvalidParams", "{wrong}");
    }
}
