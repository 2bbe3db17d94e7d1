//! Whether a rename of identifiers changed string literals too, as a rename by text does: `struct Awaited` becomes `Need`,
//! and the literal `"Awaited"`, the name of a type of another language, becomes `"Need"` as well.

mod renames;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::strings::renames::renamed_literals;

/// The trailer of a commit's message that says which word is renamed in literals on purpose: `Renamed-word: old new`.
const TRAILER: &str = "Renamed-word";

#[derive(Args)]
pub(crate) struct Options {
    /// The commit that the files of the working tree are compared with; left out: the first parent of HEAD, and without
    /// one (no repository, a shallow clone, a first commit) nothing is compared.
    #[arg(long)]
    since: Option<String>,
}

/// Compares the Rust sources of the working tree with a commit's. Fails with every literal that was renamed with an
/// identifier, unless a commit in between has the word in its trailer.
pub(crate) fn check(root: &Path, options: &Options) -> Result<()> {
    let asked = options.since.as_deref();
    let since = asked.unwrap_or("HEAD~1");
    let verify = ["rev-parse", "--verify", "--quiet", "--end-of-options"];
    let commit = format!("{since}^{{commit}}");
    let Some(revision) = git(root, &[&verify[..], &[&commit]].concat())? else {
        if asked.is_some() {
            bail!("git knows no commit `{since}`");
        }
        println!("strings: no commit before HEAD, so nothing was compared");
        return Ok(());
    };
    let problems = problems(root, revision.trim())?;
    if !problems.is_empty() {
        bail!("{}", problems.join("\n"));
    }
    Ok(())
}

/// A sentence for each literal that changed with an identifier since `revision`.
fn problems(root: &Path, revision: &str) -> Result<Vec<String>> {
    let allowed = allowed_renames(root, revision)?;
    let mut problems = Vec::new();
    for (old_path, path) in changed_files(root, revision)? {
        let old = required(root, &["show", &format!("{revision}:{old_path}")])?;
        let file = root.join(&path);
        let new = std::fs::read_to_string(&file)
            .with_context(|| format!("cannot read {}", file.display()))?;
        for change in renamed_literals(&old, &new) {
            if !allowed.contains(&change.rename) {
                let (from, to) = &change.rename;
                problems.push(format!(
                    "{path}: the literal \"{}\" became \"{}\" with the identifier `{from}`, now `{to}`; restore it, or write \
                     `{TRAILER}: {from} {to}` at the end of the commit's message",
                    change.old, change.new
                ));
            }
        }
    }
    Ok(problems)
}

/// The words that commits since `revision` renamed in literals on purpose, as (old, new).
fn allowed_renames(root: &Path, revision: &str) -> Result<BTreeSet<(String, String)>> {
    let format = format!("--format=%(trailers:key={TRAILER},valueonly)");
    let text = required(root, &["log", &format, &format!("{revision}..HEAD")])?;
    let words = text.lines().filter_map(|line| line.trim().split_once(' '));
    Ok(words
        .map(|(old, new)| (old.to_owned(), new.trim().to_owned()))
        .collect())
}

/// The Rust sources that are in both states and differ: each path before and now.
fn changed_files(root: &Path, revision: &str) -> Result<Vec<(String, String)>> {
    let diff = [
        "diff",
        "--name-status",
        "-z",
        "--find-renames",
        "--diff-filter=MR",
        "--relative",
        revision,
    ];
    let text = required(root, &[&diff[..], &["--", "*.rs"]].concat())?;
    let mut parts = text.split('\0');
    let mut files = Vec::new();
    while let (Some(status), Some(old)) = (parts.next(), parts.next()) {
        let new = if status.starts_with('R') {
            parts.next().context("git names both paths of a rename")?
        } else {
            old
        };
        files.push((old.to_owned(), new.to_owned()));
    }
    Ok(files)
}

fn required(root: &Path, args: &[&str]) -> Result<String> {
    git(root, args)?.with_context(|| format!("git {} failed", args.join(" ")))
}

/// What git prints; `None` where it says no.
fn git(root: &Path, args: &[&str]) -> Result<Option<String>> {
    let mut command = Command::new("git");
    command.current_dir(root).args(args);
    let output = command.output().context("cannot run git")?;
    let is_ok = output.status.success();
    Ok(is_ok.then(|| String::from_utf8_lossy(&output.stdout).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(root: &Path, args: &[&str]) {
        let identity = [
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@example.org",
            "-c",
            "commit.gpgsign=false",
        ];
        required(root, &[&identity[..], args].concat()).unwrap();
    }

    fn check_since(root: &Path, since: Option<&str>) -> Result<()> {
        let since = since.map(str::to_owned);
        check(root, &Options { since })
    }

    #[test]
    fn a_literal_renamed_with_a_type_is_rejected_unless_the_commit_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        run(root, &["init", "--quiet"]);
        // Enough that stays the same for git to see that the file was moved.
        let before = "struct Awaited;\nconst NAME: &str = \"Awaited\";\n".to_owned()
            + &"fn first(one: u32) -> u32 { one }\n".repeat(20);
        std::fs::write(root.join("old.rs"), &before).unwrap();
        run(root, &["add", "."]);
        run(root, &["commit", "--quiet", "-m", "one"]);
        // The first commit has nothing before it; a commit that is asked for has to be there.
        check_since(root, None).unwrap();
        assert!(check_since(root, Some("HEAD~1")).is_err());

        run(root, &["mv", "old.rs", "new.rs"]);
        std::fs::write(root.join("new.rs"), before.replace("Awaited", "Need")).unwrap();
        let error = check_since(root, Some("HEAD")).unwrap_err().to_string();
        assert!(
            error.starts_with("new.rs: the literal \"Awaited\" became \"Need\""),
            "{error}"
        );
        run(root, &["commit", "--quiet", "-am", "two"]);
        assert!(check_since(root, None).is_err());

        run(
            root,
            &[
                "commit",
                "--quiet",
                "--amend",
                "-m",
                "two\n\nRenamed-word: Awaited Need",
            ],
        );
        check_since(root, None).unwrap();
    }
}
