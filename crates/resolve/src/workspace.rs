//! All files' bindings joined: interned names, postings, members of namespaces, exports by name.
//!
//! Everything here is kept per file by taking out what was and putting in what is; nothing is resolved
//! until somebody asks.

use std::cmp;
use std::hash::Hash;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use codecortex_bind::facts::{DefId, NONE, NameId, ScopeId};
use codecortex_bind::{Bindings, Dialect, Exports, decode_body, decode_head, encode};
use codecortex_text::{Interner, Strings};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bindings_source::Bytes;
use crate::case_folding::CaseFolding;
use crate::exports::{ExportChanges, ExportDigests};
use crate::exprs::Packing;
use crate::file::BoundFile;
use crate::hints::Hints;
use crate::ids::{DefRef, FileNo, Name};
use crate::lang::{LanguageRules, Languages};
use crate::missing_modules::MissingRecord;
use crate::paths::split_path;
use crate::postings::Postings;
use crate::scripts::ScriptRules;
use crate::standard_library::{self, StandardLibraries};

/// Most bytes of the languages' own libraries that stay read between questions: all that a million lines use.
const MAX_OF_LIBRARIES: usize = 24 << 20;

/// Definitions by a name.
type DefinitionsByName = FxHashMap<Name, Vec<DefRef>>;

/// A file that is read when somebody looks into it.
#[derive(Debug)]
struct Slot {
    path: Arc<str>,
    dialect: Dialect,
    rules: &'static dyn LanguageRules,
    /// The file's names.
    names: Arc<[Name]>,
    /// A bit for each of them: whether a use of it may lead to another file.
    outward: Box<[u8]>,
    bytes: Bytes,
    /// Nothing in it where the bytes are damaged.
    bound: OnceLock<Option<Box<BoundFile>>>,
    /// The round ([`Workspace::forget_beyond`]) in which somebody last looked into it.
    used: AtomicU32,
}

/// The joined bindings of all files.
#[derive(Debug)]
pub struct Workspace {
    languages: &'static Languages,
    names: Interner,
    case_folding: CaseFolding,
    files: Vec<Option<Slot>>,
    by_path: FxHashMap<Arc<str>, FileNo>,
    by_folder: FxHashMap<Box<str>, Vec<FileNo>>,
    by_file_name: FxHashMap<Box<str>, Vec<FileNo>>,
    /// Files in which a name occurs at all.
    postings: Postings,
    /// What an open namespace holds, by its whole path and the name.
    members: FxHashMap<(Name, Name), Vec<DefRef>>,
    /// Parts of open namespaces, by whole path.
    namespaces: FxHashMap<Name, Vec<(FileNo, ScopeId)>>,
    /// Definitions in file scopes, by name: what is global in languages that have globals.
    globals: FxHashMap<Name, Vec<DefRef>>,
    /// What is written outside of its type, by the last name of the type: `impl`s and loose members.
    outside: FxHashMap<Name, Vec<DefRef>>,
    /// Functions that add themselves to a type, by name.
    extensions: FxHashMap<Name, Vec<DefRef>>,
    /// Types (and `impl`s) that name a base, by the last name of the base.
    derived: FxHashMap<Name, Vec<(FileNo, u32)>>,
    /// Aliases of another name than their target's, by the target's name: importing files rename it.
    renamed: FxHashMap<Name, Vec<DefRef>>,
    /// Files that are not of the workspace: they declare what it uses, and nobody asks for their own uses.
    external: FxHashSet<FileNo>,
    /// The languages' own libraries.
    pub(crate) libraries: StandardLibraries,
    /// What manifests say.
    hints: Hints,
    /// What is said of scripts.
    scripts: ScriptRules,
    /// Modules that questions met and that no file has.
    pub(crate) missing: MissingRecord,
    /// Counts changes.
    revision: u64,
    /// Bytes of all that was read, roughly; what damaged bytes gave is not counted.
    read_bytes: AtomicUsize,
    /// Counts rounds of questions.
    round: u32,
    /// Names of types that may mean something else since somebody asked.
    pub(crate) changes: ExportChanges,
}

