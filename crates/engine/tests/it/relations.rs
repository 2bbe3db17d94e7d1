//! Callers, callees, implementations and overridden declarations (SPEC R3, R5).

use crate::support::Host;
use serde_json::{Value, json};

/// `path@depth` of every declaration, in the answer's order.
fn found(host: &mut Host, symbol: &str, relation: &str, more: Value) -> Vec<String> {
    let mut args = json!({ "symbol": symbol, "relation": relation, "limit": 200 });
    for (name, value) in more.as_object().unwrap() {
        args[name] = value.clone();
    }
    let data = host.ok("findReferences", args);
    assert_eq!(data["references"], json!([]));
    let declarations = data["declarations"].as_array().unwrap();
    assert_eq!(data["total"], declarations.len());
    declarations
        .iter()
        .map(|entry| format!("{}@{}", entry["path"].as_str().unwrap(), entry["depth"]))
        .collect()
}

const SHOP: &str = r#"
//- /app/store.ts
export interface Store { load(): void }
export class Disk implements Store {
  load(): void { read(); }
  both(): void { this.load(); this.load(); }
}
class Fast extends Disk { load(): void { super.load(); } }
export function read(): void { log("read"); }
export function log(text: string): void { if (text) log(""); }
export let level = 1;
//- /app/main.ts
import { Disk, Store, level, log } from "./store";
function start(store: Store): void { store.load(); }
function main(): void { start(new Disk()); [1].forEach(log); }
main();
export const doubled = level * 2;
"#;

#[test]
fn callers_are_the_declarations_around_calls() {
    let mut host = Host::new(SHOP);
    let callers = |host: &mut Host, symbol: &str| found(host, symbol, "callers", json!({}));
    assert_eq!(callers(&mut host, "start"), ["main.main@1"]);
    // Code outside of any declaration is its file's, and what calls itself calls.
    assert_eq!(callers(&mut host, "main.main"), ["app/main.ts@1"]);
    assert_eq!(callers(&mut host, "log"), ["store.read@1", "store.log@1"]);
    // A type is called where it is constructed; what cannot be called, where it is used.
    assert_eq!(callers(&mut host, "Disk"), ["main.main@1"]);
    assert_eq!(callers(&mut host, "level"), ["main.doubled@1"]);
}

#[test]
fn calls_by_way_of_an_interface_are_related() {
    let mut host = Host::new(SHOP);
    let data = host.ok(
        "findReferences",
        json!({ "symbol": "Disk.load", "relation": "callers" }),
    );
    let tiers: Vec<(&str, &str, u64)> = data["declarations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            let word = |name: &str| entry[name].as_str().unwrap();
            (word("path"), word("tier"), entry["uses"].as_u64().unwrap())
        })
        .collect();
    assert_eq!(
        tiers,
        [
            ("store.Disk.both", "exact", 2),
            ("store.Fast.load", "exact", 1),
            ("main.start", "related", 1)
        ]
    );
    assert_eq!(data["totalByTier"]["related"], 1);
    let sure = found(
        &mut host,
        "Disk.load",
        "callers",
        json!({ "tiers": ["exact"] }),
    );
    assert_eq!(sure, ["store.Disk.both@1", "store.Fast.load@1"]);
}

#[test]
fn callers_of_callers_say_by_which_way() {
    let mut host = Host::new(SHOP);
    let data = host.ok(
        "findReferences",
        json!({ "symbol": "start", "relation": "callers", "depth": 3 }),
    );
    let entries = data["declarations"].as_array().unwrap();
    assert_eq!(entries.len(), 2);
    assert_eq!(entries[0]["kind"], "function");
    assert_eq!(entries[0].get("via"), None);
    assert_eq!(entries[1]["kind"], "file");
    assert_eq!(entries[1]["via"], "main.main");
    assert_eq!(entries[1]["depth"], 2);
    assert_eq!(
        entries[1]["sites"],
        json!([{
            "filePath": "app/main.ts",
            "range": { "start": { "line": 3, "character": 0 }, "end": { "line": 3, "character": 4 } },
            "tier": "exact"
        }])
    );
}

