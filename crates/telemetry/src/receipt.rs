//! Receipts: what each answer cost, and what it replaced (SPEC X8).

use serde::{Deserialize, Serialize};

/// Calls that follow one another within this many ms belong to one task.
const PAUSE_MS: f64 = 15.0 * 60.0 * 1_000.0;

/// What an answer cost, and the files that a reader would have opened instead.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Receipt {
    /// When, in ms since 1970.
    pub at_ms: f64,
    /// The tool's name.
    pub tool: String,
    /// The path of the symbol that the call named first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Tokens of the answer, by a quarter of its characters.
    pub tokens: u32,
    /// From the call to the answer in µs; absent where the host did not measure it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub took_us: Option<u64>,
    /// Files of the workspace that the answer names.
    pub files: u32,
    /// Tokens of these files as wholes, by a quarter of their bytes.
    pub file_tokens: u64,
}

/// Answers without a long pause between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReceiptTask {
    /// When the first came, in ms since 1970.
    pub from_ms: f64,
    /// When the last came.
    pub to_ms: f64,
    /// Tokens of all.
    pub tokens: u64,
    /// Tokens of the files that they name, as wholes.
    pub file_tokens: u64,
    /// The answers, the oldest first.
    pub receipts: Vec<Receipt>,
}

/// Receipts by tasks, the newest task first.
#[must_use]
pub fn tasks(mut receipts: Vec<Receipt>) -> Vec<ReceiptTask> {
    receipts.sort_by(|a, b| a.at_ms.total_cmp(&b.at_ms));
    let mut all: Vec<ReceiptTask> = Vec::new();
    for receipt in receipts {
        let open = all.last_mut();
        let open = open.filter(|task| receipt.at_ms - task.to_ms <= PAUSE_MS);
        match open {
            Some(task) => task.push(receipt),
            None => {
                let mut task = ReceiptTask {
                    from_ms: receipt.at_ms,
                    ..ReceiptTask::default()
                };
                task.push(receipt);
                all.push(task);
            }
        }
    }
    all.reverse();
    all
}

impl ReceiptTask {
    fn push(&mut self, receipt: Receipt) {
        self.to_ms = receipt.at_ms;
        self.tokens += u64::from(receipt.tokens);
        self.file_tokens += receipt.file_tokens;
        self.receipts.push(receipt);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn receipt(minute: u32, tokens: u32) -> Receipt {
        Receipt {
            at_ms: f64::from(minute) * 60_000.0,
            tokens,
            file_tokens: 1_000,
            ..Receipt::default()
        }
    }

    #[test]
    fn a_pause_ends_a_task() {
        let all = tasks(vec![
            receipt(40, 5),
            receipt(0, 1),
            receipt(15, 2),
            receipt(31, 4),
        ]);
        let found = all.iter().map(|task| (task.from_ms, task.tokens));
        assert_eq!(
            found.collect::<Vec<_>>(),
            [(31.0 * 60_000.0, 9), (0.0, 3)],
            "16 minutes lie between the second and the third"
        );
        assert_eq!(all[0].file_tokens, 2_000);
        assert!(tasks(Vec::new()).is_empty());
    }
}
