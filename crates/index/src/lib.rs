//! All files' facts joined: symbols, names, search and resolution.
//!
//! Facts go in and out a file at a time; everything kept about a file can be taken out again, so
//! that a change costs what changed. Nothing here knows about disks, editors or tools.

mod canonical_signature;
mod children;
mod doc_index;
mod entry;
mod file_facts;
mod fold;
mod hashes;
mod index;
mod lazy;
mod matching;
mod members;
mod module;
mod modules;
mod names;
mod operators;
mod overlay;
mod search;
mod segments;
mod sorted_names;
mod symbol;
mod symbol_lookup;
mod symbol_path;
mod tests_by_path;
mod units;

pub use canonical_signature::canonical_signature;
pub use codecortex_hashes::{
    ChangeClass, ChangeKinds, HashRules, Hashes, SameNames, SharedIds, differs, member_id, render,
    render_long, type_id,
};
pub use file_facts::{DocumentedItem, FactsSource, FileFacts, IndexedFile};
pub use hashes::{Hashed, has_modules, is_free};
pub use index::Index;
pub use lazy::{DeclaredNames, LazyEntry, declared};
pub use matching::HitKind;
pub use members::TypePart;
pub use operators::operator_names;
pub use overlay::Overlay;
pub use search::{SearchQuery, SearchResult, SymbolHit};
pub use segments::{Segment, SegmentKind};
pub use symbol::{FileId, Symbol};
pub use symbol_lookup::{Match, Resolution, Resolved};
pub use symbol_path::SymbolPath;
pub use units::{IndexUnit, UnitLocation};