impl Workspace {
    /// An empty workspace for files of these languages.
    #[must_use]
    pub fn new(languages: &'static Languages) -> Self {
        Self {
            languages,
            names: Interner::default(),
            case_folding: CaseFolding::default(),
            files: Vec::default(),
            by_path: FxHashMap::default(),
            by_folder: FxHashMap::default(),
            by_file_name: FxHashMap::default(),
            postings: Postings::default(),
            members: FxHashMap::default(),
            namespaces: FxHashMap::default(),
            globals: FxHashMap::default(),
            outside: FxHashMap::default(),
            extensions: FxHashMap::default(),
            derived: FxHashMap::default(),
            renamed: FxHashMap::default(),
            external: FxHashSet::default(),
            libraries: StandardLibraries::default(),
            hints: Hints::default(),
            scripts: ScriptRules::default(),
            missing: MissingRecord::default(),
            revision: 0,
            read_bytes: AtomicUsize::default(),
            round: 0,
            changes: ExportChanges::default(),
        }
    }

    /// Counts changes: what was resolved before the last one may be different now.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Bytes of memory it holds, roughly.
    #[must_use]
    pub fn memory(&self) -> usize {
        let slots = self.files.iter().flatten();
        let of_slot = |slot: &Slot| size_of_val(&*slot.names) + slot.outward.len();
        let files: usize = slots.map(of_slot).sum();
        let files = files + self.read_bytes.load(Ordering::Relaxed);
        let members: usize = self
            .members
            .values()
            .map(|defs| 8 * defs.capacity() + 48)
            .sum();
        let globals: usize = self
            .globals
            .values()
            .map(|defs| 8 * defs.capacity() + 40)
            .sum();
        let names = self.names.memory() + self.libraries.memory();
        files + self.postings.memory() + members + globals + names
    }

    /// Bytes of all that was read of files' insides, roughly.
    #[must_use]
    pub fn read_bytes(&self) -> usize {
        self.read_bytes.load(Ordering::Relaxed)
    }

    /// What manifests say about modules.
    #[must_use]
    pub fn hints(&self) -> &Hints {
        &self.hints
    }

    /// Says what manifests say about modules.
    pub fn set_hints(&mut self, hints: Hints) {
        if self.hints != hints {
            self.hints = hints;
            self.changes.note_all();
            self.revision += 1;
        }
    }

    /// What is said of scripts.
    #[must_use]
    pub fn scripts(&self) -> &ScriptRules {
        &self.scripts
    }

    /// Says how scripts are read.
    pub fn set_scripts(&mut self, scripts: ScriptRules) {
        if self.scripts != scripts {
            self.scripts = scripts;
            self.changes.note_all();
            self.revision += 1;
        }
    }

    /// The number of a name, if it occurs anywhere, or did when files were put in from a cache.
    #[must_use]
    pub fn name(&self, name: &str) -> Option<Name> {
        let own = self.names.number_of(name).map(Name);
        own.or_else(|| self.libraries.names.name(name))
    }

