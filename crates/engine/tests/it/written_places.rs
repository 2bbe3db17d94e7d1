//! A path, an id or a place, wherever a symbol is named (SPEC D20).

use serde_json::{Value, json};

use crate::support::Host;

const SHOP: &str = "
//- /app/src/shop.ts
export class Shop {
  sell(item: Item): number { return item.price; }
}
export class Item { price = 1; }
export class Sale extends Shop {}
export function open(shop: Shop) { return shop.sell(new Item()); }
//- /app/lib/tools.py
class Basket:
    def put(self, item):
        total = item
        return total
";

/// Every way to name the class that is declared on the first line, and one to its use on the sixth.
fn ways() -> Vec<Value> {
    let place = |line: u32, character: u32| json!({ "filePath": "src/shop.ts", "position": { "line": line, "character": character } });
    vec![
        json!({ "symbol": "src/shop.ts:1" }),
        json!({ "symbol": "src/shop.ts:1:14" }),
        json!({ "symbol": "app/src/shop.ts#L1" }),
        json!({ "symbol": "src/shop.ts#L1C14" }),
        json!({ "symbol": "src/shop.ts(1,14)" }),
        json!({ "symbol": "/w/app/src/shop.ts(1)" }),
        json!({ "symbol": "src/shop.ts:6:28" }),
        place(1, 14),
        place(6, 28),
    ]
}

#[test]
fn every_tool_that_takes_a_symbol_takes_a_place() {
    let mut host = Host::new(SHOP);
    let id = host.ok("resolveSymbol", json!({ "symbol": "Shop" }))["resolved"]["typeId"].clone();
    for tool in [
        "resolveSymbol",
        "getTypeMembers",
        "getClassHierarchy",
        "hashes",
        "exportGraph",
        "getSemantic",
        "findReferences",
    ] {
        let expected = host.ok(tool, json!({ "symbol": id }))["resolved"]["typeId"].clone();
        for way in ways() {
            let data = host.ok(tool, way.clone());
            assert_eq!(data["resolved"]["typeId"], expected, "{tool} {way}");
        }
    }
    for way in ["src/shop.ts:1", "src/shop.ts:1:14"] {
        let data = host.ok("pin", json!({ "action": "pin", "symbols": [way] }));
        assert!(
            data["changed"].to_string().contains("Shop")
                || data["unchanged"].to_string().contains("Shop"),
            "{data}"
        );
        let outline = host.ok("getOutline", json!({ "symbol": way }));
        assert_eq!(outline["resolved"]["typeId"], id, "{way}");
    }
    let pinned = json!({ "action": "pin", "filePath": "src/shop.ts", "position": { "line": 4, "character": 14 } });
    assert!(
        host.ok("pin", pinned)["changed"]
            .to_string()
            .contains("Item")
    );
}

#[test]
fn a_member_s_place_stands_for_its_type_where_types_are_wanted() {
    let mut host = Host::new(SHOP);
    for place in ["src/shop.ts:2", "src/shop.ts:2:3", "src/shop.ts:2:40"] {
        let members = host.ok("getTypeMembers", json!({ "name": place }));
        let name = members["type"]["name"].as_str().unwrap();
        assert!(["Shop", "Item"].contains(&name), "{place}: {name}");
    }
    let local = host.ok("findReferences", json!({ "symbol": "lib/tools.py:4:16" }));
    assert_eq!(
        local["total"], 1,
        "a local has no path, and uses all the same: {local}"
    );
}

#[test]
fn what_is_no_place_is_told() {
    let mut host = Host::new(SHOP);
    let error = host.fail("hashes", json!({ "symbol": "lib/tools.py:4" }));
    assert_eq!(error["code"], "SymbolNotFound");
    assert!(
        error["hint"]
            .as_str()
            .unwrap()
            .contains("lib/tools.py:4:CHARACTER"),
        "{error}"
    );
    let error = host.fail("hashes", json!({ "symbol": "src/none.ts:1" }));
    assert_eq!(error["code"], "NotFound");
    let both = json!({ "symbol": "Shop", "filePath": "src/shop.ts", "position": { "line": 1, "character": 1 } });
    assert_eq!(host.fail("hashes", both)["code"], "InvalidParams");
    let without = json!({ "position": { "line": 1, "character": 1 } });
    assert_eq!(
        host.fail("getTypeMembers", without)["code"],
        "InvalidParams"
    );
    let zero = json!({ "filePath": "src/shop.ts", "position": { "line": 0, "character": 1 } });
    assert_eq!(host.fail("getTypeMembers", zero)["code"], "InvalidParams");
}
