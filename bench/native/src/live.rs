//! What following an editor costs: a keystroke, live context, the prompt window, a day of edits, and the
//! tokens that a session of edits needs with and without it.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use codecortex_engine::protocol::{Caller, DocumentSpan, Effect, Event, Position, TextChange};
use codecortex_engine::{Engine, tokens_approx};
use codecortex_text::{TextDocument, Utf16Position};
use serde_json::{Value, json};

use crate::clock::timed;
use crate::corpus::{SourceFile, load};
use crate::samples::{Dice, Samples};
use crate::workspace::{ROOT, Workspace};

const LINES: usize = 100_000;
const DOCUMENTS: usize = 50;
const PINS: usize = 10_000;
/// Answers of each form that are compared.
const ANSWERS: usize = 200;

pub(crate) fn run(root: &Path, edits: u32) -> io::Result<Value> {
    let files = load(root)?;
    Ok(json!({
        "keystroke": keystroke(),
        "window": window(&files),
        "day": day(edits),
        "session": session(&files),
        "forms": forms(&files),
    }))
}

fn at(line: usize, character: usize) -> Position {
    Position {
        line: line as u32,
        character: character as u32,
    }
}

fn opened(path: &str, text: &str) -> Event {
    Event::Opened {
        path: path.to_owned(),
        version: 0,
        text: text.to_owned(),
        dirty: false,
    }
}

fn edited(path: &str, version: i64, start: Position, end: Position, text: &str) -> Event {
    let text = text.to_owned();
    Event::Edited {
        path: path.to_owned(),
        version,
        changes: vec![TextChange { start, end, text }],
        dirty: true,
    }
}

fn call(engine: &mut Engine, tool: &str, args: Value) -> Option<String> {
    let tool = tool.to_owned();
    let event = Event::Call {
        id: 1,
        tool,
        args,
        caller: Caller::default(),
    };
    let effects = engine.handle(event);
    effects.into_iter().find_map(|effect| match effect {
        Effect::Answer { answer, .. } => answer.json.or(answer.text),
        _ => None,
    })
}

/// A letter in a document of 100,000 lines, and live context after it. Its language is none that is parsed:
/// what parsing costs is measured by `keystroke`.
fn keystroke() -> Value {
    let mut engine = Engine::new();
    let path = "/elsewhere/large.txt";
    let line = "some words of a line that is neither short nor long\n";
    engine.handle(opened(path, &line.repeat(LINES)));
    let mut dice = Dice::new();
    let (mut strokes, mut contexts) = (Samples::default(), Samples::default());
    let mut clock = 1e12;
    for version in 1..=4_000i64 {
        clock += 100.0;
        engine.handle(Event::Time { now_ms: clock });
        let place = at(dice.below(LINES), dice.below(20));
        let event = edited(path, version, place, place, "x");
        strokes.push(timed(|| engine.handle(event)).1.cpu);
        if version % 40 == 0 {
            let cursor = vec![DocumentSpan {
                start: place,
                end: place,
            }];
            engine.handle(Event::Editor {
                active: Some(path.to_owned()),
                selections: cursor,
                visible: Vec::new(),
            });
            let args = json!({ "maxTokens": 4000 });
            let (_, spent) = timed(|| call(&mut engine, "codecortex_getLiveContext", args));
            contexts.push(spent.cpu);
        }
    }
    json!({ "editMs": strokes.to_json(), "liveContextMs": contexts.to_json() })
}

/// The window when 10,000 symbols are pinned and 512 types were used.
fn window(files: &[SourceFile]) -> Value {
    let mut workspace = Workspace::open(files);
    let names = names(&mut workspace);
    for name in names.iter().take(600) {
        workspace.call(
            "codecortex_getOutline",
            &json!({ "symbol": name, "maxTokens": 50 }),
        );
    }
    let mut pinned = 0;
    for batch in names.chunks(50) {
        let args = json!({ "action": "pin", "symbols": batch });
        if workspace.data("codecortex_pin", &args).is_some() {
            pinned += batch.len();
        }
    }
    let list = json!({ "list": true });
    let (mut again, mut anew) = (Samples::default(), Samples::default());
    for round in 0..100 {
        let is_new = round % 2 == 0;
        if is_new {
            // What is in the index is another state then, and nothing of the window is remembered.
            let text = format!("class Fresh{round} {{ public int One; }}\n");
            workspace
                .engine
                .handle(opened(&format!("{ROOT}/fresh.cs"), &text));
        }
        let (answer, spent) = workspace.call("codecortex_getContext", &list);
        if answer.is_some() {
            let samples = if is_new { &mut anew } else { &mut again };
            samples.push(spent.cpu);
        }
    }
    json!({ "pinned": pinned, "anewMs": anew.to_json(), "ms": again.to_json() })
}