    /// How many names there are; they are numbered from nothing.
    pub(crate) fn name_count(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn case_folding(&self) -> &CaseFolding {
        &self.case_folding
    }

    /// The names whose text is as somebody wants it.
    pub(crate) fn names_where(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<Name> {
        let names = self.names.strings().iter().zip(0..);
        let wanted = names.filter(|(text, _)| is_wanted(text));
        wanted.map(|(_, number)| Name(number)).collect()
    }

    /// The text of a name.
    #[must_use]
    pub fn text(&self, sym: Name) -> &str {
        let own = self.names.strings().get(sym.0);
        own.or_else(|| self.libraries.names.text(sym)).unwrap_or("")
    }

    /// The file; read the first time that somebody looks into it.
    #[must_use]
    pub fn file(&self, file: FileNo) -> Option<&BoundFile> {
        if standard_library::is_library(file) {
            return self.library_file(file);
        }
        let slot = self.files.get(file as usize)?.as_ref()?;
        let bound = slot.bound.get_or_init(|| {
            let mut exprs = Packing::default();
            let take = |of: usize, expr: &_| exprs.push(of, expr);
            let bindings = decode_body(&slot.bytes.get()?, slot.names.len(), take)?;
            let of = (&*slot.path, slot.dialect, &slot.names);
            let read = BoundFile::new(of, bindings, exprs.finish());
            self.read_bytes.fetch_add(read.memory(), Ordering::Relaxed);
            Some(Box::new(read))
        });
        if slot.used.load(Ordering::Relaxed) != self.round {
            slot.used.store(self.round, Ordering::Relaxed);
        }
        bound.as_deref()
    }

    /// Ends a round of questions: where more than `most` bytes were read of files, those that were not
    /// looked into for the longest time are forgotten until seven eighths of that are left: what is read
    /// again costs more than looking through the list. They are read again when somebody asks for them.
    pub fn forget_beyond(&mut self, most: usize) {
        self.round = self.round.wrapping_add(1);
        if self.libraries.memory() > MAX_OF_LIBRARIES.min(most) {
            self.libraries.forget();
        }
        let read = self.read_bytes.get_mut();
        if *read <= most {
            return;
        }
        let mut slots: Vec<&mut Slot> = self
            .files
            .iter_mut()
            .flatten()
            .filter(|slot| slot.bound.get().is_some())
            .collect();
        let round = self.round;
        let age = |slot: &&mut Slot| round.wrapping_sub(slot.used.load(Ordering::Relaxed));
        slots.sort_by_key(|slot| std::cmp::Reverse(age(slot)));
        for slot in slots {
            if *read <= most / 8 * 7 {
                break;
            }
            if let Some(file) = slot.bound.take().flatten() {
                *read = read.saturating_sub(file.memory());
            }
        }
    }

    /// The language of a file.
    #[must_use]
    pub fn dialect(&self, file: FileNo) -> Option<Dialect> {
        match self.files.get(file as usize) {
            Some(slot) => slot.as_ref().map(|slot| slot.dialect),
            None => self.libraries.language(file).map(|(dialect, _)| dialect),
        }
    }

    /// The rules of a file's language.
    pub(crate) fn rules(&self, file: FileNo) -> &'static dyn LanguageRules {
        match self.files.get(file as usize) {
            Some(Some(slot)) => slot.rules,
            _ => match self.libraries.language(file) {
                Some((_, rules)) => rules,
                None => (self.languages.rules_of)(None),
            },
        }
    }

    /// The rules of a language.
    pub(crate) fn rules_of(&self, dialect: Dialect) -> &'static dyn LanguageRules {
        (self.languages.rules_of)(Some(dialect))
    }

    /// Says that the languages' own libraries are others than before.
    pub(crate) fn note_library(&mut self) {
        self.changes.note_all();
        self.revision += 1;
    }

    /// Where a file is.
    #[must_use]
    pub fn path(&self, file: FileNo) -> Option<&str> {
        match self.files.get(file as usize) {
            Some(slot) => slot.as_ref().map(|slot| &*slot.path),
            None => self.libraries.path(file),
        }
    }

    /// Every file with its path and language.
    pub fn paths(&self) -> impl Iterator<Item = (FileNo, &str, Dialect)> {
        let slots = self.files.iter().enumerate();
        slots.filter_map(|(file, slot)| {
            let slot = slot.as_ref()?;
            Some((file as FileNo, &*slot.path, slot.dialect))
        })
    }

    /// The file at this path.
    #[must_use]
    pub fn file_at(&self, path: &str) -> Option<FileNo> {
        self.by_path.get(path).copied()
    }

