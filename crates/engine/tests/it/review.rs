//! `codecortex_reviewChanges`: from a diff to units, a plan, a bundle within a budget, and findings (SPEC RV1–RV3).

use codecortex_engine::protocol::{Bytes, Caller, CallerKind, FileVersions, GitDiff};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::Host;

const SHOP: &str = "//- /app/shop/cart.py
from shop.tax import tax_of

class Cart:
    def total(self, prices, country):
        cost = sum(prices)
        return cost + tax_of(cost, country)

    def count(self, prices):
        return len(prices)

//- /app/shop/tax.py
def tax_of(cost, country):
    return cost * 0.2

//- /app/shop/checkout.py
from shop.cart import Cart

def pay(prices):
    cart = Cart()
    return cart.total(prices)

//- /app/tests/test_cart.py
from shop.cart import Cart

def test_total():
    assert Cart().total([1]) == 1
";

const OLD: &str = "class Cart:
    def total(self, prices):
        return sum(prices)

    def count(self, prices):
        return len(prices)

    def discount(self, price):
        return price
";

const PATCH: &str = "diff --git a/shop/cart.py b/shop/cart.py
--- a/shop/cart.py
+++ b/shop/cart.py
@@ -1,9 +1,9 @@
+from shop.tax import tax_of
+
 class Cart:
-    def total(self, prices):
-        return sum(prices)
+    def total(self, prices, country):
+        cost = sum(prices)
+        return cost + tax_of(cost, country)
 
     def count(self, prices):
         return len(prices)
-
-    def discount(self, price):
-        return price
";

pub(crate) fn bytes(text: &str) -> Option<Bytes> {
    Some(Bytes(text.as_bytes().to_vec()))
}

pub(crate) fn shop() -> Host {
    let mut host = Host::new(SHOP);
    let new = SHOP
        .split("//- /app/shop/tax.py")
        .next()
        .unwrap()
        .split_once('\n')
        .unwrap()
        .1;
    let new = new.trim_end().to_owned() + "\n";
    host.write("/w/app/shop/cart.py", &new);
    host.touched(&["/w/app/shop/cart.py"]);
    host.diff = Some(GitDiff {
        base: Some("1111".into()),
        patch: PATCH.into(),
        versions: vec![FileVersions {
            path: "shop/cart.py".into(),
            old: bytes(OLD),
            new: bytes(&new),
        }],
        ..GitDiff::default()
    });
    host
}

pub(crate) fn ask(host: &mut Host, args: Value) -> Value {
    let envelope = host.call("reviewChanges", args);
    assert_eq!(envelope["ok"], true, "{envelope}");
    envelope["data"].clone()
}

#[test]
fn a_bundle_has_what_the_diff_cannot_be_understood_without() {
    let data = ask(&mut shop(), json!({ "base": "main", "head": "HEAD" }));
    let item = &data["bundle"][0];
    assert_eq!(item["meta"]["file_path"], "shop/cart.py");
    assert!(
        item["diff"]
            .as_str()
            .unwrap()
            .contains("+        cost = sum(prices)"),
        "{item:#}"
    );
    let of = |list: &str, file: &str| {
        let found = item[list]
            .as_array()
            .into_iter()
            .flatten()
            .find(|entry| entry["file_path"] == file);
        found
            .and_then(|entry| entry["snippet"].as_str())
            .unwrap_or("")
            .to_owned()
    };
    assert!(
        of("callers", "shop/checkout.py").contains("return cart.total(prices)"),
        "{item:#}"
    );
    assert!(
        of("definitions", "shop/tax.py").contains("def tax_of(cost, country):"),
        "{item:#}"
    );
    assert!(
        of("tests", "tests/test_cart.py").contains("def test_total"),
        "{item:#}"
    );
    assert!(data.get("review_index").is_none());
}

