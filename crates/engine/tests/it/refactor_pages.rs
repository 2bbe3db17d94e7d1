//! Diffs of a plan come in pages of some tokens, and no answer is larger than its budget (SPEC ED1, X1).

use codecortex_engine::protocol::{Caller, CallerKind};
use serde_json::{Value, json};

use crate::support::Host;

const FILES: usize = 20;

fn host() -> Host {
    let mut fixture =
        String::from("//- /app/lib.ts\nexport function sum(x: number) { return x; }\n");
    for number in 1..FILES {
        let calls: String = (0..12)
            .map(|n| format!("sum({n}); // a line that makes it longer\n\n\n\n\n\n\n"))
            .collect();
        fixture += &format!("//- /app/f{number:02}.ts\nimport {{ sum }} from './lib';\n{calls}");
    }
    Host::new(&fixture)
}

fn rename() -> Value {
    json!({ "action": "rename", "symbol": "sum", "newName": "total" })
}

fn envelope(host: &mut Host, args: Value) -> Value {
    host.call("refactor", args)
}

fn diffs(data: &Value) -> Vec<(String, String)> {
    let files = data["files"].as_array().unwrap().iter();
    let shown = files.filter_map(|file| {
        Some((
            file["filePath"].as_str()?.to_owned(),
            file["diff"].as_str()?.to_owned(),
        ))
    });
    shown.collect()
}

#[test]
fn the_diffs_of_twenty_files_come_in_pages() {
    let mut host = host();
    let (mut seen, mut cursor, mut ids) = (Vec::new(), None::<String>, Vec::new());
    loop {
        let mut args = rename();
        if let Some(cursor) = &cursor {
            args["cursor"] = cursor.as_str().into();
        }
        let page = envelope(&mut host, args);
        assert_eq!(page["ok"], true, "{page}");
        let data = &page["data"];
        assert_eq!(data["totalFiles"], FILES, "{data}");
        let diffs = diffs(data);
        let characters: usize = diffs.iter().map(|(_, diff)| diff.chars().count()).sum();
        assert!(characters <= 4000 + 60, "{characters}");
        if seen.is_empty() {
            assert_eq!(
                data["files"].as_array().unwrap().len(),
                FILES,
                "all are named"
            );
        }
        seen.extend(diffs);
        ids.push(data["planId"].clone());
        cursor = data["nextCursor"].as_str().map(str::to_owned);
        if cursor.is_none() {
            break;
        }
    }
    let names: Vec<&String> = seen.iter().map(|(path, _)| path).collect();
    let mut sorted = names.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!((names.len(), sorted.len()), (FILES, FILES), "{names:?}");
    assert!(
        ids.iter().all(|id| *id == ids[0]),
        "every page is of one plan"
    );

    let mut whole = rename();
    whole["diffTokens"] = 100_000.into();
    let page = envelope(&mut host, whole);
    assert_eq!(diffs(&page["data"]), seen, "the pages are the whole");
    assert!(page["data"]["nextCursor"].is_null(), "{page}");
}

#[test]
fn a_cursor_of_another_plan_or_past_the_end_is_refused() {
    let mut host = host();
    let first = envelope(&mut host, rename());
    let cursor = first["data"]["nextCursor"].clone();
    let other = json!({ "action": "rename", "symbol": "sum", "newName": "all", "cursor": cursor });
    assert_eq!(host.fail("refactor", other)["code"], "InvalidParams");
    let mut args = rename();
    args["cursor"] = "x".into();
    assert_eq!(host.fail("refactor", args)["code"], "InvalidParams");
    let step = json!({ "action": "batch", "steps": [{ "action": "rename", "symbol": "sum", "newName": "all", "cursor": cursor }] });
    assert_eq!(host.fail("refactor", step)["code"], "InvalidParams");
}

#[test]
fn no_answer_is_larger_than_its_budget() {
    let mut host = host();
    for tokens in [300_u32, 500, 800, 1500, 3000, 8000] {
        for format in ["json", "text"] {
            let mut args = rename();
            args["maxTokens"] = tokens.into();
            args["format"] = format.into();
            let caller = Caller {
                kind: CallerKind::Mcp,
                ..Caller::default()
            };
            let answer = host.call_at("codecortex_refactor", args, caller);
            let text = match format {
                "json" => answer.json,
                _ => answer.text,
            };
            let text = text.unwrap();
            let cost = text.chars().count().div_ceil(4) as u32;
            assert!(cost <= tokens, "{format}: {cost} of {tokens}");
            assert!(answer.ok, "{format} {tokens}: {text}");
        }
    }
}
