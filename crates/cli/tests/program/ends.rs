//! How an MCP session ends: what was read is answered, and the exit code is 0 (SPEC RPC1).

#[cfg(unix)]
use std::io::Write;

use serde_json::{Value, json};

use crate::client::Client;
use crate::support::Place;

/// So many files that the index is not there when the first call is.
fn large() -> Place {
    let place = Place::new();
    let body: String = (0..400)
        .map(|n| format!("def function_{n}(x):\n    return [y * {n} for y in x if y > {n}]\n"))
        .collect();
    for file in 0..12 {
        place.write(&format!("part{}/file{file}.py", file % 10), &body);
    }
    place
}

/// Requests of all kinds, their ids 0, 1, 2 and so on.
fn ask_all(client: &mut Client) -> usize {
    let call = |name: &str, args: Value| json!({ "name": name, "arguments": args });
    let asked = [
        ("tools/call", call("codecortex_status", json!({}))),
        (
            "tools/call",
            call(
                "codecortex_searchApi",
                json!({ "labelQuery": "function_1" }),
            ),
        ),
        ("tools/list", json!({})),
        ("prompts/list", json!({})),
        ("resources/list", json!({})),
        (
            "tools/call",
            call(
                "codecortex_getOutline",
                json!({ "filePath": "part0/file0.py" }),
            ),
        ),
    ];
    for (id, (method, params)) in asked.iter().enumerate() {
        client.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
    }
    asked.len()
}

/// Every request has one answer, and it is a result.
fn check_answers(client: &mut Client, asked: usize) {
    let mut answers = client.hear_all();
    answers.retain(|answer| answer.get("method").is_none());
    let mut ids: Vec<u64> = answers
        .iter()
        .filter_map(|answer| answer["id"].as_u64())
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..asked as u64).collect::<Vec<_>>());
    for answer in answers {
        assert!(answer.get("error").is_none(), "{answer}");
        assert_ne!(answer["result"]["isError"], true, "{answer}");
    }
    assert_eq!(client.code(), Some(0));
}

#[test]
fn what_was_asked_is_answered_when_stdin_is_closed_at_once() {
    let place = large();
    let mut client = Client::greet(&place, "2025-06-18");
    let asked = ask_all(&mut client);
    client.close_stdin();
    check_answers(&mut client, asked);
}

#[cfg(unix)]
#[test]
fn what_was_asked_is_answered_when_the_server_is_told_to_stop() {
    for signal in ["TERM", "INT"] {
        let place = large();
        let mut client = Client::greet(&place, "2025-06-18");
        let asked = ask_all(&mut client);
        client.signal(signal);
        check_answers(&mut client, asked);
    }
}

#[cfg(unix)]
#[test]
fn a_server_with_nothing_to_do_ends_at_a_signal() {
    for signal in ["TERM", "INT"] {
        let place = Place::new();
        let mut client = Client::greet(&place, "2025-06-18");
        client.check_alive();
        client.signal(signal);
        assert_eq!(client.hear_all(), Vec::<Value>::new());
        assert_eq!(client.code(), Some(0));
    }
}

/// A client that does not stop to write cannot keep it.
#[cfg(unix)]
#[test]
fn a_signal_ends_a_session_whose_client_goes_on_writing() {
    for line in [
        &b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"[..],
        b"endless ",
    ] {
        let place = Place::new();
        let mut client = Client::greet(&place, "2025-06-18");
        client.check_alive();
        let mut stdin = client.take_stdin();
        // It ends when the server does: nobody reads any more then.
        let writer = std::thread::spawn(move || while stdin.write_all(line).is_ok() {});
        client.signal("TERM");
        client.hear_all();
        assert_eq!(client.code(), Some(0));
        writer.join().unwrap();
    }
}

/// Before the handshake too.
#[cfg(unix)]
#[test]
fn a_server_that_nobody_has_greeted_ends_at_a_signal() {
    let place = Place::new();
    let mut client = Client::start(&place);
    client.check_alive();
    client.signal("TERM");
    assert_eq!(client.code(), Some(0));
}

#[cfg(unix)]
#[test]
fn a_client_that_closes_stdout_alone_ends_the_server() {
    let place = Place::new();
    for says_something in [false, true] {
        let mut client = Client::start(&place);
        if says_something {
            client.say(&json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }));
        }
        client.close_stdout();
        assert_eq!(client.code(), Some(0));
    }
}
