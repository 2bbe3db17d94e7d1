//! The lines of files, and which of them a diff shows.

use std::collections::BTreeSet;

use codecortex_index::FileId;
use codecortex_resolve::FileNo;
use rustc_hash::{FxHashMap, FxHashSet};

use super::search::EvidenceSearch;
use crate::change::ReviewedChange;
use crate::diff::LineKind;
use crate::source::{line_of, line_starts};

/// The lines of files by their paths.
#[derive(Debug, Default)]
pub struct FileLines {
    files: FxHashMap<String, (String, Vec<u32>)>,
}

impl FileLines {
    /// Of the files of a change as it leaves them, and of others.
    pub(super) fn new(search: &EvidenceSearch<'_>, others: &BTreeSet<FileNo>) -> Self {
        let mut lines = Self::default();
        for file in &search.change.files {
            if let Some(new) = &file.new {
                lines.files.insert(
                    file.path.clone(),
                    (new.text.clone(), line_starts(&new.text)),
                );
            }
        }
        lines.add(search, others);
        lines
    }

    /// Adds those of further files, as the index has them.
    pub(super) fn add(&mut self, search: &EvidenceSearch<'_>, others: &BTreeSet<FileNo>) {
        for id in others {
            let path = search.path(*id);
            let Some(path) = path.filter(|path| !self.files.contains_key(*path)) else {
                continue;
            };
            if let Ok(text) = search.view.text_of_file(FileId(*id)) {
                let text = text.snapshot.text.text();
                let starts = line_starts(&text);
                self.files.insert(path.to_owned(), (text, starts));
            }
        }
    }

    /// Adds those of a file that is in no index; those of one that is here stay.
    pub(super) fn put(&mut self, path: String, text: String) {
        let starts = line_starts(&text);
        self.files.entry(path).or_insert((text, starts));
    }

    /// A line by its number from 1, without its end; empty where there is none.
    #[must_use]
    pub fn line(&self, path: &str, number: u32) -> &str {
        let file = self.files.get(path);
        file.map_or("", |(text, starts)| line_of(text, starts, number))
    }

    /// The text of a file; none of one that is not here.
    pub(super) fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(|(text, _)| text.as_str())
    }

    /// Number of lines of a file.
    #[must_use]
    pub fn count(&self, path: &str) -> u32 {
        self.files
            .get(path)
            .map_or(0, |(_, starts)| starts.len() as u32)
    }

    /// The line of a byte, from 1; none of a file that is not here.
    #[must_use]
    pub fn line_at(&self, path: &str, byte: u32) -> Option<u32> {
        let (_, starts) = self.files.get(path)?;
        Some(starts.partition_point(|start| *start <= byte) as u32)
    }
}

/// Lines around what changed that the tightest diff shows.
pub(crate) const LEAST_CONTEXT: usize = 1;

/// Lines that a diff shows, by the new version's paths and numbers.
#[derive(Debug, Default)]
pub struct DiffLines {
    files: FxHashMap<String, (FxHashSet<u32>, FxHashSet<u32>)>,
}

impl DiffLines {
    /// Of a change with the context that it has.
    #[must_use]
    pub fn for_change(change: &ReviewedChange) -> Self {
        Self::with_context(change, usize::MAX)
    }

    /// Of a change where there is little room: what every diff of it shows.
    #[must_use]
    pub fn least(change: &ReviewedChange) -> Self {
        Self::with_context(change, LEAST_CONTEXT)
    }

    fn with_context(change: &ReviewedChange, most: usize) -> Self {
        let mut shown = Self::default();
        for file in &change.files {
            let (lines, changed) = shown.files.entry(file.path.clone()).or_default();
            for hunk in &file.diff.hunks {
                let spans = hunk.spans(most).into_iter();
                for line in spans.flat_map(|span| &hunk.lines[span]) {
                    if line.kind != LineKind::Removed {
                        lines.insert(line.new);
                    }
                }
                for run in hunk.runs() {
                    changed.extend(run.new..run.new + run.new_count.max(1));
                }
            }
        }
        shown
    }

    /// Whether the diff shows a line.
    #[must_use]
    pub fn has(&self, path: &str, line: u32) -> bool {
        self.files
            .get(path)
            .is_some_and(|(lines, _)| lines.contains(&line))
    }

    /// Whether the change touches a line.
    #[must_use]
    pub fn is_changed(&self, path: &str, line: u32) -> bool {
        self.files
            .get(path)
            .is_some_and(|(_, changed)| changed.contains(&line))
    }
}
