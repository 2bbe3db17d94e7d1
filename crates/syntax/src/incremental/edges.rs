//! Which part of a text to read again: nodes side by side, from behind a declaration that stays to the
//! end of one that comes back.

use std::ops::Range;

use tree_sitter::{Node, TreeCursor};

use crate::Language;
use crate::facts::{Facts, Flags};
use crate::spec::{LayerRole, Spec};

/// More nodes than this beside the change are no small part.
const MOST: usize = 64;

/// A part of a text.
pub(super) struct Stretch<'t> {
    pub(super) nodes: Vec<Node<'t>>,
    /// From where on nothing has been read: where the declaration before it ends.
    pub(super) unread: usize,
    /// Where the first node may begin.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Where parts may begin and end.
pub(super) struct Edges<'a, 't> {
    pub(super) spec: &'static Spec,
    pub(super) text: &'t str,
    /// The facts before the change; what stands before it is where it was.
    pub(super) facts: &'a Facts,
    /// In the text as it is now.
    pub(super) change: Range<usize>,
}

impl<'t> Edges<'_, 't> {
    /// The part below `parent` that a change is in.
    pub(super) fn around(&self, parent: Node<'t>, is_root: bool) -> Option<Stretch<'t>> {
        let mut cursor = parent.walk();
        if cursor
            .goto_first_child_for_byte(self.change.start)
            .is_none()
            && !cursor.goto_last_child()
        {
            return None;
        }
        let mut left = cursor.clone();
        let (mut nodes, unread, start) = self.left(&mut left, parent, is_root)?;
        let end = self.right(&mut cursor, &mut nodes)?;
        Some(Stretch {
            nodes,
            unread,
            start,
            end,
        })
    }

    /// Nodes before the cursor's, and where they begin.
    fn left(
        &self,
        cursor: &mut TreeCursor<'t>,
        parent: Node<'t>,
        is_root: bool,
    ) -> Option<(Vec<Node<'t>>, usize, usize)> {
        let mut nodes = Vec::new();
        while nodes.len() < MOST {
            if !cursor.goto_previous_sibling() {
                nodes.reverse();
                let start = if is_root { 0 } else { self.head_end(parent)? };
                return Some((nodes, start, start));
            }
            let node = cursor.node();
            if let Some((unread, start)) = self.left_edge(node) {
                nodes.reverse();
                return Some((nodes, unread, start));
            }
            nodes.push(node);
        }
        None
    }

    /// Where the head of a body without a token of its own ends: Python's colon.
    fn head_end(&self, body: Node<'t>) -> Option<usize> {
        let colon = body.prev_sibling().filter(|node| !node.is_named())?;
        let gap = self.text.get(colon.end_byte()..body.start_byte())?;
        let is_blank = gap.bytes().all(|byte| byte.is_ascii_whitespace());
        (is_blank && !colon.is_missing() && colon.end_byte() < self.change.start)
            .then_some(colon.end_byte())
    }

    /// Where a part may begin behind a node: what is not read yet there, and what is not walked.
    fn left_edge(&self, node: Node<'t>) -> Option<(usize, usize)> {
        let (start, end) = (node.start_byte(), node.end_byte());
        if node.has_error() || end > self.change.start || start == end {
            return None;
        }
        if !node.is_named() {
            return (node.kind() == "{").then_some((end, end));
        }
        let kind = node.kind_id();
        let is_apart = end < self.change.start && self.breaks_line(end);
        if self.spec.is_comment(kind) || self.spec.is_attribute(kind) || !is_apart {
            return None;
        }
        if ends_with(node, |last| self.spec.is_comment(last.kind_id())) {
            return None;
        }
        if self.spec.layers.role(kind) == LayerRole::Import || is_docstring(self.spec, node) {
            return Some((end, end));
        }
        let last = self.item_end(start, end)?;
        let tail = self.text.get(last..end)?;
        // What ends a statement may stand behind the declaration in it.
        let is_tail = tail
            .bytes()
            .all(|byte| byte == b';' || byte.is_ascii_whitespace());
        is_tail.then_some((last, end))
    }

    /// Go's comments document what they stand behind on the line.
    fn breaks_line(&self, end: usize) -> bool {
        let gap = self.text.get(end..self.change.start).unwrap_or("");
        self.spec.language != Language::Go || gap.contains('\n')
    }

    /// Where the last of the declarations in a stretch ends.
    fn item_end(&self, start: usize, end: usize) -> Option<usize> {
        let items = &self.facts.items;
        let first = items.partition_point(|item| (item.start_byte as usize) < start);
        let inside = items[first..]
            .iter()
            .take_while(|item| (item.start_byte as usize) < end)
            .filter(|item| !item.flags.contains(Flags::LOCAL));
        let last = inside.map(|item| item.end_byte as usize).max()?;
        (last <= end).then_some(last)
    }

    /// Adds nodes from the cursor's on; where they end.
    fn right(&self, cursor: &mut TreeCursor<'t>, nodes: &mut Vec<Node<'t>>) -> Option<usize> {
        while nodes.len() < MOST {
            let node = cursor.node();
            nodes.push(node);
            if self.is_right_edge(node) {
                return Some(node.end_byte());
            }
            if !cursor.goto_next_sibling() {
                return None;
            }
        }
        None
    }

    fn is_right_edge(&self, node: Node<'t>) -> bool {
        let kind = node.kind_id();
        if !node.is_named()
            || node.end_byte() <= self.change.end
            || self.spec.is_comment(kind)
            || self.spec.is_attribute(kind)
        {
            return false;
        }
        let by_line = self.spec.language == Language::Python;
        // Where a block ends with its last line, a comment there may be about what follows.
        let is_open = |last: Node<'t>| {
            self.spec.is_comment(last.kind_id()) || by_line && last.start_byte() < self.change.end
        };
        !ends_with(node, is_open)
    }
}

/// Whether the last token of a node is such.
fn ends_with<'t>(node: Node<'t>, mut is_such: impl FnMut(Node<'t>) -> bool) -> bool {
    let mut cursor = node.walk();
    while cursor.goto_last_child() {
        if is_such(cursor.node()) && cursor.node().child_count() == 0 {
            return true;
        }
    }
    is_such(cursor.node())
}

/// A text that documents what it stands in: the first statement of a block.
fn is_docstring(spec: &Spec, node: Node<'_>) -> bool {
    spec.language == Language::Python
        && node.kind() == "expression_statement"
        && node.child_count() == 1
        && node.child(0).is_some_and(|child| child.kind() == "string")
        && node.prev_sibling().is_none()
}
