//! What a refactoring does to a file, as answers show it.

use codecortex_live::EditedFile;
use codecortex_protocol::TextChange;
use codecortex_protocol::counts::counted;
use schemars::JsonSchema;
use serde::Serialize;

/// What becomes of a file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RefactoredFile {
    /// `rootName/relative/path`.
    pub(super) file_path: String,
    /// Its version afterwards: the `baseVersion` of the next edit.
    pub(super) version_id: String,
    /// Replacements.
    pub(super) edits: u32,
    /// What is done to the file itself: `created`, `deleted` or `moved`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) operation: Option<&'static str>,
    /// Of a file that is moved: its path afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) moved_to: Option<String>,
    /// A unified diff, of a plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) diff: Option<String>,
    /// Of a plan, for an editor that makes the edit itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub(super) change: Option<EditorChange>,
}

/// What an editor changes in a file by itself.
#[derive(Clone, Debug, Serialize)]
pub(super) struct EditorChange {
    /// The editor's version that the edits are of; absent where no editor holds the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) version: Option<i64>,
    /// Each in terms of the text before all of them; of a file that is made, its text.
    pub(super) edits: Vec<TextChange>,
}

impl RefactoredFile {
    pub(super) fn new(file: &EditedFile, edits: u32, is_plan: bool) -> Self {
        let operation = match (&file.before, &file.moved_to, file.effect.deleted) {
            (_, _, true) => Some("deleted"),
            (_, Some(_), _) => Some("moved"),
            (None, ..) => Some("created"),
            _ => None,
        };
        Self {
            file_path: file.located.display.clone(),
            version_id: file.version.clone(),
            edits,
            operation,
            moved_to: file.moved_to.as_ref().map(|to| to.display.clone()),
            diff: is_plan.then(|| file.diff.clone()),
            change: None,
        }
    }

    /// The line of a file in a text.
    pub(super) fn line(&self) -> String {
        let places = counted(self.edits, "place");
        match (&self.moved_to, self.operation) {
            (Some(to), _) => format!("{} moved to {to}, {places}", self.file_path),
            (None, Some(operation)) => format!("{} {operation}", self.file_path),
            (None, None) => format!("{} {places}", self.file_path),
        }
    }
}
