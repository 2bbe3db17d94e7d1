//! How the texts about a root's types are, and what they cost so far (SPEC SE3, T1).

use codecortex_ledger::TextState;
use codecortex_protocol::ModelSettings;
use codecortex_semantics::Usage;
use schemars::JsonSchema;
use serde::Serialize;

use crate::invocation::Invocation;
use codecortex_semantics::usage_of;

/// More than these waiting is worth a word (`000` §11).
const MANY: usize = 50;
const HOUR: u64 = 60 * 60 * 1_000;

/// Texts about types.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextsData {
    /// The model in use; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    /// Types whose text is true of the code as it is.
    cached: u32,
    /// Types that a model is at.
    generating: u32,
    /// Types whose last attempt failed.
    failed: u32,
    /// More wait than is usual.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_queue_long: bool,
    /// Requests that were sent.
    calls: u32,
    /// Tokens that they cost, in and out.
    tokens: u32,
    /// Requests in the last hour.
    calls_last_hour: u32,
    /// Requests in the last day.
    calls_last_day: u32,
    /// Answers that said that the text holds as it is.
    unchanged: u32,
    /// Requests that brought nothing: no answer, or a text that is not taken.
    failures: u32,
    /// Secrets that were taken out of what was sent and answered.
    #[serde(skip_serializing_if = "is_zero")]
    redacted: u32,
    /// How long the last 200 answers took, in ms: half of them at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    took_p50_ms: Option<u32>,
    /// 95 in 100 of them at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    took_p95_ms: Option<u32>,
    /// Changes of described types after which nobody had to be asked.
    calls_saved: u32,
    /// What these would have cost on the average, and what prompts about changes cost less than prompts for whole texts.
    tokens_saved: u64,
    /// When a model is asked, and how often, where the person set that.
    #[serde(skip_serializing_if = "Option::is_none")]
    model_settings: Option<ModelSettings>,
    /// Why nothing is sent at present.
    #[serde(skip_serializing_if = "Option::is_none")]
    held: Option<String>,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl TextsData {
    /// The same as a line for people, with a warning where the queue is long.
    pub(super) fn line(&self, waiting: u32) -> String {
        let times = match (self.took_p50_ms, self.took_p95_ms) {
            (Some(half), Some(most)) => format!(", answers in {half} ms, 95 % in {most} ms"),
            _ => String::new(),
        };
        let alarm = match self.is_queue_long {
            true => format!("// warning: {waiting} texts wait, more than {MANY}\n"),
            false => String::new(),
        };
        format!(
            "// texts: {} cached, {} failed, {} calls of {} tokens, {} failures, {} calls and {} tokens saved{times}\n{alarm}",
            self.cached,
            self.failed,
            self.calls,
            self.tokens,
            self.failures,
            self.calls_saved,
            self.tokens_saved
        )
    }
}

/// What there is to say of a root; nothing where nobody has described a type or asked for it.
pub(super) fn texts(cx: &Invocation<'_>, root: usize) -> Option<TextsData> {
    let folder = cx.session.contexts.folders.get(root)?;
    let ledger = folder.ledger.as_ref()?;
    let count = |state: TextState| ledger.in_state(state).count() as u32;
    let is_failed = |id: &str| {
        ledger
            .get(id)
            .is_some_and(|known| known.last_error.is_some())
    };
    let usage: Usage = usage_of(ledger);
    let (hour, day) = (
        usage.within(HOUR, cx.session.code.clock().host()),
        usage.within(24 * HOUR, cx.session.code.clock().host()),
    );
    let data = TextsData {
        model: cx.session.model_name().map(str::to_owned),
        cached: count(TextState::Cached),
        generating: count(TextState::Generating),
        failed: ledger
            .in_state(TextState::Pending)
            .filter(|(id, _)| is_failed(id))
            .count() as u32,
        is_queue_long: ledger.waiting_count() > MANY,
        calls: usage.total.calls,
        tokens: usage.total.tokens,
        calls_last_hour: hour.calls,
        calls_last_day: day.calls,
        unchanged: usage.unchanged,
        failures: usage.failures,
        redacted: usage.redacted,
        took_p50_ms: usage.time_of(50),
        took_p95_ms: usage.time_of(95),
        calls_saved: usage.spared_calls,
        tokens_saved: usage.saved_tokens(),
        model_settings: Some(folder.config.model.clone())
            .filter(|own| *own != ModelSettings::default()),
        held: folder.semantic_jobs.held().cloned(),
    };
    let says_something = data.model.is_some()
        || data.cached + data.generating + data.failed + data.calls > 0
        || data.held.is_some()
        || data.is_queue_long;
    says_something.then_some(data)
}

/// Semantic texts of all folders.
#[derive(Default)]
pub(super) struct TextFigures {
    /// Types in `.context/`.
    pub(super) types: u32,
    /// Texts that wait.
    pub(super) queue: u32,
    /// Requests that brought nothing.
    pub(super) failures: u32,
    /// Tokens that unchanged meaning saved.
    pub(super) tokens_saved: u64,
}

/// The figures of all folders.
pub(super) fn text_figures(cx: &Invocation<'_>) -> TextFigures {
    let mut all = TextFigures::default();
    let folders = cx.session.contexts.folders.iter();
    for ledger in folders.filter_map(|folder| folder.ledger.as_ref()) {
        let usage = usage_of(ledger);
        all.types += ledger.len() as u32;
        all.queue += ledger.waiting_count() as u32;
        all.failures += usage.failures;
        all.tokens_saved += usage.saved_tokens();
    }
    all
}
