//! What texts and orders are compared by.

use sha2::{Digest as _, Sha256};
use xxhash_rust::xxh3::xxh3_128;

/// Half of a SHA-256: what texts are compared by.
pub type Digest = [u8; 16];

/// The digest of a layer's tokens.
pub(crate) fn digest(tokens: &[u8]) -> Digest {
    let full: [u8; 32] = Sha256::digest(tokens).into();
    let mut half = Digest::default();
    half.copy_from_slice(&full[..16]);
    half
}

/// What [`Facts::hash`](crate::Facts::hash) is of a file's bytes. It tells texts apart and proves nothing, so it is the fast
/// kind: a keystroke hashes all of its text.
#[must_use]
pub fn content_hash(bytes: &[u8]) -> [u8; 16] {
    xxh3_128(bytes).to_be_bytes()
}

/// The digest of the order of what is told apart by these; none where it is sorted.
pub(crate) fn order_digest<T: Ord>(identities: &[T]) -> Option<Digest> {
    let order = order_of(identities);
    (!order.is_empty()).then(|| digest(&order))
}

/// Which place each entry has among the sorted ones; nothing where they are sorted, so that what is
/// added or renamed and leaves the order as it was leaves this as it was.
pub(crate) fn order_of<T: Ord>(entries: &[T]) -> Vec<u8> {
    if entries.is_sorted() {
        return Vec::new();
    }
    let mut sorted: Vec<usize> = (0..entries.len()).collect();
    sorted.sort_by(|a, b| entries[*a].cmp(&entries[*b]));
    let places = sorted.into_iter().map(|place| (place as u32).to_le_bytes());
    places.flatten().collect()
}
