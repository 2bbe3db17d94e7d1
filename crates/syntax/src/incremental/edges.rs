//! Which part of a text to read again: nodes side by side, from behind a declaration that stays to the
//! end of one that comes back.

use std::ops::Range;

use tree_sitter::{Node, TreeCursor};

use super::previous::{Previous, to_previous};
use crate::Language;
use crate::facts::{Facts, Item, ItemFlags};
use crate::spec::{LayerRole, Spec};

/// More nodes than this beside the change are no small part. Comments are: Rust has one for each line.
const MAX: usize = 64;
const MAX_COMMENTS: usize = 1024;

/// A part of a text.
pub(super) struct Stretch<'t> {
    pub(super) nodes: Vec<Node<'t>>,
    /// From where on nothing has been read: where the declaration before it ends.
    pub(super) unread: usize,
    /// Where the first node may begin.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether it begins behind a statement that declares nothing.
    pub(super) follows_statement: bool,
}

/// Where a part begins.
struct Left<'t> {
    nodes: Vec<Node<'t>>,
    unread: usize,
    start: usize,
    is_statement: bool,
}

/// A place at which a part may begin.
#[derive(Clone, Copy)]
struct Edge {
    unread: usize,
    start: usize,
    /// Whether it is behind a statement that declares nothing.
    is_statement: bool,
}

/// Where parts may begin and end.
pub(super) struct Edges<'a, 't> {
    pub(super) spec: &'static Spec,
    pub(super) text: &'t str,
    /// The facts before the change; what stands before it is where it was.
    pub(super) facts: &'a Facts,
    /// Where the tree or the text is another, in the text as it is now.
    pub(super) change: Range<usize>,
    /// Where the text alone is.
    pub(super) edit: Range<usize>,
    /// What of the text is not in the tree; no part reaches beyond.
    pub(super) cuts: &'a [Range<usize>],
}

