//! A fingerprint of a text that follows edits: it costs the edit, not the text.
//!
//! A text is a polynomial whose coefficients are its bytes, and its fingerprint is the value of that at one
//! place, twice. Values of neighbouring parts make the value of both, so the parts may be cut anywhere: the same
//! text has the same fingerprint however it came to be, in every process. Tells texts apart that differ by
//! accident; nobody is kept from making two with the same one.

use std::sync::Arc;

use ropey::Rope;

/// The lanes count modulo this prime, so that products fit 64 bits, which WASM multiplies too.
const PRIME: u64 = (1 << 31) - 1;
/// The places, one a lane.
const PLACES: [u64; 2] = [1_195_871_609, 863_257_159];
/// Bytes that are taken at once.
const STRIDE: usize = 8;
/// Powers of the places, the highest first: what the bytes of a stride are multiplied by.
const POWERS: [[u64; STRIDE]; 2] = [powers(PLACES[0]), powers(PLACES[1])];
/// Bytes of a part …
const PART: usize = 4 << 10;
/// … and after edits at most.
const MAX: usize = 4 * PART;

/// The value of a text or a part of one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct FingerprintValue {
    lanes: [u64; 2],
    bytes: usize,
}

/// A part of a text.
#[derive(Clone, Copy, Debug)]
struct FingerprintPart {
    value: FingerprintValue,
    /// What goes before it counts so many times: powers of the places, as high as it has bytes. They are
    /// dearer than the rest of putting parts together, and follow from the part alone.
    powers: [u64; 2],
}

impl From<FingerprintValue> for FingerprintPart {
    fn from(value: FingerprintValue) -> Self {
        Self {
            value,
            powers: PLACES.map(|place| power(place, value.bytes)),
        }
    }
}

/// The parts of a text, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts(Arc<Vec<FingerprintPart>>);

const fn powers(place: u64) -> [u64; STRIDE] {
    let mut all = [1; STRIDE];
    let mut at = STRIDE - 1;
    while at > 0 {
        all[at - 1] = all[at] * place % PRIME;
        at -= 1;
    }
    all
}

impl FingerprintValue {
    /// Adds text behind.
    fn push(&mut self, text: &[u8]) {
        self.bytes += text.len();
        let strides = text.chunks_exact(STRIDE);
        let rest = strides.remainder();
        for stride in strides {
            for (place, lane) in self.lanes.iter_mut().enumerate() {
                let powers = &POWERS[place];
                let sum: u64 = stride
                    .iter()
                    .zip(powers)
                    .map(|(byte, power)| (u64::from(*byte) + 1) * power)
                    .sum();
                *lane = (*lane * (powers[0] * PLACES[place] % PRIME) + sum) % PRIME;
            }
        }
        for byte in rest {
            for (place, lane) in self.lanes.iter_mut().enumerate() {
                *lane = (*lane * PLACES[place] + u64::from(*byte) + 1) % PRIME;
            }
        }
    }

    /// The value of this and what follows.
    fn then(self, next: &FingerprintPart) -> Self {
        let mut lanes = next.value.lanes;
        for (place, lane) in lanes.iter_mut().enumerate() {
            *lane = (self.lanes[place] * next.powers[place] + *lane) % PRIME;
        }
        Self {
            lanes,
            bytes: self.bytes + next.value.bytes,
        }
    }
}

fn power(mut base: u64, mut exponent: usize) -> u64 {
    let mut value = 1;
    while exponent > 0 {
        if exponent % 2 == 1 {
            value = value * base % PRIME;
        }
        base = base * base % PRIME;
        exponent /= 2;
    }
    value
}

impl Parts {
    /// The parts of a text; looks at all of it.
    pub(crate) fn from_rope(rope: &Rope) -> Self {
        let mut parts = Vec::with_capacity(rope.len_bytes() / PART + 1);
        add_parts(rope.chunks(), &mut parts);
        Self(Arc::new(parts))
    }

