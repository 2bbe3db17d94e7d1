//! A declaration of a file: kind, name, place, and what the source says of it.

pub use codecortex_bind::facts::Relation;
use codecortex_text::Utf16Position;
use serde::{Deserialize, Serialize};

/// A string in a file's heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Str {
    pub(super) start: u32,
    pub(super) len: u32,
}

impl Str {
    /// What begins there in the heap, so many bytes long.
    pub(super) fn at(start: u32, len: u32) -> Self {
        Self { start, len }
    }

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

/// Index of an item in [`Facts::items`](super::Facts::items).
pub type ItemIndex = u32;

/// What a declaration declares.
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
pub struct ItemFlags(u16);

impl ItemFlags {
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

    /// Only what is built for an editor has it: an arm of `#if EDITOR` (SPEC AS1).
    pub const EDITOR_ONLY: Self = Self(1 << 11);

    /// Adds all of `other`, or takes all of it away.
    pub(crate) fn set(&mut self, other: Self, is_set: bool) {
        match is_set {
            true => self.0 |= other.0,
            false => self.0 &= !other.0,
        }
    }

    /// Adds all of `other`.
    pub fn insert(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// The modifiers among them that a signature has, sorted.
    pub fn modifiers(self) -> impl Iterator<Item = &'static str> {
        const MODIFIERS: [(ItemFlags, &str); 7] = [
            (ItemFlags::ABSTRACT, "abstract"),
            (ItemFlags::ASYNC, "async"),
            (ItemFlags::OVERRIDE, "override"),
            (ItemFlags::PARTIAL, "partial"),
            (ItemFlags::READONLY, "readonly"),
            (ItemFlags::STATIC, "static"),
            (ItemFlags::VIRTUAL, "virtual"),
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
pub struct WrittenBase {
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
    pub flags: ItemFlags,
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
    /// separated by `,` (SPEC PK1, D24). Of other declarations, and of types too, the macros of Unreal Engine before them
    /// and the specifiers in these (SPEC AS1).
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
