//! `.context/` on the disk: what the engine asks to read and to write there (SPEC D3, D17, I5;
//! docs/context-folder.md).
//!
//! A file is replaced whole or not at all. One process writes at a time: it holds the file `cache/lock`,
//! which says nothing but that it is there. Who finds it older than [`STALE`] takes it over: its owner
//! ended in the middle of its work. All hosts use this file in the same way.
//!
//! `extension/worker/context.node.ts` is its twin; both hold the cases of `test/contract/context-folder`.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use codecortex_engine::protocol::{
    Bytes, CommitOutcome, DiskChange, FetchedFile, FileRef, Root, Stamped,
};

use crate::disk::{join, open, sentence};

/// Everything written is below this.
const FOLDER: &str = ".context";
/// The lock, below the folder.
const LOCK: &str = "cache/lock";
/// How the names of files begin that are not whole yet.
const HALF: &str = ".writing-";
/// Writing takes some ms; a lock of this age has no owner any more.
const STALE: Duration = Duration::from_secs(10);
/// What is told from a whole file by what it says, or is for one person at this moment: if the machine loses
/// power, nothing is lost with it that is not made again.
const DISPOSABLE: [&str; 3] = [
    ".context/cache/",
    ".context/access.json",
    ".context/prompt_window.md",
];
/// The largest file that is read; compile commands list every file with all its flags.
const MAX_BYTES: u64 = 64 << 20;

/// Reads a file as it is.
pub(crate) fn fetch(root: &Root, file: &FileRef) -> FetchedFile {
    fetch_path(&join(root, &file.path))
}

/// The same by its absolute path. What is below a file is not there either.
pub(crate) fn fetch_path(path: &str) -> FetchedFile {
    match read(path) {
        Ok((bytes, stamp)) => FetchedFile {
            bytes: Some(Bytes(bytes)),
            stamp: Some(stamp),
            error: None,
        },
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            FetchedFile::default()
        }
        Err(error) => FetchedFile {
            error: Some(sentence(&error, "file")),
            ..FetchedFile::default()
        },
    }
}

fn read(path: &str) -> io::Result<(Vec<u8>, String)> {
    let (file, metadata) = open(path)?;
    if !metadata.is_file() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "not a file"));
    }
    if metadata.len() > MAX_BYTES {
        return Err(ErrorKind::FileTooLarge.into());
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
    // It may grow meanwhile.
    file.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok((bytes, stamp(&metadata)))
}

/// Tells a file from any that took its place.
pub(crate) fn stamp(metadata: &Metadata) -> String {
    let since = metadata.modified().ok();
    let since = since.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    #[cfg(unix)]
    let id = std::os::unix::fs::MetadataExt::ino(metadata);
    #[cfg(not(unix))]
    let id = 0;
    let time = since.map_or(0, |since| since.as_nanos());
    format!("{time}-{}-{id}", metadata.len())
}

/// Carries a commit out.
pub(crate) fn commit(root: &Root, expect: &[Stamped], changes: &[DiskChange]) -> CommitOutcome {
    if let Some(path) = changes.iter().flat_map(paths).find(|path| !is_inside(path)) {
        return CommitOutcome::Failed {
            reason: format!("{path}: it is not below {FOLDER}."),
        };
    }
    match try_commit(root, expect, changes) {
        Ok(outcome) => outcome,
        // It was deleted in the meantime.
        Err((_, error)) if error.kind() == ErrorKind::NotFound => CommitOutcome::Conflict,
        Err((path, error)) => CommitOutcome::Failed {
            reason: format!("{}: {}.", path.display(), reason(&error)),
        },
    }
}

/// An error as a person would say it.
pub(crate) fn reason(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::PermissionDenied => "no permission to write it".to_owned(),
        ErrorKind::StorageFull => "the disk is full".to_owned(),
        ErrorKind::ReadOnlyFilesystem => "the disk is read-only".to_owned(),
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => "it is no folder".to_owned(),
        ErrorKind::IsADirectory => "it is a folder".to_owned(),
        kind => kind.to_string(),
    }
}

/// The paths that a change touches.
fn paths(change: &DiskChange) -> impl Iterator<Item = &str> {
    let (path, other) = match change {
        DiskChange::Write { path, .. }
        | DiskChange::Append { path, .. }
        | DiskChange::Delete { path } => (path, None),
        DiskChange::Move { from, to } => (from, Some(to)),
    };
    [Some(path), other]
        .into_iter()
        .flatten()
        .map(String::as_str)
}

/// Whether a path is below the folder and nowhere else, on every system.
fn is_inside(path: &str) -> bool {
    let mut parts = path.split('/');
    parts.next() == Some(FOLDER)
        && path.len() > FOLDER.len()
        && !path.contains(['\\', ':'])
        && parts.all(|part| !matches!(part, "" | "." | ".."))
}

