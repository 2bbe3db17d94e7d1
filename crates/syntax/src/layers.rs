//! Layers of a text: which of its bytes are structure, implementation, documentation or only looks
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

mod csharp;
mod docs;
mod glue;
mod open;
mod part;
mod pass;
mod regions;
mod routes;
mod said;
mod statements;
mod stream;
mod tokens;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::facts::ItemIndex;

pub(crate) use docs::DocPlace;
pub(crate) use glue::Stretch;
pub(crate) use part::{Part, Read, order_of_members};
pub(crate) use pass::layers;
pub(crate) use said::{Said, layers_of_file};

/// Half of a SHA-256: what texts are compared by.
pub type Digest = [u8; 16];

/// Stands for the file itself in [`Own::item`]: what belongs to no declaration.
pub const FILE: ItemIndex = ItemIndex::MAX;

/// A part of a declaration's text that changes for a reason of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Layer {
    /// What users of it see: its head. A type has one entry for each modifier, attribute, base and the
    /// rest, so that parts of a type can be joined as sets.
    Header,
    /// What it does: bodies, initial and default values.
    Body,
    /// What nobody outside of its type can see, wherever it is written: local functions, private
    /// accessors; of a file, what it imports.
    Inner,
    /// Documentation.
    Doc,
    /// Comments, white space, names of parameters where they do not count, optional punctuation. The
    /// file has it, types do, and what stands in them or outside of them; what is deeper in is part of
    /// that. What stands between two members is the latter's.
    Cosmetic,
    /// The order of members and of imports, where it is no more than looks.
    Order,
}

/// The digest of one layer of one declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Own {
    /// The declaration, or [`FILE`].
    pub item: ItemIndex,
    /// Which of its layers.
    pub layer: Layer,
    /// Half of the SHA-256 of the layer's tokens.
    pub digest: Digest,
}

/// A declaration and what it is a member of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Member {
    pub(crate) item: ItemIndex,
    /// A type or block of members, or [`FILE`].
    pub(crate) holder: ItemIndex,
}

/// What reading a text for its layers gives.
#[derive(Debug)]
pub(crate) struct Noted {
    pub(crate) layers: Vec<Own>,
    /// Stretches of text that go to a type or the file itself.
    pub(crate) glue: Vec<Stretch>,
    /// What the file says outside of its declarations, in the order of the text.
    pub(crate) said: Vec<Said>,
    /// In the order of the text.
    pub(crate) members: Vec<Member>,
}

/// Between tokens of a layer; no source has it.
const SEPARATOR: u8 = 0x1f;

/// The digest of a layer's tokens.
fn digest(tokens: &[u8]) -> Digest {
    let full: [u8; 32] = Sha256::digest(tokens).into();
    let mut half = Digest::default();
    half.copy_from_slice(&full[..16]);
    half
}
