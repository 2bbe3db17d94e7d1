//! Every row of the fusion table is reached from a diff, rules and a scripted model on; whatever a model says, nothing
//! unchecked is shown (SPEC RV2, D29, `004` §3).

use codecortex_engine::protocol::{Caller, FileVersions, GitDiff};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::review::{ask, bytes, shop};
use crate::support::Host;

const TABLE: &str = include_str!("../../../review/data/fusion.json");
const BUILT_IN: &str = include_str!("../../../review/data/rules.json");
const LEVELS: [&str; 4] = ["diff_only", "function", "file_context", "full_file"];

/// A unit as rules and a model see it, in the words of the table.
#[derive(Clone, Debug)]
struct Scene {
    patch_type: &'static str,
    is_exclusive: bool,
    is_skipped: bool,
    risk: &'static str,
    confidence: f64,
    rule_level: &'static str,
    /// What the model says of the unit.
    llm: &'static str,
    has_model: bool,
}

impl Scene {
    fn band(&self) -> &'static str {
        match self.confidence {
            c if c < 0.5 => "low",
            c if c < 0.8 => "medium",
            _ => "high",
        }
    }

    /// Whether a row of the table is about it.
    fn fits(&self, when: &Value) -> bool {
        when.as_object().unwrap().iter().all(|(key, wanted)| {
            let own = match key.as_str() {
                "patch_type" => json!(self.patch_type),
                "diff_is_whole_file" => json!(self.patch_type == "add"),
                "rule_skip" => json!(self.is_skipped),
                "exclusive" => json!(self.is_exclusive),
                "risk" => json!(self.risk),
                "band" => json!(self.band()),
                "llm" => json!(self.llm),
                "model" => json!(self.has_model),
                other => panic!("the table has a key that no scene has: {other}"),
            };
            match wanted {
                Value::Array(any) => any.contains(&own),
                one => *one == own,
            }
        })
    }

    fn llm_level(&self) -> &'static str {
        let at = LEVELS.iter().position(|level| *level == self.rule_level);
        let at = at.unwrap();
        match self.llm {
            "lower" => LEVELS[at - 1],
            "higher" => LEVELS[at + 1],
            _ => self.rule_level,
        }
    }

    /// The level that a row's word means here.
    fn level(&self, word: &str) -> &'static str {
        let (rule, llm) = (self.rule_level, self.llm_level());
        let rank = |level: &str| LEVELS.iter().position(|known| *known == level).unwrap();
        match word {
            "diff_only" => "diff_only",
            "rule" => rule,
            "llm" => llm,
            "llm_at_most_function" => LEVELS[rank(llm).min(1)],
            "rule_at_least_function" => LEVELS[rank(rule).max(1)],
            "llm_at_least_one_below_rule" => LEVELS[rank(llm).max(rank(rule) - 1)],
            other => panic!("the table has a level that is none: {other}"),
        }
    }

    /// Rules of people: none of those that are built in, and one that says what the scene says.
    fn rules(&self) -> String {
        let built_in: Value = serde_json::from_str(BUILT_IN).unwrap();
        let off = built_in["rules"].as_array().unwrap().iter();
        let mut rules: Vec<Value> = off
            .map(|rule| json!({ "id": rule["id"], "off": true }))
            .collect();
        rules.push(json!({
            "id": "scene",
            "when": { "path": ["**"] },
            "level": self.rule_level,
            "confidence": self.confidence,
            "risk": self.risk,
            "exclusive": self.is_exclusive,
            "skip": self.is_skipped,
        }));
        json!({ "rules": rules }).to_string()
    }

    fn diff(&self) -> GitDiff {
        let text = "def price(count):\n    return count\n";
        let other = "def price(count):\n    return count + 1\n";
        let (head, body, old, new) = match self.patch_type {
            "add" => (
                "new file mode 100644\n--- /dev/null\n+++ b/shop/price.py\n",
                "@@ -0,0 +1,2 @@\n+def price(count):\n+    return count\n",
                None,
                bytes(text),
            ),
            "delete" => (
                "deleted file mode 100644\n--- a/shop/price.py\n+++ /dev/null\n",
                "@@ -1,2 +0,0 @@\n-def price(count):\n-    return count\n",
                bytes(text),
                None,
            ),
            _ => (
                "--- a/shop/price.py\n+++ b/shop/price.py\n",
                "@@ -1,2 +1,2 @@\n def price(count):\n-    return count\n+    return count + 1\n",
                bytes(text),
                bytes(other),
            ),
        };
        GitDiff {
            base: Some("1111".into()),
            patch: format!("diff --git a/shop/price.py b/shop/price.py\n{head}{body}"),
            versions: vec![FileVersions {
                path: "shop/price.py".into(),
                old,
                new,
            }],
            ..GitDiff::default()
        }
    }

    fn host(&self) -> Host {
        let mut host = shop();
        host.write("/w/app/.context/review-rules.json", &self.rules());
        host.touched(&["/w/app/.context"]);
        host.diff = Some(self.diff());
        host
    }

    /// What a model plans: nothing of the unit, or an entry.
    fn plan(&self, unit: &str) -> Value {
        let entry = json!({
            "unit_id": unit,
            "llm_context_level": self.llm_level(),
            "extra_requests": [{ "type": "search", "details": "tax_of" }],
            "skip_review": self.llm == "skip",
            "reason": "the model says so",
        });
        match self.llm {
            "missing" => json!({ "plan": [] }),
            _ => json!({ "plan": [entry] }),
        }
    }
}

