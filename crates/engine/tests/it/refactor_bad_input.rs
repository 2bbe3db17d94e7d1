//! Refactorings of code and states that make trouble: each is done rightly or refused, and then nothing changes (SPEC ED1).

use codecortex_engine::protocol::{Event, Position, TextChange};
use serde_json::{Value, json};

use crate::support::Host;
use crate::support::chance::count_of;

const FILES: &str = "\
//- /app/a.ts
export function sum(x: number) { return x; }
//- /app/b.ts
import { sum } from './a';
sum(1);
";

fn rename(symbol: &str, new: &str) -> Value {
    json!({ "action": "rename", "symbol": symbol, "newName": new })
}

fn with_plan(mut args: Value, plan: &Value) -> Value {
    args["planId"] = plan["planId"].clone();
    args
}

fn texts(host: &Host, files: &[&str]) -> Vec<String> {
    let path = |name: &&str| host.text(&format!("/w/app/{name}")).unwrap();
    files.iter().map(path).collect()
}

#[test]
fn a_plan_of_another_text_is_a_conflict_that_shows_the_text_as_it_is() {
    let mut host = Host::new(FILES);
    let args = rename("sum", "total");
    let plan = host.ok("refactor", args.clone());
    host.write("/w/app/b.ts", "import { sum } from './a';\nsum(2);\n");
    host.touched(&["/w/app/b.ts"]);
    let error = host.fail("refactor", with_plan(args, &plan));
    assert_eq!(error["code"], "VersionConflict", "{error}");
    let diff = error["details"]["diff"].as_str().unwrap();
    assert!(
        diff.contains("-sum(2);") && diff.contains("+total(2);"),
        "{diff}"
    );
    assert!(texts(&host, &["a.ts"])[0].contains("sum"));
}

#[test]
fn of_two_renames_at_once_one_is_made() {
    let mut host = Host::new(FILES);
    let (first, second) = (rename("sum", "total"), rename("sum", "all"));
    let plans = [first.clone(), second.clone()].map(|args| host.ok("refactor", args));
    host.ok("refactor", with_plan(first, &plans[0]));
    let error = host.fail("refactor", with_plan(second, &plans[1]));
    assert_eq!(error["code"], "SymbolNotFound", "{error}");
    let after = texts(&host, &["a.ts", "b.ts"]);
    assert!(
        after
            .iter()
            .all(|text| text.contains("total") && !text.contains("all")),
        "{after:?}"
    );

    // The same place, by two who do not know of each other.
    let at = |new: &str| json!({ "action": "rename", "filePath": "app/a.ts", "position": { "line": 1, "character": 17 }, "newName": new });
    let plans = ["one", "two"].map(|new| host.ok("refactor", at(new)));
    host.ok("refactor", with_plan(at("one"), &plans[0]));
    let error = host.fail("refactor", with_plan(at("two"), &plans[1]));
    assert_eq!(error["code"], "VersionConflict", "{error}");
}

#[test]
fn a_text_that_is_not_saved_is_the_one_that_changes() {
    let mut host = Host::new(FILES);
    host.send(Event::Opened {
        path: "/w/app/b.ts".into(),
        version: 1,
        text: "import { sum } from './a';\nsum(1);\n".into(),
        dirty: false,
    });
    let start = Position {
        line: 1,
        character: 0,
    };
    host.send(Event::Edited {
        path: "/w/app/b.ts".into(),
        version: 2,
        changes: vec![TextChange {
            start,
            end: start,
            text: "sum(7);\n".into(),
        }],
        dirty: true,
    });
    let args = rename("sum", "total");
    let plan = host.ok("refactor", args.clone());
    let shown = plan["files"].to_string();
    assert!(shown.contains("+total(7);"), "{shown}");
    host.ok("refactor", with_plan(args, &plan));
    let live = host.ok("getLiveContext", json!({ "filePath": "b.ts" }));
    let now = "import { total } from './a';\ntotal(7);\ntotal(1);\n";
    assert_eq!(live["current_document"]["text"], now, "{live}");
    let saved = &texts(&host, &["b.ts"])[0];
    assert!(
        saved.contains("sum(1)"),
        "what is open stays unsaved: {saved}"
    );
}

