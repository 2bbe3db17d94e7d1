//! What belongs to a type, wherever it is written (SPEC H1, H5).
//!
//! A type can have several parts (C#'s `partial`, merged interfaces, Rust's `impl` blocks) and
//! members outside all of them (Go's methods, C++'s definitions). Files know only what is in them;
//! here the parts meet.

use std::cell::OnceCell;

use codecortex_syntax::{Item, ItemFlags, ItemIndex, ItemKind, Language};

use crate::fold::lower;
use crate::overlay::Overlay;
use crate::{Index, IndexedFile, Symbol};

/// A place where a type, or more of it, is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypePart {
    /// The declaration.
    pub symbol: Symbol,
    /// Whether it only adds members to a type declared elsewhere.
    pub is_extension: bool,
}

impl Index {
    /// Every part of the type or namespace that `symbol` declares, `symbol` first.
    #[must_use]
    pub fn parts(&self, symbol: Symbol) -> Vec<TypePart> {
        self.parts_in(symbol, Overlay::Hidden)
    }

    /// The same, with parts in generated code where they are shown.
    #[must_use]
    pub fn parts_in(&self, symbol: Symbol, overlay: Overlay) -> Vec<TypePart> {
        let overlay = self.overlay_at(symbol, overlay);
        let mut parts = vec![TypePart {
            symbol,
            is_extension: false,
        }];
        let Some((file, item)) = self.get(symbol) else {
            return parts;
        };
        // Most names are of one type, and then nobody asks for its path.
        let path = OnceCell::new();
        let path = || path.get_or_init(|| self.path_of(symbol));
        let mut others: Vec<TypePart> = self
            .named_in(
                file.facts
                    .str(item.name)
                    .rsplit(['.', ':'])
                    .next()
                    .unwrap_or(""),
                overlay,
            )
            .filter(|other| *other != symbol)
            .filter(|other| self.is_external(other.file) == self.is_external(symbol.file))
            .filter_map(|other| {
                let (other_file, other_item) = self.get(other)?;
                let is_extension = other_item.kind == ItemKind::Extension;
                let belongs = if is_extension {
                    extends(file, item, other_file) && self.same_crate(symbol, other)
                } else {
                    merges((file, item), (other_file, other_item)) && self.path_of(other) == *path()
                };
                belongs.then_some(TypePart {
                    symbol: other,
                    is_extension,
                })
            })
            .collect();
        others.sort_by_key(|part| self.place(part.symbol));
        parts.extend(others);
        parts
    }

    /// The direct members of a type or namespace, part by part in source order.
    #[must_use]
    pub fn members(&self, symbol: Symbol) -> Vec<Symbol> {
        self.members_in(symbol, Overlay::Hidden)
    }

    /// The same, with those of parts in generated code where they are shown.
    #[must_use]
    pub fn members_in(&self, symbol: Symbol, overlay: Overlay) -> Vec<Symbol> {
        let mut members = Vec::new();
        for part in self.parts_in(symbol, overlay) {
            let Some(file) = self.file(part.symbol.file) else {
                continue;
            };
            members.extend(children(file, part.symbol));
        }
        let declared = members.len();
        members.extend(self.outside_members(symbol, overlay));
        self.drop_repeated_definitions(members, declared)
    }

    /// Every declaration of a member: as [`Self::members`], but of a C++ member its declaration and its definition.
    #[must_use]
    pub fn member_declarations(&self, symbol: Symbol) -> Vec<Symbol> {
        let mut members = Vec::new();
        for part in self.parts(symbol) {
            if let Some(file) = self.file(part.symbol.file) {
                members.extend(children(file, part.symbol));
            }
        }
        members.extend(self.outside_members(symbol, Overlay::Hidden));
        members
    }