/// All scenes, the plainest first.
fn scenes() -> Vec<Scene> {
    let mut all = Vec::new();
    for patch_type in ["modify", "delete", "add"] {
        for (is_exclusive, is_skipped) in [(false, false), (true, false), (true, true)] {
            for risk in ["low", "none", "medium", "high"] {
                for confidence in [0.6, 0.9, 0.3] {
                    for (llm, has_model) in [
                        ("same", true),
                        ("higher", true),
                        ("lower", true),
                        ("skip", true),
                        ("missing", true),
                        ("missing", false),
                    ] {
                        for rule_level in ["function", "file_context"] {
                            all.push(Scene {
                                patch_type,
                                is_exclusive,
                                is_skipped,
                                risk,
                                confidence,
                                rule_level,
                                llm,
                                has_model,
                            });
                        }
                    }
                }
            }
        }
    }
    // A rule that wins alone does so only where nothing is risky.
    all.retain(|scene| !scene.is_exclusive || matches!(scene.risk, "low" | "none"));
    all
}

/// The host's model answers: first with a plan, then with findings.
fn reviewed(host: &mut Host, plan: &dyn Fn(&str) -> String, findings: &str) -> Value {
    crate::semantic::ask_model(host, 4);
    let before = host.jobs.len();
    let args = json!({ "base": "main", "head": "HEAD", "step": "review" });
    let now = host.try_call("codecortex_reviewChanges", args, Caller::default());
    assert!(now.is_none(), "a review waits for its model");
    host.settle();
    for (at, answer) in [(before, None), (before + 1, Some(findings))] {
        let (id, request) = host.jobs[at].clone();
        let text = match answer {
            Some(text) => text.to_owned(),
            None => plan(&request.text()),
        };
        host.model_says(id, &text);
    }
    let answer = host.take_answer().unwrap();
    let envelope: Value = serde_json::from_str(&answer.json.unwrap()).unwrap();
    assert_eq!(envelope["ok"], true, "{envelope}");
    envelope["data"].clone()
}

/// What was decided of the only unit.
fn decided(scene: &Scene) -> Value {
    let mut host = scene.host();
    let index = ask(
        &mut host,
        json!({ "base": "main", "head": "HEAD", "step": "index" }),
    );
    if !scene.has_model {
        return index["plan"][0].clone();
    }
    let unit = index["plan"][0]["unit_id"].as_str().unwrap().to_owned();
    let plan = |asked: &str| {
        assert!(asked.contains(&unit), "the planner is told of the unit");
        format!("Here it is:\n```json\n{}\n```", scene.plan(&unit))
    };
    reviewed(&mut host, &plan, "{\"findings\": []}")["plan"][0].clone()
}

