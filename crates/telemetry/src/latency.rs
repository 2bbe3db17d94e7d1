//! How long something took, as a histogram: percentiles of many processes and days can be added up, those of each cannot.

use hdrhistogram::Histogram;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Longer than an hour counts as an hour.
const MAX_MICROS: u64 = 3_600_000_000;
/// Two significant digits: a bucket is at most 1 % wide.
const DIGITS: u8 = 2;
/// More of one duration come of no day, but of a damaged line.
const MAX_COUNT: u32 = 1 << 20;

/// Durations in µs. Serialised as pairs of a duration and how often it occurred.
#[derive(Clone, Debug, PartialEq)]
pub struct LatencyHistogram(Histogram<u32>);

impl Default for LatencyHistogram {
    fn default() -> Self {
        // Five or fewer digits are always taken; one bucket more is made where a duration needs it.
        let mut empty = Histogram::new(DIGITS).unwrap_or_else(|_| unreachable!("two digits"));
        empty.auto(true);
        Self(empty)
    }
}

impl LatencyHistogram {
    /// Adds a duration in µs.
    pub fn record(&mut self, micros: u64) {
        self.record_many(micros, 1);
    }

    fn record_many(&mut self, micros: u64, count: u32) {
        // It grows by itself; nothing is too large for it after the clamp.
        let _ = (self.0).record_n(micros.clamp(1, MAX_MICROS), count.min(MAX_COUNT));
    }

    /// Adds another histogram's durations.
    pub fn merge(&mut self, other: &Self) {
        for bucket in other.0.iter_recorded() {
            self.record_many(bucket.value_iterated_to(), bucket.count_at_value());
        }
    }

    /// The durations recorded.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.len()
    }

    /// The duration in µs that `percent` of 100 do not exceed; `None` where nothing is recorded.
    #[must_use]
    pub fn percentile(&self, percent: f64) -> Option<u64> {
        (!self.0.is_empty()).then(|| self.0.value_at_quantile(percent / 100.0))
    }
}

impl Serialize for LatencyHistogram {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let buckets = self.0.iter_recorded();
        serializer.collect_seq(buckets.map(|of| (of.value_iterated_to(), of.count_at_value())))
    }
}

impl<'de> Deserialize<'de> for LatencyHistogram {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut all = Self::default();
        for (micros, count) in Vec::<(u64, u32)>::deserialize(deserializer)? {
            all.record_many(micros, count);
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_within_a_hundredth_and_survive_the_disk() {
        let mut all = LatencyHistogram::default();
        (1..=1_000).for_each(|micros| all.record(micros * 1_000));
        let text = serde_json::to_string(&all).unwrap();
        let back: LatencyHistogram = serde_json::from_str(&text).unwrap();
        for (percent, micros) in [(50.0, 500_000.0), (95.0, 950_000.0), (100.0, 1_000_000.0)] {
            for histogram in [&all, &back] {
                let found = histogram.percentile(percent).unwrap() as f64;
                assert!((found / micros - 1.0).abs() <= 0.01, "{percent}: {found}");
            }
        }
        assert_eq!((all.count(), back.count()), (1_000, 1_000));
    }

    #[test]
    fn sums_are_those_of_all_durations() {
        let (mut fast, mut slow) = (LatencyHistogram::default(), LatencyHistogram::default());
        (0..90).for_each(|_| fast.record(1_000));
        (0..10).for_each(|_| slow.record(80_000));
        fast.merge(&slow);
        assert_eq!(fast.count(), 100);
        assert!(fast.percentile(50.0).unwrap() < 1_100);
        assert!(fast.percentile(95.0).unwrap() > 79_000);
    }

    #[test]
    fn damaged_and_extreme_values_are_taken() {
        assert_eq!(LatencyHistogram::default().percentile(95.0), None);
        let text = format!(
            "[[0,1],[{},4294967295],[5,4294967295],[5,4294967295]]",
            u64::MAX
        );
        let all: LatencyHistogram = serde_json::from_str(&text).unwrap();
        assert!(all.percentile(100.0).unwrap() >= MAX_MICROS);
    }
}
