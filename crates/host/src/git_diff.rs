//! What differs between two states of a repository, read with the `git` program (SPEC RV1).
//!
//! Of a repository that somebody else made, nothing is run and nothing is fetched: [`crate::git`].

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use codecortex_engine::protocol::{Bytes, DiffOf, DiffOutcome, FileVersions, GitDiff};

use crate::cancellation::StillNeeded;
use crate::git::{self, Git, GitError, StdoutResult};

/// How much of a diff is read. `extension/worker/gitDiff.node.ts` has the same; both hold the cases of
/// `test/contract/cut-diffs`.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// Bytes of a diff; what is longer is cut.
    patch: u64,
    /// Files of which both versions are read.
    files: usize,
    /// Bytes of a file; larger ones are not read, and left out of a diff that would be cut.
    file: u64,
    /// Bytes of all versions together that are kept.
    bytes: u64,
}

const BOUNDS: Bounds = Bounds {
    patch: 48 << 20,
    files: 2_000,
    file: 1 << 20,
    bytes: 96 << 20,
};
/// Commits that are read of the past.
const MAX_COMMITS: &str = "500";
/// The mode of a submodule: its object is a commit of another repository.
const SUBMODULE: &str = "160000";
/// What helps where git does not.
const INSTEAD: &str = "Give the change as `patch`, a unified diff";
/// The same in the middle of a sentence.
const INSTEAD_HERE: &str = "give the change as `patch`, a unified diff";

/// Why there is no diff.
struct Refusal {
    reason: String,
    hint: String,
}

type DiffResult<T> = Result<T, Refusal>;

impl From<GitError> for Refusal {
    fn from(error: GitError) -> Self {
        Self {
            reason: error.to_string(),
            hint: error.hint(INSTEAD),
        }
    }
}

/// Reads the difference between two states of the repository that a folder is in.
///
/// It is given up when nobody wants it any more.
pub(crate) fn read(folder: &Path, of: &DiffOf, wanted: &StillNeeded) -> DiffOutcome {
    read_within(folder, of, BOUNDS, wanted)
}

/// The outcome where there is no diff for a reason of ours, a sentence.
pub(crate) fn failed(reason: &str) -> DiffOutcome {
    DiffOutcome::Failed {
        reason: reason.to_owned(),
        hint: format!("Call again, or {INSTEAD_HERE}."),
    }
}

fn read_within(folder: &Path, of: &DiffOf, bounds: Bounds, wanted: &StillNeeded) -> DiffOutcome {
    let git = git::open_while(folder, wanted).map(|git| Repository { git, bounds });
    match git.map_err(Refusal::from).and_then(|git| diff(&git, of)) {
        Ok(diff) => DiffOutcome::Done { diff },
        Err(Refusal { reason, hint }) => DiffOutcome::Failed { reason, hint },
    }
}

fn refuse<T>(reason: impl Into<String>, hint: &str) -> DiffResult<T> {
    Err(Refusal {
        reason: reason.into(),
        hint: hint.to_owned(),
    })
}

fn diff(git: &Repository, of: &DiffOf) -> DiffResult<GitDiff> {
    let states = States::run(git, of)?;
    let mut diff = GitDiff {
        base: states.base.clone(),
        head: states.head.clone(),
        ..GitDiff::default()
    };
    let (raw, _) = git.bytes(&states.arguments(&["--raw", "-z", "--no-abbrev"]), u64::MAX)?;
    let entries = entries(&raw);
    let past = states.base.as_deref().unwrap_or("HEAD");
    // Each is a process of its own: they work side by side.
    std::thread::scope(|scope| {
        let log = scope.spawn(|| log(git, past));
        let patch = scope.spawn(|| patch(git, &states, &entries));
        let disk = states.is_disk.then(|| untracked(git)).transpose();
        let versions = versions(git, &entries, states.is_disk);
        let (patch, log) = (joined(patch), joined(log));
        let (patch, is_cut) = patch?;
        diff.patch = String::from_utf8_lossy(&patch).into_owned();
        diff.is_cut = is_cut || entries.len() > git.bounds.files;
        diff.versions = versions?;
        diff.untracked = disk?.unwrap_or_default();
        diff.log = log?;
        Ok(diff)
    })
}

