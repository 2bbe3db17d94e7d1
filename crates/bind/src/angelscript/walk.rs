//! The walk through AngelScript, and how it reads names.

use tree_sitter::Node;

use super::kinds::{Kind, Table};
use crate::facts::{DefId, DefKind, Expr, ExprId, NONE, Role, ScopeId, ScopeKind, space};
use crate::walker::{Language, Walker};

/// A child of an open node.
pub(super) type Child<'t> = crate::children::Child<'t, Kind>;
pub(super) type Range = std::ops::Range<usize>;

pub(super) const VALUE: u8 = space::VALUE;
pub(super) const TYPE: u8 = space::TYPE;
/// Functions, besides being values: in the space that languages with macros keep for those.
pub(super) const FUNCTION: u8 = space::MACRO;
/// What a name by itself may mean: a type is a value, too.
pub(super) const ANY_VALUE: u8 = space::VALUE | space::TYPE;
/// What may stand before `::`.
pub(super) const OUTER: u8 = space::TYPE | space::NAMESPACE;

/// AngelScript, of which a walk keeps nothing.
pub(super) struct AngelScript;

impl Language for AngelScript {
    type Grammar = Table;
}

/// The walk through a file of AngelScript.
pub(super) type Walk<'t> = Walker<'t, 't, AngelScript>;

impl<'t> Walk<'t> {
    /// A use of an identifier in a scope; nothing where the parser only supposed one.
    pub(super) fn name(
        &mut self,
        node: Node<'_>,
        scope: ScopeId,
        role: Role,
        spaces: u8,
    ) -> ExprId {
        let text = self.text(node);
        if text.is_empty() {
            return NONE;
        }
        let at = node.start_byte() as u32;
        self.b.name_use(text, scope, at, role, spaces)
    }

    /// A use of an identifier in an expression.
    pub(super) fn member(&mut self, of: ExprId, node: Node<'_>, role: Role, spaces: u8) -> ExprId {
        let text = self.text(node);
        if text.is_empty() {
            return NONE;
        }
        let at = node.start_byte() as u32;
        self.b.member_use(of, text, at, role, spaces)
    }

    /// A definition named by an identifier.
    pub(super) fn define(
        &mut self,
        name: Node<'_>,
        kind: DefKind,
        scope: ScopeId,
        range: Range,
        spaces: u8,
    ) -> DefId {
        let text = self.text(name);
        let at = if text.is_empty() {
            NONE
        } else {
            name.start_byte() as u32
        };
        let def = self.b.define(text, kind, scope, at, range);
        self.b.edit(def).spaces = spaces;
        def
    }

    /// A type of the language, which no file declares.
    pub(super) fn primitive(&mut self, name: &str, scope: ScopeId) -> ExprId {
        self.b.name_use(name, scope, NONE, Role::Type, TYPE)
    }

    /// An instance of what a type denotes.
    pub(super) fn instance(&mut self, of: ExprId) -> ExprId {
        self.b.expr(Expr::Value { of })
    }

    /// An unnamed scope for what a node declares.
    pub(super) fn block(&mut self, child: Child<'t>, scope: ScopeId) -> ScopeId {
        self.b.scope(ScopeKind::Block, scope, NONE, child.range())
    }
}