#[test]
fn units_tell_what_changed_and_how_gravely() {
    let data = ask(&mut shop(), json!({ "step": "index" }));
    assert_eq!(data["review_metadata"]["mode"], "working");
    assert_eq!(
        data["summary"]["total_lines"],
        json!({ "added": 5, "removed": 5 })
    );
    let unit = &data["review_index"][0];
    assert_eq!(
        (&unit["change_class"], &unit["risk"]),
        (&json!("Structure"), &json!("high")),
        "{unit:#}"
    );
    let tags = unit["tags"].as_array().unwrap();
    assert!(
        tags.contains(&json!("api_signature_changed")) && tags.contains(&json!("api_removed")),
        "{tags:?}"
    );
    let total = unit["symbols"]
        .as_array()
        .unwrap()
        .iter()
        .find(|symbol| symbol["path"] == "Cart.total")
        .unwrap();
    assert!(
        total["changes"]
            .as_array()
            .unwrap()
            .contains(&json!("parameters")),
        "{unit:#}"
    );
    let callers = json!({ "type": "search_callers", "details": "Cart.total" });
    assert!(
        unit["rule_extra_requests"]
            .as_array()
            .unwrap()
            .contains(&callers),
        "{unit:#}"
    );
    assert_eq!(data["plan"][0]["reason"], "rule_high_confidence_fallback");
}

#[test]
fn callers_that_were_not_adapted_are_a_finding_with_places() {
    let mut host = shop();
    let first = ask(&mut host, json!({ "step": "findings" }));
    let finding = &first["findings"][0];
    assert_eq!(finding["category"], "callers_not_adapted");
    assert_eq!(finding["evidence"], json!(["shop/checkout.py:5"]));
    assert_eq!(
        ask(&mut host, json!({ "step": "findings" }))["findings"][0]["id"],
        finding["id"]
    );
}

/// The tests that name what others see changed are in no file of the change.
#[test]
fn tests_that_did_not_change_with_what_they_name_are_a_fact() {
    let of = |host: &mut Host| {
        let data = ask(host, json!({ "step": "findings" }));
        let found = data["findings"].as_array().unwrap().clone();
        let mut found = found.into_iter();
        found.find(|found| found["category"] == "tests_untouched")
    };
    let mut host = shop();
    let finding = of(&mut host).unwrap();
    assert_eq!(finding["severity"], "info");
    assert_eq!(finding["evidence"], json!(["tests/test_cart.py:4"]));
    // With its tests in the change there is nothing to say.
    let test =
        "from shop.cart import Cart\n\ndef test_total():\n    assert Cart().total([1]) == 1\n";
    let diff = host.diff.as_mut().unwrap();
    diff.patch += "diff --git a/tests/test_cart.py b/tests/test_cart.py\n--- a/tests/test_cart.py\n+++ b/tests/test_cart.py\n@@ -1 +1 @@\n-from shop import Cart\n+from shop.cart import Cart\n";
    diff.versions.push(FileVersions {
        path: "tests/test_cart.py".into(),
        old: bytes(&test.replace("shop.cart", "shop")),
        new: bytes(test),
    });
    assert_eq!(of(&mut host), None);
}

fn ids(list: &Value) -> Vec<&str> {
    let list = list.as_array().into_iter().flatten();
    list.filter_map(|found| found["id"].as_str()).collect()
}

#[test]
fn a_dismissed_finding_stays_dismissed_until_it_is_restored() {
    let mut host = shop();
    let all = ask(&mut host, json!({ "step": "findings" }));
    let id = ids(&all["findings"])[0].to_owned();
    let said = ask(&mut host, json!({ "dismiss": [&id] }));
    assert_eq!(ids(&said["dismissed"]), [&id]);
    assert!(!ids(&said["findings"]).contains(&id.as_str()));
    host.settle();
    host.touched(&["/w/app/.context"]);
    host.settle();
    let state = host.text("/w/app/.context/state.json").unwrap();
    let state: Value = serde_json::from_str(&state).unwrap();
    assert!(state["reviewDismissed"][&id].is_u64(), "{state:#}");

    let cache = host.engine.export_cache(1.0);
    host.restart(cache);
    let later = ask(&mut host, json!({ "step": "findings" }));
    assert_eq!(ids(&later["dismissed"]), [&id]);
    let back = ask(&mut host, json!({ "restore": [&id] }));
    assert!(ids(&back["findings"]).contains(&id.as_str()));
    assert!(back.get("dismissed").is_none());
    host.settle();
    let state = host.text("/w/app/.context/state.json").unwrap();
    assert!(!state.contains(&id), "{state}");
}

