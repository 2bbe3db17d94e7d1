//! The tables: files with their facts, and names with the symbols that bear them.

use std::cell::{Cell, OnceCell, RefCell};
use std::sync::Arc;

use codecortex_syntax::{Facts, FileSummary, Item, ItemIndex, Language, Reuse};
use rustc_hash::FxHashMap;

use crate::doc_index::DocIndex;
use crate::entry::{NameEntry, put};
use crate::file_facts::{FactsSource, FileFacts, IndexedFile};
use crate::fold::lower;
use crate::lazy::{DeclaredNames, LazyEntry};
use crate::module::{crate_folder, module_segments};
use crate::modules::Modules;
use crate::names::{NameRow, NameTable};
use crate::overlay::{Overlay, OverlayFiles};
use crate::segments::{Segment, segments_of, written_path};
use crate::sorted_names::SortedNames;
use crate::symbol::{FileId, Symbol};

/// The joined facts of all files.
#[derive(Clone, Debug, Default)]
pub struct Index {
    files: Vec<Option<IndexedFile>>,
    free: Vec<FileId>,
    /// For each folder, by relative path.
    by_path: Vec<FxHashMap<Box<str>, FileId>>,
    /// Where each file stands when all are sorted by path.
    places: OnceCell<Vec<u32>>,
    /// Files by the parts of their paths, in lower case and without endings.
    path_parts: OnceCell<FxHashMap<Box<str>, Vec<FileId>>>,
    /// What documentation says; made by the second search.
    pub(crate) docs: RefCell<DocIndex>,
    pub(crate) is_searched: Cell<bool>,
    pub(crate) names: NameTable,
    /// The same in their order; made by the first question that needs it.
    pub(crate) sorted_names: RefCell<SortedNames>,
    /// Files by their modules; made by the first question that needs it.
    pub(crate) modules: RefCell<Modules>,
    /// What manifests call the crates of Rust in a workspace folder, by their own folder.
    crates: FxHashMap<(u32, String), String>,
    symbols: usize,
    lines: u64,
    /// How many files of the workspace there are of each language.
    languages: FxHashMap<Language, usize>,
    /// Files from this folder on are not of the workspace: they declare what it uses (SPEC AS3).
    external_root: Option<u32>,
    /// Keeps the facts of files that were not read.
    pub(crate) source: Option<Arc<dyn FactsSource>>,
    /// Declarations of generated code that were read for a question.
    pub(crate) overlay: OverlayFiles,
}

impl Index {
    /// An empty index.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of files of the workspace.
    #[must_use]
    pub fn file_count(&self) -> usize {
        let own = self.external_root.map_or(usize::MAX, |root| root as usize);
        self.by_path.iter().take(own).map(FxHashMap::len).sum()
    }

    /// Says which folder has the files that are not of the workspace; before any of them is inserted.
    pub fn set_external_root(&mut self, root: u32) {
        self.external_root = Some(root);
    }

    /// Whether a file is not of the workspace, but declares what it uses.
    #[must_use]
    pub fn is_external(&self, id: FileId) -> bool {
        self.external_root.is_some() && self.file(id).is_some_and(|file| self.is_outside(file.root))
    }

    /// Whether a folder is that of files that are not of the workspace.
    #[must_use]
    pub fn is_outside(&self, root: u32) -> bool {
        self.external_root.is_some_and(|external| root >= external)
    }

    /// Number of declarations.
    #[must_use]
    pub fn symbol_count(&self) -> usize {
        self.symbols
    }

    /// Whether a file of the workspace is of a language.
    #[must_use]
    pub fn has_language(&self, language: Language) -> bool {
        self.languages
            .get(&language)
            .is_some_and(|files| *files > 0)
    }

    /// Number of lines.
    #[must_use]
    pub fn line_count(&self) -> u64 {
        self.lines
    }

    /// Makes room for so many files of a folder.
    pub fn reserve(&mut self, root: u32, files: usize) {
        self.files.reserve(files);
        self.paths_of(root).reserve(files);
    }

