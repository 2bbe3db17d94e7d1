//! Edits of the user's files on the disk: all or none, each put in place whole, whatever is saved or killed meanwhile
//! (SPEC LC4, D28).
//!
//! A [`journal`] outside of the workspace says what every file held and what it is to hold. From then on the edit
//! counts: every file is written beside its place and [exchanged](exchange) for the one that is there; at the end the
//! journal goes. The next process that opens the folder [ends](recovery) what a killed one left.

mod exchange;
mod file_snapshot;
mod folder;
mod journal;
mod leftovers;
mod recovery;
mod target;
#[cfg(test)]
mod tests;
mod transaction;
mod writers;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use codecortex_engine::protocol::{ApplyOutcome, FileEdit, Root};

use crate::context_folder::reason;
use file_snapshot::held;
use folder::{EditsFolder, Lock};
use journal::{Journal, JournalStep};
use leftovers::{keep_saves, sweep};
use target::{WriteTarget, target};
use transaction::{PreparedStep, put_in_place, take_back};

/// Why an edit is not made.
#[derive(Debug, PartialEq, Eq)]
enum EditRefusal {
    /// A file is not as expected.
    Conflict(PathBuf),
    /// A sentence without its end.
    Failed(String),
}

impl EditRefusal {
    fn failed(path: &Path, error: &io::Error) -> Self {
        Self::Failed(format!("{}: {}", path.display(), reason(error)))
    }

    fn refused(path: &Path, why: &str) -> Self {
        Self::Failed(format!("{}: {why}", path.display()))
    }
}

impl fmt::Display for EditRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Conflict(path) => write!(f, "{} is another by now", path.display()),
            Self::Failed(reason) => f.write_str(reason),
        }
    }
}

/// Ends what killed processes left of edits in these roots. `state` is the user's folder for state; it is read alone
/// where there is nothing to end.
pub(crate) fn recover(state: Option<&Path>, roots: &[Root]) {
    let Some(state) = state else { return };
    if let Err(error) = recovery::recover(&EditsFolder::below(state), roots, &[]) {
        tracing::warn!(%error, "the journals of edits cannot be read");
    }
}

/// Carries an edit out. `state` is the user's folder for state.
pub(crate) fn apply(state: Option<&Path>, roots: &[Root], files: &[FileEdit]) -> ApplyOutcome {
    let (trouble, kept) = match try_apply(state, roots, files) {
        Ok(()) => return ApplyOutcome::Done,
        Err(failed) => failed,
    };
    let not_restored = kept
        .iter()
        .map(|path| path.to_string_lossy().into_owned())
        .collect();
    match trouble {
        EditRefusal::Conflict(path) => ApplyOutcome::Conflict {
            path: path.to_string_lossy().into_owned(),
            not_restored,
        },
        EditRefusal::Failed(reason) => ApplyOutcome::Failed {
            reason: format!("{reason}."),
            not_restored,
        },
    }
}

/// Why, and which files are not as they were.
type EditFailure = (EditRefusal, Vec<PathBuf>);

fn try_apply(state: Option<&Path>, roots: &[Root], files: &[FileEdit]) -> Result<(), EditFailure> {
    let nothing = |trouble| (trouble, Vec::new());
    let targets: Result<Vec<_>, _> = files.iter().map(|edit| target(roots, edit)).collect();
    let targets = targets.map_err(nothing)?;
    let Some(state) = state else {
        return Err(nothing(EditRefusal::Failed(
            "this system has no folder for the state of programs; name one by XDG_STATE_HOME"
                .to_owned(),
        )));
    };
    let folder = EditsFolder::below(state);
    let failed = |error: io::Error| nothing(EditRefusal::failed(folder.path(), &error));
    folder.make().map_err(failed)?;
    let locked: Vec<&str> = files
        .iter()
        .filter_map(|edit| roots.get(edit.root? as usize))
        .map(|root| root.path.as_str())
        .collect();
    let Some(locks) = folder.lock(&locked).map_err(failed)? else {
        return Err(nothing(EditRefusal::Failed(
            "another process is editing".to_owned(),
        )));
    };
    recovery::recover(&folder, roots, &locks).map_err(failed)?;
    carry_out(&folder, &locks, roots, files, &targets)
}

/// The edit itself, under the locks.
fn carry_out(
    folder: &EditsFolder,
    locks: &[Lock],
    roots: &[Root],
    files: &[FileEdit],
    targets: &[WriteTarget<'_>],
) -> Result<(), EditFailure> {
    let nothing = |trouble| (trouble, Vec::new());
    let failed = |path: &Path, error: io::Error| nothing(EditRefusal::failed(path, &error));
    let mut steps = Vec::new();
    let mut before = Vec::new();
    for (target, edit) in targets.iter().zip(files) {
        let found = held(&target.path).map_err(|error| failed(&target.path, error))?;
        if found.as_ref().map(|found| found.stamp.as_str()) != target.stamp {
            return Err(nothing(EditRefusal::Conflict(target.path.clone())));
        }
        let root = edit.root.and_then(|root| roots.get(root as usize));
        steps.push(JournalStep {
            root: PathBuf::from(root.map_or("", |root| root.path.as_str())),
            path: target.path.clone(),
            half: PathBuf::new(),
            old: found.as_ref().map(|found| found.bytes.clone()),
            new: target.bytes.to_vec(),
        });
        before.push(found);
    }
    // The lowest lock is the first that every process takes which has to do with the journal.
    let Some(lock) = locks.first() else {
        return Ok(()); // an edit of no file
    };
    let journal = Journal::write(folder, lock, &mut steps);
    let journal = journal.map_err(|error| failed(folder.path(), error))?;
    let mut works: Vec<PreparedStep<'_>> = steps
        .iter()
        .zip(before)
        .map(|(step, before)| PreparedStep {
            before,
            ..PreparedStep::new(step)
        })
        .collect();
    let placed = put_in_place(&mut works);
    conclude(journal, &mut works, placed)
}

/// Takes back what could not be done as a whole, and removes the journal once nothing is left to end.
fn conclude(
    mut journal: Journal,
    works: &mut [PreparedStep<'_>],
    placed: Result<(), EditRefusal>,
) -> Result<(), EditFailure> {
    let Err(trouble) = placed else {
        close(journal, works);
        return Ok(());
    };
    let undone = journal
        .undo()
        .map_err(|error| EditRefusal::failed(journal.path(), &error));
    let kept = match undone.and_then(|()| take_back(works)) {
        Ok(kept) => kept,
        Err(second) => {
            let left = works.iter().filter(|work| work.is_placed);
            let left = left.map(|work| work.step.path.clone()).collect();
            return Err((
                EditRefusal::Failed(format!(
                    "{trouble}; and what was done could not be taken back ({second}), which the next start of codecortex tries again"
                )),
                left,
            ));
        }
    };
    match works.iter().try_for_each(|work| keep_saves(work.step)) {
        Ok(()) => close(journal, works),
        // A half may hold what a person saved: nothing is removed.
        Err(error) => {
            tracing::warn!(%error, "what stands beside a file stays until the next start");
        }
    }
    Err((trouble, kept))
}

/// The files are as they are to stay: what cannot be tidied now, the next process tidies.
fn close(mut journal: Journal, works: &[PreparedStep<'_>]) {
    let closed = journal
        .close()
        .and_then(|()| {
            works
                .iter()
                .try_for_each(|work| sweep(std::slice::from_ref(work.step)))
        })
        .and_then(|()| journal.remove());
    if let Err(error) = closed {
        tracing::warn!(%error, "the journal of an edit stays until the next start");
    }
}