/// What somebody wrote into `state.json` and nobody can read is neither taken for nothing nor written over.
#[test]
fn dismissals_that_cannot_be_read_are_kept_and_told() {
    const STATE: &str = "/w/app/.context/state.json";
    let mut host = shop();
    let all = ask(&mut host, json!({ "step": "findings" }));
    let id = ids(&all["findings"])[0].to_owned();
    ask(&mut host, json!({ "dismiss": [&id] }));
    host.settle();
    host.touched(&["/w/app/.context"]);
    host.settle();
    let read = |host: &Host| -> Value { serde_json::from_str(&host.text(STATE).unwrap()).unwrap() };
    let mut state = read(&host);
    state["reviewDismissed"] = json!(["0123456789ab"]);
    host.write(STATE, &state.to_string());
    let cache = host.engine.export_cache(1.0);
    host.restart(cache);
    host.settle();
    let later = ask(&mut host, json!({ "step": "findings" }));
    assert!(ids(&later["findings"]).contains(&id.as_str()), "{later:#}");
    let told = host.notices.join("\n");
    assert!(told.contains("`reviewDismissed` cannot be read"), "{told}");
    assert_eq!(read(&host)["reviewDismissed"], json!(["0123456789ab"]));
    ask(&mut host, json!({ "dismiss": [&id] }));
    host.settle();
    let state = read(&host);
    assert!(state["reviewDismissed"][&id].is_u64(), "{state:#}");
    assert_eq!(state["reviewDismissedUnread"], json!([["0123456789ab"]]));
}

#[test]
fn a_model_dismisses_nothing_and_what_is_no_id_is_refused() {
    let mut host = shop();
    let all = ask(&mut host, json!({ "step": "findings" }));
    let args = json!({ "dismiss": [ids(&all["findings"])[0]] });
    for kind in [CallerKind::Mcp, CallerKind::Lm] {
        let caller = Caller {
            kind,
            ..Caller::default()
        };
        let answer = host.call_at("codecortex_reviewChanges", args.clone(), caller);
        assert!(!answer.ok);
        assert!(answer.json.unwrap_or_default().contains("AccessDenied"));
    }
    for args in [json!({ "dismiss": ["../x"] }), json!({ "restore": [7] })] {
        assert_eq!(host.fail("reviewChanges", args)["code"], "InvalidParams");
    }
    let after = ask(&mut host, json!({ "step": "findings" }));
    assert_eq!(after["findings"], all["findings"]);
}

#[test]
fn uses_of_a_member_that_is_gone_are_told_from_those_of_its_namesakes() {
    let new = "export class Cart {
  totalIn(currency: string): number { return 1; }
}
export class Gift extends Cart {}
";
    let mut host = Host::new(&format!(
        "//- /app/cart.ts
{new}//- /app/bill.ts
export class Bill {{
  total(): number {{ return 2; }}
}}
//- /app/view.ts
import {{ Cart, Gift }} from './cart';
import {{ Bill }} from './bill';

export function shown(cart: Cart, gift: Gift, bill: Bill): number[] {{
  return [cart.total(),
    gift.total(),
    bill.total()];
}}
"
    ));
    let old = new.replace("totalIn(currency: string)", "total()");
    host.diff = Some(GitDiff {
        base: Some("1111".into()),
        patch: "diff --git a/cart.ts b/cart.ts
--- a/cart.ts
+++ b/cart.ts
@@ -1,4 +1,4 @@
 export class Cart {
-  total(): number { return 1; }
+  totalIn(currency: string): number { return 1; }
 }
 export class Gift extends Cart {}
"
        .into(),
        versions: vec![FileVersions {
            path: "cart.ts".into(),
            old: bytes(&old),
            new: bytes(new),
        }],
        ..GitDiff::default()
    });
    let data = ask(&mut host, json!({ "step": "findings" }));
    let finding = &data["findings"][0];
    assert_eq!(finding["category"], "removed_but_used", "{data:#}");
    assert_eq!(finding["evidence"], json!(["view.ts:5", "view.ts:6"]));
    assert_eq!(
        (&finding["file"], &finding["line"]),
        (&json!("view.ts"), &json!(5))
    );
}

