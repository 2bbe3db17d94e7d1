//! `codecortex replace-body`, `replace-symbol`, `insert` and `safe-delete` on the disk by the real program (SPEC ED1).

use serde_json::{Value, json};

use crate::mcp::Session;
use crate::support::Place;

const LIB: &str = "\u{feff}# Adds.\r\ndef total(xs):\r\n\treturn sum(xs)\r\n\r\ndef spare(x):\r\n\treturn total(x)\r\n";
const APP: &str = "from lib import spare, total\nprint(total([1]))\n";

fn place() -> Place {
    let place = Place::new();
    place.write("lib.py", LIB);
    place.write("app.py", APP);
    place
}

fn text(place: &Place, path: &str) -> String {
    std::fs::read_to_string(place.path().join(path)).unwrap()
}

fn hash(place: &Place, symbol: &str) -> String {
    let args = json!({ "symbol": symbol, "form": "source" }).to_string();
    let outline = place.run(&["call", "codecortex_getOutline", "--args", &args]);
    let hash = &outline.json()["data"]["sources"][0]["hash"];
    hash.as_str().unwrap().to_owned()
}

#[test]
fn a_body_is_replaced_where_the_hash_is_that_of_the_text() {
    let place = place();
    let known = hash(&place, "lib.total");
    let body = "n = 0\nfor x in xs:\n    n += x\nreturn n";
    let run = |hash: &str| {
        let args = [
            "replace-body",
            "lib.total",
            "--hash",
            hash,
            "--code",
            body,
            "--apply",
            "--json",
        ];
        place.run(&args)
    };
    let stale = run("0123456789abcdef");
    assert_eq!(stale.code, Some(1));
    let error = &stale.json()["error"];
    assert_eq!(error["code"], "VersionConflict", "{error}");
    assert_eq!(error["details"]["hash"], known);
    assert_eq!(
        error["details"]["text"],
        "# Adds.\r\ndef total(xs):\r\n\treturn sum(xs)"
    );
    assert_eq!(text(&place, "lib.py"), LIB);

    let done = run(&known);
    assert_eq!(done.code, Some(0), "{}", done.stdout);
    let after = "\tn = 0\r\n\tfor x in xs:\r\n\t\tn += x\r\n\treturn n\r\n";
    assert_eq!(
        text(&place, "lib.py"),
        LIB.replace("\treturn sum(xs)\r\n", after)
    );
    assert_eq!(
        run(&known).json()["error"]["code"],
        "VersionConflict",
        "the hash is used up"
    );
    let back = place.run(&["undo", "--apply"]);
    assert_eq!(back.code, Some(0), "{}", back.stdout);
    assert_eq!(text(&place, "lib.py"), LIB);
}

