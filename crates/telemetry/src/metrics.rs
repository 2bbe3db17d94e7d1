//! The counts of a stretch of time. Those of several are added up.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::latency::LatencyHistogram;

/// What happened in a stretch of time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Metrics {
    /// Answers by the tool's name; `other` for names that are no tool's.
    pub tools: BTreeMap<String, ToolMetrics>,
    /// Answers with a limit of tokens.
    pub budget: BudgetMetrics,
    /// Edits of files.
    pub edits: EditMetrics,
    /// Files at the start of a process.
    pub files: CacheMetrics,
}

/// Answers of a tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ToolMetrics {
    /// Answers.
    pub calls: u32,
    /// Those that were errors.
    pub failures: u32,
    /// Tokens, by a quarter of the characters.
    pub tokens: u64,
    /// From the call to its answer.
    pub took: LatencyHistogram,
}

/// How much of their limits answers used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct BudgetMetrics {
    /// Answers with a limit.
    pub answers: u32,
    /// Their tokens.
    pub used: u64,
    /// The tokens that they might have had.
    pub granted: u64,
    /// Answers above their limit; there must be none (SPEC BU1).
    pub exceeded: u32,
}

/// What became of edits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct EditMetrics {
    /// On the disk, or in the editor.
    pub applied: u32,
    /// Refused, in conflict or failed; nothing was changed.
    pub failed: u32,
    /// Taken back.
    pub undone: u32,
}

/// What a cache had of what was needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CacheMetrics {
    /// Found.
    pub hits: u64,
    /// Made anew.
    pub misses: u64,
}

impl Metrics {
    /// Whether nothing happened.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds what happened in another stretch.
    pub fn merge(&mut self, other: &Self) {
        for (name, tool) in &other.tools {
            self.tools.entry(name.clone()).or_default().merge(tool);
        }
        self.budget.merge(other.budget);
        self.edits.merge(other.edits);
        self.files.merge(other.files);
    }
}

impl ToolMetrics {
    fn merge(&mut self, other: &Self) {
        self.calls = self.calls.saturating_add(other.calls);
        self.failures = self.failures.saturating_add(other.failures);
        self.tokens = self.tokens.saturating_add(other.tokens);
        self.took.merge(&other.took);
    }
}

impl BudgetMetrics {
    /// Adds an answer of so many tokens, with the limit that it had.
    pub fn record(&mut self, used: u32, granted: u32) {
        self.merge(Self {
            answers: 1,
            used: u64::from(used),
            granted: u64::from(granted),
            exceeded: u32::from(used > granted),
        });
    }

    fn merge(&mut self, other: Self) {
        self.answers = self.answers.saturating_add(other.answers);
        self.used = self.used.saturating_add(other.used);
        self.granted = self.granted.saturating_add(other.granted);
        self.exceeded = self.exceeded.saturating_add(other.exceeded);
    }

    /// The part of the limits that was used, from 0 to 1; `None` without an answer that had one.
    #[must_use]
    pub fn usage_ratio(&self) -> Option<f64> {
        (self.granted > 0).then(|| self.used as f64 / self.granted as f64)
    }
}

impl EditMetrics {
    fn merge(&mut self, other: Self) {
        self.applied = self.applied.saturating_add(other.applied);
        self.failed = self.failed.saturating_add(other.failed);
        self.undone = self.undone.saturating_add(other.undone);
    }

    /// The part of all edits that was applied, from 0 to 1; `None` without edits.
    #[must_use]
    pub fn success_ratio(&self) -> Option<f64> {
        let all = self.applied.saturating_add(self.failed);
        (all > 0).then(|| f64::from(self.applied) / f64::from(all))
    }
}

impl CacheMetrics {
    fn merge(&mut self, other: Self) {
        self.hits = self.hits.saturating_add(other.hits);
        self.misses = self.misses.saturating_add(other.misses);
    }

    /// The part that was found, from 0 to 1; `None` where nothing was needed.
    #[must_use]
    pub fn hit_ratio(&self) -> Option<f64> {
        let all = self.hits.saturating_add(self.misses);
        (all > 0).then(|| self.hits as f64 / all as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_those_of_the_sums() {
        let mut all = Metrics::default();
        assert_eq!(
            (
                all.budget.usage_ratio(),
                all.edits.success_ratio(),
                all.files.hit_ratio()
            ),
            (None, None, None)
        );
        let mut other = Metrics::default();
        other.budget.record(50, 100);
        other.budget.record(301, 300);
        other.edits.applied = 3;
        other.edits.failed = 1;
        other.files.hits = 9;
        other.files.misses = 1;
        all.merge(&other);
        all.merge(&other);
        assert_eq!(all.budget.usage_ratio(), Some(702.0 / 800.0));
        assert_eq!(all.budget.exceeded, 2);
        assert_eq!(all.edits.success_ratio(), Some(0.75));
        assert_eq!(all.files.hit_ratio(), Some(0.9));
    }

    #[test]
    fn an_older_log_lacks_counts() {
        let old: Metrics = serde_json::from_str(r#"{"tools":{"t":{"calls":2}}}"#).unwrap();
        assert_eq!((old.tools["t"].calls, old.tools["t"].failures), (2, 0));
        assert!(!old.is_empty() && Metrics::default().is_empty());
    }
}
