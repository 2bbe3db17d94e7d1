//! One call for several symbols: every meaning of a name, every entry of a list.

use serde_json::{Value, json};

use crate::support::Host;

const SHOP: &str = "
//- /app/shop/cart.py
class Cart:
    def open(self):
        return 1

    def total(self):
        return self.open()

def use(cart: Cart):
    cart.open()
    return cart.total()
//- /app/shop/door.py
class Door:
    def open(self):
        return 2

def enter(door: Door):
    return door.open()
";

fn paths(candidates: &Value) -> Vec<(&str, &str, Option<u64>)> {
    let candidates = candidates.as_array().unwrap().iter();
    let of = |candidate: &Value| candidate["uses"].as_u64();
    candidates
        .map(|candidate| {
            let path = candidate["path"].as_str().unwrap();
            (path, candidate["kind"].as_str().unwrap(), of(candidate))
        })
        .collect()
}

fn text_of(host: &mut Host, tool: &str, mut args: Value) -> String {
    args["format"] = json!("text");
    let caller = codecortex_engine::protocol::Caller::default();
    let answer = host.call_at(&format!("codecortex_{tool}"), args, caller);
    assert!(answer.ok);
    answer.text.unwrap()
}

#[test]
fn a_name_with_a_few_meanings_is_answered_for_all() {
    let mut host = Host::new(SHOP);
    let meanings = [
        ("cart.Cart.open", "method", Some(2)),
        ("door.Door.open", "method", Some(1)),
    ];
    for form in ["source", "tree", "compact", "outline"] {
        let data = host.ok("getOutline", json!({ "symbol": "open", "form": form }));
        assert_eq!(paths(&data["candidates"]), meanings, "{form}");
    }
    let data = host.ok("getOutline", json!({ "symbol": "open", "form": "source" }));
    let sources = data["sources"].as_array().unwrap();
    assert!(sources[0]["source"].as_str().unwrap().contains("return 1"));
    assert!(sources[1]["source"].as_str().unwrap().contains("return 2"));
    let data = host.ok("getOutline", json!({ "symbol": "open" }));
    assert_eq!(data["resolved"]["path"], "cart.Cart.open");
    assert_eq!(data["more"][0]["resolved"]["path"], "door.Door.open");
    assert_eq!(data["more"][0].get("budget"), None);
    let data = host.ok("findReferences", json!({ "symbol": "open" }));
    assert_eq!(paths(&data["candidates"]), meanings);
    assert_eq!(
        (&data["total"], &data["more"][0]["total"]),
        (&json!(2), &json!(1))
    );
    let text = text_of(&mut host, "findReferences", json!({ "symbol": "open" }));
    assert!(
        text.starts_with("// 2 meanings\n//   method cart.Cart.open "),
        "{text}"
    );
    assert!(
        text.contains("· 2 uses\n") && text.contains("· 1 use\n"),
        "{text}"
    );
    // The id of a candidate means it alone.
    let id = data["candidates"][1]["memberId"].clone();
    let data = host.ok("findReferences", json!({ "symbol": id }));
    assert_eq!((&data["total"], data.get("candidates")), (&json!(1), None));
}

#[test]
fn a_name_with_many_meanings_is_answered_with_counted_candidates() {
    let classes: String = (0..12)
        .map(|number| format!("class C{number}:\n    def open(self): ...\n\ndef f{number}(c: C{number}): c.open()\n"))
        .collect();
    let mut host = Host::new(&format!("//- /app/many.py\n{classes}"));
    for (tool, args) in [
        ("getOutline", json!({ "symbol": "open" })),
        ("getOutline", json!({ "symbol": "open", "form": "source" })),
        ("findReferences", json!({ "symbol": "open" })),
        ("hashes", json!({ "symbol": "open" })),
    ] {
        let error = host.fail(tool, args);
        assert_eq!(error["code"], "AmbiguousSymbol");
        let candidates = paths(&error["details"]["candidates"]);
        assert_eq!(candidates.len(), 12, "{tool}");
        assert!(
            candidates[..8].iter().all(|(.., uses)| *uses == Some(1)),
            "{candidates:?}"
        );
        assert!(
            candidates[8..].iter().all(|(.., uses)| uses.is_none()),
            "{candidates:?}"
        );
    }
}

#[test]
fn a_list_is_answered_entry_by_entry() {
    let mut host = Host::new(SHOP);
    let data = host.ok(
        "findReferences",
        json!({ "symbol": ["Cart", "Door", "Window", "Cart"] }),
    );
    assert_eq!(data["resolved"]["path"], "cart.Cart");
    assert_eq!(data["more"].as_array().unwrap().len(), 1);
    assert_eq!(data["more"][0]["resolved"]["path"], "door.Door");
    assert_eq!(data["missing"], json!(["Window"]));
    let data = host.ok("getTypeMembers", json!({ "name": ["Cart", "Door"] }));
    let names = |data: &Value| -> Vec<String> {
        let members = data["members"].as_array().unwrap().iter();
        members
            .map(|member| member["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        (names(&data), names(&data["more"][0])),
        (
            vec!["open".to_owned(), "total".to_owned()],
            vec!["open".to_owned()],
        )
    );
    let data = host.ok("getOutline", json!({ "symbol": ["Cart", "open"] }));
    assert_eq!(data["candidates"].as_array().unwrap().len(), 2);
    assert_eq!(data["more"].as_array().unwrap().len(), 2);
    let error = host.fail("findReferences", json!({ "symbol": ["Window", "Wall"] }));
    assert_eq!(error["code"], "SymbolNotFound");
    for symbols in [json!([]), json!([1])] {
        let error = host.fail("findReferences", json!({ "symbol": symbols }));
        assert_eq!(error["code"], "InvalidParams");
    }
}

/// No answer has more than another as long as that has something left, and the candidates are always there.
#[test]
fn a_budget_is_shared_by_the_answers() {
    let body = |name: &str| -> String {
        (0..60)
            .map(|line| format!("    {name}_{line} = {line}\n"))
            .collect()
    };
    let (first, second) = (body("first"), body("second"));
    let mut host = Host::new(&format!(
        "//- /app/a.py\nclass Cart:\n{first}\n//- /app/b.py\nclass Cart:\n{second}\n"
    ));
    for tokens in [260, 500, 900, 2000, 9000] {
        let args = json!({ "name": "Cart", "maxTokens": tokens });
        let text = text_of(&mut host, "getTypeMembers", args.clone());
        let shown = |name: &str| text.matches(&format!("{name}_")).count();
        let (first, second) = (shown("first"), shown("second"));
        assert!(text.starts_with("// 2 meanings\n"), "{tokens}: {text}");
        assert!(first.abs_diff(second) <= 2, "{tokens}: {first} {second}");
        if tokens == 9000 {
            assert!(first >= 60 && second >= 60, "{first} {second}");
        }
    }
}
