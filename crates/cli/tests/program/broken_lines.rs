//! Ten thousand lines of which most are broken: each request whose id can be read has one answer, and the server goes on
//! (JSON-RPC 2.0, SPEC TC5). `CODECORTEX_LINES` says how many.

use std::collections::BTreeMap;
use std::io::Write;

use serde_json::{Value, json};

use crate::client::{Client, hello};
use crate::support::Place;

/// Lines that are sent, unless said otherwise.
const LINES: usize = 10_000;

/// Numbers that look like chance, the same for the same seed (SplitMix64).
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() % most.max(1) as u64) as usize
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// A valid message.
fn message(chance: &mut Chance, number: usize) -> Value {
    let call = |name: &str, arguments: Value| json!({ "name": name, "arguments": arguments });
    let requests = [
        ("ping", json!({})),
        ("ping", json!({ "_meta": { "progressToken": "t" } })),
        (
            "tools/call",
            call(
                "codecortex_searchApi",
                json!({ "labelQuery": "Basket", "limit": 3 }),
            ),
        ),
        (
            "tools/call",
            call("codecortex_status", json!({ "maxTokens": 60 })),
        ),
        (
            "tools/call",
            call("codecortex_getOutline", json!({ "filePath": "a.py" })),
        ),
        (
            "resources/read",
            json!({ "uri": "codecortex://outline/Basket" }),
        ),
        ("resources/templates/list", json!({})),
        ("prompts/list", json!({ "cursor": null })),
        (
            "prompts/get",
            json!({ "name": "live_context", "arguments": { "maxTokens": "700" } }),
        ),
        ("no/such/method", json!({ "id": 5, "method": "ping" })),
        (
            "initialize",
            hello(json!(0), "2025-06-18")["params"].clone(),
        ),
    ];
    let (method, params) = chance.one(&requests).clone();
    let id = match chance.below(6) {
        0 => json!(format!("id {number} \"é\"")),
        1 => json!(-(number as i64)),
        2 => json!(u64::MAX - number as u64),
        _ => json!(number),
    };
    match chance.below(12) {
        0 => {
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": "nobody" } })
        }
        1 => {
            json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": { "progressToken": 1, "progress": 1 } })
        }
        2 => json!({ "jsonrpc": "2.0", "id": id, "result": {} }),
        3 => json!({ "jsonrpc": "2.0", "id": id, "error": { "code": 1, "message": "no" } }),
        // As the SDKs in TypeScript write it: the id is last.
        4 | 5 => json!({ "method": method, "params": params, "jsonrpc": "2.0", "id": id }),
        6 => json!([{ "jsonrpc": "2.0", "id": id, "method": method }]),
        _ => json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }),
    }
}

/// Something else in the place of a member's value, or another member.
fn change_members(chance: &mut Chance, message: &mut Value) {
    let Some(members) = message.as_object_mut() else {
        return;
    };
    let values = [
        json!(null),
        json!(1.5),
        json!(true),
        json!([]),
        json!({}),
        json!("2.0"),
        json!(7),
        json!(["ping"]),
        json!({ "_meta": 5 }),
        json!({ "uri": 5 }),
        json!(""),
    ];
    let names = [
        "jsonrpc", "id", "method", "params", "result", "error", "other",
    ];
    let name = *chance.one(&names);
    match chance.below(3) {
        0 => drop(members.remove(name)),
        _ => drop(members.insert(name.to_owned(), chance.one(&values).clone())),
    }
}