    /// The files of a folder by their paths.
    fn paths_of(&mut self, root: u32) -> &mut FxHashMap<Box<str>, FileId> {
        if self.by_path.len() <= root as usize {
            self.by_path
                .resize_with(root as usize + 1, FxHashMap::default);
        }
        &mut self.by_path[root as usize]
    }

    /// Adds a file, or replaces what was known of it.
    pub fn insert(&mut self, root: u32, path: &str, facts: impl Into<FileFacts>) -> FileId {
        let facts = facts.into();
        let id = self.vacate(root, path);
        for item in 0..facts.items.len() as ItemIndex {
            NameEntry::from_facts(&facts, item).put(&mut self.names, id, item);
        }
        self.occupy(id, (root, path), facts);
        id
    }

    /// Puts a file in whose facts a cache keeps under a number, in place of what was known of it. `declared` says what its
    /// declarations are called, by numbers of `names`; a number that is none of them says nothing.
    pub fn insert_lazy(
        &mut self,
        (root, path): (u32, &str),
        (brief, source, number): (FileSummary, &Arc<dyn FactsSource>, u32),
        names: &mut DeclaredNames,
        declared: impl Iterator<Item = LazyEntry<u32>>,
    ) -> FileId {
        if self.names.len() == 0 {
            let texts = names.texts();
            self.names.reserve(texts.len(), texts.texts().len());
        }
        let id = self.vacate(root, path);
        for (item, declared) in declared.enumerate() {
            let symbol = Symbol {
                file: id,
                item: item as ItemIndex,
            };
            if let Some(place) = names.place_in(&mut self.names, declared.name) {
                put(&mut self.names[place as usize].symbols, symbol);
            }
            let container = declared.container;
            let place = container.and_then(|name| names.place_in(&mut self.names, name));
            if let Some(place) = place {
                put(&mut self.names[place as usize].outside_members, symbol);
            }
        }
        let facts = FileFacts::lazy(brief, Arc::clone(source), number);
        self.occupy(id, (root, path), facts);
        self.source = Some(Arc::clone(source));
        id
    }

    /// The id of a file, of which nothing else is known any more.
    fn vacate(&mut self, root: u32, path: &str) -> FileId {
        match self.file_id(root, path) {
            Some(id) => {
                self.take_out(id);
                id
            }
            None => self.new_id(root, path),
        }
    }

    /// Puts facts in the place of a file, whose names are in the table.
    fn occupy(&mut self, id: FileId, (root, path): (u32, &str), facts: FileFacts) {
        if !self.is_outside(root) {
            self.lines += u64::from(facts.summary().lines);
            self.symbols += facts.summary().items as usize;
            *self.languages.entry(facts.summary().language).or_default() += 1;
        }
        self.docs.get_mut().note(id);
        self.note_module(id, path);
        self.files[id.0 as usize] = Some(IndexedFile {
            root,
            path: path.into(),
            facts,
        });
    }

    /// Notes that the module of a file may be another: of a file that makes its folder a package, those of others too.
    fn note_module(&mut self, id: FileId, path: &str) {
        let name = path.rsplit('/').next().unwrap_or(path);
        match name.starts_with("__init__.") {
            true => self.modules.get_mut().clear(),
            false => self.modules.get_mut().note(id),
        }
    }

