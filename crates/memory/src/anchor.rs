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

/// What a change of code means to others, gravest first (SPEC H4, D19).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ChangeClass {
    /// What is declared is another.
    Structure,
    /// What others can see of its behaviour is another.
    PublicBehavior,
    /// A type that it names is another.
    #[serde(rename = "Structure-Dependency")]
    StructureDependency,
    /// Only its inside is another.
    Internal,
    /// Only its documentation is another.
    Docs,
    /// Only its looks are another.
    Cosmetic,
}

impl ChangeClass {
    /// Whether the symbol's own public meaning is another.
    #[must_use]
    pub fn changes_meaning(self) -> bool {
        matches!(self, Self::Structure | Self::PublicBehavior)
    }
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
    /// It is there, and these classes of change were found.
    Changed(Vec<ChangeClass>),
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
            Since::Changed(classes) => classes.iter().any(|class| class.changes_meaning()),
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
    fn only_public_meaning_makes_it_drift() {
        let anchor = Anchor::default();
        let verdict = |class| anchor.verdict(&Since::Changed(vec![ChangeClass::Cosmetic, class]));
        for class in [ChangeClass::Structure, ChangeClass::PublicBehavior] {
            assert_eq!(verdict(class), AnchorVerdict::Drifted);
        }
        for class in [
            ChangeClass::StructureDependency,
            ChangeClass::Internal,
            ChangeClass::Docs,
            ChangeClass::Cosmetic,
        ] {
            assert_eq!(verdict(class), AnchorVerdict::Fresh);
        }
        assert_eq!(anchor.verdict(&Since::Gone), AnchorVerdict::Orphaned);
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
