//! Hashes as far as they are known: in full, or as the letters that a file had of them.

use codecortex_hashes::ChangeClass;
use codecortex_hashes::{ChangeKinds, Hashes, SameNames, differs, render, render_long};
use data_encoding::{Encoding, Specification};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

use crate::config::Config;

type Digest = [u8; 16];

/// One of the hashes that `index.json` shows of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum HashKind {
    /// `structureHash`
    Structure,
    /// `publicImplHash`
    PublicImpl,
    /// `internalImplHash`
    InternalImpl,
    /// `cosmeticHash`
    Cosmetic,
    /// `implHash`, made of the two implementations.
    Impl,
    /// `xmlDocHash`
    XmlDoc,
}

impl HashKind {
    /// All of them, in the order of `index.json`.
    pub const ALL: [Self; 6] = [
        Self::Structure,
        Self::PublicImpl,
        Self::InternalImpl,
        Self::Cosmetic,
        Self::Impl,
        Self::XmlDoc,
    ];

    /// The key in `index.json`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Structure => "structureHash",
            Self::PublicImpl => "publicImplHash",
            Self::InternalImpl => "internalImplHash",
            Self::Cosmetic => "cosmeticHash",
            Self::Impl => "implHash",
            Self::XmlDoc => "xmlDocHash",
        }
    }

    /// The class of change when this hash differs; none for the sum of two others.
    fn class(self) -> Option<ChangeClass> {
        match self {
            Self::Structure => Some(ChangeClass::Structure),
            Self::PublicImpl => Some(ChangeClass::PublicBehavior),
            Self::InternalImpl => Some(ChangeClass::Internal),
            Self::XmlDoc => Some(ChangeClass::Docs),
            Self::Cosmetic => Some(ChangeClass::Cosmetic),
            Self::Impl => None,
        }
    }

    /// Whether it means something else under `after` than under `before`.
    fn depends_on(self, before: &Config, after: &Config) -> bool {
        let internal =
            before.include_internal_for_dependencies != after.include_internal_for_dependencies;
        let doc = before.structure_hash_includes_xml_doc != after.structure_hash_includes_xml_doc;
        before.hash_version != after.hash_version
            || match self {
                Self::Structure => internal || doc,
                Self::PublicImpl | Self::InternalImpl | Self::Impl => internal,
                Self::Cosmetic | Self::XmlDoc => false,
            }
    }
}

/// How much of a hash is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum HashCoverage {
    /// Nothing that could be compared.
    #[default]
    Nothing,
    /// Eight letters.
    Short,
    /// Twelve letters.
    Long,
    /// All of it.
    Full,
}

/// A hash as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PartialHash {
    digest: Digest,
    known: HashCoverage,
    /// Eight letters are not enough to tell it from the one before.
    long: bool,
}

static CROCKFORD: LazyLock<Encoding> = LazyLock::new(|| {
    let mut specification = Specification::new();
    specification
        .symbols
        .push_str("0123456789ABCDEFGHJKMNPQRSTVWXYZ");
    // 32 distinct ASCII symbols are always a valid specification.
    specification
        .encoding()
        .unwrap_or(data_encoding::BASE32HEX_NOPAD)
});

impl PartialHash {
    pub(crate) fn full(digest: Digest) -> Self {
        Self {
            digest,
            known: HashCoverage::Full,
            long: false,
        }
    }

    /// What a file shows: eight or twelve letters, or nothing.
    pub(crate) fn parse(shown: &str) -> Option<Self> {
        let known = match shown.len() {
            0 => return Some(Self::default()),
            8 => HashCoverage::Short,
            12 => HashCoverage::Long,
            _ => return None,
        };
        let padded = format!("{shown:0<16}");
        let bytes = CROCKFORD.decode(padded.as_bytes()).ok()?;
        let mut digest = Digest::default();
        digest[..bytes.len()].copy_from_slice(&bytes);
        Some(Self {
            digest,
            known,
            long: known == HashCoverage::Long,
        })
    }

    pub(crate) fn show(&self) -> String {
        match (self.known, self.long) {
            (HashCoverage::Nothing, _) => String::new(),
            (_, true) => render_long(&self.digest),
            (_, false) => render(&self.digest),
        }
    }

    /// Whether both are the same, as far as both are known; `None` where nothing is.
    pub(crate) fn same(&self, other: &Self) -> Option<bool> {
        let head = |hash: &Self, bits: u32| {
            let bytes = hash.digest.first_chunk::<8>().copied();
            u64::from_be_bytes(bytes.unwrap_or_default()) >> (u64::BITS - bits)
        };
        // Five bits a letter.
        match self.known.min(other.known) {
            HashCoverage::Nothing => None,
            HashCoverage::Short => Some(head(self, 40) == head(other, 40)),
            HashCoverage::Long => Some(head(self, 60) == head(other, 60)),
            HashCoverage::Full => Some(self.digest == other.digest),
        }
    }

    /// Whether it differs from `before` in what is shown of it, and eight letters do not show that.
    pub(crate) fn looks_like(&self, before: &Self) -> bool {
        let digests = render(&self.digest) == render(&before.digest);
        let shown = self.digest.first_chunk::<8>() != before.digest.first_chunk::<8>();
        self.same(before) == Some(false) && digests && shown
    }

    /// Whether both are the same by what a class of change goes by, where all of both is known.
    fn same_in(&self, other: &Self, class: ChangeClass, names: SameNames) -> Option<bool> {
        match self.known.min(other.known) {
            HashCoverage::Full => Some(!differs(class, &self.digest, &other.digest, names)),
            _ => self.same(other),
        }
    }
}

/// All hashes of a type as far as they are known, in the order of [`HashKind::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PartialHashes([PartialHash; 6]);

