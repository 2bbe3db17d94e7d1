//! Ids with as many letters as it takes (SPEC H2).
//!
//! **The rule:** as long as several living types have the same eight letters, each of them has twelve (and
//! more where twelve are the same too); when only one is left, it has eight again. So ids follow from the
//! set of types alone, whatever the order they came in, and a short id never means another type than it
//! did before: while it is shared it means none.

use codecortex_text::base32;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

use crate::model::Identity;

/// Letters of an id after `T_`, the usual number first.
const LENGTHS: [usize; 4] = [8, 12, 16, 51];
const PREFIX: &str = "T_";

fn letters(text: &str) -> String {
    base32(&Sha256::digest(text.as_bytes()), usize::MAX)
}

/// The short id within an id of any length.
pub(crate) fn short(id: &str) -> &str {
    id.get(..PREFIX.len() + LENGTHS[0]).unwrap_or(id)
}

/// The short id with the further letters of the type's hash.
fn extended(short: &str, identity: &Identity, length: usize) -> String {
    let Identity { fqn, kind, arity } = identity;
    let more = letters(&format!("{fqn}{kind}{arity}"));
    let more = more.get(LENGTHS[0]..length).unwrap_or_default();
    format!("{short}{more}")
}

/// Whether `id` is the short id of a type, or a longer form of it.
pub(crate) fn means(id: &str, of_short: &str, identity: &Identity) -> bool {
    let length = id.len().saturating_sub(of_short.len()) + LENGTHS[0];
    id == of_short || (LENGTHS.contains(&length) && extended(of_short, identity, length) == id)
}

/// The ids of all types that share a short id, in their order.
pub(crate) fn assign(short: &str, sharing: &[&Identity]) -> Vec<String> {
    if sharing.len() < 2 {
        return vec![short.to_owned(); sharing.len()];
    }
    let of_length = |length: usize| -> Vec<String> {
        let ids = sharing.iter();
        ids.map(|identity| extended(short, identity, length))
            .collect()
    };
    let distinct = |ids: &Vec<String>| ids.iter().collect::<BTreeSet<_>>().len() == ids.len();
    let mut longer = LENGTHS.into_iter().skip(1).map(of_length);
    let found = longer.find(distinct);
    found.unwrap_or_else(|| of_length(LENGTHS[LENGTHS.len() - 1]))
}

/// The id of a group: a hash of its members' ids. Twelve letters, so that no two groups share one.
pub(crate) fn group_id(members: &BTreeSet<&str>) -> String {
    let joined: Vec<&str> = members.iter().copied().collect();
    let mut letters = letters(&joined.join(","));
    letters.truncate(12);
    format!("G_{letters}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use codecortex_hashes::type_id;

    fn identity(fqn: &str) -> Identity {
        Identity {
            fqn: fqn.to_owned(),
            kind: "class".to_owned(),
            arity: 0,
        }
    }

    #[test]
    fn longer_ids_go_on_where_short_ones_end() {
        let identity = identity("MemoTree.Core.NodeStore");
        let id = type_id(&identity.fqn, &identity.kind, identity.arity);
        assert_eq!(
            id,
            format!("T_{}", &letters("MemoTree.Core.NodeStoreclass0")[..8])
        );
        let long = extended(&id, &identity, 12);
        assert_eq!(
            long,
            format!("T_{}", &letters("MemoTree.Core.NodeStoreclass0")[..12])
        );
        assert_eq!(short(&long), id);
        assert!(means(&long, &id, &identity) && means(&id, &id, &identity));
        assert!(!means("T_", &id, &identity));
    }

    #[test]
    fn ids_do_not_depend_on_order() {
        let (a, b) = (identity("A"), identity("B"));
        let one = assign("T_00000000", &[&a, &b]);
        let other = assign("T_00000000", &[&b, &a]);
        assert_eq!(one[0], other[1]);
        assert_eq!(one[1], other[0]);
        assert_eq!(one[0].len(), 14);
        assert_eq!(assign("T_00000000", &[&a]), ["T_00000000"]);
    }
}
