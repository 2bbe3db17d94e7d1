//! The past of documents that no editor holds, edits on their way, and what the editor shows.

use std::cell::Cell;
use std::collections::VecDeque;

use codecortex_protocol::{ErrorCode, ToolError};
use rustc_hash::FxHashMap;

use crate::edit::{FailedEdit, LiveEdit};
use crate::editor::EditorState;
use crate::history::{EditOrigin, History, Moment, Snapshot};
use crate::plan::{Hint, MAX_HINTS};
use crate::recorder::Recorder;

/// The most histories of documents that no editor holds: edited by tools, or closed lately.
const MAX_CLOSED: usize = 32;

/// The state of live context beside the open documents.
#[derive(Debug, Default)]
pub struct Live {
    /// What the editor shows.
    pub editor: EditorState,
    /// Outcomes of requested edits, the latest last.
    pub(crate) hints: VecDeque<Hint>,
    /// Documents that no editor holds, the one that was read last at the end.
    closed: Vec<Closed>,
    /// Absolute path of the document that changed last.
    latest: Option<String>,
    /// The number of the last edit that was asked for.
    last_edit: Cell<u32>,
    /// Edits on their way, by the questions that ask the host for them.
    edits: Vec<(u32, LiveEdit)>,
    /// Outcomes of edits, by these questions, until the calls that asked for them take them.
    ended: FxHashMap<u32, Result<LiveEdit, ToolError>>,
    /// The recording that is being made.
    pub(crate) recorder: Option<Recorder>,
}

/// A document that no editor holds.
#[derive(Debug)]
struct Closed {
    /// Absolute path.
    path: String,
    history: History,
    /// The text when it was read last.
    last: Snapshot,
}

impl Live {
    /// Keeps the past of a document that no editor holds.
    pub fn keep(&mut self, path: String, history: History, last: Snapshot) {
        self.closed.retain(|known| known.path != path);
        self.closed.push(Closed {
            path,
            history,
            last,
        });
        if self.closed.len() > MAX_CLOSED {
            self.closed.remove(0);
        }
    }

    /// Takes the past of a document, and its text when it was seen last.
    pub fn take(&mut self, path: &str) -> Option<(History, Snapshot)> {
        let place = self.closed.iter().position(|known| known.path == path)?;
        let closed = self.closed.remove(place);
        Some((closed.history, closed.last))
    }

    /// The past of a document that no editor holds.
    pub fn closed(&self, path: &str) -> Option<&History> {
        let found = self.closed.iter().find(|known| known.path == path);
        found.map(|known| &known.history)
    }

    /// A file was read. What others wrote since it was seen last is a step of its past.
    pub fn seen_on_disk(&mut self, path: &str, now: &Snapshot, moment: Moment) {
        let (mut history, last) = self.take(path).unwrap_or_else(|| {
            let mut history = History::default();
            history.begin(moment);
            (history, now.clone())
        });
        history.replaced(&last, &now.text, EditOrigin::Disk, moment);
        self.keep(path.to_owned(), history, now.clone());
    }

    /// Outcomes of requested edits, the oldest first.
    pub fn hints(&self) -> impl DoubleEndedIterator<Item = &Hint> {
        self.hints.iter()
    }

    /// Absolute path of the document that changed last.
    pub fn latest(&self) -> Option<&String> {
        self.latest.as_ref()
    }

    /// Notes which document changed last, by its absolute path.
    pub fn set_latest(&mut self, path: Option<String>) {
        self.latest = path;
    }

    /// Keeps an edit until the host replies to the question that asks for it.
    pub fn begin_edit(&mut self, question: u32, edit: LiveEdit) {
        self.edits.push((question, edit));
    }

    /// Takes an edit out, by the question that asked the host for it; none for a question of an earlier workspace.
    pub fn take_edit(&mut self, question: u32) -> Option<LiveEdit> {
        let place = self.edits.iter().position(|(own, _)| *own == question)?;
        Some(self.edits.remove(place).1)
    }

    /// Keeps the outcome of an edit for the call that asked for it.
    pub fn end_edit(&mut self, question: u32, outcome: Result<LiveEdit, ToolError>) {
        self.ended.insert(question, outcome);
    }

