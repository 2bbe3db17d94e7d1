//! Edits of the user's files on the disk: all or none, each put in place whole (SPEC LC4, D28).
//!
//! One process edits a root at a time: it holds the system's lock of a file in the folder for temporary
//! files, which is let go of however the process ends. A file is written beside its place and moved there;
//! when one of several cannot be, those before it get back what they held.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{Hash, Hasher};
use std::io::{self, ErrorKind, Write};
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

use codecortex_engine::protocol::{ApplyOutcome, FileEdit, Root};
use rustc_hash::FxHasher;

use crate::context_folder::{reason, stamp};

/// Another process edits for some milliseconds.
const PATIENCE: Duration = Duration::from_secs(5);
/// How the names of files begin that are not whole yet.
const HALF: &str = ".writing-";

/// Carries an edit out.
pub(crate) fn apply(roots: &[Root], files: &[FileEdit]) -> ApplyOutcome {
    match try_apply(roots, files) {
        Ok(outcome) => outcome,
        Err((path, error)) => ApplyOutcome::Failed {
            reason: format!("{}: {}.", path.display(), reason(&error)),
        },
    }
}

type Failed = (PathBuf, io::Error);

/// A file and what it is to hold.
struct Target<'a> {
    path: PathBuf,
    edit: &'a FileEdit,
    bytes: &'a [u8],
    /// What it holds; none where it is not there.
    before: Option<Vec<u8>>,
}

fn try_apply(roots: &[Root], files: &[FileEdit]) -> Result<ApplyOutcome, Failed> {
    let mut targets = Vec::new();
    for edit in files {
        targets.push(target(roots, edit)?);
    }
    let mut locks = Vec::new();
    let mut locked: Vec<u32> = files.iter().filter_map(|edit| edit.root).collect();
    // Always in the same order, so that two never wait for each other.
    locked.sort_unstable();
    locked.dedup();
    for root in locked {
        match lock(&roots[root as usize])? {
            Some(lock) => locks.push(lock),
            None => {
                return Ok(ApplyOutcome::Failed {
                    reason: "Another process is editing.".to_owned(),
                });
            }
        }
    }
    for target in &mut targets {
        let found = fs::symlink_metadata(&target.path).ok();
        if found.as_ref().map(stamp) != target.edit.stamp {
            let path = target.edit.path.clone();
            return Ok(ApplyOutcome::Conflict { path });
        }
        if found.is_some() {
            let before = fs::read(&target.path).map_err(|error| (target.path.clone(), error))?;
            target.before = Some(before);
        }
    }
    replace_all(&targets)?;
    Ok(ApplyOutcome::Done)
}

/// Puts every file in place; when one cannot be, those before it are as they were.
fn replace_all(targets: &[Target<'_>]) -> Result<(), Failed> {
    // Everything that needs room is written before anything is put in place.
    let mut halves = Vec::new();
    for target in targets {
        let half = write_half(&target.path, target.bytes);
        halves.push(half.map_err(|error| (target.path.clone(), error))?);
    }
    for (place, half) in halves.into_iter().enumerate() {
        let target = &targets[place];
        if let Err(error) = half.persist(&target.path) {
            targets[..place].iter().for_each(restore);
            return Err((target.path.clone(), error.error));
        }
    }
    Ok(())
}

fn restore(target: &Target<'_>) {
    let restored = match &target.before {
        Some(bytes) => write_half(&target.path, bytes)
            .and_then(|half| half.persist(&target.path).map_err(|error| error.error))
            .map(drop),
        None => fs::remove_file(&target.path),
    };
    if let Err(error) = restored {
        tracing::error!(file = %target.path.display(), %error, "a file could not be put back");
    }
}

/// A file beside its place, with the rights of the one that it will replace.
fn write_half(path: &Path, bytes: &[u8]) -> io::Result<tempfile::NamedTempFile> {
    let folder = path.parent().unwrap_or(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(HALF);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    if let Ok(found) = fs::metadata(path) {
        if found.permissions().readonly() {
            return Err(ErrorKind::PermissionDenied.into());
        }
        file.as_file().set_permissions(found.permissions())?;
    }
    file.as_file().sync_data()?;
    Ok(file)
}

/// A file of a root, reached through no link.
fn target<'a>(roots: &[Root], edit: &'a FileEdit) -> Result<Target<'a>, Failed> {
    let refused = || (PathBuf::from(&edit.path), ErrorKind::InvalidInput.into());
    let root = edit.root.and_then(|root| roots.get(root as usize));
    let (root, bytes) = root.zip(edit.bytes.as_ref()).ok_or_else(refused)?;
    let root = Path::new(&root.path);
    let path = Path::new(&edit.path);
    let inside = path.strip_prefix(root).map_err(|_| refused())?;
    let is_plain = inside.components().all(|part| match part {
        Component::Normal(name) => name != ".git" && name != ".context",
        _ => false,
    });
    if !is_plain || inside.as_os_str().is_empty() {
        return Err(refused());
    }
    let mut step = root.to_owned();
    for part in inside.components() {
        step.push(part);
        if fs::symlink_metadata(&step).is_ok_and(|found| found.is_symlink()) {
            return Err(refused());
        }
    }
    Ok(Target {
        path: path.to_owned(),
        edit,
        bytes: &bytes.0,
        before: None,
    })
}

