//! How much a caller gets, of what, and what is given up first (SPEC BU1, `003` §5.3, §6.1).

use std::collections::BTreeMap;

use codecortex_protocol::ToolError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Requested level of detail.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum BudgetMode {
    /// Names and one line each.
    Index,
    /// The skeleton of the code.
    Map,
    /// Events, in order.
    Timeline,
    /// Everything about a few.
    Detail,
}

impl BudgetMode {
    /// The word in configurations and answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Index => "index",
            Self::Map => "map",
            Self::Timeline => "timeline",
            Self::Detail => "detail",
        }
    }
}

/// Token limits by level of detail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Budgets {
    /// For an index.
    pub index_tokens: u32,
    /// For a timeline.
    pub timeline_tokens: u32,
    /// For details.
    pub detail_tokens: u32,
    /// For a map of the code.
    pub map_tokens: u32,
}

impl Default for Budgets {
    fn default() -> Self {
        Self {
            index_tokens: 1200,
            timeline_tokens: 2400,
            detail_tokens: 6000,
            map_tokens: 4000,
        }
    }
}

/// Limits of entries by level of detail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TopK {
    /// In an index.
    pub index: u32,
    /// In a timeline.
    pub timeline: u32,
    /// With details.
    pub detail: u32,
}

impl Default for TopK {
    fn default() -> Self {
        Self {
            index: 40,
            timeline: 20,
            detail: 8,
        }
    }
}

/// A profile of `.context/config.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BudgetProfile {
    /// Tokens by mode.
    pub budgets: Budgets,
    /// Token limits by source of an answer: `observations`, `repo_map`, `task_json` of a payload, `pinned`,
    /// `focus`, `recent` of the prompt window. Other sources have no limit. A call with a number of tokens and no
    /// profile uses shares of that number instead.
    pub max_per_source_tokens: BTreeMap<String, u32>,
    /// Entries by mode.
    pub top_k: TopK,
    /// Modes from the least to the most detailed; if a mode does not fit, the previous one is tried.
    pub downgrade_order: Vec<BudgetMode>,
}

impl Default for BudgetProfile {
    fn default() -> Self {
        Self {
            budgets: Budgets::default(),
            max_per_source_tokens: [
                ("observations", 2000),
                ("repo_map", 3000),
                ("task_json", 800),
            ]
            .map(|(source, tokens)| (source.to_owned(), tokens))
            .into(),
            top_k: TopK::default(),
            downgrade_order: vec![
                BudgetMode::Index,
                BudgetMode::Map,
                BudgetMode::Timeline,
                BudgetMode::Detail,
            ],
        }
    }
}

impl BudgetProfile {
    /// The same with every number of tokens and entries times `numerator / 4`.
    fn scaled(numerator: u32) -> Self {
        let mut profile = Self::default();
        let scale = |number: &mut u32| *number = *number * numerator / 4;
        let Budgets {
            index_tokens,
            timeline_tokens,
            detail_tokens,
            map_tokens,
        } = &mut profile.budgets;
        let TopK {
            index,
            timeline,
            detail,
        } = &mut profile.top_k;
        [
            index_tokens,
            timeline_tokens,
            detail_tokens,
            map_tokens,
            index,
            timeline,
            detail,
        ]
        .into_iter()
        .for_each(scale);
        profile.max_per_source_tokens.values_mut().for_each(scale);
        profile
    }
}

/// What a caller gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Tokens for everything.
    pub budget_tokens: u32,
    /// The most tokens by source; what is not named may take all.
    pub per_source: BTreeMap<String, u32>,
    /// The most entries.
    pub top_k: usize,
    /// The mode asked for and those to fall back to, the most detailed first.
    pub ladder: Vec<BudgetMode>,
}

impl Grant {
    /// The cap of a source.
    #[must_use]
    pub fn cap(&self, source: &str) -> u32 {
        let cap = self.per_source.get(source).copied();
        cap.unwrap_or(u32::MAX).min(self.budget_tokens)
    }
}

/// The names of the profiles that are there without a configuration.
const BUILT_IN: [(&str, u32); 3] = [("small", 2), ("default", 4), ("large", 10)];

