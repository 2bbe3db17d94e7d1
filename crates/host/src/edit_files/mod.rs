//! Edits of the user's files on the disk: all or none, each put in place whole, whatever is saved or killed meanwhile
//! (SPEC LC4, D28).
//!
//! A [`journal`] outside of the workspace says what every file held and what it is to hold. From then on the edit
//! counts: every file is written beside its place and [exchanged](exchange) for the one that is there; at the end the
//! journal goes. The next process that opens the folder [ends](recovery) what a killed one left.

mod applied;
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

use codecortex_engine::protocol::{AppliedEdit, ApplyOutcome, FileEdit, Root};

use crate::context_folder::reason;
use file_snapshot::{held, held_by_name};
use folder::{EditsFolder, Lock};
use journal::{EditLabel, Journal, JournalStep};
use leftovers::{keep_saves, sweep};
use target::{WriteTarget, targets};
use transaction::{PreparedStep, make_folders, put_in_place, take_back};

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

/// What is kept of an edit beside its files.
#[derive(Clone, Debug, Default)]
pub(crate) struct EditRecord {
    /// What it is for.
    pub(crate) summary: Option<String>,
    /// The applied edit that it takes back.
    pub(crate) undoes: Option<String>,
    /// The present time in milliseconds since 1970.
    pub(crate) now_ms: f64,
}

/// The edits of these roots that were applied and can be taken back, the newest first; or why they cannot be read.
pub(crate) fn applied_edits(
    state: Option<&Path>,
    roots: &[Root],
    last_with_contents: bool,
) -> Result<Vec<AppliedEdit>, String> {
    let Some(state) = state else {
        return Ok(Vec::new());
    };
    let folder = EditsFolder::below(state);
    applied::list(&folder, roots, last_with_contents)
        .map_err(|error| EditRefusal::failed(folder.kept().path(), &error).to_string())
}

/// Carries an edit out. `state` is the user's folder for state.
pub(crate) fn apply(
    state: Option<&Path>,
    roots: &[Root],
    record: EditRecord,
    files: &[FileEdit],
) -> ApplyOutcome {
    let (trouble, kept) = match try_apply(state, roots, record, files) {
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

fn try_apply(
    state: Option<&Path>,
    roots: &[Root],
    record: EditRecord,
    files: &[FileEdit],
) -> Result<(), EditFailure> {
    let nothing = |trouble| (trouble, Vec::new());
    let targets = targets(roots, files).map_err(nothing)?;
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
    carry_out(&folder, &locks, record, &targets)
}

/// The edit itself, under the locks.
fn carry_out(
    folder: &EditsFolder,
    locks: &[Lock],
    record: EditRecord,
    targets: &[WriteTarget<'_>],
) -> Result<(), EditFailure> {
    let nothing = |trouble| (trouble, Vec::new());
    let failed = |path: &Path, error: io::Error| nothing(EditRefusal::failed(path, &error));
    let mut steps = Vec::new();
    let mut before = Vec::new();
    for target in targets {
        let found = match target.stamp.is_none() {
            true => held_by_name(&target.path),
            false => held(&target.path),
        };
        let found = found.map_err(|error| failed(&target.path, error))?;
        if found.as_ref().map(|found| found.stamp.as_str()) != target.stamp {
            return Err(nothing(EditRefusal::Conflict(target.path.clone())));
        }
        let mode = match target.bytes {
            Some(_) => target.mode,
            None => target::mode_of(&target.path),
        };
        steps.push(JournalStep {
            root: target.root.to_owned(),
            path: target.path.clone(),
            half: PathBuf::new(),
            old: found.as_ref().map(|found| found.bytes.clone()),
            new: target.bytes.map(<[u8]>::to_vec),
            mode,
            moved_from: target.moved_from.clone(),
        });
        before.push(found);
    }
    // The lowest lock is the first that every process takes which has to do with the journal.
    let Some(lock) = locks.first() else {
        return Ok(()); // an edit of no file
    };
    let label = EditLabel {
        summary: record.summary,
        at_ms: record.now_ms as u64,
        undoes: record.undoes,
        folders: missing_folders(targets),
    };
    let journal = Journal::write(folder, lock, &label, &mut steps);
    let journal = journal.map_err(|error| failed(folder.path(), error))?;
    let mut works: Vec<PreparedStep<'_>> = steps
        .iter()
        .zip(before)
        .map(|(step, before)| PreparedStep {
            before,
            ..PreparedStep::new(step)
        })
        .collect();
    let placed = make_folders(&label.folders)
        .map_err(|error| {
            EditRefusal::Failed(format!("a folder cannot be made: {}", reason(&error)))
        })
        .and_then(|()| put_in_place(&mut works));
    let edit = CarriedEdit {
        folder,
        owner: &lock.key,
        label: &label,
    };
    conclude(&edit, journal, &mut works, placed)
}

/// Folders that are not there and that files are made in, the outer ones first.
fn missing_folders(targets: &[WriteTarget<'_>]) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for target in targets.iter().filter(|target| target.makes_folder) {
        // A file that is moved is a target that is deleted, too, whose folder is there.
        let above = target.path.ancestors().skip(1);
        let missing = above.take_while(|folder| !folder.exists());
        folders.extend(missing.map(Path::to_owned));
    }
    folders.sort_unstable();
    folders.dedup();
    folders
}

/// An edit that is being carried out.
struct CarriedEdit<'e> {
    folder: &'e EditsFolder,
    /// The root that the journal is named after.
    owner: &'e str,
    label: &'e EditLabel,
}

/// Takes back what could not be done as a whole, and removes the journal once nothing is left to end.
fn conclude(
    edit: &CarriedEdit<'_>,
    mut journal: Journal,
    works: &mut [PreparedStep<'_>],
    placed: Result<(), EditRefusal>,
) -> Result<(), EditFailure> {
    let Err(trouble) = placed else {
        finish(edit, journal, works);
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
        Ok(()) => close(edit, journal, works),
        // A half may hold what a person saved: nothing is removed.
        Err(error) => {
            tracing::warn!(%error, "what stands beside a file stays until the next start");
        }
    }
    Err((trouble, kept))
}

/// The files are as the edit wants them: what cannot be tidied now, the next process tidies.
fn finish(edit: &CarriedEdit<'_>, mut journal: Journal, works: &[PreparedStep<'_>]) {
    let finished = journal
        .finish()
        .and_then(|()| sweep_all(works))
        .and_then(|()| applied::keep(edit.folder, edit.owner, journal, edit.label));
    if let Err(error) = finished {
        tracing::warn!(%error, "the journal of an edit stays until the next start");
    }
}

/// The files are as they were: what cannot be tidied now, the next process tidies.
fn close(edit: &CarriedEdit<'_>, mut journal: Journal, works: &[PreparedStep<'_>]) {
    let closed = journal
        .close()
        .and_then(|()| sweep_all(works))
        .and_then(|()| {
            applied::remove_empty(&edit.label.folders);
            journal.remove()
        });
    if let Err(error) = closed {
        tracing::warn!(%error, "the journal of an edit stays until the next start");
    }
}

fn sweep_all(works: &[PreparedStep<'_>]) -> io::Result<()> {
    let mut works = works.iter();
    works.try_for_each(|work| sweep(std::slice::from_ref(work.step)))
}