#[test]
fn a_file_with_a_syntax_error_changes_where_the_place_parses() {
    let broken = "import { sum } from './a';\nsum(1);\nfunction ( {\n";
    let mut host = Host::new(&format!("{FILES}//- /app/c.ts\n{broken}"));
    let args = rename("sum", "total");
    let plan = host.ok("refactor", args.clone());
    host.ok("refactor", with_plan(args, &plan));
    assert_eq!(texts(&host, &["c.ts"])[0], broken.replace("sum", "total"));
    assert_eq!(
        plan["problems"],
        Value::Null,
        "the error was there before: {plan}"
    );
}

#[test]
fn a_declaration_without_uses_is_renamed_alone() {
    let mut host = Host::new("//- /app/a.py\ndef lonely():\n    return 1\n");
    let args = rename("lonely", "alone");
    let plan = host.ok("refactor", args.clone());
    assert_eq!(
        (&plan["totalEdits"], &plan["totalFiles"]),
        (&json!(1), &json!(1)),
        "{plan}"
    );
    host.ok("refactor", with_plan(args, &plan));
    assert_eq!(texts(&host, &["a.py"])[0], "def alone():\n    return 1\n");
}

#[test]
fn names_of_other_scripts_are_names() {
    let mut host = Host::new(
        "//- /app/a.py\ndef gr\u{f6}\u{df}e(x):\n    return x\n\n\nprint('\u{1f600}', gr\u{f6}\u{df}e(1))\n",
    );
    for (old, new) in [
        ("gr\u{f6}\u{df}e", "\u{5927}\u{304d}\u{3055}"),
        (
            "\u{5927}\u{304d}\u{3055}",
            "\u{440}\u{430}\u{437}\u{43c}\u{435}\u{440}",
        ),
    ] {
        let args = rename(old, new);
        let plan = host.ok("refactor", args.clone());
        host.ok("refactor", with_plan(args, &plan));
        let text = &texts(&host, &["a.py"])[0];
        assert_eq!(text.matches(new).count(), 2, "{text}");
        assert!(!text.contains(old), "{text}");
    }
}

#[test]
fn a_generated_file_that_would_have_to_change_is_a_refusal_that_names_it() {
    let mut host = Host::new(
        "//- /app/Form.cs\npartial class Form { void Show() { Ready(); } void Ready() { } }\n//- /app/Form.Designer.cs\npartial class Form { void Init() { Ready(); } }\n",
    );
    let before = texts(&host, &["Form.cs", "Form.Designer.cs"]);
    let error = host.fail("refactor", rename("Form.Ready", "Done"));
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("Form.Designer.cs"), "{error}");
    assert_eq!(texts(&host, &["Form.cs", "Form.Designer.cs"]), before);
}

/// Five places in each of many files: one plan, no place left out. `CODECORTEX_FILES` says how many; 2,000 take a minute.
#[test]
fn thousands_of_places_in_many_files_are_one_edit() {
    let using = count_of("CODECORTEX_FILES", 250);
    let mut fixture = String::from("//- /app/lib.py\ndef total(x):\n    return x\n");
    for number in 0..using {
        fixture += &format!(
            "//- /app/f{number}.py\nfrom lib import total\ntotal(total(1))\nx = total(2), total\n"
        );
    }
    let mut host = Host::new(&fixture);
    let args = rename("total", "sums");
    let plan = host.ok("refactor", args.clone());
    assert_eq!(plan["totalFiles"], using + 1, "{}", plan["summary"]);
    assert_eq!(plan["totalEdits"], 5 * using + 1);
    assert_eq!(plan["files"].as_array().unwrap().len(), 200, "a page");
    host.ok("refactor", with_plan(args, &plan));
    let old =
        (0..using).filter(|number| texts(&host, &[&format!("f{number}.py")])[0].contains("total"));
    assert_eq!(old.count(), 0);
}