    /// Members written outside of every part, C++ definitions of declared ones included.
    pub(crate) fn outside_members(&self, symbol: Symbol, overlay: Overlay) -> Vec<Symbol> {
        let Some((file, item)) = self.get(symbol) else {
            return Vec::new();
        };
        let name = lower(file.facts.str(item.name));
        let overlay = self.overlay_at(symbol, overlay);
        let mut members: Vec<Symbol> = self
            .outside_members_named(&name, overlay)
            .filter(|member| self.is_outside_member(*member, symbol, file))
            .collect();
        members.sort_by_key(|member| self.place(*member));
        members
    }

    fn is_outside_member(&self, member: Symbol, owner: Symbol, owner_file: &IndexedFile) -> bool {
        let Some((file, _)) = self.get(member) else {
            return false;
        };
        if file.facts.language == Language::Go {
            // A method's receiver is of its own package, and a package is a folder.
            return folder(&file.path) == folder(&owner_file.path) && file.root == owner_file.root;
        }
        let mut segments = self.segments(member);
        segments.pop();
        let owner: Vec<&str> = self
            .segments(owner)
            .iter()
            .map(|segment| segment.text)
            .collect();
        let container: Vec<&str> = segments.iter().map(|segment| segment.text).collect();
        // `using namespace` leaves the outer names out.
        owner.ends_with(&container) || container.ends_with(&owner)
    }

    /// A C++ member is declared in its class and defined outside: one member, not two.
    fn drop_repeated_definitions(&self, members: Vec<Symbol>, declared: usize) -> Vec<Symbol> {
        let key = |symbol: &Symbol| {
            let (file, item) = self.get(*symbol)?;
            Some((file.facts.str(item.name), file.facts.str(item.params)))
        };
        let known: Vec<_> = members[..declared].iter().filter_map(key).collect();
        let mut index = 0;
        let mut members = members;
        members.retain(|member| {
            index += 1;
            index <= declared || key(member).is_none_or(|key| !known.contains(&key))
        });
        members
    }

    /// Rust: an `impl` names its type by what is imported; within one crate the name decides.
    fn same_crate(&self, a: Symbol, b: Symbol) -> bool {
        let first = |symbol| {
            self.segments(symbol)
                .first()
                .map(|segment| segment.text.to_owned())
        };
        let roots = (
            self.file(a.file).map(|f| f.root),
            self.file(b.file).map(|f| f.root),
        );
        roots.0 == roots.1 && first(a) == first(b)
    }

    /// Sort key: where a symbol is written.
    fn place(&self, symbol: Symbol) -> (u32, &str, ItemIndex) {
        self.file(symbol.file).map_or((0, "", symbol.item), |file| {
            (file.root, &*file.path, symbol.item)
        })
    }
}

/// What is written directly inside a declaration.
fn children(file: &IndexedFile, symbol: Symbol) -> impl Iterator<Item = Symbol> {
    file.facts
        .items
        .iter()
        .enumerate()
        .filter(move |(_, item)| item.parent == Some(symbol.item))
        .map(move |(index, _)| Symbol {
            file: symbol.file,
            item: index as ItemIndex,
        })
}

/// Whether an extension block in `other` can be about a type of `file`.
fn extends(file: &IndexedFile, item: &Item, other: &IndexedFile) -> bool {
    item.kind.is_type() && file.facts.language == other.facts.language
}

/// Whether two declarations of one path are parts of one type.
fn merges((file, item): (&IndexedFile, &Item), (other_file, other): (&IndexedFile, &Item)) -> bool {
    if file.facts.language.family() != other_file.facts.language.family() {
        return false;
    }
    let merging = match file.facts.language {
        Language::TypeScript | Language::Tsx => {
            matches!(item.kind, ItemKind::Interface | ItemKind::Namespace)
        }
        Language::C | Language::Cpp => true,
        _ => item.flags.contains(ItemFlags::PARTIAL) && other.flags.contains(ItemFlags::PARTIAL),
    };
    (merging || item.kind.is_namespace()) && item.kind == other.kind && item.arity == other.arity
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
