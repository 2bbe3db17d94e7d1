//! A plan for the units of a change, as somebody else makes it: read and checked (SPEC RV2, `004` §2).

use rustc_hash::FxHashMap;
use serde_json::Value;

use crate::level::{EvidenceLevel, EvidenceRequest, RequestKind, Takes};

/// Requests of a unit beyond this are cut.
const MAX_REQUESTS: usize = 6;
/// Characters of a reason or of what a request is about.
const MAX_TEXT: usize = 200;
/// Sentences about what is wrong with a plan.
const MAX_NOTES: usize = 20;

/// What a plan says of a unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlannedUnit {
    /// How much to show; absent where it says nothing valid.
    pub level: Option<EvidenceLevel>,
    /// Whether not to look at it.
    pub skip_review: bool,
    /// Why.
    pub reason: String,
    /// What to look up.
    pub requests: Vec<EvidenceRequest>,
}

/// A plan that was checked.
#[derive(Clone, Debug, Default)]
pub struct ReviewPlan {
    /// By the ids of units.
    pub entries: FxHashMap<String, PlannedUnit>,
    /// What was wrong with it, a sentence each.
    pub notes: Vec<String>,
}

impl ReviewPlan {
    /// Reads `{plan: […]}` or the list alone. Whatever it holds, only what is about a known unit is taken, and of that only
    /// what is valid. Of two entries for a unit the first counts; their requests are united.
    #[must_use]
    pub fn read(written: &Value, is_unit: impl Fn(&str) -> bool) -> Self {
        let mut plan = Self::default();
        let list = written.get("plan").unwrap_or(written).as_array();
        let Some(list) = list else {
            plan.note("The plan has no list `plan`: only the rules decide.".to_owned());
            return plan;
        };
        for written in list {
            let Some(id) = written.get("unit_id").and_then(Value::as_str) else {
                plan.note("An entry of the plan names no unit.".to_owned());
                continue;
            };
            if !is_unit(id) {
                plan.note(format!(
                    "The plan names a unit that is not there: `{}`.",
                    clipped(id)
                ));
                continue;
            }
            let entry = plan.entry(id, written);
            match plan.entries.get_mut(id) {
                None => drop(plan.entries.insert(id.to_owned(), entry)),
                Some(first) => {
                    let new = entry
                        .requests
                        .into_iter()
                        .filter(|request| !first.requests.contains(request));
                    let new: Vec<EvidenceRequest> = new.collect();
                    first.requests.extend(new);
                    first.requests.truncate(MAX_REQUESTS);
                    plan.note(format!(
                        "The plan has `{id}` twice: the first entry counts."
                    ));
                }
            }
        }
        plan
    }

    fn note(&mut self, sentence: String) {
        if self.notes.len() < MAX_NOTES {
            self.notes.push(sentence);
        }
    }

    fn entry(&mut self, id: &str, written: &Value) -> PlannedUnit {
        let word = ["llm_context_level", "context_level"]
            .iter()
            .find_map(|key| written.get(key));
        let level = word
            .and_then(Value::as_str)
            .and_then(EvidenceLevel::from_word);
        if let Some(word) = word.filter(|_| level.is_none()) {
            self.note(format!(
                "`{id}`: there is no level {}.",
                clipped(&word.to_string())
            ));
        }
        let reason = written.get("reason").and_then(Value::as_str).unwrap_or("");
        PlannedUnit {
            level,
            skip_review: written
                .get("skip_review")
                .and_then(Value::as_bool)
                .unwrap_or(false),
            reason: clipped(reason),
            requests: self.requests(id, written),
        }
    }

