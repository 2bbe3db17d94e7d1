//! The kinds of change between two states of a type (SPEC H4, D19).

use serde::{Deserialize, Serialize};

use crate::halves::{SameNames, differs};
use crate::values::Hashes;

/// A set of kinds of change, of which the first is the one that counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ChangeKinds(u8);

/// What kind of change a type has seen, the gravest first (SPEC H4, D19).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ChangeClass {
    /// What others see.
    Structure,
    /// What it does for others.
    PublicBehavior,
    /// The structure of what it depends on.
    #[serde(rename = "Structure-Dependency")]
    StructureDependency,
    /// What only it knows of.
    Internal,
    /// Documentation.
    Docs,
    /// Looks.
    Cosmetic,
}

impl ChangeClass {
    /// Every class, the gravest first.
    pub const ALL: [Self; 6] = [
        Self::Structure,
        Self::PublicBehavior,
        Self::StructureDependency,
        Self::Internal,
        Self::Docs,
        Self::Cosmetic,
    ];

    /// The word in answers and files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Structure => "Structure",
            Self::PublicBehavior => "PublicBehavior",
            Self::StructureDependency => "Structure-Dependency",
            Self::Internal => "Internal",
            Self::Docs => "Docs",
            Self::Cosmetic => "Cosmetic",
        }
    }
}

impl ChangeKinds {
    /// What differs between two states of a type.
    #[must_use]
    pub fn between(before: &Hashes, after: &Hashes) -> Self {
        let mut changes = Self::default();
        let names = SameNames {
            structure: before.structure == after.structure,
            internal: before.internal_impl == after.internal_impl,
        };
        for (class, before, after) in [
            (ChangeClass::Structure, &before.structure, &after.structure),
            (
                ChangeClass::PublicBehavior,
                &before.public_impl,
                &after.public_impl,
            ),
            (
                ChangeClass::Internal,
                &before.internal_impl,
                &after.internal_impl,
            ),
            (ChangeClass::Docs, &before.doc, &after.doc),
            (ChangeClass::Cosmetic, &before.cosmetic, &after.cosmetic),
        ] {
            if differs(class, before, after, names) {
                changes.insert(class);
            }
        }
        changes
    }

    /// Adds a class.
    pub fn insert(&mut self, class: ChangeClass) {
        self.0 |= 1 << class as u8;
    }

    /// Adds all of `other`.
    pub fn extend(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// The gravest, if anything changed.
    #[must_use]
    pub fn class(self) -> Option<ChangeClass> {
        self.classes().next()
    }

    /// All of them, the gravest first.
    pub fn classes(self) -> impl Iterator<Item = ChangeClass> {
        let all = ChangeClass::ALL.into_iter();
        all.filter(move |class| self.0 & (1 << *class as u8) != 0)
    }

    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(after: &Hashes) -> Vec<ChangeClass> {
        let kinds = ChangeKinds::between(&Hashes::default(), after);
        assert_eq!(kinds.class(), kinds.classes().next());
        assert_eq!(kinds.is_empty(), kinds.class().is_none());
        kinds.classes().collect()
    }

    #[test]
    fn each_part_is_a_class_of_its_own() {
        assert_eq!(classes(&Hashes::default()), []);
        let with = |set: fn(&mut Hashes)| {
            let mut hashes = Hashes::default();
            set(&mut hashes);
            classes(&hashes)
        };
        assert_eq!(
            with(|of| of.internal_impl = [1; 16]),
            [ChangeClass::Internal]
        );
        assert_eq!(with(|of| of.doc = [1; 16]), [ChangeClass::Docs]);
        assert_eq!(with(|of| of.cosmetic = [1; 16]), [ChangeClass::Cosmetic]);
        assert_eq!(
            with(|of| {
                of.cosmetic = [1; 16];
                of.structure = [1; 16];
            }),
            [ChangeClass::Structure, ChangeClass::Cosmetic]
        );
    }

    #[test]
    fn sets_are_joined_and_the_gravest_comes_first() {
        let (mut all, mut more) = (ChangeKinds::default(), ChangeKinds::default());
        all.insert(ChangeClass::Cosmetic);
        more.insert(ChangeClass::StructureDependency);
        all.extend(more);
        assert_eq!(all.class(), Some(ChangeClass::StructureDependency));
        assert_eq!(all.classes().count(), 2);
        for class in ChangeClass::ALL {
            let word = serde_json_word(class);
            assert_eq!(word, class.as_str());
        }
    }

    /// The word that serde writes.
    fn serde_json_word(class: ChangeClass) -> String {
        serde_json::to_value(class)
            .ok()
            .and_then(|word| word.as_str().map(str::to_owned))
            .unwrap_or_default()
    }
}
