//! What the files of `.context/` are made of: every type with its hashes, interface, dependencies and
//! outline (SPEC P3, H1).

pub mod dependents;
pub mod member;
pub mod needs;
pub mod outline;
pub mod types;
pub mod unit;

pub use crate::artefacts::needs::{Meanings, Need};
