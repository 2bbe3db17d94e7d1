//! A file's text as it is on the disk, or in an editor.

use std::cell::OnceCell;

use codecortex_live::Snapshot;
use codecortex_protocol::FetchedFile;
use codecortex_syntax::Outcome;
use codecortex_text::{TextDocument, decode};

/// A file's text as it is on the disk.
#[derive(Clone, Debug)]
pub enum DiskText {
    /// It is text.
    Text {
        /// The text and its version.
        snapshot: Snapshot,
        /// The bytes, for who writes them back with an edit.
        bytes: Vec<u8>,
        /// What tells this state of the file from another.
        stamp: Option<String>,
        /// What a file says that is not in the index, made when somebody asks.
        facts: OnceCell<Box<Outcome>>,
    },
    /// It is not there.
    Absent,
    /// It cannot be read, or is no text.
    Unreadable(String),
}

impl DiskText {
    /// What a host read.
    pub fn from_file(file: &FetchedFile) -> Self {
        if let Some(error) = &file.error {
            return Self::Unreadable(error.clone());
        }
        let Some(bytes) = &file.bytes else {
            return Self::Absent;
        };
        match decode(&bytes.0) {
            Ok(decoded) => Self::Text {
                snapshot: Snapshot::new(TextDocument::new(&decoded.text)),
                stamp: file.stamp.clone(),
                bytes: bytes.0.clone(),
                facts: OnceCell::new(),
            },
            Err(_) => Self::Unreadable("It is not text.".to_owned()),
        }
    }
}

/// A file's text now.
pub struct TextRef<'a> {
    /// The text and its version.
    pub snapshot: &'a Snapshot,
    /// Whether it differs from the disk.
    pub is_dirty: bool,
}
