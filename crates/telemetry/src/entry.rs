//! A line of the log: what happened since the line before.

use serde::{Deserialize, Serialize};

use crate::metrics::Metrics;
use crate::receipt::Receipt;

/// What a process counted since its last line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct TelemetryEntry {
    /// When it was written, in ms since 1970.
    pub at_ms: f64,
    /// The counts.
    pub metrics: Metrics,
    /// The answers, the oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub receipts: Vec<Receipt>,
}

impl TelemetryEntry {
    /// The line, without its end.
    #[must_use]
    pub fn encode(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The entries of a file of lines, and how many lines are none: a process may have been killed while it wrote.
    #[must_use]
    pub fn decode_lines(text: &str) -> (Vec<Self>, u32) {
        let mut entries = Vec::new();
        let mut damaged = 0;
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            match serde_json::from_str(line) {
                Ok(entry) => entries.push(entry),
                Err(_) => damaged += 1,
            }
        }
        (entries, damaged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_none_are_counted() {
        let mut entry = TelemetryEntry {
            at_ms: 5.0,
            ..TelemetryEntry::default()
        };
        entry.metrics.edits.applied = 1;
        let line = entry.encode();
        let text = format!("{line}\n{}\n\n{line}", &line[..line.len() / 2]);
        let (entries, damaged) = TelemetryEntry::decode_lines(&text);
        assert_eq!((entries, damaged), (vec![entry.clone(), entry], 1));
    }
}
