//! `codecortex batch`: a line in, a line out, whatever the line is.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::Place;

fn call(id: u32, query: &str) -> String {
    json!({ "id": id, "tool": "codecortex_searchApi", "args": { "labelQuery": query } }).to_string()
}

#[test]
fn answers_come_in_order_with_their_ids() {
    let place = Place::new();
    place.write("a.py", "class One:\n    pass\n\n\nclass Two:\n    pass\n");
    let lines = format!(
        "{}\n\n   \n{}\r\n{}",
        call(1, "One"),
        call(2, "Nope"),
        call(3, "Two")
    );
    let responses = place.batch(&lines);
    let seen: Vec<(&Value, &Value)> = responses
        .iter()
        .map(|response| (&response["id"], &response["result"]["data"]["total"]))
        .collect();
    assert_eq!(
        seen,
        [
            (&json!(1), &json!(1)),
            (&json!(2), &json!(0)),
            (&json!(3), &json!(1))
        ]
    );
    assert!(responses.iter().all(|response| response["ms"].is_number()));
}

#[test]
fn an_id_may_be_anything() {
    let place = Place::new();
    for id in [json!("x"), json!({ "deep": [1] }), json!(null), json!(1.5)] {
        let line = json!({ "id": id, "tool": "codecortex_status" }).to_string();
        assert_eq!(place.batch(&line)[0]["id"], id);
    }
}

#[test]
fn garbage_has_an_envelope_and_everything_goes_on() {
    let place = Place::new();
    place.write("a.py", "class One:\n    pass\n");
    let mut input: Vec<u8> = Vec::new();
    let garbage: [&[u8]; 10] = [
        b"not json",
        b"{\"id\":7",
        b"{\"id\":7}",
        b"{\"id\":7,\"tool\":5}",
        b"{\"id\":7,\"tool\":\"codecortex_searchApi\",\"args\":\"x\"}",
        b"[1,2]",
        b"null",
        b"\"text\"",
        b"\xff\xfe{}",
        b"\0",
    ];
    for line in garbage {
        input.extend_from_slice(line);
        input.push(b'\n');
    }
    input.extend_from_slice(call(99, "One").as_bytes());
    let run = place.run_with(&["batch"], &input);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let responses: Vec<Value> = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(responses.len(), garbage.len() + 1);
    for (response, line) in responses.iter().zip(garbage) {
        let shown = String::from_utf8_lossy(line);
        assert_eq!(
            response["result"]["error"]["code"], "InvalidParams",
            "{shown}"
        );
        assert!(response["result"]["error"]["hint"].is_string(), "{shown}");
    }
    let ids: Vec<&Value> = responses.iter().map(|response| &response["id"]).collect();
    assert_eq!(ids[1..5], [&Value::Null, &json!(7), &json!(7), &json!(7)]);
    assert_eq!(responses[garbage.len()]["result"]["data"]["total"], 1);
}

#[test]
fn a_line_that_never_ends_costs_no_memory_and_no_answer() {
    let place = Place::new();
    place.write("a.py", "class One:\n    pass\n");
    let mut input = vec![b'x'; 40 << 20];
    input.push(b'\n');
    input.extend_from_slice(call(1, "One").as_bytes());
    let run = place.run_with(&["batch"], &input);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].contains("InvalidParams") && lines[1].contains("\"total\":1"));
}

#[test]
fn the_text_form_is_data_or_stands_beside_it() {
    let place = Place::new();
    place.write("a.py", "class One:\n    pass\n");
    let line = |format: &str, query: &str| {
        let args = json!({ "labelQuery": query, "format": format });
        json!({ "id": 1, "tool": "codecortex_searchApi", "args": args }).to_string()
    };
    let text = &place.batch(&line("text", "One"))[0];
    assert!(
        text["result"]["data"]["text"]
            .as_str()
            .unwrap()
            .contains("class One")
    );
    let both = &place.batch(&line("both", "One"))[0];
    assert_eq!(both["result"]["data"]["total"], 1);
    assert!(both["text"].as_str().unwrap().contains("class One"));
    let failed = &place.batch(&line("text", ""))[0];
    assert_eq!(failed["result"]["error"]["code"], "InvalidParams");
}

