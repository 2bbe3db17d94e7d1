//! A client's model, asked over MCP, and what a client hears of an investigation (SPEC SE2, IN1).

use std::time::Duration;

use serde_json::{Value, json};

use crate::mcp::Session;
use crate::scripted_model::FULL;
use crate::support::Place;

const STORE: &str =
    "namespace N; public class Store { public int Add(int key) { return key + 1; } }\n";
const CONCLUSION: &str =
    "{\"conclusion\": \"By adding one.\", \"evidence\": [\"Store.cs:1\"], \"open\": []}";
const OUTLINE: &str = "{\"tool\": \"codecortex_getOutline\", \"args\": {\"symbol\": \"N.Store\"}}";
const ASKS: &str = "sampling/createMessage";

fn place() -> Place {
    let place = Place::new();
    place.write("Store.cs", STORE);
    place
}

fn session(place: &Place) -> Session {
    let offers = json!({ "sampling": {} });
    Session::with(place, &["--root", "."], "2025-06-18", &offers)
}

fn says(session: &mut Session, text: &str) -> Value {
    let asked = session.await_notification(ASKS);
    let content = json!({ "type": "text", "text": text });
    let said = json!({ "role": "assistant", "model": "m", "content": content });
    session.answer(&asked, ("result", said));
    asked["params"].clone()
}

/// The operation, once it is over.
fn over(session: &mut Session, id: &Value) -> Value {
    for _ in 0..400 {
        let result = session.call("codecortex_op", &json!({ "opId": id }));
        let operation = result["structuredContent"]["data"]["operation"].clone();
        if operation["state"] != "running" {
            return operation;
        }
        std::thread::sleep(Duration::from_millis(25));
    }
    panic!("it does not end");
}

#[test]
fn the_clients_model_describes_and_investigates() {
    let place = place();
    let mut session = session(&place);
    let question = json!({ "question": "How are keys made?" });
    let begun = session.call("codecortex_investigate", &question);
    let operation = &begun["structuredContent"]["data"]["operation"];
    assert_eq!(operation["state"], "running", "{begun}");
    let first = says(&mut session, OUTLINE);
    let system = first["systemPrompt"].as_str().unwrap();
    assert!(system.contains("codecortex_getOutline"), "{system}");
    let second = says(&mut session, CONCLUSION);
    let messages = second["messages"].as_array().unwrap();
    let last = messages.last().unwrap();
    assert_eq!(last["role"], "user");
    assert!(last["content"]["text"].as_str().unwrap().contains("Add"));
    let done = over(&mut session, &operation["opId"]);
    assert_eq!(done["state"], "done", "{done}");
    assert_eq!(done["result"]["evidence"][0]["verified"], true);

    session.call("codecortex_describe", &json!({ "symbol": "N.Store" }));
    let prompt = says(&mut session, FULL);
    assert!(
        prompt["messages"][0]["content"]["text"]
            .as_str()
            .unwrap()
            .contains("N.Store")
    );
    let found = (0..400).find_map(|_| {
        let found = session.call("codecortex_getSemantic", &json!({ "symbol": "N.Store" }));
        let found = found["structuredContent"]["data"].clone();
        std::thread::sleep(Duration::from_millis(25));
        (found["semanticState"] == "cached").then_some(found)
    });
    assert_eq!(found.unwrap()["sections"][0]["text"], "Keeps nodes.");
    // The text is a resource now.
    let listed = session.request("resources/list", &json!({}))["result"]["resources"].clone();
    let uri = "codecortex://semantic/N.Store";
    assert!(
        listed.as_array().unwrap().iter().any(|of| of["uri"] == uri),
        "{listed}"
    );
    let read = session.request("resources/read", &json!({ "uri": uri }));
    let text = read["result"]["contents"][0]["text"].as_str().unwrap();
    assert!(
        text.starts_with("# N.Store (cached)\n\nROLE:\nKeeps nodes.\n"),
        "{text}"
    );
}