/// What differs between two states of a type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct HashDifference {
    pub(crate) changes: ChangeKinds,
    /// The hashes that could not be compared, where nothing graver is known than they could hide.
    pub(crate) unknown: Vec<HashKind>,
    /// The hashes that differ but look the same.
    pub(crate) lookalikes: Vec<HashKind>,
}

impl From<&Hashes> for PartialHashes {
    fn from(hashes: &Hashes) -> Self {
        Self(HashKind::ALL.map(|kind| {
            PartialHash::full(match kind {
                HashKind::Structure => hashes.structure,
                HashKind::PublicImpl => hashes.public_impl,
                HashKind::InternalImpl => hashes.internal_impl,
                HashKind::Cosmetic => hashes.cosmetic,
                HashKind::Impl => hashes.implementation(),
                HashKind::XmlDoc => hashes.doc,
            })
        }))
    }
}

impl PartialHashes {
    pub(crate) fn get(&self, kind: HashKind) -> &PartialHash {
        &self.0[kind as usize]
    }

    pub(crate) fn set(&mut self, kind: HashKind, hash: PartialHash) {
        self.0[kind as usize] = hash;
    }

    pub(crate) fn show(&self, kind: HashKind) -> String {
        self.get(kind).show()
    }

    /// Forgets what cannot be compared any more after a change of configuration.
    pub(crate) fn forget(&mut self, before: &Config, after: &Config) {
        for kind in HashKind::ALL {
            if kind.depends_on(before, after) {
                self.set(kind, PartialHash::default());
            }
        }
    }

    /// What differs in `after` by what each class of change goes by; takes over into `after` what has to be shown long.
    pub(crate) fn compare(&self, after: &mut Self) -> HashDifference {
        let mut difference = HashDifference::default();
        let names = self.names(after);
        for kind in HashKind::ALL {
            let (before, now) = (self.get(kind), after.get(kind));
            let same = match kind.class() {
                Some(class) => before.same_in(now, class, names),
                None => before.same(now),
            };
            let lookalike = now.looks_like(before);
            let long = lookalike || (before.same(now) == Some(true) && before.long);
            after.0[kind as usize].long = long;
            if lookalike {
                difference.lookalikes.push(kind);
            }
            match (same, kind.class()) {
                (Some(false), Some(class)) => difference.changes.insert(class),
                (None, Some(_)) => difference.unknown.push(kind),
                _ => {}
            }
        }
        difference.settle();
        difference
    }

    /// What differs of what is known on both sides; the rest counts as the same.
    pub(crate) fn compare_known(&self, after: &Self) -> HashDifference {
        let mut difference = HashDifference::default();
        let names = self.names(after);
        for kind in HashKind::ALL {
            let Some(class) = kind.class() else { continue };
            if self.get(kind).same_in(after.get(kind), class, names) == Some(false) {
                difference.changes.insert(class);
            }
        }
        difference
    }

    /// What is the same in both of what has names of members in it; what is not known is taken for the same.
    fn names(&self, after: &Self) -> SameNames {
        let same = |kind| self.get(kind).same(after.get(kind)) != Some(false);
        SameNames {
            structure: same(HashKind::Structure),
            internal: same(HashKind::InternalImpl),
        }
    }
}

impl HashDifference {
    /// What cannot be classified counts as `PublicBehavior` (SPEC H4), unless it is graver anyway or
    /// could hide nothing that matters.
    fn settle(&mut self) {
        let gravest = self.changes.class();
        let matters = |kind: &HashKind| {
            kind.class()
                .is_some_and(|class| class <= ChangeClass::Internal)
        };
        if !self.unknown.iter().any(matters) {
            self.unknown.clear();
            return;
        }
        if gravest.is_none_or(|class| class > ChangeClass::PublicBehavior) {
            self.changes.insert(ChangeClass::PublicBehavior);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(seed: u8) -> Digest {
        std::array::from_fn(|at| seed.wrapping_mul(31).wrapping_add(at as u8 * 7))
    }

    #[test]
    fn what_is_shown_is_read() {
        for seed in 0..40 {
            let full = PartialHash::full(digest(seed));
            let read = PartialHash::parse(&full.show()).unwrap();
            assert_eq!(read.show(), full.show());
            assert_eq!(read.same(&full), Some(true));
            let long = PartialHash { long: true, ..full };
            let read = PartialHash::parse(&long.show()).unwrap();
            assert_eq!(read.show(), long.show());
            assert_eq!(read.show().len(), 12);
            assert_eq!(read.same(&full), Some(true));
            assert_eq!(read.same(&PartialHash::full(digest(seed + 1))), Some(false));
        }
        assert_eq!(PartialHash::parse("12345"), None);
        assert_eq!(PartialHash::parse("UUUUUUUU"), None);
    }

    #[test]
    fn hashes_that_look_the_same_are_told_apart() {
        let before = PartialHash::full(digest(1));
        let mut other = digest(1);
        other[6] ^= 1;
        let after = PartialHash::full(other);
        assert_eq!(before.show(), after.show());
        assert!(after.looks_like(&before));
        assert!(!before.looks_like(&before));
    }

    #[test]
    fn unknown_hashes_count_as_behaviour() {
        let hashes = Hashes::default();
        let mut after = PartialHashes::from(&hashes);
        let difference = PartialHashes::default().compare(&mut after);
        assert_eq!(
            difference.changes.class(),
            Some(ChangeClass::PublicBehavior)
        );
        assert_eq!(difference.unknown.len(), 5);

        let mut docs_unknown = PartialHashes::from(&hashes);
        docs_unknown.set(HashKind::XmlDoc, PartialHash::default());
        let difference = docs_unknown.compare(&mut after);
        assert!(difference.changes.is_empty());
    }
}
