//! Operations that another process began, as their files have them (SPEC IN1).

use codecortex_analysis::disk_text::DiskText;
use codecortex_protocol::paths::absolute_path;
use codecortex_protocol::{ErrorCode, Failure, Missing, ToolError};
use codecortex_semantics::{OpState, Operation, op_path};

use crate::actions::Action;
use crate::invocation::Invocation;
use crate::semantics::investigation::{Investigation, conversation_path};
use crate::semantics::operation_paths::from_file;

/// Takes an operation up again that another process began.
///
/// # Errors
/// Waits for its files.
pub(crate) fn take_up(cx: &Invocation<'_>, root: u32, id: &str) -> Result<(), Failure> {
    let operation = operation(cx, root, id)?;
    match operation.filter(|known| known.state == OpState::Running) {
        Some(operation) => {
            let said = file(cx, root, &conversation_path(id))?;
            let op = Investigation::restored(root, operation, said.as_deref());
            cx.enqueue(Action::KeepOp(Box::new(op)));
        }
        None => cx.enqueue(Action::ForgetOp(id.to_owned())),
    }
    Ok(())
}

/// The operation that a root keeps under an id.
///
/// # Errors
/// As [`file`].
pub(crate) fn operation(
    cx: &Invocation<'_>,
    root: u32,
    id: &str,
) -> Result<Option<Operation>, Failure> {
    let read = file(cx, root, &op_path(id))?;
    let read = read.and_then(|text| Operation::read_file(&text));
    Ok(read.map(|operation| from_file(&cx.view, root, operation)))
}

/// A file below the `.context/` of a root.
///
/// # Errors
/// Waits until it was read; `Unavailable` where it is there and cannot be.
pub(crate) fn file(cx: &Invocation<'_>, root: u32, path: &str) -> Result<Option<String>, Failure> {
    let Some(folder) = cx.workspace.roots.get(root as usize) else {
        return Ok(None);
    };
    let path = absolute_path(folder, &format!(".context/{path}"));
    let located = cx.view.located(&path);
    match cx.view.disk.get(&located.path) {
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
