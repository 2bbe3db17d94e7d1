//! An MCP session over pipes, as a client holds it.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Place, Talk};

/// A client's side of a session.
pub(crate) struct Session {
    talk: Talk,
    next_id: u64,
    /// Notifications and requests of the server.
    pub(crate) heard: Vec<Value>,
    /// What the server said to `initialize`.
    pub(crate) server: Value,
}

impl Session {
    /// Starts a server and shakes hands.
    pub(crate) fn start(place: &Place, args: &[&str]) -> Self {
        Self::with(place, args, "2025-06-18", &json!({}))
    }

    pub(crate) fn with(place: &Place, args: &[&str], version: &str, capabilities: &Value) -> Self {
        let args: Vec<&str> = ["mcp"].iter().chain(args).copied().collect();
        let mut session = Self {
            talk: place.talk(&args),
            next_id: 1,
            heard: Vec::new(),
            server: Value::Null,
        };
        let hello = json!({
            "protocolVersion": version,
            "capabilities": capabilities,
            "clientInfo": { "name": "test", "version": "1" },
        });
        session.server = session.request("initialize", &hello)["result"].clone();
        session.tell("notifications/initialized", &json!({}));
        session
    }

    /// The id of the server's process.
    pub(crate) fn process(&self) -> u32 {
        self.talk.process()
    }

    /// The running server, for a test that ends it in its own way.
    pub(crate) fn into_talk(self) -> Talk {
        self.talk
    }

    pub(crate) fn tell(&mut self, method: &str, params: &Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.talk.say(&message.to_string());
    }

    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.talk.say(&message.to_string());
        id
    }

    /// Answers a request of the server.
    pub(crate) fn answer(&mut self, request: &Value, (name, value): (&str, Value)) {
        let message = json!({ "jsonrpc": "2.0", "id": request["id"], name: value });
        self.talk.say(&message.to_string());
    }

    pub(crate) fn response(&mut self, id: u64) -> Value {
        loop {
            let message = self.talk.hear();
            if message.get("method").is_none() {
                assert_eq!(message["id"], id, "{message}");
                return message;
            }
            self.heard.push(message);
        }
    }

    /// The next notification of that method; what else comes first is kept.
    pub(crate) fn await_notification(&mut self, method: &str) -> Value {
        let place = self
            .heard
            .iter()
            .position(|heard| heard["method"] == method);
        if let Some(place) = place {
            return self.heard.remove(place);
        }
        loop {
            let message = self.talk.hear();
            if message["method"] == method {
                return message;
            }
            self.heard.push(message);
        }
    }

    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        let id = self.ask(method, params);
        self.response(id)
    }

    /// Calls a tool; the result.
    pub(crate) fn call(&mut self, tool: &str, args: &Value) -> Value {
        let response = self.request("tools/call", &json!({ "name": tool, "arguments": args }));
        response["result"].clone()
    }

    /// Calls a tool that edits, and then applies its plan. A refusal is the answer of the first call.
    pub(crate) fn call_twice(&mut self, tool: &str, args: &Value) -> Value {
        let plan = self.call(tool, args);
        let id = plan["structuredContent"]["data"]["planId"].clone();
        if id.is_null() {
            return plan;
        }
        let mut args = args.clone();
        args["planId"] = id;
        self.call(tool, &args)
    }
}

fn search(query: &str) -> Value {
    json!({ "labelQuery": query })
}

