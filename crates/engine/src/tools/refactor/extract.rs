//! `extractVariable` and `extractMethod`: selected code gets a name.

use codecortex_edit::{ExtractedAs, Extraction, LocatedEdit as _};
use codecortex_protocol::{Failure, ToolError};

use crate::invocation::Invocation;
use crate::tools::refactor::args::{RefactorAction, RefactorArgs};
use crate::tools::refactor::checked::check_result;
use crate::tools::refactor::planned::{EditTitle, PlannedEdit, planned};
use crate::tools::refactor::resolved_change::resolve_with;

/// Plans an extraction.
pub(super) fn plan(cx: &Invocation<'_>, args: &RefactorArgs) -> Result<PlannedEdit, Failure> {
    let extraction = extraction(cx, args)?;
    let (extraction, resolved) = resolve_with(
        cx,
        |_| Ok(Ok(extraction)),
        |resolver, extraction| extraction.called_files(resolver),
    )?;
    check_result(cx, &resolved, extraction.names())?;
    let what = match extraction.as_what {
        ExtractedAs::Variable => "variable",
        ExtractedAs::Method => "method",
    };
    let summary = format!("Extract {what} `{}`", extraction.name);
    planned(cx, EditTitle::of_verb(summary, "extracted"), &resolved)
}

/// What the arguments select.
fn extraction(cx: &Invocation<'_>, args: &RefactorArgs) -> Result<Extraction, Failure> {
    let (Some(path), Some(start), Some(end)) = (&args.file_path, args.position, args.end) else {
        let error = ToolError::invalid("A selection is needed.");
        return Err(error.hint("Give `filePath`, `position` and `end`.").into());
    };
    let Some(name) = args.new_name.clone() else {
        let error = ToolError::invalid("`newName` is missing or empty.");
        return Err(error.detail("kind", "InvalidName").into());
    };
    let (file, start) = cx.byte_at(path, start)?;
    let (_, end) = cx.byte_at(path, end)?;
    let as_what = match args.action {
        RefactorAction::ExtractVariable => ExtractedAs::Variable,
        RefactorAction::ExtractMethod => ExtractedAs::Method,
        _ => return Err(ToolError::invalid("The action extracts nothing.").into()),
    };
    Ok(Extraction {
        file,
        range: start..end.max(start),
        name,
        as_what,
    })
}