#[test]
fn a_cycle_of_calls_ends() {
    let mut host = Host::new(
        "\n//- /app/a.ts\nfunction a() { b(); }\nfunction b() { c(); }\nfunction c() { a(); }\n",
    );
    for relation in ["callers", "callees"] {
        let all = found(&mut host, "a.a", relation, json!({ "depth": 10 }));
        let mut depths: Vec<&str> = all
            .iter()
            .map(|entry| entry.split('@').next_back().unwrap())
            .collect();
        depths.sort_unstable();
        assert_eq!(depths, ["1", "2", "3"], "{relation}: {all:?}");
    }
}

#[test]
fn callees_are_what_is_called_inside() {
    let mut host = Host::new(SHOP);
    let callees = |host: &mut Host, symbol: &str| found(host, symbol, "callees", json!({}));
    assert_eq!(
        callees(&mut host, "main.main"),
        ["main.start@1", "store.Disk@1"]
    );
    assert_eq!(callees(&mut host, "store.read"), ["store.log@1"]);
    assert_eq!(callees(&mut host, "Fast.load"), ["store.Disk.load@1"]);
    // Of a type, what any of its members calls.
    assert_eq!(
        callees(&mut host, "Disk"),
        ["store.Disk.load@1", "store.read@1"]
    );
    // Other roles where they are asked for: a function that is handed on.
    let read = found(
        &mut host,
        "main.main",
        "callees",
        json!({ "roles": ["read"] }),
    );
    assert!(read.contains(&"store.log@1".to_owned()), "{read:?}");
}

#[test]
fn what_a_local_function_calls_is_its_own() {
    let mut host = Host::new(
        "\n//- /app/a.py\ndef work(run):\n    run()\n    inner()\n\ndef inner():\n    pass\n\nwork(inner)\n",
    );
    // A parameter that is called is no declaration of a function.
    assert_eq!(
        found(&mut host, "work", "callees", json!({})),
        ["a.inner@1"]
    );
}

#[test]
fn implementations_go_down_and_overrides_go_up() {
    let mut host = Host::new(SHOP);
    let mut ask = |symbol: &str, relation: &str| found(&mut host, symbol, relation, json!({}));
    assert_eq!(
        ask("Store", "implementations"),
        ["store.Disk@1", "store.Fast@2"]
    );
    assert_eq!(
        ask("Store.load", "implementations"),
        ["store.Disk.load@1", "store.Fast.load@1"]
    );
    assert_eq!(
        ask("Fast.load", "overrides"),
        ["store.Disk.load@1", "store.Store.load@2"]
    );
    assert_eq!(ask("Fast", "overrides"), ["store.Disk@1", "store.Store@2"]);
    assert_eq!(ask("Fast.load", "implementations"), Vec::<String>::new());
}

#[test]
fn every_language_with_bindings_has_relations() {
    let places = "
//- /app/Shapes.cs
namespace N { interface IShape { int Area(); } class Box : IShape { public int Area() { return 1; } static int All(IShape s) { return s.Area(); } } }
//- /app/Forms.java
interface Form { int size(); }
class Ring implements Form { public int size() { return 2; } static int all(Form f) { return f.size(); } }
//- /app/kinds.py
class Kind:
    def cost(self): ...
class Cheap(Kind):
    def cost(self): return 1
def total(kind: Kind): return kind.cost()
//- /app/parts.rs
pub trait Part { fn mass(&self) -> u32; }
pub struct Wheel;
impl Part for Wheel { fn mass(&self) -> u32 { 3 } }
pub fn sum(part: &dyn Part) -> u32 { part.mass() }
//- /app/nodes.go
package nodes
type Node interface { Rank() int }
type Leaf struct{}
func (l Leaf) Rank() int { return 4 }
func Top(n Node) int { return n.Rank() }
//- /app/units.cpp
struct Unit { virtual int load(); };
struct Tank : Unit { int load() override { return 5; } };
int heavy(Unit& unit) { return unit.load(); }
";
    let mut host = Host::new(places);
    for (base, implementation, caller) in [
        ("IShape.Area", "Box.Area", "All"),
        ("Form.size", "Ring.size", "all"),
        ("Kind.cost", "Cheap.cost", "total"),
        ("Part.mass", "Wheel.mass", "sum"),
        ("Node.Rank", "Leaf.Rank", "Top"),
        ("Unit.load", "Tank.load", "heavy"),
    ] {
        let mut one = |symbol: &str, relation: &str, of: &str| {
            let all = found(&mut host, symbol, relation, json!({}));
            let path = of.replace('.', "");
            let is_it = all.iter().any(|entry| {
                let plain: String = entry.chars().filter(|c| c.is_alphanumeric()).collect();
                plain.ends_with(&format!("{path}1"))
            });
            assert!(is_it, "{relation} of {symbol}: {all:?}");
        };
        one(base, "callers", caller);
        one(base, "implementations", implementation);
        one(implementation, "overrides", base);
        one(caller, "callees", base);
    }
}

