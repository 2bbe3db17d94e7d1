//! Questions that only an editor asks: it may call them by these names, and no list shows them (SPEC UX1).

mod document;
mod members_at;
mod names;
mod type_definition;
mod unread;

use schemars::JsonSchema;
use serde::Deserialize;

use codecortex_analysis::place::EditorPosition;

use crate::tools::needs::RequiredInput;
use crate::tools::position;
use crate::tools::tool::{Profile, Tool};

/// Every such question.
pub(crate) static EDITOR_TOOLS: [Tool; 4] = [
    members_at::TOOL,
    names::TOOL,
    type_definition::TOOL,
    unread::TOOL,
];

/// Arguments for a place in a document.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PlaceArgs {
    /// A file, best as `rootName/relative/path`.
    file_path: String,
    /// From 1, UTF-16.
    position: EditorPosition,
    /// `nextCursor` of a page.
    cursor: Option<String>,
}

/// Arguments for a whole document.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct DocumentArgs {
    /// A file, best as `rootName/relative/path`.
    file_path: String,
}

/// What all of them have in common: they read, and need the text of their file and what it imports.
const QUESTION: Tool = Tool {
    profile: Profile::Full,
    former_name: None,
    uses: &[],
    needs: &[
        RequiredInput::Projects,
        RequiredInput::External,
        RequiredInput::Text,
    ],
    ..position::TOOL
};
