//! Bindings that are not in memory: a cache keeps them, and they are read when a question leads into their file.

use std::fmt::Debug;
use std::sync::Arc;

use codecortex_bind::{Dialect, Entries};
use codecortex_text::Strings;

use crate::workspace::{FileNo, Sym, Workspace};

/// What keeps bindings, each file's by a number of its own.
pub trait Shelf: Debug + Send + Sync {
    /// The bytes of `codecortex_bind::encode` of a file; `None` where they cannot be read any more.
    fn bindings(&self, number: u32) -> Option<Arc<[u8]>>;
}

/// A file's bindings as bytes.
#[derive(Clone, Debug)]
pub(crate) enum Bytes {
    Here(Arc<[u8]>),
    OnShelf(Arc<dyn Shelf>, u32),
}

impl Bytes {
    /// The bytes; none where a shelf does not have them any more.
    pub(crate) fn get(&self) -> Option<Arc<[u8]>> {
        match self {
            Self::Here(bytes) => Some(Arc::clone(bytes)),
            Self::OnShelf(shelf, number) => shelf.bindings(*number),
        }
    }
}

/// The names of all files on a shelf, by number, so that each is looked up once and not once a file.
#[derive(Debug)]
pub struct ShelvedNames {
    texts: Strings,
    syms: Vec<Option<Sym>>,
    /// The numbers of the file that is put in.
    file: Vec<Sym>,
}

impl ShelvedNames {
    /// These names.
    #[must_use]
    pub fn new(texts: Strings) -> Self {
        Self {
            syms: vec![None; texts.len()],
            texts,
            file: Vec::new(),
        }
    }
}

/// A file on a shelf.
#[derive(Clone, Debug)]
pub struct Shelved<'a> {
    /// Where it is.
    pub path: &'a str,
    /// Its language.
    pub dialect: Dialect,
    /// What keeps its bindings, and the number there.
    pub shelf: Arc<dyn Shelf>,
    /// Its number there.
    pub number: u32,
}

impl Workspace {
    /// Puts a file in that is on a shelf, by its names' numbers there and what other files can find of it. False where
    /// the numbers are no names of the shelf: then nothing is put in.
    pub fn insert_shelved(
        &mut self,
        file: FileNo,
        of: &Shelved<'_>,
        names: &mut ShelvedNames,
        (numbers, entries): (&[u32], &Entries),
    ) -> bool {
        self.begin_names(names.texts.len(), names.texts.texts().len());
        names.file.clear();
        for number in numbers {
            let Some(known) = names.syms.get_mut(*number as usize) else {
                return false;
            };
            let sym = *known.get_or_insert_with(|| {
                let text = names.texts.get(*number);
                self.intern(text.unwrap_or(""))
            });
            names.file.push(sym);
        }
        let bytes = Bytes::OnShelf(Arc::clone(&of.shelf), of.number);
        let syms = names.file.as_slice().into();
        self.put_in(file, (of.path, of.dialect, bytes), syms, entries);
        true
    }
}
