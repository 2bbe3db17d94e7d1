//! What the walks through all languages have in common: the children of open nodes, a guard against depth, chains
//! that lean to the left.
//!
//! A language adds its kinds of nodes and its own state by [`Language`], and says in `impl Walker<…>` blocks of its
//! own what its nodes mean.

use tree_sitter::{Node, Tree};

use crate::builder::BindingsBuilder;
use crate::children::{Child, ChildRange, ChildStack};
use crate::facts::{Bindings, ExprId};
use crate::limits::DEEPEST;
use crate::nodes::{self, Grammar};

/// What one language adds to a [`Walker`]; a value of it is the language's own state.
pub(crate) trait Language {
    /// Its kinds of nodes, and its fields.
    type AngelScriptGrammar: Grammar;

    /// Whether children of kinds that its rules do not list are left out, with all that is in them. Otherwise all
    /// named children are walked.
    const LISTED_ONLY: bool = false;

    /// Whether comments are among the children: those of JavaScript declare types.
    const COMMENTS: bool = false;
}

/// The kind of a node in a language.
pub(crate) type KindOf<L> = <<L as Language>::AngelScriptGrammar as Grammar>::Kind;

/// Whether a child is no comment, if those do not count.
#[inline]
fn counts<L: Language>(child: Node<'_>) -> bool {
    L::COMMENTS || !child.is_extra() || child.is_error()
}

/// A walk through the tree of one file, which makes its bindings. `'t` is the tree's lifetime, `'s` the text's.
pub(crate) struct Walker<'t, 's, L: Language> {
    /// The bindings so far.
    pub(crate) b: BindingsBuilder,
    pub(crate) text: &'s str,
    pub(crate) table: &'static L::AngelScriptGrammar,
    pub(crate) children: ChildStack<'t, KindOf<L>>,
    /// Links of the left-leaning chains that are being walked down.
    links: Vec<Node<'t>>,
    depth: u32,
    /// The language's own state.
    pub(crate) lang: L,
}

impl<'t, 's, L: Language> Walker<'t, 's, L> {
    pub(crate) fn new(text: &'s str, tree: &'t Tree, lang: L) -> Self {
        let table = L::AngelScriptGrammar::for_language(&tree.language());
        let builder = BindingsBuilder::new(text.len() as u32);
        Self::resumed(builder, text, (tree.root_node(), table), 0, lang)
    }

    /// A walk through another tree in the middle of a walk that is so deep.
    pub(crate) fn resumed(
        b: BindingsBuilder,
        text: &'s str,
        (root, table): (Node<'t>, &'static L::AngelScriptGrammar),
        depth: u32,
        lang: L,
    ) -> Self {
        Self {
            b,
            text,
            table,
            children: ChildStack::new(root),
            links: Vec::new(),
            depth,
            lang,
        }
    }

    /// What was found.
    pub(crate) fn finish(self) -> Bindings {
        self.b.facts
    }

    #[inline]
    pub(crate) fn kind(&self, node: Node<'_>) -> KindOf<L> {
        self.table.kind(node)
    }

    #[inline]
    pub(crate) fn text(&self, node: Node<'_>) -> &'s str {
        nodes::text(node, self.text)
    }

    /// Opens a node: its children that count are on the stack until [`Walker::close`].
    pub(crate) fn open(&mut self, node: Node<'t>) -> ChildRange {
        let table = self.table;
        self.children.open(node, |child, field| {
            let kind = table.kind(child);
            let counts = if L::LISTED_ONLY {
                kind != L::AngelScriptGrammar::OTHER || field != 0 || child.is_error()
            } else {
                (child.is_named() || field != 0) && counts::<L>(child)
            };
            counts.then_some(kind)
        })
    }

    /// The same without tokens that stand in a field, such as operators.
    pub(crate) fn open_named(&mut self, node: Node<'t>) -> ChildRange {
        let table = self.table;
        self.children.open(node, |child, _| {
            let counts = child.is_named() && counts::<L>(child);
            counts.then(|| table.kind(child))
        })
    }

    /// Takes children off the stack again, and those that were opened since.
    pub(crate) fn close(&mut self, children: ChildRange) {
        self.children.close(children);
    }

    /// One of the children that are open.
    #[inline]
    pub(crate) fn child(&self, place: usize) -> Child<'t, KindOf<L>> {
        self.children.at(place)
    }

    /// A node that is not on the stack, in the shape of a child.
    pub(crate) fn as_child(&self, node: Node<'t>) -> Child<'t, KindOf<L>> {
        let kind = self.kind(node);
        let field = 0;
        Child { node, kind, field }
    }

    /// The first of these in a field, as a node.
    pub(crate) fn node_in(&self, of: ChildRange, field: u16) -> Option<Node<'t>> {
        self.children.in_field(of, field).map(|child| child.node)
    }

    /// How deep the walk is.
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// Begins at the top again: what waited is not inside of what is around it.
    pub(crate) fn surface(&mut self) {
        self.depth = 0;
    }

    /// Goes one level deeper unless that is too deep; then what is there stays unread, and nothing is to be left.
    #[must_use]
    pub(crate) fn enter(&mut self) -> bool {
        if self.depth >= DEEPEST {
            return false;
        }
        self.depth += 1;
        true
    }

    /// Goes back to the level before a [`Walker::enter`] that gave `true`.
    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Takes a step one level deeper; what it gives where that is too deep.
    pub(crate) fn deeper<T>(&mut self, otherwise: T, step: impl FnOnce(&mut Self) -> T) -> T {
        if !self.enter() {
            return otherwise;
        }
        let result = step(self);
        self.leave();
        result
    }

    /// Walks what leans to the left (`a + b + c`, `a.b().c()`) in a loop, as such chains are longer than stacks.
    /// `left` gives the node that a link has on its left, nothing for the innermost; `first` reads that, and `link`
    /// says what a link makes of the value on its left.
    pub(crate) fn left_chain(
        &mut self,
        node: Node<'t>,
        left: impl Fn(&Self, Node<'t>) -> Option<Node<'t>>,
        first: impl FnOnce(&mut Self, Node<'t>) -> ExprId,
        mut link: impl FnMut(&mut Self, Node<'t>, ExprId) -> ExprId,
    ) -> ExprId {
        let bottom = self.links.len();
        let mut innermost = node;
        while let Some(next) = left(self, innermost) {
            self.links.push(innermost);
            innermost = next;
        }
        let mut value = first(self, innermost);
        while self.links.len() > bottom {
            let Some(node) = self.links.pop() else { break };
            value = link(self, node, value);
        }
        value
    }
}
