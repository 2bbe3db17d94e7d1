//! The statements of a file outside of its declarations: imports, code, comments between them.
//!
//! Each statement has digests of its own, and those of the file are of these. So one statement can be
//! read again by itself, and what follows from it costs as many digests as there are statements.

use super::layer_digest::{FILE, Layer, Own};
use super::stream::Stream;
use crate::digest::{Digest, digest, order_digest};

/// The layers that a statement has.
const LAYERS: [Layer; 4] = [Layer::Header, Layer::Body, Layer::Inner, Layer::Cosmetic];

/// One statement of a file outside of its declarations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileStatement {
    /// First byte of the statement; what stands before it is its own, unless that is a declaration's.
    pub(crate) at: u32,
    /// One for each of [`LAYERS`] that has anything in it.
    digests: [Option<Digest>; LAYERS.len()],
    /// What is inner and of which the order means nothing.
    imports: Vec<Vec<u8>>,
}

impl FileStatement {
    /// What was gathered of a statement; nothing where that is nothing.
    pub(super) fn new(
        at: u32,
        texts: [&[u8]; LAYERS.len()],
        imports: Vec<Vec<u8>>,
    ) -> Option<Self> {
        let digests = texts.map(|text| (!text.is_empty()).then(|| digest(text)));
        let is_anything = !imports.is_empty() || digests.iter().any(Option::is_some);
        is_anything.then_some(Self {
            at,
            digests,
            imports,
        })
    }

    /// Whether this is the same as another statement, wherever that is.
    pub(crate) fn is_same_as(&self, other: &Self) -> bool {
        self.digests == other.digests && self.imports == other.imports
    }
}

/// The layers of a file that has these statements, in the order of its text.
pub(crate) fn layers_of_file(statements: &[FileStatement]) -> Vec<Own> {
    let mut out = Vec::new();
    let mut own = |layer, digest| {
        out.push(Own {
            item: FILE,
            layer,
            digest,
        });
    };
    let mut imports: Vec<&[u8]> = statements
        .iter()
        .flat_map(|statement| statement.imports.iter().map(Vec::as_slice))
        .collect();
    if let Some(order) = order_digest(&imports) {
        own(Layer::Order, order);
    }
    imports.sort_unstable();
    imports.dedup();
    for (place, layer) in LAYERS.into_iter().enumerate() {
        let mut text = Stream::default();
        for digest in statements
            .iter()
            .filter_map(|statement| statement.digests[place].as_ref())
        {
            text.literal(digest);
        }
        if layer == Layer::Inner {
            imports.iter().for_each(|import| text.literal(import));
        }
        if !text.is_empty() {
            own(layer, digest(text.as_bytes()));
        }
    }
    out.sort_unstable();
    out
}
