//! Ids and hashes of types as values, and the kinds of change between two states of a type (SPEC H2–H5, H7, D18, D19).
//!
//! The index computes the values, the ledger records them. So neither needs the other.

mod change;
mod halves;
mod ids;
mod values;

pub use change::{ChangeClass, ChangeKinds};
pub use halves::{SameNames, Unordered, differs, half_of, halves};
pub use ids::{SharedIds, member_id, type_id};
pub use values::{Digest, HashRules, Hashes, half, render, render_long};
