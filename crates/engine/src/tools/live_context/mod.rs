//! `codecortex_getLiveContext`: what is being edited now (SPEC LC2, LC3, LC5, D15, D27).

pub(crate) mod data;
pub(crate) mod markdown;
pub(crate) mod reply;
pub(crate) mod version_text;
pub(crate) mod windows;

use codecortex_analysis::read_outside::named;
use codecortex_answer::args::{check_range, parse};
use codecortex_answer::reply::{Common, Reply, ToolResult};
use codecortex_live::{History, Labels, Snapshot, StepContent, unified};
use codecortex_protocol::{ErrorCode, Failure, Located, ToolError};
use codecortex_text::TextDocument;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::actions::Action;
use crate::calls::{CallContext, boxed_reply};
use crate::invocation::Invocation;
use crate::live::history;
use crate::tool_use::ToolUse;
use crate::tools::live_context::data::{
    CurrentDocument, Delta, DiffSummary, EditorData, HintData, LiveData, is_withheld, time,
};
use crate::tools::live_context::reply::{Droppable, LiveDocument, LiveReply, ReplyCut};
use crate::tools::live_context::windows::Windows;
use crate::tools::schema::schema_of;
use crate::tools::tool::{Profile, Tool};

/// A longer text is shown by windows, unless lines are asked for.
const LONG: usize = 32 << 10;
/// The anchor is nearest to what the text was so many ms ago (SPEC D27).
const ANCHOR_AGO: u64 = 60 * 60_000;
/// Lines of a patch.
const PATCH_LINES: usize = 120;
/// Edits whose fate is shown.
const SHOWN_HINTS: usize = 5;

/// Arguments of `codecortex_getLiveContext`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LiveArgs {
    /// A file; the active one by default.
    file_path: Option<String>,
    /// Returns only changes since this version.
    since: Option<String>,
    /// Returns the text of this version instead.
    version_id: Option<String>,
    /// First line to return, from 1.
    start_line: Option<u64>,
    /// Last line to return.
    end_line: Option<u64>,
    /// Number of recent diffs; 3 by default.
    #[schemars(range(min = 0, max = 5), extend("x-profile" = "full"))]
    diffs: Option<u64>,
}

async fn handle(cx: CallContext, args: Value) -> Result<Box<dyn Reply>, ToolError> {
    let args: LiveArgs = parse(args)?;
    cx.look(|cx| live_context(cx, &args)).await
}

fn live_context(cx: &Invocation<'_>, args: &LiveArgs) -> ToolResult {
    let diffs = check_range("diffs", args.diffs.unwrap_or(3), 0, 5)?;
    let file = match &args.file_path {
        Some(path) => Some(cx.locate(path)?),
        None => document_in_focus(cx),
    };
    let wants_lines = args.start_line.is_some() || args.end_line.is_some();
    if args.version_id.is_some() || wants_lines {
        let file = file
            .ok_or_else(|| ToolError::invalid("No document is open.").hint("Give `filePath`."))?;
        return version_text::past_reply(cx, &file, args);
    }
    let path = file.as_ref().map(|file| file.path.clone());
    let live = LiveReply::new(cx, file, args.since.clone(), diffs)?;
    if cx.session.live.is_recorded() {
        let text = live.text(0, live.pieces.len());
        cx.enqueue(Action::Payload(path, text));
    }
    Ok(Box::new(live))
}

/// The document that the editor shows; where none is, the one that changed last.
fn document_in_focus(cx: &Invocation<'_>) -> Option<Located> {
    let active = cx.session.live.editor.active.as_ref();
    let active = active.filter(|path| cx.code.documents().contains_key(*path));
    let path = active.or(cx.session.live.latest())?;
    Some(named(cx, path))
}

impl LiveReply {
    fn new(
        cx: &Invocation<'_>,
        file: Option<Located>,
        since: Option<String>,
        diffs: usize,
    ) -> Result<Self, Failure> {
        let mut live = Self {
            shown: None,
            delta: None,
            diffs: Vec::new(),
            anchor: None,
            editor: EditorData::new(cx, file.as_ref()),
            hints: HintData::latest(cx, SHOWN_HINTS),
            pieces: Vec::new(),
        };
        if let Some(file) = file {
            let text = cx.text_of(&file)?;
            if is_withheld(&file.path, &text.snapshot.text) {
                return Ok(live.without_text(CurrentDocument::from_file(&file, &text)));
            }
            let none = History::default();
            let history = history(cx.session, &file.path).unwrap_or(&none);
            let now = text.snapshot;
            live.diffs = recent(history, now, since.as_deref(), diffs);
            // Where the steps lead back to the same text, they say the same.
            let told = history.steps(now).take(live.diffs.len()).last();
            let told = told.map(|(step, _)| step.before.id());
            live.anchor = anchor(cx, history, now)
                .filter(|anchor| told.is_none_or(|told| anchor.version_id != *told));
            live.delta = match &since {
                Some(since) => delta(&file, history, now, since),
                None => None,
            };
            let head = CurrentDocument::from_file(&file, &text);
            let windows = windows::windows_reply(cx, &file, &now.text, &live.diffs);
            live.shown = Some(LiveDocument {
                is_long: now.text.len() > LONG,
                text: now.text.clone(),
                head,
                windows,
            });
        }
        live.pieces = live.in_order();
        Ok(live)
    }

