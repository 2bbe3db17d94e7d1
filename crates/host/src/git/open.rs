//! Which repository a folder is in, and whether it is one that belongs to the folder.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Git, GitError, plain};
use crate::cancellation::StillNeeded;

/// A part of the reason where the folder is another user's.
pub(super) const OTHER_OWNER: &str = "belongs to another user";
/// Bytes of a `.git` file that are read: a path.
const MAX_POINTER: u64 = 64 << 10;

/// `git` in a folder, where that is in a repository.
///
/// # Errors
///
/// Where there is no git or no repository, or where the repository is not the folder's: git's top level has to hold the
/// folder and, as its `.git`, the repository. A `core.worktree` that leads elsewhere, and a bare repository that lies within
/// a clone as files, are refused so by every version of git.
pub fn open(folder: &Path) -> Result<Git, GitError> {
    open_while(folder, &StillNeeded::always())
}

/// The same, whose commands are ended when nobody wants their answers any more.
pub(crate) fn open_while(folder: &Path, wanted: &StillNeeded) -> Result<Git, GitError> {
    let git = Git::new_while(folder, wanted)?;
    check(&git)?;
    Ok(git)
}

/// Fails where git takes a repository for the folder's that is not.
pub(super) fn check(git: &Git) -> Result<(), GitError> {
    let told = git
        .text(&["rev-parse", "--absolute-git-dir", "--show-toplevel"])
        .map_err(closed)?;
    let mut lines = told.lines();
    let (Some(repository), Some(top)) = (lines.next(), lines.next()) else {
        return Err(GitError::NoRepository);
    };
    let (repository, top) = (PathBuf::from(repository), PathBuf::from(top));
    let holds = same(git.folder(), |folder| {
        same(&top, |top| folder.starts_with(top))
    });
    let is_its_own =
        owned(&top).is_some_and(|owned| same(&owned, |a| same(&repository, |b| a == b)));
    match holds && is_its_own {
        true => Ok(()),
        false => Err(GitError::Closed(
            "the files that it is about are not those of the folder (`core.worktree`, or a bare repository)".to_owned(),
        )),
    }
}

/// Asks about a path without links.
fn same(path: &Path, ask: impl FnOnce(&Path) -> bool) -> bool {
    path.canonicalize().is_ok_and(|path| ask(&path))
}

/// The repository of a top level: its `.git`, or what that says.
fn owned(top: &Path) -> Option<PathBuf> {
    let git = top.join(".git");
    let found = fs::metadata(&git).ok()?;
    if found.is_dir() {
        return Some(git);
    }
    // A FIFO is not waited for.
    let is_read = found.is_file() && found.len() <= MAX_POINTER;
    let text = is_read.then(|| fs::read_to_string(&git).ok()).flatten()?;
    let path = text
        .strip_prefix("gitdir: ")?
        .trim_end_matches(['\r', '\n']);
    Some(top.join(path))
}

/// What git says where it opens nothing, in our words.
fn closed(error: GitError) -> GitError {
    let GitError::Failed(said) = error else {
        return error;
    };
    if said.contains("dubious ownership") || said.contains("unsafe repository") {
        return GitError::Closed(format!("it {OTHER_OWNER}, and git has no exception for it"));
    }
    if said.contains("cannot use bare repository") {
        return GitError::Closed(
            "it is a bare one, whose configuration may have come with its files".to_owned(),
        );
    }
    if said.contains("not a git repository") {
        return GitError::NoRepository;
    }
    GitError::Closed(plain(&said).trim_end_matches('.').to_owned())
}
