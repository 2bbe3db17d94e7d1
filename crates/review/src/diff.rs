//! A unified diff, as git or `diff -u` writes it, to values (SPEC RV1).
//!
//! Nothing in a patch is trusted: what does not parse is said in [`Patch::problems`] and the rest is read on.

use std::ops::Range;

use crate::git_paths::{strip_side, unquote};
use crate::patch_text::plain;

/// What happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PatchType {
    /// It is new.
    Add,
    /// It holds something else.
    Modify,
    /// It is gone.
    Delete,
    /// It has another path, and may hold something else.
    Rename,
    /// It began as a copy of another.
    Copy,
    /// Only its mode is another.
    Mode,
}

impl PatchType {
    /// The word in answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Modify => "modify",
            Self::Delete => "delete",
            Self::Rename => "rename",
            Self::Copy => "copy",
            Self::Mode => "mode",
        }
    }
}

/// What a line of a hunk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// In both versions.
    Context,
    /// In the new one alone.
    Added,
    /// In the old one alone.
    Removed,
}

impl LineKind {
    /// The sign in front of the line.
    #[must_use]
    pub fn sign(self) -> char {
        match self {
            Self::Context => ' ',
            Self::Added => '+',
            Self::Removed => '-',
        }
    }
}

/// A line of a hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HunkLine {
    /// In which versions it is.
    pub kind: LineKind,
    /// Without its sign and its end.
    pub text: String,
    /// Its number in the old version, from 1; of an added line, of the line before it.
    pub old: u32,
    /// Its number in the new version, from 1; of a removed line, of the line before it.
    pub new: u32,
}

/// A hunk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hunk {
    /// First line in the old version, from 1.
    pub old_start: u32,
    /// Lines in the old version.
    pub old_count: u32,
    /// First line in the new version, from 1.
    pub new_start: u32,
    /// Lines in the new version.
    pub new_count: u32,
    /// What git says is around it.
    pub section: String,
    /// Its lines.
    pub lines: Vec<HunkLine>,
}

/// Lines that changed together: what a diff without context would have as a hunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// First old line; without old lines, the line before.
    pub old: u32,
    /// Old lines.
    pub old_count: u32,
    /// First new line; without new lines, the line before.
    pub new: u32,
    /// New lines.
    pub new_count: u32,
}

impl Run {
    /// First and last line of the new version that it touches: of what was only removed the lines around.
    #[must_use]
    pub fn new_span(&self) -> (u32, u32) {
        span(self.new, self.new_count)
    }

    /// The same of the old version.
    #[must_use]
    pub fn old_span(&self) -> (u32, u32) {
        span(self.old, self.old_count)
    }
}

fn span(start: u32, count: u32) -> (u32, u32) {
    match count {
        0 => (start.max(1), start.saturating_add(1)),
        count => (start, start.saturating_add(count - 1)),
    }
}

