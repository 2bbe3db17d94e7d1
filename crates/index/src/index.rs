//! The tables: files with their facts, and names with the symbols that bear them.

use std::cell::{Cell, OnceCell, RefCell};
use std::sync::Arc;

use codecortex_syntax::{Facts, Item, ItemIndex, ItemKind, Reuse};
use rustc_hash::FxHashMap;

use crate::file_facts::{FileFacts, Shelf};
use crate::matching::starts_hump;
use crate::module::module_segments;
use crate::names::{Names, Symbols};
use crate::sorted_names::SortedNames;
use crate::words::Words;

/// A file of the index. Ids are reused after a file is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A declaration in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol {
    /// The file it is in.
    pub file: FileId,
    /// Its place in the file's facts.
    pub item: ItemIndex,
}

/// A file and what it says.
#[derive(Debug)]
pub struct File {
    /// Index of its workspace folder.
    pub root: u32,
    /// Path relative to the folder, with `/`.
    pub path: Box<str>,
    /// What it says.
    pub facts: FileFacts,
}

/// The joined facts of all files.
#[derive(Debug, Default)]
pub struct Index {
    files: Vec<Option<File>>,
    free: Vec<FileId>,
    /// For each folder, by relative path.
    by_path: Vec<FxHashMap<Box<str>, FileId>>,
    /// Where each file stands when all are sorted by path.
    places: OnceCell<Vec<u32>>,
    /// What documentation says; made by the second search.
    pub(crate) words: RefCell<Words>,
    pub(crate) is_searched: Cell<bool>,
    pub(crate) names: Names,
    /// The same in their order; made by the first question that needs it.
    pub(crate) sorted_names: RefCell<SortedNames>,
    symbols: usize,
    lines: u64,
    /// What keeps the facts of files that were not read.
    pub(crate) shelf: Option<Arc<dyn Shelf>>,
}

impl Index {
    /// An empty index.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of files.
    #[must_use]
    pub fn file_count(&self) -> usize {
        self.by_path.iter().map(FxHashMap::len).sum()
    }

