//! Operations as the files of a root's `.context/` have them (SPEC IN1).

use codecortex_analysis::disk_text::DiskText;
use codecortex_analysis::view::AnalysisView;
use codecortex_protocol::paths::absolute_path;
use codecortex_protocol::{ErrorCode, Failure, Missing, ToolError};
use codecortex_semantics::{Operation, conversation_path, op_path};

use crate::operation_paths::from_file;

/// Returns the operation that a root keeps under an id.
///
/// # Errors
/// Waits until its file was read; `Unavailable` where the file is there and cannot be read.
pub fn kept_operation(
    view: &AnalysisView<'_>,
    root: u32,
    id: &str,
) -> Result<Option<Operation>, Failure> {
    let read = file(view, root, &op_path(id))?;
    let read = read.and_then(|text| Operation::read_file(&text));
    Ok(read.map(|operation| from_file(view, root, operation)))
}

/// Returns the conversation of an operation that a root keeps.
///
/// # Errors
/// As [`kept_operation`].
pub fn kept_conversation(
    view: &AnalysisView<'_>,
    root: u32,
    id: &str,
) -> Result<Option<String>, Failure> {
    file(view, root, &conversation_path(id))
}

/// A file below the `.context/` of a root.
fn file(view: &AnalysisView<'_>, root: u32, path: &str) -> Result<Option<String>, Failure> {
    let Some(folder) = view.workspace.roots.get(root as usize) else {
        return Ok(None);
    };
    let path = absolute_path(folder, &format!(".context/{path}"));
    let located = view.located(&path);
    match view.disk().get(&located.path) {
        Some(DiskText::Text { snapshot, .. }) => Ok(Some(snapshot.text.text())),
        Some(DiskText::Absent) => Ok(None),
        Some(DiskText::Unreadable(why)) => {
            let message = format!("{}: {why}", located.path);
            let error = ToolError::new(ErrorCode::Unavailable, message);
            Err(error.hint("Delete or move the entry in its place.").into())
        }
        None => Err(Failure::Missing(Missing::Texts(vec![located]))),
    }
}
