//! Cold index: everything from bytes to a searchable index, against parsing alone, with tree-sitter as it comes.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::process::Command;

use codecortex_syntax::{Language, Outcome, analyse};
use serde_json::{Value, json};
use tree_sitter::Parser;

use crate::clock::timed;
use crate::corpus::{LIMITS, SourceFile, load};
use crate::samples::Samples;
use crate::workspace::Workspace;

#[derive(Default)]
struct Measured {
    files: usize,
    bytes: usize,
    lines: usize,
    parse: Samples,
    analysis: Samples,
}

pub(crate) fn run(root: &Path, rounds: u32) -> io::Result<Value> {
    let files = indexed(load(root)?);
    let mut languages: BTreeMap<&str, Measured> = BTreeMap::new();
    for file in &files {
        let text = file.text().unwrap_or_default();
        let measured = languages.entry(file.language.info().id).or_default();
        measured.files += 1;
        measured.bytes += text.len();
        measured.lines += text.lines().count();
    }
    let mut totals = Totals::default();
    for _ in 0..rounds {
        let parsed = parsed_alone(root)?;
        for (id, measured) in &mut languages {
            measured.parse.push(parsed.get(*id).copied().unwrap_or(0.0));
            let of_language = files.iter().filter(|file| file.language.info().id == *id);
            let (_, spent) = timed(|| of_language.filter(|file| is_indexed(file)).count());
            measured.analysis.push(spent.cpu);
        }
        let (workspace, whole) = timed(|| Workspace::open(&files));
        totals.add(parsed.values().sum(), whole.cpu, &workspace);
    }
    let languages: serde_json::Map<String, Value> = languages
        .into_iter()
        .map(|(id, measured)| (id.to_owned(), measured.to_json()))
        .collect();
    Ok(json!({ "total": totals.to_json(), "languages": languages }))
}

/// Parsing the same files, in a process of its own.
fn parsed_alone(root: &Path) -> io::Result<BTreeMap<String, f64>> {
    let mut program = Command::new(std::env::current_exe()?);
    let output = program.arg("parse").arg(root).output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr)));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// What parsing the files that are indexed takes, by language, in ms of processor time.
pub(crate) fn parse(root: &Path) -> io::Result<Value> {
    let mut of_language: BTreeMap<&str, Vec<(Language, String)>> = BTreeMap::new();
    for file in indexed(load(root)?) {
        let id = file.language.info().id;
        let text = file.text().unwrap_or_default();
        of_language
            .entry(id)
            .or_default()
            .push((file.language, text));
    }
    let spent = of_language
        .into_iter()
        .map(|(id, files)| (id.to_owned(), json!(timed(|| parse_all(&files)).1.cpu)));
    Ok(Value::Object(spent.collect()))
}

#[derive(Default)]
struct Totals {
    parse: Samples,
    whole: Samples,
    analysis: Samples,
    engine: Samples,
    ratio: Samples,
}

impl Totals {
    fn add(&mut self, parsed: f64, whole: f64, workspace: &Workspace<'_>) {
        self.parse.push(parsed);
        self.whole.push(whole);
        self.ratio.push(whole / parsed);
        self.analysis.push(workspace.analysis_time.cpu);
        self.engine.push(workspace.engine_time.cpu);
    }

    fn to_json(&self) -> Value {
        json!({
            "parseMs": self.parse.to_json(),
            "indexMs": self.whole.to_json(),
            "analysisMs": self.analysis.to_json(),
            "engineMs": self.engine.to_json(),
            "ratio": self.ratio.to_json(),
        })
    }
}

impl Measured {
    fn to_json(&self) -> Value {
        json!({
            "files": self.files,
            "bytes": self.bytes,
            "lines": self.lines,
            "parseMs": self.parse.to_json(),
            "analysisMs": self.analysis.to_json(),
            "ratio": self.analysis.quantile(0.5) / self.parse.quantile(0.5),
        })
    }
}

/// Only what the index takes in is parsed beside it: the same bytes.
fn indexed(files: Vec<SourceFile>) -> Vec<SourceFile> {
    files.into_iter().filter(is_indexed).collect()
}

fn is_indexed(file: &SourceFile) -> bool {
    let outcome = analyse(&file.path, &file.bytes, LIMITS);
    matches!(outcome, Outcome::Facts(_) | Outcome::Names(_))
}

/// Parses with tree-sitter and does nothing else.
fn parse_all(files: &[(Language, String)]) -> usize {
    let mut parser = Parser::new();
    let mut trees = 0;
    for (language, text) in files {
        let grammar = language.grammar();
        let is_set = grammar.is_some_and(|grammar| parser.set_language(&grammar).is_ok());
        if is_set && parser.parse(text, None).is_some() {
            trees += 1;
        }
    }
    trees
}
