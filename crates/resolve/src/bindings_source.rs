//! Bindings that are not in memory: a cache keeps them, and they are read when a question leads into their file.

use std::fmt::Debug;
use std::sync::Arc;

/// What keeps bindings, each file's by a number of its own.
pub trait BindingsSource: Debug + Send + Sync {
    /// The bytes of `codecortex_bind::encode` of a file; `None` where they cannot be read any more.
    fn bindings(&self, number: u32) -> Option<Arc<[u8]>>;
}

/// A file's bindings as bytes.
#[derive(Clone, Debug)]
pub(crate) enum Bytes {
    Here(Arc<[u8]>),
    InCache(Arc<dyn BindingsSource>, u32),
}

impl Bytes {
    /// The bytes; none where the cache does not have them any more.
    pub(crate) fn get(&self) -> Option<Arc<[u8]>> {
        match self {
            Self::Here(bytes) => Some(Arc::clone(bytes)),
            Self::InCache(source, number) => source.bindings(*number),
        }
    }
}
