//! What a type consists of: its declarations, `impl` blocks, scopes of members and bases.

use codecortex_bind::facts::ScopeId;

use crate::ids::{DefRef, FileNo};
use crate::ty::Tys;

/// Everything that a type consists of.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    /// The definitions that are this one type.
    pub(crate) types: Vec<DefRef>,
    /// Blocks that add members (Rust's `impl`).
    pub(crate) blocks: Vec<DefRef>,
    /// The arguments of the type in each of them: the substitution of their own parameters.
    pub(crate) block_args: Vec<Tys>,
    /// Scopes with members.
    pub(crate) scopes: Vec<(FileNo, ScopeId)>,
    /// Members that are written elsewhere.
    pub(crate) loose: Vec<DefRef>,
    /// Bases, as places in their file's bases.
    pub(crate) bases: Vec<(FileNo, u32)>,
    /// Whether that is not all yet.
    pub(crate) are_looked_for: bool,
}
