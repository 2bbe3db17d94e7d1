//! `undo`: takes the edit back that was applied last, where every file still holds what it left.

use codecortex_analysis::disk_text::DiskText;
use codecortex_index::FileId;
use codecortex_protocol::{
    AppliedEdit, AppliedFile, Bytes, ErrorCode, Failure, Located, TextChange, ToolError,
};
use codecortex_text::{TextDocument, decode};

use crate::calls::CallContext;
use crate::invocation::Invocation;
use crate::tools::apply_edit::{check_absent, check_file, created_file, edited_file};
use crate::tools::refactor::planned::{EditTitle, PlannedEdit};
use crate::tools::refactor::text_change::changed_part;
use codecortex_live::EditedFile;

/// Plans to take the last edit back.
pub(super) async fn plan(cx: &CallContext) -> Result<PlannedEdit, ToolError> {
    let mut edits = cx.applied_edits(true).await?;
    let Some(last) = edits.pop() else {
        let error = ToolError::new(
            ErrorCode::NotFound,
            "There is no edit here that can be taken back.",
        );
        return Err(error.hint("The last ten edits that were applied by CodeCortex are kept."));
    };
    cx.look(|cx| planned(cx, &last)).await
}

fn planned(cx: &Invocation<'_>, last: &AppliedEdit) -> Result<PlannedEdit, Failure> {
    let mut files = Vec::new();
    for file in &last.files {
        files.push((taken_back(cx, file)?, 1));
    }
    let what = last.summary.as_deref().unwrap_or("an edit");
    let is_unsaved = |(file, _): &(EditedFile, u32)| {
        let place = file.located.place.as_ref();
        let id = place.and_then(|place| cx.index.file_id(place.root, &place.path));
        id.is_some_and(|id: FileId| cx.is_unsaved(id))
    };
    let is_unsaved = files.iter().any(is_unsaved);
    let title = EditTitle {
        summary: format!("Undo: {what}"),
        plan: format!("undo: {what}"),
        done: format!("undone: {what}"),
        names: None,
    };
    let mut planned = PlannedEdit::new(cx, title, files);
    planned.edit.undoes = Some(last.id.clone());
    planned.is_unsaved = is_unsaved;
    Ok(planned)
}

/// What becomes of a file when an edit is taken back.
fn taken_back(cx: &Invocation<'_>, file: &AppliedFile) -> Result<EditedFile, Failure> {
    let located = cx.located(&file.path);
    if located.place.is_none() && !cx.documents.contains_key(&located.path) {
        let error = ToolError::new(
            ErrorCode::Unavailable,
            format!("`{}` is in no folder of this workspace.", file.path),
        );
        return Err(error.hint("Open its folder, and undo there.").into());
    }
    check_file(cx, (&located.display, &located), file.after.is_none())?;
    match (&file.before, &file.after) {
        (Some(before), None) => restored(cx, &located, before, file.mode),
        (before, Some(after)) => {
            let edited = given_back(cx, &located, before.as_ref(), after)?;
            match &file.moved_from {
                Some(from) => moved_back(cx, edited, &cx.located(from)),
                None => Ok(edited),
            }
        }
        (None, None) => Err(damaged().into()),
    }
}

/// A file that the edit deleted.
fn restored(
    cx: &Invocation<'_>,
    file: &Located,
    before: &Bytes,
    mode: Option<u32>,
) -> Result<EditedFile, Failure> {
    need_disk(cx, file)?;
    let mut made = created_file(cx, file, &text_of(before)?)?;
    made.effect.bytes = Some(before.clone());
    made.effect.mode = mode;
    made.effect.makes_folder = true;
    Ok(made)
}

/// A file that the edit changed or made.
fn given_back(
    cx: &Invocation<'_>,
    file: &Located,
    before: Option<&Bytes>,
    after: &Bytes,
) -> Result<EditedFile, Failure> {
    let now = cx.text_of(file).map_err(|failure| match failure {
        Failure::Error(_) => conflict(file).into(),
        waits => waits,
    })?;
    let now = &now.snapshot.text;
    let is_exact = match cx.documents.contains_key(&file.path) {
        true => false,
        false => matches!(cx.disk_text(file)?, DiskText::Text { bytes, .. } if *bytes == after.0),
    };
    if !is_exact && now.text() != text_of(after)? {
        return Err(conflict(file)
            .detail("currentVersion", codecortex_live::version_of(now))
            .into());
    }
    let Some(before) = before else {
        let nothing = TextDocument::new("");
        let made = edited_file(cx, file, (now, nothing), Vec::new())?;
        return Ok(made.into_deleted());
    };
    let text = text_of(before)?;
    let changes: Vec<TextChange> = changed_part(now, &text).into_iter().collect();
    let mut edited = edited_file(cx, file, (now, TextDocument::new(&text)), changes)?;
    if is_exact {
        edited.effect.bytes = Some(before.clone());
    }
    Ok(edited)
}

/// The same file, which goes back to where it was.
fn moved_back(
    cx: &Invocation<'_>,
    edited: EditedFile,
    to: &Located,
) -> Result<EditedFile, Failure> {
    check_file(cx, (&to.display, to), true)?;
    need_disk(cx, to)?;
    if !edited.located.path.eq_ignore_ascii_case(&to.path) {
        check_absent(cx, to)?;
    }
    let mut moved = edited.into_moved(to.clone());
    moved.effect.makes_folder = true;
    Ok(moved)
}

/// Waits until it is known what the disk has at a place.
fn need_disk(cx: &Invocation<'_>, file: &Located) -> Result<(), Failure> {
    cx.disk_text(file).map(drop)
}

fn text_of(bytes: &Bytes) -> Result<String, ToolError> {
    let decoded = decode(&bytes.0).map_err(|_| damaged())?;
    Ok(decoded.text.into_owned())
}

fn damaged() -> ToolError {
    ToolError::new(
        ErrorCode::InternalError,
        "The record of the last edit is damaged.",
    )
}

fn conflict(file: &Located) -> ToolError {
    let error = ToolError::new(
        ErrorCode::VersionConflict,
        format!(
            "`{}` is not as the last edit left it. Nothing was changed.",
            file.display
        ),
    );
    error
        .hint("Take later changes back first, or edit the file by codecortex_applyEdit.")
        .detail("filePath", file.display.clone())
}
