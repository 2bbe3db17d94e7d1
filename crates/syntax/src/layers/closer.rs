//! Where a text has to be read token by token.

use memchr::memchr_iter;

use crate::facts::Item;
use crate::spec::Spec;

/// In so many bytes of code there is about one of them.
const BYTES_PER_PLACE: usize = 32;

/// Places at which a text cannot be read as it stands: what may begin a literal, a comment, a directive
/// or an escape, where a statement may begin that nothing but layout parts from the one before, and where something is
/// declared. `text` begins at `start`.
pub(super) fn closer(spec: &Spec, text: &str, start: usize, items: &[Item]) -> Vec<u32> {
    let bytes = text.as_bytes();
    let mut places = Vec::with_capacity(items.len() + bytes.len() / BYTES_PER_PLACE);
    let quotes = memchr::memchr3_iter(b'"', b'\'', b'/', bytes);
    let others = memchr::memchr3_iter(b'`', b'#', b'@', bytes);
    places.extend(quotes.chain(others).map(|at| (start + at) as u32));
    for mark in spec.layers.statement_marks {
        places.extend(memchr_iter(*mark, bytes).map(|at| (start + at) as u32));
    }
    places.extend(items.iter().map(|item| item.start_byte));
    places.sort(); // a few sorted runs: merging them is all there is to do
    places
}