    /// Number of declarations.
    #[must_use]
    pub fn symbol_count(&self) -> usize {
        self.symbols
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
            Entry::of(&facts, item).put(&mut self.names, id, item);
        }
        self.occupy(id, (root, path), facts);
        id
    }

    /// The id of a file, of which nothing else is known any more.
    pub(crate) fn vacate(&mut self, root: u32, path: &str) -> FileId {
        match self.file_id(root, path) {
            Some(id) => {
                self.take_out(id);
                id
            }
            None => self.new_id(root, path),
        }
    }

    /// Puts facts in the place of a file, whose names are in the table.
    pub(crate) fn occupy(&mut self, id: FileId, (root, path): (u32, &str), facts: FileFacts) {
        self.lines += u64::from(facts.summary().lines);
        self.symbols += facts.summary().items as usize;
        self.words.get_mut().note(id);
        self.files[id.0 as usize] = Some(File {
            root,
            path: path.into(),
            facts,
        });
    }

    /// Exchanges the facts of a file for those after an edit. What bears the same names stays where it
    /// is in the tables.
    pub fn exchange(&mut self, id: FileId, facts: Facts, reuse: &Reuse) {
        let Some(file) = self.files.get_mut(id.0 as usize).and_then(Option::as_mut) else {
            return;
        };
        let (was, is) = (*file.facts.summary(), facts.summary());
        self.lines = self.lines - u64::from(was.lines) + u64::from(is.lines);
        self.symbols = self.symbols + is.items as usize - was.items as usize;
        let before = std::mem::replace(&mut file.facts, facts.into());
        if !reuse.same_docs {
            self.words.get_mut().note(id);
        }
        if reuse.same_names && reuse.removed == reuse.added {
            return;
        }
        let after = &file.facts;
        let (first, end) = (reuse.first, reuse.first + reuse.removed);
        for item in first..end {
            Entry::of(&before, item).take_out(&mut self.names, id, item);
        }
        // What stands behind has other numbers; the last is moved first where they grow, so that no two
        // have the same.
        let behind = end..before.items.len() as ItemIndex;
        let mut shift = |item: ItemIndex| {
            let now = item - reuse.removed + reuse.added;
            Entry::of(&before, item).renumber(&mut self.names, id, item, now);
        };
        if reuse.added > reuse.removed {
            behind.rev().for_each(&mut shift);
        } else if reuse.added < reuse.removed {
            behind.for_each(&mut shift);
        }
        for item in first..first + reuse.added {
            Entry::of(after, item).put(&mut self.names, id, item);
        }
    }

    fn new_id(&mut self, root: u32, path: &str) -> FileId {
        let id = self.free.pop().unwrap_or_else(|| {
            self.files.push(None);
            FileId(self.files.len() as u32 - 1)
        });
        self.paths_of(root).insert(path.into(), id);
        self.places = OnceCell::new();
        id
    }

    /// Forgets a file. Whether it was known.
    pub fn remove(&mut self, root: u32, path: &str) -> bool {
        let known = self.by_path.get_mut(root as usize);
        let Some(id) = known.and_then(|known| known.remove(path)) else {
            return false;
        };
        self.take_out(id);
        self.words.get_mut().note(id);
        self.free.push(id);
        self.places = OnceCell::new();
        true
    }

    /// Takes everything about a file out of the tables.
    fn take_out(&mut self, id: FileId) {
        let Some(file) = self.files[id.0 as usize].take() else {
            return;
        };
        let brief = *file.facts.summary();
        self.lines -= u64::from(brief.lines);
        self.symbols -= brief.items as usize;
        if file.facts.items.len() != brief.items as usize {
            return self.take_out_everywhere(id);
        }
        for item in 0..brief.items {
            Entry::of(&file.facts, item).take_out(&mut self.names, id, item);
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
            let mut sorted: Vec<(FileId, &File)> = self.files().collect();
            sorted.sort_unstable_by(|(_, a), (_, b)| (&a.path, a.root).cmp(&(&b.path, b.root)));
            let mut places = vec![0; self.files.len()];
            for (place, (id, _)) in sorted.into_iter().enumerate() {
                places[id.0 as usize] = place as u32;
            }
            places
        })
    }

    /// A file by its folder and relative path.
    #[must_use]
    pub fn file_id(&self, root: u32, path: &str) -> Option<FileId> {
        self.by_path.get(root as usize)?.get(path).copied()
    }

    /// A file.
    #[must_use]
    pub fn file(&self, id: FileId) -> Option<&File> {
        self.files.get(id.0 as usize)?.as_ref()
    }

    /// Every file, in no order that means anything.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &File)> {
        self.files
            .iter()
            .enumerate()
            .filter_map(|(index, file)| Some((FileId(index as u32), file.as_ref()?)))
    }

    /// A symbol's file and item; `None` when the file has changed under the symbol.
    #[must_use]
    pub fn get(&self, symbol: Symbol) -> Option<(&File, &Item)> {
        let file = self.file(symbol.file)?;
        Some((file, file.facts.items.get(symbol.item as usize)?))
    }

    /// Symbols of a simple name in any case.
    pub(crate) fn named(&self, name: &str) -> &[Symbol] {
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
        let facts = &file.facts;
        let mut chain = Vec::new();
        let mut next = Some(symbol.item);
        while let Some(index) = next {
            let Some(item) = facts.items.get(index as usize) else {
                break;
            };
            if item.kind == ItemKind::Extension && index != symbol.item {
                push_container(&mut chain, facts.str(item.container));
            } else {
                let kind = if item.kind.is_namespace() {
                    SegmentKind::Namespace
                } else if item.kind.is_type() || item.kind == ItemKind::Extension {
                    SegmentKind::Type
                } else {
                    SegmentKind::Member
                };
                // A namespace's name may itself be a path.
                for part in facts
                    .str(item.name)
                    .rsplit(['.', ':', '\\'])
                    .filter(|part| !part.is_empty())
                {
                    if kind != SegmentKind::Namespace {
                        chain.push(Segment {
                            text: facts.str(item.name),
                            kind,
                        });
                        break;
                    }
                    chain.push(Segment { text: part, kind });
                }
                push_container(&mut chain, facts.str(item.container));
            }
            next = item.parent;
        }
        let modules = module_segments(self, file);
        chain.extend(modules.into_iter().rev().map(|text| Segment {
            text,
            kind: SegmentKind::Namespace,
        }));
        chain.reverse();
        chain
    }

    /// The full path of a symbol as its language writes it (SPEC S1).
    #[must_use]
    pub fn path_of(&self, symbol: Symbol) -> String {
        let Some((file, _)) = self.get(symbol) else {
            return String::new();
        };
        written_path(file, &self.segments(symbol))
    }

    /// Lets go of the tables that make searches fast; the next search makes them again.
    pub fn drop_search_tables(&mut self) {
        *self.words.get_mut() = Words::default();
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
            .files()
            .map(|(_, file)| file.facts.memory() + 2 * file.path.len())
            .sum();
        files + self.names.memory() + self.words.borrow().memory()
    }
}

