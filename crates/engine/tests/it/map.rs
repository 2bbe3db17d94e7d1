//! The repository map for a question in words, and the payload around it (SPEC RM1, CP1, D11–D14).

use codecortex_engine::protocol::Caller;
use codecortex_engine::tokens_approx;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::Host;

const SHOP: &str = "
//- /app/src/cart.py
class Cart:
    \"\"\"Holds lines.\"\"\"

    def add_line(self, line):
        self.lines.append(line)

    def total_price(self):
        return sum(line.price for line in self.lines)
//- /app/src/shipping.py
def shipping_cost(cart):
    \"\"\"What sending costs.\"\"\"
    return 5 if cart.total_price() < 50 else 0
//- /app/tests/test_shipping.py
def test_shipping_cost():
    assert shipping_cost(None) == 5
//- /app/src/url.py
def url_for(endpoint, port=None):
    return endpoint
";

fn map(host: &mut Host, query: &str) -> Value {
    host.ok("getContext", json!({ "query": query, "mode": "map" }))
}

fn paths(data: &Value) -> Vec<&str> {
    let items = data["repo_map"]["items"].as_array().unwrap();
    items
        .iter()
        .map(|item| item["path"].as_str().unwrap())
        .collect()
}

#[test]
fn a_question_finds_the_code_that_it_is_about() {
    let mut host = Host::new(SHOP);
    let data = map(&mut host, "make shipping free above a price");
    assert_eq!(paths(&data)[0], "src/shipping.py");
    let item = &data["repo_map"]["items"][0];
    assert_eq!(item["schema_version"], "repomap.v1");
    assert_eq!(item["hash"].as_str().unwrap().len(), 32);
    let cost = &item["symbols"][0];
    assert_eq!(
        (cost["kind"].as_str(), cost["name"].as_str()),
        (Some("function"), Some("shipping_cost"))
    );
    assert_eq!(
        (&cost["line_start"], &cost["line_end"]),
        (&json!(1), &json!(3))
    );
    assert_eq!(cost["tier"], "body");
    assert_eq!(cost["why"], Value::Null);
    let args = json!({ "query": "make shipping free above a price", "mode": "map", "why": true });
    let with_reasons = host.ok("getContext", args);
    let cost = &with_reasons["repo_map"]["items"][0]["symbols"][0];
    assert!(!cost["why"].as_array().unwrap().is_empty());
    assert_eq!(paths(&map(&mut host, "url for"))[0], "src/url.py");
}

/// Every field of `003` §4.1 is there in every mode.
#[test]
fn a_payload_has_all_its_fields() {
    let mut host = Host::new(SHOP);
    for mode in ["index", "timeline", "detail", "map", "mixed"] {
        let data = host.ok(
            "getContext",
            json!({ "mode": mode, "query": "shipping", "taskId": "T1" }),
        );
        assert_eq!(data["version"], "context_payload.v2");
        assert_eq!(data["mode"], mode);
        assert_eq!(data["subagent_type"], "orchestrator");
        assert_eq!(data["task"]["task_id"], "T1");
        assert_eq!(data["generated_at"].as_str().unwrap().len(), 19);
        assert!(data["observations"]["items"].is_array() && data["notes"].is_array());
        let has_map = matches!(mode, "map" | "mixed");
        assert_eq!(
            !data["repo_map"]["items"].as_array().unwrap().is_empty(),
            has_map,
            "{mode}"
        );
        for field in ["tokens_approx", "truncated"] {
            assert!(!data["budget"][field].is_null(), "{field}");
        }
    }
    assert_eq!(
        host.ok("getContext", json!({}))["version"],
        Value::Null,
        "the window"
    );
}

#[test]
fn what_changed_is_read_again_and_what_went_is_gone() {
    let mut host = Host::new(SHOP);
    assert_eq!(
        paths(&map(&mut host, "invoice numbers")),
        Vec::<&str>::new()
    );
    host.write(
        "/w/app/src/invoice.py",
        "def invoice_numbers():\n    return []\n",
    );
    host.touched(&["/w/app/src/invoice.py"]);
    assert_eq!(
        paths(&map(&mut host, "invoice numbers"))[0],
        "src/invoice.py"
    );
    host.disk.remove("/w/app/src/invoice.py");
    host.touched(&["/w/app/src/invoice.py"]);
    assert!(!paths(&map(&mut host, "invoice numbers")).contains(&"src/invoice.py"));
}

/// Commits whose words are alike lead to what they changed, though it has none of the words.
#[test]
fn past_changes_count() {
    let query = "price of parcels";
    let mut without = Host::new(SHOP);
    let notes = map(&mut without, query)["notes"].to_string();
    assert!(notes.contains("Without git history"), "{notes}");
    let mut with = Host::new(SHOP);
    let commit = "\u{1}Round the price of parcels\n\u{2}\nM\tsrc/url.py\n";
    with.log = Some(commit.repeat(3));
    let data = map(&mut with, query);
    let place = |data: &Value| paths(data).iter().position(|path| *path == "src/url.py");
    assert!(place(&data) < place(&map(&mut without, query)).or(Some(9)) && place(&data).is_some());
}

#[test]
fn no_match_is_said() {
    let mut host = Host::new(SHOP);
    let notes = map(&mut host, "quaternion slerp")["notes"].to_string();
    assert!(notes.contains("No confident match"), "{notes}");
    assert!(notes.contains("quaternion"), "{notes}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// No payload costs more than the caller allows, in either form (SPEC BU1, D14).
    #[test]
    fn no_payload_is_above_its_budget(
        query in ".{0,40}|shipping cost|(price |cart |url_for ){1,9}",
        tokens in 0u32..900,
        mode in prop::sample::select(vec!["index", "map", "mixed"]),
        format in prop::sample::select(vec!["json", "text"]),
    ) {
        let mut host = Host::new(SHOP);
        let args = json!({ "query": query, "mode": mode, "maxTokens": tokens, "format": format });
        let answer = host.call_at("codecortex_getContext", args, Caller::default());
        let text = answer.json.as_deref().or(answer.text.as_deref()).unwrap_or_default();
        // From 40 tokens on, the shortest failure fits.
        let is_excepted = tokens < 40 && text.contains("BudgetExceeded");
        prop_assert!(is_excepted || tokens_approx(text) <= tokens, "{} > {tokens}: {text}", tokens_approx(text));
    }
}
