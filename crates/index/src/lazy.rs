//! What is known of the declarations of a file whose facts a cache keeps and nobody has read: their names.

use codecortex_syntax::{Facts, ItemIndex};
use codecortex_text::Strings;

use crate::entry::NameEntry;
use crate::fold::word_starts;
use crate::names::NameTable;

/// What a declaration is called in the table of names, and the type it is written outside of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LazyEntry<T> {
    /// Its simple name.
    pub name: T,
    /// The simple name of the type that it is written outside of.
    pub container: Option<T>,
}

/// What the declarations of a file are called, in their order.
pub fn declared(facts: &Facts) -> impl Iterator<Item = LazyEntry<&str>> {
    (0..facts.items.len() as ItemIndex).map(|item| {
        let entry = NameEntry::from_facts(facts, item);
        LazyEntry {
            name: entry.name,
            container: entry.container,
        }
    })
}

/// The names of all declarations in a cache, so that each is put into the table once and not once a declaration.
#[derive(Debug, Default)]
pub struct DeclaredNames {
    texts: Strings,
    /// Where each is in the table of names.
    places: Vec<Option<u32>>,
}

impl DeclaredNames {
    /// These names, each by its place.
    #[must_use]
    pub fn new(texts: Strings) -> Self {
        Self {
            places: vec![None; texts.len()],
            texts,
        }
    }

    /// Another table of names begins.
    pub fn forget_places(&mut self) {
        self.places.fill(None);
    }

    /// The names, by number.
    pub(crate) fn texts(&self) -> &Strings {
        &self.texts
    }

    /// Where the name of a number is in the table of names; `None` where the number is none of them.
    pub(crate) fn place_in(&mut self, table: &mut NameTable, number: u32) -> Option<u32> {
        let known = self.places.get_mut(number as usize)?;
        if known.is_none() {
            let text = self.texts.get(number).unwrap_or("");
            let place = table.place_of(text);
            table[place].word_starts |= word_starts(text);
            *known = Some(place as u32);
        }
        *known
    }
}
