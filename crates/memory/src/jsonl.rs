//! The log as text: one observation a line, in the order of their ids (docs/memory.md).
//!
//! A reader takes what it can and counts the rest; a writer puts the end in order before it appends.

mod catalog;
mod line;
mod tail;

#[cfg(feature = "native")]
pub(crate) use catalog::parse;
pub use catalog::{Catalog, CatalogEntry, CatalogScan, Finder};
pub use line::{LineView, LogLine, MAX_ID};
pub use tail::Tail;