impl Hunk {
    /// The lines that changed, by runs.
    #[must_use]
    pub fn runs(&self) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        let mut is_open = false;
        for line in &self.lines {
            if line.kind == LineKind::Context {
                is_open = false;
                continue;
            }
            if !is_open {
                runs.push(Run {
                    old: line.old,
                    old_count: 0,
                    new: line.new,
                    new_count: 0,
                });
                is_open = true;
            }
            let Some(run) = runs.last_mut() else { continue };
            match line.kind {
                LineKind::Added if run.new_count == 0 => (run.new, run.new_count) = (line.new, 1),
                LineKind::Added => run.new_count += 1,
                _ if run.old_count == 0 => (run.old, run.old_count) = (line.old, 1),
                _ => run.old_count += 1,
            }
        }
        runs
    }

    /// Lines that are added and removed.
    #[must_use]
    pub fn counts(&self) -> (u32, u32) {
        let of = |kind| self.lines.iter().filter(|line| line.kind == kind).count() as u32;
        (of(LineKind::Added), of(LineKind::Removed))
    }

    /// The same with at most so many lines around what changed: as many hunks as have more than that between them, and
    /// a line for which no further head is worth it.
    #[must_use]
    pub fn narrowed(&self, context: usize) -> Vec<Self> {
        let spans = self.spans(context);
        let mut parts: Vec<Self> = spans.into_iter().map(|span| self.part(span)).collect();
        // What is around the first of them may not be around the others.
        if let [_, others @ ..] = &mut parts[..] {
            others.iter_mut().for_each(|part| part.section.clear());
        }
        parts
    }

    /// Where its lines are that have so few lines around what changed.
    pub(crate) fn spans(&self, context: usize) -> Vec<Range<usize>> {
        let is_changed = |at: &usize| self.lines[*at].kind != LineKind::Context;
        let mut spans: Vec<Range<usize>> = Vec::new();
        for at in (0..self.lines.len()).filter(is_changed) {
            let from = at.saturating_sub(context);
            let to = at
                .saturating_add(context)
                .saturating_add(1)
                .min(self.lines.len());
            match spans.last_mut() {
                Some(last) if from <= last.end + 1 => last.end = to,
                _ => spans.push(from..to),
            }
        }
        spans
    }

    /// Some of its lines as a hunk.
    fn part(&self, span: Range<usize>) -> Self {
        let count =
            |lines: &[HunkLine], other| lines.iter().filter(|line| line.kind != other).count();
        let (before, lines) = (&self.lines[..span.start], &self.lines[span]);
        let (old, new) = (LineKind::Added, LineKind::Removed);
        let (old_count, new_count) = (count(lines, old) as u32, count(lines, new) as u32);
        // Without lines of a version its number is that of the line before.
        let start = |first: u32, own: u32, before: usize, count: u32| match (own, count) {
            (0, _) => first,
            (_, 0) => (first + before as u32).saturating_sub(1),
            _ => first + before as u32,
        };
        Self {
            old_start: start(
                self.old_start,
                self.old_count,
                count(before, old),
                old_count,
            ),
            old_count,
            new_start: start(
                self.new_start,
                self.new_count,
                count(before, new),
                new_count,
            ),
            new_count,
            section: self.section.clone(),
            lines: lines.to_vec(),
        }
    }

    /// As git writes it.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!(
            "@@ -{},{} +{},{} @@",
            self.old_start, self.old_count, self.new_start, self.new_count
        );
        if !self.section.is_empty() {
            text.push(' ');
            text.push_str(&self.section);
        }
        text.push('\n');
        for line in &self.lines {
            text.push(line.kind.sign());
            text.push_str(line.text.trim_end_matches('\r'));
            text.push('\n');
        }
        text
    }
}

/// A file of a patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileDiff {
    /// What happened to it.
    pub kind: PatchType,
    /// Its path before; absent where it was not there.
    pub old_path: Option<String>,
    /// Its path after; absent where it is gone.
    pub new_path: Option<String>,
    /// Its mode before, as git writes it, where that is told.
    pub old_mode: Option<String>,
    /// Its mode after, where that is told.
    pub new_mode: Option<String>,
    /// Whether it is no text.
    pub is_binary: bool,
    /// What changed in it.
    pub hunks: Vec<Hunk>,
}

/// The mode of a submodule.
const SUBMODULE: &str = "160000";

impl FileDiff {
    fn new() -> Self {
        Self {
            kind: PatchType::Modify,
            old_path: None,
            new_path: None,
            old_mode: None,
            new_mode: None,
            is_binary: false,
            hunks: Vec::new(),
        }
    }

    /// Its path after the change, or before where it is gone.
    #[must_use]
    pub fn path(&self) -> &str {
        let path = self.new_path.as_ref().or(self.old_path.as_ref());
        path.map_or("", String::as_str)
    }

    /// Whether it is another repository.
    #[must_use]
    pub fn is_submodule(&self) -> bool {
        [&self.old_mode, &self.new_mode]
            .into_iter()
            .flatten()
            .any(|mode| mode == SUBMODULE)
    }

