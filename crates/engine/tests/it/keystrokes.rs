//! Typing into an open document (SPEC I2, X2): every answer is that of an engine that has just started.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test, and its texts are fixtures"
)]

use std::path::Path;
use std::sync::LazyLock;

use crate::support::Host;
use codecortex_engine::protocol::Event;
use codecortex_engine::protocol::Position;
use codecortex_engine::protocol::TextChange;
use codecortex_syntax::{Limits, Outcome, analyse_text};
use codecortex_text::LineIndex;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

/// Files of whole code, of languages that are read by parts.
static FILES: LazyLock<Vec<(&str, String)>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../syntax/tests/fixtures");
    [
        "csharp/NodeStore.cs",
        "csharp/Program.cs",
        "typescript/store.ts",
        "tsx/panel.tsx",
        "javascript/legacy.js",
        "javascript/modern.mjs",
        "python/store.py",
        "rust/store.rs",
        "go/store.go",
        "java/NodeStore.java",
    ]
    .into_iter()
    .map(|path| (path, std::fs::read_to_string(root.join(path)).unwrap()))
    .collect()
});

/// A workspace of all files.
fn workspace() -> Host {
    let mut host = Host::empty(&[("app", "/w/app")]);
    for (path, text) in FILES.iter() {
        host.write(&format!("/w/app/{path}"), text);
    }
    host.configure();
    host
}

/// What has changed since the files were read: the classes of each type and module.
fn changes(host: &mut Host) -> Vec<String> {
    let data = host.ok("changes", json!({ "limit": 200 }));
    let changes = data["changes"].as_array().unwrap().iter();
    let mut all: Vec<String> = changes
        .map(|change| {
            format!(
                "{} {} {}",
                change["path"], change["changeClass"], change["classes"]
            )
        })
        .collect();
    all.sort();
    all
}

/// The workspace with one of its files open.
fn open(path: &str, text: &str) -> Host {
    let mut host = workspace();
    host.send(Event::Opened {
        path: format!("/w/app/{path}"),
        version: 1,
        text: text.to_owned(),
        dirty: true,
    });
    host
}

/// What somebody may ask, without what says when it was answered.
fn answers(host: &mut Host, path: &str) -> Vec<Value> {
    let outline = json!({ "filePath": path });
    let mut calls = vec![("getOutline", outline)];
    for query in ["a", "store", "get", "x", "nodes"] {
        calls.push(("searchApi", json!({ "query": query, "limit": 50 })));
    }
    for symbol in ["NodeStore", "Store", "Options", "Panel", "Node"] {
        calls.push(("resolveSymbol", json!({ "symbol": symbol })));
    }
    let mut out = Vec::new();
    while let Some((tool, args)) = calls.pop() {
        let mut envelope = host.call(tool, args);
        if tool == "resolveSymbol" {
            let candidates = envelope["data"]["candidates"].as_array();
            for candidate in candidates.into_iter().flatten() {
                calls.push(("hashes", json!({ "symbol": candidate["typeId"] })));
            }
        }
        strip(&mut envelope);
        out.push(json!([tool, envelope]));
    }
    out
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            // What was used lately comes first, and the two engines have not been asked the same.
            for list in ["candidates", "items"] {
                if let Some(entries) = fields.get_mut(list).and_then(Value::as_array_mut) {
                    entries.sort_by_key(|entry| entry["path"].to_string() + &entry.to_string());
                }
            }
            for field in ["index", "revision", "usage", "meta", "tokens", "bytes"] {
                fields.shift_remove(field);
            }
            fields.values_mut().for_each(strip);
        }
        Value::Array(entries) => entries.iter_mut().for_each(strip),
        _ => {}
    }
}

/// Whether the text parses: where it does not, two parsers that come from different texts may mend it
/// in different ways.
fn is_whole(path: &str, text: &str) -> bool {
    let limits = Limits {
        max_file_size: 1 << 20,
        exclude_generated: true,
    };
    matches!(analyse_text(path, text, limits), Outcome::Facts(facts) if facts.syntax_errors == 0)
}

