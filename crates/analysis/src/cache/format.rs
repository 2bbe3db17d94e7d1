//! How a cache is laid out: outcomes in the order in which they were made, then what joining them needs, and a table
//! of all of it last, so that an export is written as it is made and never held whole: on a million lines that is
//! tens of megabytes.

use codecortex_protocol::StatsEntry;
use codecortex_syntax::{FileSummary, SkipReason};
use codecortex_text::Strings;
use serde::{Deserialize, Serialize};

use crate::cache::bytes::CacheBytes;

/// Raise with any change of [`CacheHeader`] or of what it is a table of.
pub const CACHE_VERSION: u32 = 7;
/// The first bytes of a cache.
pub const MAGIC: &[u8; 8] = b"CCORTEX\n";
/// Length and checksum of the table, at the very end.
pub const FOOTER: usize = 8;

/// A part of the cache.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct CacheSpan {
    /// The first byte.
    pub start: u64,
    /// How many bytes.
    pub length: u32,
    /// A flipped bit must not become a wrong answer.
    pub checksum: u32,
}

impl CacheSpan {
    /// Its bytes; `None` where they are not what was written.
    pub fn read(self, bytes: &dyn CacheBytes) -> Option<std::borrow::Cow<'_, [u8]>> {
        let read = bytes.read(self.start, self.length as usize)?;
        (crc32fast::hash(&read) == self.checksum).then_some(read)
    }
}

/// The table.
#[derive(Debug, Serialize, Deserialize)]
pub struct CacheHeader {
    /// Of the cache and of facts.
    pub version: (u32, u32),
    /// What the facts depend on.
    pub settings: (u32, bool),
    /// When it was written, in ms since 1970.
    pub written_ms: f64,
    /// What language providers taught.
    pub learned: Vec<StatsEntry>,
    /// The names of declarations, as [`encode_names`] writes them.
    pub declared_names: CacheSpan,
    /// What the declarations of each file are called, by the numbers of these names, one file behind the other.
    pub declared: CacheSpan,
    /// The names that bindings have, as well.
    pub bound_names: CacheSpan,
    /// What `codecortex_bind::encode_numbered` gives of each file, one behind the other.
    pub heads: CacheSpan,
    /// What is documented, some files at a time.
    pub documented: Vec<DocumentedSpan>,
    /// The files.
    pub entries: Vec<CachedFile>,
}

/// What some files document, compressed.
#[derive(Debug, Serialize, Deserialize)]
pub struct DocumentedSpan {
    /// Where its bytes are.
    pub span: CacheSpan,
    /// Whose it is.
    pub files: Vec<u32>,
}

/// A file.
#[derive(Debug, Serialize, Deserialize)]
pub struct CachedFile {
    /// The root's absolute path, a NUL, the relative path.
    pub key: String,
    /// Bytes of the file.
    pub size: u64,
    /// When it was written, in ms since 1970.
    pub mtime_ms: f64,
    /// When the file itself changed, in ms since 1970; 0 where that is not known.
    pub changed_ms: f64,
    /// What was made of it.
    pub content: Content,
}

/// What a file was found to be.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Content {
    /// Why it was not read as code.
    Skipped(SkipReason),
    /// Where its facts are.
    Facts(FactsLocation),
}

/// Where what a file says is.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct FactsLocation {
    /// Whether it is left out, but its names are not.
    pub is_names: bool,
    /// What is known without looking into it.
    pub brief: FileSummary,
    /// Its facts, compressed.
    pub facts: CacheSpan,
    /// Its bindings, compressed; nothing where it has none.
    pub bindings: CacheSpan,
    /// How much of [`CacheHeader::declared`] is its.
    pub declared: u32,
    /// How much of [`CacheHeader::heads`] is its.
    pub head: u32,
}

/// Names as bytes: how many there are, the length of each, and all of them behind that, so that they are where they
/// stay once they are read.
pub fn encode_names(names: &Strings) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(names.texts().len() + 2 * names.len() + 5);
    put_varint(&mut bytes, names.len() as u32);
    for length in names.lengths() {
        put_varint(&mut bytes, length);
    }
    bytes.extend_from_slice(names.texts().as_bytes());
    bytes
}

/// The names of [`encode_names`]'s bytes; `None` for bytes that are not ones.
pub fn decode_names(mut bytes: Vec<u8>) -> Option<Strings> {
    let mut rest = bytes.as_slice();
    let count = take_varint(&mut rest)? as usize;
    if count > rest.len() {
        return None; // each takes a byte at least
    }
    let lengths: Option<Vec<u32>> = (0..count).map(|_| take_varint(&mut rest)).collect();
    let texts = bytes.len() - rest.len();
    bytes.drain(..texts);
    let texts = String::from_utf8(bytes).ok()?;
    Some(Strings::of_lengths(texts, lengths?.into_iter()))
}

/// Writes a number in as few bytes as it takes.
pub fn put_varint(out: &mut Vec<u8>, number: u32) {
    let mut rest = number;
    while rest >= 0x80 {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

/// Reads such a number.
pub fn take_varint(bytes: &mut &[u8]) -> Option<u32> {
    let mut value = 0_u64;
    for shift in (0..35).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return u32::try_from(value).ok();
        }
    }
    None
}

/// Compresses what [`unpack`] reads.
pub fn pack(bytes: &[u8]) -> Vec<u8> {
    lz4_flex::compress_prepend_size(bytes)
}

/// What was compressed; `None` for bytes that nothing compresses to.
pub fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
    /// No block of this compression says more with less.
    const MAX_TIMES: usize = 256;
    let (size, block) = lz4_flex::block::uncompressed_size(packed).ok()?;
    if size / MAX_TIMES > block.len() {
        return None;
    }
    lz4_flex::decompress_size_prepended(packed).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use codecortex_text::Interner;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn names_come_back(texts in prop::collection::vec(".{0,200}", 0..20)) {
            let mut names = Interner::default();
            for text in &texts {
                names.intern(text);
            }
            let decoded = decode_names(encode_names(names.strings()));
            prop_assert_eq!(decoded.as_ref(), Some(names.strings()));
        }

        #[test]
        fn no_bytes_lead_astray(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            if let Some(names) = decode_names(bytes.clone()) {
                prop_assert!(names.iter().map(str::len).sum::<usize>() <= bytes.len());
            }
            let _ = unpack(&bytes);
        }

        #[test]
        fn numbers_come_back(number in prop_oneof![0..300_u32, any::<u32>()]) {
            let mut bytes = Vec::new();
            put_varint(&mut bytes, number);
            let mut rest = bytes.as_slice();
            prop_assert_eq!(take_varint(&mut rest), Some(number));
            prop_assert!(rest.is_empty());
        }
    }
}