#[test]
fn who_gives_a_token_hears_of_each_step_and_gets_the_conclusion() {
    let place = place();
    let mut session = session(&place);
    let call = json!({
        "name": "codecortex_investigate",
        "arguments": { "question": "How?" },
        "_meta": { "progressToken": 7 },
    });
    let id = session.ask("tools/call", &call);
    says(&mut session, OUTLINE);
    let steps = (0..50).find_map(|_| {
        let notice = session.await_notification("notifications/progress");
        let message = notice["params"]["message"].as_str()?.to_owned();
        message.contains("codecortex_getOutline").then_some(message)
    });
    assert!(steps.unwrap().starts_with("1 step, "));
    says(&mut session, CONCLUSION);
    let answer = session.response(id);
    let operation = &answer["result"]["structuredContent"]["data"]["operation"];
    assert_eq!(operation["state"], "done", "{answer}");
}

#[test]
fn who_gives_the_call_up_gives_the_operation_up() {
    let place = place();
    let mut session = session(&place);
    let call = json!({
        "name": "codecortex_investigate",
        "arguments": { "question": "How?" },
        "_meta": { "progressToken": 8 },
    });
    let id = session.ask("tools/call", &call);
    let asked = session.await_notification(ASKS);
    let operation = session.call("codecortex_investigate", &json!({ "question": "How?" }));
    let operation = operation["structuredContent"]["data"]["operation"].clone();
    assert_eq!(operation["state"], "running");
    let gone = json!({ "requestId": id, "reason": "enough" });
    session.tell("notifications/cancelled", &gone);
    assert_eq!(over(&mut session, &operation["opId"])["state"], "cancelled");
    // What comes too late is for nobody.
    let content = json!({ "type": "text", "text": CONCLUSION });
    let said = json!({ "role": "assistant", "model": "m", "content": content });
    session.answer(&asked, ("result", said));
    assert_eq!(over(&mut session, &operation["opId"])["state"], "cancelled");
}

#[test]
fn a_refusal_of_the_client_is_said() {
    let place = place();
    let mut session = session(&place);
    let begun = session.call("codecortex_investigate", &json!({ "question": "How?" }));
    let id = begun["structuredContent"]["data"]["operation"]["opId"].clone();
    let asked = session.await_notification(ASKS);
    session.answer(
        &asked,
        (
            "error",
            json!({ "code": -1, "message": "User rejected sampling request" }),
        ),
    );
    let failed = over(&mut session, &id);
    assert_eq!(failed["state"], "failed");
    assert!(
        failed["error"].as_str().unwrap().contains("User rejected"),
        "{failed}"
    );
}

#[test]
fn observations_are_resources_once_somebody_opted_in() {
    let place = place();
    let listed = |session: &mut Session| {
        let listed = session.request("resources/list", &json!({}));
        let listed = listed["result"]["resources"].as_array().unwrap().clone();
        listed
            .iter()
            .any(|of| of["uri"] == "codecortex://observations")
    };
    let mut closed = Session::start(&place, &["--root", "."]);
    assert!(!listed(&mut closed));
    place.write(".context/config.json", "{}");
    place.person_sets(&json!({ "observations": true }));
    let mut open = Session::start(&place, &["--root", "."]);
    let seen = json!({ "text": "Keys ascend.\nSee Add.", "symbols": ["N.Store"] });
    let kept = open.call("codecortex_remember", &seen);
    assert_eq!(kept["isError"], false, "{kept}");
    assert!(listed(&mut open));
    let mut text = |uri: &str| {
        let read = open.request("resources/read", &json!({ "uri": uri }));
        read["result"]["contents"][0]["text"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    assert!(text("codecortex://observations").contains("Keys ascend. (fresh)"));
    let whole = text("codecortex://observations/1");
    assert!(
        whole.contains("See Add.") && whole.contains("- N.Store"),
        "{whole}"
    );
    assert_eq!(text("codecortex://observations/9"), "");
}