#[test]
fn a_session_from_handshake_to_the_end() {
    let place = Place::new();
    place.write("a.py", "class Basket:\n    pass\n");
    let mut session = Session::start(&place, &["--root", "."]);
    assert_eq!(session.server["protocolVersion"], "2025-06-18");
    assert_eq!(session.server["serverInfo"]["name"], "codecortex");
    assert!(session.server["capabilities"]["tools"].is_object());
    let instructions = session.server["instructions"].as_str().unwrap().to_owned();
    let listed = session.request("tools/list", &json!({}));
    let listed = listed["result"]["tools"].as_array().unwrap();
    let words = instructions.split(|c: char| !c.is_alphanumeric() && c != '_');
    let advised: Vec<&str> = words.filter(|it| it.starts_with("codecortex_")).collect();
    assert!(advised.contains(&"codecortex_searchApi"));
    for tool in advised {
        assert!(listed.iter().any(|of| of["name"] == tool), "{tool}");
    }

    let result = session.call("codecortex_searchApi", &search("Basket"));
    assert_eq!(result["isError"], false);
    assert_eq!(result["structuredContent"]["data"]["total"], 1);
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("class Basket"), "{text}");

    let failed = session.call("codecortex_searchApi", &json!({ "maxTokens": -1 }));
    assert_eq!(failed["isError"], true);
    assert_eq!(
        failed["structuredContent"]["error"]["code"],
        "InvalidParams"
    );

    let (code, time) = session.talk.end();
    assert_eq!(code, Some(0));
    assert!(time < Duration::from_secs(3), "{time:?}");
}

#[test]
fn every_protocol_version_of_today_is_spoken() {
    let place = Place::new();
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let session = Session::with(&place, &["--root", "."], version, &json!({}));
        assert_eq!(session.server["protocolVersion"], version);
    }
    // A version that nobody knows is answered with one that we do.
    let session = Session::with(&place, &["--root", "."], "1999-01-01", &json!({}));
    assert!(session.server["protocolVersion"].is_string());
}

#[test]
fn the_list_of_tools_is_the_table() {
    let place = Place::new();
    let mut session = Session::start(&place, &["--root", ".", "--profile", "full"]);
    let listed = session.request("tools/list", &json!({}))["result"]["tools"].clone();
    let table = place.run(&["tools", "--json"]).json();
    let names = |tools: &Value| -> Vec<String> {
        let name = |tool: &Value| tool["name"].as_str().unwrap().to_owned();
        tools.as_array().unwrap().iter().map(name).collect()
    };
    assert_eq!(names(&listed), names(&table));
    for (tool, row) in listed
        .as_array()
        .unwrap()
        .iter()
        .zip(table.as_array().unwrap())
    {
        assert_eq!(tool["description"], row["description"]);
        let mut all = row["inputSchema"].clone();
        all["properties"]
            .as_object_mut()
            .unwrap()
            .extend(row["fullArguments"].as_object().unwrap().clone());
        assert_eq!(tool["inputSchema"], all);
        let annotations = &tool["annotations"];
        let writes = [
            "codecortex_applyEdit",
            "codecortex_refactor",
            "codecortex_remember",
            "codecortex_forget",
            "codecortex_pin",
            "codecortex_pack",
            "codecortex_invalidate",
            "codecortex_submitSemantic",
            "codecortex_describe",
            "codecortex_investigate",
            "codecortex_op",
        ];
        let is_read_only = !writes.contains(&tool["name"].as_str().unwrap());
        assert_eq!(annotations["readOnlyHint"], is_read_only);
        assert_eq!(row["readOnly"], is_read_only);
        // What a client assumes where nothing is said.
        let hint = |name: &str, silent: bool| annotations[name].as_bool().unwrap_or(silent);
        if !is_read_only {
            assert_eq!(hint("destructiveHint", true), row["destructive"] == true);
            assert_eq!(hint("idempotentHint", false), row["idempotent"] == true);
        }
        assert_eq!(annotations["openWorldHint"], false);
    }
}

/// Who checks answers asks for the schemas of their own; the structured content of each kind of answer is of them.
#[test]
fn the_schema_of_each_answer_is_listed_on_demand() {
    let place = Place::new();
    place.write("a.py", "class Basket:\n    pass\n");
    let table = place.run(&["tools", "--json"]).json();
    for profile in ["default", "full"] {
        let schemas = |flags: &[&str]| -> Vec<Value> {
            let args = [["--root", ".", "--profile", profile].as_slice(), flags].concat();
            let mut session = Session::start(&place, &args);
            let listed = session.request("tools/list", &json!({}))["result"]["tools"].clone();
            let tools = listed.as_array().unwrap().iter();
            tools.map(|tool| tool["outputSchema"].clone()).collect()
        };
        assert!(schemas(&[]).iter().all(Value::is_null), "{profile}");
        let rows = table.as_array().unwrap().iter();
        let rows = rows.filter(|row| profile == "full" || row["profile"] == "default");
        let own: Vec<Value> = rows.map(|row| row["outputSchema"].clone()).collect();
        assert_eq!(schemas(&["--output-schemas"]), own);
        assert!(own.iter().all(|schema| schema["type"] == "object"));
    }
}

