//! What has hashes: types, and modules for what they declare outside of types (SPEC P3, H4).

use std::ops::Range;

use codecortex_hashes::HashRules;
use codecortex_syntax::{Item, ItemFlags, ItemIndex, ItemKind, Language};
use rustc_hash::FxHashSet;

use crate::entry::simple_name;
use crate::fold::lower;
use crate::hashes::{Hashed, has_modules};
use crate::{FileId, Index, IndexedFile, Symbol, type_id};

/// A type or module by what stays when its text changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IndexUnit {
    /// The workspace folder.
    pub root: u32,
    /// The full path; of a module without one, its file's.
    pub path: String,
    /// The kind's word, or `module`.
    pub kind: &'static str,
    /// Number of type parameters.
    pub arity: u8,
}

impl IndexUnit {
    /// Its id (SPEC H2).
    #[must_use]
    pub fn id(&self) -> String {
        type_id(&self.path, self.kind, self.arity)
    }
}

/// Where a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitLocation {
    /// A type, by one of its parts.
    Type(Symbol),
    /// A module, by its file.
    Module(FileId),
}

impl Index {
    /// Every unit that a file has a part in, each once.
    #[must_use]
    pub fn units_of(&self, id: FileId) -> Vec<(IndexUnit, UnitLocation)> {
        self.units_in(id, 0..ItemIndex::MAX)
    }

    /// Every unit that some of a file's items, or what is around them, have a part in, each once; its
    /// module among them.
    #[must_use]
    pub fn units_in(&self, id: FileId, items: Range<ItemIndex>) -> Vec<(IndexUnit, UnitLocation)> {
        let Some(file) = self.file(id) else {
            return Vec::new();
        };
        let all = &file.facts.items;
        let first = (items.start as usize).min(all.len());
        let last = (items.end as usize).clamp(first, all.len());
        let parent = |index: &usize| Some(all.get(*index)?.parent? as usize);
        let around = std::iter::successors(parent(&first), parent);
        let mut seen = FxHashSet::default();
        let mut units = Vec::new();
        for index in (first..last).chain(around) {
            let item = &all[index];
            if !item.flags.contains(ItemFlags::LOCAL) {
                let symbol = Symbol {
                    file: id,
                    item: index as ItemIndex,
                };
                self.types_around(file, item, symbol, |symbol| {
                    let unit = self.type_unit(symbol);
                    units.extend(
                        unit.filter(|unit| seen.insert(unit.clone()))
                            .map(|unit| (unit, UnitLocation::Type(symbol))),
                    );
                });
            }
        }
        if has_modules(file.facts.language) {
            units.push((self.module_unit(file), UnitLocation::Module(id)));
        }
        units
    }

    /// The types that an item declares, extends or is written outside of.
    fn types_around(
        &self,
        file: &IndexedFile,
        item: &Item,
        symbol: Symbol,
        mut found: impl FnMut(Symbol),
    ) {
        if item.kind.is_type() {
            return found(symbol);
        }
        let name = match item.kind {
            ItemKind::Extension => file.facts.str(item.name),
            _ if item.parent.is_none() || !item.container.is_empty() => {
                file.facts.str(item.container)
            }
            _ => return,
        };
        let name = name.split(['<', '[']).next().unwrap_or(name);
        if name.is_empty() {
            return;
        }
        for other in self.named(lower(simple_name(name.trim())).as_str()) {
            let Some((other_file, other_item)) = self.get(*other) else {
                continue;
            };
            let same =
                other_file.facts.language == file.facts.language && other_file.root == file.root;
            if same && other_item.kind.is_type() {
                found(*other);
            }
        }
    }

    /// Every part of every type of exactly that name, extensions not among them.
    pub fn types_named(&self, name: &str) -> impl Iterator<Item = Symbol> {
        self.named(name).iter().copied().filter(move |symbol| {
            self.get(*symbol).is_some_and(|(file, item)| {
                item.kind.is_type() && simple_name(file.facts.str(item.name)) == name
            })
        })
    }

    fn type_unit(&self, symbol: Symbol) -> Option<IndexUnit> {
        let (file, item) = self.get(symbol)?;
        Some(IndexUnit {
            root: file.root,
            path: self.path_of(symbol),
            kind: item.kind.as_str(),
            arity: item.arity,
        })
    }

    fn module_unit(&self, file: &IndexedFile) -> IndexUnit {
        let segments = self.module_segments(file);
        let language = file.facts.language;
        // A package of several files, or none: the file is what changes.
        let is_own = !matches!(
            language,
            Language::Go | Language::C | Language::Cpp | Language::Kotlin | Language::Scala
        ) && !segments.is_empty();
        IndexUnit {
            root: file.root,
            path: if is_own {
                segments.join(language.info().namespace_separator)
            } else {
                file.path.to_string()
            },
            kind: "module",
            arity: 0,
        }
    }

    /// A unit's hashes as if one file were not there; `None` where it would not be there either.
    #[must_use]
    pub fn hashes_without(
        &self,
        unit: &IndexUnit,
        place: UnitLocation,
        rules: HashRules,
        without: Option<FileId>,
    ) -> Option<Hashed> {
        match place {
            UnitLocation::Type(symbol) => self.type_hashes_without(symbol, rules, without),
            UnitLocation::Module(file) => {
                let file = self.file(file).filter(|_| Some(file) != without)?;
                let hashes = self.module_hashes(&unit.path, std::iter::once(file), rules);
                // Nothing is beside a module.
                let looks = hashes.cosmetic;
                Some(Hashed { hashes, looks })
            }
        }
    }

    /// Where a unit of a family of languages is now; `file` is the path of a file that it was in. One of another
    /// family may be called the same.
    #[must_use]
    pub fn find_unit(
        &self,
        unit: &IndexUnit,
        family: Language,
        file: &str,
    ) -> Option<UnitLocation> {
        if unit.kind == "module" {
            // What its path says, its file's path says.
            let id = self.file_id(unit.root, file)?;
            let is_it = self.file(id).map(|file| self.module_unit(file)).as_ref() == Some(unit);
            return is_it.then_some(UnitLocation::Module(id));
        }
        let name = simple_name(&unit.path);
        let name = name.rsplit(['+', '/']).next().unwrap_or(name);
        // What they are called in full is looked at last, because it is put together for that.
        let may_be = |symbol: &Symbol| {
            self.get(*symbol).is_some_and(|(file, item)| {
                file.facts.language.family() == family
                    && item.kind.as_str() == unit.kind
                    && item.arity == unit.arity
            })
        };
        self.named(name)
            .iter()
            .filter(|symbol| may_be(symbol))
            .find(|symbol| self.type_unit(**symbol).as_ref() == Some(unit))
            .map(|symbol| UnitLocation::Type(*symbol))
    }
}
