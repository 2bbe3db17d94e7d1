//! The walk through Java: what it keeps, and how it reads names.

use tree_sitter::Node;

use super::kinds::{Kind, Table};
use crate::contextual::ContextualType;
use crate::facts::{DefId, ExprId, NONE, Role, ScopeId, space};
use crate::walker::{Language, Walker};

/// A child of an open node.
pub(super) type Child<'t> = crate::children::Child<'t, Kind>;

/// Variables.
pub(super) const VALUE: u8 = space::VALUE;
/// Methods, in the space that languages with macros keep for those.
pub(super) const METHOD: u8 = space::MACRO;
/// Types.
pub(super) const TYPE: u8 = space::TYPE;
/// What may stand before a dot: a variable, a type or a package.
pub(super) const AMBIGUOUS: u8 = space::VALUE | space::TYPE | space::NAMESPACE;
/// What may stand before a dot in a type.
pub(super) const OUTER: u8 = space::TYPE | space::NAMESPACE;

/// A pattern's variable that a condition introduces.
pub(super) struct Introduced {
    pub(super) def: DefId,
    /// Whether it is there when the condition is not met.
    pub(super) negated: bool,
}

/// What a walk through Java keeps.
pub(super) struct Java {
    /// Values returned by the functions that the walk is in.
    pub(super) returns: Vec<ExprId>,
    /// What the function around returns.
    pub(super) result: ContextualType,
    /// Patterns' variables of the condition that is being read.
    pub(super) introduced: Vec<Introduced>,
    /// Whether an odd number of `!` is around.
    pub(super) negated: bool,
}

impl Java {
    pub(super) fn new() -> Self {
        Self {
            returns: Vec::new(),
            result: ContextualType::Nothing,
            introduced: Vec::new(),
            negated: false,
        }
    }
}

impl Language for Java {
    type Grammar = Table;
    const LISTED_ONLY: bool = true;
}

/// The walk through a file of Java.
pub(super) type Walk<'t> = Walker<'t, 't, Java>;

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

    /// A type whose name no identifier writes.
    pub(super) fn unwritten_type(&mut self, name: &str, scope: ScopeId) -> ExprId {
        self.b.name_use(name, scope, NONE, Role::Type, TYPE)
    }
}
