//! What stands beside a file while it is edited: removed, unless it is what a person saved.

use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::exchange::{self, aside, tail};
use super::file_snapshot::{FileSnapshot, held};
use super::journal::JournalStep;
use super::writers;

/// A program that saves has its file open for less than this.
const OPEN: Duration = Duration::from_secs(1);

/// Removes what stands beside the files of an edit that is over.
pub(super) fn sweep(steps: &[JournalStep]) -> io::Result<()> {
    for step in steps {
        remove(&step.half)?;
        remove(&aside(&step.half))?;
    }
    Ok(())
}

/// Removes what stands beside a file of an edit that is not done. What a person saved in the very moment when it was
/// taken out, or wrote to it since, goes to its place.
pub(super) fn keep_saves(step: &JournalStep) -> io::Result<()> {
    for half in [aside(&step.half), step.half.clone()] {
        // Whoever had it open in the moment of the exchange is about to write to it.
        if !writers::wait(&half, OPEN) {
            tracing::warn!(file = %step.path.display(),
                "a program has a temporary replacement file open; its later writes are lost");
        }
        let Some(found) = held(&half)? else {
            continue;
        };
        keep_save(step, &half, &found)?;
        remove(&half)?;
    }
    Ok(())
}

fn keep_save(step: &JournalStep, half: &Path, found: &FileSnapshot) -> io::Result<()> {
    let old = step.old.as_deref().unwrap_or_default();
    // Whole, or as far as a killed process came.
    let new = step.new.as_deref().unwrap_or_default();
    if new.starts_with(&found.bytes) || old.starts_with(&found.bytes) {
        return Ok(());
    }
    let Ok(target) = held(&step.path) else {
        return Ok(()); // a folder or link is there now
    };
    let Some(target) = target else {
        return exchange::create(half, &step.path).map(drop);
    };
    let is_placed = step.new.is_some()
        && step.old.as_ref() != Some(&target.bytes)
        && tail(new, &target.bytes).is_some();
    if is_placed {
        return exchange::restore(half, new, &step.path).map(drop);
    }
    match tail(new, &found.bytes) {
        // Appended to what was taken back since.
        Some(tail) => exchange::append(&step.path, tail),
        // Of two whole texts the later one holds.
        None if modified(half)? > modified(&step.path)? => exchange::exchange(half, &step.path),
        None => Ok(()),
    }
}

fn modified(path: &Path) -> io::Result<SystemTime> {
    fs::symlink_metadata(path)
        .as_ref()
        .map_err(|error| error.kind().into())
        .and_then(Metadata::modified)
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
