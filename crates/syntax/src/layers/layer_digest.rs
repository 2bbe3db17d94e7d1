//! The layers of a declaration, and the digest of each.

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::facts::ItemIndex;

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
    /// The order of members and of imports, where it is no more than cosmetic.
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

/// Between tokens of a layer; no source has it.
pub(super) const SEPARATOR: u8 = 0x1f;
