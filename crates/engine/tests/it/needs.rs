//! What types need, as the resolver answers it, and that it follows every edit (SPEC P3, I2).

use std::collections::BTreeMap;

use crate::support::{Host, Node};
use codecortex_engine::protocol::Event;
use proptest::prelude::*;
use serde_json::json;

/// Paths from and to, in order; of a struct with `!` behind it.
fn edges(fixture: &str) -> Vec<String> {
    let mut host = Host::new(fixture);
    let data = host.ok("exportGraph", json!({ "notation": "json" }));
    let types = data["types"].as_array().unwrap().iter();
    let path = |node: &serde_json::Value| {
        let mark = if node["kind"] == "struct" { "!" } else { "" };
        format!("{}{mark}", node["path"].as_str().unwrap())
    };
    let paths: BTreeMap<&str, String> = types
        .map(|node| (node["id"].as_str().unwrap(), path(node)))
        .collect();
    let edge = |edge: &serde_json::Value| {
        let end = |name: &str| paths[edge[name].as_str().unwrap()].clone();
        let sign = if edge["base"] == true { "=" } else { "-" };
        format!("{} {sign} {}", end("from"), end("to"))
    };
    let mut edges: Vec<String> = data["edges"].as_array().unwrap().iter().map(edge).collect();
    edges.sort();
    edges
}

#[test]
fn of_types_with_one_name_the_one_in_sight_is_needed() {
    let found = edges(
        "
//- /app/A.cs
namespace A { public class Timer { } public class UsesOwn { public Timer T; } }
//- /app/B.cs
namespace B { public class Timer { } public class UsesOwn : Timer { } }
//- /app/C.cs
using B;
namespace C { public class Imports { public Timer T; public A.Timer Other; } }
//- /app/D.cs
using Clock = A.Timer;
namespace D { public class Renames { public Clock T; } }
//- /app/E.cs
namespace E { public class SeesNone { public Timer T; } }
",
    );
    assert_eq!(
        found,
        [
            "A.UsesOwn - A.Timer",
            "B.UsesOwn = B.Timer",
            "C.Imports - A.Timer",
            "C.Imports - B.Timer",
            "D.Renames - A.Timer",
        ]
    );
}

#[test]
fn type_parameters_and_arity_are_told_from_types() {
    let found = edges(
        "
//- /app/A.cs
namespace N;
public class T { }
public struct Box { }
public class Box<V> { public V Value; public Item[] All; }
public class Item { }
public class Holder<T> { public T Held; public Box<Item> One; public void M<Item>(Item i) { } }
public class Plain { public Box B; public System.Collections.Generic.List<T> Ts; }
public delegate Item Maker(Box b);
",
    );
    assert_eq!(
        found,
        [
            "N.Box - N.Item",
            "N.Holder - N.Box",
            "N.Holder - N.Item",
            "N.Maker - N.Box!",
            "N.Maker - N.Item",
            "N.Plain - N.Box!",
            "N.Plain - N.T",
        ]
    );
}

#[test]
fn imports_decide_in_languages_of_modules() {
    let found = edges(
        "
//- /app/one.ts
export class Node {}
//- /app/two.ts
export class Node {}
//- /app/index.ts
export { Node as Leaf } from './one';
export * from './two';
//- /app/use.ts
import { Leaf, Node } from './index';
export class Tree { left: Leaf | null = null; right(node: Node): void {} }
export type Nodes = Map<string, Leaf>;
//- /app/pkg/__init__.py
//- /app/pkg/a.py
class Shape:
    pass
//- /app/pkg/b.py
class Shape:
    pass
//- /app/pkg/c.py
from .b import Shape as Form
from . import a

class Square(Form):
    def other(self, shape: a.Shape) -> 'Form': ...
//- /app/j/x/Unit.java
package x;
public class Unit { }
//- /app/j/y/Unit.java
package y;
public class Unit { }
//- /app/j/z/Uses.java
package z;
import y.Unit;
public class Uses { public Unit unit; public x.Unit far() { return null; } }
",
    );
    assert_eq!(
        found,
        [
            "pkg.c.Square - pkg.a.Shape",
            "pkg.c.Square = pkg.b.Shape",
            "use.Nodes - one.Node",
            "use.Tree - one.Node",
            "use.Tree - two.Node",
            "z.Uses - x.Unit",
            "z.Uses - y.Unit",
        ]
    );
}

