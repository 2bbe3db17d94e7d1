//! A manifest's text while it is read: where things stand in it, and what is wrong with it.

use codecortex_text::LineIndex;
use serde::{Deserialize, Serialize};

use crate::read::ManifestNode;

/// A place in a manifest, as an editor shows it.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct SourcePosition {
    /// Line from 1; 0 when the place is the file as a whole.
    pub line: u32,
    /// UTF-16 unit from 1; 0 when the place is the file as a whole.
    pub column: u32,
}

/// What kind of thing is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ProblemKind {
    /// The manifest does not parse; what could be read of it is used.
    Syntax,
    /// The manifest is above the size limit and was not read.
    TooLarge,
    /// The manifest is no text.
    NotText,
    /// Something has a value of the wrong form.
    Value,
    /// A file or a project that the manifest names does not exist.
    Missing,
    /// The manifest names something that leads back to itself.
    Cycle,
    /// A pattern that cannot be used.
    Pattern,
}

/// Something wrong with a manifest, said to a person.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ManifestProblem {
    /// The manifest, relative to the root.
    pub path: String,
    /// Where in it.
    #[serde(flatten)]
    pub at: SourcePosition,
    /// What kind of problem.
    pub kind: ProblemKind,
    /// A sentence.
    pub message: String,
}

/// A text with the place where it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SpannedText {
    pub(crate) text: String,
    pub(crate) at: SourcePosition,
}

/// A manifest's text and what was found wrong so far.
pub(crate) struct ManifestSource<'a> {
    pub(crate) path: &'a str,
    pub(crate) text: &'a str,
    pub(crate) problems: Vec<ManifestProblem>,
    lines: LineIndex,
}

/// Lines longer than this have no columns: counting them again and again would be quadratic.
const LONG_LINE: u32 = 64 * 1024;

/// More problems than this say nothing new.
const MAX_PROBLEMS: usize = 50;

impl<'a> ManifestSource<'a> {
    pub(crate) fn new(path: &'a str, text: &'a str) -> Self {
        Self {
            path,
            text,
            problems: Vec::new(),
            lines: LineIndex::new(text),
        }
    }

    /// The place of the byte at `offset`.
    pub(crate) fn at(&self, offset: u32) -> SourcePosition {
        let line = self.lines.line_of(offset);
        if offset.saturating_sub(self.lines.line_start(line, self.text)) > LONG_LINE {
            return SourcePosition {
                line: line + 1,
                column: 1,
            };
        }
        let position = self.lines.position(offset, self.text);
        SourcePosition {
            line: position.line + 1,
            column: position.character + 1,
        }
    }

    pub(crate) fn problem(&mut self, offset: u32, kind: ProblemKind, message: impl Into<String>) {
        let at = self.at(offset);
        self.problem_at(at, kind, message);
    }

    pub(crate) fn problem_at(
        &mut self,
        at: SourcePosition,
        kind: ProblemKind,
        message: impl Into<String>,
    ) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(ManifestProblem {
                path: self.path.to_owned(),
                at,
                kind,
                message: message.into(),
            });
        }
    }

    /// A node's text with its place; none when it is no string.
    pub(crate) fn word(&self, node: &ManifestNode) -> Option<SpannedText> {
        Some(SpannedText {
            text: node.text()?.to_owned(),
            at: self.at(node.offset),
        })
    }

    /// The strings of a list, or the one string; anything else in it is a problem.
    pub(crate) fn words(&mut self, node: Option<&ManifestNode>) -> Vec<SpannedText> {
        let Some(node) = node else {
            return Vec::new();
        };
        if let Some(word) = self.word(node) {
            return vec![word];
        }
        let Some(items) = node.list() else {
            if !node.is_null() {
                self.problem(node.offset, ProblemKind::Value, "A list is expected here.");
            }
            return Vec::new();
        };
        let mut words = Vec::with_capacity(items.len());
        for item in items {
            match self.word(item) {
                Some(word) => words.push(word),
                None => self.problem(item.offset, ProblemKind::Value, "A text is expected here."),
            }
        }
        words
    }
}
