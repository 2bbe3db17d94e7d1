//! What the server makes of messages that are not as they should be (JSON-RPC 2.0, SPEC TC5, RPC1).

use serde_json::{Value, json};

use crate::client::{Client, hello};
use crate::support::Place;

const TODAY: &str = "2025-06-18";

/// The answer to a line, as its id and its code.
fn refused(client: &mut Client, line: &str) -> (Value, Value) {
    client.write(format!("{line}\n").as_bytes());
    let answer = client.hear();
    assert_eq!(answer["jsonrpc"], "2.0");
    let error = &answer["error"];
    let said = error["message"].as_str().unwrap();
    assert!(said.ends_with('.') && !said.contains("io.model"), "{said}");
    (answer["id"].clone(), error["code"].clone())
}

/// Fault 370: shells of Windows write one into a pipe.
#[test]
fn a_byte_order_mark_before_the_first_message_is_skipped() {
    let place = Place::new();
    let mut client = Client::start(&place);
    client.write(format!("\u{feff}{}\n", hello(json!(1), TODAY)).as_bytes());
    let answer = client.hear();
    assert_eq!(
        (&answer["id"], &answer["result"]["protocolVersion"]),
        (&json!(1), &json!(TODAY))
    );
}

#[test]
fn a_broken_request_is_answered_under_its_id() {
    let place = Place::new();
    let mut client = Client::greet(&place, TODAY);
    let call = r#""jsonrpc":"2.0","method":"tools/call""#;
    for (members, code) in [
        (r#""method":"ping""#.to_owned(), -32600),
        (r#""jsonrpc":"1.0","method":"ping""#.to_owned(), -32600),
        (r#""jsonrpc":2,"method":"tools/list""#.to_owned(), -32600),
        (r#""jsonrpc":null,"method":"no/such""#.to_owned(), -32600),
        (r#""jsonrpc":"2.0""#.to_owned(), -32600),
        (r#""jsonrpc":"2.0","method":["ping"]"#.to_owned(), -32600),
        (format!("{call},\"result\":{{}}"), -32600),
        (format!("{call},\"error\":{{\"code\":1}}"), -32600),
        (format!("{call},\"jsonrpc\":\"2.0\""), -32600),
        (format!("{call},\"params\":[]"), -32602),
        (format!("{call},\"params\":\"name\""), -32602),
        (format!("{call},\"params\":5"), -32602),
        (
            format!("{call},\"params\":{{\"name\":\"codecortex_status\",\"_meta\":5}}"),
            -32602,
        ),
        (format!("{call},\"params\":{{\"name\":5}}"), -32602),
        (format!("{call},\"params\":{{\"x\":\"\\ud83d\"}}"), -32700),
        (format!("{call},\"params\":{}", "[".repeat(100_000)), -32700),
    ] {
        for id in [json!(7), json!("a\"b")] {
            let line = format!("{{\"id\":{id},{members}}}");
            assert_eq!(refused(&mut client, &line), (id, json!(code)), "{members}");
        }
    }
    let fraction = r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#;
    assert_eq!(refused(&mut client, fraction), (json!(1.5), json!(-32600)));
    for id in ["null", "true", "[1]"] {
        let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        assert_eq!(refused(&mut client, &line), (Value::Null, json!(-32600)));
    }
    // A whole number is an id however large it is, and stays as it was written.
    for id in ["9223372036854775808", "18446744073709551616", "-1"] {
        let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        client.write(format!("{line}\n").as_bytes());
        let number: Value = serde_json::from_str(id).unwrap();
        assert_eq!(
            client.hear(),
            json!({ "jsonrpc": "2.0", "id": number, "result": {} })
        );
    }
    client.check_alive();
}

#[test]
fn nothing_is_said_to_what_nobody_waits_for() {
    let place = Place::new();
    let mut client = Client::greet(&place, TODAY);
    for line in [
        r#"{"method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"x":"\ud83d"}}"#,
        r#"{"jsonrpc":"2.0","method":"tools/list","params":5}"#,
        r#"{"jsonrpc":"2.0","method":"initialize"}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"{"id":1,"error":{}}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"#,
        "",
        " \r",
    ] {
        client.write(format!("{line}\n").as_bytes());
        client.check_alive();
    }
}

#[test]
fn two_requests_of_one_id_get_an_answer_each() {
    let place = Place::new();
    place.write("a.py", "class Basket:\n    pass\n");
    let mut client = Client::greet(&place, TODAY);
    let call = |tool: &str| json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool, "arguments": {} } });
    let lines = format!(
        "{}\n{}\n",
        call("codecortex_status"),
        call("codecortex_changes")
    );
    client.write(lines.as_bytes());
    let answers = [client.hear(), client.hear()];
    assert!(answers.iter().all(|answer| answer["id"] == 1));
    assert_ne!(answers[0]["result"], answers[1]["result"]);
    client.check_alive();
}

#[test]
fn a_batch_is_answered_as_one_where_the_protocol_has_batches() {
    let place = Place::new();
    place.write("a.py", "class Basket:\n    pass\n");
    let mut client = Client::greet(&place, "2025-03-26");
    let request = |id: Value, method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    let search = json!({ "name": "codecortex_searchApi", "arguments": { "labelQuery": "Basket" } });
    client.say(&json!([
        request(json!(1), "tools/call", search),
        { "jsonrpc": "2.0", "method": "notifications/initialized" },
        request(json!("two"), "ping", json!({})),
        request(json!(3), "ping", json!([])),
        hello(json!(4), TODAY),
        7,
        { "jsonrpc": "2.0", "id": 5, "result": {} },
    ]));
    let answers = client.hear();
    let of = |id: Value| {
        let mut found = answers
            .as_array()
            .unwrap()
            .iter()
            .filter(|answer| answer["id"] == id);
        let answer = found.next().unwrap().clone();
        assert!(found.next().is_none());
        answer
    };
    assert_eq!(answers.as_array().unwrap().len(), 5, "{answers}");
    assert_eq!(
        of(json!(1))["result"]["structuredContent"]["data"]["total"],
        1
    );
    assert!(of(json!("two"))["result"].is_object());
    assert_eq!(of(json!(3))["error"]["code"], -32602);
    assert_eq!(of(json!(4))["error"]["code"], -32600);
    assert_eq!(of(Value::Null)["error"]["code"], -32600);
    // Nobody waits for these.
    client.say(&json!([{ "jsonrpc": "2.0", "method": "notifications/initialized" }]));
    client.check_alive();
    let many = json!(vec![1; 1001]).to_string();
    for line in ["[]", many.as_str(), "[{\"id\":1},"] {
        let (id, code) = refused(&mut client, line);
        let expected = if line.ends_with(',') { -32700 } else { -32600 };
        assert_eq!((id, code), (Value::Null, json!(expected)));
    }
    client.check_alive();
}

/// What was agreed on before batches were named is JSON-RPC 2.0, which has them.
#[test]
fn the_oldest_protocol_has_batches_too() {
    let place = Place::new();
    let mut client = Client::greet(&place, "2024-11-05");
    client.say(&json!([
        { "jsonrpc": "2.0", "id": 3, "method": "ping" },
        { "jsonrpc": "2.0", "id": 4, "method": "ping" },
    ]));
    let answers = client.hear();
    let ids: Vec<&Value> = answers
        .as_array()
        .unwrap()
        .iter()
        .map(|of| &of["id"])
        .collect();
    assert_eq!(ids, [&json!(3), &json!(4)]);
    client.check_alive();
}

#[test]
fn a_batch_is_refused_once_where_the_protocol_has_none() {
    let place = Place::new();
    let ping = json!([{ "jsonrpc": "2.0", "id": 1, "method": "ping" }, 7]).to_string();
    for version in [TODAY, "2025-11-25"] {
        let mut client = Client::greet(&place, version);
        assert_eq!(refused(&mut client, &ping), (Value::Null, json!(-32600)));
        client.check_alive();
    }
    let mut stranger = Client::start(&place);
    assert_eq!(refused(&mut stranger, &ping), (Value::Null, json!(-32600)));
}

#[test]
fn a_client_may_begin_anew_after_whatever_it_said_first() {
    let place = Place::new();
    let mut client = Client::start(&place);
    let mut notice = hello(json!(0), TODAY);
    notice.as_object_mut().unwrap().remove("id");
    client.say(&notice);
    client.say(&json!({ "jsonrpc": "2.0", "id": 1, "result": {} }));
    client.say(&json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": 1, "message": "x" } }));
    client.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    client.check_alive();
    let early = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;
    assert_eq!(refused(&mut client, early), (json!(2), json!(-32600)));
    for params in [
        json!({}),
        json!([]),
        json!({ "protocolVersion": 1 }),
        json!({
            "protocolVersion": TODAY, "capabilities": {}, "clientInfo": { "name": "test" },
        }),
    ] {
        let mut wrong = hello(json!(3), TODAY);
        wrong["params"] = params;
        let answer = refused(&mut client, &wrong.to_string());
        assert_eq!(answer, (json!(3), json!(-32602)));
        client.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    }
    client.say(&hello(json!(4), TODAY));
    let answer = client.hear();
    assert_eq!(
        (&answer["id"], &answer["result"]["protocolVersion"]),
        (&json!(4), &json!(TODAY))
    );
    client.say(&hello(json!(5), "2026-07-28"));
    assert_eq!(client.hear()["id"], 5);
    client.check_alive();
}

#[test]
fn parameters_that_are_wrong_are_told_in_words() {
    let place = Place::new();
    let mut client = Client::greet(&place, TODAY);
    let cases = [
        ("resources/read", json!({}), "params.uri"),
        ("resources/read", json!({ "uri": 5 }), "params.uri"),
        ("resources/subscribe", json!({}), "params.uri"),
        (
            "resources/unsubscribe",
            json!({ "uri": null }),
            "params.uri",
        ),
        ("prompts/get", json!({}), "params.name"),
        (
            "prompts/get",
            json!({ "name": "live_context", "arguments": [] }),
            "params.arguments",
        ),
        ("tools/call", json!({}), "params.name"),
        ("tools/list", json!({ "cursor": 5 }), "params.cursor"),
    ];
    for (method, params, word) in cases {
        for params in [Some(&params), None] {
            // Without any, only what is needed is missed.
            if params.is_none() && (word.ends_with("cursor") || word.ends_with("arguments")) {
                continue;
            }
            let mut request = json!({ "jsonrpc": "2.0", "id": 1, "method": method });
            if let Some(params) = params {
                request["params"] = params.clone();
            }
            client.say(&request);
            let answer = client.hear();
            assert_eq!(answer["error"]["code"], -32602, "{request}");
            let said = answer["error"]["message"].as_str().unwrap();
            assert!(said.contains(word), "{request}: {said}");
        }
    }
    client.say(&json!({ "jsonrpc": "2.0", "id": 1, "method": "no/such" }));
    let answer = client.hear();
    assert_eq!(answer["error"]["code"], -32601);
    assert_eq!(answer["error"]["message"], "There is no method `no/such`.");
}

#[test]
fn a_long_line_is_answered_and_a_longer_one_refused() {
    let place = Place::new();
    let mut client = Client::greet(&place, TODAY);
    let line = |length: usize| {
        let frame = r#"{"method":"ping","params":{"s":""},"jsonrpc":"2.0","id":"end"}"#;
        let padding = "x".repeat(length - frame.len());
        frame.replacen("\"s\":\"", &format!("\"s\":\"{padding}"), 1)
    };
    let most = 16 << 20;
    client.write(format!("{}\n", line(most)).as_bytes());
    assert_eq!(
        client.hear(),
        json!({ "jsonrpc": "2.0", "id": "end", "result": {} })
    );
    let (id, code) = refused(&mut client, &line(most + 1));
    assert_eq!((id, code), (json!("end"), json!(-32600)));
    client.check_alive();
}

#[cfg(target_os = "linux")]
#[test]
fn a_line_without_an_end_takes_no_memory_without_one() {
    let place = Place::new();
    let mut client = Client::greet(&place, TODAY);
    client.check_alive();
    let (_, before) = client.memory();
    client.write(br#"{"jsonrpc":"2.0","id":7,"method":"ping","params":{"s":""#);
    let chunk = vec![b'x'; 1 << 20];
    for _ in 0..160 {
        client.write(&chunk);
    }
    let (most, _) = client.memory();
    assert!(most < before + (80 << 20), "{before} {most}");
    let (id, code) = refused(&mut client, "\"}}");
    assert_eq!((id, code), (json!(7), json!(-32600)));
    client.check_alive();
    let (_, after) = client.memory();
    assert!(after < before + (24 << 20), "{before} {after}");
}
