//! Edits that tools ask for, from the plan to what became of it (SPEC LC4).

use codecortex_live::{Hint, Origin, Snapshot};
use codecortex_protocol::{ApplyOutcome, Effect, ErrorCode, Located, ToolError};

use crate::arrival::Arrival;
use crate::live::edit::{Edit, FailedEdit, FailedFile};
use crate::live::record::record_applied;
use crate::live::state::Live;
use crate::session::Session;

/// Has an edit done.
pub(crate) fn apply(session: &mut Session, edit: Edit) {
    for file in &edit.files {
        if let Some(document) = session.code.documents.get_mut(&file.located.path) {
            document.history.expects_tool = true;
        }
    }
    session.code.effects.push(Effect::Apply {
        id: edit.id,
        summary: edit.summary.clone(),
        files: edit.files.iter().map(|file| file.effect.clone()).collect(),
    });
    session.live.edits.push(edit);
}

/// An edit is done, or not.
pub(crate) fn applied(session: &mut Session, id: u32, outcome: &ApplyOutcome) {
    let Some(place) = session.live.edits.iter().position(|edit| edit.id == id) else {
        return; // of a workspace that is no more
    };
    record_applied(session, outcome);
    let mut edit = session.live.edits.remove(place);
    for file in &mut edit.files {
        if let Some(document) = session.code.documents.get_mut(&file.located.path) {
            document.history.expects_tool = false;
            if *outcome == ApplyOutcome::Done {
                // What an editor does when it saves belongs to it, such as a line end at the end.
                file.version.clone_from(document.now().id());
            }
        }
    }
    let outcome = match failure_of(session, outcome) {
        None => {
            note_done(session, &edit);
            Ok(Box::new(edit))
        }
        Some(error) => {
            note_failed_edit(
                session,
                FailedEdit {
                    id,
                    summary: edit.summary.clone(),
                    reason: error.message.clone(),
                    files: edit
                        .files
                        .into_iter()
                        .map(|file| FailedFile {
                            located: file.located,
                            patch: file.diff,
                        })
                        .collect(),
                },
            );
            Err(error)
        }
    };
    session.arrivals.push(Arrival::Edit(id, outcome));
}

fn note_done(session: &mut Session, edit: &Edit) {
    let moment = session.code.moment();
    let mut written = Vec::new();
    for file in &edit.files {
        let path = &file.located.path;
        if !session.code.documents.contains_key(path) {
            // No editor tells of it.
            let (mut history, last) = session.live.take(path).unwrap_or_default();
            let before = file.before.clone().map_or(last, Snapshot::new);
            history.replaced(&before, &file.after, Origin::Tool, moment);
            let now = Snapshot::new(file.after.clone());
            session.live.keep(path.clone(), history, now);
        }
        if file.effect.version.is_none() {
            written.push(path.clone());
        }
        session.live.latest = Some(path.clone());
    }
    session.code.changed(&written);
    let versions = edit.files.iter().map(|file| file.version.clone());
    session.live.hint(Hint {
        id: edit.id,
        summary: edit.summary.clone(),
        files: names(edit.files.iter().map(|file| &file.located)),
        error: None,
        versions: versions.collect(),
        at: moment.at,
    });
}

/// Remembers what was wanted and why it failed: the next live context says it (SPEC LC3).
pub(crate) fn note_failed_edit(session: &mut Session, failed: FailedEdit) {
    let moment = session.code.moment();
    for file in &failed.files {
        let (patch, reason) = (file.patch.clone(), failed.reason.clone());
        let path = &file.located.path;
        if let Some(document) = session.code.documents.get_mut(path) {
            document.edit_failed(patch, reason, moment);
        } else if let Some((mut history, last)) = session.live.take(path) {
            history.failed(last.text.clone(), patch, reason, moment);
            session.live.keep(path.clone(), history, last);
        }
    }
    session.live.hint(Hint {
        id: failed.id,
        files: names(failed.files.iter().map(|file| &file.located)),
        summary: failed.summary,
        error: Some(failed.reason),
        versions: Vec::new(),
        at: moment.at,
    });
}

/// Nobody will tell what became of the edits on their way.
pub(crate) fn forgotten_edits(live: &mut Live) -> Vec<Arrival> {
    let edits = std::mem::take(&mut live.edits).into_iter();
    let failed = edits.map(|edit| {
        let error = ToolError::new(
            ErrorCode::Unavailable,
            "The workspace was set up anew while the edit was being applied.",
        )
        .hint("Look at codecortex_getLiveContext whether it was done.");
        Arrival::Edit(edit.id, Err(error))
    });
    failed.collect()
}

fn names<'a>(files: impl Iterator<Item = &'a Located>) -> Vec<String> {
    files.map(|file| file.display.clone()).collect()
}

fn failure_of(engine: &Session, outcome: &ApplyOutcome) -> Option<ToolError> {
    match outcome {
        ApplyOutcome::Done => None,
        ApplyOutcome::Rejected => Some(
            ToolError::new(ErrorCode::Cancelled, "The user did not want this edit.")
                .hint("Ask the user how to proceed."),
        ),
        ApplyOutcome::Conflict { path, not_restored } => {
            let name = engine.code.located(path).display;
            let left = left_changed(engine, not_restored);
            let message = match &left {
                None => {
                    format!(
                        "`{name}` changed while the edit was being applied; nothing was changed."
                    )
                }
                Some(left) => {
                    format!("`{name}` changed while the edit was being applied. {left}")
                }
            };
            Some(
                ToolError::new(ErrorCode::VersionConflict, message)
                    .retryable()
                    .hint("Read it again with codecortex_getLiveContext, then repeat the edit.")
                    .detail("filePath", name),
            )
        }
        ApplyOutcome::Failed {
            reason,
            not_restored,
        } => {
            let left = left_changed(engine, not_restored);
            Some(
                ToolError::new(
                    ErrorCode::Unavailable,
                    format!("The edit could not be applied: {reason}"),
                )
                .hint(left.unwrap_or_else(|| "Nothing was changed.".to_owned())),
            )
        }
    }
}

/// Which files are not as before the edit, as a sentence.
fn left_changed(engine: &Session, paths: &[String]) -> Option<String> {
    let names: Vec<String> = paths
        .iter()
        .map(|path| format!("`{}`", engine.code.located(path).display))
        .collect();
    (!names.is_empty()).then(|| {
        format!(
            "The old contents of these files could not be restored, because they were saved meanwhile or the disk refused: {}.",
            names.join(", ")
        )
    })
}
