//! The numbers of ranking and choosing: data, beside the code in `params.toml`.

use serde::Deserialize;

use crate::features::{FEATURES, Feature};
use crate::shares::SharesByBudget;

/// The numbers that ranking and choosing are made with.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct Params {
    /// What a word counts that is not in the first line.
    pub later_lines: f32,
    /// What a word counts that is written as code.
    pub code_words: f32,
    /// What two neighbours count that are a name together.
    pub compounds: f32,
    /// BM25's saturation.
    pub saturation: f32,
    /// BM25's share of the length.
    pub length_share: f32,
    /// What an occurrence counts by field: body, name, container, signature, documentation, path.
    pub fields: [f32; 6],
    /// What a unit of each feature adds to the logarithm of the odds, without a focus.
    #[serde(deserialize_with = "weights")]
    pub weights: [f32; FEATURES],
    /// The same with a focus.
    #[serde(deserialize_with = "weights")]
    pub focus_weights: [f32; FEATURES],
    /// What a unit of the best of each feature in a file adds to the logarithm of the odds of the file, without a focus.
    #[serde(deserialize_with = "weights")]
    pub file_weights: [f32; FEATURES],
    /// The same with a focus.
    #[serde(deserialize_with = "weights")]
    pub focus_file_weights: [f32; FEATURES],
    /// What the scores of a file's declarations add, without and with a focus: the logarithm of the sum of their odds,
    /// then the best.
    pub file_scores: [[f32; 2]; 2],
    /// Differences of scores are divided by it before they become shares.
    pub temperature: f32,
    /// A file's place is by the sum of its shares to this power, without and with a focus: below 1 speaks for files of which
    /// much is meant, above 1 for those with the likeliest declaration.
    pub order_power: [f32; 2],
    /// How many declarations a change is expected to touch.
    pub expected: f32,
    /// What kinds of pieces are worth, by the budget.
    pub shares: SharesByBudget,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            later_lines: 0.5,
            code_words: 1.5,
            compounds: 0.5,
            saturation: 1.2,
            length_share: 0.5,
            fields: [1.0, 4.0, 1.5, 1.0, 1.0, 1.5],
            weights: [0.0; FEATURES],
            focus_weights: [0.0; FEATURES],
            file_weights: [0.0; FEATURES],
            focus_file_weights: [0.0; FEATURES],
            file_scores: [[1.0, 0.0]; 2],
            temperature: 1.0,
            order_power: [1.0; 2],
            expected: 3.0,
            shares: SharesByBudget::default(),
        }
    }
}

impl Params {
    /// The tuned numbers.
    #[must_use]
    pub fn tuned() -> Self {
        // A test says that the file is well formed.
        Self::parse(include_str!("../params.toml")).unwrap_or_default()
    }

    /// Numbers as TOML; what it does not say is as by default.
    ///
    /// # Errors
    /// What is wrong with the text, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| error.to_string())
    }
}

fn weights<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<[f32; FEATURES], D::Error> {
    let named = std::collections::BTreeMap::<String, f32>::deserialize(deserializer)?;
    let mut weights = [0.0; FEATURES];
    for (name, weight) in named {
        let feature = Feature::from_word(&name)
            .ok_or_else(|| serde::de::Error::custom(format!("no feature {name}")))?;
        weights[feature as usize] = weight;
    }
    Ok(weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tuned_numbers_are_well_formed() {
        let tuned = Params::parse(include_str!("../params.toml"));
        assert!(tuned.is_ok_and(|tuned| tuned.weights[Feature::Lexical as usize] > 0.0));
        assert!(Params::parse("[weights]\nunheard_of = 1.0").is_err());
    }
}
