//! The walk through Java: what it keeps, and how it reads names.

use super::kinds::{Kind, Table};
use crate::contextual::ContextualType;
use crate::facts::{DefId, ExprId, NONE, Role, ScopeId, space};
use crate::identifiers::Identifiers;
use crate::walker::{Language, Walker};

/// A child of an open node.
pub(super) type JavaChild<'t> = crate::children::Child<'t, Kind>;

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
    type AngelScriptGrammar = Table;
    const LISTED_ONLY: bool = true;
}

impl Identifiers for Java {}

/// The walk through a file of Java.
pub(super) type JavaWalk<'t> = Walker<'t, 't, Java>;

impl<'t> JavaWalk<'t> {
    /// A type whose name no identifier writes.
    pub(super) fn unwritten_type(&mut self, name: &str, scope: ScopeId) -> ExprId {
        self.b.name_use(name, scope, NONE, Role::Type, TYPE)
    }
}