    fn requests(&mut self, id: &str, written: &Value) -> Vec<EvidenceRequest> {
        let mut requests = Vec::new();
        let list = written.get("extra_requests").and_then(Value::as_array);
        for written in list.into_iter().flatten() {
            let word = written.get("type").and_then(Value::as_str).unwrap_or("");
            let Some(kind) = RequestKind::from_word(word) else {
                self.note(format!(
                    "`{id}`: nothing of the type `{}` can be looked up.",
                    clipped(word)
                ));
                continue;
            };
            let details = details(kind, written);
            if details.is_none() && kind.takes() != Takes::Nothing {
                self.note(format!("`{id}`: `{word}` does not say of what."));
                continue;
            }
            let request = EvidenceRequest { kind, details };
            if !requests.contains(&request) {
                requests.push(request);
            }
        }
        if requests.len() > MAX_REQUESTS {
            self.note(format!(
                "`{id}`: only the first {MAX_REQUESTS} requests are taken."
            ));
            requests.truncate(MAX_REQUESTS);
        }
        requests
    }
}

/// What a request is about: `details`, or the key that its type has in the older form.
fn details(kind: RequestKind, written: &Value) -> Option<String> {
    let keys: &[&str] = match kind.takes() {
        Takes::Nothing => return None,
        Takes::Symbol => &["symbol", "details"],
        Takes::Keyword => &["keyword", "text", "details"],
    };
    let text = keys
        .iter()
        .find_map(|key| written.get(key).and_then(Value::as_str))?;
    let text = clipped(text.trim().trim_matches('`').trim_end_matches("()"));
    (!text.is_empty()).then_some(text)
}

fn clipped(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars()
        .filter(|c| !c.is_control())
        .take(MAX_TEXT)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn read(written: &Value) -> ReviewPlan {
        ReviewPlan::read(written, |id| id == "u1")
    }

    #[test]
    fn what_is_valid_is_taken_and_the_rest_named() {
        let plan = read(&json!({ "plan": [
            { "unit_id": "u1", "llm_context_level": "file_context", "reason": "two\nlines",
              "extra_requests": [
                { "type": "callers", "details": "`total()`" },
                { "type": "search", "details": null },
                { "type": "previous_version", "details": "x" },
                { "type": "rm -rf", "details": "x" } ] },
            { "unit_id": "u1", "llm_context_level": "diff_only", "extra_requests": [{ "type": "search", "keyword": "tax" }] },
            { "unit_id": "u9" }, 7 ] }));
        let entry = &plan.entries["u1"];
        assert_eq!(
            (entry.level, entry.reason.as_str()),
            (Some(EvidenceLevel::FileContext), "two lines")
        );
        let asked: Vec<(&str, Option<&str>)> = entry
            .requests
            .iter()
            .map(|request| (request.kind.as_str(), request.details.as_deref()))
            .collect();
        assert_eq!(
            asked,
            [
                ("callers", Some("total")),
                ("previous_version", None),
                ("search", Some("tax"))
            ]
        );
        assert_eq!(plan.notes.len(), 5, "{:?}", plan.notes);
    }

    #[test]
    fn an_unknown_level_is_none() {
        let plan = read(&json!([{ "unit_id": "u1", "llm_context_level": "everything" }]));
        assert_eq!(plan.entries["u1"].level, None);
        assert!(read(&json!("plan")).entries.is_empty());
    }

    fn anything() -> impl Strategy<Value = Value> {
        let words = prop::sample::select(vec![
            "u1",
            "plan",
            "unit_id",
            "llm_context_level",
            "function",
            "extra_requests",
            "type",
            "callers",
            "details",
            "\u{0}",
            "a\nb",
        ]);
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            words.clone().prop_map(Value::from)
        ];
        leaf.prop_recursive(4, 40, 6, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::vec((words.clone(), inner), 0..6).prop_map(
                    |pairs| Value::Object(
                        pairs
                            .into_iter()
                            .map(|(key, value)| (key.to_owned(), value))
                            .collect()
                    )
                ),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

        /// Whatever a model says, what comes of it is about known units, one line, and not too much.
        #[test]
        fn nothing_unchecked_gets_through(written in anything()) {
            let plan = read(&written);
            prop_assert!(plan.entries.keys().all(|id| id == "u1"));
            prop_assert!(plan.notes.len() <= MAX_NOTES);
            for entry in plan.entries.values() {
                prop_assert!(entry.requests.len() <= MAX_REQUESTS);
                prop_assert!(!entry.reason.contains('\n'));
            }
        }
    }
}
