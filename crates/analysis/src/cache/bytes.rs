//! Where the bytes of a cache are.

use std::borrow::Cow;
use std::fmt::Debug;

/// The bytes of a cache: a host that has them in a file has parts of it read when they are needed.
pub trait CacheBytes: Debug + Send + Sync {
    /// How many bytes there are.
    fn len(&self) -> u64;

    /// So many bytes from a place on; `None` where there are not so many, or where they cannot be read.
    fn read(&self, start: u64, length: usize) -> Option<Cow<'_, [u8]>>;

    /// Bytes of memory that they take.
    fn memory(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl CacheBytes for Vec<u8> {
    fn len(&self) -> u64 {
        self.as_slice().len() as u64
    }

    fn read(&self, start: u64, length: usize) -> Option<Cow<'_, [u8]>> {
        let start = usize::try_from(start).ok()?;
        self.get(start..start.checked_add(length)?)
            .map(Cow::Borrowed)
    }

    fn memory(&self) -> usize {
        self.capacity()
    }
}