#[test]
fn names_that_are_words_of_csharp_depend_as_others_do() {
    let found = edges(
        "
//- /app/A.cs
namespace N;
public class @base { }
public class @event : @base { public @event @in(@base other) => this; }
",
    );
    assert_eq!(found, ["N.event = N.base"]);
}

#[test]
fn blocks_and_modules_of_rust_and_packages_of_go() {
    let found = edges(
        "
//- /app/Cargo.toml
[package]
name = \"app\"
version = \"0.1.0\"
//- /app/src/lib.rs
pub mod a;
pub mod b;
//- /app/src/a.rs
pub struct Id;
pub trait Named { fn name(&self) -> Id; }
//- /app/src/b.rs
use crate::a::Named as HasName;
pub struct Id;
pub struct Thing { pub id: Id }
impl HasName for Thing { fn name(&self) -> crate::a::Id { crate::a::Id } }
//- /app/go.mod
module example.com/app
//- /app/g/one/one.go
package one

type Item struct{}
//- /app/g/two/two.go
package two

import other \"example.com/app/g/one\"

type Item struct{}

type Uses struct {
	A Item
	B other.Item
}

func (u *Uses) Get() *other.Item { return nil }
",
    );
    assert_eq!(
        found,
        [
            "a::Named - a::Id!",
            "b::Thing! - a::Id!",
            "b::Thing! - b::Id!",
            "b::Thing! = a::Named",
            "two.Uses! - one.Item!",
            "two.Uses! - two.Item!",
        ]
    );
}

/// Files with the texts that each may have.
const FILES: [(&str, &[&str]); 9] = [
    (
        "/w/app/a.cs",
        &[
            "namespace A; public class Timer { } public class Own { public Timer T; }\n",
            "namespace A; public class Clock { } public class Own { public Timer T; }\n",
            "namespace A { namespace B { public class Timer { } } public class Own { public Timer T; } }\n",
            "namespace A; public class Base { public class Inner { } } public class Own : Base { }\n",
        ],
    ),
    (
        "/w/app/b.cs",
        &[
            "namespace B; public class Timer { }\n",
            "namespace B; public class Timer<T> { }\n",
            "namespace B.A; public class Timer { }\n",
            "namespace B; public class Derived : A.Own { public Inner One; }\n",
        ],
    ),
    (
        "/w/app/c.cs",
        &[
            "using A; namespace C; public class Uses { public Timer T; }\n",
            "using B; namespace C; public class Uses { public Timer T; public Inner I; }\n",
            "using Timer = B.Timer; namespace C; public class Uses { public Timer T; }\n",
            "namespace C; public class Uses : B.Derived { public Inner I; public Timer T; }\n",
        ],
    ),
    (
        "/w/app/g.cs",
        &[
            "global using B;\n",
            "global using Timer = A.Timer;\n",
            "// nothing\n",
        ],
    ),
    (
        "/w/app/one.ts",
        &[
            "export class Node {}\nexport default class Main {}\n",
            "export class Leaf {}\n",
            "import { Node } from './two';\nexport { Node };\n",
            "export { Node as Leaf } from './two';\n",
        ],
    ),
    (
        "/w/app/two.ts",
        &[
            "export class Node {}\n",
            "export * from './three';\n",
            "export interface Node { next: Node }\nexport class Other extends Node {}\n",
        ],
    ),
    (
        "/w/app/three.ts",
        &[
            "export class Node {}\nexport class Leaf {}\n",
            "import Any from './one';\nexport class Node { of: Any }\n",
            "export { Leaf as Node } from './one';\n",
        ],
    ),
    (
        "/w/app/use.ts",
        &[
            "import { Node, Leaf } from './one';\nexport class Tree { a: Node; b: Leaf }\n",
            "import Any, * as one from './one';\nexport class Tree { a: one.Node; b: Any }\n",
            "import { Node } from './two';\nexport class Tree extends Node { b: string }\n",
        ],
    ),
    (
        "/w/app/d.py",
        &[
            "class Shape:\n    pass\n",
            "from e import *\nclass Square(Shape):\n    pass\n",
            "from e import Shape as Form\nclass Square(Form):\n    pass\n",
        ],
    ),
];
const MORE: [(&str, &[&str]); 2] = [
    (
        "/w/app/e.py",
        &[
            "class Shape:\n    pass\n",
            "from f import *\n",
            "from f import Circle as Shape\n",
        ],
    ),
    (
        "/w/app/f.py",
        &[
            "class Shape:\n    pass\nclass Circle(Shape):\n    pass\n",
            "class Circle:\n    pass\n",
        ],
    ),
];

