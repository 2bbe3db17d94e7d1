//! Open documents: their text wins over the disk (SPEC I1, X2).
//!
//! An edit only changes the rope and tells the tree where; parsing waits until somebody asks, so
//! that a burst of typing is parsed once.

use codecortex_syntax::language::detect;
use codecortex_syntax::{Facts, Limits, Outcome, Reader, Reuse, is_left_out};
use codecortex_text::{Document, Utf16Position};

use crate::protocol::{Position, TextChange};

/// A tree takes about this many bytes for each byte of its text.
const TREE_FACTOR: usize = 25;

/// A document that an editor holds.
#[derive(Debug)]
pub(crate) struct OpenDocument {
    document: Document,
    /// The document once more, as parsers and walks read it: in one piece.
    text: String,
    reader: Option<Reader>,
    /// Whether the facts of the last [`OpenDocument::outcome`] are older than the text.
    pub(crate) stale: bool,
    /// Whether the text differs from the disk.
    pub(crate) dirty: bool,
    /// The editor's version of the text.
    pub(crate) version: i64,
}

impl OpenDocument {
    /// A document with this text.
    pub(crate) fn new(text: &str, version: i64, dirty: bool) -> Self {
        Self {
            document: Document::new(text),
            text: text.to_owned(),
            reader: None,
            stale: true,
            dirty,
            version,
        }
    }

    /// Bytes that it holds, roughly: the text twice, and its tree.
    pub(crate) fn memory(&self) -> usize {
        let tree = self
            .reader
            .as_ref()
            .map_or(0, |_| TREE_FACTOR * self.text.len());
        2 * self.text.len() + tree
    }

    /// Lets go of the tree; the next look parses anew.
    pub(crate) fn drop_tree(&mut self) {
        self.reader = None;
    }

    /// Applies an editor's changes in order.
    pub(crate) fn edit(&mut self, version: i64, changes: &[TextChange], dirty: bool) {
        for change in changes {
            let edit =
                self.document
                    .apply(position(change.start), position(change.end), &change.text);
            self.text
                .replace_range(edit.start..edit.old_end, &change.text);
            if let Some(reader) = &mut self.reader {
                reader.edit(&edit);
            }
        }
        self.version = version;
        self.dirty = dirty;
        self.stale = true;
    }

    /// The facts of the text as it is now, and how much they have in common with those `before`, which
    /// are what the index has.
    pub(crate) fn outcome(
        &mut self,
        path: &str,
        limits: Limits,
        before: Option<&Facts>,
    ) -> (Outcome, Option<Reuse>) {
        self.stale = false;
        let text = self.text.as_str();
        // A lone CR ends a line for the editor but not for the grammars: their rows disagree, so
        // such a text is parsed anew.
        let has_lone_cr = has_lone_cr(text);
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
        let (outcome, reader) = Reader::open(path, text, limits);
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
