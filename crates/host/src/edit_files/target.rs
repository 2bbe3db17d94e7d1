//! Which files may be edited: files of a root, reached through no link and by their own names (SPEC D28).

use std::fs;
use std::path::{Component, Path, PathBuf};

use codecortex_engine::protocol::file_names::{NameProblem, name_problem};
use codecortex_engine::protocol::{FileEdit, Root};

use super::EditRefusal;

/// A file and what it is to hold.
pub(super) struct WriteTarget<'a> {
    /// The workspace folder that it is in.
    pub(super) root: &'a Path,
    pub(super) path: PathBuf,
    /// The stamp that it has to have; none where it must not be there.
    pub(super) stamp: Option<&'a str>,
    /// None where it is to be deleted.
    pub(super) bytes: Option<&'a [u8]>,
    /// Whether its folder is made where it is not there.
    pub(super) makes_folder: bool,
    /// The rights of a file that is made, where they are known.
    pub(super) mode: Option<u32>,
    /// Where a file was that is made: it is moved.
    pub(super) moved_from: Option<PathBuf>,
}

/// The files that edits name; one that is moved is two, and what is deleted comes before what is made.
pub(super) fn targets<'a>(
    roots: &'a [Root],
    edits: &'a [FileEdit],
) -> Result<Vec<WriteTarget<'a>>, EditRefusal> {
    let mut targets = Vec::new();
    for edit in edits {
        targets.extend(targets_of(roots, edit)?);
    }
    targets.sort_by_key(|target| target.bytes.is_some());
    let leaves = targets.iter().filter(|target| target.bytes.is_none());
    let leaves: Vec<&Path> = leaves.map(|target| target.path.as_path()).collect();
    for target in &targets {
        check(target.root, &target.path, target.stamp.is_none(), &leaves)?;
    }
    Ok(targets)
}

fn targets_of<'a>(
    roots: &'a [Root],
    edit: &'a FileEdit,
) -> Result<Vec<WriteTarget<'a>>, EditRefusal> {
    let path = PathBuf::from(&edit.path);
    let root = edit.root.and_then(|root| roots.get(root as usize));
    let refused = |why| EditRefusal::refused(&path, why);
    let root = Path::new(
        &root
            .ok_or_else(|| refused("it is in no workspace folder"))?
            .path,
    );
    let bytes = edit.bytes.as_ref().map(|bytes| bytes.0.as_slice());
    let target = |path: &str, bytes| WriteTarget {
        root,
        path: PathBuf::from(path),
        stamp: edit.stamp.as_deref(),
        bytes,
        makes_folder: edit.makes_folder,
        mode: edit.mode,
        moved_from: None,
    };
    match (edit.deleted, &edit.moved_to, bytes) {
        (false, None, Some(bytes)) => Ok(vec![target(&edit.path, Some(bytes))]),
        (true, None, None) if edit.stamp.is_some() => Ok(vec![target(&edit.path, None)]),
        (false, Some(to), Some(bytes)) if edit.stamp.is_some() => Ok(vec![
            target(&edit.path, None),
            WriteTarget {
                stamp: None,
                mode: mode_of(&path),
                moved_from: Some(path.clone()),
                ..target(to, Some(bytes))
            },
        ]),
        _ => Err(refused("it is not known what it is to hold")),
    }
}

/// The rights of a file, as numbers.
pub(super) fn mode_of(path: &Path) -> Option<u32> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let found = fs::symlink_metadata(path).ok()?;
        Some(found.permissions().mode() & 0o7777)
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

/// Refuses a path that leads elsewhere than it says. A disk that folds case may have a file there that `leaves`.
pub(super) fn check(
    root: &Path,
    path: &Path,
    is_new: bool,
    leaves: &[&Path],
) -> Result<(), EditRefusal> {
    let refused = |why| EditRefusal::refused(path, why);
    let inside = path
        .strip_prefix(root)
        .map_err(|_| refused("it is in no workspace folder"))?;
    let parts: Option<Vec<&str>> = inside
        .components()
        .map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .collect();
    let Some(parts) = parts.filter(|parts| !parts.is_empty()) else {
        return Err(refused("it is in no workspace folder"));
    };
    match name_problem(&parts.join("/")) {
        Some(NameProblem::Owned) => {
            return Err(refused("git or CodeCortex keeps such a name for itself"));
        }
        // What is there under such a name is a file like any other, on a system that can have it.
        Some(NameProblem::Unportable) if is_new || cfg!(windows) => {
            return Err(refused("the name has another meaning on other systems"));
        }
        _ => {}
    }
    let mut step = root.to_owned();
    let mut there = root.to_owned();
    for part in &parts {
        step.push(part);
        match fs::symlink_metadata(&step) {
            Ok(found) if found.is_symlink() => return Err(refused("a link points there")),
            Ok(_) => there.clone_from(&step),
            Err(_) => break,
        }
    }
    // Short names, and names in another case on a disk that sees no difference.
    let real = |path: &Path| fs::canonicalize(path).ok();
    let is_own_name = match (real(root), real(&there), there.strip_prefix(root)) {
        (Some(own), Some(real), Ok(inside)) => {
            let is_it = |path: &&Path| {
                let inside = path.strip_prefix(root);
                inside.is_ok_and(|inside| real == own.join(inside))
            };
            real == own.join(inside) || leaves.iter().any(is_it)
        }
        _ => false,
    };
    match is_own_name {
        true => Ok(()),
        false => Err(refused("it is there under another name")),
    }
}
