//! MCP without a handshake: what each request says of itself, and edits that a person agrees to between two calls (SPEC D28).

use serde_json::{Value, json};

use crate::support::{Place, Talk};

struct Client {
    talk: Talk,
    next_id: u64,
    capabilities: Value,
}

impl Client {
    fn start(place: &Place, capabilities: Value) -> Self {
        Self {
            talk: place.talk(&["mcp", "--root", ".", "--profile", "full"]),
            next_id: 1,
            capabilities,
        }
    }

    /// The response to a request of the newest protocol.
    fn request(&mut self, method: &str, mut params: Value) -> Value {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": self.capabilities,
        });
        let id = self.next_id;
        self.next_id += 1;
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.talk.say(&message.to_string());
        loop {
            let response = self.talk.hear();
            if response["id"] == id {
                return response;
            }
        }
    }
}

fn place() -> Place {
    let place = Place::new();
    place.write(
        "cart.py",
        "def total(items):\n    return len(items)\n\n\nprint(total([]))\n",
    );
    place
}

fn code(place: &Place) -> String {
    std::fs::read_to_string(place.path().join("cart.py")).unwrap()
}

fn rename() -> Value {
    let args = json!({ "action": "rename", "symbol": "cart.total", "newName": "amount" });
    json!({ "name": "codecortex_refactor", "arguments": args })
}

#[test]
fn a_client_discovers_lists_and_calls_without_a_handshake() {
    let place = place();
    let mut client = Client::start(&place, json!({}));
    let found = client.request("server/discover", json!({}));
    let versions = found["result"]["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")), "{found}");
    let listed = client.request("tools/list", json!({}))["result"].clone();
    assert_eq!(listed["resultType"], "complete", "{listed}");
    assert!(listed["ttlMs"].as_u64().unwrap() > 0);
    assert_eq!(listed["cacheScope"], "private");
    let again = client.request("tools/list", json!({}))["result"].clone();
    assert_eq!(
        listed["tools"], again["tools"],
        "the same in the same order"
    );
    let call = json!({ "name": "codecortex_getOutline", "arguments": { "symbol": "cart.total" } });
    let outline = client.request("tools/call", call)["result"].clone();
    assert_eq!(outline["structuredContent"]["ok"], true, "{outline}");
    assert_eq!(outline["resultType"], "complete");
}

#[test]
fn a_person_agrees_between_two_calls() {
    let place = place();
    let before = code(&place);
    let mut client = Client::start(&place, json!({ "elicitation": { "form": {} } }));
    for (action, applied) in [("decline", false), ("accept", true)] {
        let asked = client.request("tools/call", rename())["result"].clone();
        assert_eq!(asked["resultType"], "input_required", "{asked}");
        let question = &asked["inputRequests"]["apply"];
        assert_eq!(question["method"], "elicitation/create");
        let message = question["params"]["message"].as_str().unwrap();
        assert!(message.contains("+def amount(items):"), "{message}");
        assert_eq!(code(&place), before);
        let mut again = rename();
        again["requestState"] = asked["requestState"].clone();
        again["inputResponses"] = json!({ "apply": { "action": action, "content": {} } });
        let answer = client.request("tools/call", again.clone())["result"].clone();
        let envelope = &answer["structuredContent"];
        match applied {
            true => assert_eq!(envelope["data"]["applied"], true, "{answer}"),
            false => assert_eq!(envelope["error"]["code"], "Cancelled", "{answer}"),
        }
        // A state is used once, whatever a client repeats.
        let error = client.request("tools/call", again)["error"].clone();
        assert_eq!(error["code"], -32602, "{error}");
    }
    assert_eq!(code(&place), before.replace("total", "amount"));
}

#[test]
fn a_made_up_state_applies_nothing() {
    let place = place();
    let before = code(&place);
    let mut client = Client::start(&place, json!({ "elicitation": {} }));
    let asked = client.request("tools/call", rename())["result"].clone();
    for (tool, state) in [
        ("codecortex_refactor", json!("plan-7")),
        ("codecortex_applyEdit", asked["requestState"].clone()),
    ] {
        let call = json!({
            "name": tool,
            "arguments": {},
            "requestState": state,
            "inputResponses": { "apply": { "action": "accept", "content": {} } },
        });
        let error = client.request("tools/call", call)["error"].clone();
        assert_eq!(error["code"], -32602, "{error}");
    }
    assert_eq!(code(&place), before);
}

#[test]
fn a_client_that_cannot_ask_gets_the_plan() {
    let place = place();
    let mut client = Client::start(&place, json!({}));
    let plan = client.request("tools/call", rename())["result"].clone();
    assert_eq!(plan["resultType"], "complete", "{plan}");
    assert_eq!(plan["structuredContent"]["data"]["applied"], false);
    assert!(plan["structuredContent"]["data"]["planId"].is_string());
}
