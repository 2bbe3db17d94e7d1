//! The posting lists of one file: which of its declarations have a term, and how often in which field.

/// Where in a declaration a term stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Field {
    Body = 0,
    Name = 1,
    Container = 2,
    Signature = 3,
    Doc = 4,
    Path = 5,
}

/// Number of fields.
pub(crate) const FIELDS: usize = 6;

/// How often a term stands in each field of a declaration; counts above 255 are 255.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TermHit {
    /// Index of the declaration in its file; 0 is the file itself.
    pub(crate) declaration: u32,
    pub(crate) counts: [u8; FIELDS],
}

impl TermHit {
    pub(crate) fn count(&self, field: Field) -> u8 {
        self.counts[field as usize]
    }
}

/// Appends a hit; hits of a term are appended in the order of their declarations, `before` is the last one's.
pub(crate) fn encode(hit: &TermHit, before: u32, out: &mut Vec<u8>) {
    let step = hit.declaration - before;
    let is_plain = hit.counts == [1, 0, 0, 0, 0, 0];
    let mut head = step << 1 | u32::from(is_plain);
    while head >= 0x80 {
        out.push(head as u8 | 0x80);
        head >>= 7;
    }
    out.push(head as u8);
    if !is_plain {
        let present = (0..FIELDS).filter(|field| hit.counts[*field] > 0);
        out.push(present.fold(0, |mask, field| mask | 1 << field));
        out.extend(hit.counts.iter().filter(|count| **count > 0));
    }
}

/// The hits that [`encode`] wrote.
pub(crate) fn decode(bytes: &[u8]) -> impl Iterator<Item = TermHit> {
    let mut rest = bytes.iter().copied();
    let mut declaration = 0;
    std::iter::from_fn(move || {
        let mut head = 0u32;
        let mut shift = 0;
        loop {
            let byte = rest.next()?;
            head |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
            shift += 7;
        }
        declaration += head >> 1;
        let mut counts = [0; FIELDS];
        if head & 1 == 1 {
            counts[0] = 1;
        } else {
            let mask = rest.next()?;
            for (field, count) in counts.iter_mut().enumerate() {
                if mask >> field & 1 == 1 {
                    *count = rest.next()?;
                }
            }
        }
        Some(TermHit {
            declaration,
            counts,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn hits_are_what_was_written(written in proptest::collection::vec((0u32..100_000, any::<[u8; FIELDS]>()), 0..20)) {
            let (mut bytes, mut declaration, mut hits) = (Vec::new(), 0, Vec::new());
            for (step, counts) in written {
                let hit = TermHit { declaration: declaration + step, counts };
                encode(&hit, declaration, &mut bytes);
                declaration = hit.declaration;
                hits.push(hit);
            }
            prop_assert_eq!(decode(&bytes).collect::<Vec<_>>(), hits);
        }
    }
}
