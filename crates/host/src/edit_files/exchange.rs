//! One file takes the place of another, and what somebody saves at that moment is not lost.
//!
//! A check and a replacement are two calls, and a person's editor may save between them. So the two files are
//! exchanged, what came out is looked at, and where it is not what was expected it is put back.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::file_snapshot::{FileSnapshot, held, holds, no_follow};

/// What became of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExchangeOutcome {
    Done,
    /// Somebody changed the target: it holds what they saved.
    Changed,
}

/// Puts `half`, which holds `ours`, in the place of a target that holds `expected`; `half` holds that afterwards.
pub(super) fn replace(
    half: &Path,
    ours: &FileSnapshot,
    target: &Path,
    expected: &FileSnapshot,
) -> io::Result<ExchangeOutcome> {
    if !holds(target, expected) {
        return Ok(ExchangeOutcome::Changed);
    }
    match exchange(half, target) {
        Ok(()) => {}
        // It was deleted, or is being saved by an editor that moves it away first.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(ExchangeOutcome::Changed),
        Err(error) => return Err(error),
    }
    if holds(half, expected) {
        return Ok(ExchangeOutcome::Done);
    }
    give_back(half, &ours.bytes, target)?;
    Ok(ExchangeOutcome::Changed)
}

/// Puts `half` at a place where nothing is.
pub(super) fn create(half: &Path, target: &Path) -> io::Result<ExchangeOutcome> {
    match rename_new(half, target) {
        Ok(()) => Ok(ExchangeOutcome::Done),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(ExchangeOutcome::Changed),
        Err(error) => Err(error),
    }
}

/// Gives a target that holds `placed` what `half` holds. What somebody appended to `placed` meanwhile is appended to
/// that; anything else that they saved stays, and `half` goes as it is.
pub(super) fn restore(half: &Path, placed: &[u8], target: &Path) -> io::Result<ExchangeOutcome> {
    let Some(ours) = held(half)? else {
        return Err(ErrorKind::NotFound.into());
    };
    // Where the text before begins as the one after, a whole text that somebody saved looks like one with a tail.
    let is_clear = !ours.bytes.starts_with(placed);
    let tail_of = |path: &Path| -> io::Result<Option<Vec<u8>>> {
        let found = held(path)?;
        let tail = found.as_ref().and_then(|found| tail(placed, &found.bytes));
        Ok(tail
            .filter(|tail| is_clear || tail.is_empty())
            .map(<[u8]>::to_vec))
    };
    if tail_of(target)?.is_none() {
        return Ok(ExchangeOutcome::Changed);
    }
    match exchange(half, target) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(ExchangeOutcome::Changed),
        Err(error) => return Err(error),
    }
    match tail_of(half)? {
        Some(tail) => {
            move_tail(half, &tail, target)?;
            Ok(ExchangeOutcome::Done)
        }
        None => {
            give_back(half, &ours.bytes, target)?;
            Ok(ExchangeOutcome::Changed)
        }
    }
}

/// Takes a file away that holds `placed`; it is at `half` then. What somebody changed stays where it is.
pub(super) fn take_away(
    half: &Path,
    placed: &FileSnapshot,
    target: &Path,
) -> io::Result<ExchangeOutcome> {
    if !holds(target, placed) {
        return Ok(ExchangeOutcome::Changed);
    }
    fs::rename(target, half)?;
    if holds(half, placed) {
        return Ok(ExchangeOutcome::Done);
    }
    put_back(half, &placed.bytes, target)?;
    Ok(ExchangeOutcome::Changed)
}

/// Undoes an exchange: `half` holds what somebody saved, and the target ours, which may have been seen and saved over.
fn give_back(half: &Path, ours: &[u8], target: &Path) -> io::Result<()> {
    match exchange(half, target) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return put_back(half, ours, target),
        Err(error) => return Err(error),
    }
    let Some(seen) = held(half)? else {
        return Ok(());
    };
    match tail(ours, &seen.bytes) {
        // Nobody saw it, or somebody appended to it.
        Some(tail) => move_tail(half, tail, target),
        // A whole text that was saved later than the one at the target.
        None => exchange(half, target),
    }
}

/// Puts what was taken out in its place again, where nothing is; what was made there meanwhile is newer and stays.
fn put_back(half: &Path, ours: &[u8], target: &Path) -> io::Result<()> {
    match rename_new(half, target) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let found = held(half)?;
            let tail = found.as_ref().and_then(|found| tail(ours, &found.bytes));
            move_tail(half, tail.unwrap_or_default(), target)
        }
        other => other,
    }
}

/// What was appended to a text; none where the text is another one. Anything may follow an empty one.
pub(super) fn tail<'a>(text: &[u8], found: &'a [u8]) -> Option<&'a [u8]> {
    let tail = found.strip_prefix(text)?;
    (!text.is_empty() || tail.is_empty()).then_some(tail)
}

/// Appends what somebody appended to `half` to the target instead.
fn move_tail(half: &Path, tail: &[u8], target: &Path) -> io::Result<()> {
    if tail.is_empty() {
        return Ok(());
    }
    append(target, tail)?;
    // So that nobody takes it for something that is still to be moved.
    fs::remove_file(half)
}

/// Appends to a file that is there.
pub(super) fn append(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    let mut options = OpenOptions::new();
    options.append(true);
    no_follow(&mut options);
    options.open(path)?.write_all(bytes)
}

