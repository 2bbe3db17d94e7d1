//! What is known of a file's facts without looking into them: enough to count and to tell files apart.

use serde::{Deserialize, Serialize};

use crate::layers::Digest;
use crate::{Facts, Language, Str};

/// What is known of a file's facts without looking into them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Brief {
    /// The language it was read as.
    pub language: Language,
    /// Number of lines.
    pub lines: u32,
    /// Length of the decoded text in UTF-8 bytes.
    pub bytes: u32,
    /// Of the bytes: [`crate::content_hash`].
    pub hash: [u8; 16],
    /// Places that the grammar could not make sense of, at most 65,535 counted.
    pub syntax_errors: u16,
    /// Number of declarations.
    pub items: u32,
}

impl Facts {
    /// What is known of these facts without looking into them.
    #[must_use]
    pub fn brief(&self) -> Brief {
        Brief {
            language: self.language,
            lines: self.lines,
            bytes: self.bytes,
            hash: self.hash,
            syntax_errors: self.syntax_errors,
            items: self.items.len() as u32,
        }
    }

    /// A file of which no more is known than this: it declares nothing.
    #[must_use]
    pub fn of_brief(brief: &Brief) -> Self {
        Self {
            language: brief.language,
            lines: brief.lines,
            bytes: brief.bytes,
            hash: brief.hash,
            syntax_errors: brief.syntax_errors,
            package: Str::default(),
            doc: Str::default(),
            items: Vec::new(),
            bases: Vec::new(),
            looks: Digest::default(),
            layers: Vec::new(),
            bindings: crate::Bound::default(),
            heap: String::new(),
        }
    }
}
