//! What one file says by itself: its declarations with names, signatures, documentation, bases.
//!
//! Facts depend on nothing but the bytes and the language, so they can be computed anywhere, cached
//! by content, and sent as one compact byte string. All strings of a file share one heap: decoding
//! costs two allocations and memory stays flat on workspaces of a million lines.

mod item;

use std::sync::Arc;

use codecortex_text::{LineIndex, Utf16Position};
use serde::{Deserialize, Serialize};

use crate::Language;
use crate::digest::Digest;
use crate::layers::{Layer, Own};

pub use self::item::{
    Item, ItemFlags, ItemIndex, ItemKind, Relation, Str, Visibility, WrittenBase,
};

/// Version of [`Facts`] and of the rules that make them. Part of every cache key: raise it with
/// any change of what a file's facts are.
pub const FACTS_VERSION: u32 = 44;

/// What one file says by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// The language it was read as.
    pub language: Language,
    /// Number of lines.
    pub lines: u32,
    /// Length of the decoded text in UTF-8 bytes.
    pub bytes: u32,
    /// Of the bytes: [`crate::content_hash`].
    pub hash: [u8; 16],
    /// Places that the grammar could not make sense of, at most 65,535 counted.
    pub syntax_errors: u16,
    /// The package or namespace that holds for the whole file (Java, Go). Empty otherwise.
    pub package: Str,
    /// Documentation of the file or module itself.
    pub doc: Str,
    /// Every declaration, parents before children, in source order.
    pub items: Vec<Item>,
    /// Bases of the items.
    pub bases: Vec<WrittenBase>,
    /// What the file's bytes say besides the text: its byte order mark and encoding, zeros for plain
    /// UTF-8. An editor's text has none; it will be saved as it was.
    pub cosmetic: Digest,
    /// What the hashes are made of: a digest for each layer of a declaration's text that has anything
    /// in it, by declaration (SPEC H3).
    pub layers: Vec<Own>,
    /// What resolving names needs (SPEC R1).
    pub bindings: Bound,
    /// Every string.
    pub(crate) heap: String,
}

/// A file's bindings as bytes of `codecortex_bind::encode`; empty where nobody made them: for languages
/// that are not resolved, and for a text that is being edited, whose bindings are made when somebody asks.
///
/// They follow from the text as the other facts do, so they do not count when facts are compared.
#[derive(Clone, Debug, Default)]
pub struct Bound(pub Arc<[u8]>);

impl Serialize for Bound {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bound {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes: serde_bytes::ByteBuf = Deserialize::deserialize(deserializer)?;
        Ok(Self(bytes.into_vec().into()))
    }
}

impl PartialEq for Bound {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl Eq for Bound {}

impl Facts {
    /// The text of a string of this file.
    #[must_use]
    pub fn str(&self, string: Str) -> &str {
        let start = string.start as usize;
        self.heap
            .get(start..start + string.len as usize)
            .unwrap_or("")
    }

    /// Puts another signature in an item's place: where what was parsed says more than is known. Nothing happens where there
    /// is no such item.
    pub fn set_signature(&mut self, item: usize, signature: &str) {
        let (Ok(start), Ok(len)) = (
            u32::try_from(self.heap.len()),
            u32::try_from(signature.len()),
        ) else {
            return;
        };
        if let Some(item) = self.items.get_mut(item) {
            self.heap.push_str(signature);
            item.signature = Str::at(start, len);
        }
    }

    /// What is said of an item besides its signature: the names of its attributes as they are written (SPEC PK1), and
    /// `editorOnly` where an arm of `#if EDITOR` declares it (SPEC AS1).
    pub fn marks_of(&self, item: &Item) -> impl Iterator<Item = &str> {
        let names = self
            .str(item.attributes)
            .split(',')
            .filter(|name| !name.is_empty());
        names.chain(
            item.flags
                .contains(ItemFlags::EDITOR_ONLY)
                .then_some("editorOnly"),
        )
    }

    /// Whether indices are inside their tables and parents come before children: what every reader
    /// relies on, and what bytes from a damaged cache might not keep.
    pub(crate) fn is_sound(&self) -> bool {
        let parents = self
            .items
            .iter()
            .enumerate()
            .all(|(index, item)| item.parent.is_none_or(|parent| (parent as usize) < index));
        parents
            && self
                .bases
                .iter()
                .all(|base| (base.item as usize) < self.items.len())
    }

