//! The walk through AngelScript, and how it reads names.

use super::kinds::{Kind, Table};
use crate::facts::{Expr, ExprId, NONE, Role, ScopeId, ScopeKind, space};
use crate::identifiers::Identifiers;
use crate::walker::{Language, Walker};

/// A child of an open node.
pub(super) type AngelScriptChild<'t> = crate::children::Child<'t, Kind>;
pub(super) type NodeRange = std::ops::Range<usize>;

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
    type AngelScriptGrammar = Table;
}

impl Identifiers for AngelScript {}

/// The walk through a file of AngelScript.
pub(super) type AngelScriptWalk<'t> = Walker<'t, 't, AngelScript>;

impl<'t> AngelScriptWalk<'t> {
    /// A type of the language, which no file declares.
    pub(super) fn primitive(&mut self, name: &str, scope: ScopeId) -> ExprId {
        self.b.name_use(name, scope, NONE, Role::Type, TYPE)
    }

    /// An instance of what a type denotes.
    pub(super) fn instance(&mut self, of: ExprId) -> ExprId {
        self.b.expr(Expr::Value { of })
    }

    /// An unnamed scope for what a node declares.
    pub(super) fn block(&mut self, child: AngelScriptChild<'t>, scope: ScopeId) -> ScopeId {
        self.b.scope(ScopeKind::Block, scope, NONE, child.range())
    }
}