/// The default profile omits the arguments that the table marks for the full one, and describes each of the others without
/// ids of the specification, which no model knows (SPEC X5).
#[test]
fn the_default_profile_lists_the_arguments_of_agents() {
    let place = Place::new();
    let mut session = Session::start(&place, &["--root", "."]);
    let listed = session.request("tools/list", &json!({}))["result"]["tools"].clone();
    let table = place.run(&["tools", "--json"]).json();
    let mut omitted = 0;
    for tool in listed.as_array().unwrap() {
        let rows = table.as_array().unwrap();
        let row = rows.iter().find(|row| row["name"] == tool["name"]).unwrap();
        omitted += row["fullArguments"].as_object().unwrap().len();
        assert_eq!(tool["inputSchema"], row["inputSchema"]);
        assert!(!tool.to_string().contains("SPEC"), "{tool}");
        for (name, argument) in tool["inputSchema"]["properties"].as_object().unwrap() {
            let text = argument["description"].as_str().unwrap_or_default();
            assert!(
                text.ends_with(['.', '…']),
                "{} {name}: {text}",
                tool["name"]
            );
        }
    }
    assert!(omitted > 0);
}

/// Every client pays for the list before it has asked anything (SPEC X5).
#[test]
fn the_list_of_tools_is_cheap() {
    let place = Place::new();
    let mut session = Session::start(&place, &["--root", "."]);
    let result = session.request("tools/list", &json!({}))["result"].clone();
    let tools = result["tools"].as_array().unwrap().len();
    let tokens = result.to_string().chars().count().div_ceil(4);
    assert!(
        tools <= 12 && tokens <= 2800 && tokens <= tools * 330,
        "{tools} tools cost {tokens} tokens"
    );
}

/// What an answer holds is what its schema promises: the one that is listed, which clients check and
/// which stops at the envelope, and the one of the table.
#[test]
fn answers_are_of_the_form_that_their_schema_promises() {
    let place = Place::new();
    place.write("a.py", "class Basket:\n    pass\n");
    place.write(".context/config.json", "{}");
    place.person_sets(&json!({ "observations": true }));
    let table = place.run(&["tools", "--json"]).json();
    let mut session = Session::start(&place, &["--root", "."]);
    let tools = session.request("tools/list", &json!({}))["result"]["tools"].clone();
    for tool in tools.as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        let row = table
            .as_array()
            .unwrap()
            .iter()
            .find(|row| row["name"] == name)
            .unwrap();
        let args = match name {
            "codecortex_getOutline" => json!({ "filePath": "a.py" }),
            "codecortex_searchApi" => search("Basket"),
            "codecortex_applyEdit" => json!({ "edits": [{
                "filePath": "b.py", "baseVersion": "new", "changes": [{ "newText": "x = 1\n" }],
            }] }),
            "codecortex_resolveSymbolAtPosition" => {
                json!({ "filePath": "a.py", "position": { "line": 1, "character": 7 } })
            }
            "codecortex_getLiveContext" | "codecortex_getContext" | "codecortex_recall" => {
                json!({})
            }
            "codecortex_remember" => json!({ "text": "it works" }),
            "codecortex_reviewChanges" => json!({ "patch": "\
                diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n\
                -class Bag:\n+class Basket:\n     pass\n" }),
            _ => json!({ "symbol": "Basket" }),
        };
        let result = session.call(name, &args);
        assert_eq!(result["isError"], false, "{result}");
        let envelope = result["structuredContent"].as_object().unwrap();
        for (field, value) in envelope {
            let promised = &row["outputSchema"]["properties"][field];
            assert!(is_of(value, &promised["type"]), "{name}: {field}");
        }
        let data = &envelope["data"];
        let schema = &row["outputSchema"]["properties"]["data"];
        for field in schema["required"].as_array().into_iter().flatten() {
            assert!(
                data.get(field.as_str().unwrap()).is_some(),
                "{name}: no {field} in {data}"
            );
        }
        for (field, value) in data.as_object().unwrap() {
            let promised = &schema["properties"][field];
            assert!(promised.is_object(), "{name}: {field} is not in the schema");
            assert!(
                is_of(value, &promised["type"]),
                "{name}: {field} is {value}, not {promised}"
            );
        }
    }
}

