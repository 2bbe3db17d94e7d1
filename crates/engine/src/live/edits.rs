//! Edits that tools ask for, from the plan to what became of it (SPEC LC4).

use codecortex_analysis::asks::Asker;
use codecortex_live::{FailedEdit, LiveEdit, error_of};
use codecortex_protocol::{ApplyOutcome, Outbox, Request, ToolError};

use crate::session::Session;

/// Has an edit made; the number of the question to the host, and the question.
pub(crate) fn apply(
    session: &mut Session,
    outbox: &mut Outbox,
    asker: Asker,
    edit: LiveEdit,
) -> (u32, Request) {
    for file in &edit.files {
        if let Some(document) = session.code.document_mut(&file.located.path) {
            document.history.expects_tool = true;
        }
    }
    let request = Request::Apply {
        summary: edit.summary.clone(),
        files: edit.files.iter().map(|file| file.effect.clone()).collect(),
        undoes: edit.undoes.clone(),
    };
    let question = session.code.ask(outbox, asker, request.clone());
    session.live.begin_edit(question, edit);
    (question, request)
}

/// The host replied to the question of an edit: it is made, or not. That counts whether or not a call still waits for
/// it; one that does takes what became of it by [`take_ended`].
pub(crate) fn applied(
    session: &mut Session,
    outbox: &mut Outbox,
    question: u32,
    outcome: &ApplyOutcome,
) {
    let Some(mut edit) = session.live.take_edit(question) else {
        return; // of a workspace that is no more
    };
    let at = session.code.clock().host();
    let roots = &session.code.workspace().roots;
    session.live.record_applied(outcome, roots, at);
    for file in &mut edit.files {
        if let Some(document) = session.code.document_mut(&file.located.path) {
            document.history.expects_tool = false;
            if *outcome == ApplyOutcome::Done {
                // What an editor does when it saves belongs to it, such as a line end at the end.
                file.version.clone_from(document.now().id());
            }
        }
    }
    let outcome = match error_of(outcome, |path| session.code.located(path).display) {
        None => {
            note_made(session, outbox, &edit);
            Ok(edit)
        }
        Some(error) => {
            note_failed_edit(session, edit.into_failed(error.message.clone()));
            Err(error)
        }
    };
    session.live.end_edit(question, outcome);
}

/// Files that no editor holds are read again from the disk.
fn note_made(session: &mut Session, outbox: &mut Outbox, edit: &LiveEdit) {
    let moment = session.code.moment();
    let documents = session.code.documents();
    let is_open = |path: &str| documents.contains_key(path);
    session.live.note_made(edit, is_open, moment);
    let files = edit.files.iter();
    let unheld = files.clone().filter(|file| file.effect.version.is_none());
    let moved = files.filter_map(|file| file.moved_to.as_ref());
    let written = unheld.map(|file| &file.located).chain(moved);
    let written: Vec<String> = written.map(|at| at.path.clone()).collect();
    session.code.changed(outbox, &written);
}

/// Remembers what was wanted and why it failed: the next live context says it (SPEC LC3).
pub(crate) fn note_failed_edit(session: &mut Session, failed: FailedEdit) {
    let moment = session.code.moment();
    for file in &failed.files {
        if let Some(document) = session.code.document_mut(&file.located.path) {
            document.edit_failed(file.patch.clone(), failed.reason.clone(), moment);
        }
    }
    let documents = session.code.documents();
    let is_open = |path: &str| documents.contains_key(path);
    session.live.note_failed(failed, is_open, moment);
}

/// Takes what became of an edit, for the call that asked for it; none while it is being made.
pub(crate) fn take_ended(
    session: &mut Session,
    question: u32,
) -> Option<Result<LiveEdit, ToolError>> {
    session.live.take_ended(question)
}
