//! The folder of edits: private to the user and outside of every workspace. It has a lock for each root that is being
//! edited, and a journal for each edit until every file is in place.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use super::file_snapshot::no_follow;

/// Another process edits for some milliseconds.
const PATIENCE: Duration = Duration::from_secs(5);
const LOCK: &str = ".lock";
/// A journal that is not whole yet.
pub(super) const PART: &str = ".part";
/// A journal that counts: its edit is to be done.
pub(super) const JOURNAL: &str = ".journal";
/// A journal of an edit that is to be taken back.
pub(super) const UNDO: &str = ".undo";
/// A journal of an edit that is done; what stands beside the files is to be removed, and the journal is kept.
pub(super) const DONE: &str = ".done";
/// A journal of an edit that was taken back; what stands beside the files is to be removed.
pub(super) const OVER: &str = ".over";

/// The folder of edits.
#[derive(Debug)]
pub(super) struct EditsFolder(PathBuf);

impl EditsFolder {
    /// The folder below the user's folder for state, whether it is there or not.
    pub(super) fn below(state: &Path) -> Self {
        Self(state.join("edits"))
    }

    /// The folder of kept journals, beside it.
    pub(super) fn kept(&self) -> Self {
        Self(self.0.with_file_name("undo"))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// Makes the folder, for its user alone.
    pub(super) fn make(&self) -> io::Result<()> {
        let state = self.0.parent().unwrap_or(&self.0);
        for folder in [state, &self.0] {
            let mut builder = DirBuilder::new();
            builder.recursive(true);
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            builder.create(folder)?;
            make_private(folder)?;
        }
        Ok(())
    }

    /// Names of the files in the folder; none where it is not there.
    pub(super) fn names(&self) -> io::Result<Vec<String>> {
        let entries = match fs::read_dir(&self.0) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let names = entries.map(|entry| Ok(entry?.file_name().into_string().ok()));
        Ok(names
            .collect::<io::Result<Vec<_>>>()?
            .into_iter()
            .flatten()
            .collect())
    }

    /// Takes the locks of roots; `None` where another process does not let go of one in time.
    pub(super) fn lock(&self, roots: &[&str]) -> io::Result<Option<Vec<Lock>>> {
        let until = Instant::now() + PATIENCE;
        let mut keys: Vec<String> = roots.iter().map(|root| key(root)).collect();
        // Always in the same order, so that two never wait for each other.
        keys.sort_unstable();
        keys.dedup();
        let mut locks = Vec::new();
        for key in keys {
            let lock = loop {
                match self.try_lock(&key)? {
                    Some(lock) => break lock,
                    None if Instant::now() > until => return Ok(None),
                    None => std::thread::sleep(Duration::from_millis(5)),
                }
            };
            locks.push(lock);
        }
        Ok(Some(locks))
    }

    /// Takes a lock if nobody has it.
    pub(super) fn try_lock(&self, key: &str) -> io::Result<Option<Lock>> {
        let path = self.0.join(format!("{key}{LOCK}"));
        loop {
            let mut options = OpenOptions::new();
            options.create(true).truncate(false).write(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            no_follow(&mut options);
            let file = options.open(&path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error),
            }
            // Who had it before may have removed the file in the meantime.
            if is_at(&file, &path)? {
                return Ok(Some(Lock {
                    key: key.to_owned(),
                    path,
                    _file: file,
                }));
            }
        }
    }
}

/// The lock of a root. The system lets go of it however the process ends.
#[derive(Debug)]
pub(super) struct Lock {
    pub(super) key: String,
    path: PathBuf,
    _file: File,
}

impl Drop for Lock {
    fn drop(&mut self) {
        // An empty file that stays does no harm. Windows removes none that is open elsewhere.
        if cfg!(unix) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// What the files of a root begin with in the folder of edits.
pub(super) fn key(root: &str) -> String {
    let hash = Sha256::digest(root.as_bytes());
    hash[..12]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// The key and the ending of a file in the folder of edits; none where it is not one of ours.
pub(super) fn parts(name: &str) -> Option<(&str, &str)> {
    let ending = [LOCK, PART, JOURNAL, UNDO, DONE, OVER]
        .into_iter()
        .find(|ending| name.ends_with(ending))?;
    let key = name.get(..24)?;
    let is_key = key.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_key.then_some((key, ending))
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let ours = file.metadata()?;
    match fs::symlink_metadata(path) {
        Ok(found) => Ok(found.dev() == ours.dev() && found.ino() == ours.ino()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Lock files stay there.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

#[cfg(unix)]
fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let found = fs::symlink_metadata(folder)?;
    if !found.is_dir() {
        return Err(ErrorKind::NotADirectory.into());
    }
    if found.uid() != rustix::process::geteuid().as_raw() {
        return Err(ErrorKind::PermissionDenied.into());
    }
    if found.mode() & 0o077 != 0 {
        fs::set_permissions(folder, PermissionsExt::from_mode(0o700))?;
    }
    Ok(())
}

/// A user's folder for applications is private already.
#[cfg(not(unix))]
fn make_private(folder: &Path) -> io::Result<()> {
    match fs::symlink_metadata(folder)?.is_dir() {
        true => Ok(()),
        false => Err(ErrorKind::NotADirectory.into()),
    }
}