    /// The files right in a folder.
    #[must_use]
    pub fn files_in(&self, folder: &str) -> &[FileNo] {
        self.by_folder.get(folder).map_or(&[], Vec::as_slice)
    }

    /// Folders with files whose path begins like this, in no order.
    pub(crate) fn folders_below<'w>(&'w self, start: &'w str) -> impl Iterator<Item = &'w str> {
        let folders = self.by_folder.keys();
        folders
            .map(|folder| &**folder)
            .filter(move |folder| folder.starts_with(start))
    }

    /// The files of this name, wherever they are.
    #[must_use]
    pub fn files_named(&self, name: &str) -> &[FileNo] {
        self.by_file_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// Puts definitions into the order of paths, each of them once.
    pub(crate) fn sort(&self, defs: &mut Vec<DefRef>) {
        let order = PathOrder(&self.files);
        defs.sort_unstable_by(|a, b| order.compare(a, b));
        defs.dedup();
    }

    /// Files in which a name occurs.
    #[must_use]
    pub fn files_with(&self, name: Name) -> &[FileNo] {
        self.postings.build(name, self.names.len(), || {
            let slots = self.files.iter().enumerate();
            let slots = slots.filter(|(file, _)| !self.is_external(*file as FileNo));
            slots.filter_map(|(file, slot)| Some((file as FileNo, &*slot.as_ref()?.names)))
        })
    }

    /// Whether a file is not of the workspace, but declares what it uses.
    #[must_use]
    pub fn is_external(&self, file: FileNo) -> bool {
        standard_library::is_library(file) || self.external.contains(&file)
    }

    /// Whether a use of a name in a file may lead to another one. The file is not read for that.
    #[must_use]
    pub fn leads_outwards(&self, file: FileNo, name: Name) -> bool {
        let slot = self.files.get(file as usize).and_then(Option::as_ref);
        slot.is_some_and(|slot| {
            let local = slot.names.iter().position(|sym| *sym == name);
            local.is_some_and(|local| {
                let byte = slot.outward.get(local / 8);
                byte.is_none_or(|byte| byte & (1 << (local % 8)) != 0)
            })
        })
    }

    /// What an open namespace holds under a name.
    #[must_use]
    pub fn in_namespace(&self, namespace: Name, name: Name) -> &[DefRef] {
        self.members
            .get(&(namespace, name))
            .map_or(&[], Vec::as_slice)
    }

    /// The parts of an open namespace.
    #[must_use]
    pub fn parts_of_namespace(&self, namespace: Name) -> &[(FileNo, ScopeId)] {
        self.namespaces.get(&namespace).map_or(&[], Vec::as_slice)
    }

    /// Definitions in the outermost scope of files, by name.
    #[must_use]
    pub fn globals(&self, name: Name) -> &[DefRef] {
        self.globals.get(&name).map_or(&[], Vec::as_slice)
    }

    /// What is written outside of a type of this name.
    #[must_use]
    pub fn outside_of(&self, name: Name) -> &[DefRef] {
        self.outside.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Extension methods of this name.
    #[must_use]
    pub fn extensions(&self, name: Name) -> &[DefRef] {
        self.extensions.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Places in files' bases that name a base of this name.
    #[must_use]
    pub fn derived_from(&self, name: Name) -> &[(FileNo, u32)] {
        self.derived.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Aliases that give another name to something of this name.
    #[must_use]
    pub fn renamings(&self, name: Name) -> &[DefRef] {
        self.renamed.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Makes room for so many files; nothing else is different then.
    pub fn reserve(&mut self, files: usize) {
        let more = files.saturating_sub(self.by_path.len());
        self.files.reserve(more);
        self.by_path.reserve(more);
        self.by_file_name.reserve(more);
    }

    /// Puts a file in, or in the place of what it was before.
    pub fn insert(&mut self, file: FileNo, path: &str, dialect: Dialect, bindings: &Bindings) {
        self.insert_encoded(file, path, dialect, encode(bindings.clone()).into());
    }

    /// Puts a file in by its encoded bindings: only what other files can find of it is read now, the rest
    /// when somebody looks into it. Damaged bytes are a file that has nothing.
    pub fn insert_encoded(&mut self, file: FileNo, path: &str, dialect: Dialect, bytes: Arc<[u8]>) {
        self.begin_names();
        let Some(head) = decode_head(&bytes) else {
            return self.remove(file);
        };
        let names: Arc<[Name]> = head.names.iter().map(|name| self.intern(name)).collect();
        let of = (path, dialect, Bytes::Here(Arc::clone(&bytes)));
        self.put_in(file, of, names, &head.entries);
    }

    /// Puts a file in that is not of the workspace: what it declares can be found, but what it uses is no use (SPEC AS3).
    pub fn insert_external(
        &mut self,
        file: FileNo,
        path: &str,
        dialect: Dialect,
        bytes: Arc<[u8]>,
    ) {
        self.remove(file);
        self.external.insert(file);
        self.insert_encoded(file, path, dialect, bytes);
    }

    /// Makes sure that the words are known which languages have names for.
    fn begin_names(&mut self) {
        if self.names.is_empty() {
            self.intern_words();
        }
    }

    fn intern_words(&mut self) {
        for rules in self.languages.with_words {
            for word in rules.words() {
                self.intern(word);
            }
        }
    }

    /// Takes names in by the numbers that they have, if there are none so far; gives them back if there are.
    pub(crate) fn adopt_names(&mut self, names: Strings) -> Result<(), Strings> {
        if !self.names.is_empty() || !self.libraries.names.is_empty() {
            return Err(names);
        }
        self.names = names.into();
        self.intern_words();
        Ok(())
    }

    /// Puts a file in the place of what it was before.
    pub(crate) fn put_in(
        &mut self,
        file: FileNo,
        (path, dialect, bytes): (&str, Dialect, Bytes),
        names: Arc<[Name]>,
        entries: &Exports,
    ) {
        let before = self.take_out(file);
        self.revision += 1;
        if !self.is_external(file) {
            self.missing.clear();
        }
        if self.files.len() <= file as usize {
            self.files.resize_with(file as usize + 1, || None);
        }
        let path: Arc<str> = path.into();
        self.files[file as usize] = Some(Slot {
            path: Arc::clone(&path),
            dialect,
            rules: (self.languages.rules_of)(Some(dialect)),
            names: Arc::clone(&names),
            outward: entries.free_names.as_slice().into(),
            bytes,
            bound: OnceLock::new(),
            used: AtomicU32::new(self.round),
        });
        self.list(file, &path, &names, entries);
        self.note_exports(before, Some(file));
    }

    /// Takes a file out.
    pub fn remove(&mut self, file: FileNo) {
        let before = self.take_out(file);
        if before.is_some() && !self.is_external(file) {
            self.missing.clear();
        }
        self.external.remove(&file);
        self.note_exports(before, None);
    }

    /// Compares what a file offers with what it offered.
    fn note_exports(&mut self, before: Option<Slot>, now: Option<FileNo>) {
        let now = now.and_then(|file| self.files.get(file as usize)?.as_ref());
        if !self.changes.tells_apart() || before.is_none() && now.is_none() {
            return;
        }
        let of = |slot: &Slot| {
            let bytes = slot.bytes.get().unwrap_or_default();
            self.exports(slot.dialect, &bytes, &slot.names)
        };
        let path = |slot: Option<&Slot>| slot.map(|slot| slot.path.clone());
        let (old, new) = (path(before.as_ref()), path(now));
        let mut names = Vec::new();
        if old != new {
            let paths = old.iter().chain(&new);
            names.extend(paths.flat_map(|path| self.names_of_path(path)));
        }
        let exports = |slot: Option<&Slot>| slot.map_or_else(ExportDigests::default, of);
        let (before, now) = (exports(before.as_ref()), exports(now));
        self.changes.note(&before, &now, &names);
    }

    fn take_out(&mut self, file: FileNo) -> Option<Slot> {
        let slot = self.files.get_mut(file as usize).and_then(Option::take)?;
        self.revision += 1;
        let read = slot.bound.get().and_then(Option::as_ref);
        let freed = read.map_or(0, |file| file.memory());
        *self.read_bytes.get_mut() = self.read_bytes.get_mut().saturating_sub(freed);
        // Files that were away may come back with each other's numbers: another one may have the path by now.
        if self.by_path.get(&slot.path) == Some(&file) {
            self.by_path.remove(&slot.path);
        }
        let (folder, name) = split_path(&slot.path);
        take(&mut self.by_folder, folder, |entry| *entry == file);
        take(&mut self.by_file_name, name, |entry| *entry == file);
        self.postings.remove(file, &slot.names);
        let bytes = slot.bytes.get();
        let head = bytes.as_deref().and_then(decode_head);
        match head.filter(|head| head.names.len() == slot.names.len()) {
            Some(head) => self.unlist(file, &slot.names, &head.entries),
            None => self.unlist_everywhere(file),
        }
        Some(slot)
    }

    /// Takes out what other files can find of a file.
    fn unlist(&mut self, file: FileNo, names: &[Name], entries: &Exports) {
        let sym = |name: NameId| names[name as usize];
        for (path, name, _) in &entries.members {
            let key = (sym(*path), sym(*name));
            take(&mut self.members, &key, |entry| entry.file == file);
        }
        for (path, _) in &entries.namespaces {
            let path = sym(*path);
            let outer = outer_paths(self.text(path));
            let outer: Vec<Name> = outer.iter().filter_map(|path| self.name(path)).collect();
            for path in outer.into_iter().chain([path]) {
                take(&mut self.namespaces, &path, |entry| entry.0 == file);
            }
        }
        for (name, _) in &entries.derived {
            take(&mut self.derived, &sym(*name), |entry| entry.0 == file);
        }
        for (table, entries) in self.tables(entries) {
            for (name, _) in entries {
                take(table, &sym(*name), |entry| entry.file == file);
            }
        }
    }

    /// The same of a file whose bindings cannot be read any more, which looks at everything.
    fn unlist_everywhere(&mut self, file: FileNo) {
        take_everywhere(&mut self.members, |entry| entry.file == file);
        take_everywhere(&mut self.namespaces, |entry| entry.0 == file);
        take_everywhere(&mut self.derived, |entry| entry.0 == file);
        for (table, _) in self.tables(&Exports::default()) {
            take_everywhere(table, |entry| entry.file == file);
        }
    }

    /// The tables from a name to definitions, each with a file's entries for it.
    fn tables<'e>(
        &mut self,
        entries: &'e Exports,
    ) -> [(&mut DefinitionsByName, &'e [(NameId, DefId)]); 4] {
        [
            (&mut self.globals, &entries.globals),
            (&mut self.outside, &entries.outside),
            (&mut self.extensions, &entries.extensions),
            (&mut self.renamed, &entries.renamed),
        ]
    }

    /// Lists what other files can find of a file. What is found comes in the order of paths, not in that in which
    /// files were read, which is another one each time.
    fn list(&mut self, file: FileNo, path: &Arc<str>, names: &[Name], entries: &Exports) {
        if !self.is_external(file) {
            self.postings.add(file, names);
        }
        let files = std::mem::take(&mut self.files);
        let order = PathOrder(&files);
        self.by_path.insert(Arc::clone(path), file);
        let (folder, name) = split_path(path);
        order.put_by_text(&mut self.by_folder, folder, file);
        order.put_by_text(&mut self.by_file_name, name, file);
        let sym = |name: NameId| names[name as usize];
        for (path, name, def) in &entries.members {
            let def = DefRef { file, def: *def };
            order.put(&mut self.members, (sym(*path), sym(*name)), def);
        }
        for (path, scope) in &entries.namespaces {
            let path = sym(*path);
            order.put(&mut self.namespaces, path, (file, *scope));
            for outer in outer_paths(self.text(path)) {
                let outer = self.intern(&outer);
                order.put(&mut self.namespaces, outer, (file, NONE));
            }
        }
        for (name, base) in &entries.derived {
            order.put(&mut self.derived, sym(*name), (file, *base));
        }
        for (table, entries) in self.tables(entries) {
            for (name, def) in entries {
                order.put(table, sym(*name), DefRef { file, def: *def });
            }
        }
        self.files = files;
    }

    /// The number of a name, a new one where there is none.
    pub(crate) fn intern(&mut self, name: &str) -> Name {
        // A library's file may have brought it.
        let known = self.names.number_of(name).map(Name);
        match known.or_else(|| self.libraries.names.name(name)) {
            Some(known) => known,
            None => Name(self.names.intern(name)),
        }
    }
}

/// `a.b` and `a` of `a.b.c`.
fn outer_paths(path: &str) -> Vec<String> {
    let ends = path.match_indices('.').map(|(at, _)| path[..at].to_owned());
    ends.collect()
}

/// What is in a file.
trait InFile {
    fn file(&self) -> FileNo;
}

impl InFile for FileNo {
    fn file(&self) -> FileNo {
        *self
    }
}

impl InFile for DefRef {
    fn file(&self) -> FileNo {
        self.file
    }
}

impl InFile for (FileNo, u32) {
    fn file(&self) -> FileNo {
        self.0
    }
}

/// The order of paths.
struct PathOrder<'a>(&'a [Option<Slot>]);

impl PathOrder<'_> {
    fn compare<V: InFile + Ord>(&self, a: &V, b: &V) -> cmp::Ordering {
        let path = |of: &V| {
            let slot = self.0.get(of.file() as usize)?.as_ref()?;
            Some(&*slot.path)
        };
        if a.file() == b.file() {
            return a.cmp(b);
        }
        path(a).cmp(&path(b)).then_with(|| a.cmp(b))
    }

    /// Puts an entry in its place, unless it is there.
    fn put<K: Hash + Eq, V: InFile + Ord>(
        &self,
        table: &mut FxHashMap<K, Vec<V>>,
        key: K,
        value: V,
    ) {
        self.place(table.entry(key).or_default(), value);
    }

    /// The same by a key that is not made where it is known.
    fn put_by_text(&self, table: &mut FxHashMap<Box<str>, Vec<FileNo>>, key: &str, file: FileNo) {
        match table.get_mut(key) {
            Some(files) => self.place(files, file),
            None => drop(table.insert(key.into(), vec![file])),
        }
    }

    fn place<V: InFile + Ord>(&self, entries: &mut Vec<V>, value: V) {
        // Files come nearly in their order.
        let is_behind = |entry: &V| self.compare(entry, &value) == cmp::Ordering::Less;
        let place = match entries.last() {
            Some(last) if !is_behind(last) => entries.partition_point(is_behind),
            _ => entries.len(),
        };
        if entries.get(place) != Some(&value) {
            entries.insert(place, value);
        }
    }
}

fn take_everywhere<K, V>(table: &mut FxHashMap<K, Vec<V>>, is_gone: impl Fn(&V) -> bool) {
    table.retain(|_, entries| {
        entries.retain(|entry| !is_gone(entry));
        !entries.is_empty()
    });
}

fn take<K, Q, V>(table: &mut FxHashMap<K, Vec<V>>, key: &Q, is_gone: impl Fn(&V) -> bool)
where
    K: Hash + Eq + std::borrow::Borrow<Q>,
    Q: Hash + Eq + ?Sized,
{
    if let Some(entries) = table.get_mut(key) {
        entries.retain(|entry| !is_gone(entry));
        if entries.is_empty() {
            table.remove(key);
        }
    }
}