    /// Of a file of secrets: that it is there, and nothing of its text, its past and its problems.
    fn without_text(mut self, head: CurrentDocument) -> Self {
        self.editor.diagnostics.clear();
        self.shown = Some(LiveDocument {
            head,
            text: TextDocument::new(""),
            is_long: false,
            windows: Windows::default(),
        });
        self.pieces = self.in_order();
        self
    }

    /// Everything that can be left out, the most important first: what failed and why, the lines around the
    /// cursor, the last change; then ever more of each.
    fn in_order(&self) -> Vec<Droppable> {
        let shown = self.shown.as_ref().filter(|_| self.delta.is_none());
        let mut left = [
            (Droppable::Hint, self.hints.len()),
            (Droppable::Problem, self.editor.diagnostics.len()),
            (
                Droppable::Block,
                shown.map_or(0, |shown| shown.windows.blocks()),
            ),
            (Droppable::Diff, self.diffs.len()),
            (Droppable::Anchor, usize::from(self.anchor.is_some())),
            (
                Droppable::Outline,
                shown.map_or(0, |shown| shown.windows.outline.len()),
            ),
        ];
        let rounds = [
            (Droppable::Hint, usize::MAX),
            (Droppable::Block, 5),
            (Droppable::Problem, 5),
            (Droppable::Diff, 1),
            (Droppable::Block, 10),
            (Droppable::Diff, 2),
            (Droppable::Problem, usize::MAX),
            (Droppable::Outline, 40),
            (Droppable::Block, usize::MAX),
            (Droppable::Anchor, 1),
            (Droppable::Diff, usize::MAX),
            (Droppable::Outline, usize::MAX),
        ];
        let mut pieces = Vec::new();
        for (wanted, most) in rounds {
            for (piece, left) in &mut left {
                if *piece == wanted {
                    let count = most.min(*left);
                    *left -= count;
                    pieces.extend(std::iter::repeat_n(wanted, count));
                }
            }
        }
        pieces
    }

    fn is_whole(&self, level: usize) -> bool {
        let is_long = self.shown.as_ref().is_some_and(|shown| shown.is_long);
        level == 0 && !is_long
    }

    /// What a level shows with so many pieces.
    fn cut(&self, level: usize, pieces: usize) -> ReplyCut<'_> {
        let is_whole = self.is_whole(level);
        let count = |wanted: Droppable| {
            let shown = self.pieces[..pieces].iter();
            shown.filter(|piece| **piece == wanted).count()
        };
        ReplyCut {
            live: self,
            is_whole,
            hints: &self.hints[..count(Droppable::Hint)],
            problems: &self.editor.diagnostics[..count(Droppable::Problem)],
            diffs: &self.diffs[..count(Droppable::Diff)],
            anchor: self
                .anchor
                .as_ref()
                .filter(|_| count(Droppable::Anchor) > 0),
            blocks: count(Droppable::Block),
            outline: if is_whole {
                0
            } else {
                count(Droppable::Outline)
            },
        }
    }
}

impl ReplyCut<'_> {
    /// The document as far as it is shown; of one that the caller knows, what it is now called alone.
    fn document(&self) -> Option<CurrentDocument> {
        let shown = self.live.shown.as_ref()?;
        let mut document = shown.head.clone();
        if self.live.delta.is_some() || document.withheld.is_some() {
            return Some(document);
        }
        if self.is_whole {
            document.text = Some(shown.text.text());
        } else {
            document.windows = shown.windows.first(self.blocks, &shown.text);
            document.outline = shown.windows.outline[..self.outline].to_vec();
        }
        Some(document)
    }
}

