//! Files that a cache keeps: put into the index unread, read again where the cache turns out to be damaged, and
//! written to the next one.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::Arc;

use codecortex_index::{FactsSource, FileId, IndexedFile};
use codecortex_protocol::paths::{WorkspacePath, place_of};
use codecortex_protocol::{Effect, FileRef, Outbox, StatsEntry};
use codecortex_syntax::SkipReason;
use rustc_hash::FxHashSet;

use crate::analysis::Analysis;
use crate::cache::bytes::CacheBytes;
use crate::cache::export::{Exported, ExportedContent, ExportedFacts};
use crate::cache::{CachedFacts, Import, export, key};
use crate::reference_index::ReferenceIndex;
use crate::workspace::{FileState, Status, WorkspaceFolders};

impl Analysis {
    /// Gives the engine an earlier export, before `configure`. False for bytes it cannot use.
    pub fn import_cache(&mut self, bytes: impl CacheBytes + 'static) -> bool {
        self.import = Import::from_bytes(Box::new(bytes));
        self.import.is_some()
    }

    /// Another index begins, of which nothing is kept but what the cache that was imported has.
    pub fn attach_cache(&mut self) {
        if self.cache.take().is_some() {
            // It reads from there.
            *self.names.get_mut() = ReferenceIndex::default();
        }
        if let Some(import) = &mut self.import {
            import.begin();
            if let [_] = self.workspace.roots.as_slice() {
                self.index.reserve(0, import.cache.file_count());
            }
            self.cache = Some(Arc::clone(&import.cache));
        }
        self.is_cache_verified = false;
    }

    /// Whether the cache had the file as it is now.
    pub fn take_from_cache(&mut self, file: &FileRef) -> bool {
        let (Some(import), Some(state)) =
            (&mut self.import, self.workspace.file(file.root, &file.path))
        else {
            return false;
        };
        let force = self.force.get(&file.root);
        if force.is_some_and(|force| force.contains(&file.path)) {
            return false;
        }
        let stat = state.stat;
        let key = cache_key(&self.workspace, file.root, &file.path);
        let found = import.cache.get(&key, stat, &self.config);
        let place = (file.root, file.path.as_str());
        let status = match found {
            None => return false,
            Some(CachedFacts::Skipped(reason)) => {
                self.replace(place.0, place.1, None);
                Status::Skipped(reason)
            }
            Some(CachedFacts::Facts {
                number,
                is_names,
                brief,
            }) => {
                let cache: Arc<dyn FactsSource> = Arc::clone(&import.cache) as _;
                let index = &mut self.index;
                self.revision += 1;
                self.recent
                    .get_mut()
                    .put(index, place, self.revision, |index| {
                        let (names, declared) = import.declared_in(number);
                        let kept = (brief, &cache, number);
                        Some(index.insert_lazy(place, kept, names, declared))
                    });
                self.touched.push((place.0, place.1.into()));
                match is_names {
                    true => Status::Names,
                    false => Status::Indexed,
                }
            }
        };
        self.settle(place, FileState { stat, status });
        true
    }

    /// Has files read again of which the cache does not have what it had when they were put into the index. Which.
    pub fn mend(&mut self, outbox: &mut Outbox) -> Vec<WorkspacePath> {
        let damaged = self.cache.as_ref().map(|cache| cache.take_damaged());
        let damaged: FxHashSet<u32> = damaged.into_iter().flatten().collect();
        if damaged.is_empty() {
            return Vec::new();
        }
        let is_damaged = |(_, file): &(FileId, &IndexedFile)| {
            let number = file.facts.cached_number();
            number.is_some_and(|number| damaged.contains(&number))
        };
        let files = self.index.files().filter(is_damaged);
        let files: Vec<(FileId, WorkspacePath)> = files
            .map(|(id, file)| {
                let (root, path) = (file.root, file.path.to_string());
                (id, WorkspacePath { root, path })
            })
            .collect();
        for (id, place) in &files {
            self.names.get_mut().distrust(id.0);
            if let Some(state) = self.workspace.file(place.root, &place.path) {
                let status = Status::Pending;
                let state = FileState { status, ..*state };
                self.workspace.set(place.root, &place.path, state);
            }
        }
        let places: Vec<WorkspacePath> = files.into_iter().map(|(_, place)| place).collect();
        let files = places.iter().map(|place| FileRef {
            root: place.root,
            path: place.path.clone(),
        });
        self.read(outbox, files.collect());
        places
    }

