//! The numbers of ranking and choosing: data, beside the code in `params.toml`.

use serde::Deserialize;

use crate::features::{FEATURES, Feature};

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
    /// What it is worth to name a file that is not named yet.
    pub file_gain: f32,
    /// A file's place is by the sum of its shares to this power.
    pub order_power: f32,
    /// How many declarations a change is expected to touch.
    pub expected: f32,
    /// What a line of body is worth beside a name.
    pub body_share: f32,
    /// A name is worth how likely its declaration is meant to this power: below 1 speaks for more names.
    pub name_power: f32,
    /// What the declaring line is worth beside the name alone.
    pub signature_share: f32,
    /// A declaring line is worth how likely its declaration is meant to this power.
    pub signature_power: f32,
    /// What a small function is worth whole.
    pub whole_share: f32,
    /// A whole function is worth how likely it is meant to this power.
    pub whole_power: f32,
    /// A function of more lines is not shown as one piece.
    pub whole_lines: f32,
    /// Gain is by cost to this power.
    pub cost_power: f32,
    /// How much more lines with words of the question count than others of a body.
    pub line_match: f32,
    /// What comments above a declaration are worth beside its code.
    pub doc_share: f32,
    /// What lines outside of declarations are worth beside those inside.
    pub file_share: f32,
    /// What another declaration of a name in the same file is worth.
    pub again: f32,
    /// How much more the piece with the name counts.
    pub head: f32,
    /// How a declaration's gain is spread over its pieces: 1 by weight, less for more even.
    pub spread: f32,
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
            file_gain: 0.5,
            order_power: 1.0,
            expected: 3.0,
            body_share: 2.8,
            name_power: 0.8,
            signature_share: 0.0,
            signature_power: 0.8,
            whole_share: 0.0,
            whole_power: 1.0,
            whole_lines: 40.0,
            cost_power: 0.9,
            line_match: 5.0,
            doc_share: 0.1,
            file_share: 0.6,
            again: 0.5,
            head: 1.0,
            spread: 0.7,
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