    /// Exchanges the facts of a file for those after an edit. What bears the same names stays where it
    /// is in the tables.
    pub fn exchange(&mut self, id: FileId, facts: Facts, reuse: &Reuse) {
        self.overlay.remove(id);
        let Some(file) = self.files.get_mut(id.0 as usize).and_then(Option::as_mut) else {
            return;
        };
        let (was, is) = (*file.facts.summary(), facts.summary());
        self.lines = self.lines - u64::from(was.lines) + u64::from(is.lines);
        self.symbols = self.symbols + is.items as usize - was.items as usize;
        if was.language != is.language {
            if let Some(files) = self.languages.get_mut(&was.language) {
                *files -= 1;
            }
            *self.languages.entry(is.language).or_default() += 1;
        }
        let before = std::mem::replace(&mut file.facts, facts.into());
        if !reuse.same_docs {
            self.docs.get_mut().note(id);
        }
        self.modules.get_mut().note(id);
        if reuse.same_names && reuse.removed == reuse.added {
            return;
        }
        let after = &file.facts;
        let (first, end) = (reuse.first, reuse.first + reuse.removed);
        for item in first..end {
            NameEntry::from_facts(&before, item).take_out(&mut self.names, id, item);
        }
        // What stands behind has other numbers; the last is moved first where they grow, so that no two
        // have the same.
        let behind = end..before.items.len() as ItemIndex;
        let mut shift = |item: ItemIndex| {
            let now = item - reuse.removed + reuse.added;
            NameEntry::from_facts(&before, item).renumber(&mut self.names, id, item, now);
        };
        if reuse.added > reuse.removed {
            behind.rev().for_each(&mut shift);
        } else if reuse.added < reuse.removed {
            behind.for_each(&mut shift);
        }
        for item in first..first + reuse.added {
            NameEntry::from_facts(after, item).put(&mut self.names, id, item);
        }
    }

    fn new_id(&mut self, root: u32, path: &str) -> FileId {
        let id = self.free.pop().unwrap_or_else(|| {
            self.files.push(None);
            FileId(self.files.len() as u32 - 1)
        });
        self.paths_of(root).insert(path.into(), id);
        self.places = OnceCell::new();
        self.path_parts = OnceCell::new();
        id
    }

    /// Forgets a file. Whether it was known.
    pub fn remove(&mut self, root: u32, path: &str) -> bool {
        let known = self.by_path.get_mut(root as usize);
        let Some(id) = known.and_then(|known| known.remove(path)) else {
            return false;
        };
        self.take_out(id);
        self.docs.get_mut().note(id);
        self.note_module(id, path);
        self.free.push(id);
        self.places = OnceCell::new();
        self.path_parts = OnceCell::new();
        true
    }

    /// Takes everything about a file out of the tables.
    fn take_out(&mut self, id: FileId) {
        self.overlay.remove(id);
        let Some(file) = self.files[id.0 as usize].take() else {
            return;
        };
        let brief = *file.facts.summary();
        if !self.is_outside(file.root) {
            self.lines -= u64::from(brief.lines);
            self.symbols -= brief.items as usize;
            if let Some(files) = self.languages.get_mut(&brief.language) {
                *files -= 1;
            }
        }
        if file.facts.items.len() != brief.items as usize {
            return self.take_out_everywhere(id);
        }
        for item in 0..brief.items {
            NameEntry::from_facts(&file.facts, item).take_out(&mut self.names, id, item);
        }
    }

    /// Takes everything about a file out whose facts cannot be read any more, which looks at every name.
    fn take_out_everywhere(&mut self, id: FileId) {
        for name in self.names.values_mut() {
            name.symbols.retain(|symbol| symbol.file != id);
            name.outside_members.retain(|symbol| symbol.file != id);
        }
    }

    /// Where each file stands when all are sorted by path, by its id.
    pub(crate) fn places(&self) -> &[u32] {
        self.places.get_or_init(|| {
            let mut sorted: Vec<(FileId, &IndexedFile)> = self.all_files().collect();
            sorted.sort_unstable_by(|(_, a), (_, b)| (&a.path, a.root).cmp(&(&b.path, b.root)));
            let mut places = vec![0; self.files.len()];
            for (place, (id, _)) in sorted.into_iter().enumerate() {
                places[id.0 as usize] = place as u32;
            }
            places
        })
    }

