//! Symbols that an observation is about, and whether they are still what they were (SPEC X7).
//!
//! Hashes are opaque words here: what they are made of, and what class a change of theirs is, others know.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A symbol as it was when something was observed about it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Anchor {
    /// The symbol's path.
    pub symbol: String,
    /// Its id, which outlives a rename as long as an alias leads from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its hashes by layer, such as `structure`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub hashes: BTreeMap<String, String>,
    /// Fields of a later version.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

/// Whether an observation still holds for its symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AnchorVerdict {
    /// The symbol means what it meant.
    Fresh,
    /// Its public meaning has changed.
    Drifted,
    /// It is gone.
    Orphaned,
}

/// What became of a symbol since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Since {
    /// It is gone.
    Gone,
    /// It is there, with these hashes by layer.
    Hashes(BTreeMap<String, String>),
}

/// Names the layers whose change is a change of public meaning; all others never make an anchor drift.
pub const MEANING_LAYERS: [&str; 2] = ["structure", "publicImpl"];

impl Anchor {
    /// Whether what was observed still holds. A reformat, a comment or an internal change leaves it fresh; where
    /// layers of meaning cannot be compared, because one side lacks them, it counts as drifted.
    #[must_use]
    pub fn verdict(&self, since: &Since) -> AnchorVerdict {
        let has_drifted = match since {
            Since::Gone => return AnchorVerdict::Orphaned,
            Since::Hashes(now) => MEANING_LAYERS.iter().any(|layer| {
                let then = self.hashes.get(*layer);
                then.is_none() || then != now.get(*layer)
            }),
        };
        if has_drifted {
            AnchorVerdict::Drifted
        } else {
            AnchorVerdict::Fresh
        }
    }
}

/// The verdict on an observation with several anchors: the worst of theirs, none without anchors.
#[must_use]
pub fn worst(verdicts: impl IntoIterator<Item = AnchorVerdict>) -> Option<AnchorVerdict> {
    verdicts.into_iter().max()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hashes(structure: &str, public: &str, cosmetic: &str) -> BTreeMap<String, String> {
        let layers = [
            ("structure", structure),
            ("publicImpl", public),
            ("cosmetic", cosmetic),
        ];
        layers
            .map(|(layer, hash)| (layer.to_owned(), hash.to_owned()))
            .into()
    }

    #[test]
    fn a_symbol_that_is_gone_orphans_its_observation() {
        assert_eq!(
            Anchor::default().verdict(&Since::Gone),
            AnchorVerdict::Orphaned
        );
    }

    #[test]
    fn hashes_are_compared_by_layers_of_meaning() {
        let anchor = Anchor {
            hashes: hashes("A", "B", "C"),
            ..Anchor::default()
        };
        let verdict = |now| anchor.verdict(&Since::Hashes(now));
        assert_eq!(verdict(hashes("A", "B", "X")), AnchorVerdict::Fresh);
        assert_eq!(verdict(hashes("X", "B", "C")), AnchorVerdict::Drifted);
        assert_eq!(verdict(hashes("A", "X", "C")), AnchorVerdict::Drifted);
        let none = Anchor::default();
        assert_eq!(
            none.verdict(&Since::Hashes(hashes("A", "B", "C"))),
            AnchorVerdict::Drifted
        );
    }

    #[test]
    fn the_worst_verdict_is_told() {
        assert_eq!(worst([]), None);
        let all = [AnchorVerdict::Drifted, AnchorVerdict::Fresh];
        assert_eq!(worst(all), Some(AnchorVerdict::Drifted));
    }
}