/// What a wire may do to a line.
fn change_bytes(chance: &mut Chance, line: &mut Vec<u8>) {
    let at = chance.below(line.len() + 1);
    let pieces: [&[u8]; 12] = [
        b"\"", b"{", b"}", b"[", b"]", b",", b":", b"\\", b"\\ud83d", b"\xff", b"1e5", b" ",
    ];
    match chance.below(8) {
        0 => line.truncate(at),
        1 => drop(line.drain(..at)),
        2 if at < line.len() => line[at] = (chance.next() % 256) as u8,
        3 => drop(line.splice(at..at, chance.one(&pieces).iter().copied())),
        // The first member once more.
        4 => {
            let end = line.iter().position(|byte| *byte == b',').unwrap_or(0);
            let first = line.get(1..=end).unwrap_or_default().to_vec();
            let at = 1.min(line.len());
            line.splice(at..at, first);
        }
        5 => {
            let depth = chance.below(400);
            let nested = ["[".repeat(depth), "]".repeat(depth)].concat();
            let member = format!("\"deep\":{nested},");
            let at = 1.min(line.len());
            line.splice(at..at, member.into_bytes());
        }
        6 => {
            let to = (at + chance.below(20)).min(line.len());
            line.drain(at..to);
        }
        _ => {
            let other = chance.below(line.len() + 1);
            line.rotate_left(other);
        }
    }
    line.retain(|byte| *byte != b'\n');
}

fn line(chance: &mut Chance, number: usize) -> Vec<u8> {
    let mut message = message(chance, number);
    let changes = chance.below(4);
    if changes == 1 {
        change_members(chance, &mut message);
    }
    let mut line = message.to_string().into_bytes();
    if changes >= 2 {
        for _ in 0..=chance.below(3) {
            change_bytes(chance, &mut line);
        }
    }
    line
}

/// What is expected in answer to a line.
#[derive(Debug, PartialEq)]
enum Expected {
    /// An answer under this id.
    Under(Value),
    Nothing,
}

