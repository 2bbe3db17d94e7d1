//! Stable ids of types and members (SPEC H2, D18).

use codecortex_text::base32;
use sha2::{Digest, Sha256};

/// `T_` and eight characters of the hash of path, kind and number of type parameters.
#[must_use]
pub fn type_id(path: &str, kind: &str, arity: u8) -> String {
    format!("T_{}", short_hash(&format!("{path}{kind}{arity}"), 8))
}

/// The id of a type's member: the type's id and six characters of the member's canonical signature.
#[must_use]
pub fn member_id(type_id: &str, canonical_signature: &str) -> String {
    format!("{type_id}_{}", short_hash(canonical_signature, 6))
}

fn short_hash(text: &str, length: usize) -> String {
    let digest: [u8; 32] = Sha256::digest(text.as_bytes()).into();
    base32(&digest[..10], length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_ids() {
        // Computed independently, by hand of the definition.
        let id = type_id("MemoTree.Core.NodeStore", "class", 0);
        assert_eq!(id, "T_9xx14grs");
        assert_eq!(member_id(&id, "public void Clear()"), "T_9xx14grs_3he281");
        assert_ne!(type_id("A", "class", 0), type_id("A", "class", 1));
    }
}