#[test]
fn no_answer_is_older_than_the_disk() {
    let place = Place::new();
    let file = place.write("a.py", "class Name0:\n    pass\n");
    let mut talk = place.talk(&["batch"]);
    for round in 0..20 {
        // Same size, same second: only notices or exact times can tell.
        std::fs::write(&file, format!("class Name{}:\n    pass\n", round % 10)).unwrap();
        talk.say(&call(round, &format!("Name{}", round % 10)));
        let response = talk.hear();
        assert_eq!(response["id"], round);
        assert_eq!(
            response["result"]["data"]["total"], 1,
            "round {round}: {response}"
        );
    }
    let (code, _) = talk.end();
    assert_eq!(code, Some(0));
}

#[test]
fn folders_that_come_go_and_move_are_followed() {
    let place = Place::new();
    place.write("old/deep/a.py", "class Moved:\n    pass\n");
    let mut talk = place.talk(&["batch"]);
    let mut at = |id: u32| {
        talk.say(&call(id, "Moved"));
        let response = talk.hear();
        response["result"]["data"]["items"][0]["filePath"].clone()
    };
    let name = place.name();
    assert_eq!(at(1), format!("{name}/old/deep/a.py"));
    let (old, new) = (place.path().join("old"), place.path().join("new"));
    std::fs::rename(&old, &new).unwrap();
    assert_eq!(at(2), format!("{name}/new/deep/a.py"));
    std::fs::rename(&new, &old).unwrap();
    assert_eq!(at(3), format!("{name}/old/deep/a.py"));
    place.write(".gitignore", "old/\n");
    assert_eq!(at(4), Value::Null);
    std::fs::remove_file(place.path().join(".gitignore")).unwrap();
    assert_eq!(at(5), format!("{name}/old/deep/a.py"));
    std::fs::remove_dir_all(&old).unwrap();
    assert_eq!(at(6), Value::Null);
}

/// What a call keeps is on the disk when the batch has ended (SPEC X12).
#[test]
fn a_text_that_a_batch_hands_in_is_kept() {
    let place = Place::new();
    place.write(
        "Store.cs",
        "namespace N; public class Store { public int Add() { return 1; } }\n",
    );
    let call = |tool: &str, args: Value| format!("{}\n", json!({ "tool": tool, "args": args }));
    let asked = place.batch(&call(
        "codecortex_getSemantic",
        json!({ "symbol": "N.Store" }),
    ));
    assert!(
        !place.path().join(".context").exists(),
        "looking makes nothing"
    );
    let ticket = &asked[0]["result"]["data"]["ticket"];
    let text = "ROLE:\na\nLIFECYCLE:\nb\nEDGE_CASES:\nc\nLIMITATIONS:\nd\nRECOMMENDATIONS:\ne\n";
    let lines = [
        call(
            "codecortex_submitSemantic",
            json!({ "ticket": ticket, "text": text }),
        ),
        call("codecortex_getSemantic", json!({ "symbol": "N.Store" })),
    ];
    let answers = place.batch(&lines.concat());
    assert_eq!(
        answers[1]["result"]["data"]["semanticState"], "cached",
        "known at once"
    );
    let run = place.run(&["semantic", "N.Store", "--json"]);
    assert_eq!(run.json()["data"]["sections"][0]["text"], "a");
}

/// What waits for a model is known to later calls of the same batch (SPEC I4).
#[test]
fn what_a_batch_queues_its_status_counts() {
    let place = Place::new();
    place.write(
        "Store.cs",
        "namespace N; public class Store { public int Add() { return 1; } }\n",
    );
    assert_eq!(place.run(&["init"]).code, Some(0));
    let mut talk = place.talk(&["batch"]);
    let mut ask = |tool: &str, args: Value| {
        talk.say(&json!({ "tool": tool, "args": args }).to_string());
        talk.hear()["result"]["data"].clone()
    };
    let described = ask("codecortex_describe", json!({ "all": true }));
    assert_eq!(described["total"], 1, "{described}");
    // A change is taken in when some ms have passed.
    let until = Instant::now() + Duration::from_secs(20);
    let waiting = std::iter::repeat_with(|| {
        std::thread::sleep(Duration::from_millis(20));
        ask("codecortex_status", json!({}))["context"][0]["waiting"].clone()
    });
    let mut waiting = waiting.take_while(|_| Instant::now() < until);
    assert!(waiting.any(|count| count == 1), "one text waits");
}