#[test]
fn every_row_of_the_table_is_reached_from_the_diff_on() {
    let table: Vec<Value> = serde_json::from_str(TABLE).unwrap();
    let scenes = scenes();
    for (number, row) in table.iter().enumerate() {
        let is_first = |scene: &&Scene| {
            let first = table.iter().position(|row| scene.fits(&row["when"]));
            first == Some(number)
        };
        let scene = scenes.iter().find(is_first);
        let scene = scene.unwrap_or_else(|| panic!("no scene is for row {number}: {row}"));
        let decided = decided(scene);
        let reason = match row["reason"].as_str().unwrap() {
            "llm_reason" => "the model says so",
            reason => reason,
        };
        let seen = (
            &decided["reason"],
            &decided["skip_review"],
            &decided["final_context_level"],
        );
        let level = scene.level(row["level"].as_str().unwrap());
        assert_eq!(
            seen,
            (&json!(reason), &row["skip"], &json!(level)),
            "row {number}: {scene:?}"
        );
        let asked = decided["extra_requests"].to_string();
        let is_llm =
            row["requests"] == "llm" || row["requests"] == "llm_or_rule" && scene.llm != "missing";
        assert_eq!(asked.contains("tax_of"), is_llm, "row {number}: {asked}");
    }
}

/// JSON of the words that plans and findings are made of, in any order, and of others.
fn anything() -> impl Strategy<Value = Value> {
    let words = prop::sample::select(vec![
        "plan",
        "findings",
        "unit_id",
        "UNIT",
        "llm_context_level",
        "function",
        "full_file",
        "everything",
        "extra_requests",
        "type",
        "callers",
        "search",
        "rm -rf",
        "details",
        "tax_of",
        "skip_review",
        "reason",
        "file",
        "shop/price.py",
        "../../etc/passwd",
        "line",
        "severity",
        "error",
        "category",
        "message",
        "`tax_of` is not defined",
        "\u{1b}[2Jgone",
        "\n\n## Instructions",
        "evidence",
        "suggestion",
        "\u{0}",
        "",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0..5_i64).prop_map(Value::from),
        words.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, move |inner| {
        let pairs = prop::collection::vec((words.clone(), inner.clone()), 0..8);
        prop_oneof![
            prop::collection::vec(inner, 0..6).prop_map(Value::from),
            pairs.prop_map(|pairs| {
                Value::Object(
                    pairs
                        .into_iter()
                        .map(|(key, value)| (key.to_owned(), value))
                        .collect(),
                )
            }),
        ]
    })
}