/// The last steps, the latest first; none of those before a version that the caller knows.
fn recent(history: &History, now: &Snapshot, since: Option<&str>, most: usize) -> Vec<DiffSummary> {
    let mut diffs = Vec::new();
    for (step, after) in history.steps(now) {
        if diffs.len() == most || since.is_some_and(|since| after.id() == since) {
            break;
        }
        let summary = match &step.what {
            StepContent::Change {
                origin,
                prefix,
                suffix,
            } => {
                let same = Some((*prefix, *suffix));
                let patch = unified(&step.before.text, &after.text, same, None, PATCH_LINES);
                // What was typed and taken back is no step.
                if patch.text.is_empty() {
                    continue;
                }
                let mut summary = DiffSummary::from_version(after.id(), step.at, patch);
                summary.origin = origin.as_str();
                summary
            }
            StepContent::Failure { patch, reason } => DiffSummary {
                version_id: step.before.id().clone(),
                timestamp: time(step.at),
                patch_snippet: patch.clone(),
                affected_line_start: None,
                affected_line_end: None,
                origin: "tool",
                is_error: true,
                error: Some(reason.clone()),
            },
        };
        diffs.push(summary);
    }
    diffs
}

/// Changes since about an hour ago.
fn anchor(cx: &Invocation<'_>, history: &History, now: &Snapshot) -> Option<DiffSummary> {
    let (then, at) = history.anchor(ANCHOR_AGO, cx.clock().count())?;
    let patch = unified(&then.text, &now.text, None, None, PATCH_LINES);
    if patch.text.is_empty() {
        return None;
    }
    let mut summary = DiffSummary::from_version(then.id(), at, patch);
    summary.origin = "anchor";
    Some(summary)
}

/// What changed since a version that the caller knows; none where it is not known any more, or where the text
/// itself is shorter.
fn delta(file: &Located, history: &History, now: &Snapshot, since: &str) -> Option<Delta> {
    let then = history.find(since, now)?;
    let labels = Labels {
        path: &file.display,
        old: then.id(),
        new: now.id(),
    };
    let patch = unified(&then.text, &now.text, None, Some(labels), usize::MAX);
    (patch.text.len() <= now.text.len().max(400)).then(|| Delta {
        from: then.id().clone(),
        to: now.id().clone(),
        patch: patch.text,
    })
}

impl Reply for LiveReply {
    fn levels(&self) -> &'static [&'static str] {
        match (&self.shown, &self.delta) {
            (Some(shown), None) if !shown.is_long => &["whole", "whole→windows"],
            _ => &["windows"],
        }
    }

    fn pieces(&self) -> usize {
        self.pieces.len()
    }

    fn data(&self, level: usize, pieces: usize, common: Common) -> Value {
        let cut = self.cut(level, pieces);
        let mut editor = self.editor.clone();
        editor.diagnostics = cut.problems.to_vec();
        let data = LiveData {
            current_document: cut.document(),
            delta: self.delta.clone(),
            requested: None,
            recent_diffs: cut.diffs.to_vec(),
            anchor_diff: cut.anchor.cloned(),
            editor_state: Some(editor),
            plan_hints: cut.hints.to_vec(),
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, level: usize, pieces: usize) -> String {
        markdown::render(&self.cut(level, pieces))
    }

    fn next_cursor(&self, _: usize) -> Option<String> {
        None
    }

    fn is_unsaved(&self) -> bool {
        self.shown.as_ref().is_some_and(|shown| shown.head.dirty)
    }
}

/// The error for a version that is kept no more.
fn unknown_version(file: &Located, id: &str) -> ToolError {
    let shown: String = id.chars().take(40).collect();
    ToolError::new(
        ErrorCode::NotFound,
        format!("Version `{shown}` of `{}` is not kept.", file.display),
    )
    .hint("Only recent versions are; call without `versionId` for the current text.")
}

/// The row of `codecortex_getLiveContext`.
pub(crate) const TOOL: Tool = Tool {
    name: "codecortex_getLiveContext",
    reference_name: "liveContext",
    title: "Live context",
    description: "Read the file in the editor now: its current text (long files: windows and an outline), recent \
        diffs newest first, changes of the last hour, cursors, problems, and the outcome of your edits.",
    icon: "$(pulse)",
    profile: Profile::Default,
    is_read_only: true,
    is_destructive: false,
    is_idempotent: true,
    needs_confirmation: false,
    sees_generated: false,
    former_name: None,
    uses: &[ToolUse::Recording],
    aliases: &[
        ("path", "filePath"),
        ("file", "filePath"),
        ("version", "versionId"),
    ],
    schema: schema_of::<LiveArgs>,
    output: schema_of::<LiveData>,
    needs: &[],
    handler: |cx, args| boxed_reply(handle(cx, args)),
};
