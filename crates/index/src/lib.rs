//! All files' facts joined: symbols, names, search and resolution.
//!
//! Facts go in and out a file at a time; everything kept about a file can be taken out again, so
//! that a change costs what changed. Nothing here knows about disks, editors or tools.

mod file_facts;
mod hashes;
mod ids;
mod index;
mod matching;
mod members;
mod module;
mod names;
mod resolve;
mod search;
mod shelved;
mod sorted_names;
mod symbol_path;
mod units;
mod words;

pub use file_facts::{DocumentedItem, FileFacts, Shelf};
pub use hashes::{
    ChangeClass, Changes, HashRules, Hashed, Hashes, has_modules, is_free, render, render_long,
};
pub use ids::{member_id, type_id};
pub use index::{File, FileId, Index, Segment, SegmentKind, Symbol};
pub use members::Part;
pub use module::module_segments;
pub use resolve::{Match, Resolution, Resolved};
pub use search::{Found, Hit, HitKind, Query};
pub use shelved::{Declared, DeclaredNames, declared};
pub use symbol_path::SymbolPath;
pub use units::{Place, Unit};
