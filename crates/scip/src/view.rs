//! A file's declarations by where they are written.

use codecortex_index::{FileId, IndexedFile, Symbol};
use codecortex_resolve::{DefRef, Resolver};
use codecortex_syntax::Item;
use rustc_hash::FxHashMap;

/// What a file declares, both as the index lists it and as names are resolved.
pub(crate) struct ScipView<'a> {
    pub id: FileId,
    pub file: &'a IndexedFile,
    /// Definitions that have a place, in its order.
    pub defs: Vec<DefRef>,
    items_by_name: FxHashMap<u32, u32>,
    defs_by_name: FxHashMap<u32, DefRef>,
}

impl<'a> ScipView<'a> {
    pub(crate) fn new(query: &Resolver<'_>, id: FileId, file: &'a IndexedFile) -> Self {
        let mut defs = match query.dialect(id.0) {
            Some(_) => query.definitions_in(id.0),
            None => Vec::new(),
        };
        defs.sort_unstable_by_key(|def| (query.place(*def), *def));
        let mut items_by_name = FxHashMap::default();
        for (index, item) in file.facts.items.iter().enumerate() {
            if !item.name.is_empty() {
                items_by_name.entry(item.name_byte).or_insert(index as u32);
            }
        }
        let mut defs_by_name = FxHashMap::default();
        for def in &defs {
            if let Some(at) = query.place(*def) {
                defs_by_name.entry(at).or_insert(*def);
            }
        }
        Self {
            id,
            file,
            defs,
            items_by_name,
            defs_by_name,
        }
    }

    /// The declaration whose name begins at a byte.
    pub(crate) fn item_named_at(&self, at: u32) -> Option<(Symbol, &'a Item)> {
        let index = *self.items_by_name.get(&at)?;
        self.item(index)
    }

    /// The innermost declaration with a name around a byte, other than the one that is named there.
    pub(crate) fn item_around(&self, at: u32) -> Option<(Symbol, &'a Item)> {
        let items = &self.file.facts.items;
        let last = items
            .partition_point(|item| item.start_byte <= at)
            .checked_sub(1)?;
        // Parents come before their children, so what is around is the last one or around that.
        let mut next = Some(last as u32);
        while let Some((symbol, item)) = next.and_then(|index| self.item(index)) {
            if at < item.end_byte && item.name_byte != at && !item.name.is_empty() {
                return Some((symbol, item));
            }
            next = item.parent;
        }
        None
    }

    /// The definition that a declaration is.
    pub(crate) fn def_of(&self, item: &Item) -> Option<DefRef> {
        self.defs_by_name.get(&item.name_byte).copied()
    }

    fn item(&self, index: u32) -> Option<(Symbol, &'a Item)> {
        let item = self.file.facts.items.get(index as usize)?;
        let symbol = Symbol {
            file: self.id,
            item: index,
        };
        Some((symbol, item))
    }
}
