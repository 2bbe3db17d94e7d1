//! Hashes in two halves: one that sees which member has what, one that does not see what members are called (SPEC H3, H4).
//!
//! Who exchanges the bodies or the documentation of two members changes what they do or say, and who gives one another
//! name does not. No single hash can tell both: three members may be given other names in turn until two have exchanged
//! theirs. So both are kept, and what else has changed decides which one counts.

use codecortex_syntax::Digest;
use sha2::{Digest as _, Sha256};

use crate::hashes::ChangeClass;

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
pub(crate) fn half_of(digest: &Digest) -> [&[u8]; 2] {
    let (shown, other) = digest.split_at(HALF);
    [shown, other]
}

/// A hash of the first halves of two.
pub(crate) fn halves(shown: &Digest, other: &Digest) -> Digest {
    let mut both = *shown;
    both[HALF..].copy_from_slice(&other[..HALF]);
    both
}

/// A hash of digests in no order: of their sum, so that nothing is sorted.
#[derive(Default)]
pub(crate) struct Unordered {
    sum: u128,
    count: u64,
}

impl Unordered {
    pub(crate) fn add(&mut self, digest: &Digest) {
        self.sum = self.sum.wrapping_add(u128::from_be_bytes(*digest));
        self.count += 1;
    }

    pub(crate) fn finish(&self) -> Digest {
        let hash = Sha256::new()
            .chain_update(self.sum.to_be_bytes())
            .chain_update(self.count.to_be_bytes());
        let full: [u8; 32] = hash.finalize().into();
        let mut digest = Digest::default();
        digest.copy_from_slice(&full[..16]);
        digest
    }
}
