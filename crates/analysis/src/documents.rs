//! Open documents: their text wins over the disk (SPEC I1, X2).
//!
//! An edit only changes the rope and tells the tree where; parsing waits until somebody asks, so
//! that a burst of typing is parsed once.

use codecortex_live::{History, Moment, Snapshot};
use codecortex_protocol::{Position, TextChange};
use codecortex_syntax::language::detect;
use codecortex_syntax::{Facts, IncrementalReader, Limits, Outcome, Reuse, is_left_out};
use codecortex_text::{DocumentEdit, TextDocument, Utf16Position};

/// A tree takes about this many bytes for each byte of its text.
const TREE_FACTOR: usize = 25;
/// More edits than this are not made a second time.
const MAX_REPEATED: usize = 16;

/// A document that an editor holds.
#[derive(Debug)]
pub struct OpenDocument {
    now: Snapshot,
    /// What it was before.
    pub history: History,
    /// The document once more, as parsers and walks read it: in one piece, without the edits that are
    /// `pending`. Typing does not touch it.
    text: String,
    pending: Vec<(DocumentEdit, String)>,
    reader: Option<IncrementalReader>,
    /// Whether the facts of the last [`OpenDocument::outcome`] are older than the text.
    pub stale: bool,
    /// Whether the text differs from the disk.
    pub dirty: bool,
    /// The editor's version of the text.
    pub version: i64,
}

impl OpenDocument {
    /// A document with this text and past.
    pub fn new(text: &str, version: i64, dirty: bool, history: History) -> Self {
        Self {
            now: Snapshot::new(TextDocument::new(text)),
            history,
            text: text.to_owned(),
            pending: Vec::new(),
            reader: None,
            stale: true,
            dirty,
            version,
        }
    }

    /// The text.
    pub fn now(&self) -> &Snapshot {
        &self.now
    }

    /// A tool could not change the text.
    pub fn edit_failed(&mut self, patch: String, reason: String, moment: Moment) {
        let now = self.now.text.clone();
        self.history.failed(now, patch, reason, moment);
    }

    /// The text and its past, for when it is closed.
    pub fn into_past(self) -> (History, Snapshot) {
        (self.history, self.now)
    }

    /// The text as it is now.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Bytes that it holds, roughly: the text twice, its past, and its trees.
    pub fn memory(&self) -> usize {
        let trees = self.reader.as_ref().map_or(0, IncrementalReader::trees);
        (2 + trees * TREE_FACTOR) * self.text.len() + self.history.memory()
    }

    /// Lets go of the tree and the past; the next look parses anew.
    pub fn drop_tree(&mut self) {
        self.reader = None;
        self.history.clear();
    }

    /// Applies an editor's changes in order. What is older than the text was applied already, or was
    /// overtaken: it is left out, and false is given.
    pub fn edit(
        &mut self,
        version: i64,
        changes: Vec<TextChange>,
        dirty: bool,
        moment: Moment,
    ) -> bool {
        if version < self.version || version == self.version && !changes.is_empty() {
            return false;
        }
        let is_edited = !changes.is_empty();
        let mut document = self.now.text.clone();
        let mut edits = Vec::with_capacity(changes.len());
        for change in changes {
            let edit = document.apply(position(change.start), position(change.end), &change.text);
            if let Some(reader) = &mut self.reader {
                reader.edit(&edit);
            }
            edits.push((edit, document.len()));
            self.pending.push((edit, change.text));
        }
        if is_edited {
            let length = document.len();
            let before = std::mem::replace(&mut self.now, Snapshot::new(document));
            self.history.edited(before.text, &edits, length, moment);
            self.stale = true;
        }
        self.version = version;
        self.dirty = dirty;
        true
    }

    /// Brings the text in one piece up to date: a few edits are made there too, after many it is copied. Whether one
    /// of them may have left a CR alone.
    fn settle_text(&mut self) -> bool {
        let pending = std::mem::take(&mut self.pending);
        if pending.len() > MAX_REPEATED {
            self.text = self.now.text.text();
            return true;
        }
        let mut has_cr = false;
        for (edit, new) in &pending {
            self.text.replace_range(edit.start..edit.old_end, new);
            has_cr |= new.contains('\r') || self.text[..edit.start].ends_with('\r');
        }
        has_cr
    }

    /// The facts of the text as it is now, and how much they have in common with those `before`, which
    /// are what the index has.
    pub fn outcome(
        &mut self,
        path: &str,
        limits: Limits,
        before: Option<&Facts>,
    ) -> (Outcome, Option<Reuse>) {
        self.stale = false;
        let has_new_cr = self.settle_text();
        let text = self.text.as_str();
        // A lone CR ends a line for the editor but not for the grammars: their rows disagree, so
        // such a text is parsed anew. What has a reader had none.
        let has_lone_cr = (has_new_cr || self.reader.is_none()) && has_lone_cr(text);
        let is_read = !has_lone_cr && !is_left_out(path, text, limits);
        let language = detect(path, text).filter(|_| is_read);
        let reader = self.reader.take();
        if let Some(mut reader) = reader.filter(|reader| Some(reader.language()) == language)
            && let Some((facts, reuse)) = reader.read(text, before)
        {
            self.reader = Some(reader);
            return (Outcome::Facts(facts), reuse);
        }
        // The first look decides by the same rules as for a file: binary, minified, too complex.
        let (outcome, reader) = IncrementalReader::open(path, text, limits);
        self.reader = reader.filter(|_| !has_lone_cr);
        (outcome, None)
    }
}

fn has_lone_cr(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'\r', bytes).any(|at| bytes.get(at + 1) != Some(&b'\n'))
}

fn position(position: Position) -> Utf16Position {
    Utf16Position {
        line: position.line,
        character: position.character,
    }
}
