//! The walk through Rust: what it keeps, and how it reads names.

use tree_sitter::Node;

use super::kinds::Table;
use super::state::MacroSharedState;
use crate::facts::{DefId, ExprId, FILE_SCOPE, NONE, ScopeId, ScopeKind};
use crate::nodes::text;
use crate::walker::{Language, Walker};

/// Type names, values …: the spaces that paths are looked up in.
pub(super) mod spaces {
    use crate::facts::space;

    pub(in crate::rust) const TYPE: u8 = space::TYPE;
    pub(in crate::rust) const VALUE: u8 = space::VALUE;
    /// What may stand before `::`.
    pub(in crate::rust) const PREFIX: u8 = space::TYPE | space::NAMESPACE;
    pub(in crate::rust) const ANY: u8 = space::ANY;
}

/// What a walk through Rust keeps.
pub(super) struct Rust<'s> {
    pub(super) shared: MacroSharedState<'s>,
    /// Where names are looked up.
    pub(super) scope: ScopeId,
    /// A value like what the block gives that is walked next, or [`NONE`].
    pub(super) result: ExprId,
}

impl Rust<'_> {
    pub(super) fn new() -> Self {
        Self {
            shared: MacroSharedState::default(),
            scope: FILE_SCOPE,
            result: NONE,
        }
    }
}

impl Language for Rust<'_> {
    type AngelScriptGrammar = Table;
}

/// What a raw identifier begins with.
const RAW: &str = "r#";

/// Words of the language, those of later editions and those that are reserved included: as names they are raw.
const KEYWORDS: [&str; 49] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "union", "unsafe", "unsized",
    "use", "virtual", "where", "while", "yield",
];

/// The walk through a file of Rust, or through what a macro in it is called with.
pub(super) type RustWalk<'t, 's> = Walker<'t, 's, Rust<'s>>;

impl<'t, 's> RustWalk<'t, 's> {
    /// The name that a node writes: `r#` belongs to it where the name would be a keyword without it, and means nothing
    /// elsewhere.
    pub(super) fn unraw(&self, node: Node<'_>) -> &'s str {
        let text = text(node, self.text);
        match text.strip_prefix(RAW) {
            Some(rest) if !KEYWORDS.contains(&rest) => rest,
            _ => text,
        }
    }

    /// First byte of a name.
    pub(super) fn start(&self, node: Node<'_>) -> u32 {
        let text = text(node, self.text);
        (node.end_byte() - self.unraw(node).len().min(text.len())) as u32
    }

    /// Walks in another scope, and comes back.
    pub(super) fn inside<T>(&mut self, scope: ScopeId, walk: impl FnOnce(&mut Self) -> T) -> T {
        let around = std::mem::replace(&mut self.lang.scope, scope);
        let result = walk(self);
        self.lang.scope = around;
        result
    }

    /// A scope for a stretch of code.
    pub(super) fn block_scope(&mut self, range: std::ops::Range<usize>) -> ScopeId {
        self.b.scope(ScopeKind::Block, self.lang.scope, NONE, range)
    }

    /// Walks each named child of a node.
    pub(super) fn each(&mut self, node: Node<'t>, mut walk: impl FnMut(&mut Self, Node<'t>)) {
        let children = self.open_named(node);
        for at in children {
            let child = self.child(at).node;
            walk(self, child);
        }
        self.close(children);
    }

    /// The named children of a pattern or of parameters with their places, in which each `_` counts.
    pub(super) fn places(&self, node: Node<'t>) -> Vec<(u32, Node<'t>)> {
        let mut cursor = node.walk();
        let mut index = 0;
        let mut places = Vec::new();
        for child in node.children(&mut cursor) {
            if child.is_named() && !child.is_extra() {
                places.push((index, child));
                index += 1;
            } else if child.kind() == "_" {
                index += 1;
            }
        }
        places
    }

    /// Adds flags to a definition.
    pub(super) fn flag(&mut self, def: DefId, flags: u32) {
        self.b.edit(def).flags |= flags;
    }
}
