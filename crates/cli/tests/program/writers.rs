//! Many programs write one `.context/` at once, and none loses what another wrote (L6, D37).
//!
//! `CODECORTEX_WRITERS=16x100` has sixteen programs make a hundred of each change.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::scripted_model::FULL;
use crate::support::Place;

/// Programs, and changes of each kind by each.
fn size() -> (usize, usize) {
    let asked = std::env::var("CODECORTEX_WRITERS").ok();
    let asked = asked.and_then(|text| {
        let (programs, changes) = text.split_once('x')?;
        Some((programs.parse().ok()?, changes.parse().ok()?))
    });
    asked.unwrap_or((4, 3))
}

fn call(tool: &str, args: Value) -> String {
    json!({ "id": tool, "tool": tool, "args": args }).to_string() + "\n"
}

/// The tickets with which texts about the classes are handed in, by their names.
fn tickets(place: &Place, names: &[String]) -> Vec<String> {
    let ask = |name: &String| {
        call(
            "codecortex_getSemantic",
            json!({ "symbol": name, "prompt": "always", "maxTokens": 4000 }),
        )
    };
    let answers = place.batch(&names.iter().map(ask).collect::<String>());
    let ticket = |answer: &Value| {
        answer["result"]["data"]["ticket"]
            .as_str()
            .map(str::to_owned)
    };
    answers
        .iter()
        .map(|answer| ticket(answer).unwrap_or_else(|| panic!("{answer}")))
        .collect()
}

/// What one program does for each of its classes.
fn lines(names: &[String], tickets: &[String], first: usize) -> String {
    let mut lines = String::new();
    for (number, (name, ticket)) in (first..).zip(names.iter().zip(tickets)) {
        lines += &call(
            "codecortex_pin",
            json!({ "action": "pin", "symbols": [name] }),
        );
        let filter = format!("type:{name}");
        let pack = json!({ "action": "build", "name": format!("p{number}"), "filter": filter });
        lines += &call("codecortex_pack", pack);
        let dismissed = [format!("{number:012x}")];
        lines += &call(
            "codecortex_reviewChanges",
            json!({ "step": "findings", "patch": PATCH, "dismiss": dismissed }),
        );
        lines += &call(
            "codecortex_submitSemantic",
            json!({ "ticket": ticket, "text": FULL }),
        );
    }
    lines
}

#[test]
fn writers_at_once_keep_each_others_work() {
    let (programs, changes) = size();
    let all = programs * changes;
    let place = Place::new();
    let names: Vec<String> = (0..all).map(|number| format!("T{number}")).collect();
    let mut source = String::new();
    for name in &names {
        writeln!(
            source,
            "class {name}:\n    def run(self):\n        return 1\n"
        )
        .unwrap();
    }
    place.write("src/a.py", source);
    assert_eq!(place.run(&["init"]).code, Some(0));
    let tickets = tickets(&place, &names);
    std::thread::scope(|scope| {
        for program in 0..programs {
            let own = program * changes..(program + 1) * changes;
            let lines = lines(&names[own.clone()], &tickets[own.clone()], own.start);
            let place = &place;
            scope.spawn(move || {
                for answer in place.batch(&lines) {
                    assert_eq!(answer["result"]["ok"], true, "{answer}");
                }
            });
        }
    });
    let state = std::fs::read(place.path().join(".context/state.json")).unwrap();
    let state: Value = serde_json::from_slice(&state).unwrap();
    let entries = |value: &Value| value.as_object().map(serde_json::Map::len);
    let window = &state["promptWindow"];
    assert_eq!(window["pins"].as_array().map(Vec::len), Some(all), "pins");
    assert_eq!(entries(&window["packs"]), Some(all), "packs");
    assert_eq!(
        entries(&state["reviewDismissed"]),
        Some(all),
        "dismissed: {state}"
    );
    let files = |folder: &str, ending: &str| {
        let folder = std::fs::read_dir(place.path().join(".context").join(folder)).unwrap();
        let names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let names: BTreeSet<String> = names.collect();
        assert!(names.iter().all(|name| name.ends_with(ending)), "{names:?}");
        names.len()
    };
    assert_eq!(files("packs", ".md"), all);
    assert_eq!(files("types", ".semantic.md"), all);
    let (status, _) = place.call("codecortex_status", &json!({}));
    assert_eq!(
        status["data"]["context"][0]["texts"]["cached"], all,
        "{status}"
    );
}

const PATCH: &str = "--- a/src/a.py\n+++ b/src/a.py\n@@ -1,3 +1,3 @@\n class T0:\n     def run(self):\n-        return 1\n+        return 2\n";
