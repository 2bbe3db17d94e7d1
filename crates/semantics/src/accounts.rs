//! The account of requests to models in the `state.json` of a root, and what its limits leave (SPEC SE3).

use codecortex_ledger::{Ledger, Millis};
use codecortex_protocol::{ModelFailure, ModelOutcome, ModelRequest, ModelSettings, tokens_approx};

use crate::quota::{Quota, Usage};

/// The key of `state.json`.
const USAGE: &str = "modelUsage";

/// The usage that a root's `state.json` has. A damaged account begins anew.
pub fn usage_of(ledger: &Ledger) -> Usage {
    let kept = ledger.foreign_state().get(USAGE).cloned();
    kept.and_then(|kept| serde_json::from_value(kept).ok())
        .unwrap_or_default()
}

/// Changes the usage in a root's `state.json`.
pub fn change_usage(ledger: &mut Ledger, change: impl FnOnce(&mut Usage)) {
    let mut usage = usage_of(ledger);
    change(&mut usage);
    if let Ok(value) = serde_json::to_value(usage) {
        ledger.foreign_state_mut().insert(USAGE.to_owned(), value);
    }
}

/// Counts a request that was sent at `since`, whatever its outcome. A request that no model received costs nothing.
pub fn note_usage(
    ledger: &mut Ledger,
    request: &ModelRequest,
    outcome: &ModelOutcome,
    since: Millis,
    now: Millis,
) {
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
    change_usage(ledger, |usage| {
        usage.note(tokens, now);
        match outcome {
            ModelOutcome::Answered { .. } => usage.note_time(now.saturating_sub(since)),
            ModelOutcome::Failed { .. } => usage.failures = usage.failures.saturating_add(1),
        }
    });
}

/// Counts secrets that were taken out.
pub fn note_redacted(ledger: &mut Ledger, redacted: u32) {
    change_usage(ledger, |usage| {
        usage.redacted = usage.redacted.saturating_add(redacted);
    });
}

/// Why so many tokens may not be sent to a model now, by the limits of a root's settings; none where they may.
pub fn refusal(
    ledger: &Ledger,
    settings: &ModelSettings,
    tokens: u32,
    now: Millis,
) -> Option<String> {
    usage_of(ledger).refusal(&quota(settings), 0, tokens, now)
}

/// Why not all of so many texts of a root can be made now, by the limits of the person's settings; reported before
/// anything is sent. A root without a ledger has sent nothing.
pub fn shortage(
    ledger: Option<&Ledger>,
    settings: &ModelSettings,
    texts: usize,
    now: Millis,
) -> Option<String> {
    let limits = quota(settings);
    let usage = ledger.map(usage_of).unwrap_or_default();
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

/// The limits of a folder's settings.
pub fn quota(settings: &ModelSettings) -> Quota {
    Quota {
        calls_per_hour: settings.calls_per_hour,
        calls_per_day: settings.calls_per_day,
        tokens_per_hour: settings.tokens_per_hour,
        tokens_per_day: settings.tokens_per_day,
    }
}

#[cfg(test)]
mod tests {
    use codecortex_protocol::{ModelMessage, ModelRole, ModelUsage};
    use serde_json::json;

    use super::*;

    fn request(text: &str) -> ModelRequest {
        ModelRequest {
            purpose: "describe".to_owned(),
            subject: "Shop.Order".to_owned(),
            messages: vec![ModelMessage::new(ModelRole::User, text)],
            tools: Vec::new(),
            max_output_tokens: 100,
            attempts: 1,
        }
    }

    fn answered(usage: Option<(u32, u32)>) -> ModelOutcome {
        ModelOutcome::Answered {
            text: "eight letters".to_owned(),
            calls: Vec::new(),
            usage: usage.map(|(input_tokens, output_tokens)| ModelUsage {
                input_tokens,
                output_tokens,
            }),
        }
    }

    fn tokens(ledger: &Ledger) -> u32 {
        usage_of(ledger).total.tokens
    }

    #[test]
    fn the_models_own_count_goes_before_the_estimate() {
        let mut ledger = Ledger::default();
        note_usage(
            &mut ledger,
            &request("a"),
            &answered(Some((70, 30))),
            9_000,
            10_000,
        );
        assert_eq!(tokens(&ledger), 100);
        note_usage(
            &mut ledger,
            &request(&"a".repeat(400)),
            &answered(None),
            9_000,
            10_000,
        );
        let estimate =
            tokens_approx(&request(&"a".repeat(400)).text()) + tokens_approx("eight letters");
        assert_eq!(tokens(&ledger), 100 + estimate);
    }

    #[test]
    fn a_request_that_no_model_received_costs_nothing() {
        let mut ledger = Ledger::default();
        for failure in [ModelFailure::Absent, ModelFailure::Cancelled] {
            let outcome = ModelOutcome::failed(failure, "no");
            note_usage(&mut ledger, &request("a"), &outcome, 0, 10_000);
        }
        assert_eq!(usage_of(&ledger), Usage::default());
        let outcome = ModelOutcome::failed(ModelFailure::Unreachable, "no");
        note_usage(&mut ledger, &request("abc"), &outcome, 0, 10_000);
        assert_eq!(usage_of(&ledger).failures, 1);
        assert!(tokens(&ledger) > 0);
    }

    #[test]
    fn a_damaged_account_begins_anew() {
        let mut ledger = Ledger::default();
        note_redacted(&mut ledger, 2);
        assert_eq!(usage_of(&ledger).redacted, 2);
        let state = ledger.foreign_state_mut();
        state.insert(USAGE.to_owned(), json!("no account"));
        assert_eq!(usage_of(&ledger), Usage::default());
    }

    #[test]
    fn limits_refuse_requests_and_announce_a_shortage() {
        let settings = ModelSettings {
            calls_per_hour: Some(2),
            ..ModelSettings::default()
        };
        let mut ledger = Ledger::default();
        assert_eq!(shortage(None, &settings, 2, 10_000), None);
        assert!(
            shortage(None, &settings, 3, 10_000)
                .unwrap()
                .starts_with("3 texts")
        );
        for _ in 0..2 {
            assert_eq!(refusal(&ledger, &settings, 1, 10_000), None);
            note_usage(&mut ledger, &request("a"), &answered(None), 9_000, 10_000);
        }
        assert!(refusal(&ledger, &settings, 1, 10_000).is_some());
        assert!(shortage(Some(&ledger), &settings, 1, 10_000).is_some());
        let later = 10_000 + 3_600_001;
        assert_eq!(refusal(&ledger, &settings, 1, later), None, "an hour later");
    }
}