/// Ten thousand types and other symbols, by what finds each.
fn names(workspace: &mut Workspace<'_>) -> Vec<String> {
    let mut names = BTreeSet::new();
    for letters in ["e", "a", "o", "t", "s", "r", "i"] {
        let mut cursor = Value::Null;
        while names.len() < PINS {
            let args = json!({ "labelQuery": letters, "limit": 200, "cursor": cursor });
            let Some(data) = workspace.data("codecortex_searchApi", &args) else {
                break;
            };
            let items = data["items"].as_array().cloned().unwrap_or_default();
            let ids = items
                .iter()
                .filter_map(|item| item["typeId"].as_str().or(item["path"].as_str()));
            names.extend(ids.map(str::to_owned));
            cursor = data["nextCursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
    }
    names.into_iter().take(PINS).collect()
}

/// Many edits over 50 documents: what memory is after each tenth, and whether the texts are still those of
/// a plain model.
fn day(edits: u32) -> Value {
    let mut engine = Engine::new();
    let line = "a line with ä and 😀 in it\r\n";
    let path = |number: usize| format!("/elsewhere/d{number}.txt");
    let mut models: Vec<TextDocument> = Vec::new();
    for number in 0..DOCUMENTS {
        let text = line.repeat(2_000);
        engine.handle(opened(&path(number), &text));
        models.push(TextDocument::new(&text));
    }
    let mut versions = [0i64; DOCUMENTS];
    let mut dice = Dice::new();
    let mut clock = 1e12;
    let mut memory = Vec::new();
    let mut wrong = 0;
    let step = 86_400_000.0 / f64::from(edits);
    for edit in 0..edits {
        clock += step;
        if edit % 20 == 0 {
            engine.handle(Event::Time { now_ms: clock });
        }
        let number = dice.below(DOCUMENTS);
        let model = &mut models[number];
        let lines = model.line_count();
        let start = at(dice.below(lines), dice.below(12));
        // As many come as go, so that the texts stay as long as they are.
        let (end, text) = match edit % 2 {
            0 => (start, "é😀"),
            _ => (at(start.line as usize, start.character as usize + 3), ""),
        };
        let place = |at: Position| Utf16Position {
            line: at.line,
            character: at.character,
        };
        model.apply(place(start), place(end), text);
        versions[number] += 1;
        engine.handle(edited(&path(number), versions[number], start, end, text));
        if edit % (edits / 10).max(1) == (edits / 10).max(1) - 1 {
            memory.push(resident_mb());
            let args = json!({ "filePath": path(number), "startLine": 1, "format": "json" });
            let answer = call(&mut engine, "codecortex_getLiveContext", args).unwrap_or_default();
            let answer: Value = serde_json::from_str(&answer).unwrap_or_default();
            let same =
                answer["data"]["requested"]["text"].as_str() == Some(&*models[number].text());
            wrong += u32::from(!same);
        }
    }
    json!({ "edits": edits, "documents": DOCUMENTS, "residentMb": memory, "wrongTexts": wrong })
}

/// Memory of this process now, in MB; 0 where the system does not tell.
fn resident_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kb = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<f64>().ok());
    kb.unwrap_or(0.0) / 1024.0
}

/// Twenty rounds of reading a file, changing a line and looking at it again: by reading the whole file each
/// time, and by live context that tells what is new since the version the model has.
fn session(files: &[SourceFile]) -> Value {
    let texts = files
        .iter()
        .filter_map(|file| Some((&file.path, file.text()?)));
    let mut texts: Vec<_> = texts
        .filter(|(_, text)| (4_000..24_000).contains(&text.len()))
        .collect();
    texts.truncate(10);
    let (mut with, mut without) = (0u64, 0u64);
    for (path, text) in texts {
        let mut engine = Engine::new();
        let path = format!("{ROOT}/{path}");
        engine.handle(opened(&path, &text));
        let mut dice = Dice::new();
        let lines = text.lines().count();
        let mut since = Value::Null;
        for version in 1..=20i64 {
            let args = json!({ "filePath": path, "since": since, "format": "text", "diffs": 1 });
            let answer = call(&mut engine, "codecortex_getLiveContext", args).unwrap_or_default();
            with += u64::from(tokens_approx(&answer));
            let args = json!({ "filePath": path, "startLine": 1, "format": "json" });
            let whole = call(&mut engine, "codecortex_getLiveContext", args).unwrap_or_default();
            let whole: Value = serde_json::from_str(&whole).unwrap_or_default();
            let whole = &whole["data"]["requested"];
            without += u64::from(tokens_approx(whole["text"].as_str().unwrap_or_default()));
            since = whole["versionId"].clone();
            let line = dice.below(lines);
            let event = edited(&path, version, at(line, 0), at(line, 0), "changed ");
            engine.handle(event);
        }
    }
    json!({ "tokensWith": with, "tokensWithout": without })
}

/// The same answers as JSON and as text.
fn forms(files: &[SourceFile]) -> Value {
    let mut workspace = Workspace::open(files);
    let mut dice = Dice::new();
    let (mut json_tokens, mut text_tokens, mut count) = (0u64, 0u64, 0);
    let mut over = 0;
    while count < ANSWERS {
        let Some(file) = dice.choose(files) else {
            break;
        };
        let name = file.path.rsplit('/').next().unwrap_or_default();
        let name = name.split('.').next().unwrap_or_default();
        let (tool, args) = match count % 4 {
            0 => ("codecortex_getOutline", json!({ "filePath": file.path })),
            1 => ("codecortex_searchApi", json!({ "labelQuery": name })),
            2 => ("codecortex_getContext", json!({})),
            _ => (
                "codecortex_resolveSymbol",
                json!({ "symbol": format!("*{name}*") }),
            ),
        };
        let mut form = |format: &str| {
            let mut args = args.clone();
            args["format"] = json!(format);
            let answer = workspace.call(tool, &args).0;
            answer
                .and_then(|answer| answer.ok.then(|| answer.json.or(answer.text)))
                .flatten()
        };
        count += 1;
        if let (Some(json), Some(text)) = (form("json"), form("text")) {
            let (json, text) = (tokens_approx(&json), tokens_approx(&text));
            json_tokens += u64::from(json);
            text_tokens += u64::from(text);
            over += u32::from(u64::from(text) * 10 > u64::from(json) * 6);
        }
    }
    json!({ "answers": count, "jsonTokens": json_tokens, "textTokens": text_tokens, "above60Percent": over })
}
