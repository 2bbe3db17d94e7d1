//! Caps of sources cap, and what was told shorter is recorded (SPEC BU1, `003` §6.1, §9).

use codecortex_engine::tokens_approx;
use serde_json::{Value, json};

use crate::support::Host;

/// Forty files, each with a function that a question about parcels is about.
fn warehouse(profile: &Value) -> Host {
    let mut fixture = String::new();
    for at in 0..40 {
        fixture += &format!(
            "//- /app/src/parcel{at}.py\ndef weigh_parcel_{at}(parcel, scale):\n    \"\"\"Weighs a parcel on scale {at}.\"\"\"\n    \
             heavy = scale.measure(parcel) + {at}\n    return heavy\n\nclass Parcel{at}:\n    def size(self):\n        return {at}\n"
        );
    }
    let config = json!({ "profiles": { "own": profile } });
    fixture += &format!("//- /app/.context/config.json\n{config}\n");
    let mut host = Host::new(&fixture);
    host.person_sets(|own| own.observations = Some(true));
    host
}

fn tokens(of: &Value) -> u32 {
    tokens_approx(&of.to_string())
}

#[test]
fn the_map_keeps_to_its_cap_in_every_mode_that_has_it() {
    for cap in [0, 60, 200, 900] {
        let mut host = warehouse(&json!({ "max_per_source_tokens": { "repo_map": cap } }));
        for mode in ["map", "mixed"] {
            let args = json!({ "mode": mode, "query": "weigh a parcel", "profile": "own" });
            let data = host.ok("getContext", args);
            let items = &data["repo_map"]["items"];
            assert!(
                tokens(items) <= cap.max(1),
                "{mode} {cap}: {}",
                tokens(items)
            );
            assert!(
                cap < 200 || !items.as_array().unwrap().is_empty(),
                "{mode} {cap}"
            );
            assert_eq!(data["budget"]["truncated"], true, "{mode} {cap}");
            let applied = data["budget"]["downgrade_applied"].to_string();
            assert!(
                applied.contains("repo_map→shorter"),
                "{mode} {cap}: {applied}"
            );
        }
    }
}

#[test]
fn observations_keep_to_their_cap_whole_or_in_lines() {
    let long = "and more of it ".repeat(60);
    for (cap, applied) in [(100, "detail→timeline"), (1500, "[]")] {
        let mut host = warehouse(&json!({ "max_per_source_tokens": { "observations": cap } }));
        for at in 0..4 {
            host.ok(
                "remember",
                json!({ "text": format!("number {at}\n{long}"), "taskId": "T1" }),
            );
        }
        let args = json!({ "mode": "detail", "ids": [1, 2, 3, 4], "profile": "own" });
        let data = host.ok("getContext", args);
        assert!(tokens(&data["observations"]["items"]) <= cap, "{data}");
        let budget = &data["budget"];
        assert!(
            budget["downgrade_applied"].to_string().contains(applied),
            "{budget}"
        );
        assert_eq!(budget["truncated"], applied != "[]");
        for mode in ["index", "timeline", "mixed"] {
            let args = json!({ "mode": mode, "query": "number", "taskId": "T1", "profile": "own" });
            let data = host.ok("getContext", args);
            let items = &data["observations"]["items"];
            assert!(tokens(items) <= cap, "{mode} {cap}: {items}");
            let fewer = data["budget"]["downgrade_applied"].to_string();
            let is_less = items.as_array().unwrap().len() < 4;
            assert_eq!(
                fewer.contains("observations→fewer"),
                is_less,
                "{mode} {cap}: {fewer}"
            );
        }
    }
}

#[test]
fn what_a_budget_makes_shorter_is_recorded_in_every_mode() {
    let mut host = warehouse(&json!({}));
    for at in 0..30 {
        host.ok(
            "remember",
            json!({ "text": format!("parcel number {at} was weighed"), "taskId": "T1" }),
        );
    }
    for (mode, word) in [
        ("map", "repo_map→shorter"),
        ("mixed", "repo_map→shorter"),
        ("timeline", "timeline→index"),
        ("index", "observations→fewer"),
    ] {
        let args = json!({ "mode": mode, "query": "parcel", "taskId": "T1", "maxTokens": 700 });
        let data = host.ok("getContext", args);
        let budget = &data["budget"];
        assert_eq!(budget["truncated"], true, "{mode}: {budget}");
        assert!(
            budget["downgrade_applied"].to_string().contains(word),
            "{mode}: {budget}"
        );
    }
    let all = json!({ "mode": "timeline", "taskId": "T1", "maxTokens": 20_000 });
    let budget = host.ok("getContext", all)["budget"].clone();
    assert_eq!(
        (&budget["truncated"], &budget["downgrade_applied"]),
        (&json!(false), &json!([]))
    );
}

/// `003` §9.1: a map is given without a question too.
#[test]
fn a_map_without_a_question_is_of_what_is_used_most() {
    let mut fixture =
        "//- /app/src/base.py\nclass Ledger:\n    def post(self, sum):\n        return sum\n"
            .to_owned();
    for at in 0..6 {
        fixture += &format!(
            "//- /app/src/user{at}.py\nfrom base import Ledger\ndef work_{at}():\n    return Ledger().post({at})\n"
        );
    }
    fixture += "//- /app/tests/test_ledger.py\nfrom base import Ledger\ndef test_post():\n    assert Ledger().post(1)\n";
    let mut host = Host::new(&fixture);
    let data = host.ok("getContext", json!({ "mode": "map" }));
    let items = data["repo_map"]["items"].as_array().unwrap();
    assert_eq!(items[0]["path"], "src/base.py");
    assert_eq!(items[0]["schema_version"], "repomap.v1");
    assert!(data["notes"].to_string().contains("No question"), "{data}");
    let few = host.ok("getContext", json!({ "mode": "map", "maxTokens": 300 }));
    assert!(tokens(&few["repo_map"]) < 300);
    assert!(few["repo_map"]["items"].to_string().contains("Ledger"));
}

/// SPEC D14: a failure says what it costs, at every tool, as long as there is room.
#[test]
fn every_failure_has_its_account() {
    let mut host = Host::new(crate::support::MIXED);
    for tool in codecortex_engine::TOOLS.iter() {
        let name = tool.name.trim_start_matches("codecortex_");
        let envelope = host.call(name, json!({ "nonsense": 1 }));
        assert_eq!(envelope["ok"], false);
        let budget = &envelope["budget"];
        assert_eq!(budget["tokens_approx"], tokens(&envelope), "{envelope}");
        assert_eq!(budget["downgrade_applied"], json!([]));
        let small = host.call(name, json!({ "nonsense": 1, "maxTokens": 60 }));
        assert!(
            tokens(&small) <= 60 && small["error"]["message"].is_string(),
            "{small}"
        );
    }
}
