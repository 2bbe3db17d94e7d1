//! The examples of the description of review's formats, against what the tool takes and gives (SPEC RV1, RV2, D30, `004`).
//!
//! Where an example says `a|b`, ours is one of these; `...` and numbers stand for any of their kind; `null` for nothing.

use codecortex_engine::protocol::{FileVersions, GitDiff};
use serde_json::{Value, json};

use crate::review::{ask, bytes, shop};
use crate::support::Host;

/// `004` §2, what a planner is given.
const PLANNER_INDEX: &str = r#"{
  "review_metadata": {"mode": "staged|working|pr", "base_branch": "...", "total_files": 3, "total_changes": 8, "timestamp": "..."},
  "summary": {"changes_by_type": {"add": 0, "modify": 3, "delete": 0}, "total_lines": {"added": 120, "removed": 30}, "files_changed": ["src/a.py", "..."]},
  "units": [
    {
      "unit_id": "...",
      "file_path": "src/a.py",
      "patch_type": "modify",
      "tags": ["security_sensitive"],
      "metrics": {"added_lines": 10, "removed_lines": 2, "hunk_count": 1},
      "rule_context_level": "function",
      "rule_confidence": 0.9,
      "line_numbers": {"new_compact": "L20-L35", "old_compact": "L10-L22"},
      "rule_extra_requests": [{"type": "previous_version"}]
    }
  ]
}"#;

/// `004` §2, what it answers.
const LLM_PLAN: &str = r#"{
  "plan": [
    {
      "unit_id": "...",
      "llm_context_level": "function|file_context|full_file|diff_only",
      "extra_requests": [
        {"type": "previous_version", "details": null},
        {"type": "callers", "details": "my_function"},
        {"type": "search", "details": "my_function"}
      ],
      "skip_review": false,
      "reason": "..."
    }
  ]
}"#;

/// `004` §3, what comes of both.
const FUSED: &str = r#"{
  "plan": [
    {
      "unit_id": "...",
      "rule_context_level": "function",
      "rule_confidence": 0.9,
      "llm_context_level": "file_context",
      "final_context_level": "file_context",
      "extra_requests": [ {"type": "previous_version"} ],
      "skip_review": false,
      "reason": "..."
    }
  ]
}"#;

/// `004` §4, an item of a bundle.
const ITEM: &str = r#"{
  "unit_id": "...",
  "meta": {"file_path": "src/a.py", "tags": ["security_sensitive"], "hunk_range": {}, "line_numbers": {}, "location": "src/a.py:L20-L35"},
  "final_context_level": "file_context",
  "extra_requests": [{"type": "previous_version"}],
  "diff": "@@ src/a.py:L20-L35 @@...",
  "file_context": "...",
  "full_file": null,
  "previous_version": "...",
  "callers": [ {"file_path": "...", "snippet": "..."} ]
}"#;

/// `004` §1, the fields of a unit.
const UNIT: [&str; 12] = [
    "unit_id",
    "file_path",
    "language",
    "patch_type",
    "tags",
    "metrics",
    "rule_context_level",
    "rule_confidence",
    "rule_notes",
    "rule_extra_requests",
    "line_numbers",
    "agent_decision",
];

