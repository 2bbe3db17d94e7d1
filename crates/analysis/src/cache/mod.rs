//! The cache: every file's outcome with the size and times it was read at, and what language providers taught, as one
//! byte string.
//!
//! It is disposable. Bytes of another version, of other settings, or damaged are ignored, and a
//! file whose size or times differ is read again, also where it is only the time that nobody sets: what took a file's
//! place with its size and modification is another file. A file that changed within two seconds of the
//! export is read again too: its time may not tell a later change, as git's index has it.
//!
//! A start reads the table and what declarations are called, and nothing else of a file before somebody looks into it:
//! a million lines answer a first question that way before a tenth of the cache was read. What turns out to be damaged
//! by then is told ([`Cache::take_damaged`]), and the file itself is read again.

pub mod bytes;
pub mod export;
pub mod format;

use std::sync::{Arc, Mutex, PoisonError};

use codecortex_bind::{Exports, decode_numbered};
use codecortex_index::{DeclaredNames, DocumentedItem, LazyEntry};
use codecortex_protocol::{Config, StatsEntry};
use codecortex_resolve::CachedNames;
use codecortex_syntax::{FACTS_VERSION, Facts, FileSummary, SkipReason, decode_facts};
use codecortex_text::Strings;
use rustc_hash::FxHashMap;

use crate::cache::export::Packed;
use crate::cache::format::{
    CACHE_VERSION, CacheHeader, CacheSpan, Content, DocumentedSpan, FOOTER, FactsLocation, MAGIC,
    decode_names, take_varint, unpack,
};
use crate::workspace::Stat;

pub use crate::cache::bytes::CacheBytes;
pub use crate::cache::export::{Exported, ExportedContent, ExportedFacts, export};

/// A file written this shortly before the export may have changed again within one tick.
const RACY_MS: f64 = 2000.0;

/// A file of the cache.
#[derive(Debug)]
struct Slot {
    stat: Stat,
    content: Content,
    /// Where its part of what declarations are called begins, and that of what joining needs.
    declared: usize,
    head: usize,
}

/// An imported cache: a table into its bytes.
#[derive(Debug)]
pub struct Cache {
    bytes: Box<dyn CacheBytes>,
    numbers: FxHashMap<String, u32>,
    slots: Vec<Slot>,
    settings: (u32, bool),
    written_ms: f64,
    learned: Vec<StatsEntry>,
    bound_names: CacheSpan,
    heads: CacheSpan,
    documented: Vec<DocumentedSpan>,
    /// Files of which something was asked for that is not as it was written.
    damaged: Mutex<Vec<u32>>,
}

/// A cache from which files are put into the index.
#[derive(Debug)]
pub struct Import {
    /// What was read.
    pub cache: Arc<Cache>,
    names: DeclaredNames,
    declared: Vec<u8>,
}

/// What the cache has of a file that has not changed since.
#[derive(Clone, Debug)]
pub enum CachedFacts {
    /// It was left out.
    Skipped(SkipReason),
    /// Its facts.
    Facts {
        /// What the cache knows it by.
        number: u32,
        /// Whether it is left out, but its names are not.
        is_names: bool,
        /// What is known without looking into it.
        brief: FileSummary,
    },
}

/// What joining the names of all files needs, read at once.
#[derive(Debug)]
pub struct Heads {
    /// The names of all files.
    pub names: CachedNames,
    bytes: Vec<u8>,
    /// The numbers of the names of the file that was asked for last.
    pub numbers: Vec<u32>,
}

/// The key of a file.
pub fn key(root: &str, path: &str) -> String {
    format!("{root}\0{path}")
}

fn settings(config: &Config) -> (u32, bool) {
    (config.max_file_size, config.exclude_generated)
}

impl Import {
    /// Reads an export's table, and what declarations are called. `None` for bytes that are no cache of this version.
    pub fn from_bytes(bytes: Box<dyn CacheBytes>) -> Option<Self> {
        let header = read_header(&*bytes)?;
        let names = read_names(&*bytes, header.declared_names)?;
        let declared = header.declared.read(&*bytes)?.into_owned();
        Some(Self {
            names: DeclaredNames::new(names),
            declared,
            cache: Arc::new(Cache::with_header(bytes, header)),
        })
    }

    /// Files are put into another index from now on.
    pub fn begin(&mut self) {
        self.names.forget_places();
    }

