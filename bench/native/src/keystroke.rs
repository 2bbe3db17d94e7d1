//! From a keystroke to the facts and hashes of the file, and to its outline, against tree-sitter's
//! incremental parse alone.

use std::io;
use std::path::Path;

use codecortex_engine::protocol::{Event, Position, TextChange};
use codecortex_syntax::{Language, Outcome, analyse};
use codecortex_text::LineIndex;
use serde_json::{Value, json};
use tree_sitter::{InputEdit, Parser, Point, Tree};

use crate::clock::timed;
use crate::corpus::{LIMITS, SourceFile, load};
use crate::reading::{Reading, Tally};
use crate::samples::{Dice, Samples};
use crate::workspace::{ROOT, Workspace};

/// How many of the largest files of a language are typed into …
const FILES: usize = 6;
/// … and how many of any size, in each of which there are fewer edits.
const ANY: usize = 60;
const MOST_BYTES: usize = 100_000;
const LINES: usize = 10_000;

/// Sizes that are looked for, in bytes.
const SIZES: [usize; 3] = [10_000, 100_000, 300_000];

pub(crate) fn run(root: &Path, edits: u32, tell_strokes: bool) -> io::Result<Value> {
    let files = load(root)?;
    let mut languages: Vec<Language> = Vec::new();
    for file in &files {
        if !languages.contains(&file.language) {
            languages.push(file.language);
        }
    }
    let (mut outlines, mut facts) = (Vec::new(), Vec::new());
    for language in languages {
        for size in SIZES {
            if let Some(file) = of_size(&files, language, size) {
                outlines.extend(measure(file, size, edits, tell_strokes));
            }
        }
        let small = small(&files, language);
        let mut told = |what, files: &[&SourceFile], edits, tells| {
            facts.extend(measure_facts((language, what), files, edits, tells));
        };
        told("anywhere, ≤ 100 kB", &anywhere(&small), 2, tell_strokes);
        let largest = &small[..small.len().min(FILES)];
        told("the largest ≤ 100 kB", largest, edits, tell_strokes);
        if let Some(joined) = joined(&files, language) {
            told("10,000 lines", &[&joined], 5 * edits, false); // it is nowhere on the disk
        }
    }
    Ok(json!({ "outlines": outlines, "facts": facts }))
}

/// Files that are not above 100 kB, the largest first.
fn small(files: &[SourceFile], language: Language) -> Vec<&SourceFile> {
    let is_wanted = |file: &&SourceFile| {
        let has_facts = || matches!(analyse(&file.path, &file.bytes, LIMITS), Outcome::Facts(_));
        file.language == language
            && file.bytes.len() <= MOST_BYTES
            && file.bytes.is_ascii()
            && has_facts()
    };
    let mut files: Vec<&SourceFile> = files.iter().filter(is_wanted).collect();
    files.sort_by_key(|file| std::cmp::Reverse(file.bytes.len()));
    files
}

/// Files in which a place is that could be any of all of them: the longer a file, the likelier is it.
fn anywhere<'a>(files: &[&'a SourceFile]) -> Vec<&'a SourceFile> {
    let ends: Vec<usize> = files
        .iter()
        .scan(0, |end, file| {
            *end += file.bytes.len();
            Some(*end)
        })
        .collect();
    let Some(all) = ends.last().copied() else {
        return Vec::new();
    };
    let mut dice = Dice::new();
    let file = |at: usize| files[ends.partition_point(|end| *end <= at)];
    (0..ANY).map(|_| file(dice.below(all))).collect()
}

/// Files one after the other, without what may only stand at the head of one.
fn joined(files: &[SourceFile], language: Language) -> Option<SourceFile> {
    const HEADS: [&str; 8] = [
        "using ",
        "#!",
        "//!",
        "#",
        "package ",
        "from __future__",
        "extern alias",
        "\u{feff}",
    ];
    let mut text = String::new();
    let mut lines = 0;
    let mut path = None;
    for file in files
        .iter()
        .filter(|file| file.language == language && file.bytes.is_ascii())
    {
        let source = without_inner_docs(&file.text()?);
        if source.contains("namespace") && source.contains("#if") {
            continue;
        }
        let is_kept = |line: &&str| {
            language == Language::Python || !HEADS.iter().any(|head| line.starts_with(head))
        };
        let kept: Vec<&str> = source.lines().filter(is_kept).collect();
        // An attribute over several lines is no longer one without the first.
        if !is_whole(language, &kept.join("\n")) {
            continue;
        }
        for line in kept {
            text.push_str(line);
            text.push('\n');
            lines += 1;
        }
        path = path.or_else(|| Some(file.path.clone()));
        if lines >= LINES {
            break;
        }
    }
    let joined = SourceFile {
        path: path?,
        language,
        bytes: text.into_bytes(),
    };
    (lines >= LINES).then_some(joined)
}

