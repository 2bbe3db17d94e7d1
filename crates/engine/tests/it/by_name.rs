//! Uses in languages of the second rank: by name, and said to be (SPEC D2, R2).

use crate::support::Host;
use codecortex_engine::protocol::Event;
use codecortex_engine::protocol::Position;
use codecortex_engine::protocol::TextChange;
use serde_json::{Value, json};

const SHOP: &str = "
//- /app/store.rb
class Store
  def restock(amount)
    @stock = amount
  end
end
//- /app/main.rb
store = Store.new
store.restock(3)
after_sale :restock
puts \"restock\" # restock
//- /app/other/store.rb
class Other
  def restock
    restock
  end
end
//- /app/init.lua
function restock(n) return n end
restock(2)
//- /app/web.ts
export function restock() {}
restock();
";

/// `file:line tier role` of every use, in order.
fn uses(data: &Value) -> Vec<String> {
    let uses = data["references"].as_array().unwrap().iter();
    let mut uses: Vec<String> = uses
        .map(|entry| {
            let [file, tier, role] =
                ["filePath", "tier", "role"].map(|key| entry[key].as_str().unwrap());
            format!("{file}:{} {tier} {role}", entry["startLine"])
        })
        .collect();
    uses.sort();
    uses
}

fn at(path: &str, line: u32, character: u32) -> Value {
    json!({ "filePath": path, "position": { "line": line, "character": character } })
}

const RESTOCK: [&str; 3] = [
    "app/main.rb:2 name read",
    "app/main.rb:3 name read",
    "app/other/store.rb:3 name read",
];

#[test]
fn uses_are_those_of_the_name_in_the_language() {
    let mut host = Host::new(SHOP);
    let data = host.ok("findReferences", json!({ "symbol": "Store#restock" }));
    assert_eq!(uses(&data), RESTOCK);
    assert_eq!(
        (&data["totalByTier"]["name"], &data["total"]),
        (&json!(3), &json!(3))
    );
    let lua = host.ok("findReferences", at("app/init.lua", 2, 2));
    assert_eq!(uses(&lua), ["app/init.lua:2 name call"]);
    let typescript = host.ok("findReferences", at("app/web.ts", 2, 2));
    assert_eq!(uses(&typescript), ["app/web.ts:2 exact call"]);
    // Tiers are still a filter.
    let exact = json!({ "symbol": "Store#restock", "tiers": ["exact"] });
    assert_eq!(
        uses(&host.ok("findReferences", exact)),
        Vec::<String>::new()
    );
}

/// What is declared alike in languages that know nothing of one another is not one symbol.
#[test]
fn other_languages_have_their_own() {
    let mut host = Host::new(
        "
//- /app/shop.h
void restock();
class Store;
//- /app/shop.cpp
#include \"shop.h\"
class Store { };
void restock() { }
void all() { restock(); Store s; }
//- /app/store.rb
class Store
end
def restock
end
restock
Store.new
//- /app/global.ts
interface Store { }
declare function restock(): void;
restock();
let s: Store;
//- /app/Store.java
class Store { static void restock() { restock(); } }
//- /app/Store.cs
class Store { static void Restock() { Restock(); } }
",
    );
    let mut used = |path: &str, line: u32, character: u32| -> Vec<String> {
        let data = host.ok("findReferences", at(path, line, character));
        let files = uses(&data).into_iter();
        let mut files: Vec<String> = files
            .map(|place| place.split(' ').next().unwrap_or("").to_owned())
            .collect();
        files.dedup();
        files
    };
    assert_eq!(used("app/shop.cpp", 4, 14), ["app/shop.cpp:4"]);
    // A declaration of a type that is defined elsewhere uses it.
    let store = used("app/shop.cpp", 2, 8);
    assert_eq!(store, ["app/shop.cpp:4", "app/shop.h:2"]);
    assert_eq!(used("app/store.rb", 5, 2), ["app/store.rb:5"]);
    assert_eq!(used("app/store.rb", 6, 2), ["app/store.rb:6"]);
    assert_eq!(used("app/global.ts", 3, 2), ["app/global.ts:3"]);
    assert_eq!(used("app/global.ts", 1, 12), ["app/global.ts:4"]);
    assert_eq!(used("app/Store.java", 1, 28), ["app/Store.java:1"]);
}

#[test]
fn a_place_means_all_that_has_the_name() {
    let mut host = Host::new(SHOP);
    assert_eq!(
        uses(&host.ok("findReferences", at("app/main.rb", 2, 8))),
        RESTOCK
    );
    let found = host.ok("resolveSymbolAtPosition", at("app/main.rb", 3, 14));
    let definitions = |symbol: &Value| {
        let more = symbol["definitions"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let all = [vec![symbol["definition"].clone()], more].concat();
        let shown = all.iter().map(|found| {
            let tier = found["tier"].as_str().unwrap_or("-");
            format!(
                "{}:{} {tier}",
                found["filePath"].as_str().unwrap(),
                found["startLine"]
            )
        });
        shown.collect::<Vec<_>>()
    };
    // The nearest first.
    assert_eq!(
        definitions(&found["symbol"]),
        ["app/store.rb:2 name", "app/other/store.rb:2 name"]
    );
    let declared = host.ok("resolveSymbolAtPosition", at("app/store.rb", 2, 8));
    assert_eq!(definitions(&declared["symbol"]), ["app/store.rb:2 -"]);
    // What no declaration has is nobody's name; a comment holds none.
    let nothing = host.fail("findReferences", at("app/main.rb", 1, 2));
    assert_eq!(nothing["code"], "SymbolNotFound");
    let comment = host.fail("findReferences", at("app/main.rb", 4, 20));
    assert_eq!(comment["code"], "SymbolNotFound");
}

#[test]
fn callers_are_known_and_what_needs_types_is_not() {
    let mut host = Host::new(SHOP);
    let data = host.ok(
        "findReferences",
        json!({ "symbol": "Store#restock", "relation": "callers" }),
    );
    let callers: Vec<&str> = data["declarations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|caller| caller["path"].as_str().unwrap())
        .collect();
    assert_eq!(callers, ["app/main.rb", "Other#restock"]);
    for relation in ["callees", "implementations", "overrides"] {
        let args = json!({ "symbol": "Store#restock", "relation": relation });
        assert_eq!(host.fail("findReferences", args)["code"], "Unavailable");
    }
    let hierarchy = host.fail("getClassHierarchy", json!({ "name": "Store" }));
    assert_eq!(hierarchy["code"], "Unavailable");
    let members = host.ok("getTypeMembers", json!({ "name": "Store" }));
    assert_eq!(members["members"][0]["name"], "restock");
}

#[test]
fn what_is_typed_counts() {
    let mut host = Host::new(SHOP);
    host.send(Event::Opened {
        path: "/w/app/main.rb".into(),
        version: 1,
        text: "Store.new.restock(1)\n".into(),
        dirty: true,
    });
    let wanted = json!({ "symbol": "Store#restock", "folder": "app/main.rb" });
    assert_eq!(
        uses(&host.ok("findReferences", wanted.clone())),
        ["app/main.rb:1 name read"]
    );
    let end = Position {
        line: 1,
        character: 0,
    };
    host.send(Event::Edited {
        path: "/w/app/main.rb".into(),
        version: 2,
        changes: vec![TextChange {
            start: end,
            end,
            text: "x.restock\n".into(),
        }],
        dirty: true,
    });
    assert_eq!(
        uses(&host.ok("findReferences", wanted)),
        ["app/main.rb:1 name read", "app/main.rb:2 name read"]
    );
}