    /// The names of declarations, and what those of a file are called, by the numbers of these.
    pub fn declared_in(
        &mut self,
        number: u32,
    ) -> (&mut DeclaredNames, impl Iterator<Item = LazyEntry<u32>>) {
        let slot = self.cache.slots.get(number as usize);
        let mine = slot.and_then(|slot| {
            let Content::Facts(kept) = &slot.content else {
                return None;
            };
            let end = slot.declared.checked_add(kept.declared as usize)?;
            self.declared.get(slot.declared..end)
        });
        let mut rest = mine.unwrap_or_default();
        let declared = std::iter::from_fn(move || {
            let (name, container) = (take_varint(&mut rest)?, take_varint(&mut rest)?);
            Some(LazyEntry {
                name,
                container: container.checked_sub(1),
            })
        });
        (&mut self.names, declared)
    }
}

fn read_header(bytes: &dyn CacheBytes) -> Option<CacheHeader> {
    let footer_at = bytes.len().checked_sub(FOOTER as u64)?;
    let footer = bytes.read(footer_at, FOOTER)?;
    let [length, checksum] = footer.as_chunks::<4>().0 else {
        return None;
    };
    let length = u32::from_le_bytes(*length);
    let table = CacheSpan {
        start: footer_at.checked_sub(u64::from(length))?,
        length,
        checksum: u32::from_le_bytes(*checksum),
    };
    if *bytes.read(0, MAGIC.len())? != *MAGIC {
        return None;
    }
    let header: CacheHeader = postcard::from_bytes(&table.read(bytes)?).ok()?;
    (header.version == (CACHE_VERSION, FACTS_VERSION)).then_some(header)
}

fn read_names(bytes: &dyn CacheBytes, span: CacheSpan) -> Option<Strings> {
    decode_names(span.read(bytes)?.into_owned())
}

impl Cache {
    fn with_header(bytes: Box<dyn CacheBytes>, header: CacheHeader) -> Self {
        let mut numbers = FxHashMap::default();
        numbers.reserve(header.entries.len());
        let (mut declared, mut head) = (0_usize, 0_usize);
        let mut slots = Vec::with_capacity(header.entries.len());
        for (number, entry) in header.entries.into_iter().enumerate() {
            let lengths = match &entry.content {
                Content::Facts(kept) => (kept.declared, kept.head),
                Content::Skipped(_) => (0, 0),
            };
            slots.push(Slot {
                stat: Stat {
                    size: entry.size,
                    mtime_ms: entry.mtime_ms,
                    changed_ms: entry.changed_ms,
                },
                content: entry.content,
                declared,
                head,
            });
            declared = declared.saturating_add(lengths.0 as usize);
            head = head.saturating_add(lengths.1 as usize);
            numbers.insert(entry.key, number as u32);
        }
        Self {
            bytes,
            numbers,
            slots,
            settings: header.settings,
            written_ms: header.written_ms,
            learned: header.learned,
            bound_names: header.bound_names,
            heads: header.heads,
            documented: header.documented,
            damaged: Mutex::default(),
        }
    }

    /// How many files there are.
    pub fn file_count(&self) -> usize {
        self.slots.len()
    }

    /// What language providers had taught.
    pub fn learned(&self) -> &[StatsEntry] {
        &self.learned
    }

    /// Bytes of memory it holds, roughly.
    pub fn memory(&self) -> usize {
        let keys: usize = self.numbers.keys().map(|key| key.len() + 32).sum();
        self.bytes.memory() + keys + self.slots.capacity() * size_of::<Slot>()
    }

    /// What there is of a file, if it has not changed since.
    pub fn get(&self, key: &str, stat: Stat, config: &Config) -> Option<CachedFacts> {
        let number = *self.numbers.get(key)?;
        let slot = self.slots.get(number as usize)?;
        let racy = stat.mtime_ms > self.written_ms - RACY_MS;
        if slot.stat != stat || racy || self.settings != settings(config) {
            return None;
        }
        Some(match &slot.content {
            Content::Skipped(reason) => CachedFacts::Skipped(reason.clone()),
            Content::Facts(kept) => CachedFacts::Facts {
                number,
                is_names: kept.is_names,
                brief: kept.brief,
            },
        })
    }

    fn kept(&self, number: u32) -> Option<&FactsLocation> {
        match &self.slots.get(number as usize)?.content {
            Content::Facts(kept) => Some(kept),
            Content::Skipped(_) => None,
        }
    }

    /// The facts of a file; `None` where they are not what was written.
    pub fn facts_of(&self, number: u32) -> Option<Facts> {
        let kept = self.kept(number)?;
        let facts = decode_facts(&unpack(&kept.facts.read(&*self.bytes)?)?)?;
        // Whoever wrote the one wrote the other; that nobody is led out of a table does not depend on it.
        (facts.summary() == kept.brief).then_some(facts)
    }

