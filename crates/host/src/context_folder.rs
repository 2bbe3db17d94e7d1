//! `.context/` on the disk: what the engine asks to read and to write there (SPEC D3, D17, I5;
//! docs/context-folder.md).
//!
//! A file is replaced whole or not at all. One process writes at a time: it has the token in the folder `cache/lock`,
//! as a writer of observations has that of its store (docs/memory.md). All hosts use it in the same way. Nothing there
//! is followed out of the workspace: everything is opened relative to a handle of the folder, and no link with it.
//!
//! `extension/worker/context.node.ts` is its twin; both hold the cases of `test/contract/context-folder`.

mod reservation;

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use codecortex_confined::{ConfinedFolder, EntryInfo, FolderEntryKind, LockError, Refused, Whose};
use codecortex_engine::protocol::{
    Bytes, CommitOutcome, DiskChange, FetchedFile, FileRef, Root, Stamped,
};

use crate::disk::{join, open, sentence};

pub(crate) use reservation::Reservation;

/// Everything written is below this.
const FOLDER: &str = ".context";
/// The folder that the lock is in, below the folder.
const CACHE: &str = "cache";
/// What is told from a whole file by what it says, or is for one person at this moment: if the machine loses
/// power, nothing is lost with it that is not made again.
const DISPOSABLE: [&str; 3] = ["cache/", "access.json", "prompt_window.md"];
/// The largest file that is read; compile commands list every file with all its flags.
const MAX_BYTES: u64 = 64 << 20;

/// Reads a file as it is.
pub(crate) fn fetch(root: &Root, file: &FileRef, is_confined: bool) -> FetchedFile {
    match is_confined || is_inside(&file.path) {
        true => fetched(open_inside(&root.path, &file.path)),
        false => fetch_path(&join(root, &file.path)),
    }
}

/// The same by its absolute path. What is below a file is not there either.
pub(crate) fn fetch_path(path: &str) -> FetchedFile {
    fetched(open(path).map(|(file, _)| file))
}

/// Opens a file below a root for reading; no link leads it elsewhere.
pub(crate) fn open_inside(root: &str, path: &str) -> io::Result<File> {
    ConfinedFolder::open(Path::new(root))?.open_file(path)
}

fn fetched(file: io::Result<File>) -> FetchedFile {
    match file.and_then(read) {
        Ok((bytes, stamp)) => FetchedFile {
            bytes: Some(Bytes(bytes)),
            stamp: Some(stamp),
            error: None,
        },
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            FetchedFile::default()
        }
        Err(error) => FetchedFile {
            error: Some(match Refused::from_error(&error) {
                Some(refused) => capitalised(&refused.to_string()),
                None => sentence(&error, "file"),
            }),
            ..FetchedFile::default()
        },
    }
}

/// A reason as a sentence.
fn capitalised(reason: &str) -> String {
    let mut letters = reason.chars();
    let first = letters.next().map(char::to_uppercase);
    let first = first.into_iter().flatten();
    first.chain(letters).chain(['.']).collect()
}

fn read(file: File) -> io::Result<(Vec<u8>, String)> {
    let found = EntryInfo::from_metadata(&file.metadata()?);
    if found.kind != FolderEntryKind::File {
        return Err(Refused::NotAFile(found.kind).into());
    }
    if found.len > MAX_BYTES {
        return Err(ErrorKind::FileTooLarge.into());
    }
    let mut bytes = Vec::with_capacity(found.len as usize + 1);
    // It may grow meanwhile.
    file.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok((bytes, stamp_of(&found)))
}

/// Tells a file from any that took its place.
pub(crate) fn stamp(metadata: &Metadata) -> String {
    stamp_of(&EntryInfo::from_metadata(metadata))
}

fn stamp_of(found: &EntryInfo) -> String {
    let since = found.modified;
    let since = since.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    let time = since.map_or(0, |since| since.as_nanos());
    format!("{time}-{}-{}", found.len, found.id.1)
}

/// Carries a commit out. Who finds that the files are others than it expects keeps the lock in `reserved`, so that what
/// it reads next is not outdated once more before it can write.
pub(crate) fn commit(
    root: &Root,
    expect: &[Stamped],
    changes: &[DiskChange],
    reserved: &mut Reservation,
) -> CommitOutcome {
    if let Some(path) = changes.iter().flat_map(paths).find(|path| !is_inside(path)) {
        return CommitOutcome::Failed {
            reason: format!("{path}: it is not below {FOLDER}."),
        };
    }
    match try_commit(root, expect, changes, reserved) {
        Ok(outcome) => outcome,
        // It was deleted in the meantime.
        Err((_, error)) if error.kind() == ErrorKind::NotFound => CommitOutcome::Conflict,
        Err((path, error)) => CommitOutcome::Failed {
            reason: format!("{}: {}.", path.display(), reason(&error)),
        },
    }
}

