//! Tools about uses of names.

pub(crate) mod filter;
pub(crate) mod hierarchy;
pub(crate) mod members;
pub(crate) mod position;
pub(crate) mod references;
pub(crate) mod relations;
pub(crate) mod spread;
