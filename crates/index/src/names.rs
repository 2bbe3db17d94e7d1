//! The table of names: what bears each, whatever its case.

use std::ops::{Index, IndexMut};

use codecortex_text::Interner;
use smallvec::SmallVec;

use crate::fold::{lower, mask};
use crate::symbol::Symbol;

/// Declarations of a name; most names are of one or two.
pub(crate) type NameSymbols = SmallVec<[Symbol; 2]>;

/// Everything that bears one name, whatever its case.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameRow {
    /// Which letters and digits occur, for quick refusals.
    pub(crate) mask: u64,
    /// Which of them start camel-case words, however the name is spelled.
    pub(crate) word_starts: u64,
    /// Declarations of that name.
    pub(crate) symbols: NameSymbols,
    /// Declarations written outside the type or namespace of that name: extension blocks are among
    /// `symbols`, these are Go methods and C++ definitions.
    pub(crate) outside_members: NameSymbols,
}

/// Names in lower case, by place. None ever leaves: they come back with the next edit.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameTable {
    texts: Interner,
    names: Vec<NameRow>,
    /// Where a name is put into lower case.
    lower: String,
}

impl NameTable {
    /// Makes room for so many more, of so many bytes together.
    pub(crate) fn reserve(&mut self, more: usize, bytes: usize) {
        self.texts.reserve(more, bytes);
        self.names.reserve(more);
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// The entry of a name that is in lower case.
    pub(crate) fn get(&self, lower: &str) -> Option<&NameRow> {
        self.names.get(self.texts.number_of(lower)? as usize)
    }

    pub(crate) fn get_mut(&mut self, lower: &str) -> Option<&mut NameRow> {
        self.names.get_mut(self.texts.number_of(lower)? as usize)
    }

    /// The name at a place.
    pub(crate) fn text(&self, place: usize) -> &str {
        self.texts.strings().get(place as u32).unwrap_or("")
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &NameRow)> {
        self.texts.strings().iter().zip(&self.names)
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut NameRow> {
        self.names.iter_mut()
    }

    /// Where the entry of a name is, which is made if nothing was ever called so.
    pub(crate) fn place_of(&mut self, name: &str) -> usize {
        if name.is_ascii() {
            self.lower.clear();
            self.lower.push_str(name);
            self.lower.make_ascii_lowercase();
        } else {
            self.lower = lower(name);
        }
        let place = self.texts.intern(&self.lower) as usize;
        if place == self.names.len() {
            self.names.push(NameRow {
                mask: mask(&self.lower),
                ..NameRow::default()
            });
        }
        place
    }

    /// Bytes of memory they take, roughly.
    pub(crate) fn memory(&self) -> usize {
        let spilled = |symbols: &NameSymbols| match symbols.spilled() {
            true => symbols.capacity() * size_of::<Symbol>(),
            false => 0,
        };
        let lists = self.names.iter();
        let lists: usize = lists
            .map(|name| spilled(&name.symbols) + spilled(&name.outside_members))
            .sum();
        self.texts.memory() + self.names.capacity() * size_of::<NameRow>() + lists
    }
}

impl Index<usize> for NameTable {
    type Output = NameRow;

    fn index(&self, place: usize) -> &NameRow {
        &self.names[place]
    }
}

impl IndexMut<usize> for NameTable {
    fn index_mut(&mut self, place: usize) -> &mut NameRow {
        &mut self.names[place]
    }
}
