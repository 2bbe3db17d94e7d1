//! The walk through Python: what it keeps, and the bodies of functions when their turn has come.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use tree_sitter::Node;

use super::kinds::Table;
use crate::facts::{DefId, ExprId, FILE_SCOPE, NONE, ScopeId, flag};
use crate::walker::{Language, Walker};

/// The class that code is in.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClassContext<'t> {
    pub(super) scope: ScopeId,
    /// What the method calls its instance; empty where it has none.
    pub(super) receiver: &'t str,
}

/// The function, class or file whose names assignments define.
#[derive(Debug, Default)]
pub(super) struct PythonFrame<'t> {
    /// Where assignments define names.
    pub(super) scope: ScopeId,
    pub(super) class: Option<ClassContext<'t>>,
    /// Whether this is a class's own body, and of an enumeration.
    pub(super) in_class: bool,
    pub(super) in_enum: bool,
    /// What `global` and `nonlocal` name; whether it is `global`.
    pub(super) outer: Vec<(&'t str, bool)>,
    pub(super) returns: Vec<ExprId>,
    pub(super) yields: Vec<ExprId>,
    pub(super) generator: bool,
}

/// The body of a function that waits.
#[derive(Debug)]
pub(super) struct DeferredBody<'t> {
    pub(super) body: Node<'t>,
    pub(super) def: DefId,
    pub(super) scope: ScopeId,
    pub(super) class: Option<ClassContext<'t>>,
}

/// A first assignment, to be remembered until there is a second.
#[derive(Clone, Debug)]
pub(super) struct First {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) value: ExprId,
}

/// What a walk through Python keeps.
pub(super) struct PythonState<'t> {
    pub(super) waiting: VecDeque<DeferredBody<'t>>,
    pub(super) firsts: FxHashMap<DefId, First>,
    pub(super) frame: PythonFrame<'t>,
    /// Where names are looked up.
    pub(super) scope: ScopeId,
    /// Where the block ends that is being walked.
    pub(super) block_end: usize,
    /// Where arms stand that come after the others.
    pub(super) inactive: Vec<(u32, u32)>,
}

impl PythonState<'_> {
    /// In a file of so many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        Self {
            waiting: VecDeque::new(),
            firsts: FxHashMap::default(),
            frame: PythonFrame::default(),
            scope: FILE_SCOPE,
            block_end: bytes,
            inactive: Vec::new(),
        }
    }
}

impl Language for PythonState<'_> {
    type AngelScriptGrammar = Table;
}

/// The walk through a file of Python.
pub(super) type PythonWalk<'t> = Walker<'t, 't, PythonState<'t>>;

impl<'t> PythonWalk<'t> {
    /// All expressions below a node of which nothing else is known.
    pub(super) fn exprs_of(&mut self, node: Node<'t>) {
        let children = self.open_named(node);
        for at in children {
            self.expr(self.child(at).node);
        }
        self.close(children);
    }

    /// Walks in another scope, and comes back.
    pub(super) fn inside(&mut self, scope: ScopeId, walk: impl FnOnce(&mut Self)) {
        let around = std::mem::replace(&mut self.lang.scope, scope);
        walk(self);
        self.lang.scope = around;
    }
}

/// First byte of a node.
pub(super) fn start(node: Node<'_>) -> u32 {
    node.start_byte() as u32
}

/// The body of a function, when its turn has come.
impl<'t> PythonWalk<'t> {
    pub(super) fn body(&mut self, waiting: &DeferredBody<'t>) {
        self.lang.frame = PythonFrame {
            scope: waiting.scope,
            class: waiting.class,
            ..PythonFrame::default()
        };
        self.lang.scope = waiting.scope;
        self.surface();
        self.lang.block_end = waiting.body.end_byte();
        self.block(waiting.body);
        self.finish_function(waiting.def);
    }

    /// Says what a function gives, of which the body has been walked.
    pub(super) fn finish_function(&mut self, def: DefId) {
        let given = if self.lang.frame.generator {
            std::mem::take(&mut self.lang.frame.yields)
        } else {
            std::mem::take(&mut self.lang.frame.returns)
        };
        let value = self.b.union(given.get(..given.len().min(4)).unwrap_or(&[]));
        let generator = self.lang.frame.generator;
        let def = self.b.edit(def);
        if generator {
            def.flags |= flag::GENERATOR;
        }
        if def.ty == NONE {
            def.value = value;
        }
    }
}
