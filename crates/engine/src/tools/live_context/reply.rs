//! What an answer about live context says, and what of it is shown.

use codecortex_text::TextDocument;

use crate::tools::live_context::data::{
    CurrentDocument, Delta, DiffSummary, EditorData, EditorProblem, HintData,
};
use crate::tools::live_context::windows::Windows;

/// What of an answer is shown.
pub(crate) struct ReplyCut<'a> {
    pub live: &'a LiveReply,
    pub is_whole: bool,
    pub hints: &'a [HintData],
    pub problems: &'a [EditorProblem],
    pub diffs: &'a [DiffSummary],
    pub anchor: Option<&'a DiffSummary>,
    pub blocks: usize,
    pub outline: usize,
}

pub(crate) struct LiveReply {
    pub shown: Option<LiveDocument>,
    pub delta: Option<Delta>,
    pub diffs: Vec<DiffSummary>,
    pub anchor: Option<DiffSummary>,
    pub editor: EditorData,
    pub hints: Vec<HintData>,
    pub pieces: Vec<Droppable>,
}

/// The document of an answer.
pub(crate) struct LiveDocument {
    pub head: CurrentDocument,
    pub text: TextDocument,
    pub is_long: bool,
    pub windows: Windows,
}

/// What can be left out, the most important first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Droppable {
    Hint,
    Problem,
    Block,
    Diff,
    Anchor,
    Outline,
}
