//! The commits of a repository, read with the `git` program (SPEC RM1).

use std::path::Path;

use crate::cancellation::StillNeeded;
use crate::git::{self, GitError};

/// The commits that lead to the present state of the repository that a folder is in, the newest first, as
/// `Response::Log` says; none where there is no repository or no git.
///
/// Of a repository that somebody else made, nothing is run and nothing is fetched: [`crate::git`].
///
/// It is given up when nobody wants it any more.
pub(crate) fn read(folder: &Path, most: u32, wanted: &StillNeeded) -> Option<String> {
    match log(folder, most, wanted) {
        Ok(log) => Some(log),
        // The usual case of a folder, and of a repository before its first commit.
        Err(
            GitError::NoRepository | GitError::NoProgram | GitError::Failed(_) | GitError::Unwanted,
        ) => None,
        Err(error) => {
            tracing::warn!(folder = %folder.display(), %error, "the commits are not read");
            None
        }
    }
}

fn log(folder: &Path, most: u32, wanted: &StillNeeded) -> Result<String, GitError> {
    git::open_while(folder, wanted)?.text(&[
        "log",
        "--find-renames",
        "--name-status",
        "--relative",
        "--format=%x01%B%x02",
        &format!("--max-count={most}"),
        "HEAD",
        "--",
    ])
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_folder_without_a_repository_has_no_commits() {
        let place = tempfile::tempdir().unwrap();
        assert_eq!(read(place.path(), 10, &StillNeeded::always()), None);
    }

    #[test]
    fn commits_come_with_messages_and_files_below_the_folder() {
        let place = tempfile::tempdir().unwrap();
        let git = |args: &[&str]| {
            let status = Command::new("git")
                .args(["-c", "user.name=a", "-c", "user.email=a@example.com"])
                .args([
                    "-c",
                    "commit.gpgSign=false",
                    "-c",
                    "init.defaultBranch=main",
                ])
                .arg("-C")
                .arg(place.path())
                .args(args)
                .stdout(Stdio::null())
                .status()
                .unwrap();
            assert!(status.success(), "{args:?}");
        };
        git(&["init", "-q"]);
        std::fs::create_dir(place.path().join("app")).unwrap();
        std::fs::write(place.path().join("app/cart.py"), "x = 1\n").unwrap();
        std::fs::write(place.path().join("other.py"), "y = 1\n").unwrap();
        git(&["add", "."]);
        git(&["commit", "-qm", "Begin the cart"]);
        let log = read(&place.path().join("app"), 10, &StillNeeded::always()).unwrap();
        assert!(log.starts_with("\u{1}Begin the cart"), "{log}");
        assert!(
            log.contains("A\tcart.py") && !log.contains("other.py"),
            "{log}"
        );
    }
}
