//! `extractVariable` and `extractMethod`: selected code gets a name.

use codecortex_edit::{ExtractedAs, Extraction};
use codecortex_protocol::{Failure, ToolError};
use codecortex_resolve::Resolver;

use crate::invocation::Invocation;
use crate::tools::refactor::args::{RefactorAction, RefactorArgs};
use crate::tools::refactor::checked::check_result;
use crate::tools::refactor::planned::{EditTitle, PlannedEdit, planned, texts_of};
use crate::tools::refactor::refused::failure;

/// Plans an extraction.
pub(super) fn plan(cx: &Invocation<'_>, args: &RefactorArgs) -> Result<PlannedEdit, Failure> {
    let extraction = extraction(cx, args)?;
    let file = extraction.file;
    let texts = texts_of(cx, &[file])?;
    let text = texts.get(&file).map(String::as_str).unwrap_or_default();
    let change = {
        let names = cx.names();
        let resolver = Resolver::new(names.workspace());
        extraction.plan(&resolver, text)
    };
    let change = change.map_err(|refusal| failure(cx, &refusal))?;
    let name = extraction.name.as_str();
    check_result(cx, &change, &texts, [name, name])?;
    let what = match extraction.as_what {
        ExtractedAs::Variable => "variable",
        ExtractedAs::Method => "method",
    };
    let title = EditTitle {
        summary: format!("Extract {what} `{name}`"),
        plan: format!("extract {what} {name}"),
        done: format!("extracted {what} {name}"),
        names: None,
    };
    planned(cx, title, &change, &texts)
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
