//! A change: the files that differ, with both versions, and what is known of their past.

use codecortex_protocol::{FileVersions, GitDiff};
use codecortex_resolve::parallel;
use codecortex_syntax::{Language, Limits, language_of_path};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::apply::{PatchSide, other_side};
use crate::diff::{FileDiff, Patch, PatchType};
use crate::source::{VersionedFile, is_test_path};

/// Files whose both versions are read as code; beyond that only their diff is looked at.
const MAX_READ: usize = 300;
/// Files that one sentence names.
const MAX_NAMED: usize = 5;
/// Commits that touch more files say nothing of any of them.
const MAX_TOGETHER: usize = 20;

/// How a change was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeOrigin {
    /// What is in git's index.
    Staged,
    /// What is on the disk and not committed.
    Working,
    /// Two commits.
    Pr,
    /// A patch.
    Patch,
}

impl ChangeOrigin {
    /// The word in `review_metadata`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Staged => "staged",
            Self::Working => "working",
            Self::Pr => "pr",
            Self::Patch => "patch",
        }
    }
}

/// A file of a change.
#[derive(Debug)]
pub struct ChangedFile {
    /// What changed in it.
    pub diff: FileDiff,
    /// Its path after the change, or before where it is gone.
    pub path: String,
    /// Its language by its ending.
    pub language: Option<Language>,
    /// What it was; absent where it was not there, is no text or was not read.
    pub old: Option<VersionedFile>,
    /// What it is.
    pub new: Option<VersionedFile>,
    /// Whether it is one of tests.
    pub is_test: bool,
}

impl ChangedFile {
    /// Lines that are added and removed.
    #[must_use]
    pub fn counts(&self) -> (u32, u32) {
        self.diff.hunks.iter().fold((0, 0), |sum, hunk| {
            let (added, removed) = hunk.counts();
            (sum.0 + added, sum.1 + removed)
        })
    }

    /// Whether a program wrote it.
    #[must_use]
    pub fn is_generated(&self) -> bool {
        [&self.new, &self.old]
            .into_iter()
            .flatten()
            .any(|source| source.is_generated)
    }
}

/// What a file's past says.
#[derive(Debug, Default)]
pub struct FilePast {
    /// How strongly other files changed together with those of the change, by path.
    pub together: FxHashMap<String, f64>,
    /// Commits that mend something, by the path they touch.
    pub fixes: FxHashMap<String, u32>,
}

/// A change.
#[derive(Debug)]
pub struct ReviewedChange {
    /// How it was told.
    pub mode: ChangeOrigin,
    /// What it is compared with, as it is shown.
    pub base: String,
    /// Its files, by path.
    pub files: Vec<ChangedFile>,
    /// What a reader should know, a sentence each.
    pub notes: Vec<String>,
    /// What commits before it say.
    pub past: FilePast,
}

impl ReviewedChange {
    /// What git told.
    #[must_use]
    pub fn of_git(mode: ChangeOrigin, diff: &GitDiff, limits: Limits) -> Self {
        let patch = Patch::parse(&diff.patch);
        let mut notes = patch.problems;
        if diff.is_cut {
            notes.push(
                "The change is larger than what is read of one: its first part is reviewed."
                    .to_owned(),
            );
        }
        let versions = diff.versions.iter().chain(&diff.untracked);
        let versions: FxHashMap<&str, &FileVersions> =
            versions.map(|file| (file.path.as_str(), file)).collect();
        let mut diffs = patch.files;
        notes.extend(unmerged_note(&patch.unmerged));
        let unread = add_unread(&mut diffs, &diff.versions, &patch.unmerged);
        notes.extend(unread);
        diffs.extend(diff.untracked.iter().map(untracked));
        let base = diff.base.clone().unwrap_or_else(|| "index".to_owned());
        let mut change = Self::of_files(mode, base, diffs, notes);
        change.read(&versions, limits);
        change.past = past(&diff.log, &change.files);
        change
    }

    /// What a patch tells, with the files as they are now, by path: either version of them.
    #[must_use]
    pub fn of_patch(patch: Patch, present: &FxHashMap<String, Vec<u8>>, limits: Limits) -> Self {
        let mut change = Self::of_files(
            ChangeOrigin::Patch,
            "patch".to_owned(),
            patch.files,
            patch.problems,
        );
        let order = change.reading_order();
        for (rank, at) in order.into_iter().enumerate() {
            let file = &mut change.files[at];
            let limits = Some(limits).filter(|_| rank < MAX_READ);
            read_beside_patch(file, present, limits, &mut change.notes);
        }
        change
    }

