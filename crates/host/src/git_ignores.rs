//! Ignore files that count for a workspace folder though they are not in it: those of the folders above, up to the
//! repository's top, the repository's `info/exclude`, and the user's global excludes (SPEC P2).

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use codecortex_engine::protocol::IgnoreFile;

use crate::disk::open_where_it_leads;

/// Longer ignore files are no ignore files.
const MAX_IGNORE_FILE: u64 = 1024 * 1024;
/// Folders above that are looked at for the top of a repository.
const MAX_ABOVE: usize = 64;

/// The text of a small file, where there is one; a pipe is not waited for. What is no UTF-8 in it is replaced.
pub(crate) fn small_text(path: &Path) -> Option<String> {
    let (file, metadata) = open_where_it_leads(path).ok()?;
    if !metadata.is_file() || metadata.len() > MAX_IGNORE_FILE {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(MAX_IGNORE_FILE).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The ignore files that count for everything below a root, nearest folder first.
pub(crate) fn above(root: &str) -> Vec<IgnoreFile> {
    let root = Path::new(root);
    let Some(top) = repository_top(root) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    // The root's own come with its listing.
    let between = root.ancestors().skip(1).take_while(|_| top != root);
    for folder in between.take_while(|folder| folder.starts_with(&top)) {
        for name in [".gitignore", ".ignore"] {
            found.extend(ignore_file(root, folder, name, &folder.join(name)));
        }
    }
    let exclude = git_folder(&top).map(|git| git.join("info/exclude"));
    let exclude = exclude.and_then(|path| ignore_file(root, &top, ".git/info/exclude", &path));
    found.extend(exclude);
    let global = ignore::gitignore::gitconfig_excludes_path();
    found.extend(global.and_then(|path| ignore_file(root, &top, "core.excludesFile", &path)));
    found
}

fn ignore_file(root: &Path, folder: &Path, name: &str, path: &Path) -> Option<IgnoreFile> {
    let below = root.strip_prefix(folder).ok()?.to_str()?;
    Some(IgnoreFile {
        name: name.to_owned(),
        text: small_text(path)?,
        above: below.replace('\\', "/"),
    })
}

/// The top of the repository that a folder is in.
fn repository_top(folder: &Path) -> Option<PathBuf> {
    let mut above = folder.ancestors().take(MAX_ABOVE);
    let top = above.find(|folder| fs::symlink_metadata(folder.join(".git")).is_ok());
    top.map(Path::to_path_buf)
}

/// Where a repository keeps what all of its worktrees share.
fn git_folder(top: &Path) -> Option<PathBuf> {
    let git = top.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let pointer = small_text(&git)?;
    let folder = top.join(
        pointer
            .lines()
            .find_map(|line| line.strip_prefix("gitdir: "))?
            .trim(),
    );
    match small_text(&folder.join("commondir")) {
        Some(common) => Some(folder.join(common.trim())),
        None => Some(folder),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(root: &Path) -> Vec<(String, String, String)> {
        let files = above(root.to_str().unwrap()).into_iter();
        let own = files.filter(|file| file.name != "core.excludesFile");
        own.map(|file| (file.name, file.above, file.text)).collect()
    }

    #[test]
    fn rules_above_count_up_to_the_top_of_the_repository() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("repo/pkg/app");
        fs::create_dir_all(&root).unwrap();
        fs::create_dir_all(place.path().join("repo/.git/info")).unwrap();
        fs::write(place.path().join(".gitignore"), "not git's\n").unwrap();
        fs::write(place.path().join("repo/.gitignore"), "dist/\n").unwrap();
        fs::write(place.path().join("repo/pkg/.ignore"), "*.out.ts\n").unwrap();
        fs::write(place.path().join("repo/.git/info/exclude"), "own/\n").unwrap();
        let row = |name: &str, above: &str, text: &str| {
            (name.to_owned(), above.to_owned(), text.to_owned())
        };
        let expected = [
            row(".ignore", "app", "*.out.ts\n"),
            row(".gitignore", "pkg/app", "dist/\n"),
            row(".git/info/exclude", "pkg/app", "own/\n"),
        ];
        assert_eq!(told(&root), expected);
        // The top's own files come with its listing.
        let top = [row(".git/info/exclude", "", "own/\n")];
        assert_eq!(told(&place.path().join("repo")), top);
    }

    #[test]
    fn a_worktree_has_the_exclude_file_of_its_repository() {
        let place = tempfile::tempdir().unwrap();
        let git = place.path().join("repo/.git");
        fs::create_dir_all(git.join("worktrees/side")).unwrap();
        fs::create_dir_all(git.join("info")).unwrap();
        fs::create_dir_all(place.path().join("side")).unwrap();
        fs::write(git.join("info/exclude"), "own/\n").unwrap();
        fs::write(git.join("worktrees/side/commondir"), "../..\n").unwrap();
        fs::write(
            place.path().join("side/.git"),
            "gitdir: ../repo/.git/worktrees/side\n",
        )
        .unwrap();
        let found = told(&place.path().join("side"));
        assert_eq!(found[0].2, "own/\n");
    }

    #[test]
    fn outside_of_repositories_nothing_above_counts() {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir_all(place.path().join("a")).unwrap();
        fs::write(place.path().join(".gitignore"), "a.ts\n").unwrap();
        assert!(told(&place.path().join("a")).is_empty());
    }
}