#[test]
fn a_plan_is_checked_and_fused_and_cannot_skip_what_is_risky() {
    let mut host = shop();
    let planner = ask(&mut host, json!({ "step": "plan" }));
    let id = planner["units"][0]["unit_id"].clone();
    assert!(
        planner["instructions"]
            .as_str()
            .unwrap()
            .contains("llm_context_level")
    );
    assert!(planner["units"][0].get("rule_notes").is_none());
    let plan = json!({ "plan": [{ "unit_id": id, "skip_review": true, "reason": "fine" }, { "unit_id": "u0" }] });
    let data = ask(&mut host, json!({ "step": "index", "plan": plan }));
    assert_eq!(data["plan"][0]["skip_review"], false);
    assert_eq!(data["plan"][0]["reason"], "rule_high_risk_overrides_skip");
    assert!(
        data["notes"]
            .as_array()
            .unwrap()
            .iter()
            .any(|note| note.as_str().unwrap().contains("`u0`")),
        "{data:#}"
    );
}

/// What the requests below are about.
pub(crate) const REPORT: &str = "class Report:
    def rows(self):
        return flatten(self)

def flatten(rows):
    return rows

class Short(Report):
    pass
";

/// Requests for what stands in [`REPORT`]: kind, details, the list of the bundle that shows it, and what is shown.
pub(crate) const REQUESTS: [(&str, &str, &str, &str); 7] = [
    ("search", "flatten", "search", "return flatten(self)"),
    (
        "search_config_usage",
        "report.flatten",
        "search",
        "return flatten(self)",
    ),
    (
        "search_callers",
        "flatten",
        "callers",
        "return flatten(self)",
    ),
    ("callers", "flatten", "callers", "return flatten(self)"),
    (
        "search_model_usage",
        "Report",
        "callers",
        "class Short(Report):",
    ),
    (
        "search_implementations",
        "Report",
        "implementations",
        "class Short(Report):",
    ),
    (
        "search_class_methods",
        "Report",
        "definitions",
        "def rows(self):",
    ),
];

/// Whether a list of a bundle's item shows a text of [`REPORT`].
pub(crate) fn shows(item: &Value, list: &str, text: &str) -> bool {
    let shown = item[list].as_array().into_iter().flatten();
    let mut of_report = shown.filter(|entry| entry["file_path"] == "shop/report.py");
    of_report.any(|entry| entry["snippet"].as_str().unwrap().contains(text))
}

/// What a plan asks for is looked up by the resolver; what is not there is said.
#[test]
fn what_a_plan_asks_for_is_looked_up() {
    let mut host = shop();
    host.write("/w/app/shop/report.py", REPORT);
    host.touched(&["/w/app/shop/report.py"]);
    let planner = ask(&mut host, json!({ "step": "plan" }));
    let id = planner["units"][0]["unit_id"].clone();
    let mut bundle = |kind: &str, details: &str| {
        let request = json!({ "type": kind, "details": details });
        let entry =
            json!({ "unit_id": id, "llm_context_level": "function", "extra_requests": [request] });
        ask(&mut host, json!({ "plan": [entry] }))["bundle"][0].clone()
    };
    // A model may write a call, as in Markdown.
    let called = ("callers", "`flatten()`", "callers", "return flatten(self)");
    for (kind, details, list, text) in REQUESTS.into_iter().chain([called]) {
        let item = bundle(kind, details);
        assert!(shows(&item, list, text), "{kind}: {item:#}");
    }
    let item = bundle("search_callers", "Short");
    assert_eq!(
        item["notes"],
        json!(["search_callers `Short`: nothing outside of the diff"])
    );
    let without = bundle("previous_version", "");
    assert!(without["previous_version"].is_string(), "{without:#}");
}