type Failed = (PathBuf, io::Error);

fn try_commit(
    root: &Root,
    expect: &[Stamped],
    changes: &[DiskChange],
) -> Result<CommitOutcome, Failed> {
    let makes = |change: &DiskChange| matches!(change, DiskChange::Write { path, .. } if path == ".context/.gitignore");
    let Some(folder) = Folder::of(root, changes.iter().any(makes))? else {
        return Ok(CommitOutcome::Conflict);
    };
    let Some(lock) = folder.lock()? else {
        return Ok(CommitOutcome::Busy);
    };
    let as_expected = expect.iter().all(|file| {
        let path = folder.root.join(&file.path);
        fs::symlink_metadata(path).ok().as_ref().map(stamp) == file.stamp
    });
    if !as_expected {
        return Ok(CommitOutcome::Conflict);
    }
    for change in changes {
        folder.apply(change)?;
    }
    let stamps = expect.iter().map(|file| {
        let path = folder.root.join(&file.path);
        fs::symlink_metadata(path).ok().as_ref().map(stamp)
    });
    let stamps = stamps.collect();
    drop(lock);
    Ok(CommitOutcome::Done { stamps })
}

struct Folder {
    root: PathBuf,
    path: PathBuf,
}

/// Deletes the lock when it goes, however that comes about short of a kill.
struct Lock(PathBuf);

impl Drop for Lock {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_file(&self.0) {
            tracing::warn!(%error, "the lock of .context stays; it is taken over when it is old");
        }
    }
}

