//! What one file says by itself: its declarations with names, signatures, documentation, bases.
//!
//! Facts depend on nothing but the bytes and the language, so they can be computed anywhere, cached
//! by content, and sent as one compact byte string. All strings of a file share one heap: decoding
//! costs two allocations and memory stays flat on workspaces of a million lines.

use std::sync::Arc;

pub use codecortex_bind::facts::Relation;
use codecortex_text::{LineIndex, Utf16Position};
use serde::{Deserialize, Serialize};

use crate::layers::{Digest, Layer, Own};
use crate::{Brief, Language};

/// Version of [`Facts`] and of the rules that make them. Part of every cache key: raise it with
/// any change of what a file's facts are.
pub const FACTS_VERSION: u32 = 35;

/// A string in a file's heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Str {
    start: u32,
    len: u32,
}

impl Str {
    /// Where in the heap it is.
    pub(crate) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }

    /// Adds a text to a heap.
    pub(crate) fn push(heap: &mut String, text: &str) -> Self {
        let start = heap.len() as u32;
        heap.push_str(text);
        Self {
            start,
            len: text.len() as u32,
        }
    }

    /// Whether it is the empty string.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// Index of an item in [`Facts::items`].
pub type ItemIndex = u32;

/// What a declaration declares, as a reader of an outline tells kinds apart.
///
/// [`DefKind`](codecortex_bind::facts::DefKind) is what a resolver tells apart, and why there are two is said there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum ItemKind {
    Namespace,
    Module,
    Class,
    Struct,
    Interface,
    Trait,
    Enum,
    Record,
    Union,
    Delegate,
    TypeAlias,
    /// A block that adds members to a type declared elsewhere: Rust's `impl`. Has no path of its own.
    Extension,
    Function,
    Method,
    Constructor,
    Destructor,
    Operator,
    Property,
    Field,
    Constant,
    Variable,
    Event,
    EnumMember,
    Macro,
}

impl ItemKind {
    /// The word in answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Namespace => "namespace",
            Self::Module => "module",
            Self::Class => "class",
            Self::Struct => "struct",
            Self::Interface => "interface",
            Self::Trait => "trait",
            Self::Enum => "enum",
            Self::Record => "record",
            Self::Union => "union",
            Self::Delegate => "delegate",
            Self::TypeAlias => "typeAlias",
            Self::Extension => "extension",
            Self::Function => "function",
            Self::Method => "method",
            Self::Constructor => "constructor",
            Self::Destructor => "destructor",
            Self::Operator => "operator",
            Self::Property => "property",
            Self::Field => "field",
            Self::Constant => "constant",
            Self::Variable => "variable",
            Self::Event => "event",
            Self::EnumMember => "enumMember",
            Self::Macro => "macro",
        }
    }

    /// The kind of that word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }

    /// Every kind.
    pub const ALL: [Self; 24] = [
        Self::Namespace,
        Self::Module,
        Self::Class,
        Self::Struct,
        Self::Interface,
        Self::Trait,
        Self::Enum,
        Self::Record,
        Self::Union,
        Self::Delegate,
        Self::TypeAlias,
        Self::Extension,
        Self::Function,
        Self::Method,
        Self::Constructor,
        Self::Destructor,
        Self::Operator,
        Self::Property,
        Self::Field,
        Self::Constant,
        Self::Variable,
        Self::Event,
        Self::EnumMember,
        Self::Macro,
    ];

    /// Whether it declares a type, the unit of outlines and type ids (SPEC H1, H2).
    #[must_use]
    pub fn is_type(self) -> bool {
        matches!(
            self,
            Self::Class
                | Self::Struct
                | Self::Interface
                | Self::Trait
                | Self::Enum
                | Self::Record
                | Self::Union
                | Self::Delegate
                | Self::TypeAlias
        )
    }

    /// Whether it only groups other declarations.
    #[must_use]
    pub fn is_namespace(self) -> bool {
        matches!(self, Self::Namespace | Self::Module)
    }

    /// Whether its body is code that runs, so that what is declared in it is local.
    #[must_use]
    pub fn is_callable(self) -> bool {
        matches!(
            self,
            Self::Function
                | Self::Method
                | Self::Constructor
                | Self::Destructor
                | Self::Operator
                | Self::Property
                | Self::Event
                | Self::Macro
        )
    }
}

/// Who may use a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Visibility {
    /// Everybody.
    Public,
    /// The type and what derives from it.
    Protected,
    /// The assembly, package, crate or module.
    Internal,
    /// The type or file.
    Private,
}

impl Visibility {
    /// The word in answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Protected => "protected",
            Self::Internal => "internal",
            Self::Private => "private",
        }
    }
}

/// A set of yes/no properties of a declaration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Flags(u16);

