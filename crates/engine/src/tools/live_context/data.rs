//! The payload: names as in the memo that it is written after.

use codecortex_analysis::disk_text::TextRef;
use codecortex_analysis::read_outside::{facts_outside, named};
use codecortex_answer::reply::Common;
use codecortex_ledger::rfc3339;
use codecortex_live::Patch;
use codecortex_protocol::{Diagnostic, DocumentSpan, Located, Position, Severity};
use codecortex_secrets::{Look, holds_private_key, look_of};
use codecortex_syntax::Facts;
use codecortex_text::TextDocument;
use schemars::JsonSchema;
use serde::Serialize;

use crate::invocation::Invocation;

/// The most paths and selections that are named.
const MAX_NAMED: usize = 10;

/// Answer of `codecortex_getLiveContext`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LiveData {
    /// The current text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) current_document: Option<CurrentDocument>,
    /// Changes since the version `since`, instead of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) delta: Option<Delta>,
    /// The requested version or lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) requested: Option<Requested>,
    /// The last steps, the latest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) recent_diffs: Vec<DiffSummary>,
    /// Changes since about an hour ago.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) anchor_diff: Option<DiffSummary>,
    /// State of the editor: files, cursors, selections, problems.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) editor_state: Option<EditorData>,
    /// Outcomes of requested edits, the latest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) plan_hints: Vec<HintData>,
    #[serde(flatten)]
    pub(super) common: Common,
}

/// A document as it is now.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CurrentDocument {
    /// `rootName/relative/path`.
    pub(super) file_path: String,
    /// Give it as `since` later, and as `baseVersion` with an edit.
    pub(super) version_id: String,
    /// How many lines there are.
    pub(super) total_lines: u32,
    /// Whether it differs from the disk.
    #[serde(skip_serializing_if = "is_false")]
    pub(super) dirty: bool,
    /// The whole text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
    /// Of a long text, what is around cursors and changes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) windows: Vec<Window>,
    /// What is declared elsewhere in it, with lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) outline: Vec<String>,
    /// Why nothing of its text is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) withheld: Option<&'static str>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

impl CurrentDocument {
    pub(super) fn from_file(file: &Located, text: &TextRef<'_>) -> Self {
        Self {
            file_path: file.display.clone(),
            version_id: text.snapshot.id().clone(),
            total_lines: text.snapshot.text.line_count() as u32,
            dirty: text.is_dirty,
            text: None,
            windows: Vec::new(),
            outline: Vec::new(),
            withheld: is_withheld(&file.path, &text.snapshot.text).then_some(WITHHELD),
        }
    }
}

/// Why a text is not told.
const WITHHELD: &str =
    "The file looks like a file of secrets, so its text is withheld from models.";

/// Whether nothing of a text is told: by its file's name, or because it holds a private key.
pub(super) fn is_withheld(path: &str, text: &TextDocument) -> bool {
    look_of(path) == Look::Secret || holds_private_key(&text.text())
}

/// Some lines of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Window {
    /// First line, from 1.
    pub(super) start_line: u32,
    /// Last line.
    pub(super) end_line: u32,
    /// The lines.
    pub(super) text: String,
}

/// The lines of a text with their numbers, the first of which is given.
pub(super) fn lines_from(first: u32, text: &str) -> impl Iterator<Item = (u32, &str)> {
    (first..).zip(text.lines())
}

/// What changed since a version.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Delta {
    /// The version that the caller knows.
    pub(super) from: String,
    /// The current one.
    pub(super) to: String,
    /// A unified diff; empty where nothing changed.
    pub(super) patch: String,
}

/// A version or lines of one.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Requested {
    /// `rootName/relative/path`.
    pub(super) file_path: String,
    /// The version.
    pub(super) version_id: String,
    /// Whether it is the current one.
    pub(super) is_current: bool,
    /// First line, from 1.
    pub(super) start_line: u32,
    /// Last line.
    pub(super) end_line: u32,
    /// How many lines the version has.
    pub(super) total_lines: u32,
    /// The lines.
    pub(super) text: String,
}

/// A step.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DiffSummary {
    /// The version after it; of an anchor, the version it compares with.
    pub(super) version_id: String,
    /// UTC.
    pub(super) timestamp: String,
    /// A unified diff, long ones cut.
    pub(super) patch_snippet: String,
    /// First line concerned, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) affected_line_start: Option<u32>,
    /// Last line concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) affected_line_end: Option<u32>,
    /// Who did it: `editor`, `tool` or `disk`; `anchor` for a comparison with an older text.
    pub(super) origin: &'static str,
    /// An edit that failed: the text did not change.
    #[serde(rename = "is_error", skip_serializing_if = "is_false")]
    pub(super) is_error: bool,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
}

impl DiffSummary {
    pub(super) fn from_version(version: &str, at: u64, patch: Patch) -> Self {
        Self {
            version_id: version.to_owned(),
            timestamp: time(at),
            patch_snippet: patch.text,
            affected_line_start: patch.lines.map(|(first, _)| first as u32),
            affected_line_end: patch.lines.map(|(_, last)| last as u32),
            origin: "editor",
            is_error: false,
            error: None,
        }
    }
}

