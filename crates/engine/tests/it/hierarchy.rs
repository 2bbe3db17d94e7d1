//! What types derive from and have, within limits (SPEC R3, D20, D22).

use std::collections::BTreeSet;

use crate::support::Host;
use serde_json::{Value, json};

fn names(list: &Value) -> Vec<&str> {
    let list = list.as_array().unwrap().iter();
    list.map(|name| name.as_str().unwrap()).collect()
}

/// Every type that an answer names, and those that it says the source of.
fn named_and_placed(data: &Value) -> (BTreeSet<String>, BTreeSet<String>) {
    let mut named = BTreeSet::from([data["root"].as_str().unwrap().to_owned()]);
    named.extend(names(&data["supers"]).into_iter().map(str::to_owned));
    for list in data["derivedByParent"].as_object().unwrap().values() {
        named.extend(names(list).into_iter().map(str::to_owned));
    }
    let placed = data["sourceByClass"].as_object().unwrap().keys().cloned();
    (named, placed.collect())
}

#[test]
fn what_one_branch_leaves_out_is_placed_where_another_shows_it() {
    let many: String = (0..12)
        .map(|index| format!("struct A{index:02} : Right {{}};\n"))
        .collect();
    let mut host = Host::new(&format!(
        "//- /app/a.cpp\nstruct Base {{}};\nstruct Left : virtual Base {{}};\nstruct Right : virtual Base {{}};
{many}struct Zed : Left, Right {{}};\n"
    ));
    let data = host.ok("getClassHierarchy", json!({ "name": "Base" }));
    assert_eq!(names(&data["derivedByParent"]["Left"]), ["Zed"]);
    assert_eq!(names(&data["derivedByParent"]["Right"]).len(), 10);
    assert_eq!(
        data["truncated"]["derivedBreadthByClass"],
        json!({ "Right": 3 })
    );
    let (named, placed) = named_and_placed(&data);
    assert_eq!(named, placed);
}