fn is_of(value: &Value, kind: &Value) -> bool {
    let is = |kind: &str| match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => false,
    };
    match kind {
        Value::Null => true,
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).any(is),
        kind => kind.as_str().is_some_and(is),
    }
}

#[test]
fn the_handshake_does_not_wait_for_the_index_and_calls_tell_of_progress() {
    let place = Place::new();
    let body: String = (0..400)
        .map(|n| format!("def function_{n}(x):\n    return [y * {n} for y in x if y > {n}]\n"))
        .collect();
    for file in 0..150 {
        place.write(&format!("part{}/file{file}.py", file % 10), &body);
    }
    place.write("last.py", "class Last:\n    pass\n");
    let mut session = Session::start(&place, &["--root", "."]);
    let call = json!({
        "name": "codecortex_searchApi",
        "arguments": search("Last"),
        "_meta": { "progressToken": "token" },
    });
    let id = session.ask("tools/call", &call);
    let pinged = session.ask("ping", &json!({}));
    session.response(pinged);
    let result = session.response(id)["result"].clone();
    // The answer waited for the whole index: it is complete, and it says nothing else.
    let data = &result["structuredContent"]["data"];
    assert_eq!(data["items"][0]["name"], "Last");
    assert!(data["index"].get("phase").is_none());
    let progress: Vec<f64> = session
        .heard
        .iter()
        .filter(|message| message["method"] == "notifications/progress")
        .map(|message| {
            assert_eq!(message["params"]["progressToken"], "token");
            message["params"]["progress"].as_f64().unwrap()
        })
        .collect();
    assert!(!progress.is_empty());
    assert!(
        progress.is_sorted_by(|before, after| before < after),
        "{progress:?}"
    );
}

#[test]
fn a_call_can_be_given_up_while_the_index_is_built() {
    let place = Place::new();
    let body = "def f(x):\n    return x\n".repeat(20_000);
    for file in 0..20 {
        place.write(&format!("file{file}.py"), &body);
    }
    let mut session = Session::start(&place, &["--root", ".", "--threads", "2"]);
    let id = session.ask(
        "tools/call",
        &json!({ "name": "codecortex_status", "arguments": {} }),
    );
    session.tell("notifications/cancelled", &json!({ "requestId": id }));
    // It gets no answer, or one that says so; the session goes on.
    let pinged = session.ask("ping", &json!({}));
    loop {
        let message = session.talk.hear();
        if message["id"] == pinged {
            break;
        }
        if message["id"] == id {
            let result = &message["result"]["structuredContent"];
            assert_eq!(result["error"]["code"], "Cancelled", "{message}");
        }
    }
    let (code, time) = session.talk.end();
    assert_eq!(code, Some(0));
    assert!(time < Duration::from_secs(8), "{time:?}");
}

#[test]
fn changes_on_the_disk_are_seen_by_the_next_call() {
    let place = Place::new();
    let file = place.write("a.py", "class One:\n    pass\n");
    let mut session = Session::start(&place, &["--root", "."]);
    let mut total = |query: &str| {
        session.call("codecortex_searchApi", &search(query))["structuredContent"]["data"]["total"]
            .clone()
    };
    assert_eq!(total("One"), 1);
    std::fs::write(&file, "class Two:\n    pass\n").unwrap();
    assert_eq!((total("One"), total("Two")), (json!(0), json!(1)));
    place.write("deep/new/b.py", "class Three:\n    pass\n");
    assert_eq!(total("Three"), 1);
    std::fs::remove_file(&file).unwrap();
    assert_eq!(total("Two"), 0);
}

