//! What is not known is counted and said, never left out (SPEC X3, D34, D35).

use crate::support::Host;
use codecortex_engine::protocol::Caller;
use serde_json::{Value, json};

/// Calls whose receivers nobody knows, one of a library, and one under another name.
const SHOP: &str = "
//- /app/shop.py
class Shop:
    def restock(self):
        pass

def tidy(shop):
    shop.restock()

def tidy_all(shops):
    for shop in shops:
        shop.restock()
//- /app/outside.py
import zoneinfo

def now():
    return zoneinfo.restock()
//- /app/kinds.py
from app.shop import Shop as Store
from somewhere import Base

class Small(Store):
    pass

class Other(Base):
    pass
";

fn first_line(host: &mut Host, tool: &str, mut args: Value) -> String {
    args["format"] = json!("text");
    let answer = host.call_at(&format!("codecortex_{tool}"), args, Caller::default());
    let text = answer.text.unwrap_or_default();
    text.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn uses_of_unknown_receivers_are_counted_and_said_first() {
    let mut host = Host::new(SHOP);
    let data = host.ok("findReferences", json!({ "symbol": "Shop.restock" }));
    assert_eq!(data["total"], 0);
    assert_eq!(data["totalByTier"]["name"], 2);
    assert_eq!(data["totalOutside"], 1);
    let line = first_line(
        &mut host,
        "findReferences",
        json!({ "symbol": "Shop.restock" }),
    );
    assert!(
        line.contains("(0 exact, 2 by name only, 1 outside the workspace)"),
        "{line}"
    );
}

#[test]
fn callers_count_what_their_tiers_leave_out() {
    let mut host = Host::new(SHOP);
    let asked = json!({ "symbol": "Shop.restock", "relation": "callers" });
    let data = host.ok("findReferences", asked.clone());
    assert_eq!(data["total"], 0);
    assert_eq!(data["totalByTier"]["name"], 2);
    assert_eq!(data["totalOutside"], 1);
    let line = first_line(&mut host, "findReferences", asked);
    assert!(line.contains("0 exact, 2 by name only"), "{line}");
    let all = json!({ "symbol": "Shop.restock", "relation": "callers", "tiers": ["name"] });
    let data = host.ok("findReferences", all);
    assert_eq!(data["total"], 2);
    assert_eq!(data["totalByTier"]["name"], 2);
}

#[test]
fn uses_under_the_name_of_an_import_say_so() {
    let mut host = Host::new(
        "
//- /app/store.rs
pub struct Shop;
//- /app/main.rs
mod store;
use store::Shop as Store;
fn open(_: &Store) {}
",
    );
    let data = host.ok(
        "findReferences",
        json!({ "symbol": "Shop", "tiers": ["related"] }),
    );
    let whys: Vec<&Value> = data["references"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| &of["why"])
        .collect();
    assert_eq!(whys, [&json!("renamed")], "{data}");
}

/// Two bases of one name: one from outside, one that nobody knows.
const KINDS: &str = "
//- /app/base.ts
export class Base {
  open(): void {}
}
//- /app/known.ts
import { Base } from \"./base\";
export class Known extends Base {}
//- /app/outside.ts
import { Base } from \"library\";
export class Other extends Base {
  open(): void {}
}
//- /app/lost.ts
export let kinds;
export class Lost extends kinds.Base {
  open(): void {}
}
";

#[test]
fn subtypes_by_name_are_counted_apart() {
    let mut host = Host::new(KINDS);
    let data = host.ok("getClassHierarchy", json!({ "name": "Base" }));
    assert_eq!(data["totalByTier"]["exact"], 1);
    assert_eq!(data["totalByTier"]["name"], 1);
    assert_eq!(data["totalOutside"], 1);
    let line = first_line(&mut host, "getClassHierarchy", json!({ "name": "Base" }));
    assert!(
        line.contains("1 exact, 1 by name only, 1 outside the workspace"),
        "{line}"
    );
}

#[test]
fn implementations_by_name_are_counted_and_given_to_who_asks() {
    let mut host = Host::new(KINDS);
    for (symbol, found) in [("Base", "Lost"), ("Base.open", "Lost.open")] {
        let asked = json!({ "symbol": symbol, "relation": "implementations" });
        let data = host.ok("findReferences", asked);
        assert_eq!(data["totalByTier"]["name"], 1, "{symbol} {data}");
        assert_eq!(data["totalOutside"], 1, "{symbol} {data}");
        let asked = json!({ "symbol": symbol, "relation": "implementations", "tiers": ["name"] });
        let data = host.ok("findReferences", asked);
        let path = data["declarations"][0]["path"].as_str().unwrap();
        assert!(path.ends_with(found), "{data}");
    }
}