/// Rust's `/*! … */` is about what is around it, a file, and nowhere but at the head of one.
fn without_inner_docs(source: &str) -> String {
    let mut left = source.to_owned();
    while let Some(start) = left.find("/*!")
        && let Some(length) = left[start..].find("*/")
    {
        left.replace_range(start..start + length + 2, "");
    }
    left
}

/// Whether a text has no syntax error.
fn is_whole(language: Language, text: &str) -> bool {
    let parsed = language.grammar().and_then(|grammar| {
        let mut parser = Parser::new();
        parser.set_language(&grammar).ok()?;
        parser.parse(text, None)
    });
    parsed.is_some_and(|tree| !tree.root_node().has_error())
}

/// From an edit to the facts and the hashes of what it touched.
fn measure_facts(
    (language, what): (Language, &str),
    files: &[&SourceFile],
    edits: u32,
    tell_strokes: bool,
) -> Option<Value> {
    let mut typed = Vec::new();
    let (mut whole, mut parse, mut ours) = <(Samples, Samples, Samples)>::default();
    let mut bytes = 0;
    let mut tally = Tally::default();
    for file in files {
        let text = file.text()?;
        bytes += text.len();
        let mut reading = Reading::open(&file.path, &text)?;
        let strokes = keystrokes(&text, edits);
        let mut workspace = open(file, &text)?;
        let args = json!({ "limit": 1 });
        // The first edit reads the file as a whole, because there is nothing to go by.
        let warm = keystrokes(&text, 1);
        for (version, warm) in warm.iter().enumerate() {
            let version = version as i64 + 1; // what is no later one is left out
            workspace.engine.handle(warm.event(&file.path, version));
            workspace.call("codecortex_changes", &args).0?;
            reading.read(warm.byte, warm.inserts)?;
        }
        let alone = incremental_each(file, text.clone(), &strokes)?;
        if tell_strokes {
            let strokes: Value = strokes.iter().map(Keystroke::to_json).collect();
            typed.push(json!({ "path": file.path, "strokes": strokes }));
        }
        for (version, (stroke, alone)) in strokes.iter().zip(alone).enumerate() {
            let event = stroke.event(&file.path, (warm.len() + version) as i64 + 1);
            let (_, first) = timed(|| workspace.engine.handle(event));
            let (answer, second) = workspace.call("codecortex_changes", &args);
            answer.filter(|answer| answer.ok)?;
            whole.push(first.cpu + second.cpu);
            tally.add(
                reading.read(stroke.byte, stroke.inserts)?,
                first.cpu + second.cpu,
            );
            ours.push(first.cpu + second.cpu - alone);
            parse.push(alone);
        }
    }
    Some(json!({
        "language": language.info().id,
        "what": what,
        "typed": typed,
        "files": files.len(),
        "bytes": bytes,
        "wholeMs": whole.to_json(),
        "parseMs": parse.to_json(),
        "oursMs": ours.to_json(),
        "read": tally.to_json(),
    }))
}

/// The file of this language whose size is nearest, if any is near.
fn of_size(files: &[SourceFile], language: Language, size: usize) -> Option<&SourceFile> {
    files
        .iter()
        .filter(|file| file.language == language && file.bytes.is_ascii())
        .min_by_key(|file| file.bytes.len().abs_diff(size))
        .filter(|file| file.bytes.len().abs_diff(size) < size / 2)
}

/// A letter typed into the middle of a word, and taken back.
struct Keystroke {
    byte: usize,
    point: Point,
    inserts: bool,
}

