//! Definitions and uses that an identifier names, one node each, in languages that write them alike.

use tree_sitter::Node;

use crate::facts::{DefId, DefKind, ExprId, NONE, Role, ScopeId};
use crate::walker::{Language, Walker};

/// A language whose names are identifiers.
pub(crate) trait Identifiers: Language {
    /// The name that an identifier writes, and its first byte.
    fn name_in(text: &str, at: u32) -> (&str, u32) {
        (text, at)
    }
}

impl<'s, L: Identifiers> Walker<'_, 's, L> {
    /// The name of an identifier and its first byte.
    pub(crate) fn identifier(&self, node: Node<'_>) -> (&'s str, u32) {
        L::name_in(self.text(node), node.start_byte() as u32)
    }

    /// A use of an identifier in a scope; nothing where the parser only supposed one.
    pub(crate) fn name(
        &mut self,
        node: Node<'_>,
        scope: ScopeId,
        role: Role,
        spaces: u8,
    ) -> ExprId {
        match self.identifier(node) {
            ("", _) => NONE,
            (text, at) => self.b.name_use(text, scope, at, role, spaces),
        }
    }

    /// A use of an identifier in an expression.
    pub(crate) fn member(&mut self, of: ExprId, node: Node<'_>, role: Role, spaces: u8) -> ExprId {
        match self.identifier(node) {
            ("", _) => NONE,
            (text, at) => self.b.member_use(of, text, at, role, spaces),
        }
    }

    /// A definition named by an identifier.
    pub(crate) fn define(
        &mut self,
        name: Node<'_>,
        kind: DefKind,
        scope: ScopeId,
        range: std::ops::Range<usize>,
        spaces: u8,
    ) -> DefId {
        let (text, at) = self.identifier(name);
        let at = if text.is_empty() { NONE } else { at };
        let def = self.b.define(text, kind, scope, at, range);
        self.b.edit(def).spaces = spaces;
        def
    }
}