/// Deletes what processes had half written when they were killed, where nobody writes at the moment.
pub(crate) fn tidy(root: &Root) {
    let tidy = || {
        let folder = ConfinedFolder::open(Path::new(&root.path))?.below(FOLDER)?;
        let cache = folder.made(CACHE)?;
        let mut lock = Reservation::default().lock(Path::new(&root.path), Arc::new(cache));
        if lock.take().is_ok() {
            folder.sweep(Whose::TheNameless);
        }
        io::Result::Ok(())
    };
    if let Err(error) = tidy()
        && error.kind() != ErrorKind::NotFound
    {
        // The commit that follows fails of the same and says so.
        tracing::debug!(%error, "half files stay");
    }
}

/// An error as a person would say it.
pub(crate) fn reason(error: &io::Error) -> String {
    if Refused::from_error(error).is_some() {
        return error.to_string();
    }
    match error.kind() {
        ErrorKind::PermissionDenied => "no permission to write it".to_owned(),
        ErrorKind::StorageFull => "the disk is full".to_owned(),
        ErrorKind::ReadOnlyFilesystem => "the disk is read-only".to_owned(),
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => "it is not a folder".to_owned(),
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

type ContextWriteError = (PathBuf, io::Error);

fn try_commit(
    root: &Root,
    expect: &[Stamped],
    changes: &[DiskChange],
    reserved: &mut Reservation,
) -> Result<CommitOutcome, ContextWriteError> {
    let makes = |change: &DiskChange| matches!(change, DiskChange::Write { path, .. } if path == ".context/.gitignore");
    let is_made = changes.iter().any(makes);
    let Some(folder) = ContextFolder::open(root, is_made)? else {
        return Ok(CommitOutcome::Conflict);
    };
    let cache = folder.at.made(CACHE);
    let cache = cache.map_err(|error| (folder.path(&format!("{FOLDER}/{CACHE}")), error))?;
    let mut lock = reserved.lock(Path::new(&root.path), Arc::new(cache));
    match lock.take() {
        Ok(true) => folder.at.sweep(Whose::TheNameless),
        Ok(false) => {}
        Err(LockError::Busy { .. } | LockError::Lost) => return Ok(CommitOutcome::Busy),
        Err(LockError::Io { path, source }) => return Err((path, source)),
    }
    let stamps = || -> Vec<Option<String>> {
        let of = |file: &Stamped| folder.stamp(&file.path);
        expect.iter().map(of).collect()
    };
    let is_expected = |(found, file): (&Option<String>, &Stamped)| *found == file.stamp;
    if !stamps().iter().zip(expect).all(is_expected) {
        reserved.keep(Path::new(&root.path), lock);
        return Ok(CommitOutcome::Conflict);
    }
    for change in changes {
        folder.check(change)?;
    }
    if lock.check().is_err() {
        return Ok(CommitOutcome::Busy);
    }
    for change in changes {
        folder.apply(change)?;
    }
    let stamps = stamps();
    lock.give_back();
    Ok(CommitOutcome::Done { stamps })
}

struct ContextFolder {
    /// The folder that it is in.
    root: ConfinedFolder,
    at: ConfinedFolder,
}

impl ContextFolder {
    /// The folder; made where it is not there, if somebody wants it: one that was deleted stays away.
    fn open(root: &Root, may_make: bool) -> Result<Option<Self>, ContextWriteError> {
        let path = Path::new(&root.path);
        let root = ConfinedFolder::open(path).map_err(|error| (path.to_path_buf(), error))?;
        let at = match may_make {
            true => root.made(FOLDER),
            false => root.below(FOLDER),
        };
        match at {
            Ok(at) => Ok(Some(Self { root, at })),
            Err(error) if error.kind() == ErrorKind::NotFound && !may_make => Ok(None),
            Err(error) => Err((path.join(FOLDER), error)),
        }
    }

    /// Where a file is, for messages.
    fn path(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    /// What a file is at the moment; a link is a file of its own.
    fn stamp(&self, path: &str) -> Option<String> {
        let found = match path.strip_prefix(".context/") {
            Some(inner) => self.at.find(inner),
            None => self.root.find(path),
        };
        found.ok().as_ref().map(stamp_of)
    }

    /// Whether a change can be made, as far as what lies there tells, before any of a commit is.
    fn check(&self, change: &DiskChange) -> Result<(), ContextWriteError> {
        for path in paths(change) {
            let found = match self.at.find(inner(path)) {
                Ok(found) => Some(found.kind),
                Err(error) if error.kind() == ErrorKind::NotFound => None,
                Err(error) => return Err((self.path(path), error)),
            };
            let is_appended = matches!(change, DiskChange::Append { .. });
            if is_appended && let Some(kind) = found.filter(|kind| *kind != FolderEntryKind::File) {
                return Err((self.path(path), Refused::NotAFile(kind).into()));
            }
        }
        Ok(())
    }

    fn apply(&self, change: &DiskChange) -> Result<(), ContextWriteError> {
        let (path, done) = match change {
            DiskChange::Write { path, bytes } => (path, self.write(inner(path), &bytes.0)),
            DiskChange::Append { path, text } => (path, self.append(inner(path), text)),
            DiskChange::Move { from, to } => {
                self.rename(inner(from), inner(to));
                return Ok(());
            }
            DiskChange::Delete { path } => match self.at.remove(inner(path)) {
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
                done => (path, done),
            },
        };
        done.map_err(|error| (self.path(path), error))
    }

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.make_around(path)?;
        let is_disposable = DISPOSABLE.iter().any(|start| path.starts_with(start));
        self.at
            .replace(path, !is_disposable, |file| file.write_all(bytes))
    }

    fn append(&self, path: &str, text: &str) -> io::Result<()> {
        self.make_around(path)?;
        self.at.open_log(path)?.write_all(text.as_bytes())
    }

    /// Makes the folder of a file in one that is there: what was deleted around it stays away.
    fn make_around(&self, path: &str) -> io::Result<()> {
        match path.rsplit_once('/') {
            Some((above, _)) => self.at.made(above).map(drop),
            None => Ok(()),
        }
    }

    /// Gives a file of a type its new name (`000` §4.5). It is a plain rename: a repository's git may run programs, and
    /// what is staged is the user's own. Git finds the rename by the content.
    fn rename(&self, from: &str, to: &str) {
        // A link is a file of its own, wherever it leads.
        if self.at.find(from).is_err() || self.at.find(to).is_ok() {
            return;
        }
        if let Err(error) = self.at.rename(from, to) {
            let reason = reason(&error);
            tracing::warn!(file = %from, %reason, "a file of a renamed type stays where it is");
        }
    }
}

/// A path below the folder, as seen from it.
fn inner(path: &str) -> &str {
    path.strip_prefix(".context/").unwrap_or(path)
}

#[cfg(test)]
mod contract;

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use super::*;

    /// Carries a commit out for somebody who keeps nothing and waits for nobody.
    fn commit(root: &Root, expect: &[Stamped], changes: &[DiskChange]) -> CommitOutcome {
        let mut reserved = Reservation::impatient(Duration::from_secs(600));
        super::commit(root, expect, changes, &mut reserved)
    }

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
            stamp: fetch(root, &file, false).stamp,
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
        let token = fs::read_dir(place.path().join(".context/cache/lock")).unwrap();
        let names = token.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        assert_eq!(names.collect::<Vec<_>>(), ["free.4"], "it was given back");
    }

    #[test]
    fn who_was_late_goes_first() {
        let (place, root) = place();
        fs::create_dir(place.path().join(".context")).unwrap();
        let path = ".context/index.json";
        let absent = expect(&root, path);
        commit(&root, &[], &[write(path, "theirs")]);
        let mut late = Reservation::impatient(Duration::from_secs(600));
        let outcome = super::commit(&root, &[absent], &[write(path, "mine")], &mut late);
        assert_eq!(outcome, CommitOutcome::Conflict);
        let other = [write(".context/other", "x")];
        assert_eq!(commit(&root, &[], &other), CommitOutcome::Busy);
        let now = expect(&root, path);
        let outcome = super::commit(&root, &[now], &[write(path, "mine")], &mut late);
        assert!(matches!(outcome, CommitOutcome::Done { .. }), "{outcome:?}");
        let outcome = commit(&root, &[], &other);
        assert!(matches!(outcome, CommitOutcome::Done { .. }), "{outcome:?}");
        // And who is late and does not come again keeps nobody away.
        let absent = expect(&root, ".context/absent");
        commit(&root, &[], &[write(".context/absent", "theirs")]);
        super::commit(&root, &[absent], &[write(path, "late")], &mut late);
        assert_eq!(commit(&root, &[], &other), CommitOutcome::Busy);
        drop(late);
        let outcome = commit(&root, &[], &other);
        assert!(matches!(outcome, CommitOutcome::Done { .. }), "{outcome:?}");
    }

    #[test]
    fn what_is_kept_is_given_back_in_the_end() {
        let (place, root) = place();
        fs::create_dir(place.path().join(".context")).unwrap();
        let path = ".context/index.json";
        let absent = expect(&root, path);
        commit(&root, &[], &[write(path, "theirs")]);
        let mut late = Reservation::impatient(Duration::ZERO);
        let outcome = super::commit(&root, &[absent], &[write(path, "mine")], &mut late);
        assert_eq!(outcome, CommitOutcome::Conflict);
        // Its owner does nothing more, and this one waits for it.
        let mut patient = Reservation::default();
        let outcome = super::commit(&root, &[], &[write(path, "x")], &mut patient);
        assert!(matches!(outcome, CommitOutcome::Done { .. }), "{outcome:?}");
    }

    #[test]
    fn the_lock_of_an_earlier_version_is_taken_over_when_it_is_old() {
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
            let _ = fs::remove_file(&lock).or_else(|_| fs::remove_dir_all(&lock));
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
