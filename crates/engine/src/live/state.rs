//! The past of documents that no editor holds, edits on their way, and what the editor shows.

use std::cell::Cell;
use std::collections::VecDeque;

use codecortex_live::{EditorState, Hint, History, MOST_HINTS, Moment, Origin, Snapshot};
use codecortex_protocol::ToolError;
use rustc_hash::FxHashMap;

use crate::live::edit::Edit;
use crate::live::recorder::Recorder;

/// Histories of documents that are not open any more: edited by tools, or closed lately.
const MOST_CLOSED: usize = 32;

/// What is known besides the documents themselves.
#[derive(Debug, Default)]
pub(crate) struct Live {
    pub editor: EditorState,
    /// What became of edits that were asked for, the latest last.
    pub(crate) hints: VecDeque<Hint>,
    /// Documents that no editor holds, the one that was seen last at the end.
    pub(crate) closed: Vec<Closed>,
    /// Absolute path of the document that changed last.
    pub(crate) latest: Option<String>,
    /// The number of the last edit that was asked for.
    last_edit: Cell<u32>,
    /// Edits on their way, by the questions that ask the host for them.
    pub(crate) edits: Vec<(u32, Edit)>,
    /// What became of edits, by these questions, until the calls that asked for them hear it.
    pub(crate) ended: FxHashMap<u32, Result<Edit, ToolError>>,
    /// The recording that is being made.
    pub(crate) recorder: Option<Recorder>,
}

/// A document that no editor holds.
#[derive(Debug)]
pub(crate) struct Closed {
    /// Absolute path.
    path: String,
    history: History,
    /// The text when it was seen last.
    last: Snapshot,
}

impl Live {
    /// Keeps the past of a document that no editor holds.
    pub(crate) fn keep(&mut self, path: String, history: History, last: Snapshot) {
        self.closed.retain(|known| known.path != path);
        self.closed.push(Closed {
            path,
            history,
            last,
        });
        if self.closed.len() > MOST_CLOSED {
            self.closed.remove(0);
        }
    }

    /// Takes the past of a document, and its text when it was seen last.
    pub(crate) fn take(&mut self, path: &str) -> Option<(History, Snapshot)> {
        let place = self.closed.iter().position(|known| known.path == path)?;
        let closed = self.closed.remove(place);
        Some((closed.history, closed.last))
    }

    /// The past of a document that no editor holds.
    pub(crate) fn closed(&self, path: &str) -> Option<&History> {
        let found = self.closed.iter().find(|known| known.path == path);
        found.map(|known| &known.history)
    }

    /// A file was read. What others wrote since it was seen last is a step of its past.
    pub(crate) fn seen_on_disk(&mut self, path: &str, now: &Snapshot, moment: Moment) {
        let (mut history, last) = self.take(path).unwrap_or_else(|| {
            let mut history = History::default();
            history.begin(moment);
            (history, now.clone())
        });
        history.replaced(&last, &now.text, Origin::Disk, moment);
        self.keep(path.to_owned(), history, now.clone());
    }

    /// Takes what became of an edit, by the question that asked the host for it.
    pub(crate) fn take_ended(&mut self, question: u32) -> Option<Result<Edit, ToolError>> {
        self.ended.remove(&question)
    }

    /// Whether a question asks the host for an edit that is on its way.
    pub(crate) fn is_edit(&self, question: u32) -> bool {
        self.edits.iter().any(|(known, _)| *known == question)
    }

    /// A number for an edit.
    pub(crate) fn next_edit(&self) -> u32 {
        self.last_edit.set(self.last_edit.get().wrapping_add(1));
        self.last_edit.get()
    }

    /// Numbers of edits that were given out.
    pub(crate) fn edits_asked(&self) -> u32 {
        self.last_edit.get()
    }

    /// Goes on with the numbers of edits.
    pub(crate) fn begin_edits(&self, asked: u32) {
        self.last_edit.set(asked);
    }

    /// Whether a recording is being made.
    pub(crate) fn is_recorded(&self) -> bool {
        self.recorder.is_some()
    }

    /// Whether a file is being edited by a tool.
    pub(crate) fn is_being_edited(&self, path: &str) -> bool {
        let mut files = self.edits.iter().flat_map(|(_, edit)| &edit.files);
        files.any(|file| file.located.path == path)
    }

    /// The version that a tool's edit on its way makes of a file.
    pub(crate) fn edited_to(&self, path: &str) -> Option<&String> {
        let mut files = self.edits.iter().flat_map(|(_, edit)| &edit.files);
        Some(&files.find(|file| file.located.path == path)?.version)
    }

    /// Notes what became of an edit; the oldest is forgotten.
    pub(crate) fn hint(&mut self, hint: Hint) {
        self.hints.push_back(hint);
        while self.hints.len() > MOST_HINTS {
            self.hints.pop_front();
        }
    }

    /// Bytes that histories hold, roughly.
    pub(crate) fn memory(&self) -> usize {
        let held = |known: &Closed| known.history.memory() + known.last.text.len();
        self.closed.iter().map(held).sum()
    }

    /// Lets go of what is kept for closed documents.
    pub(crate) fn forget_closed(&mut self) {
        self.closed.clear();
    }
}
