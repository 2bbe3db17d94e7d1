//! The parts that are written, whatever a file's form.

use serde_json::Value;

use super::SERVER_NAME;
use crate::agents::McpShape;
use crate::document::{
    DocumentError, Form, ListSlot, Slot, block_of, insert_block, remove_block, wrapped,
};
use crate::entry;

/// A part with what it says.
pub(super) enum Content {
    /// A server below a key of a document.
    Entry {
        shape: &'static McpShape,
        entry: Value,
    },
    /// An element of a list in a JSON document.
    Element {
        keys: &'static [String],
        element: Value,
    },
    /// A block between marks.
    Block(String),
    /// A file of our own.
    File(String),
}

impl Content {
    fn slot(shape: &'static McpShape) -> Slot<'static> {
        Slot {
            key: &shape.key,
            name: SERVER_NAME,
        }
    }

    fn list_slot(keys: &'static [String]) -> ListSlot<'static> {
        ListSlot {
            keys,
            is_ours: entry::is_our_hook,
        }
    }

    /// Our part of a text, with lines that end by LF; none where there is none.
    pub(super) fn find(&self, text: &str) -> Result<Option<Value>, DocumentError> {
        match self {
            Self::Entry { shape, .. } => shape.form.read(text, Self::slot(shape)),
            Self::Element { keys, .. } => Self::list_slot(keys).read(text),
            Self::Block(_) => Ok(block_of(text)?.map(|block| block.replace("\r\n", "\n").into())),
            Self::File(_) => Ok(Some(text.replace("\r\n", "\n").into())),
        }
    }

    /// Whether a found part says what is to be written.
    pub(super) fn is_wanted(&self, found: &Value) -> bool {
        match self {
            Self::Entry { entry, .. } => found == entry,
            Self::Element { element, .. } => found == element,
            Self::Block(body) => found.as_str() == Some(&wrapped(body, "")),
            Self::File(text) => found.as_str() == Some(text),
        }
    }

    /// Whether a found part is taken out. With a record of it, an entry or block that was changed since is still ours; a
    /// file is somebody's work then.
    pub(super) fn is_ours(&self, found: &Value, has_record: bool) -> bool {
        match self {
            Self::Entry { shape, .. } => has_record || entry::is_of_codecortex(&shape.entry, found),
            Self::Element { .. } => entry::is_our_hook(found),
            Self::Block(_) => true,
            Self::File(_) => self.is_wanted(found),
        }
    }

    /// Why a found part stays, as a part of a sentence.
    pub(super) fn difference(&self) -> &'static str {
        match self {
            Self::Entry { .. } => "the entry `codecortex` differs from what install writes",
            Self::Element { .. } => "the hook differs from what install writes",
            Self::Block(_) => "the block differs from what install writes",
            Self::File(_) => "the file differs from what install writes",
        }
    }

    /// The text with the part, where it has none.
    pub(super) fn insert(&self, text: &str) -> Result<String, DocumentError> {
        match self {
            Self::Entry { shape, entry } => shape.form.insert(text, Self::slot(shape), entry),
            Self::Element { keys, element } => Self::list_slot(keys).insert(text, element),
            Self::Block(body) => Ok(insert_block(text, &wrapped(body, text))),
            Self::File(whole) => Ok(whole.clone()),
        }
    }

    /// The text without the part; none where nothing is left of a file of our own.
    pub(super) fn remove(
        &self,
        text: &str,
        is_new_key: bool,
    ) -> Result<Option<String>, DocumentError> {
        match self {
            Self::Entry { shape, .. } => {
                let rest = shape.form.remove(text, Self::slot(shape), is_new_key)?;
                Ok(Some(rest))
            }
            Self::Element { keys, .. } => Self::list_slot(keys).remove(text, is_new_key).map(Some),
            Self::Block(_) => remove_block(text).map(Some),
            Self::File(_) => Ok(None),
        }
    }

    /// Whether a text has the key that the part is below; parts without a key have it always.
    pub(super) fn has_key(&self, text: &str) -> bool {
        match self {
            Self::Entry { shape, .. } => shape.form.has_key(text, Self::slot(shape)),
            Self::Element { keys, .. } => Self::list_slot(keys).has_key(text),
            Self::Block(_) | Self::File(_) => true,
        }
    }

    /// Whether a text says nothing.
    pub(super) fn is_empty(&self, text: &str) -> bool {
        match self {
            Self::Entry { shape, .. } => shape.form.is_empty(text),
            Self::Element { .. } => Form::Json.is_empty(text),
            Self::Block(_) | Self::File(_) => text.trim().is_empty(),
        }
    }
}
