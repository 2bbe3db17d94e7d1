//! Open documents: their text wins over the disk (SPEC I1, X2).
//!
//! An edit only changes the rope and tells the tree where; parsing waits until somebody asks, so
//! that a burst of typing is parsed once.

use codecortex_syntax::language::detect;
use codecortex_syntax::{Language, Limits, Outcome, analyse_text, facts_of_tree, parse};
use codecortex_text::{Document, Edit, Utf16Position};
use tree_sitter::{InputEdit, Point, Tree};

use crate::protocol::{Position, TextChange};

/// A document that an editor holds.
#[derive(Debug)]
pub(crate) struct OpenDocument {
    document: Document,
    tree: Option<(Language, Tree)>,
    /// Whether the facts of the last [`OpenDocument::outcome`] are older than the text.
    pub(crate) stale: bool,
    /// Whether the text differs from the disk.
    pub(crate) dirty: bool,
    /// The editor's version of the text.
    pub(crate) version: i64,
}

impl OpenDocument {
    /// A document with this text.
    pub(crate) fn new(text: &str, version: i64, dirty: bool) -> Self {
        Self {
            document: Document::new(text),
            tree: None,
            stale: true,
            dirty,
            version,
        }
    }

    /// Applies an editor's changes in order.
    pub(crate) fn edit(&mut self, version: i64, changes: &[TextChange], dirty: bool) {
        for change in changes {
            let edit =
                self.document
                    .apply(position(change.start), position(change.end), &change.text);
            if let Some((_, tree)) = &mut self.tree {
                tree.edit(&input_edit(&edit));
            }
        }
        self.version = version;
        self.dirty = dirty;
        self.stale = true;
    }

    /// The facts of the text as it is now.
    pub(crate) fn outcome(&mut self, path: &str, limits: Limits) -> Outcome {
        self.stale = false;
        let text = self.document.text();
        // A lone CR ends a line for the editor but not for the grammars: their rows disagree, so
        // such a text is parsed anew.
        let has_lone_cr = text.replace("\r\n", "").contains('\r');
        let language = detect(path, &text).filter(|_| text.len() <= limits.max_file_size as usize);
        let old = self
            .tree
            .take()
            .filter(|(old, _)| Some(*old) == language && !has_lone_cr);
        if let (Some(language), Some((_, old))) = (language, &old)
            && let Some(tree) = parse(language, &text, Some(old))
            && let Some(facts) = facts_of_tree(language, &text, &tree)
        {
            self.tree = Some((language, tree));
            return Outcome::Facts(facts);
        }
        // The first look decides by the same rules as for a file: binary, minified, too complex.
        let outcome = analyse_text(path, &text, limits);
        if let (Outcome::Facts(facts), false) = (&outcome, has_lone_cr) {
            self.tree = parse(facts.language, &text, None).map(|tree| (facts.language, tree));
        }
        outcome
    }
}

fn position(position: Position) -> Utf16Position {
    Utf16Position {
        line: position.line,
        character: position.character,
    }
}

fn input_edit(edit: &Edit) -> InputEdit {
    let point = |(row, column): (usize, usize)| Point { row, column };
    InputEdit {
        start_byte: edit.start,
        old_end_byte: edit.old_end,
        new_end_byte: edit.new_end,
        start_position: point(edit.start_point),
        old_end_position: point(edit.old_end_point),
        new_end_position: point(edit.new_end_point),
    }
}
