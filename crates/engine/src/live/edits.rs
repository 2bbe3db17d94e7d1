//! Edits that tools ask for, from the plan to what became of it (SPEC LC4).

use codecortex_live::{Hint, Origin, Snapshot, Version};
use codecortex_protocol::{ApplyOutcome, Effect, ErrorCode, Failure, FileEdit, Located, ToolError};
use codecortex_text::Document;

use crate::engine::Engine;
use crate::tools::apply_edit::edited;

/// An edit.
#[derive(Clone, Debug)]
pub(crate) struct Edit {
    pub(crate) id: u32,
    pub(crate) summary: Option<String>,
    pub(crate) files: Vec<EditedFile>,
}

/// What becomes of a file.
#[derive(Clone, Debug)]
pub(crate) struct EditedFile {
    pub(crate) located: Located,
    /// None where the file is to be made.
    pub(crate) before: Option<Document>,
    pub(crate) after: Document,
    /// Its version after the edit.
    pub(crate) version: Version,
    /// The difference, with a header.
    pub(crate) diff: String,
    /// Lines that came and went, and those concerned.
    pub(crate) added: usize,
    pub(crate) removed: usize,
    pub(crate) lines: Option<(usize, usize)>,
    pub(crate) effect: FileEdit,
}

/// An edit that could not be begun.
#[derive(Clone, Debug)]
pub(crate) struct FailedEdit {
    pub(crate) id: u32,
    pub(crate) summary: Option<String>,
    pub(crate) files: Vec<FailedFile>,
    pub(crate) reason: String,
}

/// A file that was to be changed.
#[derive(Clone, Debug)]
pub(crate) struct FailedFile {
    pub(crate) located: Located,
    /// What was wanted, as far as that is known.
    pub(crate) patch: String,
}

impl Engine {
    /// Has an edit done.
    pub(crate) fn apply(&mut self, edit: Edit) {
        for file in &edit.files {
            if let Some(document) = self.code.documents.get_mut(&file.located.path) {
                document.history.expects_tool = true;
            }
        }
        self.code.effects.push(Effect::Apply {
            id: edit.id,
            summary: edit.summary.clone(),
            files: edit.files.iter().map(|file| file.effect.clone()).collect(),
        });
        self.live.edits.push(edit);
    }

    /// An edit is done, or not.
    pub(crate) fn applied(&mut self, id: u32, outcome: &ApplyOutcome) {
        let Some(place) = self.live.edits.iter().position(|edit| edit.id == id) else {
            return; // of a workspace that is no more
        };
        self.record_applied(outcome);
        let mut edit = self.live.edits.remove(place);
        for file in &mut edit.files {
            if let Some(document) = self.code.documents.get_mut(&file.located.path) {
                document.history.expects_tool = false;
                if *outcome == ApplyOutcome::Done {
                    // What an editor does when it saves belongs to it, such as a line end at the end.
                    file.version.clone_from(document.now().id());
                }
            }
        }
        let handled = match failure_of(self, outcome) {
            None => {
                self.note_done(&edit);
                Ok(edited(&edit, false))
            }
            Some(error) => {
                self.note_failed_edit(FailedEdit {
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
                });
                Err(Failure::Error(error))
            }
        };
        self.conclude_edit(id, handled);
    }

    fn note_done(&mut self, edit: &Edit) {
        let moment = self.code.moment();
        let mut written = Vec::new();
        for file in &edit.files {
            let path = &file.located.path;
            if !self.code.documents.contains_key(path) {
                // No editor tells of it.
                let (mut history, last) = self.live.take(path).unwrap_or_default();
                let before = file.before.clone().map_or(last, Snapshot::new);
                history.replaced(&before, &file.after, Origin::Tool, moment);
                let now = Snapshot::new(file.after.clone());
                self.live.keep(path.clone(), history, now);
            }
            if file.effect.version.is_none() {
                written.push(path.clone());
            }
            self.live.latest = Some(path.clone());
        }
        self.code.changed(&written);
        let versions = edit.files.iter().map(|file| file.version.clone());
        self.live.hint(Hint {
            id: edit.id,
            summary: edit.summary.clone(),
            files: names(edit.files.iter().map(|file| &file.located)),
            error: None,
            versions: versions.collect(),
            at: moment.at,
        });
    }

    /// Remembers what was wanted and why it failed: the next live context says it (SPEC LC3).
    pub(crate) fn note_failed_edit(&mut self, failed: FailedEdit) {
        let moment = self.code.moment();
        for file in &failed.files {
            let (patch, reason) = (file.patch.clone(), failed.reason.clone());
            let path = &file.located.path;
            if let Some(document) = self.code.documents.get_mut(path) {
                document.edit_failed(patch, reason, moment);
            } else if let Some((mut history, last)) = self.live.take(path) {
                history.failed(last.text.clone(), patch, reason, moment);
                self.live.keep(path.clone(), history, last);
            }
        }
        self.live.hint(Hint {
            id: failed.id,
            files: names(failed.files.iter().map(|file| &file.located)),
            summary: failed.summary,
            error: Some(failed.reason),
            versions: Vec::new(),
            at: moment.at,
        });
    }

    /// Nobody will tell what became of the edits on their way.
    pub(crate) fn forget_edits(&mut self) {
        for edit in std::mem::take(&mut self.live.edits) {
            let error = ToolError::new(
                ErrorCode::Unavailable,
                "The workspace was set up anew while the edit was being applied.",
            )
            .hint("Look at codecortex_getLiveContext whether it was done.");
            self.conclude_edit(edit.id, Err(Failure::Error(error)));
        }
    }
}

fn names<'a>(files: impl Iterator<Item = &'a Located>) -> Vec<String> {
    files.map(|file| file.display.clone()).collect()
}

fn failure_of(engine: &Engine, outcome: &ApplyOutcome) -> Option<ToolError> {
    match outcome {
        ApplyOutcome::Done => None,
        ApplyOutcome::Rejected => Some(
            ToolError::new(ErrorCode::Cancelled, "The user did not want this edit.")
                .hint("Ask what to do otherwise."),
        ),
        ApplyOutcome::Conflict { path } => {
            let name = engine.code.located(path).display;
            Some(
                ToolError::new(
                    ErrorCode::VersionConflict,
                    format!(
                        "`{name}` changed while the edit was being applied; nothing was changed."
                    ),
                )
                .retryable()
                .hint("Read it again with codecortex_getLiveContext, then repeat the edit.")
                .detail("filePath", name),
            )
        }
        ApplyOutcome::Failed { reason } => Some(
            ToolError::new(
                ErrorCode::Unavailable,
                format!("The edit could not be applied: {reason}"),
            )
            .hint("Nothing was changed."),
        ),
    }
}
