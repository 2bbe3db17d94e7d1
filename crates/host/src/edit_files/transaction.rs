//! All files of a journal in place, or none.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::EditRefusal;
use super::exchange::{self, ExchangeOutcome};
use super::file_snapshot::{FileSnapshot, held, holds};
use super::journal::{JournalStep, sync_folder};
use super::writers;

/// A program that saves has its file open for less than this; who has it open for longer keeps it.
const OPEN: Duration = Duration::from_millis(100);

/// A step with what is known of it by now.
pub(super) struct PreparedStep<'a> {
    pub(super) step: &'a JournalStep,
    /// What the target held when it was looked at.
    pub(super) before: Option<FileSnapshot>,
    /// What takes its place, as it stands in the half.
    pub(super) after: Option<FileSnapshot>,
    /// Whether it is in its place.
    pub(super) is_placed: bool,
}

impl<'a> PreparedStep<'a> {
    /// A step of which nothing is known yet.
    pub(super) fn new(step: &'a JournalStep) -> Self {
        Self {
            step,
            before: None,
            after: None,
            is_placed: false,
        }
    }
}

/// Makes folders that are not there, given from the outer ones on.
pub(super) fn make_folders(folders: &[PathBuf]) -> io::Result<()> {
    for folder in folders {
        match fs::create_dir(folder) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
            _ => sync_folder(folder.parent().unwrap_or(folder))?,
        }
    }
    Ok(())
}

/// Puts every file in place. Where one cannot be, the caller takes back what is.
pub(super) fn put_in_place(works: &mut [PreparedStep<'_>]) -> Result<(), EditRefusal> {
    // Everything that needs room and time comes before the first file is another.
    for work in works.iter_mut().filter(|work| !work.is_placed) {
        let step = work.step;
        let Some(new) = &step.new else {
            continue; // it is deleted
        };
        let half = write_half(step, new);
        work.after = Some(half.map_err(|error| EditRefusal::failed(&step.path, &error))?);
    }
    for work in works.iter_mut().filter(|work| !work.is_placed) {
        match place(work) {
            Ok(ExchangeOutcome::Done) => work.is_placed = true,
            Ok(ExchangeOutcome::Changed) => {
                return Err(EditRefusal::Conflict(work.step.path.clone()));
            }
            Err(error) => return Err(EditRefusal::failed(&work.step.path, &error)),
        }
    }
    for folder in folders(works) {
        sync_folder(folder).map_err(|error| EditRefusal::failed(folder, &error))?;
    }
    // A program that had opened a file before it was taken out may have written to it since, or be about to.
    let is_late = |work: &&PreparedStep<'_>| {
        let half = &work.step.half;
        work.before.as_ref().is_some_and(|before| {
            half.exists() && !(writers::wait(half, OPEN) && holds(half, before))
        })
    };
    match works.iter().find(is_late) {
        Some(work) => Err(EditRefusal::Conflict(work.step.path.clone())),
        None => Ok(()),
    }
}

fn place(work: &PreparedStep<'_>) -> io::Result<ExchangeOutcome> {
    let step = work.step;
    match (&work.before, &work.after) {
        (Some(before), None) if step.new.is_none() => {
            check_writable(&step.path)?;
            exchange::take_away(&step.half, before, &step.path)
        }
        (Some(before), Some(after)) => exchange::replace(&step.half, after, &step.path, before),
        (None, Some(_)) => exchange::create(&step.half, &step.path),
        (_, None) => Err(ErrorKind::NotFound.into()),
    }
}

/// Gives the files that are in place what they held. Files of which that cannot be said: somebody saved over them.
///
/// # Errors
/// A file could not be given back; the others were all the same.
pub(super) fn take_back(works: &mut [PreparedStep<'_>]) -> Result<Vec<PathBuf>, EditRefusal> {
    let mut kept = Vec::new();
    let mut trouble = None;
    let folders = folders(works);
    // What was made goes before what was deleted comes back: a disk that folds case may have one place for both.
    for work in works.iter_mut().rev().filter(|work| work.is_placed) {
        let step = work.step;
        match take_one_back(work) {
            Ok(ExchangeOutcome::Done) => work.is_placed = false,
            Ok(ExchangeOutcome::Changed) => {
                work.is_placed = false;
                kept.push(step.path.clone());
            }
            Err(error) => trouble = Some(EditRefusal::failed(&step.path, &error)),
        }
    }
    for folder in folders {
        if let Err(error) = sync_folder(folder) {
            trouble = Some(EditRefusal::failed(folder, &error));
        }
    }
    match trouble {
        None => Ok(kept),
        Some(trouble) => Err(trouble),
    }
}

fn take_one_back(work: &PreparedStep<'_>) -> io::Result<ExchangeOutcome> {
    let step = work.step;
    match (&step.old, &step.new) {
        (Some(old), new) => {
            if held(&step.half)?.is_none() {
                write_half(step, old)?;
            }
            match new {
                Some(new) => exchange::restore(&step.half, new, &step.path),
                None => exchange::create(&step.half, &step.path),
            }
        }
        (None, new) => match held(&step.path)? {
            Some(found) if Some(&found.bytes) == new.as_ref() => {
                exchange::take_away(&step.half, &found, &step.path)
            }
            Some(_) => Ok(ExchangeOutcome::Changed),
            None => Ok(ExchangeOutcome::Done),
        },
    }
}

/// A file beside its place, with the rights of the one that it will replace.
fn write_half(step: &JournalStep, bytes: &[u8]) -> io::Result<FileSnapshot> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    // Nobody reads it who may not read what it replaces.
    #[cfg(unix)]
    if step.old.is_some() || step.mode.is_some() {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    let mut file = options.open(&step.half)?;
    file.write_all(bytes)?;
    check_writable(&step.path)?;
    match fs::symlink_metadata(&step.path) {
        Ok(found) if !step.is_of_name() => file.set_permissions(found.permissions())?,
        _ => set_mode(&file, step.mode)?,
    }
    file.sync_data()?;
    drop(file);
    held(&step.half)?.ok_or_else(|| ErrorKind::NotFound.into())
}

/// Refuses a file that is there and may not be written.
fn check_writable(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.permissions().readonly() => Err(ErrorKind::PermissionDenied.into()),
        _ => Ok(()),
    }
}

fn set_mode(file: &fs::File, mode: Option<u32>) -> io::Result<()> {
    #[cfg(unix)]
    if let Some(mode) = mode {
        use std::os::unix::fs::PermissionsExt;
        file.set_permissions(fs::Permissions::from_mode(mode))?;
    }
    #[cfg(not(unix))]
    let _ = (file, mode);
    Ok(())
}

/// The folders of the files that are in place, each once.
fn folders<'a>(works: &[PreparedStep<'a>]) -> Vec<&'a Path> {
    let mut folders: Vec<&Path> = works
        .iter()
        .filter(|work| work.is_placed)
        .filter_map(|work| work.step.path.parent())
        .collect();
    folders.sort_unstable();
    folders.dedup();
    folders
}
