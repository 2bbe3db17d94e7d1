//! Which files may be edited: files of a root, reached through no link and by their own names (SPEC D28).

use std::fs;
use std::path::{Component, Path, PathBuf};

use codecortex_engine::protocol::file_names::{NameProblem, name_problem};
use codecortex_engine::protocol::{FileEdit, Root};

use super::EditRefusal;

/// A file and what it is to hold.
pub(super) struct WriteTarget<'a> {
    pub(super) path: PathBuf,
    /// The stamp that it has to have; none where it must not be there.
    pub(super) stamp: Option<&'a str>,
    pub(super) bytes: &'a [u8],
}

/// The file that an edit names.
pub(super) fn target<'a>(
    roots: &[Root],
    edit: &'a FileEdit,
) -> Result<WriteTarget<'a>, EditRefusal> {
    let path = PathBuf::from(&edit.path);
    let root = edit.root.and_then(|root| roots.get(root as usize));
    let Some((root, bytes)) = root.zip(edit.bytes.as_ref()) else {
        return Err(EditRefusal::refused(&path, "it is in no workspace folder"));
    };
    check(Path::new(&root.path), &path, edit.stamp.is_none())?;
    Ok(WriteTarget {
        path,
        stamp: edit.stamp.as_deref(),
        bytes: &bytes.0,
    })
}

/// Refuses a path that leads elsewhere than it says.
pub(super) fn check(root: &Path, path: &Path, is_new: bool) -> Result<(), EditRefusal> {
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
        (Some(root), Some(real), Ok(inside)) => real == root.join(inside),
        _ => false,
    };
    match is_own_name {
        true => Ok(()),
        false => Err(refused("it is there under another name")),
    }
}
