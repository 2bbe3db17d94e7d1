//! Quantiles, and numbers that are the same in every run.

use serde_json::{Value, json};

/// Measurements of one thing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples(Vec<f64>);

impl Samples {
    pub(crate) fn push(&mut self, value: f64) {
        self.0.push(value);
    }

    /// The value that this share of the samples does not exceed; 0 without samples.
    pub(crate) fn quantile(&self, share: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let at = (share * sorted.len() as f64).ceil() as usize;
        sorted
            .get(at.saturating_sub(1).min(sorted.len().saturating_sub(1)))
            .copied()
            .unwrap_or(0.0)
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({
            "n": self.0.len(),
            "min": self.quantile(0.0),
            "p50": self.quantile(0.5),
            "p95": self.quantile(0.95),
            "max": self.quantile(1.0),
        })
    }
}

/// A sequence that looks random and is the same in every run.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    /// A number below `sides`; 0 where that is 0.
    pub(crate) fn below(&mut self, sides: usize) -> usize {
        // Knuth's MMIX generator; the upper bits are good enough to choose samples.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides.max(1)
    }

    /// One of the values, if there is any.
    pub(crate) fn choose<'a, T>(&mut self, values: &'a [T]) -> Option<&'a T> {
        values.get(self.below(values.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles() {
        let mut samples = Samples::default();
        assert_eq!(samples.quantile(0.5), 0.0);
        (1..=100)
            .rev()
            .for_each(|value| samples.push(f64::from(value)));
        let all = [0.0, 0.5, 0.95, 1.0].map(|share| samples.quantile(share));
        assert_eq!(all, [1.0, 50.0, 95.0, 100.0]);
    }
}