impl Flags {
    /// Belongs to the type, not to an instance.
    pub const STATIC: Self = Self(1);
    /// Has no implementation here.
    pub const ABSTRACT: Self = Self(1 << 1);
    /// Replaces an inherited member.
    pub const OVERRIDE: Self = Self(1 << 2);
    /// One part of a type that may have several.
    pub const PARTIAL: Self = Self(1 << 3);
    /// Runs asynchronously.
    pub const ASYNC: Self = Self(1 << 4);
    /// Cannot be assigned after construction.
    pub const READONLY: Self = Self(1 << 5);
    /// Declared inside running code.
    pub const LOCAL: Self = Self(1 << 6);
    /// A declaration whose definition is elsewhere: a C or C++ prototype.
    pub const DECLARATION: Self = Self(1 << 7);
    /// Can be replaced by derived types.
    pub const VIRTUAL: Self = Self(1 << 8);
    /// Exported from its module.
    pub const EXPORTED: Self = Self(1 << 9);
    /// Its module's default export.
    pub const DEFAULT: Self = Self(1 << 10);

    /// Adds all of `other`.
    pub fn insert(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// The modifiers among them that a signature has, sorted.
    pub fn modifiers(self) -> impl Iterator<Item = &'static str> {
        const MODIFIERS: [(Flags, &str); 7] = [
            (Flags::ABSTRACT, "abstract"),
            (Flags::ASYNC, "async"),
            (Flags::OVERRIDE, "override"),
            (Flags::PARTIAL, "partial"),
            (Flags::READONLY, "readonly"),
            (Flags::STATIC, "static"),
            (Flags::VIRTUAL, "virtual"),
        ];
        let modifiers = MODIFIERS.into_iter();
        modifiers
            .filter(move |(flag, _)| self.contains(*flag))
            .map(|(_, word)| word)
    }

    /// Whether all of `other` are set.
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// A base as the source writes it; `codecortex_bind::facts::Base` is the same as an expression that can be resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Base {
    /// The item that names it.
    pub item: ItemIndex,
    /// How they relate.
    pub relation: Relation,
    /// The base's type as written, with its type arguments.
    pub name: Str,
}

/// One declaration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// What it declares.
    pub kind: ItemKind,
    /// Who may use it.
    pub visibility: Visibility,
    /// Further properties.
    pub flags: Flags,
    /// Number of generic type parameters.
    pub arity: u8,
    /// The declaration it is written in.
    pub parent: Option<ItemIndex>,
    /// Its simple name.
    pub name: Str,
    /// For a member written outside its type (Go methods, C++ definitions, Rust `impl`): the type
    /// or namespace as written. Empty otherwise.
    pub container: Str,
    /// The declaration as the language writes it: without body, attributes and documentation, white
    /// space collapsed.
    pub signature: Str,
    /// The type it gives or is, as written: of a function its result, of a field its own. Empty where
    /// none is written.
    pub result: Str,
    /// Parameter types separated by `,`; what tells overloads apart. Empty without parameters.
    pub params: Str,
    /// The attributes, annotations or decorators of a type: their names as written, without arguments,
    /// separated by `,` (SPEC PK1, D24). Empty for what is no type.
    pub attributes: Str,
    /// The documentation comment as plain text.
    pub doc: Str,
    /// First byte, attributes and modifiers included, documentation not.
    pub start_byte: u32,
    /// End, exclusive, in bytes.
    pub end_byte: u32,
    /// First byte of the name.
    pub name_byte: u32,
    /// Where it starts.
    pub start: Utf16Position,
    /// Where it ends, exclusive.
    pub end: Utf16Position,
    /// Where its name starts.
    pub name_start: Utf16Position,
    /// Where its name ends, exclusive.
    pub name_end: Utf16Position,
}

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
    pub bases: Vec<Base>,
    /// What the file's bytes say besides the text: its byte order mark and encoding, zeros for plain
    /// UTF-8. An editor's text has none; it will be saved as it was.
    pub looks: Digest,
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
    /// Of a file of which names are known alone: nothing that anybody is shown, or that counts.
    pub(crate) fn of_names(language: Language, hash: [u8; 16], bindings: Vec<u8>) -> Self {
        let brief = Brief {
            language,
            hash,
            lines: 0,
            bytes: 0,
            syntax_errors: 0,
            items: 0,
        };
        Self {
            bindings: Bound(bindings.into()),
            ..Self::of_brief(&brief)
        }
    }

    /// The text of a string of this file.
    #[must_use]
    pub fn str(&self, string: Str) -> &str {
        let start = string.start as usize;
        self.heap
            .get(start..start + string.len as usize)
            .unwrap_or("")
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
            + self.bases.capacity() * size_of::<Base>()
            + self.layers.capacity() * size_of::<Own>()
            + self.bindings.0.len()
            + size_of::<Self>()
    }
}
