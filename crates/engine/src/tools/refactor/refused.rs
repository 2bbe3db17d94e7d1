//! Refusals of edits as errors: a code, a sentence, places, and the next step.

use codecortex_edit::{Refusal, RefusalKind};
use codecortex_index::FileId;
use codecortex_protocol::{ErrorCode, Failure, ToolError};
use codecortex_resolve::FileNo;
use serde_json::Value;

use crate::invocation::Invocation;

/// The kind of the refusal of an edit that would leave everything as it is.
pub(super) const NOTHING_TO_DO: &str = "NothingToDo";

/// A place as answers show it: `rootName/relative/path:line:character`, from 1, UTF-16.
pub(super) fn place_of(cx: &Invocation<'_>, file: FileNo, at: u32) -> Result<String, Failure> {
    let path = cx.shown_path(file);
    let text = match cx.text_of_file(FileId(file)) {
        Ok(text) => text,
        // It is gone or cannot be read; the index knows it.
        Err(Failure::Error(_)) => return Ok(path),
        Err(waits) => return Err(waits),
    };
    let document = &text.snapshot.text;
    let at = document.position((at as usize).min(document.len()));
    Ok(format!("{path}:{}:{}", at.line + 1, at.character + 1))
}

/// The error of a refusal. Its places take texts, for which the call may have to wait.
pub(super) fn refused(cx: &Invocation<'_>, refusal: &Refusal) -> Result<ToolError, Failure> {
    let files = refusal.places.iter().map(|place| place.file);
    // A file that is not in the workspace has no text here.
    let known = files.filter(|file| cx.index.file(FileId(*file)).is_some());
    match cx.need_texts(known) {
        Err(waits @ Failure::Missing(_)) => return Err(waits),
        Ok(()) | Err(Failure::Error(_)) => {}
    }
    let places = refusal.places.iter();
    let places: Vec<Value> = places
        .map(|place| Ok(place_of(cx, place.file, place.at)?.into()))
        .collect::<Result<_, Failure>>()?;
    let (code, kind, hint) = match refusal.kind {
        RefusalKind::InvalidName => (
            ErrorCode::InvalidParams,
            "InvalidName",
            "Choose an identifier of the language that is not reserved.",
        ),
        RefusalKind::Taken => (
            ErrorCode::InvalidParams,
            "Conflict",
            "Choose a name that is not taken, or rename the other declaration first.",
        ),
        RefusalKind::Captured => (
            ErrorCode::InvalidParams,
            "Conflict",
            "Choose another name or place: `details.places` are the names that would change their meaning.",
        ),
        RefusalKind::Unsure => (
            ErrorCode::Unavailable,
            "Unsure",
            "Look at `details.places`; edit by hand, or with `leaveUnsure` where only receivers are unknown.",
        ),
        RefusalKind::InvalidCode => (
            ErrorCode::InvalidParams,
            "InvalidCode",
            "Give whole code of the language, or `force` to write it all the same.",
        ),
        RefusalKind::Used => (
            ErrorCode::InvalidParams,
            "Used",
            "Change the uses in `details.places` first.",
        ),
        RefusalKind::NothingToDo => (
            ErrorCode::InvalidParams,
            NOTHING_TO_DO,
            "There is nothing to do here.",
        ),
        RefusalKind::Unsupported => (
            ErrorCode::Unavailable,
            "Unsupported",
            "Edit by codecortex_applyEdit.",
        ),
    };
    let error = ToolError::new(code, format!("{} Nothing was changed.", refusal.message));
    let error = error.hint(hint).detail("kind", kind);
    Ok(match places.is_empty() {
        true => error,
        false => error.detail("places", places),
    })
}

/// The failure of a refusal: the error, or the texts that it has to wait for.
pub(super) fn failure(cx: &Invocation<'_>, refusal: &Refusal) -> Failure {
    match refused(cx, refusal) {
        Ok(error) => error.into(),
        Err(waits) => waits,
    }
}
