//! The full-text index of documentation: its words, and which declarations have them.
//!
//! A needle is looked for in the words, of which there are far fewer than places they occur at. The
//! table costs a few megabytes and tens of milliseconds on a million lines, so it is not built before
//! documentation is searched a second time; from then on it takes in what changed when it is asked.

use codecortex_syntax::ItemKind;
use indexmap::IndexMap;
use indexmap::map::RawEntryApiV1;
use indexmap::map::raw_entry_v1::RawEntryMut;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::file_facts::DocumentedItem;
use crate::fold::lower;
use crate::symbol::{FileId, Symbol};

/// Between the words that are looked through at once; part of no word.
const GAP: u8 = b'\n';
/// Longer runs of letters are encoded data and not looked for.
const LONGEST: usize = 256;

/// A declaration with documentation, counted from 0.
type DocEntry = u32;

/// The table.
#[derive(Clone, Debug, Default)]
pub(crate) struct DocIndex {
    /// Every word in lower case with the entries that have it, ascending.
    words: IndexMap<Box<[u8]>, Vec<DocEntry>, FxBuildHasher>,
    /// Every word after a gap, and where each starts.
    joined: Vec<u8>,
    starts: Vec<u32>,
    /// The declarations; `None` for those that are gone.
    entries: Vec<Option<DocumentedDeclaration>>,
    of_file: FxHashMap<FileId, std::ops::Range<DocEntry>>,
    gone: usize,
    /// Files to take in, or out, before the next search.
    changed: FxHashSet<FileId>,
    is_built: bool,
}

/// A declaration, with what decides whether it is wanted: looking that up costs more than finding
/// the word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DocumentedDeclaration {
    pub(crate) symbol: Symbol,
    pub(crate) kind: ItemKind,
    pub(crate) is_local: bool,
}

/// A declaration and its texts.
#[derive(Clone, Copy)]
pub(crate) struct Documented<'a> {
    pub(crate) declared: DocumentedDeclaration,
    pub(crate) doc: &'a str,
    pub(crate) name: &'a str,
}

impl<'a> Documented<'a> {
    /// What a file says.
    pub(crate) fn from_item(file: FileId, found: &DocumentedItem<'a>) -> Self {
        Self {
            declared: DocumentedDeclaration {
                symbol: Symbol {
                    file,
                    item: found.item,
                },
                kind: found.kind,
                is_local: found.is_local,
            },
            doc: found.doc,
            name: found.name,
        }
    }
}

impl DocIndex {
    /// Whether the table is in use; until then nothing has to be told to it.
    pub(crate) fn is_built(&self) -> bool {
        self.is_built
    }

    /// Notes that a file is new, different or gone.
    pub(crate) fn note(&mut self, file: FileId) {
        if self.is_built {
            self.changed.insert(file);
        }
    }

    /// Begins to use the table; every file has to be noted by [`DocIndex::note`] next.
    pub(crate) fn build(&mut self) {
        *self = Self {
            is_built: true,
            ..Self::default()
        };
    }

    /// Whether so much is gone that the table is better built anew.
    pub(crate) fn needs_rebuild(&self) -> bool {
        self.gone > 1024 && self.gone * 2 > self.entries.len()
    }

    /// The files that were noted, for [`DocIndex::replace`].
    pub(crate) fn take_changed(&mut self) -> Vec<FileId> {
        let mut changed: Vec<FileId> = self.changed.drain().collect();
        changed.sort_unstable();
        changed
    }