/// One editing process of a root at a time; none where another does not end.
fn lock(root: &Root) -> Result<Option<File>, Failed> {
    let mut hasher = FxHasher::default();
    root.path.hash(&mut hasher);
    let name = format!("codecortex-edit-{:016x}.lock", hasher.finish());
    let path = std::env::temp_dir().join(name);
    let failed = |error| (path.clone(), error);
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(failed)?;
    let until = Instant::now() + PATIENCE;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
            Err(TryLockError::WouldBlock) if Instant::now() > until => return Ok(None),
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(10)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use codecortex_engine::protocol::Bytes;

    fn place() -> (tempfile::TempDir, Root) {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().to_str().unwrap().to_owned();
        (
            place,
            Root {
                name: "r".to_owned(),
                path,
                link: None,
            },
        )
    }

    fn edit(root: &Root, name: &str, text: &str) -> FileEdit {
        let path = format!("{}/{name}", root.path);
        FileEdit {
            stamp: fs::symlink_metadata(&path).ok().as_ref().map(stamp),
            path,
            root: Some(0),
            version: None,
            changes: Vec::new(),
            bytes: Some(Bytes(text.into())),
            diff: String::new(),
        }
    }

    fn read(root: &Root, name: &str) -> String {
        fs::read_to_string(format!("{}/{name}", root.path)).unwrap()
    }

    #[test]
    fn all_files_or_none() {
        let (place, root) = place();
        for name in ["a", "b"] {
            fs::write(place.path().join(name), "old").unwrap();
        }
        let edits = [
            edit(&root, "a", "new"),
            edit(&root, "b", "new"),
            edit(&root, "c", "made"),
        ];
        fs::write(place.path().join("b"), "somebody else's").unwrap();
        let roots = [root.clone()];
        let conflict = ApplyOutcome::Conflict {
            path: edits[1].path.clone(),
        };
        assert_eq!(apply(&roots, &edits), conflict);
        assert_eq!(
            (read(&root, "a"), read(&root, "b")),
            ("old".into(), "somebody else's".into())
        );
        let edits = ["a", "b", "c"].map(|name| edit(&root, name, "new"));
        assert_eq!(apply(&roots, &edits), ApplyOutcome::Done);
        assert_eq!(
            (read(&root, "a"), read(&root, "c")),
            ("new".into(), "new".into())
        );
        assert_eq!(
            fs::read_dir(place.path()).unwrap().count(),
            3,
            "nothing half written stays"
        );
    }

    #[test]
    fn what_cannot_be_put_in_place_takes_the_rest_back() {
        let (place, root) = place();
        fs::write(place.path().join("a"), "old").unwrap();
        fs::create_dir(place.path().join("z")).unwrap();
        let first = edit(&root, "a", "new");
        let made = edit(&root, "b", "new");
        // A folder takes the place of what is to be made.
        let last = edit(&root, "z", "new");
        let targets: Vec<Target<'_>> = [&first, &made, &last]
            .into_iter()
            .map(|edit| {
                let mut target = target(std::slice::from_ref(&root), edit).unwrap();
                target.before = fs::read(&target.path).ok();
                target
            })
            .collect();
        assert!(replace_all(&targets).is_err());
        assert_eq!(read(&root, "a"), "old");
        assert!(!place.path().join("b").exists());
    }

    #[test]
    fn nothing_outside_is_written() {
        let (place, root) = place();
        let roots = [root.clone()];
        for name in ["../x", ".git/config", ".context/state.json", "a/../../x"] {
            let outcome = apply(&roots, &[edit(&root, name, "x")]);
            assert!(
                matches!(outcome, ApplyOutcome::Failed { .. }),
                "{name}: {outcome:?}"
            );
        }
        let mut strange = edit(&root, "a", "x");
        strange.path = "/etc/x".to_owned();
        assert!(matches!(
            apply(&roots, &[strange]),
            ApplyOutcome::Failed { .. }
        ));
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed_and_rights_are_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let (place, root) = place();
        let (elsewhere, _) = self::place();
        symlink(elsewhere.path(), place.path().join("out")).unwrap();
        let roots = [root.clone()];
        let outcome = apply(&roots, &[edit(&root, "out/x", "x")]);
        assert!(
            matches!(outcome, ApplyOutcome::Failed { .. }),
            "{outcome:?}"
        );
        let script = place.path().join("run.sh");
        fs::write(&script, "old").unwrap();
        fs::set_permissions(&script, PermissionsExt::from_mode(0o750)).unwrap();
        assert_eq!(
            apply(&roots, &[edit(&root, "run.sh", "new")]),
            ApplyOutcome::Done
        );
        let mode = fs::metadata(&script).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o750);
    }
}
