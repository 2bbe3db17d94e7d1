//! Tasks from a repository's own commits, and a clone in which the states before them are checked out.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{self, MAIN_SEPARATOR, Path, PathBuf};

use codecortex_context::map::file::{MapFile, SymbolItem};
use codecortex_engine::{named_endings, resolved_endings};
use codecortex_host::git::{self, Git, GitError};
use tempfile::TempDir;

/// Commits that are looked at for each task that is wanted.
const LOOKED_AT: usize = 25;
/// Files of code that a commit may change at most: more is no single task.
const MAX_FILES: usize = 6;
/// Words that a message has to have at least.
const LEAST_WORDS: usize = 3;

/// A commit as a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Task {
    pub(super) commit: String,
    /// Its parent: what is searched.
    pub(super) base: String,
    /// Its message, without names of files, links and numbers of issues.
    pub(super) question: String,
    /// Files of code that it changed.
    pub(super) files: Vec<String>,
}

/// What a commit changed.
#[derive(Clone, Debug, Default)]
pub(super) struct Gold {
    pub(super) files: Vec<GoldFile>,
}

/// A file that a commit changed.
#[derive(Clone, Debug, Default)]
pub(super) struct GoldFile {
    pub(super) path: String,
    /// Names of the innermost declarations that it changed.
    pub(super) symbols: Vec<String>,
    /// Lines of each place that it changed, white space squashed; of an insertion those beside it.
    pub(super) hunks: Vec<Vec<String>>,
}

/// The newest commits of a repository that make tasks, ancestors of `HEAD` alone.
pub(super) fn find(root: &Path, most: usize) -> Result<Vec<Task>, String> {
    let count = format!(
        "--max-count={}",
        most.saturating_mul(LOOKED_AT).max(LOOKED_AT)
    );
    let log = git(
        root,
        &[
            "log",
            "--no-merges",
            "--no-renames",
            "--name-status",
            "--relative",
            "--format=%x01%H%x02%P%x02%B%x02",
            &count,
            "HEAD",
            "--",
        ],
    )?;
    let found = log.split('\x01').skip(1).filter_map(task);
    Ok(found.take(most).collect())
}

/// A commit of the log, if it makes a task.
fn task(record: &str) -> Option<Task> {
    let mut parts = record.splitn(4, '\x02');
    let (commit, parents) = (parts.next()?, parts.next()?);
    let (message, changes) = (parts.next()?, parts.next()?);
    let base = parents.split(' ').next().filter(|base| !base.is_empty())?;
    let question = question(message);
    if question.split_whitespace().count() < LEAST_WORDS {
        return None;
    }
    let changed = changes.lines().filter_map(|line| line.strip_prefix("M\t"));
    let files: Vec<String> = changed
        .filter(|path| is_code(path))
        .map(str::to_owned)
        .collect();
    (1..=MAX_FILES).contains(&files.len()).then(|| Task {
        commit: commit.to_owned(),
        base: base.to_owned(),
        question,
        files,
    })
}

