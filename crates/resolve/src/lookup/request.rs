//! What is looked up, and the part of it that lookups from one scope share.

use codecortex_bind::facts::{NONE, ScopeId};

use crate::ids::{FileNo, Name};

/// What is looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LookupRequest {
    pub(crate) name: Name,
    /// Where it stands, for names that are seen only from some place on.
    pub(crate) at: u32,
    /// The spaces of names to look in, see [`space`].
    pub(crate) spaces: u8,
    /// How many parameters a type must have, where types differ by it.
    pub(crate) arity: Option<usize>,
    /// A scope of which it does not see what is brought in wholesale: directives do not see one another.
    pub(crate) beside: ScopeId,
    /// Whether it sees what types have from their bases.
    pub(crate) inherits: bool,
}

impl LookupRequest {
    /// A name in some spaces, of types of any number of parameters.
    pub(crate) fn any(name: Name, at: u32, spaces: u8) -> Self {
        Self {
            name,
            at,
            spaces,
            arity: None,
            beside: NONE,
            inherits: true,
        }
    }
}

/// A name that is looked up from a scope outwards in which it does not matter where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct OuterLookupKey {
    file: FileNo,
    scope: ScopeId,
    /// Whether it stands in that scope itself.
    is_first: bool,
    name: Name,
    spaces: u8,
    arity: Option<usize>,
    beside: ScopeId,
    inherits: bool,
}

impl OuterLookupKey {
    /// The part of a request from a scope that does not depend on where the name stands.
    pub(crate) fn new(
        file: FileNo,
        scope: ScopeId,
        is_first: bool,
        request: LookupRequest,
    ) -> Self {
        let LookupRequest {
            name,
            at: _,
            spaces,
            arity,
            beside,
            inherits,
        } = request;
        Self {
            file,
            scope,
            is_first,
            name,
            spaces,
            arity,
            beside,
            inherits,
        }
    }
}
