//! The node before another one.

use tree_sitter::{Node, TreeCursor};

/// What is before a node in the list that it is in.
pub(super) enum Previous<'t> {
    Node(Node<'t>),
    /// It is the first.
    None,
    /// It is not known.
    Unknown,
}

/// With as many nodes in a list, tree-sitter 0.27 may pass over some on the way back: it has eight bits for the
/// number of one (its issue 5950), stops at the 256th, or goes on in another list.
const MANY: u32 = 255;

/// Moves to the node before the cursor's, below the same parent. What is passed over would be text.
pub(super) fn to_previous<'t>(
    cursor: &mut TreeCursor<'t>,
    parent: Node<'t>,
    text: &str,
) -> Previous<'t> {
    let next = cursor.node();
    let is_long = parent.child_count() >= MANY;
    if !cursor.goto_previous_sibling() {
        return match is_long && parent.child(0) != Some(next) {
            true => Previous::Unknown,
            false => Previous::None,
        };
    }
    let node = cursor.node();
    let is_blank = |gap: &str| gap.trim_ascii().is_empty();
    match !is_long
        || text
            .get(node.end_byte()..next.start_byte())
            .is_some_and(is_blank)
    {
        true => Previous::Node(node),
        false => Previous::Unknown,
    }
}
