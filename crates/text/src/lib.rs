//! Text as the rest of the core sees it: UTF-8 inside, bytes as offsets.
//!
//! Lines and UTF-16 characters exist only in [`LineIndex`] and [`TextDocument`], which is where editors
//! meet the core (SPEC TC7, LC1). A line ends at LF, CRLF or a lone CR, as in VS Code and LSP.

mod base32;
mod decode;
mod document;
mod fingerprint;
mod lines;
mod numbered;
mod strings;
mod wildcard;
mod windows_1252;
mod word_forms;

pub use base32::base32;
pub use decode::{Decoded, Encoding, Undecodable, decode, encode_like};
pub use document::{BadPosition, DocumentEdit, TextDocument};
pub use lines::{LineIndex, Utf16Position, each_line};
pub use numbered::{gap_width, numbered, numbered_whole, numbered_width};
pub use strings::{Interner, Strings};
pub use wildcard::wildcard_matches;
pub use word_forms::{are_forms, is_unspaced};
