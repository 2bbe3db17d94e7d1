//! The MCP prompt that carries the live context (SPEC D15, LC6).

use serde_json::{Value, json};

use crate::mcp::Session;
use crate::support::Place;

fn get(session: &mut Session, arguments: Value) -> Value {
    let params = json!({ "name": "live_context", "arguments": arguments });
    session.request("prompts/get", &params)
}

fn message(answer: &Value) -> String {
    let message = &answer["result"]["messages"][0];
    assert_eq!(message["role"], "user", "{answer}");
    message["content"]["text"].as_str().unwrap().to_owned()
}

#[test]
fn each_use_has_the_text_of_that_moment() {
    let place = Place::new();
    place.write("src/cart.ts", "export class Cart { total = 1 }\n");
    let mut session = Session::start(&place, &["--root", "."]);
    assert!(session.server["capabilities"]["prompts"].is_object());
    let listed = session.request("prompts/list", &json!({}))["result"]["prompts"].clone();
    assert_eq!(listed[0]["name"], "live_context");
    assert_eq!(listed[1]["name"], "task_context");
    assert_eq!(listed.as_array().unwrap().len(), 2);

    let wanted = json!({ "question": "What is it?", "filePath": "src/cart.ts" });
    let first = message(&get(&mut session, wanted.clone()));
    assert!(first.contains("# Live Context\n## Current Document\n"));
    assert!(first.contains("total = 1"));
    assert!(first.contains("# Prompt Window"));
    assert!(first.ends_with("# Question\nWhat is it?"));
    let version = first.split("cart.ts ").nth(1).unwrap();
    let version = version.split(' ').next().unwrap();

    // An edit through the tool is in the next one, with what became of it.
    let change = json!({ "oldText": "total = 1", "newText": "total = 2" });
    let edit = json!({ "filePath": "src/cart.ts", "baseVersion": version, "changes": [change] });
    let edits = json!({ "edits": [edit], "summary": "two" });
    let done = session.call_twice("codecortex_applyEdit", &edits);
    assert_eq!(done["structuredContent"]["data"]["applied"], true, "{done}");
    let second = message(&get(&mut session, wanted));
    assert!(second.contains("total = 2"));
    assert!(second.contains("done: two"), "{second}");
}

#[test]
fn a_task_comes_with_its_code_and_what_was_observed() {
    let place = Place::new();
    place.write(
        "src/cart.ts",
        "export class Cart { totalPrice() { return 1 } }\n",
    );
    place.write(".context/config.json", "{}");
    place.person_sets(&json!({ "observations": true }));
    place.run(&["memory", "remember", "total price ignores tax"]);
    let mut session = Session::start(&place, &["--root", "."]);
    let mut get = |arguments: Value| {
        let params = json!({ "name": "task_context", "arguments": arguments });
        session.request("prompts/get", &params)
    };
    let text = message(&get(
        json!({ "question": "total price", "maxTokens": "700" }),
    ));
    assert!(text.starts_with("# Context\n#1 "), "{text}");
    assert!(
        text.contains("src/cart.ts") && text.ends_with("# Question\ntotal price"),
        "{text}"
    );
    let answer = get(json!({}));
    assert!(
        answer["error"]["message"]
            .as_str()
            .unwrap()
            .contains("question")
    );
}

#[test]
fn it_keeps_its_budget_and_says_what_is_wrong() {
    let place = Place::new();
    let long: String = (0..4000)
        .map(|line| format!("const line{line} = {line};\n"))
        .collect();
    place.write("src/long.ts", long);
    let mut session = Session::start(&place, &["--root", "."]);
    let small = json!({ "filePath": "src/long.ts", "maxTokens": "1000" });
    let text = message(&get(&mut session, small));
    // The rules in front of it are not the context.
    let context = text.split_once("# Live Context").unwrap().1;
    assert!(
        context.chars().count() <= 4 * 1000 + 40,
        "{}",
        context.len()
    );
    for (arguments, word) in [
        (json!({ "maxTokens": "ten" }), "maxTokens"),
        (json!({ "maxTokens": "5" }), "maxTokens"),
        (json!({ "filePath": "src/none.ts" }), "NotFound"),
        (json!({ "filePath": "../out.ts" }), "AccessDenied"),
    ] {
        let answer = get(&mut session, arguments.clone());
        let error = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(error.contains(word), "{arguments}: {answer}");
    }
    let unknown = session.request("prompts/get", &json!({ "name": "other" }));
    assert!(
        unknown["error"]["message"]
            .as_str()
            .unwrap()
            .contains("live_context")
    );
}
