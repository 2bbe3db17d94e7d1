//! Bytes and a language in, facts out: pure, parallel, cacheable.
//!
//! [`analyse`] takes a file's bytes and gives its [`Facts`], or the reason why it has none. It never
//! reads another file, the project or the settings, so hosts run it on every core.

mod analyse;
mod bindings;
mod blocks;
mod brief;
mod change;
mod doc;
mod ending;
mod facts;
mod hooks;
mod incremental;
pub mod language;
mod layers;
mod macro_items;
mod mask;
mod parse;
mod readings;
mod repair;
mod reparse;
mod scanner;
mod signature;
mod spec;
mod tangle;
mod uses;
mod walk;

pub use analyse::{
    Limits, Outcome, SkipReason, analyse, analyse_text, as_parsed, content_hash, decode_facts,
    decode_outcome, encode_facts, encode_outcome, facts_of_tree, is_left_out,
};
pub use bindings::{bindings_of_text, dialect};
pub use brief::Brief;
pub use facts::{
    Base, Bound, FACTS_VERSION, Facts, Flags, Item, ItemIndex, ItemKind, Relation, Str, Visibility,
};
pub use incremental::{Reader, Reason, Rest, Reuse};
pub use language::{LANGUAGES, Language, LanguageInfo, language_of_path};
pub use layers::{Digest, FILE, Layer, Own};
pub use parse::{comparisons, hundred_operations, parse};
pub use spec::{SpecError, check_specs};
