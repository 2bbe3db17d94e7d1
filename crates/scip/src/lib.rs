//! The view of the index as SCIP (SPEC P3): documents, symbols, occurrences, as values.

mod document;
mod export;
mod names;
mod symbols;
mod test_code;
mod view;

pub use document::{Occurrence, Relationship, ScipDocument, ScipRange, SymbolInformation, role};
pub use export::{ExportAccount, ExportedFile, export_scip};
