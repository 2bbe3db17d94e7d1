//! Files put into the index without their facts being read: by the names of their declarations.

use std::sync::Arc;

use codecortex_syntax::{Facts, FileSummary, ItemIndex};
use codecortex_text::Strings;

use crate::file_facts::{FileFacts, Shelf};
use crate::index::{Entry, FileId, Index, hump_mask, put};

/// What a declaration is called in the table of names, and the type it is written outside of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declared<T> {
    /// Its simple name.
    pub name: T,
    /// The simple name of the type that it is written outside of.
    pub container: Option<T>,
}

/// What the declarations of a file are called, in their order.
pub fn declared(facts: &Facts) -> impl Iterator<Item = Declared<&str>> {
    (0..facts.items.len() as ItemIndex).map(|item| {
        let entry = Entry::of(facts, item);
        Declared {
            name: entry.name,
            container: entry.container,
        }
    })
}

/// The names of all declarations on a shelf, so that each is put into the table once and not once a declaration.
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
}

impl Index {
    /// Puts a file in that a shelf keeps under a number, in place of what was known of it. `declared` says what its
    /// declarations are called, by numbers of `names`; a number that is none of them says nothing.
    pub fn insert_shelved(
        &mut self,
        (root, path): (u32, &str),
        (brief, shelf, number): (FileSummary, &Arc<dyn Shelf>, u32),
        names: &mut DeclaredNames,
        declared: impl Iterator<Item = Declared<u32>>,
    ) -> FileId {
        if self.names.len() == 0 {
            let texts = &names.texts;
            self.names.reserve(texts.len(), texts.texts().len());
        }
        let id = self.vacate(root, path);
        for (item, declared) in declared.enumerate() {
            let symbol = crate::Symbol {
                file: id,
                item: item as ItemIndex,
            };
            if let Some(place) = self.place_of_shelved(names, declared.name) {
                put(&mut self.names[place as usize].symbols, symbol);
            }
            let container = declared.container;
            let place = container.and_then(|name| self.place_of_shelved(names, name));
            if let Some(place) = place {
                put(&mut self.names[place as usize].outside_members, symbol);
            }
        }
        let facts = FileFacts::on_shelf(brief, Arc::clone(shelf), number);
        self.occupy(id, (root, path), facts);
        self.shelf = Some(Arc::clone(shelf));
        id
    }

    fn place_of_shelved(&mut self, names: &mut DeclaredNames, number: u32) -> Option<u32> {
        let known = names.places.get_mut(number as usize)?;
        if known.is_none() {
            let text = names.texts.get(number).unwrap_or("");
            let place = self.names.place_of(text);
            self.names[place].humps |= hump_mask(text);
            *known = Some(place as u32);
        }
        *known
    }
}
