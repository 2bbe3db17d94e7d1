//! The methods of `000` §6: each has its parameters by name and by place, and calls a tool that takes them.

use codecortex_engine::find_tool;
use codecortex_rpc::{Incoming, METHODS, Message, MessageId, incoming, method, reply, tool_call};
use serde_json::{Value, json};

fn is_tool(name: &str) -> bool {
    find_tool(name).is_some()
}

fn id(of: u64) -> MessageId {
    MessageId::read(&of.to_string()).unwrap_or_else(|| panic!("{of}"))
}

#[test]
fn every_method_of_the_contract_calls_a_tool_that_takes_its_arguments() {
    let names: Vec<&str> = METHODS.iter().map(|method| method.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "ResolveSymbol",
            "GetOutline",
            "GetMemberOutline",
            "SearchSymbols",
            "FindUsages",
            "GetSemantic",
            "BuildPack",
            "ListPacks",
            "GetPromptWindow",
            "Pin",
            "Unpin",
            "Dismiss",
            "Investigate",
            "StreamOp",
            "Status"
        ]
    );
    for method in METHODS.iter() {
        let tool = find_tool(&method.tool).unwrap_or_else(|| panic!("{}", method.name));
        let schema = tool.input_schema();
        let params = method.params.iter().map(|param| &param.argument);
        for argument in params.chain(method.fixed.keys()) {
            let takes = schema["properties"].get(argument).is_some();
            assert!(takes, "{} of {}", argument, method.name);
        }
        let given: Vec<&String> = method.params.iter().map(|param| &param.argument).collect();
        for required in schema["required"].as_array().into_iter().flatten() {
            let is_given = given.iter().any(|argument| **argument == *required)
                || method.fixed.contains_key(required.as_str().unwrap());
            assert!(is_given, "{required} of {}", method.name);
        }
    }
}

#[test]
fn parameters_are_given_by_name_or_by_place() {
    for (name, params, tool, args) in [
        (
            "ResolveSymbol",
            json!({ "path": "A.B" }),
            "codecortex_resolveSymbol",
            json!({ "symbol": "A.B" }),
        ),
        (
            "GetOutline",
            json!(["MemoTree.Core.Node"]),
            "codecortex_getOutline",
            json!({ "symbol": "MemoTree.Core.Node", "form": "outline" }),
        ),
        (
            "GetOutline",
            json!({ "typeId": "T_1", "maxTokens": 200 }),
            "codecortex_getOutline",
            json!({ "symbol": "T_1", "form": "outline", "maxTokens": 200 }),
        ),
        (
            "SearchSymbols",
            json!(["import", 10]),
            "codecortex_searchApi",
            json!({ "labelQuery": "import", "limit": 10 }),
        ),
        (
            "FindUsages",
            json!({ "path": "A.B", "maxResults": 5 }),
            "codecortex_findReferences",
            json!({ "symbol": "A.B", "limit": 5 }),
        ),
        (
            "Pin",
            json!({ "path": "A.B" }),
            "codecortex_pin",
            json!({ "symbols": ["A.B"], "action": "pin" }),
        ),
        (
            "Investigate",
            json!(["How?", ["A", "B"]]),
            "codecortex_investigate",
            json!({ "question": "How?", "scopePaths": ["A", "B"] }),
        ),
        ("Status", json!([]), "codecortex_status", json!({})),
        (
            "codecortex_hashes",
            json!({ "symbol": "A" }),
            "codecortex_hashes",
            json!({ "symbol": "A" }),
        ),
    ] {
        let call = tool_call(name, params, is_tool).unwrap();
        assert_eq!((call.tool.as_str(), call.args), (tool, args), "{name}");
    }
}

#[test]
fn parameters_that_do_not_fit_are_told() {
    for (name, params, code, said) in [
        (
            "Nothing",
            json!({}),
            -32_601,
            "There is no method `Nothing`.",
        ),
        (
            "Status",
            json!([1]),
            -32_602,
            "`Status` takes 0 parameters by place, 1 were given.",
        ),
        (
            "Pin",
            json!({ "path": "A", "id": "B" }),
            -32_602,
            "`path` and `id` are one parameter.",
        ),
        (
            "codecortex_hashes",
            json!(["A"]),
            -32_602,
            "`codecortex_hashes` takes its arguments by name.",
        ),
    ] {
        let invalid = tool_call(name, params, is_tool).unwrap_err();
        let reply: Value = serde_json::from_str(&invalid.reply(&id(1))).unwrap();
        assert_eq!(reply["error"]["code"], code, "{name}");
        assert_eq!(reply["error"]["message"], said);
    }
}

