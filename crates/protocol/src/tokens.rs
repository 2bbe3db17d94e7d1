//! What a text costs: the contract's measure, and exactly where somebody chose so (SPEC D7).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How tokens are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Tokenizer {
    /// `ceil(chars / 4)`.
    #[default]
    #[serde(rename = "approx")]
    Approx,
    /// As the models of that vocabulary count. Not in every build: where it is missing, `approx` holds.
    #[serde(rename = "o200k_base")]
    O200kBase,
}

impl Tokenizer {
    /// Whether this build has it.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            Self::Approx => true,
            Self::O200kBase => cfg!(feature = "exact-tokens"),
        }
    }

    /// The exact count, where this is an exact tokenizer that the build has.
    #[must_use]
    pub fn exact(self, text: &str) -> Option<u32> {
        match self {
            Self::Approx => None,
            Self::O200kBase => o200k(text),
        }
    }
}

#[cfg(feature = "exact-tokens")]
fn o200k(text: &str) -> Option<u32> {
    Some(bpe_openai::o200k_base().count(text) as u32)
}

#[cfg(not(feature = "exact-tokens"))]
fn o200k(_: &str) -> Option<u32> {
    None
}

/// `ceil(chars / 4)`, the contract's measure (SPEC D7).
#[must_use]
pub fn tokens_approx(text: &str) -> u32 {
    characters(text).div_ceil(4) as u32
}

/// Unicode characters.
pub fn characters(text: &str) -> usize {
    // Continuation bytes are not characters; counting the others vectorises.
    text.bytes().filter(|byte| (*byte as i8) >= -0x40).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_not_bytes() {
        assert_eq!(tokens_approx("漢字漢字漢"), 2);
        assert_eq!(tokens_approx(""), 0);
    }

    /// Counts of the published vocabulary, as its reference program gives them.
    #[cfg(feature = "exact-tokens")]
    #[test]
    fn o200k_counts_as_the_reference_does() {
        for (text, tokens) in [("", 0), ("hello world", 2), ("tiktoken is great!", 6)] {
            assert_eq!(Tokenizer::O200kBase.exact(text), Some(tokens), "{text:?}");
        }
    }
}
