//! What answers cost, how long they took, and what they replaced (SPEC T1, X8; `000` §11).

use codecortex_ledger::rfc3339;
use codecortex_protocol::counts::counted;
use codecortex_protocol::{Failure, Request, Response};
use codecortex_telemetry::{
    Alarm, AlarmLevels, DayMetrics, LatencyHistogram, Metrics, Receipt, ReceiptTask,
    TelemetryEntry, TelemetrySummary, ToolMetrics,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::list::models;
use super::texts::text_figures;
use crate::calls::CallContext;
use crate::invocation::Invocation;

const DAY_MS: u64 = 24 * 60 * 60 * 1_000;
/// The tools that resolve a symbol (`symbol.resolve.ms`).
const RESOLVE: [&str; 2] = [
    "codecortex_resolveSymbol",
    "codecortex_resolveSymbolAtPosition",
];
/// Answers of the newest task that are listed.
const MAX_RECEIPTS: usize = 100;

/// What the log on the disk has.
pub(super) struct TelemetryLog {
    entries: Vec<TelemetryEntry>,
    damaged: u32,
    error: Option<String>,
}

/// Figures of the last 30 days of this workspace, on this machine.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TelemetryData {
    /// Whether a log is kept; otherwise the figures are those of this process since its last minute.
    is_kept: bool,
    /// Why the log could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// Lines of the log that could not be read.
    #[serde(skip_serializing_if = "is_zero")]
    damaged_lines: u32,
    /// Seconds since this process began.
    uptime_sec: u64,
    /// Projects of the workspace.
    projects: u32,
    /// Types in `.context/`.
    types_indexed: u32,
    /// Semantic texts that wait.
    semantic_queue_length: u32,
    /// Requests for semantic texts that failed.
    recent_semantic_failures: u32,
    /// Tokens of models that unchanged meaning saved.
    semantic_tokens_saved: u64,
    /// Time to resolve a symbol in ms: half of the calls take at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    p50_resolve_ms: Option<f64>,
    /// 95 in 100 calls take at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    p95_resolve_ms: Option<f64>,
    /// Memory of the index in MB.
    #[serde(rename = "memoryMB")]
    memory_mb: f64,
    /// The part of the token limits that answers used, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    budget_usage_ratio: Option<f64>,
    /// Answers above their limit.
    budget_exceeded: u32,
    /// The part of the files that starts took from the cache, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    file_cache_hit_ratio: Option<f64>,
    /// Edits that were made.
    edits_applied: u32,
    /// Edits that were refused or failed; they changed nothing.
    edits_failed: u32,
    /// Edits that were taken back.
    edits_undone: u32,
    /// Figures above their level, as sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    alarms: Vec<&'static str>,
    /// By tool, the most called first.
    tools: Vec<ToolData>,
    /// By day in UTC, the oldest first.
    days: Vec<DayData>,
    /// The newest task: calls without a pause of 15 minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<TaskData>,
}

/// Calls of a tool.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ToolData {
    tool: String,
    calls: u32,
    failures: u32,
    tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    p50_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    p95_ms: Option<f64>,
}

/// Calls of a day.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct DayData {
    /// `2026-11-29`.
    day: String,
    calls: u32,
    failures: u32,
    tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    p95_ms: Option<f64>,
}

/// What the answers of a task cost, and what they replaced.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct TaskData {
    /// When its first answer came.
    from: String,
    /// When its last answer came.
    to: String,
    calls: u32,
    /// Tokens of its answers.
    tokens: u64,
    /// Tokens of the files that its answers name, as wholes, once for each answer.
    file_tokens: u64,
    /// The newest of its answers, if asked for, the oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    receipts: Vec<ReceiptData>,
}

/// What an answer cost, and what it replaced.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ReceiptData {
    at: String,
    tool: String,
    /// The symbol that the call named first.
    #[serde(skip_serializing_if = "Option::is_none")]
    symbol: Option<String>,
    tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    took_ms: Option<f64>,
    /// Files of the workspace that the answer names.
    files: u32,
    /// Their tokens, as wholes.
    file_tokens: u64,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Reads the log.
pub(super) async fn read_log(cx: &CallContext) -> TelemetryLog {
    let reply = cx.ask(Request::Telemetry).await;
    let (files, error) = match &*reply {
        Response::Telemetry { files, error } => (files.as_slice(), error.clone()),
        _ => (&[][..], None),
    };
    let mut log = TelemetryLog {
        entries: Vec::new(),
        damaged: 0,
        error,
    };
    for text in files {
        let (entries, damaged) = TelemetryEntry::decode_lines(text);
        log.entries.extend(entries);
        log.damaged += damaged;
    }
    log
}

