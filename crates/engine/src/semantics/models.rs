//! The model that the host has, and what it is asked (SPEC SE2, SE3). Anybody in the engine may ask; the core knows no
//! model, only that there is one.

use codecortex_analysis::asks::Asker;
use codecortex_ledger::Ledger;
use codecortex_protocol::{
    ModelFailure, ModelOutcome, ModelRequest, ModelSettings, Request, tokens_approx,
};
use codecortex_semantics::{Quota, Usage, clean_request};
use rustc_hash::FxHashMap;

use crate::session::Session;

/// The key of `state.json` with what was sent to models.
const USAGE: &str = "modelUsage";

/// The model, and what it was asked.
#[derive(Debug, Default)]
pub(crate) struct Models {
    /// What people call it; none where there is none.
    pub(crate) name: Option<String>,
    /// How many types of a root may be described at a time.
    pub(crate) slots: u32,
    /// With the time at which it was asked, in ms since 1970.
    asked: FxHashMap<u32, (Asker, ModelRequest, u64)>,
}

impl Models {
    /// The number under which a job's question is with the model.
    pub(crate) fn question_of(&self, job: u32) -> Option<u32> {
        let mut asked = self.asked.iter();
        asked.find_map(|(id, (asker, ..))| (*asker == Asker::Job(job)).then_some(*id))
    }

    /// Forgets a question, whose answer counts for nothing from now on.
    pub(crate) fn forget(&mut self, id: u32) {
        self.asked.remove(&id);
    }
}

/// What is said where there is no model.
pub(crate) fn no_model() -> ModelOutcome {
    ModelOutcome::failed(
        ModelFailure::Absent,
        "No model was chosen. Everything else works; agents can submit texts.",
    )
}

/// What is said where a host gives no answer of a model.
pub(crate) fn no_answer() -> ModelOutcome {
    ModelOutcome::failed(
        ModelFailure::Unreachable,
        "The host gave no answer of the model.",
    )
}

/// Asks the model; the number of the question, and the question as it leaves: without secrets.
pub(crate) fn ask(
    session: &mut Session,
    asker: Asker,
    mut request: ModelRequest,
) -> (u32, Request) {
    let now = session.code.clock.host();
    let asked = (asker, request.clone(), now);
    let redacted = clean_request(&mut request);
    if redacted > 0 {
        note_redacted(session, redacted);
    }
    let request = Request::Model { request };
    let id = session.code.ask(asker, request.clone());
    session.models.asked.insert(id, asked);
    (id, request)
}

/// The model answered a question. What it costs counts, whoever hears it.
pub(crate) fn answered(session: &mut Session, id: u32, outcome: &ModelOutcome) {
    if let Some((_, request, since)) = session.models.asked.remove(&id) {
        note_usage(session, &request, outcome, since);
    }
}

/// What was sent counts, whatever came of it, for the first root that keeps accounts.
fn note_usage(session: &mut Session, request: &ModelRequest, outcome: &ModelOutcome, since: u64) {
    let tokens = match outcome {
        ModelOutcome::Answered {
            usage: Some(usage), ..
        } => usage.input_tokens.saturating_add(usage.output_tokens),
        ModelOutcome::Answered { text, .. } => tokens_approx(&request.text()) + tokens_approx(text),
        ModelOutcome::Failed {
            failure: ModelFailure::Absent | ModelFailure::Cancelled,
            ..
        } => return,
        ModelOutcome::Failed { .. } => tokens_approx(&request.text()),
    };
    let now = session.code.clock.host();
    let mut folders = session.contexts.folders.iter_mut();
    if let Some(ledger) = folders.find_map(|folder| folder.ledger.as_mut()) {
        change_usage(ledger, |usage| {
            usage.note(tokens, now);
            match outcome {
                ModelOutcome::Answered { .. } => usage.note_time(now.saturating_sub(since)),
                ModelOutcome::Failed { .. } => usage.failures = usage.failures.saturating_add(1),
            }
        });
    }
}

/// Notes secrets that were taken out, where accounts are kept.
pub(crate) fn note_redacted(session: &mut Session, redacted: u32) {
    let mut folders = session.contexts.folders.iter_mut();
    if let Some(ledger) = folders.find_map(|folder| folder.ledger.as_mut()) {
        change_usage(ledger, |usage| {
            usage.redacted = usage.redacted.saturating_add(redacted);
        });
    }
}

/// What was sent to models, as a root's `state.json` says.
pub(crate) fn usage_of(ledger: &Ledger) -> Usage {
    let kept = ledger.foreign_state().get(USAGE).cloned();
    // What is no account is begun anew.
    kept.and_then(|kept| serde_json::from_value(kept).ok())
        .unwrap_or_default()
}

/// Why so many tokens may not be sent to a model now, by the limits of a root's settings.
pub(crate) fn refusal(session: &Session, root: u32, tokens: u32) -> Option<String> {
    let folder = session.contexts.folders.get(root as usize)?;
    let usage = usage_of(folder.ledger.as_ref()?);
    let now = session.code.clock.host();
    usage.refusal(&quota(&folder.config.model), 0, tokens, now)
}

/// Why not all of so many texts of a root can be made now, by the limits of the person's settings; said before anything
/// is sent.
pub(crate) fn shortage(session: &Session, root: u32, texts: usize) -> Option<String> {
    let folder = session.contexts.folders.get(root as usize)?;
    let limits = quota(&folder.config.model);
    // A root that keeps no account yet has sent nothing.
    let usage = folder.ledger.as_ref().map(usage_of).unwrap_or_default();
    let now = session.code.clock.host();
    let (left, limit) = match usage.refusal(&limits, 0, 1, now) {
        Some(refusal) => (0, refusal),
        None => {
            let (left, limit) = usage.calls_left(&limits, now)?;
            (left, format!("the quota of {limit} leaves {left} now"))
        }
    };
    (texts > left as usize).then(|| {
        format!(
            "{texts} texts are requested and {limit}; the others wait until it allows more. `codecortex settings` shows and changes it."
        )
    })
}

/// Writes something into the account.
pub(crate) fn change_usage(ledger: &mut Ledger, change: impl FnOnce(&mut Usage)) {
    let mut usage = usage_of(ledger);
    change(&mut usage);
    if let Ok(value) = serde_json::to_value(usage) {
        ledger.foreign_state_mut().insert(USAGE.to_owned(), value);
    }
}

/// The limits of a folder's settings.
pub(crate) fn quota(config: &ModelSettings) -> Quota {
    Quota {
        calls_per_hour: config.calls_per_hour,
        calls_per_day: config.calls_per_day,
        tokens_per_hour: config.tokens_per_hour,
        tokens_per_day: config.tokens_per_day,
    }
}