fn files() -> impl Iterator<Item = &'static (&'static str, &'static [&'static str])> {
    FILES.iter().chain(&MORE)
}

#[derive(Clone, Debug)]
enum Step {
    Write(usize, usize),
    Delete(usize),
    /// The folder is brought up to date.
    Settle,
    /// Somebody asks about uses in between.
    Ask,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let count = FILES.len() + MORE.len();
    let step = prop_oneof![
        6 => (0..count, 0..4usize).prop_map(|(file, text)| Step::Write(file, text)),
        1 => (0..count).prop_map(Step::Delete),
        4 => Just(Step::Settle),
        1 => Just(Step::Ask),
    ];
    prop::collection::vec(step, 1..24)
}

fn keep(host: &mut Host) {
    host.send(Event::KeepContext { root: 0 });
    host.settle();
    host.touched(&["/w/app/.context"]);
    host.settle();
}

/// What the ledger knows of every type, its dependencies among it.
fn ledger(host: &Host) -> Vec<u8> {
    match host.disk.get("/w/app/.context/cache/ledger.bin") {
        Some(Node::File(bytes)) => bytes.clone(),
        _ => Vec::new(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn dependencies_follow_every_edit(steps in steps()) {
        let mut host = Host::empty(&[("app", "/w/app")]);
        for (path, texts) in files() {
            host.put(path, Node::File(texts[0].into()));
        }
        host.configure();
        keep(&mut host);
        for step in steps {
            match step {
                Step::Write(file, text) => {
                    let (path, texts) = files().nth(file).unwrap();
                    host.write(path, texts[text % texts.len()]);
                    host.touched(&[path]);
                }
                Step::Delete(file) => {
                    let (path, _) = files().nth(file).unwrap();
                    host.disk.remove(*path);
                    host.touched(&[path]);
                }
                Step::Settle => host.settle(),
                Step::Ask => {
                    host.call("findReferences", json!({ "symbol": "Timer" }));
                }
            }
        }
        host.settle();
        let mut fresh = Host::empty(&[("app", "/w/app")]);
        for (path, node) in &host.disk {
            if !path.starts_with("/w/app/.context/") {
                fresh.put(path, node.clone());
            }
        }
        fresh.configure();
        keep(&mut fresh);
        prop_assert!(!ledger(&fresh).is_empty());
        prop_assert_eq!(ledger(&host), ledger(&fresh));
    }
}

/// Files that are deleted and come back at once get each other's numbers.
#[test]
fn files_that_come_back_are_found_by_their_paths() {
    let mut host = Host::empty(&[("app", "/w/app")]);
    for (path, texts) in files() {
        host.put(path, Node::File(texts[0].into()));
    }
    host.configure();
    keep(&mut host);
    let before = ledger(&host);
    let (one, other) = (files().nth(4).unwrap(), files().nth(2).unwrap());
    for (path, _) in [one, other] {
        host.disk.remove(*path);
        host.touched(&[path]);
    }
    for (path, texts) in [one, other] {
        host.write(path, texts[0]);
        host.touched(&[path]);
    }
    host.settle();
    assert!(before == ledger(&host));
}
