//! How the texts about a root's types are, and what they cost so far (SPEC SE3, T1).

use codecortex_ledger::State;
use codecortex_semantics::Usage;
use schemars::JsonSchema;
use serde::Serialize;

use crate::invocation::Invocation;
use crate::semantics::models::usage_of;

/// More than these waiting is worth a word (`000` §11).
const MANY: usize = 50;
const HOUR: u64 = 60 * 60 * 1_000;

/// Texts about types.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextsData {
    /// The model that is asked; absent where there is none.
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
    /// Why nothing is sent for now.
    #[serde(skip_serializing_if = "Option::is_none")]
    held: Option<String>,
}

/// What there is to say of a root; nothing where nobody has described a type or asked for it.
pub(super) fn texts(cx: &Invocation<'_>, root: usize) -> Option<TextsData> {
    let folder = cx.session.contexts.folders.get(root)?;
    let ledger = folder.ledger.as_ref()?;
    let count = |state: State| ledger.in_state(state).count() as u32;
    let is_failed = |id: &str| {
        ledger
            .get(id)
            .is_some_and(|known| known.last_error.is_some())
    };
    let usage: Usage = usage_of(ledger);
    let (hour, day) = (
        usage.within(HOUR, cx.session.code.clock.host()),
        usage.within(24 * HOUR, cx.session.code.clock.host()),
    );
    let data = TextsData {
        model: cx.session.models.name.clone(),
        cached: count(State::Cached),
        generating: count(State::Generating),
        failed: ledger
            .in_state(State::Pending)
            .filter(|(id, _)| is_failed(id))
            .count() as u32,
        is_queue_long: ledger.waiting_count() > MANY,
        calls: usage.total.calls,
        tokens: usage.total.tokens,
        calls_last_hour: hour.calls,
        calls_last_day: day.calls,
        unchanged: usage.unchanged,
        held: folder.describers.held().cloned(),
    };
    let says_something = data.model.is_some()
        || data.cached + data.generating + data.failed + data.calls > 0
        || data.held.is_some();
    says_something.then_some(data)
}
