//! Places in the text of an editor.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A place in a document as VS Code and LSP count: from 0, characters in UTF-16 units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Position {
    /// Line from 0.
    pub line: u32,
    /// UTF-16 units from the line's start.
    pub character: u32,
}

/// A range in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentSpan {
    /// Its start.
    pub start: Position,
    /// Its end, exclusive.
    pub end: Position,
}
