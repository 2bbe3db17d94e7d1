//! Declarations that the pass is inside of, with what it has gathered of each.

use super::{Digest, Layer, Own, SEPARATOR, digest};
use crate::facts::{Facts, ItemIndex, ItemKind};

/// What is known so far of a declaration, or of the file.
#[derive(Debug, Default)]
pub(super) struct Open {
    pub(super) item: ItemIndex,
    /// Whether its head is a set of pieces: a type's is.
    pub(super) is_type: bool,
    /// Whether the order of its members means something.
    pub(super) is_ordered: bool,
    has_implicit: bool,
    /// Modifiers before the name, sorted at the end.
    words: Vec<Vec<u8>>,
    header: Vec<u8>,
    pieces: Vec<Digest>,
    piece: Vec<u8>,
    body: Vec<u8>,
    inner: Vec<u8>,
    doc: Vec<u8>,
    cosmetic: Vec<u8>,
    /// Entries of [`Open::inner`] whose order means nothing.
    imports: Vec<Vec<u8>>,
    /// What tells its members apart, in their order.
    members: Vec<String>,
    /// Tokens seen, so that what is cosmetic has a place.
    tokens: u32,
}

impl Open {
    pub(super) fn new(item: ItemIndex, is_type: bool) -> Self {
        Self {
            item,
            is_type,
            ..Self::default()
        }
    }

    /// Adds a token to a layer.
    pub(super) fn push(&mut self, layer: Layer, token: &[u8]) {
        let stream = match layer {
            Layer::Header => &mut self.header,
            Layer::Body => &mut self.body,
            Layer::Inner => &mut self.inner,
            Layer::Doc => &mut self.doc,
            Layer::Cosmetic => return self.cosmetic(token),
        };
        stream.extend_from_slice(token);
        stream.push(SEPARATOR);
    }

    /// Adds a modifier: their order is a matter of taste.
    pub(super) fn word(&mut self, word: &[u8]) {
        if let Some(last) = self.words.last()
            && last.as_slice() > word
        {
            // Sorted, it is lost that they were not.
            let place = self.words.len() as u8;
            self.cosmetic(&[place]);
        }
        self.words.push(word.to_vec());
    }

    /// Adds to the piece of the head that is being read.
    pub(super) fn piece(&mut self, token: &[u8]) {
        self.piece.extend_from_slice(token);
        self.piece.push(SEPARATOR);
    }

    /// The piece is complete.
    pub(super) fn end_piece(&mut self) {
        if !self.piece.is_empty() {
            self.pieces.push(digest(&self.piece));
            self.piece.clear();
        }
    }

    /// An import is complete.
    pub(super) fn import(&mut self, tokens: Vec<u8>) {
        self.imports.push(tokens);
    }

    /// Adds what only looks, with its place among the tokens.
    pub(super) fn cosmetic(&mut self, text: &[u8]) {
        self.cosmetic.extend_from_slice(&self.tokens.to_le_bytes());
        self.cosmetic.extend_from_slice(text);
        self.cosmetic.push(SEPARATOR);
    }

    /// A token of it, in whatever layer, has been read.
    pub(super) fn count(&mut self) {
        self.tokens += 1;
    }

    /// A member has ended: of an enum, one without a value takes it from its place.
    pub(super) fn closed(&mut self, member: &Self, facts: &Facts) {
        let kind = facts.items.get(member.item as usize).map(|item| item.kind);
        self.has_implicit |= kind == Some(ItemKind::EnumMember) && member.body.is_empty();
    }

    /// A member's identity, for the order of members.
    pub(super) fn member(&mut self, parts: [&str; 3]) {
        self.members.push(parts.join("\u{1f}"));
    }

    /// Its layers that have anything in them.
    pub(super) fn close(mut self, out: &mut Vec<Own>) {
        let order = order_of(&self.members);
        if self.is_ordered || self.has_implicit {
            self.push(Layer::Body, &order);
        } else if !order.is_empty() {
            self.cosmetic(&order);
        }
        let order = order_of(&self.imports);
        if !order.is_empty() {
            self.cosmetic(&order);
        }
        let item = self.item;
        let mut own = |layer, digest| {
            out.push(Own {
                item,
                layer,
                digest,
            });
        };
        self.words.sort_unstable();
        self.words.dedup();
        if self.is_type {
            if !self.piece.is_empty() {
                self.pieces.push(digest(&self.piece));
            }
            self.pieces
                .extend(self.words.iter().map(|word| digest(word)));
            if !self.header.is_empty() {
                self.pieces.push(digest(&self.header));
            }
            self.pieces.sort_unstable();
            self.pieces.dedup();
            self.pieces
                .iter()
                .for_each(|piece| own(Layer::Header, *piece));
        } else if !self.header.is_empty() || !self.words.is_empty() {
            let mut head = self.words.join(&SEPARATOR);
            head.push(SEPARATOR);
            head.append(&mut self.header);
            own(Layer::Header, digest(&head));
        }
        if !self.imports.is_empty() {
            self.imports.sort_unstable();
            self.imports.dedup();
            self.inner.extend(self.imports.concat());
        }
        for (layer, stream) in [
            (Layer::Body, &self.body),
            (Layer::Inner, &self.inner),
            (Layer::Doc, &self.doc),
            (Layer::Cosmetic, &self.cosmetic),
        ] {
            if !stream.is_empty() {
                own(layer, digest(stream));
            }
        }
    }
}

/// Which place each entry has among the sorted ones; nothing where they are sorted, so that what is
/// added or renamed and leaves the order as it was leaves this as it was.
fn order_of<T: Ord>(entries: &[T]) -> Vec<u8> {
    if entries.is_sorted() {
        return Vec::new();
    }
    let mut sorted: Vec<usize> = (0..entries.len()).collect();
    sorted.sort_by(|a, b| entries[*a].cmp(&entries[*b]));
    let places = sorted.into_iter().map(|place| (place as u32).to_le_bytes());
    places.flatten().collect()
}