fn measure(file: &SourceFile, size: usize, edits: u32, tell_strokes: bool) -> Option<Value> {
    let text = file.text()?;
    let strokes = keystrokes(&text, edits);
    let (mut whole, mut edited, mut outline) = <(Samples, Samples, Samples)>::default();
    let mut workspace = open(file, &text)?;
    let args = json!({ "filePath": file.path });
    let answer = workspace.call("codecortex_getOutline", &args).0?;
    let bytes = answer.json?.len();
    for (version, stroke) in strokes.iter().enumerate() {
        let event = stroke.event(&file.path, version as i64 + 1);
        let (_, first) = timed(|| workspace.engine.handle(event));
        let (answer, second) = workspace.call("codecortex_getOutline", &args);
        answer.filter(|answer| answer.ok)?;
        edited.push(first.cpu);
        outline.push(second.cpu);
        whole.push(first.cpu + second.cpu);
    }
    let parse = incremental(file, text.clone(), &strokes)?;
    let told = tell_strokes.then(|| strokes.iter().map(Keystroke::to_json).collect::<Value>());
    Some(json!({
        "strokes": told,
        "language": file.language.info().id,
        "size": size,
        "path": file.path,
        "bytes": file.bytes.len(),
        "answerBytes": bytes,
        "wholeMs": whole.to_json(),
        "eventMs": edited.to_json(),
        "outlineMs": outline.to_json(),
        "parseMs": parse.to_json(),
    }))
}

fn open<'a>(file: &'a SourceFile, text: &str) -> Option<Workspace<'a>> {
    let mut workspace = Workspace::open(std::slice::from_ref(file));
    workspace.engine.handle(Event::Opened {
        path: format!("{ROOT}/{}", file.path),
        version: 0,
        text: text.to_owned(),
        dirty: false,
    });
    (workspace.engine.state().files == 1).then_some(workspace)
}

/// Places inside words, all over the file.
fn keystrokes(text: &str, edits: u32) -> Vec<Keystroke> {
    let bytes = text.as_bytes();
    let lines = LineIndex::new(text);
    let mut dice = Dice::new();
    let mut strokes = Vec::new();
    while strokes.len() < 2 * edits as usize {
        let start = dice.below(bytes.len());
        let is_word = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphabetic);
        let Some(byte) = (start..bytes.len()).find(|at| is_word(*at) && is_word(at + 1)) else {
            continue;
        };
        let byte = byte + 1;
        let position = lines.position(byte as u32, text);
        // The file is ASCII, so that bytes and the editor's units are the same.
        let point = Point {
            row: position.line as usize,
            column: position.character as usize,
        };
        strokes.extend([true, false].map(|inserts| Keystroke {
            byte,
            point,
            inserts,
        }));
    }
    strokes
}

impl Keystroke {
    /// For the run in WASM, which types the same.
    fn to_json(&self) -> Value {
        json!({
            "line": self.point.row,
            "character": self.point.column,
            "inserts": self.inserts,
        })
    }

    fn end(&self) -> (usize, Point) {
        let column = self.point.column + 1;
        (
            self.byte + 1,
            Point {
                column,
                ..self.point
            },
        )
    }

    fn event(&self, path: &str, version: i64) -> Event {
        let position = |point: Point| Position {
            line: point.row as u32,
            character: point.column as u32,
        };
        let start = position(self.point);
        let change = TextChange {
            start,
            end: if self.inserts {
                start
            } else {
                position(self.end().1)
            },
            text: if self.inserts {
                "x".into()
            } else {
                String::new()
            },
        };
        Event::Edited {
            path: format!("{ROOT}/{path}"),
            version,
            changes: vec![change],
            dirty: true,
        }
    }

    fn apply(&self, text: &mut String, tree: &mut Tree) {
        let (end_byte, end_point) = self.end();
        let (old, new) = if self.inserts {
            text.insert(self.byte, 'x');
            ((self.byte, self.point), (end_byte, end_point))
        } else {
            text.remove(self.byte);
            ((end_byte, end_point), (self.byte, self.point))
        };
        tree.edit(&InputEdit {
            start_byte: self.byte,
            old_end_byte: old.0,
            new_end_byte: new.0,
            start_position: self.point,
            old_end_position: old.1,
            new_end_position: new.1,
        });
    }
}

/// The same edits with nothing but tree-sitter.
fn incremental(file: &SourceFile, text: String, strokes: &[Keystroke]) -> Option<Samples> {
    let mut samples = Samples::default();
    let each = incremental_each(file, text, strokes)?;
    each.into_iter().for_each(|spent| samples.push(spent));
    Some(samples)
}

/// What each of them takes, in ms of processor time.
fn incremental_each(
    file: &SourceFile,
    mut text: String,
    strokes: &[Keystroke],
) -> Option<Vec<f64>> {
    let mut parser = Parser::new();
    parser.set_language(&file.language.grammar()?).ok()?;
    let mut tree = parser.parse(&text, None)?;
    let mut samples = Vec::new();
    for stroke in strokes {
        let (next, spent) = timed(|| {
            stroke.apply(&mut text, &mut tree);
            parser.parse(&text, Some(&tree))
        });
        tree = next?;
        samples.push(spent.cpu);
    }
    Some(samples)
}
