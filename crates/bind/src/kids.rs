//! The children of the nodes on the way to the current one, on one stack: a list for every node would
//! cost an allocation each, a lookup by field for each field a walk over the children.

use tree_sitter::{Node, TreeCursor};

/// Children of open nodes.
pub(crate) struct Kids<'t> {
    cursor: TreeCursor<'t>,
    stack: Vec<(u16, Node<'t>)>,
}

/// Where the children of one node stand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) from: usize,
    pub(crate) to: usize,
}

impl<'t> Kids<'t> {
    pub(crate) fn new(root: Node<'t>) -> Self {
        Self {
            cursor: root.walk(),
            stack: Vec::with_capacity(64),
        }
    }

    /// Puts the children of a node on the stack: the named ones and those in a field, without comments.
    /// What a caller forgets to [`Kids::close`], its own caller takes off.
    pub(crate) fn open(&mut self, node: Node<'t>) -> Span {
        self.put(node, true)
    }

    /// The same without tokens that stand in a field, such as operators.
    pub(crate) fn named(&mut self, node: Node<'t>) -> Span {
        self.put(node, false)
    }

    fn put(&mut self, node: Node<'t>, tokens: bool) -> Span {
        let from = self.stack.len();
        self.cursor.reset(node);
        if self.cursor.goto_first_child() {
            loop {
                let child = self.cursor.node();
                let field = self.cursor.field_id().map_or(0, std::num::NonZero::get);
                if (child.is_named() || tokens && field != 0)
                    && (!child.is_extra() || child.is_error())
                {
                    self.stack.push((field, child));
                }
                if !self.cursor.goto_next_sibling() {
                    break;
                }
            }
        }
        Span {
            from,
            to: self.stack.len(),
        }
    }

    pub(crate) fn close(&mut self, span: Span) {
        self.stack.truncate(span.from);
    }

    /// One child and its field, 0 if it is in none.
    pub(crate) fn at(&self, index: usize) -> (u16, Node<'t>) {
        self.stack[index]
    }

    /// The first child in a field.
    pub(crate) fn get(&self, span: Span, field: u16) -> Option<Node<'t>> {
        let children = self.stack.get(span.from..span.to)?;
        let of_field = |(at, child): &(u16, Node<'t>)| (*at == field).then_some(*child);
        children.iter().find_map(of_field)
    }
}

impl Span {
    /// The places of the children, for [`Kids::at`].
    pub(crate) fn all(self) -> std::ops::Range<usize> {
        self.from..self.to
    }

    pub(crate) fn len(self) -> usize {
        self.to - self.from
    }
}