/// The figures; `has_receipts` lists the newest task's answers.
pub(super) fn telemetry(
    cx: &Invocation<'_>,
    log: &TelemetryLog,
    has_receipts: bool,
) -> Result<TelemetryData, Failure> {
    let room = &cx.session.telemetry;
    let pending = cx.session.uncollected();
    let entries = log.entries.iter().chain(Some(&pending));
    let summary = TelemetrySummary::new(entries.filter(|entry| !entry.metrics.is_empty()));
    let took = summary.took(|name| RESOLVE.contains(&name));
    let texts = text_figures(cx);
    let memory = cx.session.held_bytes() as u64;
    let Metrics {
        budget,
        edits,
        files,
        ..
    } = &summary.total;
    let alarms = Alarm::raised(AlarmLevels {
        resolve_p95_us: took.percentile(95.0),
        queue: u64::from(texts.queue),
        memory_bytes: memory,
        exceeded: budget.exceeded,
    });
    let models = models(cx)?;
    let projects = models.iter().map(|(_, model)| model.all().len() as u32);
    Ok(TelemetryData {
        is_kept: room.is_kept(),
        error: log.error.clone(),
        damaged_lines: log.damaged,
        uptime_sec: (room.uptime_ms() / 1_000.0) as u64,
        projects: projects.sum(),
        types_indexed: texts.types,
        semantic_queue_length: texts.queue,
        recent_semantic_failures: texts.failures,
        semantic_tokens_saved: texts.tokens_saved,
        p50_resolve_ms: millis(&took, 50.0),
        p95_resolve_ms: millis(&took, 95.0),
        memory_mb: rounded(memory as f64 / 1e6),
        budget_usage_ratio: budget.usage_ratio().map(rounded),
        budget_exceeded: budget.exceeded,
        file_cache_hit_ratio: files.hit_ratio().map(rounded),
        edits_applied: edits.applied,
        edits_failed: edits.failed,
        edits_undone: edits.undone,
        alarms: alarms.into_iter().map(Alarm::sentence).collect(),
        tools: tools(&summary.total),
        days: summary.days.iter().map(day).collect(),
        task: summary
            .tasks
            .first()
            .map(|task| task_data(task, has_receipts)),
    })
}

/// A percentile in ms, to a hundredth.
fn millis(took: &LatencyHistogram, percent: f64) -> Option<f64> {
    took.percentile(percent)
        .map(|micros| rounded(micros as f64 / 1e3))
}

fn tools(metrics: &Metrics) -> Vec<ToolData> {
    let data = |(name, tool): (&String, &ToolMetrics)| ToolData {
        tool: name.clone(),
        calls: tool.calls,
        failures: tool.failures,
        tokens: tool.tokens,
        p50_ms: millis(&tool.took, 50.0),
        p95_ms: millis(&tool.took, 95.0),
    };
    let mut all: Vec<ToolData> = metrics.tools.iter().map(data).collect();
    all.sort_by(|a, b| b.calls.cmp(&a.calls).then_with(|| a.tool.cmp(&b.tool)));
    all
}

fn day(of: &DayMetrics) -> DayData {
    let mut took = LatencyHistogram::default();
    let mut data = DayData {
        day: rfc3339(of.day.max(0) as u64 * DAY_MS)
            .chars()
            .take(10)
            .collect(),
        calls: 0,
        failures: 0,
        tokens: 0,
        p95_ms: None,
    };
    for tool in of.metrics.tools.values() {
        data.calls += tool.calls;
        data.failures += tool.failures;
        data.tokens += tool.tokens;
        took.merge(&tool.took);
    }
    data.p95_ms = millis(&took, 95.0);
    data
}

fn task_data(task: &ReceiptTask, has_receipts: bool) -> TaskData {
    let kept = match has_receipts {
        true => task.receipts.len().saturating_sub(MAX_RECEIPTS),
        false => task.receipts.len(),
    };
    TaskData {
        from: rfc3339(task.from_ms as u64),
        to: rfc3339(task.to_ms as u64),
        calls: task.receipts.len() as u32,
        tokens: task.tokens,
        file_tokens: task.file_tokens,
        receipts: task.receipts.iter().skip(kept).map(receipt).collect(),
    }
}

