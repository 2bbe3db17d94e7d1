//! What the editor shows.

use codecortex_protocol::{Diagnostic, DocumentSpan};
use rustc_hash::FxHashMap;

/// Diagnostics of a file that are kept.
const MAX_DIAGNOSTICS: usize = 200;
/// Files whose diagnostics are kept.
const MAX_DIAGNOSED: usize = 2_000;

/// What the editor shows, as far as it told.
#[derive(Debug, Default)]
pub struct EditorState {
    /// Absolute path of the document that has the focus.
    pub active: Option<String>,
    /// Selections in it, the primary one first; a cursor is an empty one.
    pub selections: Vec<DocumentSpan>,
    /// What of it is on the screen.
    pub visible: Vec<DocumentSpan>,
    /// Diagnostics by absolute path.
    diagnostics: FxHashMap<String, Vec<Diagnostic>>,
}

impl EditorState {
    /// What the editor shows now; `active` is an absolute path.
    pub fn shows(
        &mut self,
        active: Option<String>,
        selections: Vec<DocumentSpan>,
        visible: Vec<DocumentSpan>,
    ) {
        let is_same = self.active == active;
        self.active = active;
        self.selections = selections;
        // Who tells of the cursor alone says nothing of the screen.
        if !visible.is_empty() || !is_same {
            self.visible = visible;
        }
    }

    /// What the editor says of a file's problems, all of them.
    pub fn diagnosed(&mut self, path: String, mut all: Vec<Diagnostic>) {
        if all.is_empty() {
            self.diagnostics.remove(&path);
            return;
        }
        all.sort_by_key(|one| (one.severity, one.span.start.line, one.span.start.character));
        all.truncate(MAX_DIAGNOSTICS);
        if self.diagnostics.len() < MAX_DIAGNOSED || self.diagnostics.contains_key(&path) {
            self.diagnostics.insert(path, all);
        }
    }

    /// Problems of a file, the gravest first.
    pub fn diagnostics(&self, path: &str) -> &[Diagnostic] {
        self.diagnostics.get(path).map_or(&[], Vec::as_slice)
    }

    /// All files with problems, in the order of their paths.
    pub fn all(&self) -> impl Iterator<Item = (&str, &[Diagnostic])> {
        let mut all: Vec<_> = self.diagnostics.iter().collect();
        all.sort_by_key(|(path, _)| path.as_str());
        all.into_iter()
            .map(|(path, found)| (path.as_str(), found.as_slice()))
    }

    /// How many files have problems, and how many of them there are.
    pub fn problems(&self) -> (usize, usize) {
        let count = self.diagnostics.values().map(Vec::len).sum();
        (self.diagnostics.len(), count)
    }
}
