//! What is known of a file's facts without looking into them: enough to count and to tell files apart.

use serde::{Deserialize, Serialize};

use crate::Language;
use crate::digest::Digest;
use crate::facts::{Bound, Facts, Str};

/// What is known of a file's facts without looking into them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileSummary {
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
    pub fn summary(&self) -> FileSummary {
        FileSummary {
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
    pub fn of_summary(summary: &FileSummary) -> Self {
        Self {
            language: summary.language,
            lines: summary.lines,
            bytes: summary.bytes,
            hash: summary.hash,
            syntax_errors: summary.syntax_errors,
            package: Str::default(),
            doc: Str::default(),
            items: Vec::new(),
            bases: Vec::new(),
            cosmetic: Digest::default(),
            layers: Vec::new(),
            bindings: Bound::default(),
            heap: String::new(),
        }
    }

    /// Of a file of which names are known alone: nothing that anybody is shown, or that counts.
    pub(crate) fn of_names(language: Language, hash: [u8; 16], bindings: Vec<u8>) -> Self {
        let summary = FileSummary {
            language,
            hash,
            lines: 0,
            bytes: 0,
            syntax_errors: 0,
            items: 0,
        };
        Self {
            bindings: Bound(bindings.into()),
            ..Self::of_summary(&summary)
        }
    }
}