    /// Ends at the end of `text` what goes on behind `limit`.
    pub(crate) fn end_at(&mut self, text: &str, limit: usize) {
        let lines = LineIndex::new(text);
        let end = lines.position(text.len() as u32, text);
        self.lines = lines.line_count();
        self.bytes = text.len() as u32;
        for index in (0..self.items.len()).rev() {
            let item = &mut self.items[index];
            if item.end_byte as usize <= limit {
                continue;
            }
            item.end_byte = text.len() as u32;
            item.end = end;
            let parent = item.parent.filter(|_| item.container.is_empty());
            if let Some(parent) = parent.and_then(|parent| self.items.get_mut(parent as usize)) {
                parent.end_byte = text.len() as u32; // so does what it is in
                parent.end = end;
            }
        }
    }

    /// Adds a string to the heap.
    pub(crate) fn intern(&mut self, text: &str) -> Str {
        if text.is_empty() {
            return Str::default();
        }
        Str::push(&mut self.heap, text)
    }

    /// The same facts with only those strings that are in use, each once for each use, in the order of
    /// what uses them: equal facts are then equal byte for byte.
    #[must_use]
    pub fn compact(mut self) -> Self {
        let old = std::mem::take(&mut self.heap);
        let mut heap = String::with_capacity(old.len());
        let mut keep = |string: &mut Str| {
            let text = old.get(string.range()).unwrap_or("");
            *string = match text {
                "" => Str::default(),
                text => Str::push(&mut heap, text),
            };
        };
        keep(&mut self.package);
        keep(&mut self.doc);
        for item in &mut self.items {
            let strings = [
                &mut item.name,
                &mut item.container,
                &mut item.signature,
                &mut item.params,
                &mut item.result,
                &mut item.attributes,
                &mut item.doc,
            ];
            strings.into_iter().for_each(&mut keep);
        }
        self.bases.iter_mut().for_each(|base| keep(&mut base.name));
        self.heap = heap;
        self
    }

    /// The same facts, compact if half of the strings are out of use.
    pub(crate) fn without_waste(self) -> Self {
        const SPARE: usize = 4096;
        let of_item = |item: &Item| {
            item.name.len
                + item.container.len
                + item.signature.len
                + item.params.len
                + item.result.len
                + item.attributes.len
                + item.doc.len
        };
        let items: u32 = self.items.iter().map(of_item).sum();
        let bases: u32 = self.bases.iter().map(|base| base.name.len).sum();
        let used = (items + bases + self.package.len + self.doc.len) as usize;
        if self.heap.len() > 2 * used + SPARE {
            self.compact()
        } else {
            self
        }
    }

    /// The bases of one item as relation and written name.
    pub fn bases_of(&self, item: ItemIndex) -> impl Iterator<Item = (Relation, &str)> {
        self.bases
            .iter()
            .filter(move |base| base.item == item)
            .map(|base| (base.relation, self.str(base.name)))
    }

    /// The layers of an item's own text, or of what is in no item ([`crate::FILE`]), in their order.
    #[must_use]
    pub fn layers_of(&self, item: ItemIndex) -> &[Own] {
        let start = self.layers.partition_point(|own| own.item < item);
        let own = &self.layers[start..];
        let end = own.iter().take_while(|own| own.item == item).count();
        &own[..end]
    }

    /// The digests of one of them. Only a type's head has more than one.
    pub fn layer(&self, item: ItemIndex, layer: Layer) -> impl Iterator<Item = &Digest> {
        let own = self.layers_of(item).iter();
        own.filter(move |own| own.layer == layer)
            .map(|own| &own.digest)
    }

    /// The innermost item around a position, if any.
    #[must_use]
    pub fn item_at(&self, position: Utf16Position) -> Option<ItemIndex> {
        let around = |item: &Item| item.start <= position && position <= item.end;
        self.items
            .iter()
            .rposition(around)
            .map(|index| index as ItemIndex)
    }

    /// Bytes of memory this holds, roughly.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.heap.capacity()
            + self.items.capacity() * size_of::<Item>()
            + self.bases.capacity() * size_of::<WrittenBase>()
            + self.layers.capacity() * size_of::<Own>()
            + self.bindings.0.len()
            + size_of::<Self>()
    }
}