#[test]
fn the_clients_roots_are_served_where_none_are_given() {
    let (here, there) = (Place::new(), Place::new());
    here.write("a.py", "class OwnFolder:\n    pass\n");
    there.write("b.py", "class ClientFolder:\n    pass\n");
    let mut session = Session::with(&here, &[], "2025-06-18", &json!({ "roots": {} }));
    let asked = session.talk.hear();
    assert_eq!(asked["method"], "roots/list");
    let uri = format!("file://{}", there.path().display());
    let roots = json!({ "roots": [{ "uri": uri }, { "uri": "https://example.org/x" }] });
    let answer = json!({ "jsonrpc": "2.0", "id": asked["id"], "result": roots });
    session.talk.say(&answer.to_string());
    let mut total = |query: &str| {
        session.call("codecortex_searchApi", &search(query))["structuredContent"]["data"]["total"]
            .clone()
    };
    assert_eq!(
        (total("ClientFolder"), total("OwnFolder")),
        (json!(1), json!(0))
    );
}

#[test]
fn bad_calls_have_an_envelope_and_garbage_is_answered() {
    let place = Place::new();
    let mut session = Session::start(&place, &["--root", "."]);
    for args in [
        json!("text"),
        json!([1]),
        json!(7),
        json!({ "labelQuery": 5 }),
    ] {
        let result = session.call("codecortex_searchApi", &args);
        assert_eq!(result["isError"], true, "{result}");
        let error = &result["structuredContent"]["error"];
        assert_eq!(error["code"], "InvalidParams");
    }
    let unknown = session.call("rm -rf", &json!({}));
    assert_eq!(
        unknown["structuredContent"]["error"]["code"],
        "InvalidParams"
    );
    session.talk.say("no json at all");
    assert_eq!(session.talk.hear()["error"]["code"], -32700);
    session.talk.say("");
    let nothing = session.request("no/such/method", &json!({}));
    assert_eq!(nothing["error"]["code"], -32601);
    assert!(session.request("ping", &json!({}))["result"].is_object());
}

#[test]
fn a_client_that_says_nothing_leaves_nothing_behind() {
    let place = Place::new();
    let begun = Instant::now();
    let (code, _) = place.talk(&["mcp", "--root", "."]).end();
    assert_eq!(code, Some(0));
    assert!(begun.elapsed() < Duration::from_secs(5));
    let marks = std::fs::read_dir(place.cache().join("watch"));
    assert_eq!(marks.map_or(0, Iterator::count), 0);
}

/// What is no message is answered, and the session goes on (JSON-RPC 2.0 §5.1).
#[test]
fn lines_that_are_no_messages_are_answered_and_end_nothing() {
    let place = Place::new();
    place.write("a.py", "def go():\n    pass\n");
    let mut talk = place.talk(&["mcp"]);
    // Before the handshake nobody is told anything.
    for method in ["notifications/cancelled", "notifications/initialized"] {
        talk.say(&json!({ "jsonrpc": "2.0", "method": method, "params": {} }).to_string());
    }
    let hello = json!({
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": { "name": "test", "version": "1" },
    });
    let request = |id: u32, method: &str, params: &Value| {
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
    };
    talk.say(&request(1, "initialize", &hello));
    assert_eq!(talk.hear()["id"], 1);
    talk.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
    let nested = format!("{{\"id\":3,\"x\":{}", "[".repeat(100_000));
    let broken = [
        (
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"x":"\ud83d"}}"#,
            json!(2),
        ),
        (nested.as_str(), json!(3)),
        ("{nonsense", Value::Null),
    ];
    for (line, id) in broken {
        talk.say(line);
        let answer = talk.hear();
        assert_eq!(
            (&answer["error"]["code"], &answer["id"]),
            (&json!(-32700), &id)
        );
    }
    let search = json!({ "name": "codecortex_searchApi", "arguments": { "query": "go" } });
    talk.say(&request(4, "tools/call", &search));
    let answer = talk.hear();
    assert_eq!(answer["id"], 4);
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    assert_eq!(talk.end().0, Some(0));
}