    /// Reads both versions of its files, as code as long as there are not too many.
    fn read(&mut self, versions: &FxHashMap<&str, &FileVersions>, limits: Limits) {
        let order = self.reading_order();
        let mut jobs = Vec::new();
        for (rank, at) in order.into_iter().enumerate() {
            let file = &self.files[at];
            let Some(versions) = versions.get(file.path.as_str()) else {
                continue;
            };
            let limits = Some(limits).filter(|_| rank < MAX_READ);
            let old_path = file.diff.old_path.as_deref().unwrap_or(&file.path);
            jobs.push((at, old_path, versions.old.as_ref(), limits));
            jobs.push((at, &file.path, versions.new.as_ref(), limits));
        }
        let read = parallel::map(&jobs, |(at, path, bytes, limits)| {
            let source = bytes.and_then(|bytes| VersionedFile::for_path(path, &bytes.0, *limits));
            (*at, source)
        });
        let mut read = read.into_iter();
        while let (Some((at, old)), Some((_, new))) = (read.next(), read.next()) {
            self.files[at].old = old;
            self.files[at].new = new;
        }
    }

    fn of_files(
        mode: ChangeOrigin,
        base: String,
        diffs: Vec<FileDiff>,
        notes: Vec<String>,
    ) -> Self {
        let mut files: Vec<ChangedFile> = diffs
            .into_iter()
            .map(|diff| {
                let path = diff.path().to_owned();
                ChangedFile {
                    language: language_of_path(&path),
                    is_test: is_test_path(&path),
                    path,
                    diff,
                    old: None,
                    new: None,
                }
            })
            .collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Self {
            mode,
            base,
            files,
            notes,
            past: FilePast::default(),
        }
    }

    /// Its files by how much there is to say of them: code before tests before the rest.
    fn reading_order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.files.len()).collect();
        order.sort_by_key(|at| {
            let file = &self.files[*at];
            let (added, removed) = file.counts();
            (
                file.language.is_none(),
                file.is_test,
                std::cmp::Reverse(added + removed),
            )
        });
        order
    }

    /// Lines that are added and removed in all.
    #[must_use]
    pub fn counts(&self) -> (u32, u32) {
        self.files.iter().fold((0, 0), |sum, file| {
            let (added, removed) = file.counts();
            (sum.0 + added, sum.1 + removed)
        })
    }
}

/// Says which files have a conflict that nobody has resolved.
fn unmerged_note(unmerged: &[String]) -> Option<String> {
    let verb = if unmerged.len() == 1 { "is" } else { "are" };
    let note = format!(
        "{} {verb} not merged yet: resolve the conflict and add the result.",
        some_of(unmerged)
    );
    (!unmerged.is_empty()).then_some(note)
}

