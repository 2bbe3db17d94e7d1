//! Parts of the answer of a refactoring: steps, words in texts, problems of the result.

use codecortex_edit::UseProblem;
use codecortex_protocol::counts::counted;
use schemars::JsonSchema;
use serde::Serialize;

use crate::tools::refactor::args::TextKind;
use crate::tools::refactor::planned::PlannedEdit;

/// A step of a batch.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct StepData {
    /// What it does, as a title.
    pub(super) summary: String,
    /// Replacements.
    pub(super) edits: u32,
    /// Files that it changes; of a step that finds nothing to do, none.
    pub(super) files: u32,
}

/// How much an edit changes, in words.
pub(super) fn extent(edits: u32, files: usize) -> String {
    let (places, files) = (counted(edits, "place"), counted(files, "file"));
    format!("{places} in {files}")
}

impl StepData {
    pub(super) fn new(step: &PlannedEdit) -> Self {
        Self {
            summary: step.title.summary.clone(),
            edits: step.counts.iter().sum(),
            files: step.counts.len() as u32,
        }
    }

    /// Of a step that leaves everything as it is.
    pub(super) fn nothing_to_do(action: &str) -> Self {
        Self {
            summary: format!("{action}: nothing to change"),
            edits: 0,
            files: 0,
        }
    }

    /// The line of a step in a text.
    pub(super) fn line(&self, number: usize) -> String {
        let summary = &self.summary;
        match self.files {
            0 => format!("// step {number}: {summary}\n"),
            files => {
                let extent = extent(self.edits, files as usize);
                format!("// step {number}: {summary}: {extent}\n")
            }
        }
    }
}

/// A word that changes on request.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct WordData {
    /// `rootName/relative/path:line:character`, from 1, UTF-16.
    place: String,
    /// What holds it: `comment`, `string` or `document`.
    kind: TextKind,
}

impl WordData {
    pub(super) fn new(place: String, kind: TextKind) -> Self {
        Self { place, kind }
    }

    pub(super) fn line(&self) -> String {
        let kind = match self.kind {
            TextKind::Comment => "comment",
            TextKind::String => "string",
            TextKind::Document => "document",
        };
        format!("//   {} {kind}\n", self.place)
    }
}

/// A problem in the result of an edit.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProblemData {
    /// `rootName/relative/path:line:character` in the text afterwards, from 1, UTF-16.
    pub(super) place: String,
    /// `syntaxError`, `unresolved` or `otherMeaning`.
    pub(super) kind: &'static str,
    /// The name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
}

impl ProblemData {
    pub(super) fn syntax_error(place: String) -> Self {
        Self {
            place,
            kind: "syntaxError",
            name: None,
        }
    }

    pub(super) fn of_use(place: String, found: &UseProblem) -> Self {
        Self {
            place,
            kind: match found.is_unresolved {
                true => "unresolved",
                false => "otherMeaning",
            },
            name: Some(found.name.clone()),
        }
    }
}
