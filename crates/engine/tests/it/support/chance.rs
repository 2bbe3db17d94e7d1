//! Chance that is the same in every run.

/// A source of numbers, by a seed.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// SplitMix64: the next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    /// Whether something happens that does so in so many of a hundred cases.
    pub fn is(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of several.
    pub fn one<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// A number from the environment, for who wants to try more; the one given otherwise.
#[allow(
    clippy::disallowed_methods,
    reason = "how often something is tried is no input of the product"
)]
pub fn count_of(variable: &str, otherwise: usize) -> usize {
    let given = std::env::var(variable).ok();
    given
        .and_then(|text| text.parse().ok())
        .unwrap_or(otherwise)
}
