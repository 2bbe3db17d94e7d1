//! The files of a change before it and after it, and where what stood before stands after.

use codecortex_analysis::AnalysisView;
use codecortex_analysis::other_states::{OtherFileState, path_in_names};
use codecortex_resolve::{FileNo, Workspace};
use rustc_hash::FxHashMap;

use super::{Holder, UseLocation};
use crate::change::{ChangedFile, ReviewedChange};
use crate::diff::{Hunk, LineKind, PatchType};
use crate::source::VersionedFile;

/// Both states of the files of a change that are read as code.
pub(super) struct States<'c> {
    pub(super) root: u32,
    pub(super) change: &'c ReviewedChange,
    /// Places in the change of the files of which both states are known.
    known: Vec<usize>,
    /// Whether the index has them as the change leaves them.
    pub(super) is_current: bool,
}

impl<'c> States<'c> {
    pub(super) fn new(view: &AnalysisView<'_>, root: u32, change: &'c ReviewedChange) -> Self {
        let files = change.files.iter().enumerate();
        let known: Vec<usize> = files
            .filter(|(_, file)| is_known(file))
            .map(|(at, _)| at)
            .collect();
        let is_current = known.iter().all(|at| {
            let file = &change.files[*at];
            let hash = |source: &Option<VersionedFile>| Some(source.as_ref()?.facts.as_ref()?.hash);
            let indexed = view.index.file_id(root, &file.path);
            let indexed = indexed.and_then(|id| view.index.file(id));
            let is_moved_away = old_path(file).is_none_or(|old| {
                old == file.path || file.diff.kind == PatchType::Copy || {
                    view.index.file_id(root, old).is_none()
                }
            });
            is_moved_away && hash(&file.new) == indexed.map(|file| file.facts.summary().hash)
        });
        Self {
            root,
            change,
            known,
            is_current,
        }
    }

    /// Whether both states of a file are known.
    pub(super) fn knows(&self, file: usize) -> bool {
        self.known.contains(&file)
    }

    /// The files as they were.
    pub(super) fn before(&self) -> Vec<OtherFileState<'c>> {
        self.each(|file| {
            let mut states = Vec::new();
            let old = old_path(file);
            if old != Some(&*file.path) || file.diff.kind == PatchType::Copy {
                states.push(state(&file.path, None));
            }
            if let Some(old) = old.filter(|_| file.diff.kind != PatchType::Copy) {
                states.push(state(old, file.old.as_ref()));
            }
            states
        })
    }

    /// The files as the change leaves them.
    pub(super) fn after(&self) -> Vec<OtherFileState<'c>> {
        self.each(|file| {
            let mut states = Vec::new();
            let is_moved = file.diff.kind == PatchType::Rename;
            if let Some(old) = old_path(file).filter(|_| is_moved) {
                states.push(state(old, None));
            }
            states.push(state(&file.path, file.new.as_ref()));
            states
        })
    }

    fn each(
        &self,
        states: impl Fn(&'c ChangedFile) -> Vec<OtherFileState<'c>>,
    ) -> Vec<OtherFileState<'c>> {
        let files = self.known.iter().map(|at| &self.change.files[*at]);
        let mut all: Vec<OtherFileState<'c>> = files.flat_map(states).collect();
        // One file may come where another went.
        all.sort_by_key(|state| state.bindings.is_some());
        all
    }

    /// The numbers that the files have in a state, by their places in the change.
    pub(super) fn numbers(
        &self,
        view: &AnalysisView<'_>,
        workspace: &Workspace,
        is_before: bool,
    ) -> FxHashMap<FileNo, usize> {
        let mut numbers = FxHashMap::default();
        for at in &self.known {
            let file = &self.change.files[*at];
            let path = match is_before {
                true => old_path(file).filter(|_| file.diff.kind != PatchType::Copy),
                false => file.new.as_ref().map(|_| &*file.path),
            };
            let path = path.map(|path| path_in_names(view, self.root, path));
            if let Some(number) = path.and_then(|path| workspace.file_at(&path)) {
                numbers.insert(number, *at);
            }
        }
        numbers
    }

    /// Where what stood in a file stands now; nothing where its line changed.
    pub(super) fn now(&self, file: usize, at: u32) -> Option<UseLocation> {
        let changed = self.change.files.get(file)?;
        let (old, new) = (changed.old.as_ref()?, changed.new.as_ref()?);
        let line = old.line_at(at);
        let now = line_after(&changed.diff.hunks, line)?;
        let at = new.start_of(now) + (at - old.start_of(line));
        let is_same = old.line(line) == new.line(now);
        is_same.then_some(UseLocation {
            file: Holder::Changed(file),
            at,
        })
    }
}

/// Whether both states of a file were read as code, as far as it has them.
fn is_known(file: &ChangedFile) -> bool {
    let is_read = |source: &Option<VersionedFile>| {
        let facts = source.as_ref().and_then(|source| source.facts.as_ref());
        facts.is_some_and(|facts| !facts.bindings.0.is_empty())
    };
    match file.diff.kind {
        PatchType::Add => is_read(&file.new),
        PatchType::Delete => is_read(&file.old),
        _ => is_read(&file.old) && is_read(&file.new),
    }
}

/// The path that a file had; none where it was not there.
pub(super) fn old_path(file: &ChangedFile) -> Option<&str> {
    match file.diff.kind {
        PatchType::Add => None,
        _ => Some(file.diff.old_path.as_deref().unwrap_or(&file.path)),
    }
}

fn state<'c>(path: &'c str, source: Option<&'c VersionedFile>) -> OtherFileState<'c> {
    let facts = source.and_then(|source| source.facts.as_ref());
    OtherFileState {
        path,
        bindings: facts.map(|facts| (facts.language, facts.bindings.0.clone())),
    }
}

/// The number that a line has after a change; nothing where the change takes it away.
fn line_after(hunks: &[Hunk], line: u32) -> Option<u32> {
    let mut shift = 0i64;
    for hunk in hunks {
        let first = hunk.old_start + u32::from(hunk.old_count == 0);
        if line < first {
            break;
        }
        if line < first + hunk.old_count {
            let is_it =
                |of: &&crate::diff::HunkLine| of.kind == LineKind::Context && of.old == line;
            return hunk.lines.iter().find(is_it).map(|of| of.new);
        }
        shift += i64::from(hunk.new_count) - i64::from(hunk.old_count);
    }
    u32::try_from(i64::from(line) + shift).ok()
}

#[cfg(test)]
mod tests {
    use super::line_after;
    use crate::diff::Patch;

    #[test]
    fn lines_move_with_what_is_before_them() {
        let text = "--- a/x\n+++ b/x\n@@ -2,3 +2,4 @@\n b\n-c\n+C\n+D\n d\n@@ -9,0 +11,1 @@\n+z\n";
        let hunks = Patch::parse(text).files.remove(0).hunks;
        let after: Vec<Option<u32>> = (1..=10).map(|line| line_after(&hunks, line)).collect();
        let some = |line: u32| Some(line);
        assert_eq!(
            after,
            [
                some(1),
                some(2),
                None,
                some(5),
                some(6),
                some(7),
                some(8),
                some(9),
                some(10),
                some(12)
            ]
        );
    }
}
