//! Python: the stubs of typeshed's folder `stdlib`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::comments::{CommentStyle, without_comments};
use super::{Description, files_below};

/// Describes the stubs in a folder beside which `commit.txt` states typeshed's commit, as type checkers ship them.
pub(super) fn describe(folder: &Path) -> Result<Description> {
    let commit = folder.parent().map(|folder| folder.join("commit.txt"));
    let commit = commit.and_then(|path| fs::read_to_string(path).ok());
    let commit = commit
        .context("no file `commit.txt` beside the folder `stdlib` states typeshed's commit")?;
    let mut files = files_below(folder, ".pyi")?;
    for (_, text) in &mut files {
        *text = without_comments(text, CommentStyle::Hash);
    }
    let commit = commit
        .trim()
        .get(..12)
        .context("typeshed's commit is too short")?;
    Ok(Description {
        language: "python",
        version: format!("typeshed {commit}"),
        files,
    })
}
