//! Joins the names of all files when somebody asks, and keeps them up.

use std::borrow::Cow;
use std::cell::Ref;
use std::sync::Arc;

use codecortex_bind::{Dialect, encode};
use codecortex_index::{FileId, IndexedFile};
use codecortex_protocol::paths::absolute_path;
use codecortex_resolve::{AffectedNames, BindingsSource, LazyFile};
use codecortex_syntax::{bindings_of_text, dialect};

use crate::analysis::Analysis;
use crate::cache::Heads;
use crate::other_states::path_in_names;
use crate::reference_index::ReferenceIndex;
use crate::standard_library::tell_libraries;

impl Analysis {
    /// The names of all files as they are now.
    pub fn names(&self) -> Ref<'_, ReferenceIndex> {
        let is_current = self.names.borrow().revision == Some(self.revision);
        if !is_current {
            self.renew_names(&mut self.names.borrow_mut());
        }
        self.names.borrow()
    }

    /// The files whose names of types may mean something else than when this was asked last.
    pub fn take_changed_names(&mut self) -> AffectedNames {
        drop(self.names());
        self.names.get_mut().take_changed()
    }

    fn renew_names(&self, names: &mut ReferenceIndex) {
        for number in 0..names.known.len() {
            let id = FileId(number as u32);
            if names.known[number].is_some() && self.index.file(id).is_none() {
                names.known[number] = None;
                names.workspace.remove(number as u32);
            }
        }
        names.workspace.reserve(self.index.all_files().count());
        tell_libraries(&self.index, &mut names.workspace);
        let mut heads = None;
        for (id, file) in self.index.all_files() {
            let number = id.0 as usize;
            if names.known.len() <= number {
                names.known.resize(number + 1, None);
            }
            let path = self.name_path(file);
            // Its path alone: to look into it would read it, and this looks at every file.
            let known_path = names.workspace.path(id.0);
            let hash = file.facts.summary().hash;
            let is_same =
                names.known[number] == Some(hash) && known_path.is_none_or(|known| known == path);
            if is_same {
                continue;
            }
            names.known[number] = Some(hash);
            if self.join_shelved(names, (id, file), &path, &mut heads) {
                continue;
            }
            match self.bindings_of(file) {
                Some((dialect, bytes)) if self.index.is_external(id) => {
                    names.workspace.insert_external(id.0, &path, dialect, bytes);
                }
                Some((dialect, bytes)) => {
                    names.workspace.insert_encoded(id.0, &path, dialect, bytes);
                }
                None => names.workspace.remove(id.0),
            }
        }
        names.revision = Some(self.revision);
    }

    /// Joins the names of a file that a cache keeps, whose bindings stay there. `heads` are read the first time. False
    /// where that cannot be.
    fn join_shelved(
        &self,
        names: &mut ReferenceIndex,
        (id, file): (FileId, &IndexedFile),
        path: &str,
        heads: &mut Option<Option<Heads>>,
    ) -> bool {
        let (Some(cache), Some(number)) = (&self.cache, file.facts.cached_number()) else {
            return false;
        };
        let Some(heads) = heads.get_or_insert_with(|| cache.heads()) else {
            return false;
        };
        let Some(entries) = cache.head_of(heads, number) else {
            return false;
        };
        let of = LazyFile {
            path,
            dialect: dialect(file.facts.summary().language),
            source: Arc::clone(cache) as _,
            number,
        };
        let head = (heads.numbers.as_slice(), &entries);
        names
            .workspace
            .insert_lazy(id.0, &of, &mut heads.names, head)
    }

    /// The first number that no file has.
    #[must_use]
    pub fn first_free_file(&self) -> u32 {
        let numbers = self.index.all_files().map(|(id, _)| id.0 + 1);
        numbers.max().unwrap_or_default()
    }

    /// A file's path as modules see it.
    pub(crate) fn name_path<'f>(&self, file: &'f IndexedFile) -> Cow<'f, str> {
        path_in_names(self, file.root, &file.path)
    }

    /// The bindings of a file as bytes, and their language.
    pub fn bindings_of(&self, file: &IndexedFile) -> Option<(Dialect, Arc<[u8]>)> {
        let dialect = dialect(file.facts.summary().language);
        let kept = match (&self.cache, file.facts.cached_number()) {
            (Some(cache), Some(number)) => cache.bindings(number),
            _ => Some(file.facts.bindings.0.clone()),
        };
        if let Some(bytes) = kept.filter(|bytes| !bytes.is_empty()) {
            return Some((dialect, bytes));
        }
        // A text that is being edited.
        let root = self.workspace.roots.get(file.root as usize)?;
        let document = self.documents.get(&absolute_path(root, &file.path))?;
        let bindings = bindings_of_text(&file.path, document.text())?;
        Some((dialect, encode(bindings).into()))
    }
}
