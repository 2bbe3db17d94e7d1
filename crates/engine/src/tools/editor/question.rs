//! What all questions of an editor have in common: their arguments, and what they need.

use codecortex_analysis::place::EditorPosition;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::tools::needs::RequiredInput;
use crate::tools::position;
use crate::tools::tool::{Profile, Tool};

/// Arguments for a place in a document.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlaceArgs {
    /// A file, best as `rootName/relative/path`.
    pub(super) file_path: String,
    /// From 1, UTF-16.
    pub(super) position: EditorPosition,
    /// `nextCursor` of a page.
    pub(super) cursor: Option<String>,
}

/// Arguments for a whole document.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct DocumentArgs {
    /// A file, best as `rootName/relative/path`.
    pub(super) file_path: String,
}

/// What all of them have in common: they read, and need the text of their file and what it imports.
pub(super) const QUESTION: Tool = Tool {
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
