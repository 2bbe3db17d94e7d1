//! What a text was a moment ago, an hour ago, and what the editor shows of it (SPEC LC1–LC6; docs/live-context.md).
//!
//! A keystroke costs the edit of a rope and a few numbers: a snapshot is a clone of the rope, which shares
//! all that did not change. Everything that takes longer (ids of versions, differences, windows) is made
//! when somebody asks.

pub(crate) mod edits;
pub(crate) mod record;
pub(crate) mod replay;

use std::cell::Cell;
use std::collections::VecDeque;

use codecortex_analysis::disk_text::DiskText;
use codecortex_analysis::documents::OpenDocument;
use codecortex_live::{
    EditorState, Hint, History, MOST_HINTS, Moment, Origin, Snapshot, version_of,
};
use codecortex_protocol::paths::normal;
use codecortex_protocol::{FetchedFile, Located, Span, TextChange};

use crate::engine::Engine;
use crate::live::edits::Edit;

/// Histories of documents that are not open any more: edited by tools, or closed lately.
const MOST_CLOSED: usize = 32;

/// What is known besides the documents themselves.
#[derive(Debug, Default)]
pub(crate) struct Live {
    pub(crate) editor: EditorState,
    /// What became of edits that were asked for, the latest last.
    pub(crate) hints: VecDeque<Hint>,
    /// Documents that no editor holds, the one that was seen last at the end.
    closed: Vec<Closed>,
    /// Absolute path of the document that changed last.
    pub(crate) latest: Option<String>,
    /// The number of the last edit that was asked for.
    last_edit: Cell<u32>,
    /// Edits on their way.
    edits: Vec<Edit>,
    /// The recording that is being made.
    recorder: Option<record::Recorder>,
}

/// A document that no editor holds.
#[derive(Debug)]
struct Closed {
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

    /// A number for an edit.
    pub(crate) fn next_edit(&self) -> u32 {
        self.last_edit.set(self.last_edit.get().wrapping_add(1));
        self.last_edit.get()
    }

    /// Numbers of edits that were given out.
    fn edits_asked(&self) -> u32 {
        self.last_edit.get()
    }

    /// Goes on with the numbers of edits.
    fn begin_edits(&self, asked: u32) {
        self.last_edit.set(asked);
    }

    /// Whether a recording is being made.
    pub(crate) fn is_recorded(&self) -> bool {
        self.recorder.is_some()
    }

    /// Whether a file is being edited by a tool.
    pub(crate) fn is_being_edited(&self, path: &str) -> bool {
        let mut files = self.edits.iter().flat_map(|edit| &edit.files);
        files.any(|file| file.located.path == path)
    }

    /// The version that a tool's edit on its way makes of a file.
    fn edited_to(&self, path: &str) -> Option<&String> {
        let mut files = self.edits.iter().flat_map(|edit| &edit.files);
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

impl Engine {
    /// An editor holds a document now.
    pub(crate) fn opened(&mut self, path: String, text: &str, version: i64, dirty: bool) {
        let moment = self.code.moment();
        let before = match self.code.documents.remove(&path) {
            Some(document) => Some(document.into_past()),
            None => self.live.take(&path),
        };
        let mut document = OpenDocument::new(text, version, dirty, History::default());
        // An editor opens what it is to change for a tool; of large changes it tells with the whole text.
        let edited = self.live.edited_to(&path);
        let is_tool = edited.is_some_and(|after| *after == version_of(&document.now().text));
        match before {
            Some((mut history, last)) => {
                let origin = if is_tool { Origin::Tool } else { Origin::Disk };
                history.replaced(&last, &document.now().text, origin, moment);
                document.history = history;
            }
            None => document.history.begin(moment),
        }
        document.history.expects_tool = edited.is_some() && !is_tool;
        self.code.documents.insert(path, document);
    }

    /// An open document changed.
    pub(crate) fn edited(
        &mut self,
        path: String,
        version: i64,
        changes: Vec<TextChange>,
        dirty: bool,
    ) {
        let moment = self.code.moment();
        let Some(document) = self.code.documents.get_mut(&path) else {
            return;
        };
        let is_change = !changes.is_empty();
        if document.edit(version, changes, dirty, moment) && is_change {
            if self.live.latest.as_ref() != Some(&path) {
                self.live.latest = Some(path);
            }
            // It is read when somebody asks; who shows the window has to know that asking is worth it.
            self.window.get_mut().revision += 1;
        }
    }

    /// What the editor shows changed.
    pub(crate) fn editor_shows(
        &mut self,
        active: Option<String>,
        selections: Vec<Span>,
        visible: Vec<Span>,
    ) {
        let editor = &mut self.live.editor;
        let active = active.map(|path| normal(&path));
        let is_same = editor.active == active;
        editor.active = active;
        editor.selections = selections;
        // Who tells of the cursor alone says nothing of the screen.
        if !visible.is_empty() || !is_same {
            editor.visible = visible;
        }
    }

    /// The history of a document, open or not.
    pub(crate) fn history(&self, path: &str) -> Option<&History> {
        match self.code.documents.get(path) {
            Some(document) => Some(&document.history),
            None => self.live.closed(path),
        }
    }

    /// Takes in texts that were asked for; false where the number is of something else.
    pub(crate) fn texts_fetched(&mut self, id: u32, fetched: &[FetchedFile]) -> bool {
        let Some(files) = self.code.asked.remove(&id) else {
            return false;
        };
        for (at, file) in files.iter().enumerate() {
            let text = fetched.get(at).map_or(DiskText::Absent, DiskText::of);
            self.note_disk_text(file, &text);
            self.code.disk.insert(file.path.clone(), text);
        }
        self.record_texts(&files);
        self.answer_those_with_texts();
        // The next call looks at the disk anew, unless somebody still waits for another file.
        if self.code.asked.is_empty() {
            self.code.disk.clear();
        }
        true
    }

    /// What was written by others since a tool edited a file is a step of its own.
    fn note_disk_text(&mut self, file: &Located, text: &DiskText) {
        let moment = self.code.moment();
        // Nobody here edits what is outside: of that nothing is kept.
        if let (DiskText::Text { snapshot, .. }, Some(_)) = (text, &file.place) {
            self.live.seen_on_disk(&file.path, snapshot, moment);
        }
    }
}
