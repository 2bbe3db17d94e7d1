//! Observations: recording, verdicts, the payload's modes and flags (SPEC OB1, X7, CP1, FL1, D25, D26).

use codecortex_engine::protocol::{Caller, MemoryReply, MemoryRequest};
use codecortex_engine::tokens_approx;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::Host;

const SHOP: &str = "
//- /app/src/Cart.cs
namespace Shop {
    public class Cart {
        public int Total(int x) { return x + 1; }
        int Hidden() { return 0; }
    }
}
//- /app/.context/config.json
{ \"flags\": { \"use_observations_store\": true } }
";

fn with_flags(flags: &Value) -> Host {
    let mut host = Host::new(SHOP);
    put(
        &mut host,
        "/app/.context/config.json",
        &json!({ "flags": flags }).to_string(),
    );
    host
}

/// Somebody writes a file.
fn put(host: &mut Host, path: &str, text: &str) {
    let path = format!("/w{path}");
    host.write(&path, text);
    host.touched(&[&path]);
    host.settle();
}

fn opted_in() -> Host {
    let mut host = with_flags(&json!({}));
    host.person_sets(|own| own.observations = Some(true));
    host
}

fn remember(host: &mut Host, text: &str, symbols: &[&str]) -> u64 {
    let args = json!({ "text": text, "symbols": symbols, "taskId": "T1" });
    host.ok("remember", args)["id"].as_u64().unwrap()
}

fn verdict(host: &mut Host) -> Value {
    host.ok("recall", json!({}))["items"][0]["verdict"].clone()
}

#[test]
fn nothing_is_recorded_before_a_person_opts_in() {
    // What a repository says is no person's word.
    let mut host = with_flags(&json!({ "use_observations_store": true }));
    let error = host.fail("remember", json!({ "text": "it works" }));
    assert_eq!(error["code"], "Unavailable");
    assert!(
        error["hint"]
            .as_str()
            .unwrap()
            .contains("codecortex settings observations true")
    );
    assert_eq!(host.fail("recall", json!({}))["code"], "Unavailable");
    assert!(host.asked_of_memory.is_empty());
    let data = host.ok("getContext", json!({ "mode": "index" }));
    assert_eq!(data["observations"]["items"], json!([]));
    assert!(
        data["notes"][0]
            .as_str()
            .unwrap()
            .contains("No observations")
    );
}

#[test]
fn what_is_noted_is_recalled_with_branch_and_without_secrets() {
    let mut host = opted_in();
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    let text = format!("Total adds one\nlog in with {secret}");
    let args = json!({ "text": text, "symbols": ["Cart.Total"], "more": { "type": "decision", "files": ["src/Cart.cs"] } });
    let data = host.ok("remember", args);
    assert_eq!((&data["id"], &data["redacted"]), (&json!(1), &json!(1)));
    let index = host.ok("recall", json!({ "query": "adds" }));
    assert_eq!(index["items"][0]["summary"], "Total adds one");
    assert!(index["items"][0].get("detail").is_none());
    let detail = host.ok("recall", json!({ "ids": [1, 9] }));
    let item = &detail["items"][0];
    assert_eq!(
        (&item["branch"], &item["verdict"]),
        (&json!("main"), &json!("fresh"))
    );
    assert_eq!(item["symbols"], json!(["Shop.Cart.Total"]));
    assert!(!detail.to_string().contains("a1B2"));
    assert_eq!(detail["unknown"], json!([9]));
    let none = host.ok("recall", json!({ "query": "adds zebra" }));
    assert_eq!(none["wordHits"][1], json!({ "word": "zebra", "count": 0 }));
}

/// A reformat or a comment never makes an observation drift (SPEC X7).
#[test]
fn verdicts_follow_the_class_of_change() {
    let mut host = opted_in();
    remember(&mut host, "about the method", &["Cart.Total"]);
    let file = "/app/src/Cart.cs";
    let around = |body: &str| format!("namespace Shop {{ public class Cart {{ {body} }} }}");
    for (body, expected) in [
        ("public int Total(int x) { return x + 1; }", "fresh"),
        (
            "/// Adds.\n public int Total(int x)\n{\n // one\n return x + 1; }",
            "fresh",
        ),
        (
            "public int Total(int x) { return x + 1; } int Hidden() { return 7; }",
            "fresh",
        ),
        ("public int Total(int x) { return x + 2; }", "drifted"),
        ("public int Total(long x) { return x + 1; }", "drifted"),
        ("int Hidden() { return 0; }", "orphaned"),
    ] {
        put(&mut host, file, &around(body));
        assert_eq!(verdict(&mut host), expected, "{body}");
    }
}

#[test]
fn a_type_drifts_with_its_public_meaning_alone() {
    let mut host = opted_in();
    remember(&mut host, "about the class", &["Cart"]);
    let file = "/app/src/Cart.cs";
    let text = |total: u8, hidden: u8| {
        format!(
            "namespace Shop {{ public class Cart {{ public int Total(int x) {{ return x + {total}; }} int Hidden() {{ return {hidden}; }} }} }}"
        )
    };
    put(&mut host, file, &text(1, 5));
    assert_eq!(verdict(&mut host), "fresh", "an internal change");
    put(&mut host, file, &text(2, 0));
    assert_eq!(verdict(&mut host), "drifted");
}

#[test]
fn what_is_forgotten_is_told_to_nobody() {
    let mut host = opted_in();
    let (first, second) = (
        remember(&mut host, "one", &[]),
        remember(&mut host, "two", &[]),
    );
    assert_eq!(
        host.fail("forget", json!({ "ids": [first, 77] }))["code"],
        "NotFound"
    );
    host.ok("forget", json!({ "ids": [first] }));
    let purged = host.ok("forget", json!({ "ids": [second], "purge": true }));
    assert_eq!(purged["purged"], true);
    assert_eq!(host.ok("recall", json!({}))["total"], 0);
    let text = String::from_utf8(host.observations.text().to_vec()).unwrap();
    assert!(
        text.contains("\"one\"") && !text.contains("\"two\""),
        "{text}"
    );
    assert_eq!(
        host.ok("recall", json!({ "ids": [first] }))["forgotten"],
        json!([first])
    );
}

/// A call is made again for every reply of the store; it records once.
#[test]
fn a_call_records_once() {
    let mut host = opted_in();
    remember(&mut host, "once", &["Cart"]);
    let appends = host.asked_of_memory.iter();
    let appends = appends.filter(|asked| matches!(asked, MemoryRequest::Append { .. }));
    assert_eq!(appends.count(), 1);
}

#[test]
fn a_store_that_is_busy_or_damaged_is_told_and_no_failure_of_a_payload() {
    let failed = |code: &str| MemoryReply::Failed {
        code: code.to_owned(),
        message: "The disk is full.".to_owned(),
        hint: "Free some space.".to_owned(),
        retryable: code == "Busy",
    };
    for code in ["Busy", "Unavailable", "AccessDenied"] {
        let mut host = opted_in();
        host.refuse_memory = vec![failed(code)];
        let error = host.fail("recall", json!({}));
        assert_eq!(
            (error["code"].as_str(), &error["message"]),
            (Some(code), &json!("The disk is full."))
        );
        host.refuse_memory = vec![failed(code)];
        let data = host.ok("getContext", json!({ "mode": "index" }));
        assert_eq!(data["notes"], json!(["The disk is full."]));
    }
}

/// `003` §9.1: details of these ids and no others.
#[test]
fn details_are_of_the_ids_that_are_asked_for() {
    let mut host = opted_in();
    for n in 0..5 {
        remember(&mut host, &format!("number {n}\nand more"), &[]);
    }
    let data = host.ok("getContext", json!({ "mode": "detail", "ids": [4, 2, 88] }));
    let items = data["observations"]["items"].as_array().unwrap();
    let ids: Vec<u64> = items
        .iter()
        .map(|item| item["id"].as_u64().unwrap())
        .collect();
    assert_eq!(ids, [4, 2]);
    assert_eq!(items[0]["detail"], "number 3\nand more");
    assert!(data["notes"].to_string().contains("no observation 88"));
    let none = host.ok("getContext", json!({ "mode": "detail" }));
    assert_eq!(none["observations"]["items"], json!([]));
}

/// `003` §9.3: what is too large is told in a smaller form, and that is recorded.
#[test]
fn details_that_do_not_fit_become_a_timeline() {
    let mut host = opted_in();
    for n in 0..4 {
        remember(
            &mut host,
            &format!("number {n}\n{}", "long text ".repeat(400)),
            &[],
        );
    }
    let args = json!({ "mode": "detail", "ids": [1, 2, 3, 4], "maxTokens": 600 });
    let data = host.ok("getContext", args);
    assert_eq!(
        data["budget"]["downgrade_applied"],
        json!(["detail→timeline"])
    );
    let items = data["observations"]["items"].as_array().unwrap();
    assert!(items.len() == 4 && items.iter().all(|item| item.get("detail").is_none()));
    let args = json!({ "mode": "detail", "ids": [1, 2, 3, 4], "maxTokens": 180 });
    let data = host.ok("getContext", args);
    let chain = json!(["detail→timeline", "timeline→index"]);
    assert_eq!(data["budget"]["downgrade_applied"], chain);
    assert_eq!(data["budget"]["truncated"], true);
}

/// `003` §9.2, FL1: any flag either way, and there is a payload.
#[test]
fn every_flag_switches_its_capability_off_and_back() {
    let mut host = Host::new(SHOP);
    let modes = ["index", "timeline", "detail", "map", "mixed"];
    let mut tell = |flags: Value, mode: &str| {
        let config = json!({ "flags": flags }).to_string();
        put(&mut host, "/app/.context/config.json", &config);
        let args = json!({ "mode": mode, "query": "total", "ids": [1], "taskId": "T1" });
        host.ok("getContext", args)
    };
    for mode in modes {
        for (flag, off) in [
            ("use_context_payload_v2", mode != "index"),
            ("use_repo_map", mode == "map" || mode == "mixed"),
            (
                "use_progressive_disclosure",
                mode == "timeline" || mode == "detail",
            ),
        ] {
            let data = tell(json!({ flag: false }), mode);
            let expected = if off {
                json!([format!("{mode}→index")])
            } else {
                json!([])
            };
            assert_eq!(
                data["budget"]["downgrade_applied"], expected,
                "{flag} {mode}"
            );
            assert_eq!(data["mode"], if off { "index" } else { mode });
            let back = tell(json!({ flag: true }), mode);
            assert_eq!(
                (&back["mode"], &back["budget"]["downgrade_applied"]),
                (&json!(mode), &json!([]))
            );
        }
        for flags in [
            json!({ "use_observations_store": true, "observations_backend": "jsonl" }),
            json!({ "use_observations_store": true, "observations_backend": "markdown" }),
            json!({ "use_observations_store": false, "observations_backend": "sqlite" }),
            json!({ "repo_map_selector": "simple_limit" }),
        ] {
            assert_eq!(tell(flags, mode)["mode"], mode);
        }
    }
}

#[test]
fn what_there_is_not_is_told_with_the_list() {
    for (flag, known) in [
        ("observations_backend", "sqlite"),
        ("repo_map_provider", "codecortex"),
        ("repo_map_selector", "simple_limit"),
    ] {
        let mut host = with_flags(&json!({ flag: "other" }));
        let error = host.fail("getContext", json!({ "mode": "index" }));
        assert_eq!(error["code"], "InvalidParams");
        assert!(error["details"]["known"].to_string().contains(known));
    }
}

#[test]
fn a_scope_tells_of_what_it_names() {
    let mut host = opted_in();
    remember(&mut host, "Total adds one", &["Cart.Total"]);
    let mut tell = |scope: Value| {
        host.ok(
            "getContext",
            json!({ "query": "total", "mode": "mixed", "scope": scope }),
        )
    };
    let counts = |data: &Value| {
        let count = |of: &str| data[of]["items"].as_array().unwrap().len();
        (count("observations"), count("repo_map"))
    };
    assert_eq!(counts(&tell(json!([]))), (1, 1));
    assert_eq!(counts(&tell(json!(["progress"]))), (1, 0));
    assert_eq!(counts(&tell(json!(["codebase"]))), (0, 1));
    assert_eq!(counts(&tell(json!(["src,summary"]))), (1, 1));
    let error = host.fail(
        "getContext",
        json!({ "query": "total", "scope": ["nowhere"] }),
    );
    assert_eq!(error["code"], "InvalidParams");
    assert_eq!(error["details"]["scopes"][3], "codebase");
}

#[test]
fn a_task_is_told_by_its_file() {
    let mut host = opted_in();
    put(
        &mut host,
        "/app/task.json",
        r#"{"task_id": "T9", "goal": "keep the port", "log": []}"#,
    );
    let data = host.ok(
        "getContext",
        json!({ "mode": "index", "taskJsonPath": "task.json" }),
    );
    assert_eq!(data["task"]["task_id"], "T9");
    let fields = json!({ "task_id": "T9", "goal": "keep the port" });
    assert_eq!(
        data["task"]["task_json"],
        json!({ "path": "task.json", "fields": fields })
    );
    let args = json!({ "mode": "index", "taskJsonPath": "../other.json" });
    assert_eq!(host.fail("getContext", args)["code"], "AccessDenied");
    let args = json!({ "mode": "index", "taskJsonPath": "gone.json" });
    assert_eq!(host.fail("getContext", args)["code"], "NotFound");
}

/// Budgets, shares and counts of the folder's profiles, and the rule that chooses one.
#[test]
fn profiles_and_rules_of_the_folder_hold() {
    let mut host = Host::new(SHOP);
    host.person_sets(|own| own.observations = Some(true));
    let config = json!({
        "profiles": { "tiny": { "budgets": { "index_tokens": 250 }, "top_k": { "index": 2 } } },
        "budget_rules": [{ "subagent_type": "planner", "profile": "tiny" }],
    });
    put(
        &mut host,
        "/app/.context/config.json",
        &config.to_string().replace("budget_rules", "budgetRules"),
    );
    for n in 0..6 {
        remember(&mut host, &format!("number {n}"), &[]);
    }
    let mut tell = |subagent: &str| {
        host.ok(
            "getContext",
            json!({ "mode": "index", "subagentType": subagent }),
        )
    };
    let planner = tell("planner");
    assert_eq!(planner["budget"]["budget_tokens"], 250);
    assert_eq!(
        planner["observations"]["items"].as_array().unwrap().len(),
        2
    );
    let other = tell("verifier");
    assert_eq!(other["budget"]["budget_tokens"], 1200);
    assert_eq!(other["observations"]["items"].as_array().unwrap().len(), 6);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// `003` §9.3: whatever is asked, nothing is told beyond the budget.
    #[test]
    fn no_payload_exceeds_its_budget(
        mode in prop::sample::select(vec!["index", "timeline", "detail", "map", "mixed"]),
        budgets in prop::collection::vec(1u32..1500, 12),
        texts in prop::collection::vec("[a-zé漢 \n]{1,300}", 0..12),
    ) {
        let mut host = opted_in();
        for text in texts.iter().filter(|text| !text.trim().is_empty()) {
            host.ok("remember", json!({ "text": text }));
        }
        for tokens in budgets {
            for format in ["json", "text"] {
                let args = json!({ "mode": mode, "query": "total", "ids": [1, 2, 3, 50], "maxTokens": tokens, "format": format });
                let answer = host.call_at("codecortex_getContext", args, Caller::default());
                for form in [answer.json, answer.text].into_iter().flatten() {
                    let is_excused = tokens < 40 && form.contains("BudgetExceeded");
                    prop_assert!(is_excused || tokens_approx(&form) <= tokens, "{tokens}: {form}");
                }
            }
        }
    }
}