/// What a thread gave; its panic goes on here.
fn joined<T>(thread: std::thread::ScopedJoinHandle<'_, T>) -> T {
    thread
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// The diff, and whether it is cut. Where it is too long, that of all but the large files, which may hide the others.
fn patch(
    git: &Repository,
    states: &States,
    entries: &[RawDiffEntry],
) -> DiffResult<(Vec<u8>, bool)> {
    let mut arguments = states.arguments(&["--patch", "--full-index"]);
    let all = git.bytes(&arguments, git.bounds.patch)?;
    if !all.1 {
        return Ok(all);
    }
    let large = git.large(entries, states.is_disk)?;
    if large.is_empty() {
        return Ok(all);
    }
    arguments.push(":(top)".into());
    let left_out = large.iter().take(git.bounds.files);
    arguments.extend(left_out.map(|path| format!(":(exclude,literal){path}")));
    Ok(git.bytes(&arguments, git.bounds.patch).unwrap_or(all))
}

/// The two states of a comparison.
struct States {
    /// What `git diff` is told.
    words: Vec<String>,
    base: Option<String>,
    head: Option<String>,
    /// Whether the newer one is the files on the disk.
    is_disk: bool,
}

impl States {
    fn run(git: &Repository, of: &DiffOf) -> DiffResult<Self> {
        // Before the first commit everything is compared with nothing.
        let last = || match git.line(&["rev-parse", "--verify", "-q", "HEAD^{commit}"])? {
            Some(head) => Ok(Some(head)),
            None => git.line(&["hash-object", "-t", "tree", "--stdin"]),
        };
        let of_words = |words: Vec<String>, base, is_disk| Self {
            words,
            base,
            head: None,
            is_disk,
        };
        Ok(match of {
            DiffOf::Staged => of_words(vec!["--cached".into()], last()?, false),
            DiffOf::Unstaged => of_words(Vec::new(), None, true),
            DiffOf::Uncommitted => {
                let base = last()?;
                of_words(base.iter().cloned().collect(), base, true)
            }
            DiffOf::Range { base, head } => {
                let to = commit(git, head.as_deref().unwrap_or("HEAD"))?;
                // A tree that is no commit's, such as the empty one, has no history to share.
                let tree = tree(git, base)?;
                let mut from = match &tree {
                    Some(tree) => tree.clone(),
                    None => commit(git, base)?,
                };
                if head.is_none() && tree.is_none() {
                    from = match git.line(&["merge-base", &from, &to])? {
                        Some(common) => common,
                        None => return no_common(git, base),
                    };
                }
                Self {
                    words: vec![from.clone(), to.clone()],
                    base: Some(from),
                    head: Some(to),
                    is_disk: false,
                }
            }
        })
    }

    fn arguments(&self, how: &[&str]) -> Vec<String> {
        const USUAL: [&str; 5] = [
            "diff",
            "--find-renames",
            "--relative",
            "--unified=3",
            "--submodule=short",
        ];
        let mut all: Vec<String> = USUAL.iter().chain(how).map(ToString::to_string).collect();
        all.extend(["--src-prefix=a/".into(), "--dst-prefix=b/".into()]);
        all.extend(self.words.iter().cloned());
        all.push("--".into());
        all
    }
}

/// The tree that somebody names by itself, not by a commit.
fn tree(git: &Repository, name: &str) -> DiffResult<Option<String>> {
    if name.is_empty() || name.starts_with('-') {
        return Ok(None);
    }
    let found = |kind: &str| {
        let asked = format!("{name}^{{{kind}}}");
        git.line(&["rev-parse", "--verify", "-q", "--end-of-options", &asked])
    };
    match found("commit")? {
        Some(_) => Ok(None),
        None => found("tree"),
    }
}

/// The commit that somebody names.
fn commit(git: &Repository, name: &str) -> DiffResult<String> {
    let is_option = name.starts_with('-') || name.is_empty();
    let asked = format!("{name}^{{commit}}");
    let found = match is_option {
        true => None,
        false => git.line(&["rev-parse", "--verify", "-q", "--end-of-options", &asked])?,
    };
    match found {
        Some(found) => Ok(found),
        None if git.is_shallow()? => refuse(
            format!("There is no commit `{name}` here: the clone is shallow."),
            "Fetch more of the history, as with `git fetch --unshallow`.",
        ),
        None => refuse(
            format!("There is no commit `{name}`."),
            "Name a commit, branch or tag that `git rev-parse` knows; fetch it first if it is new.",
        ),
    }
}

fn no_common<T>(git: &Repository, base: &str) -> DiffResult<T> {
    let why = match git.is_shallow()? {
        true => "the clone is shallow",
        false => "their histories are unrelated",
    };
    refuse(
        format!("`{base}` and the present commit have no commit in common: {why}."),
        "Give `base` and `head`, which are compared as they are.",
    )
}

/// A line of `--raw`.
struct RawDiffEntry {
    path: String,
    old: Option<String>,
    new: Option<String>,
    is_deleted: bool,
}

fn entries(raw: &[u8]) -> Vec<RawDiffEntry> {
    let mut parts = raw.split(|byte| *byte == 0).map(String::from_utf8_lossy);
    let mut found = Vec::new();
    while let Some(head) = parts.next() {
        let Some(head) = head.strip_prefix(':') else {
            continue;
        };
        let words: Vec<&str> = head.split(' ').collect();
        let [old_mode, new_mode, old, new, status] = words[..] else {
            continue;
        };
        let Some(mut path) = parts.next() else { break };
        if status.starts_with(['R', 'C']) {
            match parts.next() {
                Some(new_path) => path = new_path,
                None => break,
            }
        }
        let id = |mode: &str, id: &str| {
            let is_nothing = mode == SUBMODULE || id.bytes().all(|digit| digit == b'0');
            (!is_nothing).then(|| id.to_owned())
        };
        found.push(RawDiffEntry {
            path: path.into_owned(),
            old: id(old_mode, old),
            new: id(new_mode, new),
            is_deleted: status.starts_with('D') || new_mode == SUBMODULE,
        });
    }
    found
}

/// Both versions of files. What has no object is read from the disk, where that is the newer state.
fn versions(
    git: &Repository,
    entries: &[RawDiffEntry],
    is_disk: bool,
) -> DiffResult<Vec<FileVersions>> {
    let entries = &entries[..entries.len().min(git.bounds.files)];
    let ids = entries.iter().flat_map(|entry| [&entry.old, &entry.new]);
    let mut blobs = git.blobs(ids.flatten())?.into_iter();
    let mut next = |id: &Option<String>| id.as_ref().and_then(|_| blobs.next().flatten());
    let mut found = Vec::new();
    for entry in entries {
        let (old, mut new) = (next(&entry.old), next(&entry.new));
        if is_disk && new.is_none() && !entry.is_deleted {
            new = git.file(&entry.path);
        }
        found.push(FileVersions {
            path: entry.path.clone(),
            old: old.map(Bytes),
            new: new.map(Bytes),
        });
    }
    Ok(found)
}

fn untracked(git: &Repository) -> DiffResult<Vec<FileVersions>> {
    let list = [
        "ls-files",
        "--others",
        "--exclude-standard",
        "-z",
        "--",
        ".",
    ];
    let (list, _) = git.bytes(&list, git.bounds.patch)?;
    let paths = list.split(|byte| *byte == 0).map(String::from_utf8_lossy);
    let paths = paths.filter(|path| !path.is_empty() && !path.starts_with(".context/"));
    let files = paths.take(git.bounds.files).map(|path| FileVersions {
        new: git.file(&path).map(Bytes),
        path: path.into_owned(),
        old: None,
    });
    Ok(files.collect())
}

/// The commits before a state, as `Response::Log` has them.
fn log(git: &Repository, past: &str) -> DiffResult<String> {
    let asked = [
        "log",
        "--no-merges",
        "--no-renames",
        "--name-status",
        "--relative",
        "--format=%x01%B%x02",
        "-n",
        MAX_COMMITS,
        past,
        "--",
    ];
    match git.git.bytes(&asked, git.bounds.patch) {
        Ok((log, _)) => Ok(String::from_utf8_lossy(&log).into_owned()),
        // Before the first commit there is none.
        Err(GitError::Failed(_)) => Ok(String::new()),
        Err(error) => Err(error.into()),
    }
}

/// A repository as it is asked here.
struct Repository {
    git: Git,
    bounds: Bounds,
}

impl Repository {
    /// The first line of an answer; none where git fails.
    fn line(&self, arguments: &[&str]) -> DiffResult<Option<String>> {
        match self.git.text(arguments) {
            Ok(text) => Ok(Some(text.lines().next().unwrap_or("").to_owned())),
            Err(GitError::Failed(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// An answer up to so many bytes, and whether it is longer.
    fn bytes<S: AsRef<str>>(&self, arguments: &[S], most: u64) -> DiffResult<(Vec<u8>, bool)> {
        self.git
            .bytes(arguments, most)
            .map_err(|error| match error {
                GitError::Failed(_) if self.is_partial() => Refusal {
                    reason: "Objects of the two states are not here: the clone is partial, and nothing is fetched."
                        .to_owned(),
                    hint: "Run `git diff` for the same states, which fetches what is missing, or fetch all with \
                           `git fetch --refetch --no-filter`."
                        .to_owned(),
                },
                GitError::Failed(said) => Refusal {
                    reason: format!("git could not compare the two states: {said}."),
                    hint: "Run `git diff` for the same states to see why.".to_owned(),
                },
                error => error.into(),
            })
    }

    /// Whether objects may be missing, which git would fetch when they are needed.
    fn is_partial(&self) -> bool {
        const ASKED: &str = r"^remote\..*\.(promisor|partialclonefilter)$";
        let asked = ["config", "--get-regexp", ASKED];
        self.line(&asked).is_ok_and(|found| found.is_some())
    }

    fn is_shallow(&self) -> DiffResult<bool> {
        let answer = self.line(&["rev-parse", "--is-shallow-repository"])?;
        Ok(answer.is_some_and(|answer| answer == "true"))
    }

    /// A file on the disk, links not followed.
    fn file(&self, path: &str) -> Option<Vec<u8>> {
        let path = self.git.folder().join(path);
        let found = path.symlink_metadata().ok()?;
        let is_readable = found.is_file() && found.len() <= self.bounds.file;
        is_readable.then(|| std::fs::read(path).ok()).flatten()
    }

    /// The paths of files of which a version is too large to be read.
    fn large<'e>(&self, entries: &'e [RawDiffEntry], is_disk: bool) -> DiffResult<Vec<&'e str>> {
        let ids = entries.iter().flat_map(|entry| [&entry.old, &entry.new]);
        let mut asked: Vec<u8> = Vec::new();
        for id in ids.flatten() {
            asked.extend_from_slice(id.as_bytes());
            asked.push(b'\n');
        }
        let sizes = ["cat-file", "--batch-check=%(objectsize)"];
        let told = self.git.read(&sizes, Some(asked), |out| {
            let mut told = String::new();
            out.read_to_string(&mut told)?;
            Ok(StdoutResult::Whole(told))
        })?;
        let mut sizes = told.lines().map(|size| size.parse::<u64>().unwrap_or(0));
        let mut size = |id: &Option<String>| id.as_ref().and_then(|_| sizes.next());
        let mut large = Vec::new();
        for entry in entries {
            let (old, new) = (size(&entry.old), size(&entry.new));
            let new = new.or_else(|| {
                let found = self.git.folder().join(&entry.path).symlink_metadata();
                found.ok().filter(|_| is_disk).map(|found| found.len())
            });
            if old.max(new) > Some(self.bounds.file) {
                large.push(entry.path.as_str());
            }
        }
        Ok(large)
    }

    /// Objects by their ids, in their order; none where one is missing or too large.
    fn blobs<'i>(&self, ids: impl Iterator<Item = &'i String>) -> DiffResult<Vec<Option<Vec<u8>>>> {
        let ids: Vec<String> = ids.map(|id| format!("{id}\n")).collect();
        let (count, asked) = (ids.len(), ids.concat().into_bytes());
        let bounds = self.bounds;
        let read = move |out: &mut BufReader<_>| objects(out, count, bounds);
        Ok(self.git.read(&["cat-file", "--batch"], Some(asked), read)?)
    }
}

/// So many objects of `cat-file --batch`.
fn objects(
    out: &mut impl BufRead,
    count: usize,
    bounds: Bounds,
) -> io::Result<StdoutResult<Vec<Option<Vec<u8>>>>> {
    let mut left = bounds.bytes;
    let mut found = Vec::with_capacity(count);
    while found.len() < count
        && let Some(object) = object(out, bounds.file, &mut left)
    {
        found.push(object);
    }
    found.resize(count, None);
    Ok(StdoutResult::Enough(found))
}

/// The next object of `cat-file --batch`; none at the end of what it says.
fn object(out: &mut impl BufRead, most: u64, left: &mut u64) -> Option<Option<Vec<u8>>> {
    let mut head = String::new();
    if out.read_line(&mut head).ok()? == 0 {
        return None;
    }
    let mut words = head.trim_end().rsplit(' ');
    let Some(size) = words.next().and_then(|size| size.parse::<u64>().ok()) else {
        return Some(None); // `<id> missing`
    };
    let is_wanted = size <= most && size <= *left;
    let mut bytes = Vec::new();
    if is_wanted {
        *left -= size;
        out.by_ref().take(size).read_to_end(&mut bytes).ok()?;
    } else {
        std::io::copy(&mut out.by_ref().take(size), &mut std::io::sink()).ok()?;
    }
    let mut end = [0u8; 1];
    out.read_exact(&mut end).ok()?;
    Some(is_wanted.then_some(bytes))
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    fn git(folder: &Path, args: &[&str]) {
        let status = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@example.com"])
            .args([
                "-c",
                "commit.gpgSign=false",
                "-c",
                "init.defaultBranch=main",
            ])
            .arg("-C")
            .arg(folder)
            .args(args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert!(status.success(), "{args:?}");
    }

    fn repository() -> tempfile::TempDir {
        let place = tempfile::tempdir().unwrap();
        git(place.path(), &["init", "-q"]);
        std::fs::write(place.path().join("a b\"c.py"), "x = 1\n").unwrap();
        std::fs::write(place.path().join("gone.py"), "y = 1\n").unwrap();
        git(place.path(), &["add", "."]);
        git(place.path(), &["commit", "-qm", "Begin"]);
        place
    }

    fn done(outcome: DiffOutcome) -> GitDiff {
        match outcome {
            DiffOutcome::Done { diff } => diff,
            DiffOutcome::Failed { reason, .. } => panic!("{reason}"),
        }
    }

    #[test]
    fn both_versions_come_from_objects_where_commits_are_compared() {
        let place = repository();
        std::fs::write(place.path().join("a b\"c.py"), "x = 2\n").unwrap();
        std::fs::remove_file(place.path().join("gone.py")).unwrap();
        git(place.path(), &["commit", "-qam", "Change"]);
        std::fs::write(place.path().join("a b\"c.py"), "x = 3\n").unwrap();
        let range = DiffOf::Range {
            base: "HEAD~1".into(),
            head: Some("HEAD".into()),
        };
        let diff = done(read(place.path(), &range, &StillNeeded::always()));
        let [changed, gone] = &diff.versions[..] else {
            panic!("{:?}", diff.versions);
        };
        assert_eq!(changed.path, "a b\"c.py");
        assert_eq!(changed.new.as_ref().unwrap().0, b"x = 2\n");
        assert_eq!(gone.old.as_ref().unwrap().0, b"y = 1\n");
        assert!(gone.new.is_none() && diff.patch.contains("+x = 2") && diff.log.contains("Begin"));
        assert!(!diff.log.contains("Change"), "the change itself is no past");
    }

    #[test]
    fn what_is_not_committed_is_compared_with_what_is() {
        let place = repository();
        std::fs::write(place.path().join("gone.py"), "y = 2\n").unwrap();
        git(place.path(), &["add", "."]);
        std::fs::write(place.path().join("gone.py"), "y = 3\n").unwrap();
        std::fs::write(place.path().join("new.py"), "z = 1\n").unwrap();
        let new = |of| {
            let diff = done(read(place.path(), &of, &StillNeeded::always()));
            let new = diff.versions[0].new.clone().unwrap().0;
            (String::from_utf8(new).unwrap(), diff.untracked.len())
        };
        assert_eq!(new(DiffOf::Staged), ("y = 2\n".into(), 0));
        assert_eq!(new(DiffOf::Unstaged), ("y = 3\n".into(), 1));
        assert_eq!(new(DiffOf::Uncommitted), ("y = 3\n".into(), 1));
    }

    #[test]
    fn a_tree_may_be_the_base() {
        let place = repository();
        let of = DiffOf::Range {
            base: "4b825dc642cb6eb9a060e54bf8d69288fbee4904".into(),
            head: None,
        };
        let diff = done(read(place.path(), &of, &StillNeeded::always()));
        assert_eq!((diff.versions.len(), diff.log.as_str()), (2, ""));
        assert!(diff.versions.iter().all(|file| file.old.is_none()));
    }

    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Case {
        about: String,
        bounds: CaseBounds,
        /// Bytes before and after.
        files: std::collections::BTreeMap<String, [usize; 2]>,
        is_cut: bool,
        in_patch: Vec<String>,
        kept: std::collections::BTreeMap<String, [bool; 2]>,
    }

    #[derive(serde::Deserialize)]
    struct CaseBounds {
        patch: u64,
        files: usize,
        file: u64,
        bytes: u64,
    }

    #[test]
    fn a_diff_is_cut_as_by_the_other_host() {
        let cases = include_str!("../../../test/contract/cut-diffs/cases.json");
        let cases: Vec<Case> = serde_json::from_str(cases).unwrap();
        for case in cases {
            let place = tempfile::tempdir().unwrap();
            git(place.path(), &["init", "-q"]);
            for (at, letter) in ["x", "y"].into_iter().enumerate() {
                for (path, bytes) in &case.files {
                    let text = format!("{letter}\n").repeat(bytes[at] / 2);
                    std::fs::write(place.path().join(path), text).unwrap();
                }
                git(place.path(), &["add", "."]);
                git(place.path(), &["commit", "-qm", letter]);
            }
            let of = DiffOf::Range {
                base: "HEAD~1".into(),
                head: Some("HEAD".into()),
            };
            let CaseBounds {
                patch,
                files,
                file,
                bytes,
            } = case.bounds;
            let bounds = Bounds {
                patch,
                files,
                file,
                bytes,
            };
            let diff = done(read_within(
                place.path(),
                &of,
                bounds,
                &StillNeeded::always(),
            ));
            let heads = diff
                .patch
                .lines()
                .filter_map(|line| line.strip_prefix("+++ b/"));
            let heads: Vec<&str> = heads.collect();
            assert_eq!(
                (diff.is_cut, heads),
                (
                    case.is_cut,
                    case.in_patch.iter().map(String::as_str).collect()
                ),
                "{}",
                case.about
            );
            let kept = diff
                .versions
                .iter()
                .map(|file| (file.path.clone(), [file.old.is_some(), file.new.is_some()]));
            assert_eq!(
                kept.collect::<std::collections::BTreeMap<_, _>>(),
                case.kept,
                "{}",
                case.about
            );
        }
    }

    #[test]
    fn what_cannot_be_compared_is_said() {
        let failed = |folder: &Path, base: &str| {
            let of = DiffOf::Range {
                base: base.into(),
                head: None,
            };
            match read(folder, &of, &StillNeeded::always()) {
                DiffOutcome::Failed { reason, .. } => reason,
                DiffOutcome::Done { .. } => panic!("{base} was found"),
            }
        };
        let place = repository();
        assert!(failed(place.path(), "nowhere").contains("no commit `nowhere`"));
        assert!(failed(place.path(), "--output=x").contains("no commit"));
        git(place.path(), &["checkout", "-q", "--orphan", "other"]);
        git(place.path(), &["commit", "-qm", "Other"]);
        assert!(failed(place.path(), "main").contains("unrelated"));
        let empty = tempfile::tempdir().unwrap();
        assert!(failed(empty.path(), "main").contains("no git repository"));
    }
}
