//! Writes a plan: all files of an agent, or none.

use std::fs::{self, Permissions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::disk::{Disk, Files};
use crate::plan::{AgentPlan, FileChange, RecordChange};
use crate::record::{FileRecord, RecordError, RecordKey, RecordStore};

/// Why a plan was not applied; everything is as it was before.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// Somebody changed the file after the plan was made.
    #[error("{} was changed since the plan was made", .0.display())]
    Changed(PathBuf),
    /// A file or folder cannot be written.
    #[error("{} cannot be written: {source}", path.display())]
    Unwritable {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The state folder cannot be written.
    #[error("the record of what is written cannot be kept: {0}")]
    Record(#[from] RecordError),
}

impl ApplyError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Changed(_) => "run it again",
            Self::Unwritable { .. } => {
                "make the folder and the file writable for you, or write the entry by hand (docs/agents.md)"
            }
            Self::Record(_) => "make the state folder writable, or name another by XDG_STATE_HOME",
        }
    }
}

fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> ApplyError + '_ {
    |source| ApplyError::Unwritable {
        path: path.to_path_buf(),
        source,
    }
}

/// Applies the plan of an agent.
///
/// # Errors
/// Nothing is changed then.
pub fn apply(plan: &AgentPlan, records: &RecordStore) -> Result<(), ApplyError> {
    if plan.is_blocked() {
        return Ok(());
    }
    let changes = joined(plan.steps.iter().filter_map(|step| step.change.as_ref()));
    let mut work = Transaction::default();
    let done = work
        .prepare(changes.iter())
        .and_then(|()| work.keep_records(plan, records))
        .and_then(|()| work.commit());
    match done {
        Ok(()) => {
            work.tidy_folders();
            Ok(())
        }
        Err(error) => {
            work.take_back(records);
            Err(error)
        }
    }
}

/// The changes with one a file: of two parts in one file, one was planned on the other's text.
fn joined<'a>(changes: impl Iterator<Item = &'a FileChange>) -> Vec<FileChange> {
    let mut all: Vec<FileChange> = Vec::new();
    for change in changes {
        let Some(known) = all.iter_mut().find(|known| known.path == change.path) else {
            all.push(change.clone());
            continue;
        };
        match known.after == change.before {
            true => known.after.clone_from(&change.after),
            false => known.before.clone_from(&change.before),
        }
        known.is_private |= change.is_private;
        known.folders.extend(change.folders.iter().cloned());
    }
    all
}

/// A change with what is ready for it.
struct PreparedChange<'p> {
    change: &'p FileChange,
    /// The new text beside its place; none where the file is removed.
    half: Option<NamedTempFile>,
    permissions: Option<Permissions>,
    is_done: bool,
}

/// The changes of one agent on their way.
#[derive(Default)]
struct Transaction<'p> {
    changes: Vec<PreparedChange<'p>>,
    made_folders: Vec<PathBuf>,
    /// Records as they were before.
    earlier: Vec<(RecordKey, Option<FileRecord>)>,
}

impl<'p> Transaction<'p> {
    /// Does everything that needs room and rights before the first file is another.
    fn prepare(&mut self, changes: impl Iterator<Item = &'p FileChange>) -> Result<(), ApplyError> {
        for change in changes {
            let path = change.path.as_path();
            let found = Disk.read(path).map_err(unwritable(path))?;
            if found.as_deref() != change.before.as_ref().map(String::as_bytes) {
                return Err(ApplyError::Changed(path.to_path_buf()));
            }
            let former = fs::metadata(path).ok().map(|former| former.permissions());
            if former.as_ref().is_some_and(Permissions::readonly) {
                return Err(unwritable(path)(ErrorKind::PermissionDenied.into()));
            }
            let half = match &change.after {
                Some(after) => {
                    self.make_folders(path)?;
                    let half = half_of(path, after, former.as_ref(), change.is_private);
                    Some(half.map_err(unwritable(path))?)
                }
                None => None,
            };
            self.changes.push(PreparedChange {
                change,
                half,
                permissions: former,
                is_done: false,
            });
        }
        Ok(())
    }

    fn make_folders(&mut self, path: &Path) -> Result<(), ApplyError> {
        let above = path.ancestors().skip(1);
        let missing: Vec<&Path> = above.take_while(|folder| !folder.exists()).collect();
        for folder in missing.into_iter().rev() {
            fs::create_dir(folder).map_err(unwritable(folder))?;
            self.made_folders.push(folder.to_path_buf());
        }
        Ok(())
    }

    /// Records come first: one of a change that was not made is harmless, a change without one is not undone exactly.
    fn keep_records(&mut self, plan: &AgentPlan, records: &RecordStore) -> Result<(), ApplyError> {
        for change in plan.steps.iter().filter_map(|step| step.record.as_ref()) {
            let key = match change {
                RecordChange::Put(record) => record.key(),
                RecordChange::Forget(key) => key.clone(),
            };
            let earlier = records.get(&key);
            self.earlier.push((key, earlier));
            match change {
                RecordChange::Put(record) => records.put(record)?,
                RecordChange::Forget(key) => records.forget(key)?,
            }
        }
        Ok(())
    }

    fn commit(&mut self) -> Result<(), ApplyError> {
        for prepared in &mut self.changes {
            let path = prepared.change.path.as_path();
            let done = match prepared.half.take() {
                Some(half) => half.persist(path).map(drop).map_err(|error| error.error),
                None => fs::remove_file(path),
            };
            done.map_err(unwritable(path))?;
            prepared.is_done = true;
        }
        Ok(())
    }

    /// Gives every file and record back what it held.
    fn take_back(&mut self, records: &RecordStore) {
        for prepared in self.changes.drain(..).filter(|prepared| prepared.is_done) {
            let path = prepared.change.path.as_path();
            // What was possible a moment ago is possible again; if it is not, the record still tells how to undo it.
            match &prepared.change.before {
                Some(before) => {
                    let half = half_of(path, before, prepared.permissions.as_ref(), true);
                    let _ = half.map(|half| half.persist(path));
                }
                None => drop(fs::remove_file(path)),
            }
        }
        for (key, earlier) in self.earlier.drain(..).rev() {
            let _ = match earlier {
                Some(record) => records.put(&record),
                None => records.forget(&key),
            };
        }
        for folder in self.made_folders.drain(..).rev() {
            let _ = fs::remove_dir(folder);
        }
    }

    /// Removes folders that install made and nothing is in.
    fn tidy_folders(&self) {
        for prepared in &self.changes {
            let change = prepared.change;
            let above = |folder: &&PathBuf| change.path.starts_with(folder);
            for folder in change.folders.iter().filter(above).rev() {
                if fs::remove_dir(folder).is_err() {
                    break;
                }
            }
        }
    }
}

/// A text beside its place, with the rights of the file that it replaces.
fn half_of(
    path: &Path,
    text: &str,
    former: Option<&Permissions>,
    is_private: bool,
) -> io::Result<NamedTempFile> {
    let folder = path.parent().ok_or(ErrorKind::NotFound)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".codecortex-");
    // Temporary files are private; this one is for whoever may read others.
    #[cfg(unix)]
    if former.is_none() && !is_private {
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    #[cfg(not(unix))]
    let _ = is_private; // rights come from the folder
    let mut half = builder.tempfile_in(folder)?;
    half.write_all(text.as_bytes())?;
    if let Some(former) = former {
        half.as_file().set_permissions(former.clone())?;
    }
    half.as_file().sync_data()?;
    Ok(half)
}
