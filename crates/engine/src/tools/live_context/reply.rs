//! What an answer about live context says, and what of it is shown.

use codecortex_text::Document;

use crate::tools::live_context::data::{
    CurrentDocument, Delta, DiffSummary, EditorData, HintData, Problem,
};
use crate::tools::live_context::windows::Windows;

/// What of an answer is shown.
pub(crate) struct Cut<'a> {
    pub live: &'a LiveReply,
    pub is_whole: bool,
    pub hints: &'a [HintData],
    pub problems: &'a [Problem],
    pub diffs: &'a [DiffSummary],
    pub anchor: Option<&'a DiffSummary>,
    pub blocks: usize,
    pub outline: usize,
}

pub(crate) struct LiveReply {
    pub shown: Option<Shown>,
    pub delta: Option<Delta>,
    pub diffs: Vec<DiffSummary>,
    pub anchor: Option<DiffSummary>,
    pub editor: EditorData,
    pub hints: Vec<HintData>,
    pub pieces: Vec<Piece>,
}

/// The document of an answer.
pub(crate) struct Shown {
    pub head: CurrentDocument,
    pub text: Document,
    pub is_long: bool,
    pub windows: Windows,
}

/// What can be left out, the most important first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Hint,
    Problem,
    Block,
    Diff,
    Anchor,
    Outline,
}
