//! The schemas of tools are JSON Schema 2020-12, MCP's dialect, and answers are of them (SPEC TC2): by a validator that is
//! not ours, Node's `ajv`, where it is installed.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::contract::every_answer;
use crate::mcp::Session;
use crate::support::Place;

/// Reads schemas by name and answers by tool; says what is wrong with them, a line each.
const CHECK: &str = "
    const { schemas, answers } = JSON.parse(require('fs').readFileSync(0, 'utf8'));
    const Ajv = require('ajv/dist/2020').default;
    const ajv = new Ajv({ strict: false, validateFormats: false });
    const checks = {};
    for (const [name, schema] of Object.entries(schemas)) {
        try { checks[name] = ajv.compile(schema); } catch (error) { console.log(`${name}: ${error.message}`); }
    }
    for (const [name, answer] of answers) {
        const check = checks[name];
        if (check && !check(answer)) { console.log(`${name}: ${JSON.stringify(check.errors)}`); }
    }";

/// What the validator says; none where it is not installed.
fn said(schemas: &Value, answers: &Value) -> Option<String> {
    let mut node = Command::new("node")
        .args(["-e", CHECK])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let told = json!({ "schemas": schemas, "answers": answers });
    serde_json::to_writer(node.stdin.take().unwrap(), &told).unwrap();
    let output = node.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    if errors.contains("Cannot find module") {
        return None;
    }
    assert_eq!(errors, "");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Schemas of tools by name.
fn schemas(tools: &Value, which: &str, suffix: &str) -> serde_json::Map<String, Value> {
    let tools = tools.as_array().unwrap().iter();
    let named = tools.map(|tool| {
        let name = tool["name"].as_str().unwrap();
        (format!("{name}{suffix}"), tool[which].clone())
    });
    named.collect()
}

#[test]
fn every_schema_is_one_of_the_dialect_of_mcp() {
    let place = Place::new();
    let flags = ["--root", ".", "--profile", "full", "--output-schemas"];
    let mut session = Session::start(&place, &flags);
    let listed = session.request("tools/list", &json!({}))["result"]["tools"].clone();
    let table = place.run(&["tools", "--json"]).json();
    let mut all = serde_json::Map::new();
    for (tools, of) in [(&listed, "listed"), (&table, "table")] {
        for which in ["inputSchema", "outputSchema"] {
            let schemas = schemas(tools, which, &format!(" {of} {which}"));
            assert!(schemas.len() >= 20, "{of} {which}");
            all.extend(schemas);
        }
    }
    // What draft 7 calls a list of items is no schema here: the check finds it.
    let tuple = json!({ "type": "array", "items": [{ "type": "integer" }] });
    all.insert("tuple".to_owned(), tuple);
    if let Some(said) = said(&all.into(), &json!([])) {
        assert!(
            said.starts_with("tuple: ") && said.lines().count() == 1,
            "{said}"
        );
    }
}

#[test]
fn every_answer_is_of_its_schema() {
    let table = Place::new().run(&["tools", "--json"]).json();
    let schemas = schemas(&table, "outputSchema", "");
    let mut answers = every_answer();
    assert!(answers.len() >= 80, "{} answers", answers.len());
    // An answer that is none shows that the check finds it.
    let wrong = json!({ "ok": "yes" });
    answers.push(("codecortex_status".to_owned(), wrong));
    if let Some(said) = said(&schemas.into(), &json!(answers)) {
        let lines: Vec<&str> = said.lines().collect();
        assert_eq!(lines.len(), 1, "{said}");
        assert!(lines[0].contains("/ok"), "{said}");
    }
}
