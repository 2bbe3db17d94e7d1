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

pub use anchor::{Anchor, AnchorVerdict, MEANING_LAYERS, Since, worst};
pub use codecortex_secrets::Redactor;
pub use draft::{
    MAX_DETAIL, MAX_ENTRIES, MAX_FORGOTTEN, MAX_LINE, MAX_NAME, MAX_REFERENCE, MAX_SUMMARY,
    ObservationDraft, Sealed,
};
pub use error::{MemoryError, Result};
pub use filter::ObservationFilter;
pub use in_memory::InMemory;
pub use jsonl::{Catalog, CatalogEntry, CatalogScan, Finder, LineView, LogLine, MAX_ID, Tail};
pub use recall::{
    Omitted, RecallAccount, RecallItem, RecallMode, RecallRequest, Recalled, StoreMatches,
    WordHits, find, recall,
};
pub use record::{Actor, Ext, Observation, Phase, Refs, SCHEMA_VERSION, Tombstone};
pub use store::{
    Appended, BackEnd, Health, IdState, MAX_COUNT, ObservationOrder, ObservationPage, Select,
    Store, Total, forget,
};
pub use time::{from_unix, is_valid as is_valid_time};
pub use words::{MAX_WORDS, QueryWord, tokens, words_of};
