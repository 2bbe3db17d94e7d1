//! What an excerpt has to have where the whole text has it.

use std::ops::Range;

use tree_sitter::{Node, Tree};

use super::cut::ExcerptCut;

/// What a node must be in the excerpt: of that kind, if that is known, and there.
#[derive(Clone, Debug)]
pub(super) struct ExpectedNode {
    pub(super) kind: Option<u16>,
    pub(super) bytes: Range<usize>,
}

impl ExpectedNode {
    pub(super) fn fits(&self, node: Node<'_>) -> bool {
        self.bytes == node.byte_range() && self.kind.is_none_or(|kind| kind == node.kind_id())
    }
}

/// Nodes side by side that are kept, and which of them leads to the edit.
pub(super) struct KeptSiblings {
    pub(super) nodes: Vec<ExpectedNode>,
    pub(super) way: Range<usize>,
    /// Whether they are declarations or statements, so that one can be another without the rest.
    pub(super) is_list: bool,
    pub(super) cuts: Vec<ExcerptCut>,
}

/// Whether an excerpt has what was kept.
pub(super) fn is_as_before(tree: &Tree, levels: &[KeptSiblings]) -> bool {
    let mut cursor = tree.walk();
    for level in levels {
        if !cursor.goto_first_child() {
            return false;
        }
        let mut way = None;
        for (place, shape) in level.nodes.iter().enumerate() {
            if place > 0 && !cursor.goto_next_sibling() || !shape.fits(cursor.node()) {
                return false;
            }
            if shape.bytes == level.way {
                way = Some(cursor.clone());
            }
        }
        let Some(way) = way.filter(|_| !cursor.goto_next_sibling()) else {
            return false;
        };
        cursor = way;
    }
    true
}
