//! Writing a cache.

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::Arc;

use codecortex_bind::encode_numbered;
use codecortex_index::{DocumentedItem, declared};
use codecortex_protocol::{Config, StatsEntry};
use codecortex_syntax::{FACTS_VERSION, Facts, SkipReason, encode_facts};
use codecortex_text::Interner;

use crate::cache::format::{
    CACHE_VERSION, CacheHeader, CacheSpan, CachedFile, Content, DocumentedSpan, FactsLocation,
    MAGIC, encode_names, pack, put_varint,
};
use crate::cache::settings;
use crate::workspace::Stat;

/// Documentation of so many bytes is compressed at once: enough to compress well, little enough to pass through.
const DOCUMENTED_AT_ONCE: usize = 1 << 18;

/// A file that is to be kept.
pub struct Exported<'a> {
    /// Root and path.
    pub key: String,
    /// Size and time when it was read.
    pub stat: Stat,
    /// What was made of it.
    pub content: ExportedContent<'a>,
}

/// What a file was found to be.
pub enum ExportedContent<'a> {
    /// Why it was not read as code.
    Skipped(SkipReason),
    /// What it declares.
    Facts(Box<ExportedFacts<'a>>),
}

/// What a file says.
pub struct ExportedFacts<'a> {
    /// Whether it is left out, but its names are not.
    pub is_names: bool,
    /// What it declares.
    pub facts: Cow<'a, Facts>,
    /// Its names, encoded.
    pub bindings: Arc<[u8]>,
    /// The same facts and bindings as the cache has them that they are from.
    pub packed: Option<Packed>,
}

/// Facts and bindings of a file as a cache has them.
pub struct Packed {
    /// What it declares.
    pub facts: Vec<u8>,
    /// Its names, encoded.
    pub bindings: Vec<u8>,
}

/// Writes a cache. `now_ms` is the time of the export. Fails where `out` does.
pub fn export<'a>(
    out: &mut dyn Write,
    files: impl Iterator<Item = Exported<'a>>,
    learned: Vec<StatsEntry>,
    config: &Config,
    now_ms: f64,
) -> io::Result<()> {
    let mut export = Export {
        out: Out { out, at: 0 },
        declared_names: Interner::default(),
        declared: Vec::new(),
        bound_names: Interner::default(),
        heads: Vec::new(),
        pending: Pending::default(),
        documented: Vec::new(),
        entries: Vec::new(),
    };
    export.out.put(MAGIC)?;
    for file in files {
        export.file(file)?;
    }
    export.write_documented()?;
    let out = &mut export.out;
    let header = CacheHeader {
        version: (CACHE_VERSION, FACTS_VERSION),
        settings: settings(config),
        written_ms: now_ms,
        learned,
        declared_names: out.put(&encode_names(export.declared_names.strings()))?,
        declared: out.put(&export.declared)?,
        bound_names: out.put(&encode_names(export.bound_names.strings()))?,
        heads: out.put(&export.heads)?,
        documented: export.documented,
        entries: export.entries,
    };
    // Postcard fails on nothing that a header can hold; an empty table makes a useless cache, no more.
    let header = postcard::to_allocvec(&header).unwrap_or_default();
    let span = out.put(&header)?;
    out.put(&span.length.to_le_bytes())?;
    out.put(&span.checksum.to_le_bytes())?;
    Ok(())
}

struct Export<'o> {
    out: Out<'o>,
    declared_names: Interner,
    declared: Vec<u8>,
    bound_names: Interner,
    heads: Vec<u8>,
    pending: Pending,
    documented: Vec<DocumentedSpan>,
    entries: Vec<CachedFile>,
}

impl Export<'_> {
    fn file(&mut self, file: Exported<'_>) -> io::Result<()> {
        let content = match file.content {
            ExportedContent::Skipped(reason) => Content::Skipped(reason),
            ExportedContent::Facts(facts) => Content::Facts(self.facts(*facts)?),
        };
        self.entries.push(CachedFile {
            key: file.key,
            size: file.stat.size,
            mtime_ms: file.stat.mtime_ms,
            changed_ms: file.stat.changed_ms,
            content,
        });
        Ok(())
    }

    fn facts(&mut self, file: ExportedFacts<'_>) -> io::Result<FactsLocation> {
        let (facts, bindings) = (&*file.facts, &*file.bindings);
        let packed = file.packed.unwrap_or_else(|| Packed::new(facts, bindings));
        self.pending.add(self.entries.len() as u32, facts);
        if self.pending.bytes >= DOCUMENTED_AT_ONCE {
            self.write_documented()?;
        }
        Ok(FactsLocation {
            is_names: file.is_names,
            brief: facts.summary(),
            facts: self.out.put(&packed.facts)?,
            bindings: self.out.put(&packed.bindings)?,
            declared: self.declare(facts),
            head: self.add_head(bindings),
        })
    }

    /// Notes what declarations are called. How many bytes that takes.
    fn declare(&mut self, facts: &Facts) -> u32 {
        let before = self.declared.len();
        for declared in declared(facts) {
            let name = self.declared_names.intern(declared.name);
            // 0 is none.
            let container = declared.container;
            let container = container.map_or(0, |name| self.declared_names.intern(name) + 1);
            put_varint(&mut self.declared, name);
            put_varint(&mut self.declared, container);
        }
        (self.declared.len() - before) as u32
    }

    /// Notes what joining files needs of one. How many bytes that takes.
    fn add_head(&mut self, bindings: &[u8]) -> u32 {
        let before = self.heads.len();
        let number = |name: &str| self.bound_names.intern(name);
        encode_numbered(bindings, number, &mut self.heads);
        (self.heads.len() - before) as u32
    }

    /// Writes what is documented in the files that were noted since.
    fn write_documented(&mut self) -> io::Result<()> {
        let pending = std::mem::take(&mut self.pending);
        if pending.files.is_empty() {
            return Ok(());
        }
        let packed = pack(&pending.encoded());
        self.documented.push(DocumentedSpan {
            span: self.out.put(&packed)?,
            files: pending.files,
        });
        Ok(())
    }
}

impl Packed {
    fn new(facts: &Facts, bindings: &[u8]) -> Self {
        Self {
            facts: pack(&encode_facts(facts)),
            bindings: match bindings {
                [] => Vec::new(),
                bindings => pack(bindings),
            },
        }
    }
}

/// What is written, and how much it was.
struct Out<'o> {
    out: &'o mut dyn Write,
    at: u64,
}

impl Out<'_> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<CacheSpan> {
        self.out.write_all(bytes)?;
        let start = self.at;
        self.at += bytes.len() as u64;
        Ok(CacheSpan {
            start,
            length: bytes.len() as u32,
            checksum: crc32fast::hash(bytes),
        })
    }
}

/// Files of which the documentation is not written yet, as what a [`DocumentedSpan`] has.
#[derive(Default)]
struct Pending {
    files: Vec<u32>,
    /// How many files they are, which stands first, is known last.
    encoded: Vec<u8>,
    bytes: usize,
}

impl Pending {
    fn add(&mut self, number: u32, facts: &Facts) {
        let documented: Vec<_> = DocumentedItem::all_of(facts).collect();
        if documented.is_empty() {
            return;
        }
        let encoded = postcard::to_allocvec(&(number, documented)).unwrap_or_default();
        self.bytes += encoded.len();
        self.encoded.extend_from_slice(&encoded);
        self.files.push(number);
    }

    fn encoded(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.encoded.len() + 5);
        put_varint(&mut bytes, self.files.len() as u32);
        bytes.extend_from_slice(&self.encoded);
        bytes
    }
}
