//! What becomes of a file whose disk, merge or author was bad, by chance that is the same in every run.

use serde_json::{Number, Value, json};

use super::chance::Chance;

/// What may happen to bytes.
pub const KINDS: [&str; 15] = [
    "bits",
    "cut",
    "tail",
    "block twice",
    "another file",
    "merge conflict",
    "numbers",
    "nesting",
    "long line",
    "no UTF-8",
    "empty",
    "lines twice",
    "strings",
    "values",
    "keys",
];

/// Numbers that nobody reckons with.
const NUMBERS: [&str; 12] = [
    "-1",
    "0",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775808",
    "4294967296",
    "1e308",
    "-1e308",
    "1e999",
    "NaN",
    "0.5",
    "99999999999999999999999999999999",
];
/// Texts that nobody reckons with.
const TEXTS: [&str; 9] = [
    "",
    "../../../etc/passwd",
    "T_",
    "\\u0000\\u001b[31m",
    "é\u{202e}x",
    "9999-99-99T99:99:99Z",
    "0000-01-01T00:00:00Z",
    "file:",
    "-",
];

/// The bytes after something of [`KINDS`] happened to them; `other` are those of another file.
pub fn damaged(chance: &mut Chance, kind: &str, bytes: &[u8], other: &[u8]) -> Vec<u8> {
    let mut out = bytes.to_vec();
    let (from, to) = range(chance, bytes.len());
    match kind {
        "bits" => {
            for _ in 0..1 + chance.below(8) {
                let at = chance.below(out.len());
                if let Some(byte) = out.get_mut(at) {
                    *byte ^= 1 << chance.below(8);
                }
            }
        }
        "cut" => out.truncate(from),
        "tail" => drop(out.drain(..from)),
        "block twice" => drop(out.splice(to..to, bytes[from..to].iter().copied())),
        "another file" => out = other.to_vec(),
        "merge conflict" => out = conflict(chance, bytes),
        "numbers" => out = numbers(chance, bytes),
        "nesting" => {
            let depth = 200 + chance.below(50_000);
            let open = *chance.one(&["[", "{\"a\":", "(", "<!-- ", "> "]);
            drop(out.splice(from..to, open.repeat(depth).into_bytes()));
        }
        "long line" => {
            let text = *chance.one(&["x", " ", "é", "\"", "\\", "\t-"]);
            drop(out.splice(from..from, text.repeat(100_000).into_bytes()));
        }
        "no UTF-8" => drop(out.splice(from..to, [0xff, 0xfe, 0x00, 0xc3, 0x28, 0xed, 0xa0, 0x80])),
        "empty" => out.clear(),
        "lines twice" => {
            let lines = bytes.split_inclusive(|byte| *byte == b'\n');
            out = lines.flat_map(|line| [line, line].concat()).collect();
        }
        "strings" => out = strings(chance, bytes),
        "values" => out = in_json(chance, bytes, false),
        _ => out = in_json(chance, bytes, true),
    }
    out
}

fn range(chance: &mut Chance, length: usize) -> (usize, usize) {
    let (one, other) = (chance.below(length + 1), chance.below(length + 1));
    (one.min(other), one.max(other))
}

/// What git leaves where two versions of some lines meet.
fn conflict(chance: &mut Chance, bytes: &[u8]) -> Vec<u8> {
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let (from, to) = range(chance, lines.len());
    let theirs = match chance.below(3) {
        0 => Vec::new(),
        1 => numbers(chance, &lines[from..to].concat()),
        _ => lines[from..to].concat(),
    };
    let mut out = lines[..from].concat();
    out.extend(b"<<<<<<< HEAD\n");
    out.extend(lines[from..to].concat());
    out.extend(b"=======\n");
    out.extend(theirs);
    out.extend(b">>>>>>> theirs\n");
    out.extend(lines[to..].concat());
    out
}

/// Some numbers are others.
fn numbers(chance: &mut Chance, bytes: &[u8]) -> Vec<u8> {
    let every = 1 + chance.below(8);
    let mut out = Vec::new();
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(u8::is_ascii_digit) {
        let length = rest[at..].iter().take_while(|byte| byte.is_ascii_digit());
        let end = at + length.count();
        out.extend(&rest[..at]);
        match chance.below(every) {
            0 => out.extend(chance.one(&NUMBERS).as_bytes()),
            _ => out.extend(&rest[at..end]),
        }
        rest = &rest[end..];
    }
    out.extend(rest);
    out
}

/// Some texts in quotes are others, or change places.
fn strings(chance: &mut Chance, bytes: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    let mut parts: Vec<String> = text.split('"').map(str::to_owned).collect();
    for _ in 0..1 + chance.below(4) {
        let count = parts.len();
        let (one, other) = (chance.below(count), chance.below(count));
        match chance.below(2) {
            0 => parts.swap(one, other),
            _ => parts[one] = (*chance.one(&TEXTS)).to_owned(),
        }
    }
    parts.join("\"").into_bytes()
}

/// Some values of a JSON file, or of a line of one, are of another kind; or some keys are.
fn in_json(chance: &mut Chance, bytes: &[u8], of_keys: bool) -> Vec<u8> {
    if let Ok(mut value) = serde_json::from_slice::<Value>(bytes) {
        for _ in 0..1 + chance.below(4) {
            change(chance, &mut value, of_keys);
        }
        return value.to_string().into_bytes();
    }
    let text = String::from_utf8_lossy(bytes);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let count = lines.len();
    if let Some(line) = lines.get_mut(chance.below(count)) {
        match serde_json::from_str::<Value>(line) {
            Ok(mut value) => {
                change(chance, &mut value, of_keys);
                *line = value.to_string();
            }
            // A heading, a field, a step of Markdown.
            Err(_) => *line = line.chars().rev().collect(),
        }
    }
    lines.join("\n").into_bytes()
}

fn change(chance: &mut Chance, value: &mut Value, of_keys: bool) {
    let ends_here = chance.is(20);
    match value {
        Value::Object(map) if of_keys && ends_here => {
            let Some(key) = map.keys().nth(chance.below(map.len())).cloned() else {
                return;
            };
            let moved = map.remove(&key).unwrap_or_default();
            if chance.is(60) {
                map.insert((*chance.one(&TEXTS)).to_owned(), moved);
            }
        }
        Value::Object(map) if !map.is_empty() && !ends_here => {
            let at = chance.below(map.len());
            if let Some(inner) = map.values_mut().nth(at) {
                change(chance, inner, of_keys);
            }
        }
        Value::Array(list) if !list.is_empty() && !ends_here => {
            let at = chance.below(list.len());
            if chance.is(20) {
                let again = list[at].clone();
                return list.push(again);
            }
            change(chance, &mut list[at], of_keys);
        }
        _ if of_keys => {}
        other => {
            let number = *chance.one(&NUMBERS);
            *other = match chance.below(8) {
                0 => Value::Null,
                1 => json!([]),
                2 => json!({}),
                3 => json!(true),
                4 => json!(*chance.one(&TEXTS)),
                5 => json!([[other.clone()]]),
                _ => number.parse::<Number>().map_or(json!(-1), Value::Number),
            };
        }
    }
}
