//! An answer about a whole document, in one piece.

use codecortex_answer::reply::{Common, Reply};
use codecortex_protocol::counts::counted;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// A list of what is at the places of a document.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct DocumentData<T> {
    /// In the order of the text.
    items: Vec<T>,
    #[serde(flatten)]
    common: Common,
}

/// The answer with such a list.
pub(super) struct DocumentReply<T> {
    pub(super) items: Vec<T>,
    pub(super) is_unsaved: bool,
}

impl<T: Clone + Serialize> Reply for DocumentReply<T> {
    fn levels(&self) -> &'static [&'static str] {
        &["full"]
    }

    fn pieces(&self) -> usize {
        self.items.len()
    }

    fn data(&self, _level: usize, pieces: usize, common: Common) -> Value {
        let data = DocumentData {
            items: self.items[..pieces].to_vec(),
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, _level: usize, pieces: usize) -> String {
        format!("// {}\n", counted(pieces, "place"))
    }

    fn next_cursor(&self, _shown: usize) -> Option<String> {
        None
    }

    fn is_unsaved(&self) -> bool {
        self.is_unsaved
    }
}
