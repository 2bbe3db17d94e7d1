//! The children of the nodes on the way to the current one, on one stack: a list for every node would
//! cost an allocation each, a lookup by field for each field a walk over the children.

use tree_sitter::{Node, TreeCursor};

/// A child of an open node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child<'t, K> {
    pub(crate) node: Node<'t>,
    pub(crate) kind: K,
    /// The field it is in, 0 for none.
    pub(crate) field: u16,
}

impl<K> Child<'_, K> {
    /// First byte.
    pub(crate) fn start(&self) -> usize {
        self.node.start_byte()
    }

    /// Its bytes.
    pub(crate) fn range(&self) -> std::ops::Range<usize> {
        self.node.byte_range()
    }
}

/// Where the children of one node stand; its places are for [`ChildStack::at`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChildRange {
    pub(crate) from: usize,
    pub(crate) to: usize,
}

impl ChildRange {
    pub(crate) fn iter(self) -> std::ops::Range<usize> {
        self.from..self.to
    }

    pub(crate) fn len(self) -> usize {
        self.to - self.from
    }

    pub(crate) fn is_empty(self) -> bool {
        self.from == self.to
    }
}

impl IntoIterator for ChildRange {
    type Item = usize;
    type IntoIter = std::ops::Range<usize>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Children of open nodes, those of the innermost last.
pub(crate) struct ChildStack<'t, K> {
    cursor: TreeCursor<'t>,
    stack: Vec<Child<'t, K>>,
}

impl<'t, K: Copy + PartialEq> ChildStack<'t, K> {
    pub(crate) fn new(root: Node<'t>) -> Self {
        Self {
            cursor: root.walk(),
            stack: Vec::with_capacity(256),
        }
    }

    /// Puts children of a node on the stack: those that `kind` gives a kind, which gets a child and its field.
    /// What a caller forgets to [`ChildStack::close`], its own caller takes off.
    #[inline]
    pub(crate) fn open(
        &mut self,
        node: Node<'t>,
        kind: impl Fn(Node<'t>, u16) -> Option<K>,
    ) -> ChildRange {
        let from = self.stack.len();
        self.cursor.reset(node);
        let mut more = self.cursor.goto_first_child();
        while more {
            let node = self.cursor.node();
            let field = self.cursor.field_id().map_or(0, std::num::NonZeroU16::get);
            if let Some(kind) = kind(node, field) {
                self.stack.push(Child { node, kind, field });
            }
            more = self.cursor.goto_next_sibling();
        }
        ChildRange {
            from,
            to: self.stack.len(),
        }
    }

    /// No children, on top of those that are open: closing it closes what was opened since.
    pub(crate) fn top(&self) -> ChildRange {
        let top = self.stack.len();
        ChildRange { from: top, to: top }
    }

    /// Takes these children off the stack, and those above them.
    pub(crate) fn close(&mut self, children: ChildRange) {
        self.stack.truncate(children.from);
    }

    /// One of the children that are open.
    #[inline]
    pub(crate) fn at(&self, place: usize) -> Child<'t, K> {
        self.stack[place]
    }

    /// The first of these in a field; none in a field that the grammar does not have.
    pub(crate) fn in_field(&self, of: ChildRange, field: u16) -> Option<Child<'t, K>> {
        let children = self.stack.get(of.iter()).unwrap_or_default();
        children
            .iter()
            .find(|child| child.field == field && field != 0)
            .copied()
    }

    /// The first of these of a kind.
    pub(crate) fn of_kind(&self, of: ChildRange, kind: K) -> Option<Child<'t, K>> {
        let children = self.stack.get(of.iter()).unwrap_or_default();
        children.iter().find(|child| child.kind == kind).copied()
    }
}
