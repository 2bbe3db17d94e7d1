//! Cold index: everything from bytes to a searchable index, against parsing alone.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use codecortex_syntax::{Outcome, analyse};
use serde_json::{Value, json};
use tree_sitter::Parser;

use crate::clock::{Spent, timed};
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
    let texts: Vec<String> = files
        .iter()
        .map(|file| file.text().unwrap_or_default())
        .collect();
    let mut languages: BTreeMap<&str, Measured> = BTreeMap::new();
    for (file, text) in files.iter().zip(&texts) {
        let measured = languages.entry(file.language.info().id).or_default();
        measured.files += 1;
        measured.bytes += text.len();
        measured.lines += text.lines().count();
    }
    let mut totals = Totals::default();
    for _ in 0..rounds {
        let mut parsed = Spent::default();
        for (id, measured) in &mut languages {
            let of_language = || {
                let both = files.iter().zip(&texts);
                both.filter(|(file, _)| file.language.info().id == *id)
            };
            let (_, spent) = timed(|| parse_all(of_language()));
            measured.parse.push(spent.cpu);
            parsed += spent;
            let (_, spent) = timed(|| of_language().filter(|(file, _)| is_indexed(file)).count());
            measured.analysis.push(spent.cpu);
        }
        let (workspace, whole) = timed(|| Workspace::open(&files));
        totals.add(parsed.cpu, whole.cpu, &workspace);
    }
    let languages: serde_json::Map<String, Value> = languages
        .into_iter()
        .map(|(id, measured)| (id.to_owned(), measured.to_json()))
        .collect();
    Ok(json!({ "total": totals.to_json(), "languages": languages }))
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
    fn add(&mut self, parsed: f64, whole: f64, workspace: &Workspace) {
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
    matches!(analyse(&file.path, &file.bytes, LIMITS), Outcome::Facts(_))
}

/// Parses with tree-sitter and does nothing else.
fn parse_all<'a>(files: impl Iterator<Item = (&'a SourceFile, &'a String)>) -> usize {
    let mut parser = Parser::new();
    let mut trees = 0;
    for (file, text) in files {
        let grammar = file.language.grammar();
        let is_set = grammar.is_some_and(|grammar| parser.set_language(&grammar).is_ok());
        if is_set && parser.parse(text, None).is_some() {
            trees += 1;
        }
    }
    trees
}
