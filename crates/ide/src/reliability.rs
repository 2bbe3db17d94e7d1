//! What language providers taught: how often they confirm what the index finds, by language, by how sure it
//! was, and by what stands before the name (SPEC R2).
//!
//! Where they confirm nearly all hits by name of one kind, such hits count as inferred in files that they
//! do not know; where they deny most of what was inferred in one way, further such places that they deny
//! count as hits by name. Nothing becomes exact, and what is exact stays it.

use std::collections::BTreeMap;

use codecortex_protocol::StatsEntry;
use codecortex_resolve::ConfidenceTier;
use codecortex_syntax::LANGUAGES;

use crate::agreement::WORDS;

/// So many verdicts say something about a kind of place.
const ENOUGH: u32 = 20;

/// Of more than so many the older ones count half: providers change, and so does the index.
const MAX: u32 = 1_000;

/// Every tier, by its number.
const TIERS: [ConfidenceTier; 4] = [
    ConfidenceTier::Exact,
    ConfidenceTier::Inferred,
    ConfidenceTier::Related,
    ConfidenceTier::Name,
];

/// A kind of place: language, how sure the index is, what stands before the name.
pub type PlaceClass = (&'static str, ConfidenceTier, &'static str);

/// How far the index's word on a kind of place goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reliability {
    /// Nine of ten such places were confirmed.
    Trusted,
    /// Nothing is known, or nothing clear.
    Usual,
    /// Half of them or more were denied.
    Doubted,
}

/// Verdicts on places of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct VerdictCounts {
    confirmed: u32,
    denied: u32,
}

/// Verdicts on all kinds of places; there are few kinds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProviderStats {
    records: BTreeMap<PlaceClass, VerdictCounts>,
}

impl ProviderStats {
    /// What later runs are to know.
    pub fn learned(&self) -> Vec<StatsEntry> {
        let learned =
            |((language, tier, before), record): (&PlaceClass, &VerdictCounts)| StatsEntry {
                language: (*language).to_owned(),
                tier: *tier as u8,
                before: (*before).to_owned(),
                confirmed: record.confirmed,
                denied: record.denied,
            };
        self.records.iter().map(learned).collect()
    }

    /// Takes in what an earlier run learned. Kinds of places that there are none of are left out.
    pub fn restore(&mut self, learned: &[StatsEntry]) {
        for of in learned {
            let language = LANGUAGES.iter().find(|row| row.id == of.language);
            let tier = TIERS.into_iter().find(|tier| *tier as u8 == of.tier);
            let before = WORDS.into_iter().find(|word| *word == of.before);
            if let (Some(language), Some(tier), Some(before)) = (language, tier, before) {
                let record = VerdictCounts {
                    confirmed: of.confirmed.min(MAX),
                    denied: of.denied.min(MAX),
                };
                self.records.insert((language.id, tier, before), record);
            }
        }
    }

    /// Takes in whether a place of this kind was confirmed.
    pub fn learn(&mut self, shape: PlaceClass, is_confirmed: bool) {
        let record = self.records.entry(shape).or_default();
        if record.confirmed.saturating_add(record.denied) >= MAX {
            record.confirmed /= 2;
            record.denied /= 2;
        }
        let count = match is_confirmed {
            true => &mut record.confirmed,
            false => &mut record.denied,
        };
        *count = count.saturating_add(1);
    }

    /// How far the index's word goes on places of this kind.
    pub fn reliability(&self, shape: &PlaceClass) -> Reliability {
        let record = self.records.get(shape).copied().unwrap_or_default();
        let (confirmed, denied) = (u64::from(record.confirmed), u64::from(record.denied));
        let all = confirmed + denied;
        if all < u64::from(ENOUGH) {
            Reliability::Usual
        } else if confirmed * 10 >= all * 9 {
            Reliability::Trusted
        } else if denied * 2 >= all {
            Reliability::Doubted
        } else {
            Reliability::Usual
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: PlaceClass = ("python", ConfidenceTier::Name, "name");

    fn after(confirmed: u32, denied: u32) -> Reliability {
        let mut trust = ProviderStats::default();
        (0..confirmed).for_each(|_| trust.learn(SHAPE, true));
        (0..denied).for_each(|_| trust.learn(SHAPE, false));
        trust.reliability(&SHAPE)
    }

    #[test]
    fn few_verdicts_say_nothing() {
        assert_eq!(after(19, 0), Reliability::Usual);
        assert_eq!(after(0, 19), Reliability::Usual);
    }

    #[test]
    fn many_verdicts_count_by_their_share() {
        assert_eq!(after(20, 0), Reliability::Trusted);
        assert_eq!(after(90, 10), Reliability::Trusted);
        assert_eq!(after(89, 11), Reliability::Usual);
        assert_eq!(after(51, 49), Reliability::Usual);
        assert_eq!(after(50, 50), Reliability::Doubted);
    }

    #[test]
    fn what_was_learned_lately_counts_more() {
        let mut trust = ProviderStats::default();
        (0..5_000).for_each(|_| trust.learn(SHAPE, true));
        assert_eq!(trust.reliability(&SHAPE), Reliability::Trusted);
        (0..2_000).for_each(|_| trust.learn(SHAPE, false));
        assert_eq!(trust.reliability(&SHAPE), Reliability::Doubted);
    }

    #[test]
    fn what_was_learned_comes_back_without_what_nobody_knows() {
        let mut trust = ProviderStats::default();
        for (place, before) in WORDS.into_iter().enumerate() {
            (0..=place).for_each(|at| trust.learn(("go", TIERS[place % 4], before), at % 3 > 0));
        }
        let mut learned = trust.learned();
        let of = learned[0].clone();
        for (language, tier, before) in [("klingon", 0, "name"), ("go", 9, "name"), ("go", 0, "")] {
            learned.push(StatsEntry {
                language: language.to_owned(),
                tier,
                before: before.to_owned(),
                ..of.clone()
            });
        }
        let mut later = ProviderStats::default();
        later.restore(&learned);
        assert_eq!(later, trust);
    }

    #[test]
    fn other_kinds_learn_nothing() {
        let mut trust = ProviderStats::default();
        (0..30).for_each(|_| trust.learn(SHAPE, true));
        assert_eq!(
            trust.reliability(&("python", ConfidenceTier::Name, "call")),
            Reliability::Usual
        );
        assert_eq!(
            trust.reliability(&("go", ConfidenceTier::Name, "name")),
            Reliability::Usual
        );
    }
}