/// A time to the second; empty where no host told one.
pub(super) fn time(at: u64) -> String {
    match at {
        0 => String::new(),
        at => rfc3339(at / 1000 * 1000),
    }
}

/// A place, as an editor shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct LivePosition {
    /// Line from 1.
    line: u32,
    /// Character from 1, in UTF-16 units.
    character: u32,
}

impl From<Position> for LivePosition {
    fn from(position: Position) -> Self {
        Self {
            line: position.line.saturating_add(1),
            character: position.character.saturating_add(1),
        }
    }
}

/// A range, as an editor shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct EditorRange {
    /// Its start.
    start: LivePosition,
    /// Its end, exclusive.
    end: LivePosition,
}

impl From<DocumentSpan> for EditorRange {
    fn from(span: DocumentSpan) -> Self {
        Self {
            start: span.start.into(),
            end: span.end.into(),
        }
    }
}

/// State of the editor: files, cursors, selections, problems.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EditorData {
    /// The document that has the focus.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) active_file: Option<String>,
    /// Where its cursors are, the primary one first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) cursors: Vec<LivePosition>,
    /// What is selected in it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) selections: Vec<EditorRange>,
    /// First and last line on the screen, from 1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) visible_ranges: Vec<(u32, u32)>,
    /// Documents that differ from the disk, at most ten.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) dirty_files: Vec<String>,
    /// Number of unsaved files.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) dirty_total: u32,
    /// Problems of the document that is shown, the gravest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) diagnostics: Vec<EditorProblem>,
    /// Problems of all documents.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) problems_total: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// A problem.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct EditorProblem {
    /// Line from 1.
    pub(super) line: u32,
    /// How grave it is.
    pub(super) severity: Severity,
    /// What it says.
    pub(super) message: String,
    /// Who says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<String>,
}

impl EditorProblem {
    fn from_diagnostic(diagnostic: &Diagnostic) -> Self {
        Self {
            line: diagnostic.span.start.line.saturating_add(1),
            severity: diagnostic.severity,
            message: diagnostic.message.chars().take(400).collect(),
            source: diagnostic.source.clone(),
        }
    }
}

impl EditorData {
    pub(super) fn new(cx: &Invocation<'_>, shown: Option<&Located>) -> Self {
        let editor = &cx.session.live.editor;
        let mut dirty: Vec<String> = cx
            .documents
            .iter()
            .filter(|(_, document)| document.dirty)
            .map(|(path, _)| named(cx, path).display)
            .collect();
        dirty.sort();
        let dirty_total = dirty.len() as u32;
        dirty.truncate(MAX_NAMED);
        let is_empty = |span: &&DocumentSpan| span.start == span.end;
        let spans = || editor.selections.iter().take(MAX_NAMED);
        let line = |line: u32| line.saturating_add(1);
        let shown = shown.map_or(&[][..], |file| editor.diagnostics(&file.path));
        Self {
            active_file: editor.active.as_ref().map(|path| named(cx, path).display),
            cursors: spans().map(|span| span.end.into()).collect(),
            selections: spans()
                .filter(|span| !is_empty(span))
                .map(|span| (*span).into())
                .collect(),
            visible_ranges: editor
                .visible
                .iter()
                .take(MAX_NAMED)
                .map(|span| (line(span.start.line), line(span.end.line)))
                .collect(),
            dirty_files: dirty,
            dirty_total,
            diagnostics: shown
                .iter()
                .take(MAX_PROBLEMS)
                .map(EditorProblem::from_diagnostic)
                .collect(),
            problems_total: editor.problems().1 as u32,
        }
    }
}

/// What became of an edit.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HintData {
    /// The number of the edit.
    pub(super) edit_id: u32,
    /// UTC.
    pub(super) timestamp: String,
    /// What it was for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) summary: Option<String>,
    /// The files.
    pub(super) files: Vec<String>,
    /// `done` or `failed`.
    pub(super) status: &'static str,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    /// The versions of the files afterwards.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) version_ids: Vec<String>,
}

impl HintData {
    /// The last ones, the latest first.
    pub(super) fn latest(cx: &Invocation<'_>, most: usize) -> Vec<Self> {
        let hints = cx.session.live.hints().rev().take(most);
        hints
            .map(|hint| Self {
                edit_id: hint.id,
                timestamp: time(hint.at),
                summary: hint.summary.clone(),
                files: hint.files.clone(),
                status: if hint.error.is_none() {
                    "done"
                } else {
                    "failed"
                },
                reason: hint.error.clone(),
                version_ids: hint.versions.clone(),
            })
            .collect()
    }
}

impl std::fmt::Display for LivePosition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.line, self.character)
    }
}

impl std::fmt::Display for EditorRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.start, self.end)
    }
}

/// Problems that are shown.
pub(crate) const MAX_PROBLEMS: usize = 20;

/// The facts of a file, in the index or outside.
pub(crate) fn facts_of<'a>(cx: &'a Invocation<'_>, file: &Located) -> Option<&'a Facts> {
    match &file.place {
        Some(place) => {
            let id = cx.code.index().file_id(place.root, &place.path)?;
            Some(&cx.code.index().file(id)?.facts)
        }
        None => facts_outside(cx, file).ok(),
    }
}
