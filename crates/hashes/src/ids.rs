//! Stable ids of types and members (SPEC H2, D18).

use codecortex_text::base32;
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};

/// Letters of a member's own part of its id, and where members of one type share them, the usual number first.
const MEMBER_LETTERS: [usize; 4] = [6, 12, 16, 51];

/// `T_` and eight characters of the hash of path, kind and number of type parameters.
#[must_use]
pub fn type_id(path: &str, kind: &str, arity: u8) -> String {
    format!("T_{}", hash(&format!("{path}{kind}{arity}"), 8))
}

/// The id of a type's member: the type's id and six characters of the hash of the member's canonical signature, or
/// more where these are another's too.
#[must_use]
pub fn member_id(type_id: &str, canonical_signature: &str, others: &SharedIds) -> String {
    let letters = hash(canonical_signature, usize::MAX);
    let short = &letters[..MEMBER_LETTERS[0]];
    let length = others.lengths.get(short).copied();
    let length = length.unwrap_or(MEMBER_LETTERS[0]);
    format!("{type_id}_{}", &letters[..length])
}

/// Which short ids several members of one type have, so that each of them has a longer one.
///
/// As for types, ids follow from the set of members alone, whatever their order, and a short id that is shared means
/// none of them. Declarations with one signature are one member.
#[derive(Clone, Debug, Default)]
pub struct SharedIds {
    /// Letters that it takes, by the short form.
    lengths: FxHashMap<String, usize>,
}

impl SharedIds {
    /// Of the canonical signatures of all members of a type.
    #[must_use]
    pub fn among(signatures: impl Iterator<Item = String>) -> Self {
        let mut letters: Vec<String> = signatures
            .map(|signature| hash(&signature, usize::MAX))
            .collect();
        letters.sort_unstable();
        letters.dedup();
        let short = |letters: &String| letters[..MEMBER_LETTERS[0]].to_owned();
        let same = |a: &String, b: &String| short(a) == short(b);
        let mut lengths = FxHashMap::default();
        for sharing in letters.chunk_by(same).filter(|sharing| sharing.len() > 1) {
            let differ = |length: &usize| {
                let mut pairs = sharing.windows(2);
                pairs.all(|pair| pair[0][..*length] != pair[1][..*length])
            };
            let enough = MEMBER_LETTERS.into_iter().find(differ);
            let enough = enough.unwrap_or(MEMBER_LETTERS[MEMBER_LETTERS.len() - 1]);
            lengths.insert(short(&sharing[0]), enough);
        }
        Self { lengths }
    }

    /// Whether no two members have the same short id.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// Whether an id of a member is longer than usual.
    #[must_use]
    pub fn is_long(member_id: &str) -> bool {
        let own = member_id.rsplit('_').next().unwrap_or_default();
        own.len() > MEMBER_LETTERS[0]
    }
}

fn hash(text: &str, length: usize) -> String {
    base32(&Sha256::digest(text.as_bytes()), length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_ids() {
        // Computed independently, by SHA-256 and Base32 of the definition's text.
        let id = type_id("MemoTree.Core.NodeStore", "class", 0);
        assert_eq!(id, "T_9xx14grs");
        let signature = "public void MemoTree.Core.NodeStore.Clear()";
        assert_eq!(
            member_id(&id, signature, &SharedIds::default()),
            "T_9xx14grs_ahfhkd"
        );
        assert_ne!(type_id("A", "class", 0), type_id("A", "class", 1));
    }

    #[test]
    fn members_that_share_an_id_have_longer_ones() {
        let signature = |number: u32| format!("public void C.M{number}()");
        let all = [7_772, 30_821, 0].map(signature);
        let ids = |all: &[String]| -> Vec<String> {
            let shared = SharedIds::among(all.iter().cloned());
            all.iter().map(|one| member_id("T", one, &shared)).collect()
        };
        assert_eq!(ids(&all), ["T_v5ew1r1ep7g5", "T_v5ew1ryrrksf", "T_yjqcm6"]);
        let reversed: Vec<String> = all.iter().rev().cloned().collect();
        let mut again = ids(&reversed);
        again.reverse();
        assert_eq!(again, ids(&all));
        // The first two have the same six letters, which means neither.
        // Alone, and with itself, it is short.
        assert_eq!(ids(&all[..1]), ["T_v5ew1r"]);
        assert_eq!(ids(&[all[0].clone(), all[0].clone()])[0], "T_v5ew1r");
    }
}
