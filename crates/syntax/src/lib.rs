//! Bytes and a language in, facts out: pure, parallel, cacheable.
//!
//! [`analyse()`] takes a file's bytes and gives its [`Facts`], or the reason why it has none. It never
//! reads another file, the project or the settings, so hosts run it on every core.

mod ambiguity;
mod analyse;
mod arm_recovery;
mod bindings;
mod blocks;
mod change;
mod codec;
mod comment_runs;
mod digest;
mod doc;
mod editor_arms;
mod eof_recovery;
mod error_recovery;
mod facts;
mod file_summary;
mod generated;
mod hooks;
mod incremental;
#[cfg(feature = "kotlin")]
mod kotlin_scanner;
pub mod language;
mod layers;
mod layout;
mod macro_items;
mod parse;
pub mod parse_host;
mod parse_stacks;
mod parse_tables;
mod parser;
mod parser_input;
mod preprocess;
mod reparse;
mod scanner;
pub mod scanner_bounds;
mod signature;
mod spec;
mod specs;
#[cfg(any(feature = "hanging", debug_assertions))]
pub mod stand_in;
mod text_bindings;
mod tree_facts;
mod uses;
mod walk;

pub use analyse::{Limits, Outcome, SkipReason, analyse, analyse_text, is_left_out};
pub use bindings::dialect;
pub use codec::{decode_facts, decode_outcome, encode_facts, encode_outcome};
pub use digest::{Digest, content_hash};
pub use facts::{
    Bound, FACTS_VERSION, Facts, Item, ItemFlags, ItemIndex, ItemKind, Relation, Str, Visibility,
    WrittenBase,
};
pub use file_summary::FileSummary;
pub use incremental::{IncrementalReader, Reason, Rest, Reuse};
pub use language::{LANGUAGES, Language, LanguageInfo, language_of_path};
pub use layers::{FILE, Layer, Own};
pub use layout::{Layout, same_tokens};
pub use parse::parse;
pub use parse_stacks::comparisons;
pub use parser::{hundred_operations, pieces_read};
pub use parser_input::as_parsed;
pub use spec::SpecError;
pub use specs::check_specs;
pub use text_bindings::bindings_of_text;
pub use tree_facts::facts_of_tree;
