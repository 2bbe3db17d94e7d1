//! Ends what a killed process left: forward where every file is as before or as after, back otherwise (SPEC D28).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use codecortex_engine::protocol::Root;

use super::applied::{keep, remove_empty};
use super::file_snapshot::{held, held_by_name};
use super::folder::{DONE, EditsFolder, JOURNAL, Lock, OVER, PART, UNDO, key, parts};
use super::journal::{Journal, JournalStep, JournalText};
use super::leftovers::{keep_saves, sweep};
use super::target;
use super::transaction::{PreparedStep, make_folders, put_in_place, take_back};

/// Ends every edit of these roots that no process is at any more. Locks that others hold are not waited for.
pub(super) fn recover(folder: &EditsFolder, roots: &[Root], held: &[Lock]) -> io::Result<()> {
    for name in folder.names()? {
        let Some((owner, ending)) = parts(&name) else {
            continue;
        };
        let mut locks = Vec::new();
        if !take(folder, owner, held, &mut locks)? {
            continue;
        }
        let path = folder.path().join(&name);
        match ending {
            // It never counted, and nothing was written for it.
            PART => drop(fs::remove_file(path)),
            JOURNAL | UNDO | DONE | OVER => {
                end(folder, (owner, Journal::at(path)), roots, held, &mut locks)?;
            }
            // The empty lock of a process that was killed is removed by letting go of it.
            _ => {}
        }
    }
    Ok(())
}

/// Whether a lock is ours, now or already.
fn take(folder: &EditsFolder, key: &str, held: &[Lock], locks: &mut Vec<Lock>) -> io::Result<bool> {
    if held.iter().chain(locks.iter()).any(|lock| lock.key == key) {
        return Ok(true);
    }
    let lock = folder.try_lock(key)?;
    let is_ours = lock.is_some();
    locks.extend(lock);
    Ok(is_ours)
}

fn end(
    folder: &EditsFolder,
    (owner, mut journal): (&str, Journal),
    roots: &[Root],
    held: &[Lock],
    locks: &mut Vec<Lock>,
) -> io::Result<()> {
    let JournalText { label, steps } = match journal.read() {
        Ok(Some(text)) => text,
        Ok(None) => return Ok(()),
        Err(error) => {
            tracing::error!(journal = %journal.path().display(), %error,
                "the journal of an edit cannot be read; the edit may be half done");
            return Ok(());
        }
    };
    let is_ours = |step: &JournalStep| roots.iter().any(|root| step.path.starts_with(&root.path));
    if !steps.iter().any(is_ours) {
        return Ok(());
    }
    for step in &steps {
        // A folder that is not there now, such as a disk that was taken out, may come back.
        let is_there = step.root.is_dir();
        let root = step.root.to_str().unwrap_or_default();
        if !is_there || !take(folder, &key(root), held, locks)? {
            return Ok(());
        }
    }
    match settle(&steps, &label.folders, &mut journal) {
        Ok(ended) => {
            if let Some(ended) = ended {
                ended.tell(steps.len());
            }
            if journal.says(DONE) {
                return keep(folder, owner, journal, &label);
            }
            remove_empty(&label.folders);
            journal.remove()
        }
        Err(error) => {
            tracing::error!(journal = %journal.path().display(), %error,
                "an edit that was cut off could not be ended; the next start tries again");
            Ok(())
        }
    }
}

/// What became of an edit that was cut off.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RecoveryOutcome {
    /// Whether every file is as the edit wanted it; else every file is as before.
    pub(super) is_done: bool,
    /// Files that a person changed since, as they are.
    pub(super) kept: Vec<PathBuf>,
}

impl RecoveryOutcome {
    fn tell(&self, files: usize) {
        let kept: Vec<String> = self
            .kept
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        match self.is_done {
            true => tracing::warn!("an edit of {files} files that was cut off is done now"),
            false => tracing::warn!(
                "an edit of {files} files that was cut off was taken back; changed since and left as they are: {}",
                kept.join(", ")
            ),
        }
    }
}

/// Ends an edit. None where it was over and only had to be tidied up.
pub(super) fn settle(
    steps: &[JournalStep],
    folders: &[PathBuf],
    journal: &mut Journal,
) -> io::Result<Option<RecoveryOutcome>> {
    if journal.says(OVER) || journal.says(DONE) {
        return sweep(steps).map(|()| None);
    }
    let mut works = Vec::new();
    let mut kept = Vec::new();
    let leaves = steps.iter().filter(|step| step.new.is_none());
    let leaves: Vec<&Path> = leaves.map(|step| step.path.as_path()).collect();
    for step in steps {
        keep_saves(step)?;
        match state(step, &leaves)? {
            Some(work) => works.push(work),
            None => kept.push(step.path.clone()),
        }
    }
    let may_be_done = kept.is_empty() && !journal.says(UNDO) && make_folders(folders).is_ok();
    if may_be_done && put_in_place(&mut works).is_ok() {
        journal.finish()?;
        sweep(steps)?;
        let is_done = true;
        return Ok(Some(RecoveryOutcome { is_done, kept }));
    }
    if !journal.says(UNDO) {
        journal.undo()?;
    }
    let late = take_back(&mut works).map_err(|trouble| io::Error::other(trouble.to_string()))?;
    kept.extend(late);
    steps.iter().try_for_each(keep_saves)?;
    journal.close()?;
    let is_done = false;
    Ok(Some(RecoveryOutcome { is_done, kept }))
}

/// What is left to do for a file; none where a person changed it, or where it is no file of the root any more.
fn state<'a>(step: &'a JournalStep, leaves: &[&Path]) -> io::Result<Option<PreparedStep<'a>>> {
    if target::check(&step.root, &step.path, step.old.is_none(), leaves).is_err() {
        return Ok(None);
    }
    let found = match step.is_of_name() {
        true => held_by_name(&step.path),
        false => held(&step.path),
    };
    let Ok(found) = found else {
        return Ok(None);
    };
    let bytes = found.as_ref().map(|found| found.bytes.as_slice());
    let is_placed = bytes == step.new.as_deref();
    let is_before = bytes == step.old.as_deref();
    Ok((is_placed || is_before).then(|| PreparedStep {
        before: found.filter(|_| !is_placed),
        is_placed,
        ..PreparedStep::new(step)
    }))
}
