//! The life of a session of `codecortex lsp`, and clients that do not behave (SPEC RPC1).

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::editor::{Editor, capabilities};
use crate::support::Place;

fn place() -> Place {
    let place = Place::new();
    place.write(
        "shop.py",
        "class Shop:\n    def open(self, day):\n        return day\n",
    );
    place
}

#[test]
fn requests_have_their_time() {
    let place = place();
    let mut editor = Editor::start(&place, &[]);
    let early = editor.ask("textDocument/hover", &json!({}));
    assert_eq!(early["error"]["code"], -32002);
    editor.tell("textDocument/didOpen", &json!({}));
    let bad = json!({ "capabilities": {}, "initializationOptions": { "languages": ["x"] } });
    let refused = editor.ask("initialize", &bad);
    assert_eq!(refused["error"]["code"], -32602);
    assert!(
        refused["error"]["data"]["hint"]
            .as_str()
            .unwrap()
            .contains("python")
    );
    let params = json!({ "rootUri": editor.uri(""), "capabilities": {} });
    editor.initialize(&params);
    assert_eq!(editor.ask("initialize", &params)["error"]["code"], -32600);
    assert_eq!(
        editor.ask("textDocument/foldingRange", &json!({}))["error"]["code"],
        -32601
    );
    assert_eq!(
        editor.ask("textDocument/hover", &json!({}))["error"]["code"],
        -32602
    );
    assert_eq!(editor.ask("shutdown", &Value::Null)["result"], Value::Null);
    assert_eq!(
        editor.ask("textDocument/hover", &json!({}))["error"]["code"],
        -32600
    );
    editor.tell("exit", &Value::Null);
    assert_eq!(editor.wait(), (Some(0), Vec::new()));
}

#[test]
fn an_exit_without_a_shutdown_is_a_failure() {
    let place = place();
    let mut editor = Editor::open(&place);
    editor.tell("exit", &json!({}));
    assert_eq!(editor.wait().0, Some(1));
    assert_eq!(Editor::open(&place).end().0, Some(1));
    let mut editor = Editor::open(&place);
    editor.ask("shutdown", &json!({}));
    assert_eq!(editor.end().0, Some(0));
}

#[test]
fn progress_has_a_begin_and_an_end() {
    let place = place();
    for number in 0..400 {
        place.write(
            &format!("many/m{number}.py"),
            format!("def f{number}():\n    pass\n").repeat(100),
        );
    }
    let mut editor = Editor::start(&place, &[]);
    let params = json!({ "rootUri": editor.uri(""), "capabilities": capabilities() });
    editor.initialize(&params);
    editor.ask("workspace/symbol", &json!({ "query": "Shop" }));
    // A person watches; the index may be there before the progress was shown.
    let kinds: Vec<&str> = editor
        .told
        .iter()
        .filter(|told| told["method"] == "$/progress")
        .filter_map(|told| told["params"]["value"]["kind"].as_str())
        .collect();
    assert_eq!(kinds.first(), Some(&"begin"), "{:?}", editor.told);
    let created = &editor.told[0];
    assert_eq!(created["method"], "window/workDoneProgress/create");
    let tokens: Vec<&Value> = editor
        .told
        .iter()
        .map(|told| &told["params"]["token"])
        .collect();
    assert!(tokens.iter().all(|token| *token == tokens[0]));
}

#[test]
fn a_request_that_is_given_up_is_answered_as_cancelled() {
    let place = place();
    let mut editor = Editor::open(&place);
    editor.ask("workspace/symbol", &json!({ "query": "Shop" }));
    let mut cancelled = 0;
    for _ in 0..50 {
        let id = editor.send("workspace/symbol", &json!({ "query": "Shop" }));
        editor.tell("$/cancelRequest", &json!({ "id": id }));
        let reply = editor.reply(id);
        match reply["error"]["code"].as_i64() {
            Some(code) => {
                assert_eq!(code, -32800, "{reply}");
                cancelled += 1;
            }
            // It was answered already.
            None => assert!(reply["result"].is_array(), "{reply}"),
        }
    }
    assert!(cancelled > 0);
    editor.tell("$/cancelRequest", &json!({ "id": "none" }));
    editor.tell("$/cancelRequest", &json!([]));
    let reply = editor.ask("workspace/symbol", &json!({ "query": "Shop" }));
    assert_eq!(reply["result"][0]["name"], "Shop");
}

/// Numbers of a fixed order.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % most
    }
}

const METHODS: [&str; 24] = [
    "textDocument/definition",
    "textDocument/typeDefinition",
    "textDocument/implementation",
    "textDocument/references",
    "textDocument/hover",
    "textDocument/documentSymbol",
    "workspace/symbol",
    "textDocument/prepareCallHierarchy",
    "callHierarchy/incomingCalls",
    "callHierarchy/outgoingCalls",
    "textDocument/prepareTypeHierarchy",
    "typeHierarchy/supertypes",
    "typeHierarchy/subtypes",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/codeAction",
    "textDocument/completion",
    "textDocument/diagnostic",
    "textDocument/semanticTokens/full",
    "textDocument/didChange",
    "textDocument/didOpen",
    "workspace/didChangeConfiguration",
    "$/unknown",
    "",
];

