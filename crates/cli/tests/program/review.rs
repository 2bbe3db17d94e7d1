//! A review with a model that answers by rule, and without one (SPEC RV2, RV3, D29).

use serde_json::{Value, json};

use crate::scripted_model::{Reply, ScriptedModel};
use crate::support::{Place, Run};

const PATCH: &str = "\
diff --git a/shop.py b/shop.py
--- a/shop.py
+++ b/shop.py
@@ -1,5 +1,5 @@
 def total(items):
-    return sum(items)
+    return sum(items) + fee(items)
 
 def fee(items):
     return len(items)
";

const SHOP: &str = "def total(items):\n    return sum(items) + fee(items)\n\ndef fee(items):\n    return len(items)\n";

const FINDINGS: &str = r#"Here: {"findings": [
    {"file": "shop.py", "line": 2, "severity": "warning", "category": "money", "message": "The fee is counted twice."},
    {"file": "shop.py", "line": 2, "severity": "error", "category": "names", "message": "`fee` is not defined."},
    {"file": "nowhere.py", "line": 1, "severity": "error", "category": "x", "message": "It is gone."}]}"#;

fn place() -> Place {
    let place = Place::new();
    place.write("shop.py", SHOP);
    place.write("change.diff", PATCH);
    place
}

fn review(place: &Place, args: &[&str]) -> Run {
    let all = [&["review", "--patch", "change.diff", "--json"], args].concat();
    place.run(&all)
}

fn with_model(place: &Place, model: &ScriptedModel) -> Value {
    let run = review(place, &["--model-url", &model.url, "--model", "scripted"]);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    run.json()["data"].clone()
}

fn messages(data: &Value) -> Vec<&str> {
    let findings = data["findings"].as_array().unwrap().iter();
    findings
        .filter_map(|found| found["message"].as_str())
        .collect()
}

#[test]
fn a_model_plans_and_reviews_and_what_it_says_is_checked() {
    let place = place();
    let index = review(&place, &["--index"]).json();
    let unit = index["data"]["units"][0]["unit_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let plan = json!({ "plan": [{
        "unit_id": unit,
        "llm_context_level": "full_file",
        "extra_requests": [],
        "skip_review": false,
        "reason": "the sum",
    }]});
    let plan: &'static str = plan.to_string().leak();
    let model = ScriptedModel::start(vec![Reply::Says(plan), Reply::Says(FINDINGS)]);
    let data = with_model(&place, &model);
    assert_eq!(model.asked().len(), 2);
    assert!(
        model.prompt(0).contains(&unit),
        "the planner is told of the units"
    );
    assert!(
        model.prompt(1).contains("def fee"),
        "the reviewer sees what a name means"
    );
    assert!(messages(&data).contains(&"The fee is counted twice."));
    // What the index knows better, and what is nowhere, does not stand.
    assert!(!messages(&data).contains(&"`fee` is not defined."));
    assert_eq!(data["dropped"].as_array().unwrap().len(), 2, "{data}");
    assert_eq!(data["plan"][0]["unit_id"], unit.as_str());
}

#[test]
fn a_plan_that_is_none_leaves_the_rules_to_decide() {
    let place = place();
    let model = ScriptedModel::start(vec![
        Reply::Says("I cannot."),
        Reply::Says("{\"findings\": []}"),
    ]);
    let data = with_model(&place, &model);
    let notes = data["notes"].to_string();
    assert!(notes.contains("only the rules decide"), "{notes}");
    assert_eq!(data["plan"].as_array().unwrap().len(), 1);
}

#[test]
fn without_its_answer_the_failure_says_what_goes_on_without_it() {
    let place = place();
    let model = ScriptedModel::start(vec![Reply::Status(401)]);
    let run = review(&place, &["--model-url", &model.url, "--model", "scripted"]);
    assert_eq!(run.json()["error"]["code"], "Unavailable");
    assert_eq!(model.asked().len(), 1, "a refusal is not asked again");
    // Without a model nobody is asked.
    let run = review(&place, &["--findings"]);
    assert_eq!(run.code, Some(0), "{}", run.stdout);
    assert!(run.json()["data"]["findings"].is_array());
}

#[test]
fn a_dismissed_finding_is_not_reported_any_more() {
    let place = Place::new();
    place.write(
        "left.py",
        "def total(items):\n    breakpoint()\n    return 1\n",
    );
    let patch = "--- a/left.py\n+++ b/left.py\n@@ -1,2 +1,3 @@\n def total(items):\n+    breakpoint()\n     return 1\n";
    place.write("left.diff", patch);
    let run = |args: &[&str]| {
        let all = [
            &["review", "--patch", "left.diff", "--fail-on", "info"],
            args,
        ]
        .concat();
        place.run(&all)
    };
    let found = run(&["--findings", "--json"]);
    assert_eq!(found.code, Some(3), "{}{}", found.stdout, found.stderr);
    let id = found.json()["data"]["findings"][0]["id"].clone();
    let id = id.as_str().unwrap();
    let dismissed = run(&["--dismiss", id, "--json"]);
    assert_eq!(dismissed.code, Some(0), "{}", dismissed.stdout);
    assert_eq!(dismissed.json()["data"]["dismissed"][0]["id"], id);
    assert_eq!(run(&["--findings"]).code, Some(0));
    let sarif = run(&["--format", "sarif"]);
    assert!(!sarif.stdout.contains(id), "{}", sarif.stdout);
    assert_eq!(run(&["--restore", id]).code, Some(3));
    assert_eq!(run(&["--dismiss", "nothing"]).code, Some(1));
}

#[test]
fn a_reviewer_may_read_before_it_answers() {
    let place = place();
    let model = ScriptedModel::start(vec![
        Reply::Says("{\"plan\": []}"),
        Reply::Calls("codecortex_findReferences", json!({ "symbol": "fee" })),
        Reply::Says("{\"tool\": \"readUnit\", \"args\": {\"unit_id\": \"nope\"}}"),
        Reply::Calls("codecortex_forget", json!({ "id": 1 })),
        Reply::Says(FINDINGS),
    ]);
    let data = with_model(&place, &model);
    let asked = model.asked();
    assert_eq!(asked.len(), 5);
    let names = asked[1]["tools"].as_array().unwrap().iter();
    let names: Vec<&str> = names
        .filter_map(|tool| tool["function"]["name"].as_str())
        .collect();
    assert!(
        names.contains(&"readUnit") && !names.contains(&"codecortex_forget"),
        "{names:?}"
    );
    let last = |at: usize| {
        let messages = asked[at]["messages"].as_array().unwrap();
        messages.last().unwrap()["content"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert!(
        last(2).contains("shop.py") && last(2).contains("data"),
        "{}",
        last(2)
    );
    assert!(last(3).contains("no such unit"), "{}", last(3));
    assert!(last(4).contains("no such tool"), "{}", last(4));
    assert!(messages(&data).contains(&"The fee is counted twice."));
}
