//! What an edit does not plan stays byte by byte, whatever the encoding and the line ends; renaming back gives the same bytes
//! (SPEC ED1, D28). `CODECORTEX_EDITS` says how many edits are tried.

use serde_json::{Value, json};

use crate::support::chance::{Chance, count_of};
use crate::support::{Host, Node};

const EDITS: usize = 120;
const PATH: &str = "/w/app/a.ts";

/// How a file is written.
#[derive(Clone, Copy, Debug)]
enum Encoding {
    Utf8,
    Utf8WithMark,
    Utf16,
}

impl Encoding {
    fn bytes(self, text: &str) -> Vec<u8> {
        match self {
            Self::Utf8 => text.as_bytes().to_vec(),
            Self::Utf8WithMark => format!("\u{feff}{text}").into_bytes(),
            Self::Utf16 => {
                let units = format!("\u{feff}{text}");
                units.encode_utf16().flat_map(u16::to_le_bytes).collect()
            }
        }
    }
}

/// Code in which `|` stands before each use of the name, so that the test knows them without reading code.
const LINES: [&str; 11] = [
    "export const a# = |NAME + 1;",
    "/* \u{1f600} NAME */ export const b# = [|NAME, '\u{1f600} NAME', |NAME];",
    "export const gr\u{f6}\u{df}e# = `\u{1f600} ${|NAME} NAME`; // NAME",
    "\texport function f#(param: number) { return param * |NAME; }",
    "",
    "   ",
    "// \u{4e2d}\u{6587} NAME",
    "export const c# = { |NAME };",
    "export const \u{4f60}# = '\u{e4}'; export const e# = |NAME;",
    "export const s# = 'NAME'.length + \"NAME\".length;",
    "export type T# = typeof |NAME;",
];

fn code(chance: &mut Chance) -> String {
    let mut out = String::new();
    let count = 2 + chance.below(14);
    for number in 0..=count {
        match number == count / 2 {
            true => out += "export const |NAME = 1;",
            false => out += &chance.one(&LINES).replace('#', &number.to_string()),
        }
        let is_last = number == count && chance.is(50);
        if !is_last {
            out += if chance.is(50) { "\r\n" } else { "\n" };
        }
    }
    out
}

/// The code with a name at its uses; everything else has the old one.
fn with_name(code: &str, old: &str, new: &str) -> String {
    let shorthand = format!("{{ {old}: {new} }}");
    let is_other = old != new;
    let code = match is_other {
        // The key of an object keeps its name.
        true => code.replace("{ |NAME }", &shorthand),
        false => code.to_owned(),
    };
    code.replace("|NAME", new).replace("NAME", old)
}

fn put(host: &mut Host, bytes: Vec<u8>) {
    host.put(PATH, Node::File(bytes));
    host.touched(&[PATH]);
}

fn on_disk(host: &Host) -> Vec<u8> {
    match host.disk.get(PATH) {
        Some(Node::File(bytes)) => bytes.clone(),
        _ => Vec::new(),
    }
}

fn rename(host: &mut Host, old: &str, new: &str) {
    let mut args = json!({ "action": "rename", "symbol": old, "newName": new });
    let plan = host.ok("refactor", args.clone());
    args["planId"] = plan["planId"].clone();
    host.ok("refactor", args);
}

#[test]
fn a_rename_changes_the_bytes_of_its_places_alone_and_the_way_back_is_the_same() {
    let mut host = Host::new("//- /app/a.ts\n");
    let mut chance = Chance::new(48);
    for number in 0..count_of("CODECORTEX_EDITS", EDITS) / 2 {
        let encoding = *chance.one(&[Encoding::Utf8, Encoding::Utf8WithMark, Encoding::Utf16]);
        let code = code(&mut chance);
        let old = *chance.one(&["total", "x", "gr\u{f6}\u{df}en", "\u{540d}\u{524d}"]);
        let new = *chance.one(&["longerName", "y", "\u{e4}", "\u{5909}\u{6570}"]);
        let before = encoding.bytes(&with_name(&code, old, old));
        put(&mut host, before.clone());
        rename(&mut host, old, new);
        let after = encoding.bytes(&with_name(&code, old, new));
        assert!(
            on_disk(&host) == after,
            "{number} {encoding:?} {old} {new}: {code:?}"
        );
        rename(&mut host, new, old);
        assert!(
            on_disk(&host) == before,
            "back: {number} {encoding:?} {old} {new}: {code:?}"
        );
    }
}

/// A byte of a text as an editor gives it: from 1, in UTF-16.
fn position(text: &str, byte: usize) -> (usize, usize) {
    let before = &text[..byte];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    (line + 1, before[start..].encode_utf16().count() + 1)
}

fn boundary(chance: &mut Chance, text: &str) -> usize {
    let places: Vec<usize> = (0..=text.len())
        .filter(|at| text.is_char_boundary(*at))
        .filter(|at| !(text[..*at].ends_with('\r') && text[*at..].starts_with('\n')))
        .collect();
    *chance.one(&places)
}

#[test]
fn an_edit_of_a_range_leaves_all_other_bytes() {
    let mut host = Host::new("//- /app/a.ts\n");
    let mut chance = Chance::new(49);
    for number in 0..count_of("CODECORTEX_EDITS", EDITS) / 2 {
        let encoding = *chance.one(&[Encoding::Utf8, Encoding::Utf8WithMark, Encoding::Utf16]);
        let text = with_name(&code(&mut chance), "total", "total");
        put(&mut host, encoding.bytes(&text));
        let (one, other) = (boundary(&mut chance, &text), boundary(&mut chance, &text));
        let (start, end) = (one.min(other), one.max(other));
        let new = *chance.one(&["", "x", "\u{1f600}", "\u{e4}b"]);
        let after = format!("{}{new}{}", &text[..start], &text[end..]);
        if after == text {
            continue;
        }
        let data = host.ok("getLiveContext", json!({ "filePath": "a.ts" }));
        let version: Value = data["current_document"]["versionId"].clone();
        let ((start_line, start_character), (end_line, end_character)) =
            (position(&text, start), position(&text, end));
        let change = json!({
            "newText": new, "startLine": start_line, "startCharacter": start_character,
            "endLine": end_line, "endCharacter": end_character,
        });
        let edit = json!({ "filePath": "app/a.ts", "baseVersion": version, "changes": [change] });
        host.ok("applyEdit", json!({ "edits": [edit] }));
        assert!(
            on_disk(&host) == encoding.bytes(&after),
            "{number} {encoding:?} {start}..{end} {new:?}: {text:?}"
        );
    }
}