/// The members of the first object of a line, as far as it goes, with their values where they are strings or numbers: not
/// by what the server reads lines with.
fn members(line: &[u8]) -> (Vec<(String, Option<Value>)>, bool) {
    let (mut found, mut is_whole) = (Vec::new(), false);
    let mut at = 0;
    // The tokens of the line, each with the depth that it stands at.
    let mut tokens: Vec<(usize, &[u8])> = Vec::new();
    let mut depth = 0usize;
    while at < line.len() {
        let from = at;
        match line[at] {
            b'"' => {
                at += 1;
                while at < line.len() && line[at] != b'"' {
                    at += if line[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(line.len() + 1);
                if at > line.len() {
                    tokens.push((depth, b"cut"));
                    break;
                }
                tokens.push((depth, &line[from..at]));
                continue;
            }
            b'{' | b'[' => {
                tokens.push((depth, &line[at..=at]));
                depth += 1;
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                tokens.push((depth, &line[at..=at]));
                if depth == 0 {
                    is_whole = true;
                    break;
                }
            }
            b',' | b':' => tokens.push((depth, &line[at..=at])),
            byte if byte.is_ascii_whitespace() => {}
            _ => {
                let is_part =
                    |byte: &u8| !byte.is_ascii_whitespace() && !b"\"{}[],:".contains(byte);
                at += line[at..].iter().take_while(|byte| is_part(byte)).count();
                let word = if at == line.len() {
                    b"cut".as_slice()
                } else {
                    &line[from..at]
                };
                tokens.push((depth, word));
                continue;
            }
        }
        at += 1;
    }
    // Between two commas stands a member: a name, a colon, a value; what else is there is no part of it.
    let top: Vec<&[u8]> = tokens
        .iter()
        .filter(|(depth, _)| *depth == 1)
        .map(|(_, token)| *token)
        .collect();
    for member in top.split(|token| *token == b",") {
        let is_colon = |token: &&&[u8]| **token == b":";
        let mut rest = member.iter().skip_while(is_colon);
        let Some(name) = rest.next() else { continue };
        let mut rest = rest
            .skip_while(|token| !is_colon(token))
            .skip_while(is_colon);
        let Some(value) = rest.next() else { continue };
        let name: String = serde_json::from_slice(name).unwrap_or_default();
        let value = serde_json::from_slice(value).ok();
        let value = value.filter(|value: &Value| value.is_string() || value.is_number());
        found.push((name, value));
    }
    (found, is_whole)
}

fn expected(line: &[u8]) -> Expected {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Expected::Nothing;
    }
    let last = |members: &[(String, Option<Value>)], name: &str| {
        let found = members.iter().rev().find(|(member, _)| member == name);
        found.map(|(_, value)| value.clone())
    };
    if !line.trim_ascii_start().starts_with(b"{") {
        return Expected::Under(Value::Null);
    }
    let (members, is_whole) = members(line);
    let id = last(&members, "id");
    let method = last(&members, "method").flatten();
    let method = method.as_ref().and_then(Value::as_str);
    let has_outcome = ["result", "error"]
        .iter()
        .any(|name| last(&members, name).is_some());
    match (method, id) {
        (Some(_), Some(id)) => Expected::Under(id.unwrap_or_default()),
        (Some(method), None) => match is_whole || method.starts_with("notifications/") {
            true => Expected::Nothing,
            false => Expected::Under(Value::Null),
        },
        (None, _) if has_outcome => Expected::Nothing,
        (None, id) => Expected::Under(id.flatten().unwrap_or_default()),
    }
}

#[test]
fn the_oracle_knows_what_is_to_be_answered() {
    for (line, answer) in [
        (r#"{"id":7,"method":"x"}"#, Expected::Under(json!(7))),
        (
            r#"{"id":7,"method":"x","params":["#,
            Expected::Under(json!(7)),
        ),
        (
            r#"{"id":1,"id":"b","method":"x""#,
            Expected::Under(json!("b")),
        ),
        (
            r#"{"id":{"a":1},"method":"x"}"#,
            Expected::Under(Value::Null),
        ),
        (r#"{"method":"x","id":1"#, Expected::Under(Value::Null)),
        (r#"{"method":"x"}"#, Expected::Nothing),
        (r#"{"id":1,"result":{"id":2}}"#, Expected::Nothing),
        ("[1]", Expected::Under(Value::Null)),
        ("nonsense", Expected::Under(Value::Null)),
        ("", Expected::Nothing),
    ] {
        assert_eq!(expected(line.as_bytes()), answer, "{line}");
    }
}

#[test]
fn every_line_that_somebody_waits_for_has_one_answer() {
    let lines = std::env::var("CODECORTEX_LINES").ok();
    let lines = lines.and_then(|count| count.parse().ok()).unwrap_or(LINES);
    let place = Place::new();
    place.write("a.py", "class Basket:\n    def add(self):\n        pass\n");
    let mut client = Client::greet(&place, "2025-06-18");
    let mut chance = Chance(2026);
    let lines: Vec<Vec<u8>> = (0..lines).map(|number| line(&mut chance, number)).collect();
    let mut missing: BTreeMap<String, i64> = BTreeMap::new();
    for line in &lines {
        if let Expected::Under(id) = expected(line) {
            *missing.entry(id.to_string()).or_default() += 1;
        }
    }
    let mut stdin = client.take_stdin();
    let all = lines.clone();
    let writer = std::thread::spawn(move || {
        for line in &all {
            stdin.write_all(&[line, b"\n".as_slice()].concat()).unwrap();
        }
        let ping = json!({ "jsonrpc": "2.0", "id": "the end", "method": "ping" });
        stdin.write_all(format!("{ping}\n").as_bytes()).unwrap();
    });
    missing.insert(json!("the end").to_string(), 1);
    let answers = client.hear_all();
    writer.join().unwrap();
    for answer in answers {
        if answer.get("method").is_none() {
            *missing.entry(answer["id"].to_string()).or_default() -= 1;
        }
    }
    missing.retain(|_, count| *count != 0);
    let about = |id: &String| -> Vec<String> {
        let all = lines
            .iter()
            .map(|line| String::from_utf8_lossy(line).into_owned());
        all.filter(|line| line.contains(id.as_str()))
            .take(5)
            .collect()
    };
    let told: Vec<(&String, &i64, Vec<String>)> = missing
        .iter()
        .take(5)
        .map(|(id, count)| (id, count, about(id)))
        .collect();
    assert!(missing.is_empty(), "{} ids: {told:#?}", missing.len());
    assert_eq!(client.code(), Some(0));
}