#[test]
fn a_reviewers_claim_that_the_index_refutes_is_dropped() {
    let finding = |message: &str| json!({ "file": "shop/cart.py", "line": 7, "severity": "error", "category": "bug", "message": message });
    let findings = json!({ "findings": [finding("`tax_of` is not defined"), finding("`country` may be empty"), { "file": "x" }] });
    let data = ask(&mut shop(), json!({ "findings": findings }));
    let messages: Vec<&Value> = data["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| &found["message"])
        .collect();
    assert!(
        messages.contains(&&json!("`country` may be empty")),
        "{messages:?}"
    );
    assert_eq!(
        data["dropped"][0]["reason"],
        "`tax_of` is declared at shop/tax.py:1."
    );
    assert_eq!(data["dropped"].as_array().unwrap().len(), 2);
}

#[test]
fn the_prompt_has_wish_index_and_bundle_between_marks() {
    let data = ask(
        &mut shop(),
        json!({ "step": "prompt", "wish": "look at money" }),
    );
    let user = data["prompt"]["user"].as_str().unwrap();
    assert!(
        user.starts_with("look at money\n\n<change-")
            && user.contains("| unit |")
            && user.contains("tax_of"),
        "{user}"
    );
    assert!(
        data["prompt"]["system"]
            .as_str()
            .unwrap()
            .contains("\"findings\"")
    );
}

#[test]
fn a_patch_needs_no_git_and_rules_of_people_count() {
    let mut host = shop();
    host.diff = None;
    host.write(
        "/w/app/.context/review-rules.json",
        r#"{ "rules": [{ "id": "money", "when": { "path": ["shop/**"] }, "tags": ["money"] }] }"#,
    );
    let data = ask(&mut host, json!({ "patch": PATCH, "step": "index" }));
    assert_eq!(data["review_metadata"]["mode"], "patch");
    assert!(
        data["review_index"][0]["tags"]
            .as_array()
            .unwrap()
            .contains(&json!("money")),
        "{data:#}"
    );
    assert_eq!(data["review_index"][0]["change_class"], "Structure");
    let envelope = host.call("reviewChanges", json!({}));
    assert_eq!(envelope["error"]["code"], "Unavailable");
}

#[test]
fn an_empty_diff_is_an_empty_bundle() {
    let mut host = shop();
    host.diff = Some(GitDiff::default());
    let data = ask(&mut host, json!({}));
    assert_eq!(data["bundle"], json!([]));
}

/// A change of thousands of files answers with an index by pages, and a bundle that says what was cut.
#[test]
fn a_large_change_is_bounded_and_says_so() {
    let mut host = shop();
    let file = |number: u32| {
        format!(
            "diff --git a/f{number}.txt b/f{number}.txt\n--- a/f{number}.txt\n+++ b/f{number}.txt\n@@ -1 +1 @@\n-a\n+b {number}\n"
        )
    };
    host.diff = Some(GitDiff {
        patch: (0..5_000).map(file).collect(),
        is_cut: true,
        ..GitDiff::default()
    });
    let data = ask(&mut host, json!({ "step": "index", "maxTokens": 4000 }));
    assert_eq!(data["review_metadata"]["total_files"], 5_000);
    assert!(
        data["nextCursor"].is_string() && data["notes"][0].as_str().unwrap().contains("larger"),
        "{data:#}"
    );
    let bundle = ask(&mut host, json!({ "maxTokens": 4000 }));
    assert!(!bundle["bundle"].as_array().unwrap().is_empty());
    assert_eq!(bundle["left_out"][0]["type"], "diff");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// No bundle is above its budget, and more room never shows fewer hunks.
    #[test]
    fn no_bundle_is_above_its_budget(tokens in 150u32..2_000) {
        let mut host = shop();
        let args = json!({ "base": "main", "maxTokens": tokens });
        let envelope = host.call("reviewChanges", args);
        let cost = codecortex_engine::tokens_approx(&envelope.to_string());
        prop_assert!(cost <= tokens, "{cost} of {tokens}");
    }
}
