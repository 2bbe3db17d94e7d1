//! What a rename asks of names: the declarations that must share one name, why they may not, and clashes with other
//! declarations (SPEC ED1).

mod clashes;
mod doubts;
mod family;
mod mixins;
mod structural;

pub(crate) use clashes::name_clashes;
pub(crate) use family::rename_family;
pub(crate) use mixins::places as mixin_places;

pub use doubts::{RenameDoubt, RenameDoubtReason};

use crate::ids::DefRef;

/// Declarations that must have one name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RenameFamily {
    /// The declarations: those that were asked for first, then what they replace, implement or are replaced by.
    pub defs: Vec<DefRef>,
    /// Reasons why not all declarations of that name can be known or changed; empty where all are.
    pub doubts: Vec<RenameDoubt>,
    /// Reasons why one of them may be tied to something unknown that do not stand against a change.
    pub possible: Vec<RenameDoubt>,
}