/// A profile by its name: one of the configuration, or one that is always there.
///
/// # Errors
/// `InvalidParams` with the list of names.
pub fn profile(
    configured: &BTreeMap<String, BudgetProfile>,
    name: &str,
) -> Result<BudgetProfile, ToolError> {
    if let Some(profile) = configured.get(name) {
        return Ok(profile.clone());
    }
    let built_in = BUILT_IN.iter().find(|(known, _)| *known == name);
    built_in
        .map(|(_, numerator)| BudgetProfile::scaled(*numerator))
        .ok_or_else(|| {
            let own = configured.keys().map(String::as_str);
            let mut names: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).chain(own).collect();
            names.sort_unstable();
            names.dedup();
            let shown: String = name.chars().take(60).collect();
            ToolError::invalid(format!("There is no profile `{shown}`."))
                .hint(format!("Give one of {}.", names.join(", ")))
                .detail("profiles", names)
        })
}

/// What a caller gets who asks for this mode. `model_tokens`, where a host knows how much a model has left,
/// is a further bound.
#[must_use]
pub fn grant(profile: &BudgetProfile, mode: BudgetMode, model_tokens: Option<u32>) -> Grant {
    let of_mode = match mode {
        BudgetMode::Index => profile.budgets.index_tokens,
        BudgetMode::Map => profile.budgets.map_tokens,
        BudgetMode::Timeline => profile.budgets.timeline_tokens,
        BudgetMode::Detail => profile.budgets.detail_tokens,
    };
    let top_k = match mode {
        BudgetMode::Index | BudgetMode::Map => profile.top_k.index,
        BudgetMode::Timeline => profile.top_k.timeline,
        BudgetMode::Detail => profile.top_k.detail,
    };
    Grant {
        budget_tokens: model_tokens.map_or(of_mode, |most| most.min(of_mode)),
        per_source: profile.max_per_source_tokens.clone(),
        top_k: top_k as usize,
        ladder: ladder(&profile.downgrade_order, mode),
    }
}

/// The mode and what comes before it in the order, the nearest first. A map is of the code and no smaller
/// form of what happened, so it is never fallen back to.
fn ladder(order: &[BudgetMode], mode: BudgetMode) -> Vec<BudgetMode> {
    let place = order.iter().position(|known| *known == mode);
    let before = order[..place.unwrap_or(0)].iter().rev().copied();
    let before = before.filter(|known| *known != BudgetMode::Map);
    std::iter::once(mode).chain(before).collect()
}

/// A step down a ladder as `downgrade_applied` names it: `detail→timeline`.
#[must_use]
pub fn step(from: &str, to: &str) -> String {
    format!("{from}→{to}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_falls_back_along_the_order() {
        let profile = BudgetProfile::default();
        let detail = grant(&profile, BudgetMode::Detail, None);
        assert_eq!(
            detail.ladder,
            [BudgetMode::Detail, BudgetMode::Timeline, BudgetMode::Index]
        );
        assert_eq!((detail.budget_tokens, detail.top_k), (6000, 8));
        assert_eq!(
            grant(&profile, BudgetMode::Map, None).ladder,
            [BudgetMode::Map, BudgetMode::Index]
        );
        assert_eq!(
            grant(&profile, BudgetMode::Index, Some(100)).budget_tokens,
            100
        );
        assert_eq!(detail.cap("observations"), 2000);
        assert_eq!(detail.cap("anything"), 6000);
        assert_eq!(step("detail", "timeline"), "detail→timeline");
    }

    #[test]
    fn a_profile_of_the_configuration_wins_and_a_strange_one_is_told() {
        let text =
            r#"{ "default": { "budgets": { "index_tokens": 7 }, "downgrade_order": ["index"] } }"#;
        let configured: BTreeMap<String, BudgetProfile> = serde_json::from_str(text).unwrap();
        let own = profile(&configured, "default").unwrap();
        assert_eq!(
            (own.budgets.index_tokens, own.budgets.map_tokens),
            (7, 4000)
        );
        assert_eq!(
            grant(&own, BudgetMode::Detail, None).ladder,
            [BudgetMode::Detail]
        );
        assert_eq!(
            profile(&configured, "large").unwrap().budgets.map_tokens,
            10_000
        );
        let error = profile(&configured, "huge").unwrap_err();
        assert_eq!(
            error.details["profiles"],
            serde_json::json!(["default", "large", "small"])
        );
    }
}