    /// The commits of another repository, before and after, as git shortens them; what is not committed there is `dirty`.
    #[must_use]
    pub fn submodule_commits(&self) -> (Option<String>, Option<String>) {
        let commit = |kind| {
            let lines = self.hunks.iter().flat_map(|hunk| &hunk.lines);
            let mut lines = lines.filter(|line| line.kind == kind);
            lines.find_map(|line| {
                let id = line.text.trim().strip_prefix("Subproject commit ")?;
                let (id, dirty) = match id.strip_suffix("-dirty") {
                    Some(id) => (id, " dirty"),
                    None => (id, ""),
                };
                let short: String = id
                    .chars()
                    .filter(char::is_ascii_hexdigit)
                    .take(12)
                    .collect();
                Some(format!("{short}{dirty}"))
            })
        };
        (commit(LineKind::Removed), commit(LineKind::Added))
    }

    /// A file of which only the path is known.
    #[must_use]
    pub fn named(path: &str) -> Self {
        Self {
            old_path: Some(path.to_owned()),
            new_path: Some(path.to_owned()),
            ..Self::new()
        }
    }

    /// A file that is new, of its text.
    #[must_use]
    pub fn added(path: &str, text: &str) -> Self {
        let mut file = Self::new();
        file.kind = PatchType::Add;
        file.new_path = Some(path.to_owned());
        let lines = text.split_terminator('\n').zip(1..);
        let lines: Vec<HunkLine> = lines
            .map(|(text, number)| HunkLine {
                kind: LineKind::Added,
                text: text.to_owned(),
                old: 0,
                new: number,
            })
            .collect();
        if !lines.is_empty() {
            file.hunks.push(Hunk {
                new_start: 1,
                new_count: lines.len() as u32,
                lines,
                ..Hunk::default()
            });
        }
        file
    }

    /// Says what happened from what was told of paths, modes and hunks.
    fn settle(&mut self) {
        let has_moved = self.old_path.is_some() && self.new_path.is_some();
        self.kind = match self.kind {
            _ if self.old_path.is_none() => PatchType::Add,
            _ if self.new_path.is_none() => PatchType::Delete,
            PatchType::Copy => PatchType::Copy,
            _ if has_moved && self.old_path != self.new_path => PatchType::Rename,
            _ if self.hunks.is_empty() && !self.is_binary && self.old_mode != self.new_mode => {
                PatchType::Mode
            }
            _ => PatchType::Modify,
        };
    }
}

/// A patch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patch {
    /// Its files, in its order.
    pub files: Vec<FileDiff>,
    /// What could not be read, a sentence each; at most ten.
    pub problems: Vec<String>,
    /// Paths of files with a conflict that nobody has resolved yet.
    pub unmerged: Vec<String>,
}

impl Patch {
    /// Reads a patch.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut reader = DiffReader::default();
        let text = plain(text);
        let mut lines = text.split('\n').peekable();
        while let Some(line) = lines.next() {
            // What ends the text is no line of a hunk.
            if line.is_empty() && lines.peek().is_none() {
                break;
            }
            let next = lines.peek().copied().unwrap_or("");
            reader.line(line, next);
        }
        reader.finish()
    }
}

#[derive(Default)]
struct DiffReader {
    patch: Patch,
    file: Option<FileDiff>,
    /// Lines of the open hunk that are still to come, old and new.
    left: (u32, u32),
    /// The numbers of its next lines.
    next: (u32, u32),
}

const MAX_PROBLEMS: usize = 10;

impl DiffReader {
    fn problem(&mut self, text: String) {
        if self.patch.problems.len() < MAX_PROBLEMS {
            self.patch.problems.push(text);
        }
    }

    fn line(&mut self, line: &str, next: &str) {
        if self.left != (0, 0) && self.hunk_line(line) {
            return;
        }
        if line.starts_with("diff --git ")
            || line.starts_with("diff --cc ")
            || line.starts_with("diff --combined ")
        {
            self.begin(line);
        } else if line.starts_with("@@@") {
            let path = self.path();
            self.problem(format!("{path}: a merge of several versions is not read."));
        } else if line.starts_with("@@ ") {
            self.hunk(line);
        } else if let Some(path) = line.strip_prefix("* Unmerged path ") {
            self.patch
                .unmerged
                .push(unquote(path.trim_end_matches('\r')));
        } else if let Some(path) = line.strip_prefix("--- ")
            && next.starts_with("+++ ")
        {
            self.old_path(path);
        } else if let Some(path) = line.strip_prefix("+++ ") {
            if let Some(file) = &mut self.file
                && file.hunks.is_empty()
            {
                file.new_path = side(path);
            }
        } else if let Some(file) = &mut self.file {
            header(file, line);
        }
    }

