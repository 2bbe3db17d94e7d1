//! The hashes of a type as values, and how one is shown (SPEC H3–H5, H7).

use codecortex_text::base32;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Half of a SHA-256: what texts are compared by.
pub type Digest = [u8; 16];

/// What the hashes take in, by configuration (SPEC H7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HashRules {
    /// Whether what only the assembly, package or module sees counts as public.
    pub internal_is_public: bool,
    /// Whether documentation is structure.
    pub docs_are_structure: bool,
}

/// Full hashes, shown as eight letters by [`render`] and compared by [`crate::differs`]: three of them have two halves, of which
/// the first is shown. What tells what belongs to which member has to name the members, or to have them in the order of
/// their names; what another name leaves alone must not. So there is a half for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Hashes {
    /// What others see.
    pub structure: Digest,
    /// What it does for others: in the order of members' names, then in none.
    pub public_impl: Digest,
    /// What only it knows of.
    pub internal_impl: Digest,
    /// Documentation: in no order, then with the names of the members that it is of.
    pub doc: Digest,
    /// Comments, white space, `H(its own : what its files have of them beside it)`: with the order of members, then
    /// without.
    pub cosmetic: Digest,
}

impl Hashes {
    /// Both implementations as one: `H(publicImpl : internalImpl)`.
    #[must_use]
    pub fn implementation(&self) -> Digest {
        half(
            Sha256::new()
                .chain_update(self.public_impl)
                .chain_update(b":")
                .chain_update(self.internal_impl),
        )
    }
}

/// Letters of a hash as it is shown, and where that is not enough to tell two apart.
const SHOWN: usize = 8;
const SHOWN_LONG: usize = 12;

/// A hash as it is shown: the first eight bytes in Crockford's Base32, upper case, cut to eight letters.
#[must_use]
pub fn render(hash: &Digest) -> String {
    rendered(hash, SHOWN)
}

/// A hash that is shown as another one is: with twelve letters.
#[must_use]
pub fn render_long(hash: &Digest) -> String {
    rendered(hash, SHOWN_LONG)
}

fn rendered(hash: &Digest, length: usize) -> String {
    base32(&hash[..8], length).to_ascii_uppercase()
}

/// The half of a finished hash that is kept.
#[must_use]
pub fn half(hash: Sha256) -> Digest {
    let full: [u8; 32] = hash.finalize().into();
    let mut half = Digest::default();
    half.copy_from_slice(&full[..16]);
    half
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_shown_by_its_first_letters() {
        let hash: Digest = [0xff; 16];
        let (short, long) = (render(&hash), render_long(&hash));
        assert_eq!((short.len(), long.len()), (8, 12));
        assert!(long.starts_with(&short));
        assert_eq!(short, short.to_ascii_uppercase());
    }

    #[test]
    fn an_implementation_has_both_parts_in_their_order() {
        let hashes = Hashes {
            public_impl: [1; 16],
            internal_impl: [2; 16],
            ..Hashes::default()
        };
        let exchanged = Hashes {
            public_impl: hashes.internal_impl,
            internal_impl: hashes.public_impl,
            ..Hashes::default()
        };
        assert_ne!(hashes.implementation(), exchanged.implementation());
    }
}
