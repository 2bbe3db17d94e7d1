//! The cache: every file's outcome with the size and time it was read at, and what language providers taught, as one
//! byte string.
//!
//! Outcomes come first and their table last, so that an export is written as it is made and never held whole: on a
//! million lines that is tens of megabytes.
//!
//! It is disposable. Bytes of another version, of other settings, or damaged are ignored, and a
//! file whose size or time differ is read again. A file that changed within two seconds of the
//! export is read again too: its time may not tell a later change, as git's index has it.
//!
//! Each outcome is compressed by itself: a start reads those of files that are still the same, and the whole
//! stays smaller than the sources.

use std::io::{self, Write};

use codecortex_syntax::{FACTS_VERSION, Outcome, decode_outcome, encode_outcome};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::protocol::Config;
use crate::providers::Learned;
use crate::workspace::Stat;

/// Raise with any change of [`Header`] or of what follows it.
const CACHE_VERSION: u32 = 5;
const MAGIC: &[u8; 8] = b"CCORTEX\n";
/// Length and checksum of the table, at the very end.
const FOOTER: usize = 8;
/// A file written this shortly before the export may have changed again within one tick.
const RACY_MS: f64 = 2000.0;

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    version: (u32, u32),
    settings: (u32, bool),
    written_ms: f64,
    learned: Vec<Learned>,
    entries: Vec<Entry>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    /// The root's absolute path, a NUL, the relative path.
    key: String,
    size: u64,
    mtime_ms: f64,
    length: u32,
    /// Of the outcome's bytes: a flipped bit must not become a wrong answer.
    checksum: u32,
}

/// Where an outcome is in the cache, and what it is of.
#[derive(Debug)]
struct Slot {
    stat: Stat,
    start: usize,
    end: usize,
    checksum: u32,
}

/// An imported cache: a table into its bytes.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    bytes: Vec<u8>,
    entries: FxHashMap<String, Slot>,
    settings: (u32, bool),
    written_ms: f64,
    learned: Vec<Learned>,
}

/// The key of a file.
pub(crate) fn key(root: &str, path: &str) -> String {
    format!("{root}\0{path}")
}

fn settings(config: &Config) -> (u32, bool) {
    (config.max_file_size, config.exclude_generated)
}

impl Cache {
    /// Reads an export's table. `None` for bytes that are no cache of this version.
    pub(crate) fn import(bytes: Vec<u8>) -> Option<Self> {
        let (rest, footer) = bytes.split_last_chunk::<FOOTER>()?;
        let [length, checksum] = footer.as_chunks::<4>().0 else {
            return None;
        };
        let blobs = rest
            .len()
            .checked_sub(u32::from_le_bytes(*length) as usize)?;
        let table = rest.get(blobs..)?;
        if !rest.starts_with(MAGIC) || crc32fast::hash(table) != u32::from_le_bytes(*checksum) {
            return None;
        }
        let header: Header = postcard::from_bytes(table).ok()?;
        if header.version != (CACHE_VERSION, FACTS_VERSION) {
            return None;
        }
        let mut at = MAGIC.len();
        let mut entries = FxHashMap::default();
        for entry in header.entries {
            let end = at.checked_add(entry.length as usize)?;
            if end > blobs {
                return None; // cut off
            }
            let stat = Stat {
                size: entry.size,
                mtime_ms: entry.mtime_ms,
            };
            let slot = Slot {
                stat,
                start: at,
                end,
                checksum: entry.checksum,
            };
            entries.insert(entry.key, slot);
            at = end;
        }
        Some(Self {
            entries,
            settings: header.settings,
            written_ms: header.written_ms,
            learned: header.learned,
            bytes,
        })
    }

    /// What language providers had taught.
    pub(crate) fn learned(&self) -> &[Learned] {
        &self.learned
    }

