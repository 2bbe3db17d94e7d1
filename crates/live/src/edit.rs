//! An edit that a tool asked for, and one that failed.

use codecortex_protocol::{FileEdit, Located, Position, TextChange};
use codecortex_text::TextDocument;

use crate::history::Version;

/// An edit.
#[derive(Clone, Debug)]
pub struct LiveEdit {
    /// The number of the edit.
    pub id: u32,
    /// Its purpose, in the caller's words.
    pub summary: Option<String>,
    /// The files that it changes.
    pub files: Vec<EditedFile>,
    /// The host's name of the applied edit that this one takes back.
    pub undoes: Option<String>,
}

/// The change of one file.
#[derive(Clone, Debug)]
pub struct EditedFile {
    /// The file.
    pub located: Located,
    /// The text before; none for a new file.
    pub before: Option<TextDocument>,
    /// The text after.
    pub after: TextDocument,
    /// Its version after the edit.
    pub version: Version,
    /// The difference, with a header.
    pub diff: String,
    /// The number of added lines.
    pub added: usize,
    /// The number of removed lines.
    pub removed: usize,
    /// The first and last changed line.
    pub lines: Option<(usize, usize)>,
    /// The change as the host makes it.
    pub effect: FileEdit,
    /// The place of the file afterwards, if it is moved.
    pub moved_to: Option<Located>,
}

/// The version of a file that is deleted.
const DELETED: &str = "deleted";

impl EditedFile {
    /// The same file, which is deleted. Its text after the edit must be empty.
    #[must_use]
    pub fn into_deleted(mut self) -> Self {
        self.effect.deleted = true;
        self.effect.bytes = None;
        // An editor compares its text by what the changes leave.
        self.effect.changes = self.before.iter().map(whole).collect();
        self.version = DELETED.to_owned();
        self
    }

    /// The same file, which is moved.
    #[must_use]
    pub fn into_moved(mut self, to: Located) -> Self {
        self.effect.moved_to = Some(to.path.clone());
        let (from, to_shown) = (&self.located.display, &to.display);
        self.diff = format!("rename from {from}\nrename to {to_shown}\n{}", self.diff);
        self.effect.diff.clone_from(&self.diff);
        self.moved_to = Some(to);
        self
    }
}

/// The removal of a whole text.
fn whole(text: &TextDocument) -> TextChange {
    let end = text.position(text.len());
    TextChange {
        start: Position {
            line: 0,
            character: 0,
        },
        end: Position {
            line: end.line,
            character: end.character,
        },
        text: String::new(),
    }
}

/// An edit that was not made.
#[derive(Clone, Debug)]
pub struct FailedEdit {
    /// The number of the edit.
    pub id: u32,
    /// Its purpose, in the caller's words.
    pub summary: Option<String>,
    /// The files that it was to change.
    pub files: Vec<FailedFile>,
    /// Why it failed.
    pub reason: String,
}

/// A file that was to be changed.
#[derive(Clone, Debug)]
pub struct FailedFile {
    /// The file.
    pub located: Located,
    /// The requested change, as far as it is known.
    pub patch: String,
}

impl LiveEdit {
    /// The failed edit that this one is after a failure.
    pub fn into_failed(self, reason: String) -> FailedEdit {
        let files = self.files.into_iter().map(|file| FailedFile {
            located: file.located,
            patch: file.diff,
        });
        FailedEdit {
            id: self.id,
            summary: self.summary,
            files: files.collect(),
            reason,
        }
    }
}
