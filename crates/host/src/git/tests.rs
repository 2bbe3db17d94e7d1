use super::*;

fn raw(folder: &Path, arguments: &[&str]) {
    let run = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@example.com"])
        .args(["-c", "init.defaultBranch=main"])
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(run.unwrap().success(), "{arguments:?}");
}

fn repository() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    raw(place.path(), &["init", "-q"]);
    std::fs::write(place.path().join("a.py"), "x = 1\n").unwrap();
    raw(place.path(), &["add", "."]);
    raw(place.path(), &["commit", "-qm", "Begin"]);
    place
}

fn with_limit(folder: &Path, limit: Duration) -> Git {
    Git::with(folder, env::var_os("PATH"), limit, &StillNeeded::always()).unwrap()
}

fn reason(folder: &Path) -> String {
    open(folder).unwrap_err().to_string()
}

#[test]
fn a_repository_of_the_folder_is_opened() {
    let place = repository();
    open(place.path()).unwrap();
    let below = place.path().join("app");
    std::fs::create_dir(&below).unwrap();
    open(&below).unwrap();
    let linked = tempfile::tempdir().unwrap();
    let tree = linked.path().join("tree");
    raw(
        place.path(),
        &["worktree", "add", "-q", tree.to_str().unwrap()],
    );
    open(&tree).unwrap();
    let empty = tempfile::tempdir().unwrap();
    assert_eq!(open(empty.path()).unwrap_err(), GitError::NoRepository);
}

#[test]
fn a_repository_that_leads_elsewhere_is_refused() {
    let (place, other) = (repository(), repository());
    let away = other.path().to_str().unwrap();
    raw(place.path(), &["config", "core.worktree", away]);
    assert!(reason(place.path()).contains("core.worktree"));
    let above = repository();
    let bare = above.path().join("inner");
    raw(above.path(), &["init", "-q", "--bare", "inner"]);
    assert!(reason(&bare).contains("bare"));
    // As a bare repository can say of itself, and in versions of git without `safe.bareRepository`.
    for worktree in [".", ".."] {
        raw(&bare, &["--git-dir=.", "config", "core.bare", "false"]);
        raw(&bare, &["--git-dir=.", "config", "core.worktree", worktree]);
        assert!(reason(&bare).contains("bare"));
    }
}

#[cfg(unix)]
#[test]
fn the_repository_of_another_user_is_told_as_such() {
    let place = repository();
    if std::os::unix::fs::chown(place.path(), Some(54_321), None).is_err() {
        return; // only root gives a folder away
    }
    let error = open(place.path()).unwrap_err();
    assert!(
        error.to_string().contains("belongs to another user"),
        "{error}"
    );
    assert!(error.hint("Wait").contains("safe.directory"));
}

#[test]
fn only_the_commands_of_the_list_are_started() {
    let place = repository();
    let git = open(place.path()).unwrap();
    for command in ["status", "mv", "fetch", "-c", "evil", ""] {
        let refused = git.text(&[command]);
        assert!(matches!(refused, Err(GitError::Unsafe(_))), "{command}");
    }
    assert!(git.text(&["log", "--format=%s"]).unwrap().contains("Begin"));
}

#[test]
fn git_itself_is_looked_for_in_whole_paths_alone() {
    let here = env::var_os("PATH").unwrap();
    let found = program(Some(here.clone())).unwrap();
    let relative = OsString::from(
        found
            .parent()
            .unwrap()
            .strip_prefix("/")
            .unwrap_or(Path::new(".")),
    );
    assert_eq!(program(Some(relative.clone())), None);
    assert_eq!(program(Some(OsString::new())), None);
    let both = env::join_paths([relative.as_os_str(), found.parent().unwrap().as_os_str()]);
    assert_eq!(program(Some(both.unwrap())), Some(found));
    let none = Git::with(
        Path::new("/"),
        Some(OsString::new()),
        abandon::limit(),
        &StillNeeded::always(),
    );
    assert_eq!(none.unwrap_err(), GitError::NoProgram);
}

