//! What a file exports, and what of that changed since somebody last asked (SPEC I2).
//!
//! What a file offers to others is compared with what it offered before: types, aliases, namespaces and what
//! else can stand where a type is written. A name that is among the differences, or leads to one by another
//! name or by bases, may mean something else wherever it occurs. Where a file re-exports names that it does
//! not say itself, every name may.

use rustc_hash::FxHashSet;

use crate::ids::Name;

/// More files than these are not compared one by one: what a branch switch changes is everything.
const MAX_FILES: u32 = 200;

/// Names that may mean other types than before, as the workspace collects them.
#[derive(Debug)]
pub(crate) struct ExportChanges {
    /// All names.
    pub(crate) all: bool,
    pub(crate) names: FxHashSet<Name>,
    /// Types of which a base is another: so may be what their derived types inherit.
    pub(crate) rebased: FxHashSet<Name>,
    pub(crate) files: u32,
}

impl Default for ExportChanges {
    /// Nobody has asked yet.
    fn default() -> Self {
        Self {
            all: true,
            names: FxHashSet::default(),
            rebased: FxHashSet::default(),
            files: 0,
        }
    }
}

/// What a file offers to others under a name: the name, and a digest of what it is.
type ExportEntry = (Name, u64);

/// What a file offers to others.
#[derive(Debug, Default)]
pub(crate) struct ExportDigests {
    pub(crate) entries: Vec<ExportEntry>,
    /// Bases by the type that has them.
    pub(crate) bases: Vec<ExportEntry>,
    /// What it re-exports wholesale.
    pub(crate) reexports: Vec<u64>,
}

impl ExportChanges {
    /// Notes that everything may be other.
    pub(crate) fn note_all(&mut self) {
        *self = Self::default();
    }

    /// Whether a file's changes are still told apart.
    pub(crate) fn tells_apart(&self) -> bool {
        !self.all
    }

    /// Notes what a file offers in the place of what it offered. `names` are others that lead to it, where
    /// it is new or gone.
    pub(crate) fn note(&mut self, before: &ExportDigests, now: &ExportDigests, names: &[Name]) {
        self.files += 1;
        if self.files > MAX_FILES || before.reexports != now.reexports {
            return self.note_all();
        }
        self.names.extend(names);
        self.names.extend(differing(&before.entries, &now.entries));
        self.rebased.extend(differing(&before.bases, &now.bases));
    }
}

/// The names of entries that only one of two sorted lists has.
fn differing(a: &[ExportEntry], b: &[ExportEntry]) -> Vec<Name> {
    let only = |a: &[ExportEntry], b: &[ExportEntry]| -> Vec<Name> {
        let alone = a.iter().filter(|entry| b.binary_search(entry).is_err());
        alone.map(|entry| entry.0).collect()
    };
    let mut names = only(a, b);
    names.extend(only(b, a));
    // One declaration more of the same is another set.
    if a.len() != b.len() {
        let repeated = |list: &[ExportEntry]| -> Vec<Name> {
            let pairs = list.windows(2).filter(|pair| pair[0] == pair[1]);
            pairs.map(|pair| pair[0].0).collect()
        };
        names.extend(repeated(a));
        names.extend(repeated(b));
    }
    names
}