impl<'t> Edges<'_, 't> {
    /// The part below `parent` that a change is in, and so many more nodes behind it at which it could end.
    pub(super) fn around(
        &self,
        parent: Node<'t>,
        is_root: bool,
        more: usize,
    ) -> Option<Stretch<'t>> {
        let mut cursor = parent.walk();
        if cursor
            .goto_first_child_for_byte(self.change.start)
            .is_none()
            && !cursor.goto_last_child()
        {
            return None;
        }
        let mut before = cursor.clone();
        let left = self.left(&mut before, parent, is_root)?;
        let mut nodes = left.nodes;
        let end = self.right(&mut cursor, &mut nodes, more)?;
        Some(Stretch {
            nodes,
            unread: left.unread,
            start: left.start,
            end,
            follows_statement: left.is_statement,
        })
    }

    /// Nodes before the cursor's, and where they begin.
    fn left(
        &self,
        cursor: &mut TreeCursor<'t>,
        parent: Node<'t>,
        is_root: bool,
    ) -> Option<Left<'t>> {
        let mut nodes = Vec::new();
        let mut most = Most::default();
        loop {
            let next = cursor.node().start_byte();
            let edge = match to_previous(cursor, parent, self.text) {
                Previous::Node(node) => {
                    self.is_whole(node.end_byte()..next).then_some(())?;
                    let edge = self.left_edge(node, parent);
                    if edge.is_none() {
                        nodes.push(node);
                        most.count(self.spec, node)?;
                        self.is_whole(node.byte_range()).then_some(())?;
                    }
                    edge
                }
                Previous::None => {
                    // A byte order mark is said of the file before its first statement begins.
                    let has_mark = is_root && self.text.starts_with('\u{feff}');
                    let start = match is_root {
                        true => (!has_mark).then_some(0)?,
                        false => self.head_end(parent)?,
                    };
                    Some(Edge::behind(start))
                }
                Previous::Unknown => return None,
            };
            if let Some(edge) = edge {
                nodes.reverse();
                return Some(Left {
                    nodes,
                    unread: edge.unread,
                    start: edge.start,
                    is_statement: edge.is_statement,
                });
            }
        }
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
    fn left_edge(&self, node: Node<'t>, parent: Node<'t>) -> Option<Edge> {
        let (start, end) = (node.start_byte(), node.end_byte());
        if node.has_error() || end > self.change.start || start == end {
            return None;
        }
        if !node.is_named() {
            return (node.kind() == "{").then_some(Edge::behind(end));
        }
        let kind = node.kind_id();
        let is_apart = end < self.change.start && self.breaks_line(end);
        if self.spec.is_comment(kind) || self.spec.is_attribute(kind) || !is_apart {
            return None;
        }
        if ends_with(node, |last| self.spec.is_comment(last.kind_id())) {
            return None;
        }
        // In damaged code an import may stand among members, of which it is none.
        let is_import = self.spec.layers.role(kind) == LayerRole::Import && !parent.has_error();
        if is_import && !self.holds_imports(parent) {
            return None;
        }
        if is_import || is_docstring(self.spec, node) {
            return Some(Edge::behind(end));
        }
        let Some(last) = self.item_end(start, end) else {
            if self.declares_more(start, end) {
                return None;
            }
            let ends_with_token = last_token(node).end_byte() == end;
            return ends_with_token.then_some(Edge {
                is_statement: true,
                ..Edge::behind(end)
            });
        };
        let tail = self.text.get(last..end)?;
        // What ends a statement may stand behind the declaration in it.
        let is_tail = tail
            .bytes()
            .all(|byte| byte == b';' || byte.is_ascii_whitespace());
        is_tail.then_some(Edge {
            unread: last,
            ..Edge::behind(end)
        })
    }

    /// Whether a node may have imports: the body of a type has none.
    fn holds_imports(&self, list: Node<'_>) -> bool {
        let Some(around) = list.parent() else {
            return true;
        };
        let start = around.start_byte();
        let items = &self.facts.items;
        let first = items.partition_point(|item| (item.start_byte as usize) < start);
        let mut there = items[first..]
            .iter()
            .take_while(|item| item.start_byte as usize == start);
        !there.any(|item| item.kind.is_type())
    }

    /// Go's comments document what they stand behind on the line.
    fn breaks_line(&self, end: usize) -> bool {
        let gap = self.text.get(end..self.change.start).unwrap_or("");
        self.spec.language != Language::Go || gap.contains('\n')
    }

    /// Whether a declaration begins in a stretch that has another half behind it, as one with two accessors.
    fn declares_more(&self, start: usize, end: usize) -> bool {
        let items = &self.facts.items;
        let first = items.partition_point(|item| (item.start_byte as usize) < start);
        let is_half = |item: &Item| item.end_byte as usize > end && !item.kind.is_namespace();
        let mut inside = items[first..]
            .iter()
            .take_while(|item| (item.start_byte as usize) < end);
        inside.any(is_half)
    }

    /// Where the last of the declarations in a stretch ends; the first may begin with an attribute before it.
    fn item_end(&self, start: usize, end: usize) -> Option<usize> {
        let items = &self.facts.items;
        let first = items.partition_point(|item| (item.start_byte as usize) < start);
        let ends_inside = |item: &&Item| (start + 1..=end).contains(&(item.end_byte as usize));
        let with_attribute = items[..first].last().filter(ends_inside);
        let inside = items[first..]
            .iter()
            .take_while(|item| (item.start_byte as usize) < end)
            .chain(with_attribute)
            .filter(|item| !item.flags.contains(ItemFlags::LOCAL));
        let last = inside.map(|item| item.end_byte as usize).max()?;
        (last <= end).then_some(last)
    }

    /// Adds nodes from the cursor's on; where they end.
    fn right(
        &self,
        cursor: &mut TreeCursor<'t>,
        nodes: &mut Vec<Node<'t>>,
        mut more: usize,
    ) -> Option<usize> {
        let mut most = Most::default();
        loop {
            let node = cursor.node();
            nodes.push(node);
            most.count(self.spec, node)?;
            self.is_whole(node.byte_range()).then_some(())?;
            if self.is_right_edge(node) || self.is_plain_comment_alone(cursor) {
                if more == 0 {
                    return Some(node.end_byte());
                }
                more -= 1;
            }
            let end = node.end_byte();
            if !cursor.goto_next_sibling() || !self.is_whole(end..cursor.node().start_byte()) {
                return None;
            }
        }
    }

    /// Whether at the cursor is a comment that is about nothing that follows it, and was one before.
    fn is_plain_comment_alone(&self, cursor: &TreeCursor<'t>) -> bool {
        let node = cursor.node();
        let (start, end) = (node.start_byte(), node.end_byte());
        let is_known =
            self.edit.end < start || start + self.spec.longest_marker() <= self.edit.start;
        if !self.spec.is_comment(node.kind_id()) || end <= self.change.end || !is_known {
            return false;
        }
        let mut next = cursor.clone();
        next.goto_next_sibling()
            && self.spec.is_namespace(next.node().kind_id())
            && self
                .text
                .get(start..end)
                .is_some_and(|comment| self.spec.is_plain_comment(comment))
    }

    /// Whether nothing of a stretch is left out of the tree.
    fn is_whole(&self, bytes: Range<usize>) -> bool {
        let is_in = |cut: &Range<usize>| cut.start < bytes.end && bytes.start < cut.end;
        !self.cuts.iter().any(is_in)
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
        // In front of a token that is missing, the parser takes in comments about what follows.
        let last = last_token(node);
        if last.start_byte() == last.end_byte() {
            return false;
        }
        // What it makes nothing of goes to what follows, as white space does.
        if node.has_error() && last.end_byte() < node.end_byte() {
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

impl Edge {
    fn behind(end: usize) -> Self {
        Self {
            unread: end,
            start: end,
            is_statement: false,
        }
    }
}

/// What has been taken into a part.
#[derive(Default)]
pub(super) struct Most {
    nodes: usize,
    comments: usize,
}

impl Most {
    /// Counts a node; nothing where that is too many.
    pub(super) fn count(&mut self, spec: &Spec, node: Node<'_>) -> Option<()> {
        if spec.is_comment(node.kind_id()) {
            self.comments += 1;
        } else {
            self.nodes += 1;
        }
        (self.nodes < MAX && self.comments < MAX_COMMENTS).then_some(())
    }
}

/// The last token of a node.
fn last_token(node: Node<'_>) -> Node<'_> {
    let mut cursor = node.walk();
    while cursor.goto_last_child() {}
    cursor.node()
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