/// Segments as the language of their file writes a path.
pub(crate) fn written_path(file: &File, segments: &[Segment<'_>]) -> String {
    let row = file.facts.language.info();
    let mut out = String::new();
    let mut before: Option<SegmentKind> = None;
    for segment in segments {
        out.push_str(match (before, segment.kind) {
            (None, _) => "",
            (Some(SegmentKind::Namespace), SegmentKind::Namespace) => row.namespace_separator,
            (Some(SegmentKind::Type), SegmentKind::Type) => row.nested_separator,
            // Ruby's members have one of their own.
            (Some(SegmentKind::Namespace), SegmentKind::Type)
                if row.nested_separator == row.namespace_separator =>
            {
                row.namespace_separator
            }
            _ => row.member_separator,
        });
        out.push_str(segment.text);
        before = Some(segment.kind);
    }
    out
}

/// What a path segment names; it decides the separator before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentKind {
    /// A namespace, package or module.
    Namespace,
    /// A type.
    Type,
    /// Anything else.
    Member,
}

/// One part of a symbol's path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment<'a> {
    /// The name as written.
    pub text: &'a str,
    /// What it names.
    pub kind: SegmentKind,
}

/// `A::B` of a member written outside its type, innermost first. Relative path words say nothing.
fn push_container<'a>(chain: &mut Vec<Segment<'a>>, container: &'a str) {
    if container.is_empty() {
        return; // nearly always
    }
    let parts = container_parts(container).into_iter().rev();
    let parts = parts.filter(|part| !matches!(*part, "crate" | "self" | "super"));
    chain.extend(parts.map(|text| Segment {
        text,
        kind: SegmentKind::Type,
    }));
}

