//! Files whose bindings a cache keeps: put in by what other files can find of them, and read later.

use std::sync::Arc;

use codecortex_bind::{Dialect, Exports};
use codecortex_text::Strings;

use crate::bindings_source::{BindingsSource, Bytes};
use crate::ids::{FileNo, Name};
use crate::workspace::Workspace;

/// The names of all files of a cache, by number, so that each is looked up once and not once a file.
#[derive(Debug)]
pub struct CachedNames {
    names: CacheNumbering,
    /// The names of the file that is put in.
    file: Vec<Name>,
}

/// What the numbers of a cache are in the workspace.
#[derive(Debug)]
enum CacheNumbering {
    /// Nobody has asked.
    Unread(Strings),
    /// They are the same, for so many names: nothing was there when they came.
    Same(u32),
    /// As far as they are known.
    Other(Strings, Vec<Option<Name>>),
}

impl CachedNames {
    /// These names.
    #[must_use]
    pub fn new(texts: Strings) -> Self {
        Self {
            names: CacheNumbering::Unread(texts),
            file: Vec::new(),
        }
    }

    /// The name of a number; `None` where it is none.
    fn name(&mut self, number: u32, workspace: &mut Workspace) -> Option<Name> {
        match &mut self.names {
            CacheNumbering::Unread(texts) => {
                let texts = std::mem::take(texts);
                let count = texts.len();
                self.names = match workspace.adopt_names(texts) {
                    Ok(()) => CacheNumbering::Same(count as u32),
                    Err(texts) => CacheNumbering::Other(texts, vec![None; count]),
                };
                self.name(number, workspace)
            }
            CacheNumbering::Same(count) => (number < *count).then_some(Name(number)),
            CacheNumbering::Other(texts, names) => {
                let known = names.get_mut(number as usize)?;
                let intern = || workspace.intern(texts.get(number).unwrap_or(""));
                Some(*known.get_or_insert_with(intern))
            }
        }
    }
}

/// A file of which the cache keeps the bindings.
#[derive(Clone, Debug)]
pub struct LazyFile<'a> {
    /// Where it is.
    pub path: &'a str,
    /// Its language.
    pub dialect: Dialect,
    /// What keeps its bindings, and the number there.
    pub source: Arc<dyn BindingsSource>,
    /// Its number there.
    pub number: u32,
}

impl Workspace {
    /// Puts a file in that is in a cache, by its names' numbers there and what other files can find of it. False where
    /// the numbers are no names of the cache: then nothing is put in.
    pub fn insert_lazy(
        &mut self,
        file: FileNo,
        of: &LazyFile<'_>,
        names: &mut CachedNames,
        (numbers, entries): (&[u32], &Exports),
    ) -> bool {
        names.file.clear();
        for number in numbers {
            let Some(sym) = names.name(*number, self) else {
                return false;
            };
            names.file.push(sym);
        }
        let bytes = Bytes::InCache(Arc::clone(&of.source), of.number);
        let names = names.file.as_slice().into();
        self.put_in(file, (of.path, of.dialect, bytes), names, entries);
        true
    }
}