    /// Notes a made edit. `is_open` says which documents an editor holds: their histories have the edit already.
    pub fn note_made(&mut self, edit: &LiveEdit, is_open: impl Fn(&str) -> bool, moment: Moment) {
        for file in &edit.files {
            let path = &file.located.path;
            let now_at = file.moved_to.as_ref().map_or(path, |to| &to.path);
            if !is_open(path) {
                let (mut history, last) = self.take(path).unwrap_or_default();
                if !file.effect.deleted {
                    let before = file.before.clone().map_or(last, Snapshot::new);
                    history.replaced(&before, &file.after, EditOrigin::Tool, moment);
                    let now = Snapshot::new(file.after.clone());
                    self.keep(now_at.clone(), history, now);
                }
            }
            if !file.effect.deleted {
                self.latest = Some(now_at.clone());
            }
        }
        let files = edit.files.iter();
        self.hint(Hint {
            id: edit.id,
            summary: edit.summary.clone(),
            files: files
                .clone()
                .map(|file| file.located.display.clone())
                .collect(),
            error: None,
            versions: files.map(|file| file.version.clone()).collect(),
            at: moment.at,
        });
    }

    /// Notes a failed edit in the past of documents that no editor holds, and among the hints (SPEC LC3).
    pub fn note_failed(
        &mut self,
        failed: FailedEdit,
        is_open: impl Fn(&str) -> bool,
        moment: Moment,
    ) {
        let files = failed.files.iter();
        for file in files.filter(|file| !is_open(&file.located.path)) {
            if let Some((mut history, last)) = self.take(&file.located.path) {
                let (patch, reason) = (file.patch.clone(), failed.reason.clone());
                history.failed(last.text.clone(), patch, reason, moment);
                self.keep(file.located.path.clone(), history, last);
            }
        }
        let files = failed.files.iter();
        self.hint(Hint {
            id: failed.id,
            files: files.map(|file| file.located.display.clone()).collect(),
            summary: failed.summary,
            error: Some(failed.reason),
            versions: Vec::new(),
            at: moment.at,
        });
    }

    /// Ends the edits on their way: the host does not report the outcomes of an earlier workspace.
    pub fn abandon_edits(&mut self) {
        for (question, _) in std::mem::take(&mut self.edits) {
            let error = ToolError::new(
                ErrorCode::Unavailable,
                "The workspace was set up anew while the edit was being applied.",
            )
            .hint("Look at codecortex_getLiveContext whether it was done.");
            self.ended.insert(question, Err(error));
        }
    }

    /// Takes what became of an edit, by the question that asked the host for it.
    pub fn take_ended(&mut self, question: u32) -> Option<Result<LiveEdit, ToolError>> {
        self.ended.remove(&question)
    }

    /// Whether a question asks the host for an edit that is on its way.
    pub fn is_edit(&self, question: u32) -> bool {
        self.edits.iter().any(|(known, _)| *known == question)
    }

    /// A number for an edit.
    pub fn next_edit(&self) -> u32 {
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

    /// Whether a file is being edited by a tool.
    pub fn is_being_edited(&self, path: &str) -> bool {
        let mut files = self.edits.iter().flat_map(|(_, edit)| &edit.files);
        files.any(|file| file.located.path == path)
    }

    /// The version that a tool's edit on its way makes of a file.
    pub fn edited_to(&self, path: &str) -> Option<&String> {
        let mut files = self.edits.iter().flat_map(|(_, edit)| &edit.files);
        Some(&files.find(|file| file.located.path == path)?.version)
    }

    /// Notes what became of an edit; the oldest is forgotten.
    pub(crate) fn hint(&mut self, hint: Hint) {
        self.hints.push_back(hint);
        while self.hints.len() > MAX_HINTS {
            self.hints.pop_front();
        }
    }

    /// Forgets everything of the past, so that a recording begins with what documents are.
    pub(crate) fn forget_past(&mut self) {
        self.closed.clear();
        self.hints.clear();
        self.latest = None;
    }

    /// Bytes that histories hold, roughly.
    pub fn memory(&self) -> usize {
        let held = |known: &Closed| known.history.memory() + known.last.text.len();
        self.closed.iter().map(held).sum()
    }

    /// Lets go of what is kept for closed documents.
    pub fn forget_closed(&mut self) {
        self.closed.clear();
    }
}
