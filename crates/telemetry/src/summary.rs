//! The sums of a log: by day, and of all days.

use std::collections::BTreeMap;

use crate::entry::TelemetryEntry;
use crate::latency::LatencyHistogram;
use crate::metrics::Metrics;
use crate::receipt::{Receipt, ReceiptTask, tasks};

const DAY_MS: f64 = 24.0 * 60.0 * 60.0 * 1_000.0;

/// The counts of a day.
#[derive(Clone, Debug, PartialEq)]
pub struct DayMetrics {
    /// The day in UTC, as the days since 1970.
    pub day: i64,
    /// Its counts.
    pub metrics: Metrics,
}

/// What a log has in all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TelemetrySummary {
    /// All counts.
    pub total: Metrics,
    /// By day, the oldest first; days without an entry are left out.
    pub days: Vec<DayMetrics>,
    /// The newest answers by tasks, the newest task first.
    pub tasks: Vec<ReceiptTask>,
}

impl TelemetrySummary {
    /// Adds entries up.
    pub fn new<'a>(entries: impl IntoIterator<Item = &'a TelemetryEntry>) -> Self {
        let mut total = Metrics::default();
        let mut days: BTreeMap<i64, Metrics> = BTreeMap::new();
        let mut receipts: Vec<Receipt> = Vec::new();
        for entry in entries {
            total.merge(&entry.metrics);
            let day = (entry.at_ms / DAY_MS).floor() as i64;
            days.entry(day).or_default().merge(&entry.metrics);
            receipts.extend(entry.receipts.iter().cloned());
        }
        let days = days.into_iter();
        Self {
            total,
            days: days
                .map(|(day, metrics)| DayMetrics { day, metrics })
                .collect(),
            tasks: tasks(receipts),
        }
    }

    /// From the call to the answer of these tools.
    #[must_use]
    pub fn took(&self, is_meant: impl Fn(&str) -> bool) -> LatencyHistogram {
        let mut all = LatencyHistogram::default();
        for (name, tool) in &self.total.tools {
            if is_meant(name) {
                all.merge(&tool.took);
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_totals_add_up() {
        let entry = |day: f64, calls: u32| {
            let mut entry = TelemetryEntry {
                at_ms: (day + 0.5) * DAY_MS,
                ..TelemetryEntry::default()
            };
            let tool = entry.metrics.tools.entry("t".to_owned()).or_default();
            tool.calls = calls;
            tool.took.record(u64::from(calls) * 1_000);
            entry
        };
        let entries = [entry(20.0, 1), entry(21.0, 2), entry(20.0, 4)];
        let summary = TelemetrySummary::new(&entries);
        let days = summary.days.iter();
        let days: Vec<_> = days
            .map(|of| (of.day, of.metrics.tools["t"].calls))
            .collect();
        assert_eq!(days, [(20, 5), (21, 2)]);
        assert_eq!(summary.total.tools["t"].calls, 7);
        assert_eq!(summary.took(|name| name == "t").count(), 3);
        assert_eq!(summary.took(|name| name == "u").count(), 0);
    }
}