#[test]
fn code_that_is_no_body_is_refused_unless_forced() {
    let place = place();
    for code in ["return (", "    return 1\ndef other(): pass"] {
        let bad = [
            "replace-body",
            "lib.total",
            "--code",
            code,
            "--apply",
            "--json",
        ];
        let refused = place.run(&bad);
        assert_eq!(refused.code, Some(1), "{}", refused.stdout);
        assert_eq!(refused.json()["error"]["details"]["kind"], "InvalidCode");
        assert_eq!(text(&place, "lib.py"), LIB);
    }
    let forced = [
        "replace-body",
        "lib.total",
        "--code",
        "return (",
        "--force",
        "--json",
    ];
    let plan = place.run(&forced).json();
    let kinds: Vec<&Value> = plan["data"]["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| &found["kind"])
        .collect();
    assert!(kinds.contains(&&json!("syntaxError")), "{plan}");
}

#[test]
fn the_answer_lists_names_that_would_not_be_resolved() {
    let place = place();
    let code = "def total(xs):\n    return totl(xs)";
    let plan = place
        .run(&["replace-symbol", "lib.total", "--code", code, "--json"])
        .json();
    let found = &plan["data"]["problems"];
    assert_eq!(found.as_array().unwrap().len(), 1, "{plan}");
    assert_eq!(
        (&found[0]["kind"], &found[0]["name"]),
        (&json!("unresolved"), &json!("totl"))
    );
    assert!(
        found[0]["place"].as_str().unwrap().ends_with("lib.py:3:9"),
        "{plan}"
    );
    let fine = "def total(xs, start=0):\n    return spare(xs)";
    let plan = place
        .run(&["replace-symbol", "lib.total", "--code", fine, "--json"])
        .json();
    assert!(plan["data"]["problems"].is_null(), "{plan}");
}

#[test]
fn code_is_inserted_from_stdin() {
    let place = place();
    let args = ["insert", "lib.spare", "--before", "--apply"];
    let done = place.run_with(&args, b"def extra(x):\n  return x\n");
    assert_eq!(done.code, Some(0), "{}", done.stdout);
    let extra = "def extra(x):\r\n\treturn x\r\n\r\ndef spare";
    assert_eq!(text(&place, "lib.py"), LIB.replace("def spare", extra));
}

#[test]
fn a_declaration_that_is_used_is_not_deleted() {
    let place = place();
    let refused = place.run(&["safe-delete", "lib.total", "--apply", "--json"]);
    assert_eq!(refused.code, Some(1));
    let error = &refused.json()["error"];
    assert_eq!(error["details"]["kind"], "Used", "{error}");
    let places = error["details"]["places"].as_array().unwrap();
    assert_eq!(places.len(), 3, "{error}");
    assert_eq!(
        (text(&place, "lib.py"), text(&place, "app.py")),
        (LIB.to_owned(), APP.to_owned())
    );

    // An import of it that nothing uses goes along, and the answer says so.
    let done = place.run(&["safe-delete", "lib.spare", "--apply"]);
    assert_eq!(done.code, Some(0), "{}", done.stdout);
    assert!(
        done.stdout.contains("and an import of it"),
        "{}",
        done.stdout
    );
    assert_eq!(text(&place, "app.py"), APP.replace("spare, ", ""));
    assert_eq!(
        text(&place, "lib.py"),
        LIB.split("\r\ndef spare").next().unwrap()
    );
    let back = place.run(&["undo", "--apply"]);
    assert_eq!(back.code, Some(0), "{}", back.stdout);
    assert_eq!(
        (text(&place, "lib.py"), text(&place, "app.py")),
        (LIB.to_owned(), APP.to_owned())
    );
}

/// What implements another declaration, and what may be meant through a receiver of no known type, stays.
#[test]
fn families_and_uses_by_name_are_no_unused_declarations() {
    let place = Place::new();
    let code = "class Base:\n    def run(self): return 1\nclass Sub(Base):\n    def run(self): return 2\n    def odd(self): return 3\ndef f(x):\n    return x.odd()\n";
    place.write("a.py", code);
    for symbol in ["Base.run", "Sub.run"] {
        let refused = place.run(&["safe-delete", symbol, "--apply", "--json"]);
        assert_eq!(
            refused.json()["error"]["details"]["kind"],
            "Used",
            "{}",
            refused.stdout
        );
    }
    let refused = place.run(&["safe-delete", "Sub.odd", "--apply", "--json"]);
    assert_eq!(
        refused.json()["error"]["details"]["kind"],
        "Unsure",
        "{}",
        refused.stdout
    );
    assert_eq!(text(&place, "a.py"), code);
    let plan = place
        .run(&["safe-delete", "Sub.odd", "--leave-unsure", "--json"])
        .json();
    assert_eq!(plan["data"]["notTouched"][0]["reason"], "name", "{plan}");
}

/// A client that can ask its person is asked, with the plan; only a yes changes a file.
#[test]
fn a_client_that_can_ask_its_person_is_asked() {
    let place = place();
    let offers = json!({ "elicitation": {} });
    let args = ["--root", ".", "--profile", "full"];
    let mut session = Session::with(&place, &args, "2025-06-18", &offers);
    let edit = json!({ "action": "replaceBody", "symbol": "lib.total", "code": "return 0" });
    let make = json!({ "edits": [
        { "filePath": "new.py", "baseVersion": "new", "changes": [{ "newText": "x = 1\n" }] },
    ] });
    for action in ["decline", "accept"] {
        for (tool, args) in [
            ("codecortex_refactor", &edit),
            ("codecortex_applyEdit", &make),
        ] {
            let id = session.ask("tools/call", &json!({ "name": tool, "arguments": args }));
            let asked = session.await_notification("elicitation/create");
            let message = asked["params"]["message"].as_str().unwrap();
            assert!(
                message.contains("return 0") || message.contains("new.py"),
                "{message}"
            );
            assert!(!place.path().join("new.py").exists());
            session.answer(&asked, ("result", json!({ "action": action })));
            let answer = session.response(id)["result"]["structuredContent"].clone();
            match action {
                "decline" => assert_eq!(answer["error"]["code"], "Cancelled", "{answer}"),
                _ => assert_eq!(answer["data"]["applied"], true, "{answer}"),
            }
        }
    }
    assert!(text(&place, "lib.py").contains("return 0"));
    assert_eq!(text(&place, "new.py"), "x = 1\n");
}

/// What a compiler would refuse afterwards is refused, or goes along.
#[test]
fn values_by_place_and_imports_of_the_deleted_code_count() {
    let place = Place::new();
    let data = "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n    y: int\nP(1, 2)\n";
    place.write("p.py", data);
    let aggregate =
        "struct Q { int v; int w; };\nQ q = {1, 2};\nint gone();\nint gone() { return 1; }\n";
    place.write("q.cpp", aggregate);
    let go = "package a\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc lone() { fmt.Println(os.Args) }\n\nvar X = os.Args\n";
    place.write("a.go", go);
    for symbol in ["P.x", "Q.v"] {
        let refused = place.run(&["safe-delete", symbol, "--apply", "--json"]);
        assert_eq!(
            refused.json()["error"]["details"]["kind"],
            "Used",
            "{}",
            refused.stdout
        );
    }
    assert_eq!(
        (text(&place, "p.py"), text(&place, "q.cpp")),
        (data.to_owned(), aggregate.to_owned())
    );
    for symbol in ["lone", "gone"] {
        let done = place.run(&["safe-delete", symbol, "--apply"]);
        assert_eq!(done.code, Some(0), "{}", done.stdout);
    }
    assert_eq!(
        text(&place, "a.go"),
        "package a\n\nimport (\n\t\"os\"\n)\n\nvar X = os.Args\n"
    );
    assert_eq!(
        text(&place, "q.cpp"),
        "struct Q { int v; int w; };\nQ q = {1, 2};\n"
    );
}

/// A place on a local is not one on the function around it.
#[test]
fn a_place_points_at_a_name() {
    let place = Place::new();
    let code = "def f():\n    inner = 1\n    return 2\n";
    place.write("a.py", code);
    for at in ["a.py:2:5", "a.py:3:6"] {
        let refused = place.run(&["safe-delete", at, "--apply", "--json"]);
        assert_eq!(
            refused.json()["error"]["code"],
            "NotFound",
            "{}",
            refused.stdout
        );
    }
    let refused = place.run(&["replace-body", "a.py:2:5", "--code", "pass", "--json"]);
    assert_eq!(
        refused.json()["error"]["code"],
        "NotFound",
        "{}",
        refused.stdout
    );
    assert_eq!(text(&place, "a.py"), code);
    let plan = place.run(&["replace-body", "a.py:3:6", "--code", "pass", "--json"]);
    assert_eq!(plan.code, Some(0), "{}", plan.stdout);
}
