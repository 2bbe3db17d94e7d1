//! Edits that tools ask for, from the plan to what became of it (SPEC LC4).

use codecortex_analysis::asks::Asker;
use codecortex_live::{Hint, Origin, Snapshot};
use codecortex_protocol::{ApplyOutcome, ErrorCode, Located, Request, ToolError};

use crate::live::edit::{Edit, FailedEdit, FailedFile};
use crate::live::record::record_applied;
use crate::live::state::Live;
use crate::session::Session;

/// Has an edit made; the number of the question to the host, and the question.
pub(crate) fn apply(session: &mut Session, asker: Asker, edit: Edit) -> (u32, Request) {
    for file in &edit.files {
        if let Some(document) = session.code.documents.get_mut(&file.located.path) {
            document.history.expects_tool = true;
        }
    }
    let request = Request::Apply {
        summary: edit.summary.clone(),
        files: edit.files.iter().map(|file| file.effect.clone()).collect(),
    };
    let question = session.code.ask(asker, request.clone());
    session.live.edits.push((question, edit));
    (question, request)
}

/// The host replied to the question of an edit: it is made, or not. That counts whether or not a call still waits for
/// it; one that does takes what became of it by [`Live::take_ended`].
pub(crate) fn applied(session: &mut Session, question: u32, outcome: &ApplyOutcome) {
    let mut edits = session.live.edits.iter();
    let Some(place) = edits.position(|(known, _)| *known == question) else {
        return; // of a workspace that is no more
    };
    record_applied(session, outcome);
    let (_, mut edit) = session.live.edits.remove(place);
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
            Ok(edit)
        }
        Some(error) => {
            note_failed_edit(
                session,
                FailedEdit {
                    id: edit.id,
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
    session.live.ended.insert(question, outcome);
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

/// The workspace begins anew: nobody will tell what became of the edits on their way.
pub(crate) fn forget_edits(live: &mut Live) {
    for (question, _) in std::mem::take(&mut live.edits) {
        let error = ToolError::new(
            ErrorCode::Unavailable,
            "The workspace was set up anew while the edit was being applied.",
        )
        .hint("Look at codecortex_getLiveContext whether it was done.");
        live.ended.insert(question, Err(error));
    }
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