/// A `git` that says it is an old one; the folder that it is in.
#[cfg(unix)]
fn old(version: &str) -> tempfile::TempDir {
    use std::os::unix::fs::PermissionsExt;
    let real = program(env::var_os("PATH")).unwrap();
    let place = tempfile::tempdir().unwrap();
    let script = format!(
        "#!/bin/sh\nfor last; do :; done\nunset GIT_CONFIG_COUNT\n\
         [ \"$last\" = version ] && echo 'git version {version}' || exec {} \"$@\"\n",
        real.display()
    );
    let path = place.path().join("git");
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    place
}

#[cfg(unix)]
#[test]
fn a_version_that_lacks_a_protection_is_refused_for_what_needs_it() {
    let place = repository();
    let with = |version: &str| {
        let folder = old(version);
        let path = env::join_paths([folder.path(), Path::new("/usr/bin"), Path::new("/bin")]);
        let git = Git::with(
            place.path(),
            path.ok(),
            abandon::limit(),
            &StillNeeded::always(),
        )?;
        git.text(&["diff", "HEAD"])
    };
    assert!(matches!(with("2.17.1"), Err(GitError::TooOld { .. })));
    assert_eq!(with("2.25.1"), Ok(String::new()));
    raw(place.path(), &["config", "filter.a.clean", "false"]);
    assert_eq!(with("2.25.1"), Ok(String::new()));
    let mut config = std::fs::read(place.path().join(".git/config")).unwrap();
    config.extend_from_slice(b"[filter \"a=b\"]\n\tclean = false\n");
    std::fs::write(place.path().join(".git/config"), config).unwrap();
    assert!(matches!(with("2.25.1"), Err(GitError::TooOld { .. })));
    assert_eq!(with("2.47.3"), Ok(String::new()));
}

#[cfg(unix)]
#[test]
fn a_git_that_hangs_is_ended_and_the_error_says_so() {
    let place = repository();
    let pipe = place.path().join(".git/info/attributes");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    std::fs::write(place.path().join("a.py"), "x = 2\n").unwrap();
    let git = with_limit(place.path(), Duration::from_millis(300));
    let error = git.text(&["diff"]).unwrap_err();
    assert_eq!(error, GitError::TooSlow(Duration::from_millis(300)));
    assert!(error.to_string().contains("did not end within 300 ms"));
}

/// Sources of the crates, without their tests.
fn sources() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut folders: Vec<PathBuf> = std::fs::read_dir(crates)
        .unwrap()
        .map(|entry| entry.unwrap().path().join("src"))
        .filter(|folder| folder.is_dir())
        .collect();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs")
                && !path.ends_with("tests.rs")
            {
                let text = std::fs::read_to_string(&path).unwrap();
                let end = text.find("#[cfg(test)]").unwrap_or(text.len());
                found.push((path, text[..end].to_owned()));
            }
        }
    }
    found
}

/// S2, S4: what starts no program runs none of a repository's. A new file that does is a new door, and is judged as one.
#[test]
fn no_other_file_starts_a_program() {
    let sources = sources();
    let starts = |text: &str| text.contains("Command::new(") || text.contains("process::Command");
    let files = sources.iter().filter(|(_, text)| starts(text));
    let found: Vec<&PathBuf> = files.map(|(path, _)| path).collect();
    assert!(sources.len() > 100);
    assert!(found.iter().any(|path| path.ends_with("host/src/git.rs")));
    // `doctor` starts servers that a person's own configuration names, and the program itself.
    let is_ours = |path: &Path| {
        let is_below = |folder| path.parent().is_some_and(|up| up.ends_with(folder));
        path.ends_with("host/src/git.rs")
            || is_below("host/src/git")
            || is_below("cli/src/commands/doctor")
    };
    let others: Vec<&&PathBuf> = found.iter().filter(|path| !is_ours(path)).collect();
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn what_git_says_is_shown_as_one_line_of_text() {
    assert_eq!(plain("fatal: bad \u{1b}[31mname\nmore"), "bad ?[31mname");
    assert_eq!(plain("warning: x\nerror: y\nfatal: z"), "y");
    assert_eq!(plain(" \n"), "it did not say why");
    assert_eq!(plain(&"x".repeat(1_000)).len(), MAX_SAID);
    let hint = GitError::NoProgram.hint("Give the change");
    assert_eq!(hint, "Install git, or give the change.");
}