    fn bindings_of(&self, number: u32) -> Option<Arc<[u8]>> {
        let span = self.kept(number)?.bindings;
        if span.length == 0 {
            return Some(Arc::default());
        }
        Some(unpack(&span.read(&*self.bytes)?)?.into())
    }

    /// Facts and bindings of a file for another cache: themselves, and as this one has them.
    pub fn whole(&self, number: u32) -> Option<(Facts, Arc<[u8]>, Packed)> {
        let kept = self.kept(number)?;
        let packed = Packed {
            facts: kept.facts.read(&*self.bytes)?.into_owned(),
            bindings: kept.bindings.read(&*self.bytes)?.into_owned(),
        };
        Some((self.facts_of(number)?, self.bindings_of(number)?, packed))
    }

    /// What joining the names of all files needs; `None` where it is not what was written.
    pub fn heads(&self) -> Option<Heads> {
        let names = read_names(&*self.bytes, self.bound_names)?;
        Some(Heads {
            names: CachedNames::new(names),
            bytes: self.heads.read(&*self.bytes)?.into_owned(),
            numbers: Vec::new(),
        })
    }

    /// What joining a file needs, its names' numbers aside, which are in `heads` then. `None` where it has none.
    pub fn head_of(&self, heads: &mut Heads, number: u32) -> Option<Exports> {
        let slot = self.slots.get(number as usize)?;
        let end = slot.head.checked_add(self.kept(number)?.head as usize)?;
        decode_numbered(heads.bytes.get(slot.head..end)?, &mut heads.numbers)
    }

    /// Notes that something of a file is not what was written.
    fn note_damaged(&self, number: u32) {
        let mut damaged = self.damaged.lock().unwrap_or_else(PoisonError::into_inner);
        if !damaged.contains(&number) {
            damaged.push(number);
        }
    }