    /// Whether all that the cache keeps of the index is there, for who is about to rely on all of it; what is not is
    /// read again.
    pub fn is_cache_whole(&mut self, outbox: &mut Outbox) -> bool {
        if let Some(cache) = self.cache.as_ref().filter(|_| !self.is_cache_verified) {
            cache.verify();
            self.is_cache_verified = true;
        }
        self.mend(outbox).is_empty()
    }

    /// What language providers taught, as the imported cache has it.
    #[must_use]
    pub fn imported_lessons(&self) -> &[StatsEntry] {
        let import = self.import.as_ref();
        import.map_or(&[], |import| import.cache.learned())
    }

    /// Lets go of what was kept of an earlier run.
    pub fn forget_import(&mut self) {
        self.import = None;
    }

    /// A file was read that the last export or import does not have.
    pub fn note_unsaved(&mut self) {
        self.unsaved_outcomes += 1;
        self.save_asked = false;
    }

    /// Has the host save the cache, once for what is new. Without digests it would be no cache of the files.
    pub fn save_if_due(&mut self, outbox: &mut Outbox) {
        let is_whole = !self.memory.is_without_bodies();
        if self.unsaved_outcomes > 0 && !self.save_asked && is_whole {
            self.save_asked = true;
            outbox.push(Effect::SaveCache);
        }
    }

    /// Writes the same as it is made, so that it is nowhere whole. Fails where `out` does; what was written then is no
    /// cache.
    pub fn write_cache(
        &mut self,
        out: &mut dyn Write,
        learned: Vec<StatsEntry>,
        now_ms: f64,
    ) -> io::Result<()> {
        self.unsaved_outcomes = 0;
        self.save_asked = false;
        let workspace = &self.workspace;
        let open: BTreeSet<WorkspacePath> = self
            .documents
            .keys()
            .filter_map(|path| place_of(path, &workspace.roots))
            .collect();
        let files = workspace.files().filter_map(|(root, path, file)| {
            let place = WorkspacePath {
                root,
                path: path.to_owned(),
            };
            // An open document's facts may be of text that the disk does not have.
            if open.contains(&place) {
                return None;
            }
            let content = match &file.status {
                Status::Pending | Status::Skipped(SkipReason::Unreadable(_)) => return None,
                Status::Indexed => self.exported(&place, false)?,
                Status::Names => self.exported(&place, true)?,
                Status::Skipped(reason) => ExportedContent::Skipped(reason.clone()),
            };
            Some(Exported {
                key: cache_key(workspace, root, path),
                stat: file.stat,
                content,
            })
        });
        export(out, files, learned, &self.config, now_ms)
    }

    fn exported(&self, place: &WorkspacePath, is_names: bool) -> Option<ExportedContent<'_>> {
        let file = self
            .index
            .file(self.index.file_id(place.root, &place.path)?)?;
        let facts = match (file.facts.cached_number(), &self.cache) {
            (Some(number), Some(cache)) => {
                // What is damaged is not kept any longer, so that the next start reads it.
                let (facts, bindings, packed) = cache.whole(number)?;
                ExportedFacts {
                    is_names,
                    facts: Cow::Owned(facts),
                    bindings,
                    packed: Some(packed),
                }
            }
            _ => ExportedFacts {
                is_names,
                facts: Cow::Borrowed(&file.facts),
                bindings: file.facts.bindings.0.clone(),
                packed: None,
            },
        };
        Some(ExportedContent::Facts(Box::new(facts)))
    }
}

/// The key of a file. What was made of it by a folder's own limits is not what other limits make of it.
fn cache_key(workspace: &WorkspaceFolders, root: u32, path: &str) -> String {
    let folder = &workspace.roots[root as usize].path;
    let key = key(folder, path);
    match workspace.folder_limits(root) {
        None => key,
        Some(limits) => format!(
            "{key}\0{}\0{}",
            limits.max_file_size, limits.exclude_generated
        ),
    }
}