/// Parameters that are right, or nearly.
fn params(random: &mut Random, uri: &str) -> Value {
    let strange = [
        json!(null),
        json!(-1),
        json!(4_294_967_295_u64),
        json!(1e300),
        json!("x"),
        json!([]),
        json!({}),
        json!("file:///%ff"),
        json!("\u{0}"),
    ];
    let mut params = json!({
        "textDocument": { "uri": uri, "languageId": "python", "version": 3, "text": "class X:\n" },
        "position": { "line": random.below(5), "character": random.below(12) },
        "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 9 } },
        "context": { "includeDeclaration": true, "diagnostics": [] },
        "contentChanges": [{ "range": { "start": { "line": 9, "character": 9 }, "end": { "line": 0, "character": 1 } }, "text": "é" }],
        "item": { "name": "Shop", "kind": 5, "uri": uri, "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 1 } }, "selectionRange": { "start": { "line": 0, "character": 6 }, "end": { "line": 0, "character": 7 } } },
        "newName": "Other",
        "query": "Shop",
    });
    let pointers = [
        "/textDocument",
        "/textDocument/uri",
        "/textDocument/version",
        "/position",
        "/position/line",
        "/position/character",
        "/range/end",
        "/context",
        "/contentChanges",
        "/contentChanges/0/range",
        "/item",
        "/item/selectionRange/start/line",
        "/newName",
        "/query",
    ];
    for _ in 0..random.below(3) {
        let pointer = pointers[random.below(pointers.len())];
        if let Some(place) = params.pointer_mut(pointer) {
            *place = strange[random.below(strange.len())].clone();
        }
    }
    params
}

#[test]
fn ten_thousand_broken_messages_get_one_reply_each() {
    let place = place();
    let mut editor = Editor::start(&place, &[]);
    let uri = editor.uri("shop.py");
    let root = editor.uri("");
    editor.initialize(&json!({ "rootUri": root, "capabilities": {} }));
    let mut random = Random(0x5EED_0F15_0000_0001);
    let (mut ids, mut unnamed) = (BTreeMap::new(), 0_usize);
    let heard = |editor: &mut Editor, ids: &mut BTreeMap<u64, bool>, unnamed: &mut usize| {
        while !ids.is_empty() || *unnamed > 0 {
            let reply = editor.hear();
            assert!(reply["method"].is_null(), "{reply}");
            assert_ne!(
                reply.get("result").is_some(),
                reply.get("error").is_some(),
                "{reply}"
            );
            match reply["id"].as_u64() {
                Some(id) => assert!(ids.remove(&id).is_some(), "answered twice: {reply}"),
                None => {
                    assert!(*unnamed > 0, "nothing was asked: {reply}");
                    *unnamed -= 1;
                }
            }
        }
    };
    for number in 0..10_000_u64 {
        let method = METHODS[random.below(METHODS.len())];
        let params = params(&mut random, &uri);
        let mut message =
            json!({ "jsonrpc": "2.0", "id": number, "method": method, "params": params });
        match random.below(8) {
            // A notification that nobody answers.
            0 => {
                message.as_object_mut().unwrap().remove("id");
                editor.write(message.to_string().as_bytes());
            }
            // No message at all.
            1 => {
                let text = message.to_string();
                let cut = text.floor_char_boundary(1 + random.below(text.len() - 1));
                editor.write(&text.as_bytes()[..cut]);
                unnamed += 1;
            }
            2 => {
                editor.write(&[0xff, 0xfe, b'{']);
                unnamed += 1;
            }
            // A request that is broken outside of its parameters.
            3 => {
                let member = ["jsonrpc", "method", "params"][random.below(3)];
                message[member] = json!(7);
                editor.write(message.to_string().as_bytes());
                ids.insert(number, true);
            }
            _ => {
                editor.write(message.to_string().as_bytes());
                ids.insert(number, true);
            }
        }
        if number % 40 == 39 {
            heard(&mut editor, &mut ids, &mut unnamed);
        }
    }
    heard(&mut editor, &mut ids, &mut unnamed);
    let shut = editor.ask("shutdown", &Value::Null);
    assert_eq!(shut["result"], Value::Null);
    editor.tell("exit", &Value::Null);
    assert_eq!(editor.wait(), (Some(0), Vec::new()));
}

#[test]
fn a_header_without_a_length_ends_the_session() {
    let place = place();
    for bytes in [
        b"Content-Length: many\r\n\r\n{}".to_vec(),
        b"Content-Type: x\r\n\r\n{}".to_vec(),
        vec![b'x'; 20_000],
    ] {
        let run = place.run_with(&["lsp"], &bytes);
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        assert!(run.stdout.contains("`Content-Length`"), "{}", run.stdout);
    }
}
