//! An append-only log of observations and the questions to it; sees bytes and times, never code.
//!
//! Without the feature `native` nothing here reads a clock, a disk or the environment: a log is text
//! ([`InMemory`]). With it, [`native::Folder`] keeps stores in `.context/memory` (docs/memory.md).

mod anchor;
mod draft;
mod error;
mod filter;
mod in_memory;
mod jsonl;
mod markdown;
#[cfg(feature = "native")]
pub mod native;
mod recall;
mod record;
mod store;
mod time;
mod words;

pub use anchor::{Anchor, ChangeClass, MEANING_LAYERS, Since, Verdict, worst};
pub use codecortex_secrets::Redactor;
pub use draft::{
    Draft, MAX_DETAIL, MAX_ENTRIES, MAX_FORGOTTEN, MAX_LINE, MAX_NAME, MAX_REFERENCE, MAX_SUMMARY,
    Sealed,
};
pub use error::{MemoryError, Result};
pub use filter::Filter;
pub use in_memory::InMemory;
pub use jsonl::{Catalog, Entry, Finder, Line, LineView, MAX_ID, Scan, Tail};
pub use recall::{
    Account, Found, Item, Mode, Omitted, RecallRequest, Recalled, WordHits, find, recall,
};
pub use record::{Actor, Ext, Phase, Record, Refs, SCHEMA_VERSION, Tombstone};
pub use store::{
    Appended, Health, MAX_COUNT, Order, Reading, Select, Selection, Source, Store, Total, forget,
};
pub use time::{from_unix, is_valid as is_valid_time};
pub use words::{MAX_WORDS, Word, tokens, words_of};
