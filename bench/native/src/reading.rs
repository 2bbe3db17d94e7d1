//! How much of a file is read again after a keystroke, and why it is all of it where it is.

use std::collections::BTreeMap;

use codecortex_syntax::{Facts, IncrementalReader, Outcome};
use codecortex_text::{LineIndex, TextDocument};
use serde_json::{Value, json};

use crate::clock::timed;
use crate::corpus::LIMITS;
use crate::samples::Samples;

/// What typing reads, without an engine around it.
pub(crate) struct Reading {
    document: TextDocument,
    text: String,
    reader: IncrementalReader,
    facts: Facts,
}

/// What reading after one edit took.
pub(crate) struct Read {
    /// Why the whole file was read; `part` where a part of it was, `excerpt` where no more was parsed.
    how: &'static str,
    /// Nodes looked at, where a part was read.
    visited: Option<usize>,
    /// The reader's share of the time, in ms of processor time.
    cpu: f64,
}

impl Reading {
    /// A file that is opened; `None` where it has no facts.
    pub(crate) fn open(path: &str, text: &str) -> Option<Self> {
        let (Outcome::Facts(facts), reader) = IncrementalReader::open(path, text, LIMITS) else {
            return None;
        };
        Some(Self {
            document: TextDocument::new(text),
            text: text.to_owned(),
            reader: reader?,
            facts,
        })
    }

    /// Types a letter at a byte, or takes it back, and reads what that changed.
    pub(crate) fn read(&mut self, byte: usize, inserts: bool) -> Option<Read> {
        let lines = LineIndex::new(&self.text);
        let (end, new) = if inserts { (byte, "x") } else { (byte + 1, "") };
        let [from, to] = [byte, end].map(|at| lines.position(at as u32, &self.text));
        let edit = self.document.apply(from, to, new);
        self.text.replace_range(byte..end, new);
        let (read, spent) = timed(|| {
            self.reader.edit(&edit);
            self.reader.read(&self.text, Some(&self.facts))
        });
        let (facts, reuse) = read?;
        self.facts = facts;
        let is_excerpt = reuse
            .as_ref()
            .is_some_and(|reuse| reuse.parsed < self.text.len());
        let part = if is_excerpt { "excerpt" } else { "part" };
        Some(Read {
            how: self.reader.reason().map_or(part, |reason| reason.as_str()),
            visited: reuse.map(|reuse| reuse.visited),
            cpu: spent.cpu,
        })
    }
}

/// What edits took, by how the file was read.
#[derive(Default)]
pub(crate) struct Tally {
    times: BTreeMap<&'static str, [Samples; 2]>,
    visited: Samples,
}

impl Tally {
    /// Adds an edit, which took so many ms from the event to the hashes.
    pub(crate) fn add(&mut self, read: Read, whole: f64) {
        let [all, own] = self.times.entry(read.how).or_default();
        all.push(whole);
        own.push(read.cpu);
        if let Some(visited) = read.visited {
            self.visited.push(visited as f64);
        }
    }

    pub(crate) fn to_json(&self) -> Value {
        let times: serde_json::Map<String, Value> = self
            .times
            .iter()
            .map(|(how, [all, own])| {
                let value = json!({ "wholeMs": all.to_json(), "readerMs": own.to_json() });
                ((*how).to_owned(), value)
            })
            .collect();
        json!({ "by": times, "visitedNodes": self.visited.to_json() })
    }
}