    fn path(&self) -> String {
        self.file
            .as_ref()
            .map_or_else(String::new, |file| file.path().to_owned())
    }

    /// `diff --git a/x b/x`: the two paths are the same unless other lines say so.
    fn begin(&mut self, line: &str) {
        self.end_file();
        let mut file = FileDiff::new();
        let named = line.strip_prefix("diff --git ").and_then(both_paths);
        if let Some((old, new)) = named {
            (file.old_path, file.new_path) = (Some(old), Some(new));
        } else if let Some(path) = line
            .rsplit_once("--cc ")
            .or_else(|| line.rsplit_once("--combined "))
        {
            let path = unquote(path.1);
            (file.old_path, file.new_path) = (Some(path.clone()), Some(path));
        }
        self.file = Some(file);
    }

    fn old_path(&mut self, path: &str) {
        // Without git's own line this one begins a file.
        if self.file.as_ref().is_none_or(|file| !file.hunks.is_empty()) {
            self.end_file();
            self.file = Some(FileDiff::new());
        }
        if let Some(file) = &mut self.file {
            file.old_path = side(path);
        }
    }

    fn hunk(&mut self, line: &str) {
        let Some(hunk) = hunk_head(line) else {
            let path = self.path();
            self.problem(format!("{path}: `{}` is no head of a hunk.", clip(line)));
            return;
        };
        let Some(file) = &mut self.file else {
            self.problem("A hunk stands before any file.".to_owned());
            return;
        };
        self.left = (hunk.old_count, hunk.new_count);
        // A version without lines has the number of the line before.
        let first = |start: u32, count: u32| start.saturating_add(u32::from(count == 0));
        self.next = (
            first(hunk.old_start, hunk.old_count),
            first(hunk.new_start, hunk.new_count),
        );
        file.hunks.push(hunk);
    }

    /// Takes a line into the open hunk; false where it is none, which ends the hunk.
    fn hunk_line(&mut self, line: &str) -> bool {
        let (kind, text) = match line.as_bytes().first() {
            Some(b'+') => (LineKind::Added, &line[1..]),
            Some(b'-') => (LineKind::Removed, &line[1..]),
            Some(b' ') => (LineKind::Context, &line[1..]),
            Some(b'\\') => return true,
            // Programs that strip white space leave nothing of an empty line.
            None | Some(b'\r') => (LineKind::Context, line),
            _ => {
                let path = self.path();
                self.problem(format!("{path}: a hunk ends before its last line."));
                self.left = (0, 0);
                return false;
            }
        };
        let (in_old, in_new) = (kind != LineKind::Added, kind != LineKind::Removed);
        if in_old && self.left.0 == 0 || in_new && self.left.1 == 0 {
            let path = self.path();
            self.problem(format!("{path}: a hunk has more lines than its head says."));
            self.left = (0, 0);
            return true;
        }
        self.left.0 -= u32::from(in_old);
        self.left.1 -= u32::from(in_new);
        let line = HunkLine {
            kind,
            text: text.to_owned(),
            old: self.next.0.saturating_sub(u32::from(!in_old)),
            new: self.next.1.saturating_sub(u32::from(!in_new)),
        };
        self.next.0 = self.next.0.saturating_add(u32::from(in_old));
        self.next.1 = self.next.1.saturating_add(u32::from(in_new));
        let hunk = self.file.as_mut().and_then(|file| file.hunks.last_mut());
        if let Some(hunk) = hunk {
            hunk.lines.push(line);
        }
        true
    }

    fn end_file(&mut self) {
        self.left = (0, 0);
        let Some(mut file) = self.file.take() else {
            return;
        };
        if file.old_path.is_none() && file.new_path.is_none() {
            self.problem("A file of the patch has no path.".to_owned());
            return;
        }
        file.settle();
        self.patch.files.push(file);
    }

    fn finish(mut self) -> Patch {
        if self.left != (0, 0) {
            let path = self.path();
            self.problem(format!("{path}: the patch ends inside of a hunk."));
        }
        self.end_file();
        self.patch
    }
}

