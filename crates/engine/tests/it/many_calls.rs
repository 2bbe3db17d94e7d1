//! Calls of every tool in every mode, by chance: no answer costs more than its caller allowed (SPEC X1, TC5, D14).
//!
//! `CODECORTEX_CALLS` says how many are made; the same number makes the same calls.

use crate::support::chance::{Chance, count_of};
use crate::support::{Host, MIXED};
use codecortex_engine::protocol::{Caller, CallerKind, Event};
use codecortex_engine::{TOOLS, Tool, tokens_approx};
use serde_json::{Map, Value, json};

const CALLS: usize = 3_000;
/// After so many calls the workspace is a new one: calls change files.
const AT_ONCE: usize = 500;

const WORDS: [&str; 18] = [
    "NodeStore",
    "NodeStore.Add",
    "Memo.Core",
    "Base",
    "HttpClient.get_page",
    "o",
    "*",
    "",
    "app/pkg/tools.py",
    "app/src",
    "../x",
    "1,2",
    "keep the port of the server in url_for",
    "重试次数",
    "O_0000000a",
    "T_00000000",
    "2026-01-01 00:00:00",
    "--- a/pkg/tools.py\n+++ b/pkg/tools.py\n@@ -1,0 +1,1 @@\n+import os\n",
];

fn workspace() -> Host {
    let mut host = Host::new(MIXED);
    host.write("/w/app/.context/config.json", "{}");
    host.touched(&["/w/app/.context", "/w/app/.context/config.json"]);
    host.person_sets(|own| own.observations = Some(true));
    host.send(Event::Opened {
        path: "/w/app/pkg/tools.py".to_owned(),
        version: 1,
        text: host.text("/w/app/pkg/tools.py").unwrap(),
        dirty: false,
    });
    host.settle();
    for number in 0..20 {
        let summary = format!("The store keeps node {number}.");
        host.ok("remember", json!({ "summary": summary }));
    }
    host
}

/// A value that a schema describes, or now and then another one.
fn value(chance: &mut Chance, schema: &Value, depth: usize) -> Value {
    if chance.is(4) {
        let odd = [
            json!(null),
            json!(-1),
            json!(1e300),
            json!("x"),
            json!([]),
            json!({}),
            json!(true),
            json!("x".repeat(3_000)),
        ];
        return chance.one(&odd).clone();
    }
    if let Some(values) = schema["enum"]
        .as_array()
        .filter(|values| !values.is_empty())
    {
        return chance.one(values).clone();
    }
    let choices = ["anyOf", "oneOf"]
        .iter()
        .find_map(|name| schema[name].as_array());
    if let Some(choices) = choices.filter(|choices| !choices.is_empty() && depth < 4) {
        let schema = chance.one(choices).clone();
        return value(chance, &schema, depth + 1);
    }
    let kinds = match &schema["type"] {
        Value::Array(kinds) => kinds.clone(),
        kind => vec![kind.clone()],
    };
    match chance.one(&kinds).as_str() {
        Some("string") => json!(chance.one(&WORDS)),
        Some("integer" | "number") => {
            let least = schema["minimum"].as_i64().unwrap_or(0);
            let most = schema["maximum"].as_i64().unwrap_or(40).max(least);
            json!(least + chance.below((most - least + 2) as usize) as i64)
        }
        Some("boolean") => json!(chance.is(50)),
        Some("array") => {
            let items = schema["items"].clone();
            let count = chance.below(4);
            (0..count)
                .map(|_| value(chance, &items, depth + 1))
                .collect()
        }
        Some("object") if depth < 4 => Value::Object(object(chance, schema, depth + 1)),
        _ => json!(chance.one(&WORDS)),
    }
}

fn object(chance: &mut Chance, schema: &Value, depth: usize) -> Map<String, Value> {
    let mut made = Map::new();
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let is_required = required.iter().any(|of| of == name);
        if chance.is(if is_required { 96 } else { 35 }) {
            made.insert(name.clone(), value(chance, property, depth));
        }
    }
    made
}

/// A call's arguments, and the tokens that its caller allows; none where it says nothing that counts.
fn arguments(chance: &mut Chance, tool: &Tool) -> (Value, Option<u32>) {
    let mut args = object(chance, &tool.input_schema(), 0);
    args.remove("budget");
    if chance.is(5) {
        args.insert("nonsense".to_owned(), json!(1));
    }
    let tokens = chance.is(85).then(|| chance.below(1_500) as u32);
    match tokens {
        Some(tokens) => args.insert("maxTokens".to_owned(), json!(tokens)),
        None => args.remove("maxTokens"),
    };
    (Value::Object(args), tokens)
}

/// What is wrong with an answer, in words.
fn violation(form: &str, tokens: Option<u32>, least: u32) -> Option<String> {
    let cost = tokens_approx(form);
    // What says that nothing fits is the smallest thing that can be said.
    let most = tokens.map(|tokens| match form.contains("BudgetExceeded") {
        true => tokens.max(least),
        false => tokens,
    });
    most.filter(|most| cost > *most)
        .map(|most| format!("{cost} tokens, {most} allowed: {form}"))
}

#[test]
fn no_call_costs_more_than_its_caller_allows() {
    let calls = count_of("CODECORTEX_CALLS", CALLS);
    let mut chance = Chance::new(2026);
    let mut host = workspace();
    let (mut answered, mut failed, mut violations) = (0, 0, Vec::new());
    for number in 0..calls {
        if number % AT_ONCE == AT_ONCE - 1 {
            host = workspace();
        }
        let tool = chance.one(&TOOLS);
        let (args, tokens) = arguments(&mut chance, tool);
        let kind = *chance.one(&[CallerKind::Cli, CallerKind::Mcp, CallerKind::Lm]);
        let caller = Caller {
            kind,
            ..Caller::default()
        };
        let Some(answer) = host.try_call(tool.name, args.clone(), caller) else {
            panic!("{} {args} is not answered", tool.name);
        };
        match answer.ok {
            true => answered += 1,
            false => failed += 1,
        }
        for form in [&answer.json, &answer.text].into_iter().flatten() {
            // A failure has a code, a sentence and what would be enough, however small the budget is; from 40 tokens on
            // that fits.
            let least = if tokens.is_some_and(|tokens| tokens >= 40) {
                0
            } else {
                60
            };
            let found = violation(form, tokens, least);
            violations.extend(found.map(|what| format!("{} {args}: {what}", tool.name)));
        }
        if chance.is(10) {
            host.settle();
        }
    }
    assert!(
        violations.is_empty(),
        "{} of {calls}: {violations:#?}",
        violations.len()
    );
    assert!(
        answered * 5 > calls && failed * 20 > calls,
        "{answered} answers and {failed} errors say little"
    );
}
