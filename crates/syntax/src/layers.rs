//! Layers of a text: which of its bytes are structure, implementation, documentation or cosmetic only
//! (SPEC H3, D18).
//!
//! One pass over the leaves of the tree sends every byte of a file to exactly one layer of exactly
//! one declaration. What another file can see of it is the header, what it does is the body, what only
//! its type is concerned with is inner, then documentation; whatever these leave out is cosmetic. A
//! layer is hashed as the texts of its tokens, never as kinds of nodes: those change with a grammar's
//! version, and the same text would seem to have changed.
//!
//! Who may see a declaration decides later which of a type's six hashes a layer goes to, because
//! settings have a say in that; facts do not know settings.

mod brackets;
mod classify;
mod closer;
mod csharp;
mod docs;
mod file_statements;
mod jsx;
mod layer_digest;
mod member_trivia;
mod open;
mod part;
mod pass;
mod region;
mod regions;
mod specifiers;
mod statements;
mod stream;
mod tokens;

pub(crate) use self::brackets::Brackets;
pub(crate) use self::docs::DocPlace;
pub(crate) use self::file_statements::{FileStatement, layers_of_file};
pub(crate) use self::jsx::jsx_text;
pub use self::layer_digest::{FILE, Layer, Own};
pub(crate) use self::member_trivia::TriviaSpan;
pub(crate) use self::part::{LayerSpan, Read, order_of_members};
pub(crate) use self::pass::layers;
use crate::facts::ItemIndex;

/// A declaration and what it is a member of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LayeredMember {
    pub(crate) item: ItemIndex,
    /// A type or block of members, or [`FILE`].
    pub(crate) holder: ItemIndex,
}

/// What reading a text for its layers gives.
#[derive(Debug)]
pub(crate) struct Noted {
    pub(crate) layers: Vec<Own>,
    /// TriviaSpanes of text that go to a type or the file itself.
    pub(crate) member_trivia: Vec<TriviaSpan>,
    /// The statements of the file outside of its declarations, in the order of the text.
    pub(crate) statements: Vec<FileStatement>,
    /// In the order of the text.
    pub(crate) members: Vec<LayeredMember>,
}
