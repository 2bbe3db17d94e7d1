//! The commits of a repository, read with the `git` program (SPEC RM1).

use std::path::Path;
use std::process::{Command, Stdio};

/// The commits that lead to the present state of the repository that a folder is in, the newest first, as
/// `Event::Logged` says; none where there is no repository or no git.
///
/// Of a repository that somebody else made, nothing is run and nothing is fetched: no hooks, no pagers, no signature or
/// diff programs, no missing objects.
pub(crate) fn read(folder: &Path, most: u32) -> Option<String> {
    let output = Command::new("git")
        .args([
            "--no-pager",
            "-c",
            "core.quotePath=off",
            "-c",
            "core.fsmonitor=false",
        ])
        .args(["-c", "log.showSignature=false", "-C"])
        .arg(folder)
        .args([
            "log",
            "--no-ext-diff",
            "--no-textconv",
            "--no-show-signature",
            "--no-color",
        ])
        .args([
            "--find-renames",
            "--name-status",
            "--relative",
            "--format=%x01%B%x02",
        ])
        .arg(format!("--max-count={most}"))
        .args(["HEAD", "--"])
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_a_repository_has_no_commits() {
        let place = tempfile::tempdir().unwrap();
        assert_eq!(read(place.path(), 10), None);
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
        let log = read(&place.path().join("app"), 10).unwrap();
        assert!(log.starts_with("\u{1}Begin the cart"), "{log}");
        assert!(
            log.contains("A\tcart.py") && !log.contains("other.py"),
            "{log}"
        );
    }
}
