//! Declarations that the pass is inside of, with what it has gathered of each.

use super::file_statements::FileStatement;
use super::layer_digest::{FILE, Layer, Own, SEPARATOR};
use super::stream::Stream;
use crate::digest::{Digest, digest, order_of};
use crate::facts::{Facts, ItemIndex, ItemKind};

/// What is known so far of a declaration, or of the file.
#[derive(Debug, Default)]
pub(super) struct OpenDeclaration {
    pub(super) item: ItemIndex,
    /// Whether its head is a set of pieces: a type's is.
    pub(super) is_type: bool,
    /// Whether the order of its members means something.
    pub(super) is_ordered: bool,
    /// How many lists of statements are around it.
    pub(super) lists: usize,
    /// How many nodes are around its first token: of those around it, some may be as long as it.
    pub(super) depth: Option<usize>,
    has_implicit: bool,
    /// Modifiers before the name, sorted at the end.
    words: Vec<Vec<u8>>,
    header: Stream,
    pieces: Vec<Digest>,
    /// The piece of the head that is being read.
    pub(super) piece: Stream,
    body: Stream,
    inner: Stream,
    cosmetic: Vec<u8>,
    /// What is inner and of which the order means nothing.
    imports: Vec<Vec<u8>>,
    /// Of the file: where the statement stands that is being read, and those before it.
    at: u32,
    statements: Vec<FileStatement>,
    /// What tells its members apart, in their order.
    members: Vec<String>,
}

impl OpenDeclaration {
    pub(super) fn new(item: ItemIndex, is_type: bool) -> Self {
        Self {
            item,
            is_type,
            ..Self::default()
        }
    }

    /// The text of a layer that has one.
    pub(super) fn stream(&mut self, layer: Layer) -> &mut Stream {
        match layer {
            Layer::Body => &mut self.body,
            Layer::Inner => &mut self.inner,
            _ => &mut self.header,
        }
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

    /// The piece is complete.
    pub(super) fn end_piece(&mut self) {
        if !self.piece.is_empty() {
            self.pieces.push(digest(self.piece.as_bytes()));
            self.piece.clear();
        }
    }

    /// An import is complete.
    pub(super) fn import(&mut self, text: Vec<u8>) {
        self.imports.push(text);
    }

    /// Adds what is cosmetic. Where it stands does not count: that would change with everything before.
    pub(super) fn cosmetic(&mut self, text: &[u8]) {
        self.cosmetic.extend_from_slice(text);
    }

    /// A member has ended: of an enum, one without a value takes it from its place.
    pub(super) fn closed(&mut self, member: &Self, facts: &Facts) {
        let kind = facts.items.get(member.item as usize).map(|item| item.kind);
        self.has_implicit |= kind == Some(ItemKind::EnumMember) && member.body.is_empty();
    }

    /// A member's identity, for the order of members.
    pub(super) fn member(&mut self, identity: String) {
        self.members.push(identity);
    }

    /// Of the file: the next statement begins.
    pub(super) fn begin(&mut self, at: u32) {
        let texts = [
            self.header.as_bytes(),
            self.body.as_bytes(),
            self.inner.as_bytes(),
            &self.cosmetic,
        ];
        let imports = std::mem::take(&mut self.imports);
        self.statements
            .extend(FileStatement::new(self.at, texts, imports));
        self.header.clear();
        self.body.clear();
        self.inner.clear();
        self.cosmetic.clear();
        self.at = at;
    }

    /// Of the file: its statements.
    pub(super) fn take_statements(&mut self) -> Vec<FileStatement> {
        self.begin(self.at);
        std::mem::take(&mut self.statements)
    }

    /// Whether it is in pieces or the file: what it holds are members.
    pub(super) fn holds_members(&self) -> bool {
        self.is_type || self.item == FILE
    }

    /// Its layers that have anything in them.
    pub(super) fn close(mut self, out: &mut Vec<Own>) {
        let item = self.item;
        let mut own = |layer, digest| {
            out.push(Own {
                item,
                layer,
                digest,
            });
        };
        let order = order_of(&self.members);
        if !order.is_empty() {
            // Of a file it is cosmetic, whatever broken code makes its members.
            if item != FILE && (self.is_ordered || self.has_implicit) {
                self.body.literal(&order);
            } else {
                own(Layer::Order, digest(&order));
            }
        }
        self.end_piece();
        self.words.sort_unstable();
        self.words.dedup();
        if self.is_type {
            let words = self.words.iter().map(|word| digest(word));
            self.pieces.extend(words);
            if !self.header.is_empty() {
                self.pieces.push(digest(self.header.as_bytes()));
            }
            self.pieces.sort_unstable();
            self.pieces.dedup();
            self.pieces
                .iter()
                .for_each(|piece| own(Layer::Header, *piece));
        } else if !self.header.is_empty() || !self.words.is_empty() {
            let mut head = self.words.join(&SEPARATOR);
            head.push(SEPARATOR);
            head.extend_from_slice(self.header.as_bytes());
            own(Layer::Header, digest(&head));
        }
        for (layer, text) in [
            (Layer::Body, self.body.as_bytes()),
            (Layer::Inner, self.inner.as_bytes()),
            (Layer::Cosmetic, &self.cosmetic),
        ] {
            if !text.is_empty() {
                own(layer, digest(text));
            }
        }
    }
}

/// What tells a member from the others in the order of members.
pub(super) fn identity(kind: ItemKind, name: &str, params: &str) -> String {
    [kind.as_str(), name, params].join("\u{1f}")
}