    /// Follows an edit: `rope` is the text after it, in which `new` bytes from `start` on stand for `old`.
    pub(crate) fn edit(&mut self, rope: &Rope, start: usize, old: usize, new: usize) {
        let parts = &self.0;
        let (mut first, mut begin) = (0, 0);
        // A part that ends where the edit begins is left alone, unless it is the last.
        while first + 1 < parts.len() && begin + parts[first].value.bytes <= start {
            begin += parts[first].value.bytes;
            first += 1;
        }
        let (mut last, mut end) = (first, begin);
        while last < parts.len() && (end < start + old || last == first) {
            end += parts[last].value.bytes;
            last += 1;
        }
        let end = (end + new).saturating_sub(old).max(start + new);
        let Some(slice) = rope.get_byte_slice(begin..end.min(rope.len_bytes())) else {
            *self = Self::from_rope(rope); // no part ends inside of a character
            return;
        };
        let mut changed = Vec::new();
        if slice.len_bytes() <= MAX {
            let mut value = FingerprintValue::default();
            slice
                .chunks()
                .for_each(|chunk| value.push(chunk.as_bytes()));
            changed.push(value.into());
        } else {
            add_parts(slice.chunks(), &mut changed);
        }
        Arc::make_mut(&mut self.0).splice(first..last, changed);
    }

    /// The fingerprint: both lanes and the length in bytes.
    pub(crate) fn fingerprint(&self) -> [u64; 3] {
        let whole = self
            .0
            .iter()
            .fold(FingerprintValue::default(), FingerprintValue::then);
        [whole.lanes[0], whole.lanes[1], whole.bytes as u64]
    }
}

/// Cuts text into parts where a piece of it ends.
fn add_parts<'a>(chunks: impl Iterator<Item = &'a str>, parts: &mut Vec<FingerprintPart>) {
    let mut value = FingerprintValue::default();
    for chunk in chunks {
        value.push(chunk.as_bytes());
        if value.bytes >= PART {
            parts.push(std::mem::take(&mut value).into());
        }
    }
    if value.bytes > 0 {
        parts.push(value.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plain(text: &str) -> [u64; 3] {
        let mut value = FingerprintValue::default();
        // Byte by byte, without strides and parts.
        text.bytes().for_each(|byte| value.push(&[byte]));
        [value.lanes[0], value.lanes[1], value.bytes as u64]
    }

    proptest! {
        /// Edits and parts change nothing: the fingerprint is that of the text.
        #[test]
        fn follows_edits(
            line in "[a-zé😀\n]{0,40}",
            times in 0usize..2_000,
            edits in prop::collection::vec((any::<u32>(), 0usize..9_000, "[xé😀\n]{0,9}", 0usize..2_000), 0..12),
        ) {
            let mut rope = Rope::from_str(&line.repeat(times));
            let mut parts = Parts::from_rope(&rope);
            for (at, removed, new, times) in edits {
                let from = at as usize % (rope.len_chars() + 1);
                let to = (from + removed).min(rope.len_chars());
                let (start, end) = (rope.char_to_byte(from), rope.char_to_byte(to));
                let new = new.repeat(times);
                rope.remove(from..to);
                rope.insert(from, &new);
                parts.edit(&rope, start, end - start, new.len());
                prop_assert_eq!(parts.fingerprint(), Parts::from_rope(&rope).fingerprint());
            }
            prop_assert_eq!(parts.fingerprint(), plain(&String::from(&rope)));
            prop_assert!(parts.0.iter().all(|part| part.value.bytes <= MAX));
        }
    }

    #[test]
    fn texts_that_hardly_differ_do() {
        let texts = [
            "",
            "\0",
            "\0\0",
            "a",
            "ab",
            "ba",
            "abcdefgh",
            "abcdefgi",
            "abcdefghi",
            "bacdefgh",
        ];
        for (at, one) in texts.iter().enumerate() {
            for other in &texts[at + 1..] {
                assert_ne!(plain(one), plain(other), "{one:?} {other:?}");
            }
        }
    }
}