#[test]
fn a_constructor_is_called_where_its_arguments_fit() {
    let sharp = "class A { public A() { } public A(int n) { } }";
    let java = "class C { C() {} C(int n) {} }";
    let mut host = Host::new(&format!(
        "
//- /app/A.cs
{sharp}
class B {{ object One() => new A(); object Two() => new A(2); }}
//- /app/C.java
{java}
class D {{ Object one() {{ return new C(); }} Object two() {{ return new C(2); }} }}
"
    ));
    for (file, text, constructor, caller) in [
        ("A.cs", sharp, "A()", "B.One"),
        ("A.cs", sharp, "A(int", "B.Two"),
        ("C.java", java, "C()", "D.one"),
        ("C.java", java, "C(int", "D.two"),
    ] {
        let character = text.find(constructor).unwrap() + 1;
        let args = json!({
            "filePath": format!("app/{file}"),
            "position": { "line": 1, "character": character },
            "relation": "callers",
        });
        let data = host.ok("findReferences", args);
        let callers = data["declarations"].as_array().unwrap();
        let callers: Vec<&str> = callers
            .iter()
            .map(|entry| entry["path"].as_str().unwrap())
            .collect();
        assert_eq!(callers, [caller], "{constructor}");
    }
}

#[test]
fn related_uses_of_python_and_go_are_for_those_who_ask() {
    let mut host = Host::new(
        "
//- /app/kinds.py
class Kind:
    def cost(self): ...
class Cheap(Kind):
    def cost(self): return 1
Cheap().cost()
//- /app/nodes.go
package nodes
type Node interface { Rank() int }
type Leaf struct{}
func (l Leaf) Rank() int { return 4 }
func Top(n Node, l Leaf) int { return n.Rank() + l.Rank() }
",
    );
    for symbol in ["Kind.cost", "Node.Rank", "Leaf.Rank"] {
        let data = host.ok("findReferences", json!({ "symbol": symbol }));
        assert_eq!(data["totalByTier"]["related"], 0, "{symbol}: {data}");
        let asked = json!({ "symbol": symbol, "tiers": ["exact", "related"] });
        let data = host.ok("findReferences", asked);
        assert_eq!(data["totalByTier"]["related"], 1, "{symbol}: {data}");
    }
}

#[test]
fn pages_folders_and_bad_depths() {
    let mut calls = String::new();
    for number in 0..40 {
        calls.push_str(&format!("function c{number}() {{ f(); }}\n"));
    }
    let mut host = Host::new(&format!(
        "\n//- /app/a/f.ts\nfunction f() {{}}\n{calls}\n//- /app/b/g.py\nf()\n"
    ));
    let first = host.ok(
        "findReferences",
        json!({ "symbol": "f.f", "relation": "callers", "limit": 30 }),
    );
    assert_eq!(first["total"], 40);
    assert_eq!(first["declarations"].as_array().unwrap().len(), 30);
    let rest = host.ok(
        "findReferences",
        json!({ "symbol": "f.f", "relation": "callers", "limit": 30, "cursor": first["nextCursor"] }),
    );
    assert_eq!(rest["declarations"].as_array().unwrap().len(), 10);
    assert_eq!(rest.get("nextCursor"), None);
    let none = found(&mut host, "f.f", "callers", json!({ "folder": "app/b" }));
    assert_eq!(none, Vec::<String>::new());
    for depth in [0, 11] {
        let error = host.fail(
            "findReferences",
            json!({ "symbol": "f.f", "relation": "callers", "depth": depth }),
        );
        assert_eq!(error["code"], "InvalidParams");
    }
}