    /// Takes in what a file has now.
    pub(crate) fn replace<'a>(&mut self, file: FileId, now: impl Iterator<Item = Documented<'a>>) {
        for entry in self.of_file.remove(&file).into_iter().flatten() {
            self.entries[entry as usize] = None;
            self.gone += 1;
        }
        let first = self.entries.len() as DocEntry;
        let mut lower = Vec::new();
        for documented in now {
            let entry = self.entries.len() as DocEntry;
            self.entries.push(Some(documented.declared));
            for text in [documented.doc, documented.name] {
                for word in split(text.as_bytes()).filter(|word| word.len() <= LONGEST) {
                    folded(word, &mut lower);
                    self.add(&lower, entry);
                }
            }
        }
        let last = self.entries.len() as DocEntry;
        if last > first {
            self.of_file.insert(file, first..last);
        }
    }

    fn add(&mut self, word: &[u8], entry: DocEntry) {
        let entries = match self.words.raw_entry_mut_v1().from_key(word) {
            RawEntryMut::Occupied(known) => known.into_mut(),
            RawEntryMut::Vacant(new) => {
                self.joined.push(GAP);
                self.starts.push(self.joined.len() as u32);
                self.joined.extend_from_slice(word);
                new.insert(word.into(), Vec::new()).1
            }
        };
        if entries.last() != Some(&entry) {
            entries.push(entry);
        }
    }

    /// The declarations that have every needle in one of their words.
    pub(crate) fn search(&self, needles: &[Vec<u8>]) -> Vec<DocumentedDeclaration> {
        let blocks = self.entries.len().div_ceil(64);
        let mut all: Option<Vec<u64>> = None;
        for needle in needles {
            let mut found = vec![0u64; blocks];
            for word in self.words_with(needle) {
                for entry in self
                    .words
                    .get_index(word)
                    .into_iter()
                    .flat_map(|(_, of)| of)
                {
                    found[*entry as usize / 64] |= 1 << (entry % 64);
                }
            }
            if let Some(all) = &all {
                found.iter_mut().zip(all).for_each(|(a, b)| *a &= b);
            }
            all = Some(found);
        }
        let mut declared = Vec::new();
        for (block, mut bits) in all.unwrap_or_default().into_iter().enumerate() {
            while bits != 0 {
                let entry = block * 64 + bits.trailing_zeros() as usize;
                declared.extend(self.entries[entry]);
                bits &= bits - 1;
            }
        }
        declared
    }

    /// The places of the words that contain a needle.
    fn words_with(&self, needle: &[u8]) -> Vec<usize> {
        let mut words: Vec<usize> = memchr::memmem::find_iter(&self.joined, needle)
            .map(|at| self.starts.partition_point(|start| *start as usize <= at) - 1)
            .collect();
        words.dedup();
        words
    }

    /// Bytes of memory the table holds, roughly.
    pub(crate) fn memory(&self) -> usize {
        let words: usize = self
            .words
            .iter()
            .map(|(word, entries)| word.len() + entries.capacity() * size_of::<DocEntry>())
            .sum();
        words
            + self.words.capacity() * size_of::<(usize, Box<[u8]>, Vec<DocEntry>)>()
            + self.joined.capacity()
            + self.starts.capacity() * size_of::<u32>()
            + self.entries.capacity() * size_of::<Option<DocumentedDeclaration>>()
    }
}

/// Puts a word without its case into a buffer.
pub(crate) fn folded(word: &[u8], out: &mut Vec<u8>) {
    out.clear();
    match std::str::from_utf8(word) {
        Ok(text) if !text.is_ascii() => out.extend(lower(text).into_bytes()),
        _ => out.extend(word.iter().map(u8::to_ascii_lowercase)),
    }
}

/// The words of a text: runs of letters, digits and `_`. What is not ASCII counts as a letter.
pub(crate) fn split(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80))
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [&str; 3] = [
        "Keeps nodes by id; see `NodeStore`.",
        "Writes NODES to disk.",
        "漢字 documentation",
    ];

    fn declared(file: u32) -> DocumentedDeclaration {
        DocumentedDeclaration {
            symbol: Symbol {
                file: FileId(file),
                item: 0,
            },
            kind: ItemKind::Class,
            is_local: false,
        }
    }

    fn fill(docs: &mut DocIndex, file: u32, doc: &str) {
        let documented = Documented {
            declared: declared(file),
            doc,
            name: "name",
        };
        docs.replace(FileId(file), std::iter::once(documented));
    }

    fn found(docs: &DocIndex, needles: &[&str]) -> Vec<u32> {
        let needles: Vec<Vec<u8>> = needles.iter().map(|n| n.as_bytes().to_vec()).collect();
        let found = docs.search(&needles);
        found.iter().map(|found| found.symbol.file.0).collect()
    }

    #[test]
    fn words_are_found_by_their_parts() {
        let mut docs = DocIndex::default();
        for (file, text) in TEXTS.iter().enumerate() {
            fill(&mut docs, file as u32, text);
        }
        assert_eq!(found(&docs, &["ode"]), [0, 1]);
        assert_eq!(found(&docs, &["nodes", "disk"]), [1]);
        assert_eq!(found(&docs, &["nodes", "nam"]), [0, 1]);
        assert_eq!(found(&docs, &["字"]), [2]);
        assert!(found(&docs, &["idsee"]).is_empty() && found(&docs, &["disk", "id"]) == [0; 0]);
    }

    #[test]
    fn what_is_replaced_is_not_found() {
        let mut docs = DocIndex::default();
        docs.build();
        fill(&mut docs, 7, TEXTS[0]);
        fill(&mut docs, 7, TEXTS[1]);
        assert_eq!(found(&docs, &["nodes"]), [7]);
        assert!(found(&docs, &["keeps"]).is_empty());
        docs.replace(FileId(7), std::iter::empty());
        assert!(found(&docs, &["nodes"]).is_empty());
        docs.note(FileId(9));
        assert_eq!(docs.take_changed(), [FileId(9)]);
    }
}
