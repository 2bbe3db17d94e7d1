//! What `codecortex serve` makes of peers that do not behave, and of many requests at once (SPEC RPC1).

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::support::{Place, Run, Talk};

const ARGS: [&str; 4] = ["serve", "--stdio", "--root", "."];

fn place() -> Place {
    let place = Place::new();
    place.write(
        "shop.py",
        "class Shop:\n    def open(self, day):\n        return day\n\n\ndef visit(shop: Shop):\n    return shop.open(1)\n",
    );
    place
}

/// Everything that is answered to these bytes, a message a line.
fn answered(place: &Place, bytes: &[u8]) -> Vec<Value> {
    let run = place.run_with(&ARGS, bytes);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    heard(&run)
}

/// The replies of a run, without notices.
fn heard(run: &Run) -> Vec<Value> {
    let lines = run.stdout.lines();
    let all = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
    all.filter(|heard| heard["method"].is_null()).collect()
}

#[test]
fn a_broken_request_is_answered_under_its_id() {
    let place = place();
    for (members, code) in [
        (r#""method":"Status""#, -32600),
        (r#""jsonrpc":"1.0","method":"Status""#, -32600),
        (r#""jsonrpc":2,"method":"Status""#, -32600),
        (r#""jsonrpc":null,"method":"Nothing""#, -32600),
        (r#""jsonrpc":"2.0""#, -32600),
        (r#""jsonrpc":"2.0","method":["Status"]"#, -32600),
        (r#""jsonrpc":"2.0","method":"Status","params":5"#, -32600),
        (r#""jsonrpc":"2.0","method":"Status","params":"x""#, -32600),
        (r#""jsonrpc":"2.0","method":"Status","params":[1]"#, -32602),
        (r#""jsonrpc":"2.0","method":"status""#, -32601),
        (r#""jsonrpc":"2.0","method":"codecortex_nothing""#, -32601),
        (
            r#""jsonrpc":"2.0","method":"SearchSymbols","params":{"limit":"many"}"#,
            -32602,
        ),
    ] {
        let ids = [
            "7",
            "\"a\\\"b\"",
            "-1",
            "1.5",
            "18446744073709551616",
            "null",
        ];
        let lines: String = ids
            .iter()
            .map(|id| format!("{{\"id\":{id},{members}}}\n"))
            .collect();
        let run = place.run_with(&ARGS, lines.as_bytes());
        let replies = heard(&run);
        assert_eq!(replies.len(), ids.len(), "{members}");
        for id in ids {
            let is_there = run.stdout.lines().any(|line| {
                let start = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":");
                line.starts_with(&start) && line.contains(&format!("\"code\":{code}"))
            });
            assert!(is_there, "{members} {id} {}", run.stdout);
        }
        for reply in replies {
            let said = reply["error"]["message"].as_str().unwrap();
            assert!(said.ends_with('.'), "{said}");
        }
    }
}

/// Ten thousand messages that are damaged in some way: each gets one reply, and the next good one is answered.
#[test]
fn damaged_messages_get_a_reply_each() {
    let place = place();
    let good = r#"{"jsonrpc":"2.0","id":1,"method":"ResolveSymbol","params":["Shop"]}"#;
    let mut lines = String::new();
    let mut count = 0;
    let mut random = 7_u32;
    while count < 10_000 {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let at = (random >> 8) as usize % good.len();
        let damaged = match random >> 30 {
            0 => format!("{}{}", &good[..at], &good[at + 1..]),
            1 => good[..at].to_owned(),
            2 => format!("{}\\{}", &good[..at], &good[at..]),
            _ => format!("{}[{}", &good[..at], &good[at..]),
        };
        // A message that is still good is a request like others, and a member without its name may be none of ours.
        let is_request = serde_json::from_str::<Value>(&damaged).is_ok();
        if damaged.trim().is_empty() || is_request {
            continue;
        }
        lines.push_str(&damaged);
        lines.push('\n');
        count += 1;
    }
    writeln!(lines, "{good}").unwrap();
    let replies = answered(&place, lines.as_bytes());
    assert_eq!(replies.len(), count + 1);
    let (wrong, right): (Vec<&Value>, Vec<&Value>) =
        replies.iter().partition(|reply| reply["id"].is_null());
    assert!(wrong.iter().all(|reply| reply["error"]["code"] == -32700));
    assert_eq!(right.len(), 1);
    assert_eq!(right[0]["result"]["resolved"]["path"], "shop.Shop");
}

#[test]
fn requests_that_come_at_once_are_all_answered_before_the_end() {
    let place = place();
    let mut lines = String::new();
    for id in 0..300 {
        let method = ["ResolveSymbol", "GetOutline", "FindUsages"][id % 3];
        let request =
            json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": ["Shop.open"] });
        writeln!(lines, "{request}").unwrap();
    }
    let replies = answered(&place, lines.as_bytes());
    let ids: BTreeSet<u64> = replies
        .iter()
        .map(|reply| reply["id"].as_u64().unwrap())
        .collect();
    assert_eq!((ids.len(), replies.len()), (300, 300));
    assert!(replies.iter().all(|reply| reply["result"].is_object()));
}

#[test]
fn a_last_message_needs_no_line_end_and_blank_lines_are_nothing() {
    let place = place();
    let bytes = b"\n  \r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ListPacks\"}";
    let replies = answered(&place, bytes);
    assert_eq!(replies.len(), 1);
    assert_eq!(replies[0]["result"]["packs"], json!([]));
}

#[test]
fn notifications_are_never_answered() {
    let place = place();
    let lines = [
        r#"{"jsonrpc":"2.0","method":"Status"}"#,
        r#"{"jsonrpc":"2.0","method":"Nothing","params":[1]}"#,
        r#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":99}}"#,
        r#"[{"jsonrpc":"2.0","method":"Status"},{"jsonrpc":"2.0","method":"Nothing"}]"#,
        r#"{"jsonrpc":"2.0","id":5,"method":"ResolveSymbol","params":{"path":"Shop"}}"#,
    ];
    let replies = answered(&place, (lines.join("\n") + "\n").as_bytes());
    assert_eq!(replies.len(), 1, "{replies:?}");
    assert_eq!(replies[0]["id"], 5);
}

#[test]
fn a_header_without_a_length_ends_the_session() {
    let place = place();
    let run = place.run_with(&ARGS, b"Content-Type: json\r\n\r\n{}");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.starts_with("Content-Length: "), "{}", run.stdout);
    assert!(run.stdout.contains("`Content-Length`"), "{}", run.stdout);
}

#[test]
fn a_peer_is_named_on_the_command_line() {
    let place = place();
    for args in [
        &["serve", "--root", "."][..],
        &["serve", "--stdio", "--pipe", "x", "--root", "."],
    ] {
        let run = place.run(args);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stdout.is_empty());
    }
}

/// The tools give the same through this door as through a batch.
#[test]
fn a_tool_answers_as_it_does_in_a_batch() {
    let place = place();
    let calls = [
        ("codecortex_getOutline", json!({ "symbol": "Shop" })),
        (
            "codecortex_findReferences",
            json!({ "symbol": "Shop.open" }),
        ),
        ("codecortex_getTypeMembers", json!({ "name": "Shop" })),
        ("codecortex_getClassHierarchy", json!({ "name": "Shop" })),
        ("codecortex_hashes", json!({ "symbol": "Shop.open" })),
        ("codecortex_searchApi", json!({ "labelQuery": "open" })),
        (
            "codecortex_resolveSymbolAtPosition",
            json!({ "filePath": "shop.py", "position": { "line": 7, "character": 18 } }),
        ),
        ("codecortex_getOutline", json!({ "symbol": "Shap" })),
        ("codecortex_getOutline", json!({ "symbol": 3 })),
    ];
    let (mut batch, mut serve) = (String::new(), String::new());
    for (id, (tool, args)) in calls.iter().enumerate() {
        let line = json!({ "id": id, "tool": tool, "args": args });
        writeln!(batch, "{line}").unwrap();
        let line = json!({ "jsonrpc": "2.0", "id": id, "method": tool, "params": args });
        writeln!(serve, "{line}").unwrap();
    }
    let mut expected = place.batch(&batch);
    let mut replies = answered(&place, serve.as_bytes());
    replies.sort_by_key(|reply| reply["id"].as_u64());
    assert_eq!(replies.len(), expected.len());
    for (reply, expected) in replies.iter_mut().zip(&mut expected) {
        let (result, data) = (reply["result"].take(), expected["result"]["data"].take());
        let of = |mut value: Value| {
            // What an answer costs depends on its form; the revision on how often the disk was looked at.
            for name in ["budget", "index"] {
                value.as_object_mut().map(|value| value.remove(name));
            }
            value
        };
        assert_eq!(of(result), of(data), "{}", expected["id"]);
        let error = &expected["result"]["error"];
        assert_eq!(reply["error"]["message"], error["message"]);
        assert_eq!(reply["error"]["data"]["code"], error["code"]);
        assert_eq!(reply["error"]["data"]["hint"], error["hint"]);
    }
}

/// A peer that goes away in the middle of a message leaves the others and the socket alone.
#[cfg(unix)]
#[test]
fn a_peer_that_leaves_does_not_disturb_the_others() {
    use std::io::{BufRead, BufReader, Write};
    use std::os::unix::net::UnixStream;

    let place = place();
    let socket = place.path().join("peers.sock");
    let args = ["serve", "--pipe", socket.to_str().unwrap(), "--root", "."];
    let server: Talk = place.talk(&args);
    let connect = || loop {
        match UnixStream::connect(&socket) {
            Ok(stream) => return stream,
            Err(_) => std::thread::yield_now(),
        }
    };
    for bytes in [
        b"".as_slice(),
        b"{\"jsonrpc\":\"2.0\",\"id\":1,",
        b"Content-Length: 400\r\n\r\n{",
        b"\xff\xfe\n",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ResolveSymbol\",\"params\":[\"Shop\"]}\n",
    ] {
        let mut leaving = connect();
        leaving.write_all(bytes).unwrap();
        drop(leaving);
        let mut staying = connect();
        let request = r#"{"jsonrpc":"2.0","id":2,"method":"FindUsages","params":["Shop.open"]}"#;
        writeln!(staying, "{request}").unwrap();
        let replies = BufReader::new(&staying).lines().map_while(Result::ok);
        let mut replies = replies.map(|line| serde_json::from_str::<Value>(&line).unwrap());
        let reply = replies.find(|heard| heard["id"] == 2).unwrap();
        assert_eq!(
            reply["result"]["usages"].as_array().unwrap().len(),
            1,
            "{reply}"
        );
    }
    assert!(socket.exists());
    drop(server);
}