#[derive(Clone, Debug)]
enum Step {
    Insert(Index, &'static str),
    Letter(Index),
    Line(Index, &'static str),
    Undo,
}

const FRAGMENTS: [&str; 12] = [
    " ",
    "\n",
    "x",
    "1",
    "// c\n",
    "/** d */\n",
    "😀",
    ";",
    "\n\n",
    "  ",
    "a",
    "(",
];
const LINES: [&str; 8] = [
    "// plain\n",
    "/// told\n",
    "/** doc */\n",
    "# said\n",
    "\n",
    "    int added;\n",
    "    def added(self): return self.more\n",
    "  added(): void {}\n",
];

fn step() -> impl Strategy<Value = Step> {
    let at = any::<Index>;
    prop_oneof![
        3 => (at(), prop::sample::select(FRAGMENTS.to_vec())).prop_map(|(at, new)| Step::Insert(at, new)),
        4 => at().prop_map(Step::Letter),
        3 => (at(), prop::sample::select(LINES.to_vec())).prop_map(|(at, new)| Step::Line(at, new)),
        4 => Just(Step::Undo),
    ]
}

/// What a step replaces.
fn change(
    step: &Step,
    text: &str,
    undo: &mut Vec<(usize, usize, String)>,
) -> Option<(usize, usize, String)> {
    let place = |at: &Index| text.floor_char_boundary(at.index(text.len() + 1));
    let (at, new) = match step {
        Step::Insert(at, new) => (place(at), *new),
        Step::Letter(at) => {
            let bytes = text.as_bytes();
            let is_word =
                |at: &usize| bytes[*at].is_ascii_lowercase() && bytes[*at - 1].is_ascii_lowercase();
            ((place(at).max(1)..bytes.len()).find(is_word)?, "x")
        }
        Step::Line(at, new) => (text[..place(at)].rfind('\n').map_or(0, |end| end + 1), *new),
        Step::Undo => return undo.pop(),
    };
    undo.push((at, at + new.len(), String::new()));
    Some((at, at, new.to_owned()))
}

fn run(path: &str, text: &str, script: &[(Step, bool)]) -> Result<(), TestCaseError> {
    let mut host = open(path, text);
    prop_assert_eq!(changes(&mut host), Vec::<String>::new(), "{}", path);
    let first = answers(&mut host, path);
    let outline = first
        .iter()
        .find(|answer| answer[0] == "getOutline")
        .unwrap();
    prop_assert_eq!(&outline[1]["ok"], true);
    prop_assert!(first.iter().filter(|answer| answer[0] == "hashes").count() > 3);
    let mut text = text.to_owned();
    let mut undo = Vec::new();
    for (version, (step, is_asked)) in script.iter().enumerate() {
        let Some((start, end, new)) = change(step, &text, &mut undo) else {
            continue;
        };
        let lines = LineIndex::new(&text);
        let [from, to] = [start, end].map(|at| {
            let place = lines.position(at as u32, &text);
            Position {
                line: place.line,
                character: place.character,
            }
        });
        host.send(Event::Edited {
            path: format!("/w/app/{path}"),
            version: version as i64 + 2,
            changes: vec![TextChange {
                start: from,
                end: to,
                text: new.clone(),
            }],
            dirty: true,
        });
        text.replace_range(start..end, &new);
        if *is_asked {
            let changed = changes(&mut host);
            let now = answers(&mut host, path);
            if is_whole(path, &text) {
                let mut other = workspace();
                prop_assert!(changes(&mut other).is_empty());
                let file = format!("/w/app/{path}");
                other.write(&file, &text);
                other.touched(&[&file]);
                prop_assert_eq!(changed, changes(&mut other), "{}", path);
            }
            if is_whole(path, &text) {
                let fresh = answers(&mut open(path, &text), path);
                let sorted = |mut answers: Vec<Value>| {
                    answers.sort_by_key(Value::to_string);
                    answers
                };
                let (now, fresh) = (sorted(now), sorted(fresh));
                prop_assert_eq!(now.len(), fresh.len());
                for (now, fresh) in now.iter().zip(&fresh) {
                    prop_assert_eq!(now, fresh, "{}", path);
                }
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn answers_are_those_of_a_new_engine(
        file in any::<Index>(),
        script in prop::collection::vec((step(), prop::bool::weighted(0.7)), 1..12),
    ) {
        let (path, text) = file.get(&FILES);
        run(path, text, &script)?;
    }
}

/// H4: while a declaration is half typed, the rest of the namespace can look as if it stood outside of it.
#[test]
fn types_that_leave_their_namespace_and_come_back_are_as_they_were() {
    let (path, text) = &FILES[1];
    let line = text.find("            where T : class").unwrap();
    let line = LineIndex::new(text).position(line as u32, text).line;
    let mut host = open(path, text);
    answers(&mut host, path);
    let at = |line| Position { line, character: 0 };
    let new = "    int added;\n";
    let edits = [
        (at(line - 1), at(line - 1), new),
        (at(line - 1), at(line), ""),
    ];
    for (version, (start, end, new)) in edits.into_iter().enumerate() {
        host.send(Event::Edited {
            path: format!("/w/app/{path}"),
            version: version as i64 + 2,
            changes: vec![TextChange {
                start,
                end,
                text: new.to_owned(),
            }],
            dirty: true,
        });
        let has_changed = !changes(&mut host).is_empty();
        assert_eq!(has_changed, version == 0);
        answers(&mut host, path);
    }
}
