//! `organiseImports`: the imports of a file without unused and doubled ones, in the file's own order.

use codecortex_edit::{LocatedEdit as _, OrganiseImports};
use codecortex_protocol::{Failure, ToolError};

use crate::invocation::Invocation;
use crate::tools::refactor::args::RefactorArgs;
use crate::tools::refactor::checked::check_result;
use crate::tools::refactor::planned::{EditTitle, PlannedEdit, planned};
use crate::tools::refactor::resolved_change::resolve;

/// Plans to organise the imports of the file that the arguments name.
pub(super) fn plan(cx: &Invocation<'_>, args: &RefactorArgs) -> Result<PlannedEdit, Failure> {
    let Some(path) = args.file_path.as_deref() else {
        let error = ToolError::invalid("`filePath` is missing.");
        return Err(error
            .hint("Give the file whose imports are organised.")
            .into());
    };
    let (file, _) = cx.text_at(path)?;
    let (organise, resolved) = resolve(cx, |resolver| {
        Ok(OrganiseImports::in_file(resolver, file.0))
    })?;
    check_result(cx, &resolved, organise.names())?;
    let summary = format!("Organise the imports of {}", cx.shown_path(file.0));
    planned(cx, EditTitle::of_verb(summary, "organised"), &resolved)
}