/// Lines between git's first line and the hunks.
fn header(file: &mut FileDiff, line: &str) {
    let line = line.trim_end_matches('\r');
    let after = |prefix: &str| line.strip_prefix(prefix);
    if let Some(mode) = after("new file mode ") {
        file.old_path = None;
        file.new_mode = Some(mode.to_owned());
    } else if let Some(mode) = after("deleted file mode ") {
        file.new_path = None;
        file.old_mode = Some(mode.to_owned());
    } else if let Some(mode) = after("old mode ") {
        file.old_mode = Some(mode.to_owned());
    } else if let Some(mode) = after("new mode ") {
        file.new_mode = Some(mode.to_owned());
    } else if let Some(path) = after("rename from ").or_else(|| after("copy from ")) {
        if line.starts_with("copy") {
            file.kind = PatchType::Copy;
        }
        file.old_path = Some(unquote(path));
    } else if let Some(path) = after("rename to ").or_else(|| after("copy to ")) {
        file.new_path = Some(unquote(path));
    } else if let Some(ids) = after("index ") {
        // `index a..b 160000`: of what kept its mode, the mode stands here.
        if let Some((_, mode)) = ids.split_once(' ') {
            file.old_mode.get_or_insert_with(|| mode.to_owned());
            file.new_mode.get_or_insert_with(|| mode.to_owned());
        }
    } else if line == "GIT binary patch"
        || (line.starts_with("Binary files ") && line.ends_with(" differ"))
    {
        file.is_binary = true;
    }
}

/// The path of a `---` or `+++` line; none for what is not there.
fn side(written: &str) -> Option<String> {
    let written = written.trim_end_matches('\r');
    // `diff -u` puts a time behind a tab, git a tab alone behind a path with spaces.
    let path = match written.starts_with('"') {
        true => unquote(&written[..=written.rfind('"').unwrap_or(0)]),
        false => written.split('\t').next().unwrap_or("").to_owned(),
    };
    (path != "/dev/null").then(|| strip_side(&path).to_owned())
}

/// The paths of `a/x b/x`, which may have spaces.
fn both_paths(written: &str) -> Option<(String, String)> {
    let written = written.trim_end_matches('\r');
    if written.contains('"') {
        let middle = match written.starts_with('"') {
            true => written[1..]
                .match_indices("\" ")
                .map(|(at, _)| at + 2)
                .next()?,
            false => written.find(" \"")?,
        };
        let (old, new) = written.split_at(middle);
        let (old, new) = (unquote(old.trim()), unquote(new.trim()));
        return Some((strip_side(&old).to_owned(), strip_side(&new).to_owned()));
    }
    // Without a move both are the same path: the space between them is in the middle.
    let halves = written
        .match_indices(' ')
        .map(|(at, _)| written.split_at(at));
    let mut same = halves.filter(|(old, new)| strip_side(old) == strip_side(&new[1..]));
    let (old, new) = same.next().or_else(|| {
        written
            .split_once(" b/")
            .map(|(old, _)| written.split_at(old.len()))
    })?;
    Some((strip_side(old).to_owned(), strip_side(&new[1..]).to_owned()))
}

/// `@@ -1,2 +3,4 @@ section`.
fn hunk_head(line: &str) -> Option<Hunk> {
    let rest = line.strip_prefix("@@ -")?;
    let (ranges, section) = rest.split_once(" @@")?;
    let (old, new) = ranges.split_once(" +")?;
    let (old_start, old_count) = range(old)?;
    let (new_start, new_count) = range(new)?;
    Some(Hunk {
        old_start,
        old_count,
        new_start,
        new_count,
        section: section.trim().to_owned(),
        lines: Vec::new(),
    })
}

fn range(written: &str) -> Option<(u32, u32)> {
    match written.split_once(',') {
        Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
        None => Some((written.parse().ok()?, 1)),
    }
}