    /// The files with a folder, or a name but for its ending, that is called so, which is in lower case.
    pub(crate) fn files_with_part(&self, part: &str) -> &[FileId] {
        let parts = self.path_parts.get_or_init(|| {
            let mut parts: FxHashMap<Box<str>, Vec<FileId>> = FxHashMap::default();
            for (id, file) in self.files() {
                for segment in file.path.split('/') {
                    let stem = segment.split('.').next().unwrap_or(segment);
                    let files = parts.entry(lower(stem).into()).or_default();
                    if files.last() != Some(&id) {
                        files.push(id);
                    }
                }
            }
            parts
        });
        parts.get(part).map_or(&[], Vec::as_slice)
    }

    /// A file by its folder and relative path.
    #[must_use]
    pub fn file_id(&self, root: u32, path: &str) -> Option<FileId> {
        self.by_path.get(root as usize)?.get(path).copied()
    }

    /// A file, with the declarations that lie over it where there are some.
    #[must_use]
    pub fn file(&self, id: FileId) -> Option<&IndexedFile> {
        let over = self.overlay.file(id);
        over.or_else(|| self.files.get(id.0 as usize)?.as_ref())
    }

    /// Every file of the workspace, in no order that means anything.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &IndexedFile)> {
        self.all_files()
            .filter(|(_, file)| !self.is_outside(file.root))
    }

    /// The same, and the files that are not of the workspace.
    pub fn all_files(&self) -> impl Iterator<Item = (FileId, &IndexedFile)> {
        self.files
            .iter()
            .enumerate()
            .filter_map(|(index, file)| Some((FileId(index as u32), file.as_ref()?)))
    }

    /// A symbol's file and item; `None` when the file has changed under the symbol.
    #[must_use]
    pub fn get(&self, symbol: Symbol) -> Option<(&IndexedFile, &Item)> {
        let file = self.file(symbol.file)?;
        Some((file, file.facts.items.get(symbol.item as usize)?))
    }

    /// Symbols of a simple name in any case.
    #[must_use]
    pub fn named(&self, name: &str) -> &[Symbol] {
        self.names
            .get(lower(name).as_str())
            .map_or(&[], |name| &name.symbols)
    }

    /// The path segments of a symbol, outermost first: module, containers, name.
    #[must_use]
    pub fn segments(&self, symbol: Symbol) -> Vec<Segment<'_>> {
        let Some((file, _)) = self.get(symbol) else {
            return Vec::new();
        };
        segments_of(&file.facts, symbol.item, self.module_segments(file))
    }

    /// Path segments, outermost first, that precede every declaration of a file.
    #[must_use]
    pub fn module_segments<'a>(&self, file: &'a IndexedFile) -> Vec<&'a str> {
        module_segments(file, |path| self.file_id(file.root, path).is_some())
    }

    /// Whether the path of a file's module ends with these names; of Rust, `crate` or the crate's name may stand first
    /// and alone.
    #[must_use]
    pub fn is_module_called(&self, file: &IndexedFile, names: &[String]) -> bool {
        let own = self.module_segments(file);
        let Some((first, behind)) = names.split_first() else {
            return false;
        };
        let from_end = own.len().checked_sub(names.len());
        if from_end.is_some_and(|start| own[start..] == *names) {
            return true;
        }
        // Paths of the index begin with the crate's folder, where that is not the root.
        let folder = crate_folder(&file.path).is_some_and(|folder| !folder.is_empty());
        let inside = own.get(usize::from(folder)..);
        file.facts.language == Language::Rust
            && inside.is_some_and(|inside| *inside == *behind)
            && (first == "crate" || self.crate_name(file).is_some_and(|name| name == *first))
    }

    /// Tells what manifests call the crates of a workspace folder, each by its own folder (empty: the workspace folder
    /// itself) with `_` for `-`; what was told of that folder before no longer holds.
    pub fn set_crate_names(
        &mut self,
        root: u32,
        names: impl IntoIterator<Item = (String, String)>,
    ) {
        self.modules.get_mut().clear();
        self.crates.retain(|(of, _), _| *of != root);
        let names = names.into_iter();
        self.crates
            .extend(names.map(|(folder, name)| ((root, folder), name)));
    }

    /// What the crate of a file of Rust is called in paths: by its manifest, else by its folder.
    pub(crate) fn crate_name(&self, file: &IndexedFile) -> Option<String> {
        let folder = crate_folder(&file.path)?;
        if let Some(name) = self.crates.get(&(file.root, folder.to_owned())) {
            return Some(name.clone());
        }
        let last = folder.rsplit('/').next().unwrap_or(folder);
        (!last.is_empty()).then(|| last.replace('-', "_"))
    }

    /// The full path of a symbol as its language writes it (SPEC S1).
    #[must_use]
    pub fn path_of(&self, symbol: Symbol) -> String {
        let Some((file, _)) = self.get(symbol) else {
            return String::new();
        };
        written_path(file, &self.segments(symbol))
    }

    /// Lays the declarations of a file over what the tables have of it, until it changes or the overlay is cleared.
    pub fn put_over(&mut self, id: FileId, facts: Facts) {
        let Some(known) = self.files.get(id.0 as usize).and_then(Option::as_ref) else {
            return;
        };
        let file = IndexedFile {
            root: known.root,
            path: known.path.clone(),
            facts: facts.into(),
        };
        self.overlay.put(id, file);
    }

    /// Takes away all that lies over the tables.
    pub fn clear_overlay(&mut self) {
        self.overlay = OverlayFiles::default();
    }

    /// What look-ups by name that begin at a symbol see: one of generated code belongs to what lies over the tables.
    pub(crate) fn overlay_at(&self, symbol: Symbol, overlay: Overlay) -> Overlay {
        match self.overlay.file(symbol.file) {
            Some(_) => Overlay::Shown,
            None => overlay,
        }
    }

    /// Symbols of a simple name in any case.
    pub(crate) fn named_in(
        &self,
        name: &str,
        overlay: Overlay,
    ) -> impl Iterator<Item = Symbol> + use<'_> {
        let names = self.names_called(&lower(name), overlay);
        names.flat_map(|name| name.symbols.iter().copied())
    }

    /// Members that are written outside of a type, or a namespace, whose name in lower case is this.
    pub(crate) fn outside_members_named(
        &self,
        lower: &str,
        overlay: Overlay,
    ) -> impl Iterator<Item = Symbol> + use<'_> {
        let names = self.names_called(lower, overlay);
        names.flat_map(|name| name.outside_members.iter().copied())
    }

    /// A file as a look-up by name sees it.
    pub(crate) fn file_in(&self, id: FileId, overlay: Overlay) -> Option<&IndexedFile> {
        match overlay {
            Overlay::Shown => self.file(id),
            Overlay::Hidden => self.files.get(id.0 as usize)?.as_ref(),
        }
    }

    fn names_called(
        &self,
        lower: &str,
        overlay: Overlay,
    ) -> impl Iterator<Item = &NameRow> + use<'_> {
        let over = match overlay {
            Overlay::Shown => self.overlay.names().get(lower),
            Overlay::Hidden => None,
        };
        self.names.get(lower).into_iter().chain(over)
    }

    /// Lets go of the tables that make searches fast; the next search makes them again.
    pub fn drop_search_tables(&mut self) {
        *self.docs.get_mut() = DocIndex::default();
        *self.sorted_names.get_mut() = SortedNames::default();
        self.is_searched.set(false);
    }

    /// Lets go of every digest: nothing can be hashed any more until files are read again.
    pub fn drop_layers(&mut self) {
        for file in self.files.iter_mut().flatten() {
            file.facts.drop_layers();
        }
    }

    /// Bytes of memory the index holds, roughly.
    #[must_use]
    pub fn memory(&self) -> usize {
        let files: usize = self
            .all_files()
            .map(|(_, file)| file.facts.memory() + 2 * file.path.len())
            .sum();
        files + self.names.memory() + self.docs.borrow().memory()
    }
}
