//! What lookups find: definitions, and where aliases lead.

use crate::ids::DefRef;
use crate::ty::{Substitution, Ty, no_substitution};

/// What a lookup found.
#[derive(Clone, Debug)]
pub(crate) struct LookupResult {
    /// Definitions; aliases are not followed.
    pub(crate) defs: Vec<DefRef>,
    /// What has no definition of its own: a file as a module, a namespace.
    pub(crate) ty: Option<Ty>,
    /// The substitution of the receiver's type parameters.
    pub(crate) subst: Substitution,
    /// Whether every step was declared.
    pub(crate) is_declared: bool,
    /// Whether it is known to be outside of the workspace.
    pub(crate) external: bool,
}

impl LookupResult {
    /// Nothing was found.
    pub(crate) fn nothing() -> Self {
        Self {
            defs: Vec::new(),
            ty: None,
            subst: no_substitution(),
            is_declared: true,
            external: false,
        }
    }

    /// It is known to be outside of the workspace.
    pub(crate) fn external() -> Self {
        Self {
            external: true,
            ..Self::nothing()
        }
    }

    /// These definitions.
    pub(crate) fn defs(defs: Vec<DefRef>) -> Self {
        Self {
            defs,
            ..Self::nothing()
        }
    }

    /// A module or namespace, which has no definition of its own.
    pub(crate) fn typed(ty: Ty) -> Self {
        Self {
            ty: Some(ty),
            ..Self::nothing()
        }
    }

    /// Whether nothing of the workspace was found.
    pub(crate) fn is_empty(&self) -> bool {
        self.defs.is_empty() && self.ty.is_none()
    }

    /// The same, where some step to it was guessed.
    pub(crate) fn inferred(self) -> Self {
        Self {
            is_declared: false,
            ..self
        }
    }
}

/// What aliases resolve to.
#[derive(Clone, Debug)]
pub(crate) struct AliasTarget {
    /// The aliases themselves.
    pub(crate) via_aliases: Vec<DefRef>,
    /// What they end at.
    pub(crate) ends: Vec<DefRef>,
    /// A module or namespace that they end at.
    pub(crate) ty: Option<Ty>,
    /// Whether they leave the workspace.
    pub(crate) external: bool,
    /// Whether every step was declared.
    pub(crate) is_declared: bool,
}
