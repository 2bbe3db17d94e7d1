//! Hashes in two halves: one that sees which member has what, one that does not see what members are called (SPEC H3, H4).
//!
//! Who exchanges the bodies or the documentation of two members changes what they do or say, and who gives one another
//! name does not. No single hash can tell both: three members may be given other names in turn until two have exchanged
//! theirs. So both are kept, and what else has changed decides which one counts.

use sha2::{Digest as _, Sha256};

use crate::change::ChangeClass;
use crate::values::{Digest, half};

/// Bytes of a half; the first one is what [`crate::render`] shows.
const HALF: usize = 8;

/// Of two states of a type, what is the same and has the names of its members in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SameNames {
    /// The structure, so that the names of public members are the same.
    pub structure: bool,
    /// What is internal, so that the names of other members are.
    pub internal: bool,
}

/// Whether a hash of two states is another one by which a type has changed in a class.
///
/// While names are the same, either half counts. Where a name is another, only the half that is without names does.
#[must_use]
pub fn differs(class: ChangeClass, before: &Digest, after: &Digest, names: SameNames) -> bool {
    let [shown, other] = half_of(before);
    let [shown_now, other_now] = half_of(after);
    match class {
        ChangeClass::PublicBehavior if !names.structure => other != other_now,
        ChangeClass::Docs if !names.structure => shown != shown_now,
        ChangeClass::Cosmetic if !(names.structure && names.internal) => other != other_now,
        _ => before != after,
    }
}

/// The two halves of a hash.
#[must_use]
pub fn half_of(digest: &Digest) -> [&[u8]; 2] {
    let (shown, other) = digest.split_at(HALF);
    [shown, other]
}

/// A hash of the first halves of two.
#[must_use]
pub fn halves(shown: &Digest, other: &Digest) -> Digest {
    let mut both = *shown;
    both[HALF..].copy_from_slice(&other[..HALF]);
    both
}

/// A hash of digests in no order: of their sum, so that nothing is sorted.
#[derive(Debug, Default)]
pub struct Unordered {
    sum: u128,
    count: u64,
}

impl Unordered {
    /// Takes a digest in.
    pub fn add(&mut self, digest: &Digest) {
        self.sum = self.sum.wrapping_add(u128::from_be_bytes(*digest));
        self.count += 1;
    }

    /// The hash of what was taken in.
    #[must_use]
    pub fn finish(&self) -> Digest {
        let hash = Sha256::new()
            .chain_update(self.sum.to_be_bytes())
            .chain_update(self.count.to_be_bytes());
        half(hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAME: SameNames = SameNames {
        structure: true,
        internal: true,
    };
    const RENAMED: SameNames = SameNames {
        structure: false,
        internal: false,
    };

    #[test]
    fn a_hash_of_two_halves_has_the_first_half_of_each() {
        let both = halves(&[1; 16], &[2; 16]);
        assert_eq!(half_of(&both), [&[1_u8; 8][..], &[2; 8][..]]);
    }

    #[test]
    fn under_other_names_only_the_half_without_names_counts() {
        let before = halves(&[1; 16], &[2; 16]);
        let named = halves(&[3; 16], &[2; 16]);
        let other = halves(&[1; 16], &[3; 16]);
        for after in [&named, &other] {
            assert!(differs(ChangeClass::PublicBehavior, &before, after, SAME));
        }
        assert!(!differs(
            ChangeClass::PublicBehavior,
            &before,
            &named,
            RENAMED
        ));
        assert!(differs(
            ChangeClass::PublicBehavior,
            &before,
            &other,
            RENAMED
        ));
        // Documentation has its names in the other half.
        assert!(differs(ChangeClass::Docs, &before, &named, RENAMED));
        assert!(!differs(ChangeClass::Docs, &before, &other, RENAMED));
        // What is internal names its members in any case.
        assert!(differs(ChangeClass::Internal, &before, &named, RENAMED));
    }

    #[test]
    fn a_sum_has_no_order_but_a_count() {
        let sum = |digests: &[Digest]| {
            let mut sum = Unordered::default();
            digests.iter().for_each(|digest| sum.add(digest));
            sum.finish()
        };
        assert_eq!(sum(&[[1; 16], [2; 16]]), sum(&[[2; 16], [1; 16]]));
        assert_ne!(sum(&[]), sum(&[[0; 16]]));
    }
}