/// Exchanges two files that are there.
pub(super) fn exchange(half: &Path, target: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        match renameat_with(CWD, half, CWD, target, RenameFlags::EXCHANGE) {
            Ok(()) => return Ok(()),
            Err(error) if cannot_do_it(error) => {}
            Err(error) => return Err(error.into()),
        }
    }
    exchange_by_links(half, target)
}

/// The same in steps, where the system or the disk has no such call. The target is there all the time; what somebody
/// puts in its place whole between two of the steps is lost.
fn exchange_by_links(half: &Path, target: &Path) -> io::Result<()> {
    let aside = aside(half);
    let is_linked = fs::hard_link(target, &aside);
    match is_linked {
        Err(error) if error.kind() == ErrorKind::NotFound => return Err(error),
        // A disk without links.
        Err(_) => drop(fs::copy(target, &aside)?),
        Ok(()) => {}
    }
    if let Err(error) = fs::rename(half, target) {
        let _ = fs::remove_file(&aside);
        return Err(error);
    }
    fs::rename(&aside, half)
}

/// A second name beside a half, for an exchange in steps.
pub(super) fn aside(half: &Path) -> PathBuf {
    let mut name = OsString::from(half);
    name.push("-old");
    PathBuf::from(name)
}

/// Moves a file to a place where nothing is, or fails with `AlreadyExists`.
fn rename_new(half: &Path, target: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        match renameat_with(CWD, half, CWD, target, RenameFlags::NOREPLACE) {
            Ok(()) => return Ok(()),
            Err(error) if cannot_do_it(error) => {}
            Err(error) => return Err(error.into()),
        }
    }
    match fs::hard_link(half, target) {
        Ok(()) => fs::remove_file(half),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(error),
        // A disk without links.
        Err(_) if fs::symlink_metadata(target).is_ok() => Err(ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(half, target),
    }
}

/// Whether the system, or the disk, does not know the flags.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn cannot_do_it(error: rustix::io::Errno) -> bool {
    use rustix::io::Errno;
    // Some of them are one and the same on some systems.
    [
        Errno::INVAL,
        Errno::NOSYS,
        Errno::NOTSUP,
        Errno::OPNOTSUPP,
        Errno::PERM,
    ]
    .contains(&error)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Two {
        _place: tempfile::TempDir,
        half: PathBuf,
        target: PathBuf,
    }

    fn two(half: &str, target: &str) -> Two {
        let place = tempfile::tempdir().unwrap();
        let two = Two {
            half: place.path().join(".writing-x"),
            target: place.path().join("a"),
            _place: place,
        };
        fs::write(&two.half, half).unwrap();
        fs::write(&two.target, target).unwrap();
        two
    }

    fn read(path: &Path) -> String {
        fs::read_to_string(path).unwrap()
    }

    #[test]
    fn an_exchange_in_steps_does_what_the_system_does() {
        for by in [exchange, exchange_by_links] {
            let two = two("new", "old");
            by(&two.half, &two.target).unwrap();
            assert_eq!(
                (read(&two.half), read(&two.target)),
                ("old".into(), "new".into())
            );
            assert!(!aside(&two.half).exists());
            fs::remove_file(&two.target).unwrap();
            let error = by(&two.half, &two.target).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::NotFound);
            assert_eq!(read(&two.half), "old");
        }
    }

    #[test]
    fn what_was_saved_before_the_exchange_is_put_back() {
        let two = two("new", "old");
        let ours = held(&two.half).unwrap().unwrap();
        let expected = held(&two.target).unwrap().unwrap();
        fs::write(&two.target, "saved").unwrap();
        assert_eq!(
            replace(&two.half, &ours, &two.target, &expected).unwrap(),
            ExchangeOutcome::Changed
        );
        assert_eq!(read(&two.target), "saved");
        // The same one step later: the check before saw nothing.
        exchange(&two.half, &two.target).unwrap();
        give_back(&two.half, b"new", &two.target).unwrap();
        assert_eq!(
            (read(&two.half), read(&two.target)),
            ("new".into(), "saved".into())
        );
    }

    #[test]
    fn what_was_appended_to_ours_is_kept() {
        let appended = two("saved", "new+line");
        give_back(&appended.half, b"new", &appended.target).unwrap();
        assert_eq!(read(&appended.target), "saved+line");
        let whole = two("saved", "saved later");
        give_back(&whole.half, b"new", &whole.target).unwrap();
        assert_eq!(read(&whole.target), "saved later");
        let restored = two("old", "new+line");
        assert_eq!(
            restore(&restored.half, b"new", &restored.target).unwrap(),
            ExchangeOutcome::Done
        );
        assert_eq!(read(&restored.target), "old+line");
        let ambiguous = two("new and old", "new and saved");
        assert_eq!(
            restore(&ambiguous.half, b"new", &ambiguous.target).unwrap(),
            ExchangeOutcome::Changed
        );
        assert_eq!(read(&ambiguous.target), "new and saved");
        let other = two("old", "other");
        assert_eq!(
            restore(&other.half, b"new", &other.target).unwrap(),
            ExchangeOutcome::Changed
        );
        assert_eq!(read(&other.target), "other");
    }

    #[test]
    fn a_deleted_file_stays_deleted_or_is_what_was_saved() {
        let two = two("saved", "new");
        fs::remove_file(&two.target).unwrap();
        give_back(&two.half, b"new", &two.target).unwrap();
        assert_eq!(read(&two.target), "saved");
        assert!(!two.half.exists());
        fs::write(&two.half, "new").unwrap();
        assert_eq!(
            create(&two.half, &two.target).unwrap(),
            ExchangeOutcome::Changed
        );
        assert_eq!(read(&two.target), "saved");
    }
}
