//! Bindings that are not in memory: a cache keeps them, and they are read when a question leads into their file.

use std::fmt::Debug;
use std::sync::Arc;

use codecortex_bind::{Dialect, Exports};
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
    names: Known,
    /// The names of the file that is put in.
    file: Vec<Sym>,
}

/// What the numbers of a shelf are in the workspace.
#[derive(Debug)]
enum Known {
    /// Nobody has asked.
    Unread(Strings),
    /// They are the same, for so many names: nothing was there when they came.
    Same(u32),
    /// As far as they are known.
    Other(Strings, Vec<Option<Sym>>),
}

impl ShelvedNames {
    /// These names.
    #[must_use]
    pub fn new(texts: Strings) -> Self {
        Self {
            names: Known::Unread(texts),
            file: Vec::new(),
        }
    }

    /// The name of a number; `None` where it is none.
    fn sym(&mut self, number: u32, workspace: &mut Workspace) -> Option<Sym> {
        match &mut self.names {
            Known::Unread(texts) => {
                let texts = std::mem::take(texts);
                let count = texts.len();
                self.names = match workspace.adopt_names(texts) {
                    Ok(()) => Known::Same(count as u32),
                    Err(texts) => Known::Other(texts, vec![None; count]),
                };
                self.sym(number, workspace)
            }
            Known::Same(count) => (number < *count).then_some(Sym(number)),
            Known::Other(texts, syms) => {
                let known = syms.get_mut(number as usize)?;
                let intern = || workspace.intern(texts.get(number).unwrap_or(""));
                Some(*known.get_or_insert_with(intern))
            }
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
        (numbers, entries): (&[u32], &Exports),
    ) -> bool {
        names.file.clear();
        for number in numbers {
            let Some(sym) = names.sym(*number, self) else {
                return false;
            };
            names.file.push(sym);
        }
        let bytes = Bytes::OnShelf(Arc::clone(&of.shelf), of.number);
        let syms = names.file.as_slice().into();
        self.put_in(file, (of.path, of.dialect, bytes), syms, entries);
        true
    }
}
