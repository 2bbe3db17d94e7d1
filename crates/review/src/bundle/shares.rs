//! The shares of a budget that the parts of a bundle get: data, in `data/shares.json` (SPEC BU1, `004` §4).

use std::sync::LazyLock;

use serde::Deserialize;

use crate::evidence::EvidenceReason;

/// The table.
const TABLE: &str = include_str!("../../data/shares.json");

static TUNED: LazyLock<Shares> =
    LazyLock::new(|| serde_json::from_str(TABLE).unwrap_or_else(|_| Shares::none()));

/// What the parts of a bundle may take of its characters, in three passes; each list is in the order of the choice.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Shares {
    /// First pass: every part has its share, so that no part takes all.
    pub(super) first: Vec<FirstShare>,
    /// Second pass: what is left over. A line that means something, or calls what has another signature, costs little
    /// beside a body, so the nearest of these come first.
    pub(super) rest: Vec<RestShare>,
    /// Third pass: what few reviews need. That is what is alike in the files of the change and, a little, elsewhere, where
    /// later fixes land; names beside the change; very long functions. More of what is alike elsewhere is mostly noise.
    pub(super) optional: Vec<OptionalShare>,
    /// Least and most tokens of context where a call names no budget.
    default_tokens: (usize, usize),
}

/// The share of a part in the first pass.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FirstShare {
    pub(super) part: EvidenceReason,
    /// Of the characters that the diff leaves, 0 to 1.
    share: f64,
    /// Characters at least. For tests: the head of one and the line that names what changed.
    #[serde(default)]
    at_least: usize,
}

/// A part that goes on in the second pass.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RestShare {
    pub(super) part: EvidenceReason,
    /// Only pieces with a lower score; `None` allows every score.
    below_score: Option<f64>,
}

/// The share of a part in the third pass.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OptionalShare {
    pub(super) part: EvidenceReason,
    /// Characters of a budget that do not count; a smaller budget has nothing for the part.
    above: usize,
    /// Of the characters above that, 0 to 1.
    share: f64,
    /// Characters at most; `None` sets no limit.
    at_most: Option<usize>,
}

impl Shares {
    /// The tuned numbers.
    pub(super) fn tuned() -> &'static Self {
        // A test shows that the file is well formed.
        &TUNED
    }

    fn none() -> Self {
        Self {
            first: Vec::new(),
            rest: Vec::new(),
            optional: Vec::new(),
            default_tokens: (0, 0),
        }
    }

    /// The characters of context where a call names no budget, beside a diff of `diff` characters.
    pub(super) fn default_characters(&self, diff: usize) -> usize {
        let (least, most) = self.default_tokens;
        diff.max(least * 4).min(most * 4)
    }
}

impl FirstShare {
    /// The characters that the part may take of what the diff leaves.
    pub(super) fn characters(&self, left: usize) -> usize {
        ((left as f64 * self.share) as usize).max(self.at_least)
    }
}

impl RestShare {
    /// The score from which on pieces are left out.
    pub(super) fn score_limit(&self) -> f64 {
        self.below_score.unwrap_or(f64::INFINITY)
    }
}

impl OptionalShare {
    /// The characters that the part may take of a whole budget.
    pub(super) fn characters(&self, budget: usize) -> usize {
        let above = budget.saturating_sub(self.above) as f64;
        let share = (above * self.share) as usize;
        share.min(self.at_most.unwrap_or(usize::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_well_formed() {
        let tuned: Shares = serde_json::from_str(TABLE).unwrap();
        assert!(tuned.default_tokens.0 <= tuned.default_tokens.1);
        let first = tuned.first.iter().map(|row| row.share);
        let optional = tuned.optional.iter().map(|row| row.share);
        for share in first.chain(optional) {
            assert!(share > 0.0 && share <= 1.0, "{share}");
        }
        // Every part is allowed without a limit of score somewhere.
        for row in &tuned.rest {
            let mut same = tuned.rest.iter().filter(|other| other.part == row.part);
            assert!(same.any(|other| other.below_score.is_none()), "{row:?}");
        }
        assert_eq!(&tuned, Shares::tuned());
    }

    #[test]
    fn unknown_parts_and_fields_are_rejected() {
        for (right, wrong) in [
            ("\"head\"", "\"heads\""),
            ("\"at_most\"", "\"most\""),
            ("\"below_score\"", "\"below\""),
        ] {
            assert!(TABLE.contains(right), "{right}");
            let changed = TABLE.replace(right, wrong);
            assert!(serde_json::from_str::<Shares>(&changed).is_err(), "{wrong}");
        }
    }

    #[test]
    fn characters_have_their_least_and_most() {
        let shares = Shares::tuned();
        let of = |part| shares.first.iter().find(|row| row.part == part).unwrap();
        assert_eq!(of(EvidenceReason::Definition).characters(1_000), 280);
        assert_eq!(of(EvidenceReason::Test).characters(1_000), 340);
        assert_eq!(of(EvidenceReason::Test).characters(100_000), 6_000);
        let mut similar = shares.optional.iter();
        let similar = similar.find(|row| row.part == EvidenceReason::Similar);
        let similar = similar.unwrap();
        assert_eq!(similar.characters(2_999), 0);
        assert_eq!(similar.characters(5_000), 300);
        assert_eq!(similar.characters(1_000_000), 700);
        assert_eq!(shares.default_characters(0), 6_000);
        assert_eq!(shares.default_characters(7_000), 7_000);
        assert_eq!(shares.default_characters(1 << 20), 24_000);
    }
}
