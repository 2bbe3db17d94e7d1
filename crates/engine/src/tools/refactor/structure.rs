//! `replaceBody`, `replaceSymbol`, `insert`: code is written at a declaration.

use codecortex_edit::{
    FileChange, InsertSide, RenameTexts, SourceChange, StructureEdit, write_code,
};
use codecortex_protocol::{Failure, ToolError};

use crate::invocation::Invocation;
use crate::tools::refactor::aftermath::aftermath;
use crate::tools::refactor::args::{InsertPlace, RefactorAction, RefactorArgs};
use crate::tools::refactor::declaration::{NamedDeclaration, named_declaration};
use crate::tools::refactor::planned::{EditTitle, PlannedEdit, planned};
use crate::tools::refactor::refused::failure;
use crate::tools::refactor::resolved_change::ResolvedChange;

/// Plans to write code at a declaration.
pub(super) fn plan(cx: &Invocation<'_>, args: &RefactorArgs) -> Result<PlannedEdit, Failure> {
    let Some(code) = args.code.as_deref() else {
        return Err(ToolError::invalid("`code` is missing.").into());
    };
    let (edit, words) = match (args.action, args.side) {
        (RefactorAction::ReplaceBody, _) => (StructureEdit::ReplaceBody, "Replace the body of"),
        (RefactorAction::ReplaceSymbol, _) => (StructureEdit::ReplaceSymbol, "Replace"),
        (_, Some(InsertPlace::Before)) => {
            (StructureEdit::Insert(InsertSide::Before), "Insert before")
        }
        (_, Some(InsertPlace::After)) => (StructureEdit::Insert(InsertSide::After), "Insert after"),
        (_, None) => {
            let error = ToolError::invalid("`side` is missing.");
            return Err(error.hint("Give `before` or `after`.").into());
        }
    };
    let found = named_declaration(cx, args)?;
    let NamedDeclaration {
        file,
        path,
        text,
        place,
    } = &found;
    let written = write_code((path, text), place, edit, code, args.force == Some(true));
    let written = written.map_err(|refusal| failure(cx, &refusal))?;
    let change = SourceChange::of_files(vec![FileChange {
        file: *file,
        edits: vec![written],
    }]);
    let texts = RenameTexts::from_iter([(*file, text.clone())]);
    let resolved = ResolvedChange { change, texts };
    let problems = aftermath(cx, &resolved)?;
    let title = EditTitle::new(format!("{words} `{}`", place.name));
    let plan = planned(cx, title, &resolved)?;
    Ok(PlannedEdit { problems, ..plan })
}