fn clip(line: &str) -> String {
    line.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn one(text: &str) -> FileDiff {
        let patch = Patch::parse(text);
        assert_eq!(patch.problems, Vec::<String>::new());
        assert_eq!(patch.files.len(), 1, "{patch:?}");
        patch.files.into_iter().next().unwrap()
    }

    #[test]
    fn a_path_in_quotes_may_have_a_tab_behind_it() {
        let file = one("--- \"a/x y\\nz\"\t\n+++ \"b/x y\\nz\"\t\n@@ -1 +1 @@\n-a\n+b\n");
        assert_eq!(file.path(), "x y\nz");
        assert_eq!(file.kind, PatchType::Modify);
    }

    #[test]
    fn a_modified_file_has_numbered_lines_and_runs() {
        let file = one(
            "diff --git a/a.py b/a.py\nindex 1..2 100644\n--- a/a.py\n+++ b/a.py\n@@ -1,4 +1,5 @@ def f():\n a\n-b\n+c\n+d\n e\n f\n",
        );
        assert_eq!((file.kind, file.path()), (PatchType::Modify, "a.py"));
        let hunk = &file.hunks[0];
        assert_eq!(hunk.section, "def f():");
        let numbers: Vec<(u32, u32)> = hunk.lines.iter().map(|line| (line.old, line.new)).collect();
        assert_eq!(numbers, [(1, 1), (2, 1), (2, 2), (2, 3), (3, 4), (4, 5)]);
        let run = Run {
            old: 2,
            old_count: 1,
            new: 2,
            new_count: 2,
        };
        assert_eq!(hunk.runs(), [run]);
    }

    #[test]
    fn renames_copies_deletions_and_modes_are_told() {
        let kind = |text: &str| {
            let file = one(text);
            (file.kind, file.old_path.clone(), file.new_path.clone())
        };
        let some = |path: &str| Some(path.to_owned());
        assert_eq!(
            kind(
                "diff --git a/x y.c b/z.c\nsimilarity index 100%\nrename from x y.c\nrename to z.c\n"
            ),
            (PatchType::Rename, some("x y.c"), some("z.c"))
        );
        assert_eq!(
            kind("diff --git a/x b/y\nsimilarity index 90%\ncopy from x\ncopy to y\n"),
            (PatchType::Copy, some("x"), some("y"))
        );
        assert_eq!(
            kind(
                "diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
            ),
            (PatchType::Delete, some("x"), None)
        );
        assert_eq!(
            kind("diff --git a/run me b/run me\nold mode 100644\nnew mode 100755\n"),
            (PatchType::Mode, some("run me"), some("run me"))
        );
        assert!(one("diff --git a/s b/s\nindex 1..2 160000\n--- a/s\n+++ b/s\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n").is_submodule());
    }

    #[test]
    fn binary_and_quoted_files_are_read() {
        let file = one(
            "diff --git \"a/\\303\\244 \\\"b\\\".png\" \"b/\\303\\244 \\\"b\\\".png\"\nnew file mode 100644\nBinary files /dev/null and \"b/\\303\\244 \\\"b\\\".png\" differ\n",
        );
        assert!(file.is_binary);
        assert_eq!((file.kind, file.path()), (PatchType::Add, "ä \"b\".png"));
    }

    #[test]
    fn a_patch_without_git_is_read_and_lines_that_look_like_heads_stay_lines() {
        let patch = Patch::parse(
            "--- old/a.sql\t2020-01-01\n+++ new/a.sql\t2020-01-02\n@@ -1,2 +1,2 @@\n--- gone\n+++ come\n x\r\n--- a/b.sql\n+++ b/b.sql\n@@ -0,0 +1 @@\n+y\n\\ No newline at end of file\n",
        );
        assert_eq!(patch.problems, Vec::<String>::new());
        let paths: Vec<&str> = patch.files.iter().map(FileDiff::path).collect();
        assert_eq!(paths, ["new/a.sql", "b.sql"]);
        assert_eq!(patch.files[0].hunks[0].lines[0].text, "-- gone");
    }

    #[test]
    fn what_is_cut_or_damaged_is_said() {
        let patch = Patch::parse("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n a\n");
        assert!(patch.problems[0].contains("ends inside"), "{patch:?}");
        let patch = Patch::parse("diff --cc x\n@@@ -1,1 -1,1 +1,1 @@@\n++a\n");
        assert!(patch.problems[0].contains("merge"), "{patch:?}");
    }

    proptest! {
        /// Whatever the bytes, the reading ends; and what is read is written as it was.
        #[test]
        fn any_text_is_read(text in "(diff --git a/x b/x|--- a/x|\\+\\+\\+ b/x|@@ -1,2 \\+1,2 @@|[-+ ][a-z]{0,3}|\\\\|\n|\"|\\PC{0,5}){0,40}") {
            let patch = Patch::parse(&text);
            for hunk in patch.files.iter().flat_map(|file| &file.hunks) {
                for run in hunk.runs() {
                    prop_assert!(run.old_count + run.new_count > 0);
                }
            }
        }

        #[test]
        fn hunks_survive_writing(kinds in prop::collection::vec((0..3u8, "[a-z\t]{0,8}"), 1..30)) {
            let (mut old, mut new) = (0, 0);
            let mut body = String::new();
            for (kind, text) in &kinds {
                body.push_str(&format!("{}{text}\n", [" ", "+", "-"][*kind as usize]));
                old += u32::from(*kind != 1);
                new += u32::from(*kind != 2);
            }
            let hunk = format!("@@ -1,{old} +1,{new} @@\n{body}");
            let file = one(&format!("--- a/x\n+++ b/x\n{hunk}"));
            prop_assert_eq!(file.hunks[0].text(), hunk);
        }

        /// With less context the same lines change at the same places, and what is written can be read.
        #[test]
        fn narrowed_hunks_change_the_same(kinds in prop::collection::vec(0..6u8, 1..40), context in 0..4usize) {
            let body: String = kinds.iter().enumerate().map(|(at, kind)| {
                let mark = if *kind < 4 { ' ' } else { ['+', '-'][*kind as usize - 4] };
                format!("{mark}line {at}\n")
            }).collect();
            let count = |mark: char| body.lines().filter(|line| line.starts_with([' ', mark])).count();
            let (old, new) = (count('-'), count('+'));
            let start = |count: usize| if count == 0 { 6 } else { 7 };
            let text = format!("@@ -{},{old} +{},{new} @@ f()\n{body}", start(old), start(new));
            let hunk = one(&format!("--- a/x\n+++ b/x\n{text}")).hunks.remove(0);
            let narrowed = hunk.narrowed(context);
            let runs: Vec<Run> = narrowed.iter().flat_map(Hunk::runs).collect();
            prop_assert_eq!(runs, hunk.runs());
            let texts: String = narrowed.iter().map(Hunk::text).collect();
            if !narrowed.is_empty() {
                let read = one(&format!("--- a/x\n+++ b/x\n{texts}")).hunks;
                prop_assert_eq!(&read, &narrowed);
            }
            for part in &narrowed {
                let is_context = |line: &&HunkLine| line.kind == LineKind::Context;
                prop_assert!(part.lines.iter().take_while(is_context).count() <= context);
                prop_assert!(part.lines.iter().rev().take_while(is_context).count() <= context);
            }
        }
    }

    #[test]
    fn without_context_a_line_has_the_number_of_the_one_before() {
        let file = one("--- a/x\n+++ b/x\n@@ -6,0 +7 @@\n+a\n@@ -9 +9,0 @@\n-b\n");
        let numbers = file
            .hunks
            .iter()
            .map(|hunk| (hunk.lines[0].old, hunk.lines[0].new));
        assert_eq!(numbers.collect::<Vec<_>>(), [(6, 7), (9, 9)]);
    }

    #[test]
    fn a_hunk_falls_apart_where_nothing_changed() {
        let file = one(
            "--- a/x\n+++ b/x\n@@ -5,9 +5,9 @@ f()\n a\n b\n-c\n+d\n e\n f\n g\n h\n-i\n+j\n k\n",
        );
        let narrowed = file.hunks[0].narrowed(1);
        let texts: Vec<String> = narrowed.iter().map(Hunk::text).collect();
        assert_eq!(
            texts,
            [
                "@@ -6,3 +6,3 @@ f()\n b\n-c\n+d\n e\n",
                "@@ -11,3 +11,3 @@\n h\n-i\n+j\n k\n"
            ]
        );
    }
}
