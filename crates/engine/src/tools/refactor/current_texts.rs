//! The texts that an edit is planned on.

use codecortex_analysis::disk_text::DiskText;
use codecortex_edit::RenameTexts;
use codecortex_index::FileId;
use codecortex_protocol::{ErrorCode, Failure, ToolError};
use codecortex_resolve::FileNo;
use codecortex_syntax::content_hash;

use crate::invocation::Invocation;

/// The texts of files, in the state that the index is of.
pub(super) fn texts_of(cx: &Invocation<'_>, files: &[FileNo]) -> Result<RenameTexts, Failure> {
    let mut texts = RenameTexts::default();
    for file in files {
        let id = FileId(*file);
        let text = cx.text_of_file(id)?;
        if is_newer(cx, id)? {
            let error = ToolError::new(
                ErrorCode::VersionConflict,
                format!("`{}` was just changed.", cx.shown_path(*file)),
            );
            return Err(error.retryable().hint("Call again.").into());
        }
        texts.insert(*file, text.snapshot.text.text());
    }
    Ok(texts)
}

/// Whether the disk has another text of a file than the index was made of.
fn is_newer(cx: &Invocation<'_>, file: FileId) -> Result<bool, Failure> {
    let Some(located) = cx.located_file(file) else {
        return Ok(false);
    };
    if cx.documents.contains_key(&located.path) {
        return Ok(false);
    }
    let known = cx.index.file(file).map(|file| file.facts.summary().hash);
    match cx.disk_text(&located)? {
        DiskText::Text { bytes, .. } => Ok(known != Some(content_hash(bytes))),
        _ => Ok(true),
    }
}
