//! The order in which uses are listed; one for all answers, so that pages fit one another.

use codecortex_resolve::{FileNo, Reference, Workspace};
use rustc_hash::FxHashMap;

use crate::merge::MergedUse;

/// What has a place in a list of uses.
pub trait OrderedUse {
    /// How sure it is: the surest comes first.
    type Confidence: Ord;

    /// How sure it is.
    fn confidence(&self) -> Self::Confidence;
    /// Its file, and its first byte there.
    fn place(&self) -> (FileNo, u32);
    /// Whether it is in a file that is not in the index.
    fn is_outside(&self) -> bool;
}

impl OrderedUse for Reference {
    type Confidence = codecortex_resolve::ConfidenceTier;

    fn confidence(&self) -> Self::Confidence {
        self.tier
    }

    fn place(&self) -> (FileNo, u32) {
        (self.file, self.at)
    }

    fn is_outside(&self) -> bool {
        false
    }
}

impl OrderedUse for MergedUse {
    type Confidence = codecortex_analysis::words::TierWord;

    fn confidence(&self) -> Self::Confidence {
        self.tier
    }

    fn place(&self) -> (FileNo, u32) {
        (self.file, self.at)
    }

    fn is_outside(&self) -> bool {
        self.is_outside
    }
}

/// Sorts uses: the surest first, then the symbol's own file, then by path and place; what is outside of the
/// index behind what is in it. Paths are compared once a file, not once a pair of uses.
pub fn sort_uses<T: OrderedUse>(workspace: &Workspace, home: Option<FileNo>, uses: &mut [T]) {
    let ranks = ranks(workspace, uses);
    uses.sort_by_cached_key(|of| {
        let (file, at) = of.place();
        let rank = ranks.get(&file).copied();
        (
            of.confidence(),
            Some(file) != home,
            of.is_outside(),
            rank,
            at,
        )
    });
}

/// Where each file stands when they are sorted by path.
fn ranks<T: OrderedUse>(workspace: &Workspace, uses: &[T]) -> FxHashMap<FileNo, usize> {
    let mut ranks: FxHashMap<FileNo, usize> = uses.iter().map(|of| (of.place().0, 0)).collect();
    let mut files: Vec<FileNo> = ranks.keys().copied().collect();
    files.sort_unstable_by_key(|file| (workspace.path(*file).unwrap_or(""), *file));
    for (rank, file) in files.into_iter().enumerate() {
        ranks.insert(file, rank);
    }
    ranks
}
