//! A text after an edit, with the tree from before it.

use tree_sitter::Tree;

use crate::change::TextReplacement;

/// A preprocessed text, with the tree from before, which was told of the change.
#[derive(Clone, Copy)]
pub(super) struct EditedTree<'a> {
    pub(super) text: &'a str,
    pub(super) tree: &'a Tree,
    pub(super) change: TextReplacement,
}