/// SPEC X1: what the breadth leaves out of the type itself comes with the cursor.
#[test]
fn all_that_derives_from_a_type_comes_in_pages() {
    let many: String = (0..450)
        .map(|index| format!("class A{index:03} extends Base {{}}\nclass Below{index:03} extends A{index:03} {{}}\n"))
        .collect();
    let mut host = Host::new(&format!("//- /app/a.ts\nclass Base {{}}\n{many}"));
    let (mut cursor, mut seen, mut sizes) = (Value::Null, BTreeSet::new(), Vec::new());
    loop {
        let args = json!({ "name": "Base", "maxSubBreadth": 200, "cursor": cursor, "includePreview": false });
        let data = host.ok("getClassHierarchy", args);
        let page = names(&data["derivedByParent"]["a.Base"]);
        for name in &page {
            let below = name.replace("a.A", "a.Below");
            assert_eq!(names(&data["derivedByParent"][name]), [below]);
        }
        sizes.push(page.len());
        seen.extend(page.into_iter().map(str::to_owned));
        let more = data["truncated"]["derivedBreadthByClass"]["a.Base"].as_u64();
        assert_eq!(more.unwrap_or(0), 450 - seen.len() as u64);
        cursor = data["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!((sizes, seen.len()), (vec![200, 200, 50], 450));
}

const CHAIN: &str = "
//- /app/chain.ts
export class A {}
export class B extends A {}
export class C extends B {}
export class D extends C {}
//- /app/circle.ts
export class One extends Two {}
export class Two extends One {}
export class Own extends Own {}
";

#[test]
fn limits_say_what_they_leave_out_and_nothing_else() {
    let mut host = Host::new(CHAIN);
    let mut asked = |name: &str, up: u32, down: u32| {
        let args = json!({
            "name": name,
            "maxSuperDepth": up,
            "maxSubDepth": down,
            "includePreview": false,
        });
        let data = host.ok("getClassHierarchy", args);
        let limits = json!({ "maxSuperDepth": up, "maxSubDepth": down, "maxSubBreadth": 10 });
        assert_eq!(data["limits"], limits);
        let (named, placed) = named_and_placed(&data);
        assert_eq!(named, placed);
        let truncated = &data["truncated"];
        let supers = names(&data["supers"]).len();
        (
            supers,
            truncated["supers"].clone(),
            truncated["derivedDepth"].clone(),
        )
    };
    assert_eq!(asked("D", 3, 0), (3, json!(false), json!(false)));
    assert_eq!(asked("D", 2, 0), (2, json!(true), json!(false)));
    assert_eq!(asked("D", 0, 0), (0, json!(true), json!(false)));
    assert_eq!(asked("A", 0, 3), (0, json!(false), json!(false)));
    assert_eq!(asked("A", 0, 2), (0, json!(false), json!(true)));
    // A circle is whole when it comes to where it began.
    assert_eq!(asked("One", 1, 1), (1, json!(false), json!(false)));
    assert_eq!(asked("One", 0, 0), (0, json!(true), json!(true)));
    assert_eq!(asked("Own", 0, 0), (0, json!(false), json!(false)));
    assert_eq!(asked("Own", 50, 50), (0, json!(false), json!(false)));
}

/// SPEC D20: where only a type can be meant, a function of the name is no other meaning.
#[test]
fn of_several_meanings_the_type_is_meant_where_types_are_asked_for() {
    let mut host = Host::new(
        "
//- /app/shapes.py
class Circle:
    \"\"\"Round.\"\"\"
    def area(self):
        \"\"\"How large.\"\"\"
//- /app/make.py
def Circle(): ...
//- /app/two.py
class Square: ...
//- /app/three.py
class Square: ...
def other(): ...
",
    );
    for tool in ["getTypeMembers", "getClassHierarchy"] {
        let data = host.ok(tool, json!({ "name": "Circle" }));
        assert_eq!(data["resolved"]["path"], "shapes.Circle", "{tool}");
        let data = host.ok(tool, json!({ "name": "Circle", "namespace": "shapes" }));
        assert_eq!(data["resolved"]["path"], "shapes.Circle", "{tool}");
        if tool == "getTypeMembers" {
            let data = host.ok(tool, json!({ "name": "Square" }));
            assert_eq!(data["candidates"].as_array().unwrap().len(), 2);
        } else {
            let error = host.fail(tool, json!({ "name": "Square" }));
            assert_eq!(error["code"], "AmbiguousSymbol", "{tool}");
        }
        let data = host.ok(tool, json!({ "name": "Square", "namespace": "two" }));
        assert_eq!(data["resolved"]["path"], "two.Square", "{tool}");
        let error = host.fail(tool, json!({ "name": "other" }));
        assert_eq!(error["code"], "InvalidParams", "{tool}");
        let error = host.fail(tool, json!({ "name": "Circle", "namespace": "nowhere" }));
        assert_eq!(error["code"], "SymbolNotFound", "{tool}");
    }
}

#[test]
fn members_are_filtered_by_kind_inheritance_and_documentation() {
    let mut host = Host::new(
        "
//- /app/shapes.py
class Shape:
    \"\"\"Any.\"\"\"
    size: int
    def area(self):
        \"\"\"How large.\"\"\"
class Circle(Shape, list):
    def round(self): ...
",
    );
    let mut members = |more: Value| {
        let mut args = more.clone();
        args["name"] = json!("Circle");
        let data = host.ok("getTypeMembers", args);
        let members = data["members"].as_array().unwrap();
        assert_eq!(data["total"], members.len());
        assert!(members.iter().all(|member| member.get("preview").is_none()));
        let said = |member: &Value| {
            let doc = member["doc"].as_str().map_or("", |_| "+doc");
            let from = member["inheritedFrom"].as_str().map_or("", |_| "+from");
            format!("{}{from}{doc}", member["name"].as_str().unwrap())
        };
        members.iter().map(said).collect::<Vec<_>>()
    };
    assert_eq!(members(json!({})), ["round", "size+from", "area+from"]);
    assert_eq!(members(json!({ "includeInherited": false })), ["round"]);
    assert_eq!(
        members(json!({ "kinds": ["method"] })),
        ["round", "area+from"]
    );
    assert_eq!(members(json!({ "kinds": [] })).len(), 3);
    let with_docs = members(json!({ "includeDocs": true, "kinds": ["method"] }));
    assert_eq!(with_docs, ["round", "area+from+doc"]);
}

#[test]
fn members_of_go_come_by_aliases_and_by_embedding() {
    let mut host = Host::new(
        "
//- /app/shapes.go
package shapes
type Base struct { Id int }
func (b *Base) Save() {}
type Middle struct { *Base; Id string }
type Outer struct { Middle; Size int }
func (o Outer) Area() int { return o.Size }
type Same = Outer
",
    );
    let mut members = |name: &str, inherited: bool| {
        let args = json!({ "name": name, "includeInherited": inherited });
        let data = host.ok("getTypeMembers", args);
        let members = data["members"].as_array().unwrap().iter();
        let said = |member: &Value| {
            let from = member["inheritedFrom"].as_str().unwrap_or_default();
            format!("{} {from}", member["name"].as_str().unwrap())
        };
        members.map(said).collect::<Vec<_>>()
    };
    assert_eq!(members("Outer", false), ["Middle ", "Size ", "Area "]);
    assert_eq!(
        members("Outer", true),
        [
            "Middle ",
            "Size ",
            "Area ",
            "Base shapes.Middle",
            "Id shapes.Middle",
            "Save shapes.Base"
        ]
    );
    assert_eq!(
        members("Same", false)[..3],
        [
            "Middle shapes.Outer",
            "Size shapes.Outer",
            "Area shapes.Outer"
        ]
    );
}

/// Names and bases of the members of a type.
fn members_of(host: &mut Host, name: &str) -> Vec<String> {
    let data = host.ok("getTypeMembers", json!({ "name": name }));
    let members = data["members"].as_array().unwrap().iter();
    let said = |member: &Value| {
        let from = member["inheritedFrom"].as_str().unwrap_or_default();
        format!("{} {from}", member["name"].as_str().unwrap())
    };
    members.map(said).collect()
}

#[test]
fn types_of_python_that_are_assigned_have_members_and_bases() {
    let mut host = Host::new(
        "
//- /app/units.py
from collections import namedtuple
from enum import Enum
from typing import NamedTuple, NewType, TypeAlias, TypedDict
class Unit:
    size: int
    def run(self): ...
Same = Unit
Said: TypeAlias = Unit
type Written = Unit
New = NewType('New', Unit)
Either = Unit if input() else Enum
Pair = NamedTuple('Pair', [('left', int), ('right', Unit)])
Point = namedtuple('Point', 'x, y')
Options = TypedDict('Options', {'in-reply-to': str})
Colour = Enum('Colour', 'RED GREEN')
class Place(Point):
    def norm(self): ...
//- /app/more.py
from units import Same
Again = Same
class Sub(Again): ...
",
    );
    let unit = ["size units.Unit", "run units.Unit"];
    for name in ["units.Same", "Said", "Written", "New", "Again"] {
        assert_eq!(members_of(&mut host, name), unit, "{name}");
    }
    assert_eq!(members_of(&mut host, "Pair"), ["left ", "right "]);
    assert_eq!(members_of(&mut host, "Point"), ["x ", "y "]);
    assert_eq!(members_of(&mut host, "Options"), ["in-reply-to "]);
    assert_eq!(members_of(&mut host, "Colour"), ["RED ", "GREEN "]);
    assert_eq!(
        members_of(&mut host, "Place"),
        ["norm ", "x units.Point", "y units.Point"]
    );
    let data = host.ok("getClassHierarchy", json!({ "name": "Again" }));
    assert_eq!(data["root"], "units.Unit");
    assert_eq!(names(&data["derivedByParent"]["units.Unit"]), ["more.Sub"]);
    let data = host.ok("getClassHierarchy", json!({ "name": "Point" }));
    assert_eq!(names(&data["supers"]), ["namedtuple"]);
    assert_eq!(
        names(&data["derivedByParent"]["units.Point"]),
        ["units.Place"]
    );
}

#[test]
fn a_class_without_a_name_is_shown_as_what_holds_it() {
    let mut host = Host::new(
        "
//- /app/a.ts
export class Base { hello() {} }
export const Held = class extends Base { own() {} };
export class Low extends Held {}
",
    );
    assert_eq!(members_of(&mut host, "Held"), ["own ", "hello a.Base"]);
    let data = host.ok("getClassHierarchy", json!({ "name": "Base" }));
    assert_eq!(names(&data["derivedByParent"]["a.Base"]), ["a.Held"]);
    assert_eq!(names(&data["derivedByParent"]["a.Held"]), ["a.Low"]);
    let data = host.ok("getClassHierarchy", json!({ "name": "Held" }));
    assert_eq!(data["root"], "a.Held");
    assert_eq!(names(&data["supers"]), ["a.Base"]);
}

#[test]
fn a_variable_that_holds_one_of_several_classes_has_no_hierarchy_of_one() {
    let mut host = Host::new(
        "
//- /app/a.py
class Left:
    def run(self): ...
    def left(self): ...
class Right:
    def run(self): ...
Either = Left if input() else Right
",
    );
    assert_eq!(members_of(&mut host, "Either"), ["run a.Left"]);
    let error = host.fail("getClassHierarchy", json!({ "name": "Either" }));
    assert_eq!(error["hint"], "Ask for one of them: a.Left, a.Right.");
}

/// SPEC TC2: of the same path in two folders none is chosen silently, and the folder's name says which is meant.
#[test]
fn types_of_one_path_in_two_roots_are_told_apart() {
    let mut host = Host::empty(&[("one", "/w/one"), ("two", "/w/two")]);
    host.write("/w/one/src/a.ts", "export class A {\n  first = 1;\n}\n");
    host.write(
        "/w/two/src/a.ts",
        "export class A {\n  second = 1;\n}\nexport class B extends A {}\n",
    );
    host.write("/w/one/p.cs", "partial class P { int One; }\n");
    host.write("/w/two/p.cs", "partial class P { int Two; }\n");
    host.configure();
    for tool in ["getTypeMembers", "getClassHierarchy"] {
        let candidates = match tool {
            "getTypeMembers" => host.ok(tool, json!({ "name": "A" }))["candidates"].clone(),
            _ => {
                let error = host.fail(tool, json!({ "name": "A" }));
                assert_eq!(error["code"], "AmbiguousSymbol", "{tool}");
                error["details"]["candidates"].clone()
            }
        };
        let candidates = candidates.as_array().unwrap().iter();
        let candidates = candidates.map(|candidate| candidate["path"].as_str().unwrap());
        assert_eq!(
            candidates.collect::<Vec<_>>(),
            ["one/src/a.A", "two/src/a.A"]
        );
        host.ok(tool, json!({ "name": "B" }));
        host.ok(tool, json!({ "name": "P" }));
    }
    let data = host.ok("getClassHierarchy", json!({ "name": "two/src/a.A" }));
    assert_eq!(data["sourceByClass"]["src/a.A"]["filePath"], "two/src/a.ts");
    assert_eq!(names(&data["derivedByParent"]["src/a.A"]), ["src/a.B"]);
    let data = host.ok("getTypeMembers", json!({ "name": "one/src/a.A" }));
    assert_eq!(data["members"][0]["name"], "first");
    // An id of an answer means what the answer was about.
    let place = json!({ "filePath": "two/src/a.ts", "position": { "line": 1, "character": 14 } });
    let id = host.ok("resolveSymbolAtPosition", place)["resolved"]["typeId"].clone();
    let data = host.ok("getTypeMembers", json!({ "name": id }));
    assert_eq!(data["members"][0]["name"], "second");
}

/// Packages of one last name give their types one path: each is shown, at its own place.
#[test]
fn types_of_one_path_in_one_answer_have_their_files_behind_it() {
    let mut host = Host::new(
        "//- /app/go.mod\nmodule app\n//- /app/one/view/a.go\npackage view\ntype browser interface {\n\tBrowse(string)\n}\n\
//- /app/two/view/b.go\npackage view\ntype browser interface {\n\tBrowse(string)\n}\n\
//- /app/main.go\npackage main\ntype Stub struct{}\nfunc (Stub) Browse(string) {}\n",
    );
    let data = host.ok("getClassHierarchy", json!({ "name": "Stub" }));
    assert_eq!(
        names(&data["supers"]),
        ["view.browser", "view.browser (app/two/view/b.go)"]
    );
    let files = names(&data["supers"]);
    let files = files
        .iter()
        .map(|name| &data["sourceByClass"][name]["filePath"]);
    assert_eq!(
        files.collect::<Vec<_>>(),
        ["app/one/view/a.go", "app/two/view/b.go"]
    );
}

/// A budget below that of a whole page gives a smaller one, and the rest by cursor (SPEC X1).
#[test]
fn pages_are_as_small_as_the_budget_wants() {
    let mut text = String::from("class Base: pass\n");
    for number in 0..30 {
        text.push_str(&format!(
            "class SomeRatherLongName{number:02}(Base): pass\n"
        ));
    }
    let mut host = Host::new(&format!("\n//- /app/all.py\n{text}"));
    let mut found = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let args =
            json!({ "name": "Base", "maxSubBreadth": 30, "maxTokens": 250, "cursor": cursor });
        let data = host.ok("getClassHierarchy", args);
        let derived = data["derivedByParent"]["all.Base"].as_array().unwrap();
        assert!(!derived.is_empty() && derived.len() < 30, "{data}");
        let left = data["truncated"]["derivedBreadthByClass"]["all.Base"]
            .as_u64()
            .unwrap_or(0);
        found.extend(derived.iter().map(|path| path.as_str().unwrap().to_owned()));
        assert_eq!(found.len() as u64 + left, 30);
        cursor = data["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    found.dedup();
    assert_eq!(found.len(), 30);
}
