//! The walk through C#: what it keeps, and how it reads names.

use super::kinds::{Kind, Table};
use crate::children::ChildRange;
use crate::contextual::ContextualType;
use crate::facts::{ExprId, NONE, Role, ScopeId, space};
use crate::identifiers::Identifiers;
use crate::walker::{Language, Walker};

/// A child of an open node.
pub(super) type CSharpChild<'t> = crate::children::Child<'t, Kind>;

pub(super) const VALUE: u8 = space::VALUE;
pub(super) const TYPE: u8 = space::TYPE;
/// Operators, in the space that languages with macros keep for those.
pub(super) const OPERATOR: u8 = space::MACRO;
/// What may stand before a dot: a variable, a type or a namespace.
pub(super) const AMBIGUOUS: u8 = space::VALUE | space::TYPE | space::NAMESPACE;
/// What may stand before a dot in a type.
pub(super) const OUTER: u8 = space::TYPE | space::NAMESPACE;

/// What a walk through C# keeps.
pub(super) struct CSharp {
    /// Values returned by the functions that the walk is in.
    pub(super) returns: Vec<ExprId>,
    /// What the function around returns.
    pub(super) result: ContextualType,
    /// What `value` is in the accessor around; [`NONE`] outside of one.
    pub(super) value: ExprId,
    /// The last operand of the operators that were read last.
    pub(super) operand: ExprId,
    /// Names in `nameof`, which may be of anything.
    pub(super) naming: bool,
    /// Where names in `nameof` are looked up that stands in attributes of a function: it sees parameters.
    pub(super) naming_scope: Option<ScopeId>,
    /// The head of the extension block that the walk is in.
    pub(super) extension: Option<ChildRange>,
    /// What a build may have not.
    pub(super) inactive: Vec<(u32, u32)>,
}

impl CSharp {
    pub(super) fn new() -> Self {
        Self {
            returns: Vec::new(),
            result: ContextualType::Nothing,
            value: NONE,
            operand: NONE,
            naming: false,
            naming_scope: None,
            extension: None,
            inactive: Vec::new(),
        }
    }
}

impl Language for CSharp {
    type AngelScriptGrammar = Table;
    const LISTED_ONLY: bool = true;
}

impl Identifiers for CSharp {
    /// Without the `@` of a name that is a keyword's.
    fn name_in(text: &str, at: u32) -> (&str, u32) {
        match text.strip_prefix('@') {
            Some(rest) => (rest, at + 1),
            None => (text, at),
        }
    }
}

/// The walk through a file of C#.
pub(super) type CSharpWalk<'t> = Walker<'t, 't, CSharp>;

impl<'t> CSharpWalk<'t> {
    /// A type whose name no identifier writes.
    pub(super) fn unwritten_type(&mut self, name: &str, scope: ScopeId) -> ExprId {
        self.b.name_use(name, scope, NONE, Role::Type, TYPE)
    }
}
