//! The forms of an answer: an envelope with an account, and text with a line of notes.
#![allow(clippy::unwrap_used, reason = "tests")]

use codecortex_answer::budget::{Limit, fit};
use codecortex_answer::cursor::Question;
use codecortex_answer::reply::{Common, Freshness, JsonForm, Reply, TextForm};
use codecortex_protocol::{ErrorCode, Phase};
use proptest::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value};

/// Names, of which the less detailed level has the first letters.
struct Names(Vec<String>);

#[derive(Serialize)]
struct Data {
    names: Vec<String>,
    #[serde(flatten)]
    common: Common,
}

impl Names {
    fn shown(&self, level: usize, pieces: usize) -> Vec<String> {
        let names = self.0[..pieces].iter();
        let letters = if level == 0 { usize::MAX } else { 1 };
        names
            .map(|name| name.chars().take(letters).collect())
            .collect()
    }
}

impl Reply for Names {
    fn levels(&self) -> &'static [&'static str] {
        &["whole", "initials"]
    }

    fn pieces(&self) -> usize {
        self.0.len()
    }

    fn data(&self, level: usize, pieces: usize, common: Common) -> Value {
        let names = self.shown(level, pieces);
        serde_json::to_value(Data { names, common }).unwrap()
    }

    fn text(&self, level: usize, pieces: usize) -> String {
        self.shown(level, pieces).join("\n")
    }

    fn next_cursor(&self, shown: usize) -> Option<String> {
        (shown < self.0.len()).then(|| shown.to_string())
    }

    fn is_unsaved(&self) -> bool {
        false
    }
}

fn names(count: usize) -> Names {
    Names((0..count).map(|at| format!("name number {at}")).collect())
}

fn fresh() -> Freshness {
    Freshness {
        revision: 7,
        phase: None,
        pending: 0,
        unsaved: false,
        unreadable_roots: Vec::new(),
    }
}

fn limit(tokens: u32) -> Limit {
    Limit::default().at_most(Some(tokens))
}

fn question() -> Question {
    Question::for_call("codecortex_example", &Map::new())
}

fn json(reply: &Names, limit: Limit, in_lines: bool) -> Result<String, ErrorCode> {
    let question = question();
    let form = JsonForm::new(reply, fresh(), &question, in_lines);
    fit(&form, limit).map_err(|error| error.code)
}

fn text(reply: &Names, freshness: Freshness, limit: Limit) -> String {
    let question = question();
    let form = TextForm {
        reply,
        freshness,
        question: &question,
    };
    fit(&form, limit).unwrap()
}

#[test]
fn an_envelope_has_its_data_its_freshness_and_its_cost() {
    let text = json(&names(3), Limit::default(), false).unwrap();
    let envelope: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(envelope["ok"], true);
    assert_eq!(envelope["data"]["names"].as_array().unwrap().len(), 3);
    assert_eq!(envelope["data"]["index"]["revision"], 7);
    let index = envelope["data"]["index"].as_object().unwrap();
    assert_eq!(index.len(), 1, "nothing to say of a complete index");
    let cost = envelope["data"]["budget"]["tokens_approx"]
        .as_u64()
        .unwrap();
    assert_eq!(cost, u64::from(codecortex_protocol::tokens_approx(&text)));
    assert!(envelope["data"].get("nextCursor").is_none());
}

#[test]
fn a_cut_envelope_says_what_is_left_out_and_where_it_goes_on() {
    let whole = json(&names(400), Limit::default(), false).unwrap();
    let cut = json(&names(400), limit(200), false).unwrap();
    assert!(cut.len() < whole.len());
    let envelope: Value = serde_json::from_str(&cut).unwrap();
    let data = &envelope["data"];
    let shown = data["names"].as_array().unwrap().len();
    assert_eq!(data["omitted"]["count"], 400 - shown);
    let cursor = data["nextCursor"].as_str().unwrap();
    assert_eq!(question().open(cursor).unwrap(), shown.to_string());
    assert!(data["budget"]["truncated"].as_bool().unwrap());
}

#[test]
fn entries_of_lists_have_lines_of_their_own_and_the_same_meaning() {
    let lines = json(&names(5), Limit::default(), true).unwrap();
    assert_eq!(
        lines
            .lines()
            .filter(|line| line.contains("name number"))
            .count(),
        5
    );
    let plain = json(&names(5), Limit::default(), false).unwrap();
    let parse = |text: &str| -> Value {
        let mut value: Value = serde_json::from_str(text).unwrap();
        value["data"].as_object_mut().unwrap().remove("budget");
        value
    };
    assert_eq!(parse(&lines), parse(&plain));
}

#[test]
fn no_answer_exceeds_a_budget_that_is_too_small_for_any() {
    let refused = json(&names(5), limit(1), false).unwrap_err();
    assert_eq!(refused, ErrorCode::BudgetExceeded);
}

#[test]
fn the_last_line_of_a_text_has_the_notes() {
    let incomplete = Freshness {
        phase: Some(Phase::Indexing),
        pending: 4,
        unsaved: true,
        unreadable_roots: vec!["app".to_owned()],
        ..fresh()
    };
    let text = text(&names(2), incomplete, Limit::default());
    let notes = text.lines().next_back().unwrap();
    for note in [
        "index indexing, 4 files pending",
        "unsaved text",
        "folders that cannot be read: app",
        "rev 7",
    ] {
        assert!(notes.contains(note), "{notes}");
    }
    assert!(text.starts_with("name number 0\nname number 1\n"));
}

#[test]
fn a_cut_text_names_the_cursor_and_the_budget() {
    let text = text(&names(400), fresh(), limit(120));
    let notes = text.lines().next_back().unwrap();
    assert!(
        notes.contains("left out") && notes.contains("more: cursor "),
        "{notes}"
    );
    assert!(notes.contains("/120 tokens"), "{notes}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the limit: an answer stays within it, is whole JSON, and its pieces and those left out are all.
    #[test]
    fn pieces_are_shown_or_counted(count in 0_usize..80, tokens in 60_u32..900) {
        let reply = names(count);
        if let Ok(text) = json(&reply, limit(tokens), false) {
            prop_assert!(codecortex_protocol::tokens_approx(&text) <= tokens);
            let envelope: Value = serde_json::from_str(&text).unwrap();
            let shown = envelope["data"]["names"].as_array().unwrap().len();
            let omitted = envelope["data"]["omitted"]["count"].as_u64().unwrap_or(0) as usize;
            prop_assert_eq!(shown + omitted, count);
        }
    }
}