fn example(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Where ours has not what an example has.
fn differences(at: &str, example: &Value, ours: &Value) -> Vec<String> {
    match (example, ours) {
        (Value::Null, _) => Vec::new(),
        (Value::Object(wanted), Value::Object(own)) => {
            let of = |(key, wanted): (&String, &Value)| {
                let ours = own.get(key).unwrap_or(&Value::Null);
                differences(&format!("{at}.{key}"), wanted, ours)
            };
            wanted.iter().flat_map(of).collect()
        }
        (Value::Array(wanted), Value::Array(own)) => {
            let Some(first) = wanted.first() else {
                return Vec::new();
            };
            let all = own.iter().enumerate();
            let found = all
                .flat_map(|(at_list, ours)| differences(&format!("{at}[{at_list}]"), first, ours));
            found.collect()
        }
        (Value::String(wanted), Value::String(own)) => {
            let is_one = !wanted.contains('|') || wanted.split('|').any(|word| word == own);
            (!is_one)
                .then(|| format!("{at}: {own} is none of {wanted}"))
                .into_iter()
                .collect()
        }
        (Value::Number(_), Value::Number(_)) | (Value::Bool(_), Value::Bool(_)) => Vec::new(),
        _ => vec![format!("{at}: {ours} stands for {example}")],
    }
}

fn unit_of(host: &mut Host) -> String {
    let planner = ask(host, json!({ "step": "plan", "base": "main" }));
    planner["units"][0]["unit_id"].as_str().unwrap().to_owned()
}

/// The example of a plan, for the first unit of a change.
fn plan(host: &mut Host, level: &str) -> Value {
    let mut plan = example(LLM_PLAN);
    let entry = &mut plan["plan"][0];
    entry["unit_id"] = unit_of(host).into();
    entry["llm_context_level"] = level.into();
    entry["extra_requests"][1]["details"] = "tax_of".into();
    entry["extra_requests"][2]["details"] = "tax_of".into();
    plan
}

#[test]
fn what_a_planner_is_given() {
    let ours = ask(&mut shop(), json!({ "step": "plan", "base": "main" }));
    assert_eq!(
        differences("planner_index", &example(PLANNER_INDEX), &ours),
        Vec::<String>::new()
    );
    assert_eq!(ours["review_metadata"]["base_branch"], "main");
    let unit = ours["units"][0].as_object().unwrap();
    for slim in ["rule_notes", "agent_decision", "diff", "rule_suggestion"] {
        assert!(!unit.contains_key(slim), "a planner's index has no {slim}");
    }
}

#[test]
fn every_field_of_a_unit_is_there() {
    let ours = ask(&mut shop(), json!({ "step": "index" }));
    let unit = ours["review_index"][0].as_object().unwrap();
    for field in UNIT {
        assert!(unit.contains_key(field), "{field}: {unit:#?}");
    }
    assert!(!unit.contains_key("rule_suggestion") && !unit.contains_key("diff"));
    let decision = unit["agent_decision"].as_object().unwrap();
    let keys: Vec<&String> = decision.keys().collect();
    assert_eq!(keys, ["context_level", "priority"]);
}

#[test]
fn every_level_of_a_plan_is_taken_and_comes_back_fused() {
    for level in ["function", "file_context", "full_file", "diff_only"] {
        let mut host = shop();
        let plan = plan(&mut host, level);
        let ours = ask(&mut host, json!({ "step": "index", "plan": plan }));
        assert!(
            ours.get("notes").is_none(),
            "nothing is wrong with it: {ours:#}"
        );
        let shape = differences("fused", &example(FUSED), &ours);
        assert_eq!(shape, Vec::<String>::new());
        assert_eq!(ours["plan"][0]["llm_context_level"], level);
        let asked = ours["plan"][0]["extra_requests"].to_string();
        for kind in ["previous_version", "callers", "search"] {
            assert!(asked.contains(kind), "{asked}");
        }
    }
}

/// A host with a file of which the change touches one line of many.
fn prices() -> Host {
    let text = |tail: &str| {
        let lines: String = (0..30).map(|at| format!("STEP_{at} = {at}\n")).collect();
        format!(
            "{lines}def price(count):\n    cost = count * STEP_1\n    rest = cost - STEP_2\n    return {tail}\n"
        )
    };
    let pay = "from prices import price\n\ndef pay(count):\n    return price(count)\n";
    let files = format!(
        "//- /app/src/prices.py\n{}//- /app/src/pay.py\n{pay}",
        text("rest + 1")
    );
    let mut host = Host::new(&files);
    host.diff = Some(GitDiff {
        base: Some("1111".into()),
        patch: "diff --git a/src/prices.py b/src/prices.py\n--- a/src/prices.py\n+++ b/src/prices.py\n@@ -34 +34 @@\n-    return rest\n+    return rest + 1\n".into(),
        versions: vec![FileVersions {
            path: "src/prices.py".into(),
            old: bytes(&text("rest")),
            new: bytes(&text("rest + 1")),
        }],
        ..GitDiff::default()
    });
    host
}

#[test]
fn an_item_of_a_bundle() {
    let mut host = prices();
    let mut plan = plan(&mut host, "file_context");
    plan["plan"][0]["extra_requests"][1]["details"] = "price".into();
    let ours = ask(&mut host, json!({ "plan": plan, "base": "main" }));
    let item = &ours["bundle"][0];
    assert_eq!(
        differences("item", &example(ITEM), item),
        Vec::<String>::new()
    );
    assert_eq!(item["meta"]["location"], "src/prices.py:L34");
    for range in ["hunk_range", "line_numbers"] {
        assert!(!item["meta"][range].as_object().unwrap().is_empty());
    }
}

/// `004` §2: `callers` and `search` take `symbol`, `keyword` or `text` as well as `details`.
#[test]
fn the_older_keys_of_requests_are_taken() {
    let mut host = shop();
    let unit = unit_of(&mut host);
    let requests = json!([
        { "type": "callers", "symbol": "tax_of" },
        { "type": "search", "keyword": "tax_of" },
        { "type": "search", "text": "count" },
    ]);
    let plan = json!({ "plan": [{ "unit_id": unit, "llm_context_level": "function", "extra_requests": requests }] });
    let ours = ask(&mut host, json!({ "step": "index", "plan": plan }));
    let asked = &ours["plan"][0]["extra_requests"];
    for request in [
        json!({ "type": "callers", "details": "tax_of" }),
        json!({ "type": "search", "details": "count" }),
    ] {
        assert!(asked.as_array().unwrap().contains(&request), "{asked}");
    }
}
