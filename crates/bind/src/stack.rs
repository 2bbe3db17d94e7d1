//! The children of the nodes that a walk is in the middle of, with their kinds, one after another in one
//! vector: a walk looks at each node once and allocates nothing for it.

use tree_sitter::{Node, TreeCursor};

/// A child that means something: named and listed by its language, in a field, or in error.
#[derive(Clone, Copy)]
pub(crate) struct Kid<'t, K> {
    pub(crate) node: Node<'t>,
    pub(crate) kind: K,
    /// The field it is in, 0 for none.
    pub(crate) field: u16,
}

impl<K> Kid<'_, K> {
    /// First byte.
    pub(crate) fn start(&self) -> usize {
        self.node.start_byte()
    }

    /// Its bytes.
    pub(crate) fn range(&self) -> std::ops::Range<usize> {
        self.node.byte_range()
    }
}

/// The stack of children.
pub(crate) struct Kids<'t, K> {
    cursor: TreeCursor<'t>,
    stack: Vec<Kid<'t, K>>,
}

impl<'t, K: Copy + PartialEq> Kids<'t, K> {
    pub(crate) fn new(root: Node<'t>) -> Self {
        Self {
            cursor: root.walk(),
            stack: Vec::with_capacity(256),
        }
    }

    /// Puts the children of a node on the stack and says where they are. `skip` is the kind of what
    /// no rule mentions: such a child stays away unless a field holds it or it is an error.
    /// They stay until [`Kids::close`] gets the start of the range.
    pub(crate) fn open(
        &mut self,
        node: Node<'t>,
        skip: K,
        kind: impl Fn(Node<'t>) -> K,
    ) -> std::ops::Range<usize> {
        let from = self.stack.len();
        self.cursor.reset(node);
        let mut more = self.cursor.goto_first_child();
        while more {
            let node = self.cursor.node();
            let kind = kind(node);
            let field = self.cursor.field_id().map_or(0, std::num::NonZeroU16::get);
            if kind != skip || field != 0 || node.is_error() {
                self.stack.push(Kid { node, kind, field });
            }
            more = self.cursor.goto_next_sibling();
        }
        from..self.stack.len()
    }

    /// How many children are open.
    pub(crate) fn len(&self) -> usize {
        self.stack.len()
    }

    /// One of the children that are open.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Kid<'t, K> {
        self.stack[index]
    }

    /// The first of these in a field.
    pub(crate) fn field(&self, of: &std::ops::Range<usize>, field: u16) -> Option<Kid<'t, K>> {
        let kids = self.stack.get(of.clone()).unwrap_or_default();
        kids.iter()
            .find(|kid| kid.field == field && field != 0)
            .copied()
    }

    /// The first of these of a kind.
    pub(crate) fn kind(&self, of: &std::ops::Range<usize>, kind: K) -> Option<Kid<'t, K>> {
        let kids = self.stack.get(of.clone()).unwrap_or_default();
        kids.iter().find(|kid| kid.kind == kind).copied()
    }

    /// Takes the children from this place on off the stack.
    pub(crate) fn close(&mut self, from: usize) {
        self.stack.truncate(from);
    }
}
