//! What indexing took, for people and benchmarks.

use std::time::Duration;

use serde_json::{Value, json};

/// What it took to bring a workspace to where it is.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// Threads that read files.
    pub threads: u32,
    /// Files that were read; the others came from the cache.
    pub files_read: u32,
    /// Bytes of the files that were read.
    pub bytes_read: u64,
    /// From the start to the last listing.
    pub scan_end: Duration,
    /// From the start to the first file asked for.
    pub read_begin: Option<Duration>,
    /// From the start to the last file read.
    pub read_end: Duration,
    /// From the start to now.
    pub total: Duration,
    /// How long the engine had nothing to do.
    pub waited: Duration,
    /// Loading the cache's bytes and table.
    pub cache_load: Duration,
    /// Making and writing the cache.
    pub cache_save: Duration,
    /// Processor time of listing.
    pub scan_cpu: Duration,
    /// Processor time of reading, parsing and walking.
    pub read_cpu: Duration,
    /// Processor time of the engine.
    pub index_cpu: Duration,
    /// Processor time of the process since the start.
    pub total_cpu: Duration,
    /// Size of the cache in bytes.
    pub cache_bytes: u64,
}

impl Stats {
    /// Times by the clock, in ms.
    #[must_use]
    pub fn ms(&self) -> Value {
        let read = self
            .read_begin
            .map_or(Duration::ZERO, |begin| self.read_end.saturating_sub(begin));
        json!({
            "scan": ms(self.scan_end),
            "readParseWalk": ms(read),
            "cacheLoad": ms(self.cache_load),
            "cacheSave": ms(self.cache_save),
            "total": ms(self.total),
        })
    }

    /// Processor times, in ms.
    #[must_use]
    pub fn cpu_ms(&self) -> Value {
        json!({
            "scan": ms(self.scan_cpu),
            "readParseWalk": ms(self.read_cpu),
            "index": ms(self.index_cpu),
            "total": ms(self.total_cpu),
        })
    }
}

/// Ms with two digits after the point.
#[must_use]
pub fn ms(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e5).round() / 100.0
}