    /// The outcome of a file, if it has not changed since.
    pub(crate) fn get(&self, key: &str, stat: Stat, config: &Config) -> Option<Outcome> {
        let slot = self.entries.get(key)?;
        let racy = stat.mtime_ms > self.written_ms - RACY_MS;
        if slot.stat != stat || racy || self.settings != settings(config) {
            return None;
        }
        let blob = self.bytes.get(slot.start..slot.end)?;
        (crc32fast::hash(blob) == slot.checksum).then(|| unpack(blob))?
    }
}

/// An outcome from its compressed bytes; `None` for what is none.
fn unpack(blob: &[u8]) -> Option<Outcome> {
    /// No block of this compression says more with less.
    const MOST_TIMES: usize = 256;
    let (size, packed) = lz4_flex::block::uncompressed_size(blob).ok()?;
    if size / MOST_TIMES > packed.len() {
        return None;
    }
    decode_outcome(&lz4_flex::decompress_size_prepended(blob).ok()?)
}

/// Writes a cache. `now_ms` is the time of the export. Fails where `out` does.
pub(crate) fn export(
    out: &mut dyn Write,
    files: impl Iterator<Item = (String, Stat, Outcome)>,
    learned: Vec<Learned>,
    config: &Config,
    now_ms: f64,
) -> io::Result<()> {
    let mut entries = Vec::new();
    out.write_all(MAGIC)?;
    for (key, stat, outcome) in files {
        let blob = lz4_flex::compress_prepend_size(&encode_outcome(&outcome));
        entries.push(Entry {
            key,
            size: stat.size,
            mtime_ms: stat.mtime_ms,
            length: blob.len() as u32,
            checksum: crc32fast::hash(&blob),
        });
        out.write_all(&blob)?;
    }
    let header = Header {
        version: (CACHE_VERSION, FACTS_VERSION),
        settings: settings(config),
        written_ms: now_ms,
        learned,
        entries,
    };
    // Postcard fails on nothing that a header can hold; an empty table makes a useless cache, no more.
    let header = postcard::to_allocvec(&header).unwrap_or_default();
    out.write_all(&header)?;
    out.write_all(&(header.len() as u32).to_le_bytes())?;
    out.write_all(&crc32fast::hash(&header).to_le_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use codecortex_syntax::SkipReason;

    fn sample(now_ms: f64) -> Vec<u8> {
        let stat = Stat {
            size: 3,
            mtime_ms: 1000.0,
        };
        let outcome = Outcome::Skipped(SkipReason::Binary);
        let mut bytes = Vec::new();
        export(
            &mut bytes,
            std::iter::once((key("/r", "a"), stat, outcome)),
            Vec::new(),
            &Config::default(),
            now_ms,
        )
        .unwrap();
        bytes
    }

    #[test]
    fn only_unchanged_files_are_served() {
        let config = Config::default();
        let cache = Cache::import(sample(9000.0)).unwrap();
        let stat = Stat {
            size: 3,
            mtime_ms: 1000.0,
        };
        assert!(cache.get(&key("/r", "a"), stat, &config).is_some());
        assert!(
            cache
                .get(&key("/r", "a"), Stat { size: 4, ..stat }, &config)
                .is_none()
        );
        assert!(cache.get(&key("/r", "b"), stat, &config).is_none());
        let other = Config {
            max_file_size: 1,
            ..Config::default()
        };
        assert!(cache.get(&key("/r", "a"), stat, &other).is_none());
        let racy = Cache::import(sample(1500.0)).unwrap();
        assert!(racy.get(&key("/r", "a"), stat, &config).is_none());
    }

    #[test]
    fn damaged_bytes_are_refused_or_harmless() {
        let good = sample(9000.0);
        assert!(Cache::import(Vec::new()).is_none());
        for length in 0..good.len() {
            assert!(Cache::import(good[..length].to_vec()).is_none(), "{length}");
        }
        let stat = Stat {
            size: 3,
            mtime_ms: 1000.0,
        };
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x55;
            let served = Cache::import(bad)
                .and_then(|cache| cache.get(&key("/r", "a"), stat, &Config::default()));
            assert!(served.is_none(), "byte {at}");
        }
    }
}