/// Some names, and how many more there are.
fn some_of<T: AsRef<str>>(names: &[T]) -> String {
    let shown = names.iter().take(MAX_NAMED).map(AsRef::as_ref);
    let shown: Vec<&str> = shown.collect();
    match names.len().saturating_sub(MAX_NAMED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Adds the files that differ and whose diff was not read, without it. Says so.
fn add_unread(
    diffs: &mut Vec<FileDiff>,
    versions: &[FileVersions],
    unmerged: &[String],
) -> Option<String> {
    let known: FxHashSet<&str> = diffs
        .iter()
        .map(FileDiff::path)
        .chain(unmerged.iter().map(String::as_str))
        .collect();
    let is_unread = |file: &&FileVersions| !known.contains(file.path.as_str());
    let unread: Vec<&FileVersions> = versions.iter().filter(is_unread).collect();
    let names: Vec<&str> = unread.iter().map(|file| file.path.as_str()).collect();
    let note = format!("Too large to be read, and only named: {}.", some_of(&names));
    let named = unread.iter().map(|file| FileDiff::named(&file.path));
    let named: Vec<FileDiff> = named.collect();
    diffs.extend(named);
    (!names.is_empty()).then_some(note)
}

fn untracked(file: &FileVersions) -> FileDiff {
    let text = file
        .new
        .as_ref()
        .and_then(|bytes| String::from_utf8(bytes.0.clone()).ok());
    match text {
        Some(text) => FileDiff::added(&file.path, &text),
        None => {
            let mut diff = FileDiff::added(&file.path, "");
            diff.is_binary = true;
            diff
        }
    }
}

/// The two versions of a file of a patch: one of them is what is there, unless it was rewritten since.
fn read_beside_patch(
    file: &mut ChangedFile,
    present: &FxHashMap<String, Vec<u8>>,
    limits: Option<Limits>,
    notes: &mut Vec<String>,
) {
    let read = |path: &str, text: &str| VersionedFile::for_path(path, text.as_bytes(), limits);
    if file.diff.kind == PatchType::Add {
        let lines = file.diff.hunks.iter().flat_map(|hunk| &hunk.lines);
        let text: String = lines.map(|line| format!("{}\n", line.text)).collect();
        file.new = read(&file.path, &text);
        return;
    }
    let old_path = file.diff.old_path.as_deref().unwrap_or(&file.path);
    let here = [&file.path, old_path]
        .into_iter()
        .find_map(|path| present.get(path));
    let Some(here) = here.and_then(|bytes| VersionedFile::for_path(&file.path, bytes, None)) else {
        notes.push(format!(
            "{}: not here; only the patch is known of it.",
            file.path
        ));
        return;
    };
    let is_gone = file.diff.kind == PatchType::Delete;
    if let Some(new) = other_side(&here.text, &file.diff.hunks, PatchSide::Old) {
        file.old = read(old_path, &here.text);
        file.new = (!is_gone).then(|| read(&file.path, &new)).flatten();
    } else if let Some(old) = other_side(&here.text, &file.diff.hunks, PatchSide::New) {
        file.old = read(old_path, &old);
        file.new = read(&file.path, &here.text);
    } else {
        notes.push(format!(
            "{}: the patch does not apply to what is here; only the patch is looked at.",
            file.path
        ));
    }
}

/// What commits say of the files of a change. `log` is as `Response::Log` has it.
fn past(log: &str, files: &[ChangedFile]) -> FilePast {
    let own = |path: &str| files.iter().any(|file| file.path == path);
    let mut past = FilePast::default();
    for record in log.split('\x01').skip(1) {
        let Some((message, touched)) = record.split_once('\x02') else {
            continue;
        };
        let touched: Vec<&str> = touched
            .lines()
            .filter_map(|line| Some(line.split_once('\t')?.1))
            .collect();
        if touched.len() > MAX_TOGETHER || !touched.iter().any(|path| own(path)) {
            continue;
        }
        let is_fix = says_fix(message);
        let weight = 1.0 / (1.0 + touched.len() as f64 / 4.0);
        for path in touched {
            if own(path) {
                *past.fixes.entry(path.to_owned()).or_default() += u32::from(is_fix);
            } else {
                *past.together.entry(path.to_owned()).or_default() += weight;
            }
        }
    }
    past
}

/// Whether a commit says that it mends something.
fn says_fix(message: &str) -> bool {
    let subject = message.lines().next().unwrap_or("").to_lowercase();
    let mut words = subject.split(|c: char| !c.is_alphanumeric());
    words.any(|word| {
        matches!(
            word,
            "fix" | "fixes" | "fixed" | "bug" | "bugfix" | "hotfix" | "regression" | "revert"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use codecortex_protocol::Bytes;

    const LIMITS: Limits = Limits {
        max_file_size: 1 << 20,
        exclude_generated: true,
    };

    #[test]
    fn versions_and_past_come_with_files() {
        let bytes = |text: &str| Some(Bytes(text.as_bytes().to_vec()));
        let diff = GitDiff {
            patch:
                "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
                    .into(),
            versions: vec![FileVersions {
                path: "a.py".into(),
                old: bytes("x = 1\n"),
                new: bytes("x = 2\n"),
            }],
            untracked: vec![FileVersions {
                path: "new.py".into(),
                old: None,
                new: bytes("def f():\n    pass\n"),
            }],
            log: "\x01Fix x\x02\n\nM\ta.py\nM\tb.py\n\x01Other\x02\nM\tc.py\n".into(),
            ..GitDiff::default()
        };
        let change = ReviewedChange::of_git(ChangeOrigin::Working, &diff, LIMITS);
        assert_eq!(change.counts(), (3, 1));
        assert_eq!(change.files[0].old.as_ref().unwrap().line(1), "x = 1");
        assert!(change.files[1].new.as_ref().unwrap().facts.is_some());
        assert_eq!(
            (change.past.fixes["a.py"], change.past.together.len()),
            (1, 1)
        );
    }

    #[test]
    fn a_file_whose_diff_was_not_read_is_named() {
        let diff = GitDiff {
            patch:
                "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
                    .into(),
            versions: ["a.py", "large.js"]
                .map(|path| FileVersions {
                    path: path.into(),
                    ..FileVersions::default()
                })
                .into(),
            ..GitDiff::default()
        };
        let change = ReviewedChange::of_git(ChangeOrigin::Pr, &diff, LIMITS);
        let paths: Vec<&str> = change.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["a.py", "large.js"]);
        assert_eq!(
            change.notes,
            ["Too large to be read, and only named: large.js."]
        );
    }

    #[test]
    fn a_patch_finds_its_other_side_or_says_that_it_does_not_apply() {
        let patch =
            || Patch::parse("--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-x = 1\n+x = 2\n y = 1\n");
        let of = |text: &str| {
            let present = [("a.py".to_owned(), text.as_bytes().to_vec())]
                .into_iter()
                .collect();
            let change = ReviewedChange::of_patch(patch(), &present, LIMITS);
            let new = change.files[0]
                .new
                .as_ref()
                .map(|source| source.line(1).to_owned());
            (new, change.notes.len())
        };
        assert_eq!(of("x = 1\ny = 1\n"), (Some("x = 2".into()), 0));
        assert_eq!(of("x = 2\ny = 1\n"), (Some("x = 2".into()), 0));
        assert_eq!(of("z = 9\n"), (None, 1));
    }
}
