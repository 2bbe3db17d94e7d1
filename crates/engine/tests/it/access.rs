//! What was used lately comes first (SPEC S2, D20).

use crate::support::Host;
use serde_json::{Value, json};

const TWICE: &str = "
//- /app/a.cs
namespace One { public class Store { public void Add() { } } public class Other { } }
namespace Two { public class Store { public void Add() { } } }
namespace Far.Away { public class Store { } }
//- /app/b.py
def free(): ...
";

fn order(host: &mut Host, symbol: &str) -> Vec<String> {
    let data = host.ok("resolveSymbol", json!({ "symbol": symbol }));
    paths(&data["candidates"])
}

fn paths(list: &Value) -> Vec<String> {
    let entries = list.as_array().unwrap().iter();
    entries
        .map(|entry| entry["path"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn of_equal_meanings_the_one_that_was_used_comes_first() {
    let mut host = Host::new(TWICE);
    assert_eq!(
        order(&mut host, "Store"),
        ["One.Store", "Two.Store", "Far.Away.Store"]
    );
    // Looking for candidates is no use of them; asking about one is.
    host.ok("getOutline", json!({ "symbol": "Two.Store" }));
    assert_eq!(
        order(&mut host, "Store"),
        ["Two.Store", "One.Store", "Far.Away.Store"]
    );
    assert_eq!(order(&mut host, "Add"), ["Two.Store.Add", "One.Store.Add"]);
    assert_eq!(order(&mut host, "S*re")[0], "Two.Store");
    let error = host.fail("hashes", json!({ "symbol": "Store" }));
    assert_eq!(
        paths(&error["details"]["candidates"]),
        ["Two.Store", "One.Store", "Far.Away.Store"]
    );
    // A member stands for its type; fewer namespaces come before recent use.
    host.ok("getOutline", json!({ "symbol": "One.Store.Add" }));
    host.ok("getOutline", json!({ "symbol": "Far.Away.Store" }));
    assert_eq!(
        order(&mut host, "Store"),
        ["One.Store", "Two.Store", "Far.Away.Store"]
    );
}

#[test]
fn what_has_no_type_uses_none() {
    let mut host = Host::new(TWICE);
    host.ok("getOutline", json!({ "symbol": "Two.Store" }));
    for symbol in ["free", "One", "b"] {
        host.call("getOutline", json!({ "symbol": symbol }));
    }
    assert_eq!(order(&mut host, "Store")[0], "Two.Store");
}