#[test]
fn an_error_has_the_form_of_the_contract() {
    let envelope = json!({ "ok": false, "error": {
        "code": "SymbolNotFound",
        "message": "'NodeStroe' not found.",
        "hint": "Did you mean `NodeStore`?",
        "details": { "suggestions": ["NodeStore", "MemoTree.Core.NodeStore"] },
    } });
    let said = reply(
        &id(7),
        method("GetOutline"),
        Some(&envelope.to_string()),
        None,
    );
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["id"], 7);
    assert_eq!(said["jsonrpc"], "2.0");
    assert_eq!(said["error"]["code"], -32_001);
    assert_eq!(
        said["error"]["data"],
        json!({
            "code": "SymbolNotFound",
            "message": "'NodeStroe' not found.",
            "hint": "Did you mean `NodeStore`?",
            "suggestions": ["NodeStore", "MemoTree.Core.NodeStore"],
        })
    );
}

#[test]
fn results_have_the_names_of_the_contract() {
    for (name, data, text, field, expected) in [
        (
            "SearchSymbols",
            json!({ "items": [1] }),
            None,
            "symbols",
            json!([1]),
        ),
        (
            "GetMemberOutline",
            json!({ "outlineText": "x" }),
            None,
            "text",
            json!("x"),
        ),
        (
            "GetPromptWindow",
            json!({}),
            Some("the window"),
            "windowText",
            json!("the window"),
        ),
        (
            "Pin",
            json!({ "changed": [] }),
            None,
            "success",
            json!(true),
        ),
        (
            "Investigate",
            json!({ "operation": { "opId": "O_1" } }),
            None,
            "opId",
            json!("O_1"),
        ),
    ] {
        let envelope = json!({ "ok": true, "data": data }).to_string();
        let said = reply(&id(1), method(name), Some(&envelope), text);
        let said: Value = serde_json::from_str(&said).unwrap();
        assert_eq!(said["result"][field], expected, "{name}");
    }
}

#[test]
fn frames_are_read_as_the_protocol_says() {
    let request = |text: &str| match incoming(text.as_bytes()) {
        Incoming::One(message) => message,
        Incoming::Batch(_) => panic!("{text}"),
    };
    let code = |text: &str| match request(text) {
        Message::Wrong(reply) => {
            let reply: Value = serde_json::from_str(&reply).unwrap();
            (
                reply["error"]["code"].as_i64().unwrap(),
                reply["id"].clone(),
            )
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(code("{"), (-32_700, Value::Null));
    assert_eq!(code("[]"), (-32_600, Value::Null));
    assert_eq!(code("1"), (-32_600, Value::Null));
    assert_eq!(
        code(r#"{"jsonrpc":"2.0","id":4,"method":1}"#),
        (-32_600, json!(4))
    );
    assert_eq!(
        code(r#"{"id":"a","method":"Status"}"#),
        (-32_600, json!("a"))
    );
    assert_eq!(
        code(r#"{"jsonrpc":"2.0","id":1,"method":"Status","params":3}"#),
        (-32_600, json!(1))
    );
    assert_eq!(
        code(r#"{"jsonrpc":"2.0","id":[],"method":"Status"}"#),
        (-32_600, Value::Null)
    );
    assert_eq!(
        code(r#"{"jsonrpc":"2.0","id":2,"id":3,"method":"Status"}"#),
        (-32_600, Value::Null)
    );
    for id in ["18446744073709551616", "-1", "1.5", "\"a\\u0022\"", "null"] {
        let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"Nothing"}}"#);
        let Message::Request {
            id: read,
            method,
            params,
        } = request(&text)
        else {
            panic!("{id}");
        };
        let reply = tool_call(&method, params, is_tool)
            .unwrap_err()
            .reply(&read);
        assert!(reply.contains(&format!("\"id\":{id},")), "{reply}");
    }
    assert!(matches!(
        request(r#"{"jsonrpc":"2.0","method":"Status"}"#),
        Message::Notification { .. }
    ));
    // What answers a request of ours wants no answer.
    for (answer, is_refused) in [
        (r#"{"jsonrpc":"2.0","id":3,"result":null}"#, false),
        (
            r#"{"jsonrpc":"2.0","id":"a","error":{"code":1,"message":"No."}}"#,
            true,
        ),
    ] {
        let Message::Reply { is_error, .. } = request(answer) else {
            panic!("{answer}");
        };
        assert_eq!(is_error, is_refused);
    }
    let neither = request(r#"{"jsonrpc":"2.0","id":3,"result":1,"error":{}}"#);
    assert!(matches!(neither, Message::Wrong(_)));
    let Incoming::Batch(all) = incoming(br#"[1,{"jsonrpc":"2.0","id":1,"method":"Status"}]"#)
    else {
        panic!("it is a batch");
    };
    assert!(matches!(all[0], Message::Wrong(_)));
    assert!(matches!(all[1], Message::Request { .. }));
}
