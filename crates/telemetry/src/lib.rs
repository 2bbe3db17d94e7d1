//! What answers cost, how long they took and what they replaced (SPEC T1, X8; `000` §11). The room counts, a log on the
//! disk keeps the counts for 30 days, and a summary adds them up. Nothing leaves the machine.

mod alarms;
mod entry;
mod latency;
mod metrics;
mod receipt;
mod room;
mod summary;
mod token_usage;

pub use alarms::{Alarm, AlarmLevels};
pub use entry::TelemetryEntry;
pub use latency::LatencyHistogram;
pub use metrics::{BudgetMetrics, CacheMetrics, EditMetrics, Metrics, ToolMetrics};
pub use receipt::{Receipt, ReceiptTask, tasks};
pub use room::{AnsweredCost, EditOutcome, Telemetry};
pub use summary::{DayMetrics, TelemetrySummary};
pub use token_usage::{TokenAccount, TokenUsage};