/// The names in `A::B<C::D>`, outermost first, type arguments left out: a type is called by its
/// name wherever its members are written.
fn container_parts(container: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    let ends = container.char_indices().chain([(container.len(), ':')]);
    for (at, letter) in ends {
        match letter {
            '<' | '[' | '(' => depth += 1,
            '>' | ']' | ')' => depth = depth.saturating_sub(1),
            ':' | '.' | '\\' if depth == 0 || at == container.len() => {
                let part = container[start..at].trim();
                let name = part.split(['<', '[']).next().unwrap_or(part).trim_end();
                parts.push(if name.is_empty() { part } else { name });
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// The last segment of a name that is itself a path (`namespace A.B`).
pub(crate) fn simple_name(name: &str) -> &str {
    if name.starts_with("operator") {
        return name;
    }
    name.rsplit(['.', ':', '\\'])
        .find(|part| !part.is_empty())
        .unwrap_or(name)
}

/// Adds a symbol in its place: which of two files was read or edited last is nothing that answers tell.
pub(crate) fn put(symbols: &mut Symbols, symbol: Symbol) {
    if symbols.last().is_none_or(|last| *last < symbol) {
        symbols.push(symbol);
    } else if let Err(place) = symbols.binary_search(&symbol) {
        symbols.insert(place, symbol);
    }
}

fn take_out(symbols: &mut Symbols, symbol: Symbol) {
    if let Ok(place) = symbols.binary_search(&symbol) {
        symbols.remove(place);
    }
}

/// Gives a symbol its new number, which is beyond none of those that it stands between.
fn renumber(symbols: &mut [Symbol], symbol: Symbol, item: ItemIndex) {
    if let Ok(place) = symbols.binary_search(&symbol) {
        symbols[place].item = item;
    }
}

/// What an item is called in the table of names, and the type it is written outside of.
#[derive(Clone, Copy)]
pub(crate) struct Entry<'a> {
    pub(crate) name: &'a str,
    pub(crate) container: Option<&'a str>,
}

impl<'a> Entry<'a> {
    pub(crate) fn of(facts: &'a Facts, item: ItemIndex) -> Self {
        let item = facts.items.get(item as usize);
        Self {
            name: item.map_or("", |item| simple_name(facts.str(item.name))),
            container: item.and_then(|item| outside_container(facts, item)),
        }
    }

    fn put(self, names: &mut Names, file: FileId, item: ItemIndex) {
        let symbol = Symbol { file, item };
        let place = names.place_of(self.name);
        let entry = &mut names[place];
        entry.humps |= hump_mask(self.name);
        put(&mut entry.symbols, symbol);
        if let Some(container) = self.container {
            let place = names.place_of(container);
            put(&mut names[place].outside_members, symbol);
        }
    }

    fn take_out(self, names: &mut Names, file: FileId, item: ItemIndex) {
        let symbol = Symbol { file, item };
        if let Some(name) = names.get_mut(lower(self.name).as_str()) {
            take_out(&mut name.symbols, symbol);
        }
        if let Some(container) = self.container
            && let Some(name) = names.get_mut(lower(container).as_str())
        {
            take_out(&mut name.outside_members, symbol);
        }
    }

    fn renumber(self, names: &mut Names, file: FileId, item: ItemIndex, now: ItemIndex) {
        let symbol = Symbol { file, item };
        if let Some(name) = names.get_mut(lower(self.name).as_str()) {
            renumber(&mut name.symbols, symbol, now);
        }
        if let Some(container) = self.container
            && let Some(name) = names.get_mut(lower(container).as_str())
        {
            renumber(&mut name.outside_members, symbol, now);
        }
    }
}

/// The simple name of the type that a member written outside of it belongs to.
fn outside_container<'a>(facts: &'a Facts, item: &Item) -> Option<&'a str> {
    let container = facts.str(item.container);
    (!container.is_empty() && item.kind != ItemKind::Extension)
        .then(|| container_parts(container).pop().unwrap_or(container))
}

/// Lower case, ASCII quickly.
pub(crate) fn lower(text: &str) -> String {
    if text.is_ascii() {
        text.to_ascii_lowercase()
    } else {
        text.to_lowercase()
    }
}

/// The mask of the letters that start humps of a name.
pub(crate) fn hump_mask(name: &str) -> u64 {
    // Nearly all names are plain, and a start looks at all of them.
    match name.is_ascii() {
        true => humps(name.bytes().map(char::from)),
        false => humps(name.chars()),
    }
}

fn humps(letters: impl Iterator<Item = char>) -> u64 {
    let mut before = None;
    let mut letters = letters.peekable();
    let mut humps = 0;
    while let Some(c) = letters.next() {
        if starts_hump(before, c, letters.peek().copied()) {
            humps |= if c.is_ascii() {
                bit(c.to_ascii_lowercase() as u8)
            } else {
                bit(0)
            };
        }
        before = Some(c);
    }
    humps
}

/// A bit for each letter and digit that occurs in a lower-case name, one for everything else.
pub(crate) fn mask(lower: &str) -> u64 {
    lower.bytes().fold(0, |mask, byte| mask | bit(byte))
}

fn bit(lower: u8) -> u64 {
    1 << match lower {
        b'a'..=b'z' => lower - b'a',
        b'0'..=b'9' => 26 + lower - b'0',
        b'_' => 36,
        _ => 37,
    }
}

#[cfg(test)]
mod tests {
    use super::container_parts;

    #[test]
    fn a_container_is_named_without_type_arguments() {
        for (container, parts) in [
            ("Queue<T>", &["Queue"][..]),
            ("a::Map<std::string, V<x::Y>>::Iter", &["a", "Map", "Iter"]),
            ("Stack[T]", &["Stack"]),
            ("A.B", &["A", "B"]),
            ("crate::A", &["crate", "A"]),
            ("[u8]", &["[u8]"]),
            ("", &[]),
            ("::A<", &["A"]),
            ("Ünter<é>", &["Ünter"]),
        ] {
            assert_eq!(container_parts(container), parts, "{container}");
        }
    }
}