fn receipt(of: &Receipt) -> ReceiptData {
    ReceiptData {
        at: rfc3339(of.at_ms as u64),
        tool: of.tool.clone(),
        symbol: of.subject.clone(),
        tokens: of.tokens,
        took_ms: of.took_us.map(|micros| rounded(micros as f64 / 1e3)),
        files: of.files,
        file_tokens: of.file_tokens,
    }
}

impl TelemetryData {
    /// The same for people.
    pub(super) fn text(&self) -> String {
        let mut out = self.head();
        for tool in &self.tools {
            out.push_str(&format!(
                "{}: {}, {} failed, {} tokens{}\n",
                tool.tool,
                counted(tool.calls, "call"),
                tool.failures,
                tool.tokens,
                times(tool.p50_ms, tool.p95_ms)
            ));
        }
        for day in &self.days {
            out.push_str(&format!(
                "// {}: {}, {} failed, {} tokens{}\n",
                day.day,
                counted(day.calls, "call"),
                day.failures,
                day.tokens,
                times(None, day.p95_ms)
            ));
        }
        if let Some(task) = &self.task {
            out.push_str(&task.text());
        }
        out
    }

    fn head(&self) -> String {
        let kept = match (self.is_kept, &self.error) {
            (true, None) => "30 days, on this machine only".to_owned(),
            (true, Some(error)) => format!("the log cannot be read: {error}"),
            (false, _) => "this process only; no log is kept".to_owned(),
        };
        let mut out = format!(
            "// telemetry: {kept}\n// up {} s, {:.1} MB, {}, {} in .context/\n",
            self.uptime_sec,
            self.memory_mb,
            counted(self.projects, "project"),
            counted(self.types_indexed, "type")
        );
        let resolve = times(self.p50_resolve_ms, self.p95_resolve_ms);
        if !resolve.is_empty() {
            out.push_str(&format!("// a symbol is resolved{resolve}\n"));
        }
        let percent = |ratio: Option<f64>, of: &str| {
            ratio.map_or_else(String::new, |ratio| {
                format!("// {:.0} % of {of}\n", 100.0 * ratio)
            })
        };
        out.push_str(&percent(
            self.budget_usage_ratio,
            "the token limits was used",
        ));
        out.push_str(&percent(
            self.file_cache_hit_ratio,
            "the files came from the cache",
        ));
        if self.edits_applied + self.edits_failed + self.edits_undone > 0 {
            out.push_str(&format!(
                "// edits: {} made, {} refused or failed, {} taken back\n",
                self.edits_applied, self.edits_failed, self.edits_undone
            ));
        }
        if self.types_indexed > 0 {
            out.push_str(&format!(
                "// semantic texts: {} wait, {} requests failed, {} tokens saved\n",
                self.semantic_queue_length,
                self.recent_semantic_failures,
                self.semantic_tokens_saved
            ));
        }
        if self.damaged_lines > 0 {
            out.push_str(&format!(
                "// {} of the log cannot be read\n",
                counted(self.damaged_lines, "line")
            ));
        }
        for alarm in &self.alarms {
            out.push_str(&format!("// warning: {alarm}\n"));
        }
        out
    }
}

impl TaskData {
    fn text(&self) -> String {
        let mut out = format!(
            "// last task, {} to {}: {}, {} tokens; the files they name have {}\n",
            self.from,
            self.to,
            counted(self.calls, "answer"),
            self.tokens,
            self.file_tokens
        );
        for receipt in &self.receipts {
            let symbol = receipt.symbol.as_ref();
            let symbol = symbol.map_or_else(String::new, |symbol| format!(" {symbol}"));
            out.push_str(&format!(
                "{} {}{symbol}: {} tokens{}; {} of {} tokens\n",
                receipt.at,
                receipt.tool,
                receipt.tokens,
                times(receipt.took_ms, None),
                counted(receipt.files, "file"),
                receipt.file_tokens
            ));
        }
        out
    }
}

/// `, 1.2 ms, 95 % in 8 ms`, as far as there is something to say.
fn times(half: Option<f64>, most: Option<f64>) -> String {
    let half = half.map_or_else(String::new, |ms| format!(", {ms} ms"));
    let most = most.map_or_else(String::new, |ms| format!(", 95 % in {ms} ms"));
    half + &most
}

/// To a hundredth.
fn rounded(figure: f64) -> f64 {
    (figure * 100.0).round() / 100.0
}