    /// The files of which something was asked for that is not what was written, since this was asked last.
    pub fn take_damaged(&self) -> Vec<u32> {
        let mut damaged = self.damaged.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *damaged)
    }

    /// Looks at everything that there is, for who is about to rely on all of it.
    pub fn verify(&self) {
        for number in 0..self.slots.len() as u32 {
            let is_whole = |kept: &FactsLocation| {
                let spans = [kept.facts, kept.bindings];
                spans.iter().all(|span| span.read(&*self.bytes).is_some())
            };
            if self.kept(number).is_some_and(|kept| !is_whole(kept)) {
                self.note_damaged(number);
            }
        }
    }

    /// What a part of the documentation says; `None` where it is not what was written.
    fn visit_documented(
        &self,
        span: CacheSpan,
        visit: &mut dyn FnMut(u32, &[DocumentedItem<'_>]),
    ) -> Option<()> {
        let bytes = unpack(&span.read(&*self.bytes)?)?;
        let files: Vec<(u32, Vec<DocumentedItem<'_>>)> = postcard::from_bytes(&bytes).ok()?;
        for (number, items) in files {
            visit(number, &items);
        }
        Some(())
    }
}

impl codecortex_index::FactsSource for Cache {
    fn facts(&self, number: u32) -> Option<Facts> {
        let facts = self.facts_of(number);
        if facts.is_none() {
            self.note_damaged(number);
        }
        facts
    }

    fn each_documented(&self, visit: &mut dyn FnMut(u32, &[DocumentedItem<'_>])) {
        for part in &self.documented {
            if self.visit_documented(part.span, visit).is_some() {
                continue;
            }
            for number in &part.files {
                let facts = self.facts(*number);
                let items = facts.iter().flat_map(DocumentedItem::all_of);
                visit(*number, &items.collect::<Vec<_>>());
            }
        }
    }
}

impl codecortex_resolve::BindingsSource for Cache {
    fn bindings(&self, number: u32) -> Option<Arc<[u8]>> {
        let bindings = self.bindings_of(number);
        if bindings.is_none() {
            self.note_damaged(number);
        }
        bindings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use codecortex_index::FactsSource;
    use codecortex_syntax::{Limits, Outcome, analyse_text};
    use std::borrow::Cow;

    const STAT: Stat = Stat {
        size: 3,
        mtime_ms: 1000.0,
        changed_ms: 1500.0,
    };

    fn facts() -> Facts {
        let text =
            "/// Keeps.\npub struct Store;\nimpl Store {\n    /// Puts.\n    fn put(&self) {}\n}\n";
        let limits = Limits {
            max_file_size: 1 << 20,
            exclude_generated: true,
        };
        match analyse_text("src/a.rs", text, limits) {
            Outcome::Facts(facts) => facts,
            other => panic!("{other:?}"),
        }
    }

    fn sample(now_ms: f64) -> Vec<u8> {
        let facts = facts();
        let files = [
            ("b", ExportedContent::Skipped(SkipReason::Binary)),
            (
                "a",
                ExportedContent::Facts(Box::new(ExportedFacts {
                    is_names: false,
                    bindings: facts.bindings.0.clone(),
                    facts: Cow::Borrowed(&facts),
                    packed: None,
                })),
            ),
        ];
        let files = files.into_iter().map(|(path, content)| Exported {
            key: key("/r", path),
            stat: STAT,
            content,
        });
        let mut bytes = Vec::new();
        export(&mut bytes, files, Vec::new(), &Config::default(), now_ms).unwrap();
        bytes
    }

    fn import(bytes: Vec<u8>) -> Option<Import> {
        Import::from_bytes(Box::new(bytes))
    }

    fn number(cache: &Cache, path: &str) -> Option<u32> {
        match cache.get(&key("/r", path), STAT, &Config::default())? {
            CachedFacts::Facts { number, .. } => Some(number),
            CachedFacts::Skipped(_) => None,
        }
    }

    #[test]
    fn only_unchanged_files_are_served() {
        let config = Config::default();
        let cache = import(sample(9000.0)).unwrap().cache;
        assert!(number(&cache, "a").is_some());
        let get =
            |path: &str, stat: Stat, config: &Config| cache.get(&key("/r", path), stat, config);
        let skipped = get("b", STAT, &config);
        assert!(matches!(
            skipped,
            Some(CachedFacts::Skipped(SkipReason::Binary))
        ));
        assert!(get("a", Stat { size: 4, ..STAT }, &config).is_none());
        let changed_ms = 1501.0;
        assert!(get("a", Stat { changed_ms, ..STAT }, &config).is_none());
        assert!(get("c", STAT, &config).is_none());
        let other = Config {
            max_file_size: 1,
            ..Config::default()
        };
        assert!(get("a", STAT, &other).is_none());
        let racy = import(sample(1500.0)).unwrap().cache;
        assert!(number(&racy, "a").is_none());
    }

    #[test]
    fn what_is_kept_is_what_was_written() {
        let mut import = import(sample(9000.0)).unwrap();
        let number = number(&import.cache, "a").unwrap();
        let facts = facts();
        assert_eq!(import.cache.facts_of(number).as_ref(), Some(&facts));
        let texts: Vec<String> = {
            let (_, declared) = import.declared_in(number);
            declared.map(|declared| format!("{declared:?}")).collect()
        };
        assert_eq!(texts.len(), facts.items.len());
        let mut heads = import.cache.heads().unwrap();
        assert!(import.cache.head_of(&mut heads, number).is_some());
        let mut docs = Vec::new();
        import.cache.each_documented(&mut |of, items| {
            docs.extend(
                items
                    .iter()
                    .map(|item| (of, item.name.to_owned(), item.doc.to_owned())),
            );
        });
        let doc = |name: &str, doc: &str| (number, name.to_owned(), doc.to_owned());
        assert_eq!(docs, [doc("Store", "Keeps."), doc("put", "Puts.")]);
    }

    #[test]
    fn damaged_bytes_are_refused_or_known_to_be_so() {
        let good = sample(9000.0);
        assert!(import(Vec::new()).is_none());
        for length in 0..good.len() {
            assert!(import(good[..length].to_vec()).is_none(), "{length}");
        }
        let facts = facts();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x55;
            let Some(import) = import(bad) else {
                continue;
            };
            let cache = import.cache;
            let number = number(&cache, "a").unwrap();
            let served = cache.facts_of(number);
            assert!(
                served.is_none() || served.as_ref() == Some(&facts),
                "byte {at}"
            );
            let bindings = cache.bindings_of(number);
            let is_right = |bindings: Arc<[u8]>| bindings == facts.bindings.0;
            assert!(bindings.clone().is_none_or(is_right), "byte {at}");
            cache.verify();
            let is_damaged = served.is_none() || bindings.is_none();
            assert_eq!(cache.take_damaged(), vec![number; usize::from(is_damaged)]);
            if let Some(mut heads) = cache.heads() {
                assert!(cache.head_of(&mut heads, number).is_some(), "byte {at}");
            }
        }
    }
}
