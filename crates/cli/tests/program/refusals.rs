//! A command that fails before it has an index tells programs so on stdout, in the form in which they read its answers
//! (SPEC D13).

use serde_json::{Value, json};

use crate::support::Place;

/// Every command whose stdout programs read, but batch and MCP, which have forms of their own.
const COMMANDS: &[&[&str]] = &[
    &["alias", "--json"],
    &["bench", "--json"],
    &["call", "codecortex_status"],
    &["callers", "Depot", "--json"],
    &["changes", "--json"],
    &["context", "--query", "Depot"],
    &["describe", "--all", "--json"],
    &["graph", "--format", "json"],
    &["graph", "--format=json"],
    &["hashes", "Depot", "--json"],
    &["investigate", "Why?", "--json"],
    &["memory", "recall", "x", "--json"],
    &["op", "O_00000000", "--json"],
    &["outline", "Depot", "--json"],
    &["pack", "list", "--json"],
    &["references", "Depot", "--json"],
    &["replay", "--json"],
    &["review", "--json"],
    &["search", "Depot", "--json"],
    &["semantic", "Depot", "--json"],
    &["status", "--json"],
    &["window", "--json"],
];

/// Where the envelope is in what a command prints, and what else its line has to say.
fn envelope(command: &str, line: &Value) -> Value {
    match command {
        "batch" => {
            assert_eq!(line["id"], Value::Null, "{line}");
            line["result"].clone()
        }
        "mcp" => {
            assert_eq!(line["jsonrpc"], "2.0", "{line}");
            assert!(line["id"].is_null() && line.get("id").is_some(), "{line}");
            let error = &line["error"];
            assert!(error["code"].is_i64(), "{line}");
            assert_eq!(error["message"], error["data"]["error"]["message"]);
            error["data"].clone()
        }
        _ => line.clone(),
    }
}

#[test]
fn a_folder_that_is_none_is_told_in_every_form() {
    let place = Place::new();
    let file = place.write("a.ts", "export class Depot {}\n");
    let missing = place.path().join("nowhere");
    let own: [&[&str]; 2] = [&["batch"], &["mcp"]];
    for command in COMMANDS.iter().chain(&own) {
        for (root, code) in [(&missing, "NotFound"), (&file, "InvalidParams")] {
            let mut words = command.to_vec();
            words.extend(["--root", root.to_str().unwrap()]);
            let run = place.run_with(&words, b"{\"id\":1,\"tool\":\"codecortex_status\"}\n");
            let answer = envelope(command[0], &run.json());
            assert_eq!(answer["ok"], false, "{words:?}");
            assert_eq!(answer["error"]["code"], code, "{words:?}: {answer}");
            assert!(
                answer["error"]["hint"].is_string() && answer["budget"].is_object(),
                "{words:?}: {answer}"
            );
            assert_eq!(run.code, Some(2), "{words:?}");
            // A person reads it too.
            assert!(
                run.stderr.contains("the folder "),
                "{words:?}: {}",
                run.stderr
            );
        }
    }
}

#[test]
fn words_that_cannot_be_read_are_told_in_every_form() {
    let place = Place::new();
    for command in [
        &["batch"][..],
        &["mcp"],
        &["search", "--json"],
        &["graph", "--format", "json"],
    ] {
        let mut words = command.to_vec();
        words.push("--no-such-option");
        let run = place.run(&words);
        let answer = envelope(command[0], &run.json());
        assert_eq!(
            (answer["error"]["code"].clone(), run.code),
            (json!("InvalidParams"), Some(2)),
            "{words:?}"
        );
    }
    // Help is an answer.
    let help = place.run(&["batch", "--help"]);
    assert!(help.code == Some(0) && !help.stdout.contains("\"ok\":false"));
}