/// A list of entries, nearly as it should be.
fn nearly(list: &'static str, keys: &'static [&'static str]) -> impl Strategy<Value = Value> {
    let entry = prop::collection::vec(anything(), keys.len()).prop_map(|values| {
        let pairs = keys.iter().map(|key| (*key).to_owned()).zip(values);
        Value::Object(pairs.collect())
    });
    let all = prop::collection::vec(prop_oneof![3 => entry, 1 => anything()], 0..5);
    let all = all.prop_map(move |all| json!({ list: all }));
    prop_oneof![2 => all, 1 => anything()]
}

fn plain() -> Scene {
    scenes().remove(0)
}

/// One line of text that a terminal does not obey.
fn is_line(text: &Value) -> bool {
    text.as_str()
        .is_some_and(|text| !text.chars().any(char::is_control))
}

fn written(value: Value, unit: &str) -> Value {
    serde_json::from_str(&value.to_string().replace("UNIT", unit)).unwrap()
}

#[test]
fn a_thousand_malformed_plans_change_nothing_that_they_may_not() {
    let mut host = plain().host();
    let index = ask(
        &mut host,
        json!({ "base": "main", "head": "HEAD", "step": "index" }),
    );
    let unit = index["plan"][0]["unit_id"].as_str().unwrap().to_owned();
    let keys = &[
        "unit_id",
        "llm_context_level",
        "extra_requests",
        "skip_review",
        "reason",
    ];
    let host = std::cell::RefCell::new(host);
    let config = ProptestConfig {
        cases: 1_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    proptest!(config, |(plan in nearly("plan", keys))| {
        let args = json!({ "base": "main", "head": "HEAD", "step": "index", "plan": written(plan, &unit) });
        let envelope = host.borrow_mut().call("reviewChanges", args);
        if envelope["ok"] == false {
            prop_assert_eq!(&envelope["error"]["code"], "InvalidParams");
            return Ok(());
        }
        let plan = envelope["data"]["plan"].as_array().unwrap();
        prop_assert_eq!(plan.len(), 1);
        let entry = &plan[0];
        prop_assert_eq!(&entry["unit_id"], &unit);
        prop_assert!(LEVELS.iter().any(|level| entry["final_context_level"] == *level));
        prop_assert!(is_line(&entry["reason"]), "{}", entry);
        for request in entry["extra_requests"].as_array().into_iter().flatten() {
            prop_assert!(is_line(&request["type"]) && request["type"] != "rm -rf");
            prop_assert!(request["details"].is_null() || is_line(&request["details"]));
        }
        for note in envelope["data"]["notes"].as_array().into_iter().flatten() {
            prop_assert!(is_line(note), "{note}");
        }
    });
}

#[test]
fn a_thousand_malformed_findings_show_nothing_that_was_not_checked() {
    let host = std::cell::RefCell::new(plain().host());
    let keys = &[
        "file",
        "line",
        "severity",
        "category",
        "message",
        "evidence",
        "suggestion",
    ];
    let config = ProptestConfig {
        cases: 1_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    proptest!(config, |(findings in nearly("findings", keys))| {
        let args = json!({ "base": "main", "head": "HEAD", "step": "findings", "findings": findings });
        let envelope = host.borrow_mut().call("reviewChanges", args);
        if envelope["ok"] == false {
            prop_assert_eq!(&envelope["error"]["code"], "InvalidParams");
            return Ok(());
        }
        let data = &envelope["data"];
        for finding in data["findings"].as_array().unwrap() {
            prop_assert_eq!(&finding["file"], "shop/price.py");
            prop_assert!(finding["line"].as_u64().is_some_and(|line| line <= 2), "{}", finding);
            prop_assert!(["error", "warning", "info"].iter().any(|word| finding["severity"] == *word));
            prop_assert!(is_line(&finding["message"]) && is_line(&finding["category"]));
            let texts = finding["evidence"].as_array().into_iter().flatten();
            prop_assert!(texts.chain(finding.get("suggestion")).all(is_line), "{}", finding);
            prop_assert!(!finding["message"].as_str().unwrap().contains("is not defined"), "the index refutes it");
        }
        for dropped in data["dropped"].as_array().into_iter().flatten() {
            prop_assert!(is_line(&dropped["message"]) && is_line(&dropped["reason"]), "{dropped}");
        }
    });
}

/// The same from a model that answers with no JSON, with half of it, or with other than it was asked.
#[test]
fn a_model_that_rambles_leaves_the_rules_to_decide() {
    for (plan, findings) in [
        ("", ""),
        ("I am sorry.", "All is well."),
        ("{\"plan\": [", "{\"findings\": [{"),
        ("{\"plan\": {}}", "{\"findings\": 7}"),
        ("{\"plan\": [[[]]]}", "{\"findings\": [[[]]]}"),
        ("{\"findings\": []}", "{\"plan\": []}"),
    ] {
        let data = reviewed(&mut plain().host(), &|_| plan.to_owned(), findings);
        let entry = &data["plan"][0];
        assert_eq!(
            entry["reason"], "rule_medium_confidence_fallback",
            "{data:#}"
        );
        assert_eq!(data["findings"], json!([]), "{plan} {findings}");
    }
}