/// A message without what gives the answer away or is about nothing.
fn question(message: &str) -> String {
    let is_trailer = |line: &&str| {
        let name = line.split_once(": ").map_or("", |(name, _)| name);
        name.ends_with("-by") || name == "Change-Id"
    };
    let lines = message.lines().filter(|line| !is_trailer(line));
    let words = lines.flat_map(str::split_whitespace).filter(|word| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '#');
        let is_link = word.contains("://");
        let is_issue = bare
            .trim_start_matches('#')
            .chars()
            .all(|c| c.is_ascii_digit());
        !is_link && !is_issue && !is_code(bare) && !bare.contains('/')
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Whether a path ends as files of a known language do, and is no test.
fn is_code(path: &str) -> bool {
    let Some((stem, ending)) = path.rsplit_once('.') else {
        return false;
    };
    let ending = ending.to_ascii_lowercase();
    !is_test(stem)
        && resolved_endings()
            .chain(named_endings())
            .any(|known| known == ending)
}

/// Whether a part of a path says that it is of tests.
pub(super) fn is_test(path: &str) -> bool {
    path.split(['/', '_', '-', '.']).any(|part| {
        matches!(
            part.to_ascii_lowercase().as_str(),
            "test" | "tests" | "spec" | "specs"
        )
    })
}

/// A repository that shares the objects of another one, and none of its configuration; it is deleted with this.
pub(super) struct Clone {
    /// Deletes it.
    _place: TempDir,
    /// The workspace's folder in it: its path below the top, with a last slash where there is one, and the whole.
    below: String,
    folder: PathBuf,
    /// In the top folder.
    git: Git,
}

impl Clone {
    pub(super) fn from_root(root: &Path) -> Result<Self, String> {
        let place = tempfile::tempdir().map_err(|error| error.to_string())?;
        // Answers begin paths with the folder's name: another one in every run would cost other tokens.
        let top = place
            .path()
            .join(root.file_name().unwrap_or(OsStr::new("workspace")));
        fs::create_dir(&top).map_err(|error| error.to_string())?;
        let from = git::open(root).map_err(told)?;
        let ask = |arguments: &[&str]| {
            let said = from.text(arguments).map_err(told)?;
            Ok::<_, String>(said.trim_end_matches(['\r', '\n']).to_owned())
        };
        let objects = root.join(ask(&["rev-parse", "--git-path", "objects"])?);
        let below = ask(&["rev-parse", "--show-prefix"])?;
        let format = ask(&["rev-parse", "--show-object-format"])?;
        let git = Git::new(&top).map_err(told)?;
        let mut init = vec!["init", "--quiet"];
        // Versions of git that know no other one do not know the option.
        init.extend((format == "sha256").then_some("--object-format=sha256"));
        git.text(&init).map_err(told)?;
        share(&objects, &top).map_err(|error| error.to_string())?;
        let folder = top.join(&below);
        Ok(Self {
            _place: place,
            below,
            folder,
            git,
        })
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// What a task's commit changed in a file, without lines around it.
    pub(super) fn diff(&self, task: &Task, path: &str) -> Option<String> {
        let range = format!("{}..{}", task.base, task.commit);
        let at = format!(":(top,literal){}{path}", self.below);
        let args = ["diff", "--unified=0", &range, "--", &at];
        self.git.text(&args).ok()
    }

    /// From now on only code and files of projects are checked out: a partial clone may lack the objects of others.
    fn lay_out_code_alone(&self) -> Result<(), String> {
        let endings = resolved_endings().chain(named_endings());
        let patterns = endings.map(|ending| format!("*.{ending}\n"));
        let projects = PROJECT_FILES.iter().map(|name| format!("{name}\n"));
        let patterns: String = patterns.chain(projects).collect();
        let info = self.git.folder().join(".git/info"); // a repository without a template has none
        fs::create_dir_all(&info)
            .and_then(|()| fs::write(info.join("sparse-checkout"), patterns))
            .map_err(|error| error.to_string())?;
        let args = ["config", "core.sparseCheckout", "true"];
        self.git.text(&args).map(drop).map_err(told)
    }

    /// Puts the state of a commit there.
    pub(super) fn check_out(&self, commit: &str) -> Result<(), String> {
        let args = ["checkout", "--quiet", "--force", "--detach", commit];
        if self.git.text(&args).is_err() {
            self.lay_out_code_alone()?;
            self.git.text(&args).map_err(told)?;
        }
        // A folder that was not there yet has nothing in it.
        fs::create_dir_all(&self.folder).map_err(|error| error.to_string())
    }
}

/// Files beside code that say what a project is.
const PROJECT_FILES: [&str; 10] = [
    ".gitignore",
    "*.json",
    "*.toml",
    "*.mod",
    "*.xml",
    "*.gradle",
    "*.csproj",
    "*.fsproj",
    "*.props",
    "*.sln",
];

/// Lets a repository find objects where another one has them.
fn share(objects: &Path, top: &Path) -> io::Result<()> {
    let objects = path::absolute(objects)?;
    let line = format!(
        "{}\n",
        objects.to_string_lossy().replace(MAIN_SEPARATOR, "/")
    );
    fs::write(top.join(".git/objects/info/alternates"), line)
}

impl Gold {
    /// What a task's commit changed, in files that the map has.
    pub(super) fn from_clone(clone: &Clone, task: &Task, map: &MapFile) -> Self {
        let known = task.files.iter().filter_map(|path| {
            let at = map
                .items
                .binary_search_by(|item| item.path.cmp(path))
                .ok()?;
            gold_file(clone, task, path, &map.items[at].symbols)
        });
        Self {
            files: known.collect(),
        }
    }
}

fn gold_file(clone: &Clone, task: &Task, path: &str, symbols: &[SymbolItem]) -> Option<GoldFile> {
    let text = fs::read_to_string(clone.folder().join(path)).ok()?;
    let lines: Vec<&str> = text.lines().collect();
    let diff = clone.diff(task, path)?;
    let mut file = GoldFile {
        path: path.to_owned(),
        ..GoldFile::default()
    };
    for (start, count) in diff.lines().filter_map(old_range) {
        let end = start + count.saturating_sub(1);
        for line in start..=end {
            let around = symbols.iter().filter(|symbol| {
                (symbol.line_start as usize..=symbol.line_end as usize).contains(&line)
            });
            let inner = around.min_by_key(|symbol| symbol.line_end - symbol.line_start);
            if let Some(symbol) = inner.filter(|symbol| !file.symbols.contains(&symbol.name)) {
                file.symbols.push(symbol.name.clone());
            }
        }
        let place = if count == 0 {
            start..=start + 1
        } else {
            start..=end
        };
        let told = place.filter_map(|line| lines.get(line.checked_sub(1)?));
        let told: Vec<String> = told
            .map(|line| squash(line))
            .filter(|line| is_telling(line))
            .collect();
        if !told.is_empty() {
            file.hunks.push(told);
        }
    }
    Some(file)
}

/// The old lines of a hunk: `@@ -12,3 +12,4 @@`.
pub(super) fn old_range(line: &str) -> Option<(usize, usize)> {
    let old = line.strip_prefix("@@ -")?.split(' ').next()?;
    let (start, count) = old.split_once(',').unwrap_or((old, "1"));
    Some((start.parse().ok()?, count.parse().ok()?))
}

/// A line without differences in white space.
pub(super) fn squash(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a line is more than a bracket.
fn is_telling(line: &str) -> bool {
    line.chars().filter(|c| c.is_alphanumeric()).count() > 2
}

fn git(folder: &Path, args: &[&str]) -> Result<String, String> {
    git::open(folder)
        .and_then(|git| git.text(args))
        .map_err(told)
}

fn told(error: GitError) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_becomes_a_question() {
        let message = "Keep the port in url_for (#123)\n\nSee https://x.org and src/app.py.\nSigned-off-by: A <a@b.c>\n";
        assert_eq!(question(message), "Keep the port in url_for See and");
    }

    #[test]
    fn commits_of_few_files_of_code_make_tasks() {
        let of =
            |message: &str, changes: &str| task(&format!("c\x02p\x02{message}\x02\n\n{changes}"));
        let found = of(
            "Keep the port",
            "M\tsrc/app.py\nM\ttests/test_app.py\nA\tnew.py\n",
        )
        .unwrap();
        assert_eq!(found.files, ["src/app.py"]);
        assert_eq!(of("Bump", "M\tsrc/app.py\n"), None);
        assert_eq!(of("Keep the port", "M\tREADME\n"), None);
        let many: String = (0..9).map(|n| format!("M\tsrc/{n}.py\n")).collect();
        assert_eq!(of("Keep the port", &many), None);
    }

    #[test]
    fn old_lines_of_a_hunk_are_read() {
        assert_eq!(old_range("@@ -12,3 +12,4 @@ def f"), Some((12, 3)));
        assert_eq!(old_range("@@ -7 +7 @@"), Some((7, 1)));
        assert_eq!(old_range("-x = 1"), None);
    }
}