impl Folder {
    /// The folder; made where it is not there, if somebody wants it: one that was deleted stays away.
    /// Links are not followed: they lead out of the workspace.
    fn of(root: &Root, may_make: bool) -> Result<Option<Self>, Failed> {
        let root = PathBuf::from(&root.path);
        let path = root.join(FOLDER);
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => return Err((path, ErrorKind::NotADirectory.into())),
            Err(error) if error.kind() == ErrorKind::NotFound && !may_make => return Ok(None),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                fs::create_dir(&path).map_err(|error| (path.clone(), error))?;
            }
            Err(error) => return Err((path, error)),
        }
        Ok(Some(Self { root, path }))
    }

    /// One writer at a time; none where another is at it.
    fn lock(&self) -> Result<Option<Lock>, Failed> {
        let path = self.path.join(LOCK);
        let failed = |error| (path.clone(), error);
        make(&self.path.join("cache")).map_err(failed)?;
        for _ in 0..2 {
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(_) => return Ok(Some(Lock(path))),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed(error)),
            }
            if !is_stale(&path) {
                return Ok(None);
            }
            match fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(failed(error)),
                _ => self.sweep(),
            }
        }
        Ok(None)
    }

    /// Deletes what a process had half written when it was killed.
    fn sweep(&self) {
        for folder in ["", "cache", "types"] {
            let entries = fs::read_dir(self.path.join(folder)).into_iter().flatten();
            for entry in entries.filter_map(Result::ok) {
                if entry.file_name().to_string_lossy().starts_with(HALF) {
                    // What stays does no harm.
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
    }

    fn apply(&self, change: &DiskChange) -> Result<(), Failed> {
        match change {
            DiskChange::Write { path, bytes } => {
                let is_disposable = DISPOSABLE.iter().any(|start| path.starts_with(start));
                let path = self.root.join(path);
                replace(&path, &bytes.0, !is_disposable).map_err(|error| (path, error))
            }
            DiskChange::Append { path, text } => {
                let path = self.root.join(path);
                let append = || {
                    make(path.parent().unwrap_or(&path))?;
                    let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
                    file.write_all(text.as_bytes())
                };
                append().map_err(|error| (path.clone(), error))
            }
            DiskChange::Move { from, to } => {
                self.rename(&self.root.join(from), &self.root.join(to));
                Ok(())
            }
            DiskChange::Delete { path } => {
                let path = self.root.join(path);
                match fs::remove_file(&path) {
                    Err(error) if error.kind() != ErrorKind::NotFound => Err((path, error)),
                    _ => Ok(()),
                }
            }
        }
    }

    /// Gives a file of a type its new name, in git too where it is tracked (`000` §4.5).
    fn rename(&self, from: &Path, to: &Path) {
        // A link is a file of its own, wherever it leads.
        let is_there = |path| fs::symlink_metadata(path).is_ok();
        if !is_there(from) || is_there(to) {
            return;
        }
        let by_git = Command::new("git")
            .arg("-C")
            .arg(&self.root)
            .args(["mv", "--"])
            .args([from, to])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        if !by_git.is_ok_and(|status| status.success())
            && let Err(error) = fs::rename(from, to)
        {
            tracing::warn!(file = %from.display(), %error, "a file of a renamed type stays where it is");
        }
    }
}

/// Whether a lock has no owner any more. One from the future was made before the clock was set back.
fn is_stale(path: &Path) -> bool {
    let Ok(made) = fs::symlink_metadata(path).and_then(|found| found.modified()) else {
        return true; // it is gone already
    };
    match SystemTime::now().duration_since(made) {
        Ok(age) => age > STALE,
        Err(ahead) => ahead.duration() > STALE,
    }
}

/// Makes a folder in one that is there: what was deleted around it stays away.
fn make(folder: &Path) -> io::Result<()> {
    match fs::create_dir(folder) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Writes a file beside its place and moves it there; `lasts` says that it has to be whole also after the
/// machine lost power.
fn replace(path: &Path, bytes: &[u8], lasts: bool) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    make(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(HALF);
    // Temporary files are private; these are for everybody that may read the sources.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    if lasts {
        sync(file.as_file())?;
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// A file in place is whole also after the machine lost power.
fn sync(file: &File) -> io::Result<()> {
    file.sync_data()
}

#[cfg(test)]
mod contract;

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> (tempfile::TempDir, Root) {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().to_str().unwrap().to_owned();
        let name = "r".to_owned();
        (
            place,
            Root {
                name,
                path,
                link: None,
            },
        )
    }

    fn write(path: &str, text: &str) -> DiskChange {
        DiskChange::Write {
            path: path.to_owned(),
            bytes: Bytes(text.into()),
        }
    }

    fn expect(root: &Root, path: &str) -> Stamped {
        let file = FileRef {
            root: 0,
            path: path.to_owned(),
        };
        Stamped {
            path: path.to_owned(),
            stamp: fetch(root, &file).stamp,
        }
    }

    #[test]
    fn a_folder_that_was_deleted_stays_away() {
        let (place, root) = place();
        let outcome = commit(&root, &[], &[write(".context/index.json", "{}")]);
        assert_eq!(outcome, CommitOutcome::Conflict);
        assert!(!place.path().join(".context").exists());
        let outcome = commit(&root, &[], &[write(".context/.gitignore", "cache/")]);
        assert!(matches!(outcome, CommitOutcome::Done { .. }), "{outcome:?}");
    }

    #[test]
    fn what_somebody_else_wrote_is_not_overwritten() {
        let (place, root) = place();
        fs::create_dir(place.path().join(".context")).unwrap();
        let path = ".context/index.json";
        let absent = expect(&root, path);
        let done = commit(&root, std::slice::from_ref(&absent), &[write(path, "one")]);
        let CommitOutcome::Done { stamps } = done else {
            panic!("{done:?}")
        };
        assert_eq!(stamps, [expect(&root, path).stamp]);
        let late = commit(&root, &[absent], &[write(path, "two")]);
        assert_eq!(late, CommitOutcome::Conflict);
        let text = fs::read_to_string(place.path().join(path)).unwrap();
        assert_eq!(text, "one");
        assert!(!place.path().join(".context/cache/lock").exists());
    }

    #[test]
    fn the_lock_of_a_dead_process_is_taken_over() {
        let (place, root) = place();
        let lock = place.path().join(".context/cache/lock");
        fs::create_dir_all(lock.parent().unwrap()).unwrap();
        let file = File::create(&lock).unwrap();
        let change = write(".context/a", "x");
        assert_eq!(
            commit(&root, &[], std::slice::from_ref(&change)),
            CommitOutcome::Busy
        );
        for age in [
            SystemTime::now() - Duration::from_secs(11),
            SystemTime::now() + Duration::from_secs(3600),
        ] {
            fs::create_dir_all(lock.parent().unwrap()).unwrap();
            let file = File::create(&lock).unwrap();
            file.set_modified(age).unwrap();
            let done = commit(&root, &[], std::slice::from_ref(&change));
            assert!(matches!(done, CommitOutcome::Done { .. }), "{done:?}");
        }
        drop(file);
    }

    #[test]
    fn nothing_outside_of_the_folder_is_written() {
        let (place, root) = place();
        fs::create_dir(place.path().join(".context")).unwrap();
        for path in ["a", ".context/../a", "/a", ".context", "x/.context/a"] {
            let outcome = commit(&root, &[], &[write(path, "x")]);
            assert!(
                matches!(outcome, CommitOutcome::Failed { .. }),
                "{path}: {outcome:?}"
            );
        }
        assert!(!place.path().join("a").exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_the_folders_place_is_not_followed() {
        let (place, root) = place();
        let (elsewhere, _) = self::place();
        std::os::unix::fs::symlink(elsewhere.path(), place.path().join(".context")).unwrap();
        let outcome = commit(&root, &[], &[write(".context/a", "x")]);
        assert!(
            matches!(outcome, CommitOutcome::Failed { .. }),
            "{outcome:?}"
        );
        assert!(!elsewhere.path().join("a").exists());
    }
}
