//! An edit that a tool asked for, and one that failed.

use codecortex_live::Version;
use codecortex_protocol::{FileEdit, Located};
use codecortex_text::TextDocument;

/// An edit.
#[derive(Clone, Debug)]
pub(crate) struct LiveEdit {
    pub(crate) id: u32,
    pub(crate) summary: Option<String>,
    pub(crate) files: Vec<EditedFile>,
}

/// What becomes of a file.
#[derive(Clone, Debug)]
pub(crate) struct EditedFile {
    pub(crate) located: Located,
    /// None where the file is to be made.
    pub(crate) before: Option<TextDocument>,
    pub(crate) after: TextDocument,
    /// Its version after the edit.
    pub(crate) version: Version,
    /// The difference, with a header.
    pub(crate) diff: String,
    /// Lines that came and went, and those concerned.
    pub(crate) added: usize,
    pub(crate) removed: usize,
    pub(crate) lines: Option<(usize, usize)>,
    pub(crate) effect: FileEdit,
}

/// An edit that could not be begun.
#[derive(Clone, Debug)]
pub(crate) struct FailedEdit {
    pub(crate) id: u32,
    pub(crate) summary: Option<String>,
    pub(crate) files: Vec<FailedFile>,
    pub(crate) reason: String,
}

/// A file that was to be changed.
#[derive(Clone, Debug)]
pub(crate) struct FailedFile {
    pub(crate) located: Located,
    /// What was wanted, as far as that is known.
    pub(crate) patch: String,
}
