//! What the files of `.context/` are made of: every type with its hashes, interface, dependencies and
//! outline (SPEC P3, H1).

mod member;
mod needs;
mod outline;
mod types;

pub(crate) use needs::{Meanings, Need};
