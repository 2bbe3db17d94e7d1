//! Lines of a file with the reason why they are shown.

use rustc_hash::FxHashSet;
use serde::Deserialize;

/// Why lines are shown. Lines of one file for several reasons stand in the list of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceReason {
    /// Heads of the declarations that changed.
    Head,
    /// What a name on an added line means.
    Definition,
    /// Code that uses what changed.
    Caller,
    /// The rest of the declarations that changed.
    Enclosing,
    /// What implements or overrides what changed.
    Implementation,
    /// Uses of words that somebody asked for.
    Search,
    /// Code like that which changed, and did not.
    Sibling,
    /// Tests that name what changed.
    Test,
    /// The whole of a longer function, of which the parts around the change are `Enclosing`.
    Whole,
    /// The whole of a very long one.
    Long,
    /// All of a function of which the lines most like the change are `Sibling`.
    Body,
    /// Code like that which changed, in files that the change does not touch.
    Similar,
    /// A field or the like that a name on an added line means: its use tells nearly all of it.
    Member,
    /// Lines with the name of what changed that are no uses of it: imports, exports, prototypes.
    Mention,
    /// Declarations of a name on changed lines that nobody resolved it to.
    Namesake,
    /// What a name beside the changed lines means.
    Nearby,
}

impl EvidenceReason {
    /// The key of an item's list for pieces of other files.
    #[must_use]
    pub fn list(self) -> &'static str {
        match self {
            Self::Caller => "callers",
            Self::Definition | Self::Member | Self::Nearby => "definitions",
            Self::Test => "tests",
            Self::Implementation => "implementations",
            Self::Search => "search",
            Self::Mention => "mentions",
            Self::Namesake => "namesakes",
            _ => "similar",
        }
    }
}

/// Lines of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct EvidenceLines {
    /// Why they are shown.
    pub part: EvidenceReason,
    /// The less, the sooner.
    pub score: f64,
    /// The unit that they are shown with.
    pub unit: usize,
    /// Their file, as the change names files.
    pub path: String,
    /// Their numbers from 1; where not all fit, the first ones are shown.
    pub lines: Vec<u32>,
}

/// Numbers that are there once, in their order.
pub(crate) fn distinct(lines: impl IntoIterator<Item = u32>) -> Vec<u32> {
    let mut seen = FxHashSet::default();
    lines
        .into_iter()
        .filter(|line| seen.insert(*line))
        .collect()
}
