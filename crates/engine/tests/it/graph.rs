//! The graph of dependencies (SPEC UX1, `000` §18).

use std::collections::{BTreeMap, BTreeSet};

use crate::support::{Host, MIXED};
use codecortex_engine::protocol::Caller;
use expect_test::expect;
use layout::gv::DotParser;
use proptest::prelude::*;
use serde_json::{Value, json};

/// A cycle of three, one of two, generics, a name that is not ASCII, two folders.
const SHOP: &str = "
//- /app/src/core/Orders.cs
namespace Shop;
public class Order : Entity { public Customer By; public Line[] Lines; }
public class Customer : Entity { public Order Last; public Größe<int> Size; }
public class Line { public Order Of; public Product What; }
public class Entity { }
public class Product { private Secret secret; }
public class Secret { }
public class Größe<T> { }
//- /app/src/web/Pages.cs
namespace Web;
public interface IPage { }
public class OrderPage : IPage { public void Show(Shop.Order order, Menu menu) { } }
public class Menu { public MenuItem First; }
public class MenuItem { public Menu In; }
//- /app/other/a.ts
export class Alone {}
";

fn graph(host: &mut Host, args: Value) -> Value {
    host.ok("exportGraph", args)
}

fn names(data: &Value) -> Vec<String> {
    let types = data["types"].as_array().unwrap();
    let name = |node: &Value| {
        let path = node["path"].as_str().unwrap();
        path.rsplit('.').next().unwrap().to_owned()
    };
    types.iter().map(name).collect()
}

/// Names from and to, with `=` before a base.
fn edges(data: &Value) -> Vec<String> {
    let types = data["types"].as_array().unwrap().iter();
    let ids: BTreeMap<&str, String> = types
        .map(|node| node["id"].as_str().unwrap())
        .zip(names(data))
        .collect();
    let edges = data["edges"].as_array().unwrap().iter();
    let edge = |edge: &Value| {
        let end = |name: &str| ids[edge[name].as_str().unwrap()].clone();
        let sign = if edge["base"] == true { "=" } else { "-" };
        format!("{} {sign} {}", end("from"), end("to"))
    };
    edges.map(edge).collect()
}

#[test]
fn a_drawing_is_as_it_was() {
    let mut host = Host::new(SHOP);
    let data = graph(&mut host, json!({}));
    expect![[r#"
        flowchart LR
          %% 12 types, 13 dependencies, 2 cycles
          %% thick arrows lead to bases
          T_5xya4gkf["Shop.Entity"]
          T_g6xvmd2s["Shop.Größe#60;#62;"]
          T_sbkssr8w["Shop.Product"]
          T_r36ww7b7["Shop.Secret"]
          T_cwv79jyj["Web.IPage"]
          T_j2y3f6dt["Web.OrderPage"]
          T_jry5zysj["other/a.Alone"]
          subgraph cycle1["cycle 1"]
            T_ezp14x1z["Shop.Customer"]
            T_rv6fndjy["Shop.Line"]
            T_5j8s0dbx["Shop.Order"]
          end
          subgraph cycle2["cycle 2"]
            T_0m9azz38["Web.Menu"]
            T_t9kvdjdf["Web.MenuItem"]
          end
          T_ezp14x1z ==> T_5xya4gkf
          T_ezp14x1z --> T_g6xvmd2s
          T_ezp14x1z --> T_5j8s0dbx
          T_rv6fndjy --> T_5j8s0dbx
          T_rv6fndjy --> T_sbkssr8w
          T_5j8s0dbx --> T_ezp14x1z
          T_5j8s0dbx ==> T_5xya4gkf
          T_5j8s0dbx --> T_rv6fndjy
          T_0m9azz38 --> T_t9kvdjdf
          T_t9kvdjdf --> T_0m9azz38
          T_j2y3f6dt --> T_5j8s0dbx
          T_j2y3f6dt ==> T_cwv79jyj
          T_j2y3f6dt --> T_0m9azz38
          classDef cycle stroke:#d33,stroke-width:2px
          class cycle1,cycle2 cycle
    "#]]
    .assert_eq(data["graph"].as_str().unwrap());
    let data = graph(
        &mut host,
        json!({ "symbol": "Customer", "notation": "dot" }),
    );
    expect![[r#"
        // 5 types, 7 dependencies, 1 cycle
        digraph dependencies {
          rankdir=LR;
          node [shape=box];
          T_5xya4gkf [label="Shop.Entity"];
          T_g6xvmd2s [label="Shop.Größe<>"];
          subgraph cluster_1 {
            label="cycle 1";
            color=red;
            T_ezp14x1z [label="Shop.Customer"];
            T_rv6fndjy [label="Shop.Line"];
            T_5j8s0dbx [label="Shop.Order"];
          }
          T_ezp14x1z -> T_5xya4gkf [arrowhead=empty];
          T_ezp14x1z -> T_g6xvmd2s;
          T_ezp14x1z -> T_5j8s0dbx;
          T_rv6fndjy -> T_5j8s0dbx;
          T_5j8s0dbx -> T_ezp14x1z;
          T_5j8s0dbx -> T_5xya4gkf [arrowhead=empty];
          T_5j8s0dbx -> T_rv6fndjy;
        }
    "#]]
    .assert_eq(data["graph"].as_str().unwrap());
    assert_eq!(data["resolved"]["path"], "Shop.Customer");
}

#[test]
fn scope_depth_and_direction_choose_the_types() {
    let mut host = Host::new(SHOP);
    let mut shown = |mut args: Value| {
        args["notation"] = json!("json");
        let data = graph(&mut host, args);
        assert_eq!(data["total"].as_u64().unwrap() as usize, names(&data).len());
        names(&data).join(" ")
    };
    assert_eq!(
        shown(json!({ "symbol": "OrderPage", "depth": 0 })),
        "OrderPage"
    );
    assert_eq!(
        shown(json!({ "symbol": "OrderPage", "depth": 1 })),
        "Order IPage Menu OrderPage"
    );
    assert_eq!(
        shown(json!({ "symbol": "OrderPage" })),
        "Customer Entity Line Order IPage Menu MenuItem OrderPage"
    );
    assert_eq!(
        shown(json!({ "symbol": "Menu", "direction": "in", "depth": 1 })),
        "Menu MenuItem OrderPage"
    );
    assert_eq!(
        shown(json!({ "symbol": "Entity", "direction": "both", "depth": 1 })),
        "Customer Entity Order"
    );
    // A member stands for its type, a namespace for its types.
    assert_eq!(shown(json!({ "symbol": "Order.By", "depth": 0 })), "Order");
    assert_eq!(
        shown(json!({ "symbol": "Web" , "depth": 0 })),
        "IPage Menu MenuItem OrderPage"
    );
    assert_eq!(
        shown(json!({ "folder": "app/src/web" })),
        "IPage Menu MenuItem OrderPage"
    );
    assert_eq!(
        shown(json!({ "folder": "src/web/Pages.cs" })),
        "IPage Menu MenuItem OrderPage"
    );
    assert_eq!(shown(json!({ "folder": "other" })), "Alone");
    assert_eq!(shown(json!({ "folder": "app" })).split(' ').count(), 12);
    assert_eq!(
        shown(json!({ "folder": "src/web", "depth": 1 })),
        "Order IPage Menu MenuItem OrderPage"
    );
}

#[test]
fn dependencies_are_bases_and_public_signatures() {
    let mut host = Host::new(SHOP);
    let data = graph(&mut host, json!({ "folder": "src", "notation": "json" }));
    assert_eq!(
        edges(&data),
        [
            "Customer = Entity",
            "Customer - Größe",
            "Customer - Order",
            "Line - Order",
            "Line - Product",
            "Order - Customer",
            "Order = Entity",
            "Order - Line",
            "Menu - MenuItem",
            "MenuItem - Menu",
            "OrderPage - Order",
            "OrderPage = IPage",
            "OrderPage - Menu",
        ]
    );
    let cycle = |name: &str| {
        let types = data["types"].as_array().unwrap();
        let place = names(&data).iter().position(|known| known == name).unwrap();
        types[place]["cycle"].clone()
    };
    assert_eq!(data["cycles"], 2);
    for (name, number) in [
        ("Customer", 1),
        ("Order", 1),
        ("Line", 1),
        ("Menu", 2),
        ("MenuItem", 2),
    ] {
        assert_eq!(cycle(name), number, "{name}");
    }
    assert!(cycle("OrderPage").is_null() && cycle("Entity").is_null());
}

#[test]
fn what_a_limit_or_a_budget_cuts_is_counted() {
    let mut host = Host::new(SHOP);
    let args = json!({ "folder": "src", "limit": 3, "notation": "json" });
    let data = graph(&mut host, args);
    // The best connected are kept, and what is between them.
    assert_eq!(names(&data), ["Customer", "Line", "Order"]);
    assert_eq!((&data["total"], &data["leftOut"]), (&json!(11), &json!(8)));
    assert_eq!(
        (&data["dependencies"], &data["cycles"]),
        (&json!(13), &json!(2))
    );
    for notation in ["mermaid", "dot", "json"] {
        let whole = graph(&mut host, json!({ "notation": notation }));
        let cost = whole["budget"]["tokens_approx"].as_u64().unwrap();
        let args = json!({ "notation": notation, "maxTokens": cost / 2 });
        let less = graph(&mut host, args);
        assert!(less["leftOut"].as_u64().unwrap() > 0 && less["budget"]["truncated"] == true);
        let said = less["leftOut"].to_string();
        if let Some(drawing) = less["graph"].as_str() {
            assert!(
                drawing.contains(&format!(", {said} types left out")),
                "{drawing}"
            );
            check(notation, drawing);
        }
    }
}

#[test]
fn wrong_scopes_are_said() {
    let mut host = Host::new(SHOP);
    for (args, code) in [
        (
            json!({ "symbol": "Order", "folder": "src" }),
            "InvalidParams",
        ),
        (json!({ "symbol": "Ordre" }), "SymbolNotFound"),
        (json!({ "folder": "nowhere" }), "NotFound"),
        (json!({ "folder": "../x" }), "AccessDenied"),
        (json!({ "project": "Shop" }), "NotFound"),
        (json!({ "depth": 21 }), "InvalidParams"),
        (json!({ "limit": 0 }), "InvalidParams"),
        (json!({ "limit": 2001 }), "InvalidParams"),
        (json!({ "level": "file" }), "InvalidParams"),
        (json!({ "symbols": [] }), "InvalidParams"),
        (json!({ "symbols": vec!["Order"; 2001] }), "InvalidParams"),
        (
            json!({ "symbols": ["Order"], "symbol": "Order" }),
            "InvalidParams",
        ),
        (json!({ "symbols": ["Ordre", "Ordr"] }), "SymbolNotFound"),
        (json!({ "notation": "svg" }), "InvalidParams"),
        (json!({ "direction": "up" }), "InvalidParams"),
    ] {
        let error = host.fail("exportGraph", args.clone());
        assert_eq!(error["code"], code, "{args}: {error}");
    }
    let mut host = Host::new("//- /app/a.py\ndef free(): ...\n");
    assert_eq!(
        host.fail("exportGraph", json!({ "symbol": "free" }))["code"],
        "NotFound"
    );
    // Nothing to draw is no failure.
    let data = graph(&mut host, json!({}));
    assert_eq!(data["total"], 0);
    check("mermaid", data["graph"].as_str().unwrap());
}

#[test]
fn the_same_type_in_two_folders_is_two() {
    let mut host = Host::empty(&[("one", "/w/one"), ("two", "/w/two")]);
    for root in ["one", "two"] {
        host.write(
            &format!("/w/{root}/a.cs"),
            "class One { public Two To; } class Two { }",
        );
    }
    host.configure();
    let data = graph(&mut host, json!({ "notation": "json" }));
    let ids: BTreeSet<&str> = data["types"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| node["id"].as_str().unwrap())
        .collect();
    assert_eq!((ids.len(), data["dependencies"].as_u64()), (4, Some(2)));
    let data = graph(&mut host, json!({ "notation": "mermaid" }));
    check("mermaid", data["graph"].as_str().unwrap());
}

#[test]
fn modules_join_the_types_of_a_folder() {
    let mut host = Host::new(SHOP);
    let data = graph(&mut host, json!({ "level": "module", "notation": "json" }));
    let types = data["types"].as_array().unwrap().iter();
    let modules: Vec<String> = types
        .map(|node| {
            format!(
                "{} {} {}",
                node["kind"].as_str().unwrap(),
                node["path"].as_str().unwrap(),
                node["types"]
            )
        })
        .collect();
    assert_eq!(
        modules,
        [
            "module app/other 1",
            "module app/src/core 7",
            "module app/src/web 4"
        ]
    );
    // What a folder needs of itself is no dependency of it.
    let edges = data["edges"].as_array().unwrap();
    assert_eq!(edges.len(), 1);
    assert_eq!(edges[0]["count"], 1);
    assert!(edges[0]["base"].is_null());
    assert_eq!((&data["total"], &data["cycles"]), (&json!(3), &json!(0)));
    for notation in ["mermaid", "dot"] {
        let args = json!({ "level": "module", "notation": notation, "limit": 2 });
        let drawing = graph(&mut host, args)["graph"].take();
        check(notation, drawing.as_str().unwrap());
        let account = "3 modules, 1 dependency, 0 cycles, 1 module left out";
        assert!(drawing.as_str().unwrap().contains(account), "{drawing}");
    }
}

/// Two folders that need each other, one by a base and twice.
#[test]
fn modules_have_cycles_and_counts() {
    let mut host = Host::new(
        "
//- /app/a/a.cs
public class A : B { public C See; }
public class Aa : B { }
//- /app/b/b.cs
public class B { public Aa Back; }
public class C { }
",
    );
    let data = graph(&mut host, json!({ "level": "module", "notation": "json" }));
    assert_eq!(data["cycles"], 1);
    let edges = data["edges"].as_array().unwrap().iter();
    let edges: Vec<(u64, bool)> = edges
        .map(|edge| (edge["count"].as_u64().unwrap(), edge["base"] == true))
        .collect();
    assert_eq!(edges, [(3, true), (1, false)]);
    let types = data["types"].as_array().unwrap();
    assert!(types.iter().all(|node| node["cycle"] == 1));
}

#[test]
fn several_types_are_one_start() {
    let mut host = Host::new(SHOP);
    let args = json!({ "symbols": ["Secret", "src/web/Pages.cs:4", "Gone"], "direction": "in", "depth": 1, "notation": "json" });
    let data = graph(&mut host, args);
    assert_eq!(names(&data), ["Secret", "Menu", "MenuItem", "OrderPage"]);
    let types = data["types"].as_array().unwrap().iter();
    let distances: Vec<u64> = types
        .map(|node| node["distance"].as_u64().unwrap_or(0))
        .collect();
    assert_eq!(distances, [0, 0, 1, 1]);
    assert_eq!(data["missing"], json!(["Gone"]));
}

/// Fails where a drawing is not of its notation.
fn check(notation: &str, drawing: &str) {
    match notation {
        "dot" => {
            let parsed = DotParser::new(drawing).process();
            assert!(parsed.is_ok(), "{parsed:?}\n{drawing}");
        }
        "mermaid" => check_mermaid(drawing),
        _ => {}
    }
}

/// The part of Mermaid's grammar that is written: one statement a line, ids declared before they are
/// used, labels in quotes with nothing in them that Mermaid reads, frames that end.
fn check_mermaid(drawing: &str) {
    let mut lines = drawing.lines();
    assert_eq!(lines.next(), Some("flowchart LR"));
    let (mut declared, mut frames, mut open) = (BTreeSet::new(), BTreeSet::new(), false);
    let is_id = |id: &str| {
        let rest = id.strip_prefix("T_").or(id.strip_prefix("M_"));
        rest.is_some_and(|rest| {
            !rest.is_empty() && rest.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        })
    };
    for line in lines {
        let statement = line.trim_start();
        if let Some(comment) = statement.strip_prefix("%% ") {
            let harmless = |c: char| c.is_ascii_alphanumeric() || " ,".contains(c);
            assert!(comment.chars().all(harmless), "{line}");
        } else if let Some((id, label)) = statement.split_once("[\"") {
            let label = label.strip_suffix("\"]").unwrap();
            let text = entities(label).unwrap();
            assert!(
                !text.contains(|c: char| "\"<>[]{}|\\`#;&".contains(c)),
                "{line}"
            );
            if let Some(frame) = id.strip_prefix("subgraph ") {
                assert!(!open && frames.insert(frame), "{line}");
                open = true;
            } else {
                assert!(is_id(id) && declared.insert(id), "{line}");
            }
        } else if statement == "end" {
            assert!(std::mem::take(&mut open), "{drawing}");
        } else if let Some((from, to)) = statement
            .split_once(" --> ")
            .or(statement.split_once(" ==> "))
        {
            assert!(declared.contains(from) && declared.contains(to), "{line}");
        } else if let Some(names) = statement
            .strip_prefix("class ")
            .and_then(|rest| rest.strip_suffix(" cycle"))
        {
            assert_eq!(names.split(',').collect::<BTreeSet<_>>(), frames);
        } else {
            assert_eq!(statement, "classDef cycle stroke:#d33,stroke-width:2px");
        }
    }
    assert!(!open, "{drawing}");
}

/// A label without its entities; `None` where one does not end.
fn entities(label: &str) -> Option<String> {
    let mut parts = label.split('#');
    let mut text = parts.next()?.to_owned();
    for part in parts {
        let (number, rest) = part.split_once(';')?;
        number.parse::<u32>().ok()?;
        text.push_str(rest);
    }
    Some(text)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever types there are and however little is granted: valid, stable, within the budget.
    #[test]
    fn every_drawing_is_valid(
        types in prop::collection::vec(("[A-Zäéß漢字_][A-Za-z0-9ä漢_]{0,6}", 0usize..3, prop::collection::vec(0usize..12, 0..4)), 1..12),
        dialect in prop::sample::select(vec!["cs", "py", "ts"]),
        notation in prop::sample::select(vec!["mermaid", "dot", "json"]),
        level in prop::sample::select(vec!["type", "module"]),
        tokens in 60u32..700,
    ) {
        let name = |at: usize| types[at % types.len()].0.clone();
        let mut text = String::new();
        for (own, arity, needs) in &types {
            let parameters = ["", "<T>", "<T, U>"][*arity];
            let fields: Vec<String> = needs.iter().enumerate().map(|(n, at)| match dialect {
                "cs" => format!("public {} f{n};", name(*at)),
                "ts" => format!("f{n}: {};", name(*at)),
                _ => format!("    f{n}: {}\n", name(*at)),
            }).collect();
            text.push_str(&match dialect {
                "py" => format!("class {own}:\n    x = 1\n{}", fields.concat()),
                "ts" => format!("export class {own}{parameters} {{ {} }}\n", fields.concat()),
                _ => format!("public class {own}{parameters} {{ {} }}\n", fields.concat()),
            });
        }
        let mut host = Host::new(&format!("//- /app/a b/[x]\"'.{dialect}\n{text}"));
        let args = json!({ "notation": notation, "level": level });
        let data = graph(&mut host, args.clone());
        if let Some(drawing) = data["graph"].as_str() {
            check(notation, drawing);
        }
        prop_assert_eq!(&graph(&mut host, args.clone()), &data);
        let caller = Caller { max_tokens: Some(tokens), ..Caller::default() };
        let answer = host.call_at("codecortex_exportGraph", args, caller).json.unwrap();
        let less: Value = serde_json::from_str(&answer).unwrap();
        if less["ok"] == true {
            prop_assert!(codecortex_engine::tokens_approx(&answer) <= tokens);
            if let Some(drawing) = less["data"]["graph"].as_str() {
                check(notation, drawing);
            }
        } else {
            prop_assert_eq!(&less["error"]["code"], "BudgetExceeded");
        }
    }
}

/// Two crates have a type of the same name; what one adds to its own is not in the other's folder.
#[test]
fn a_folder_has_the_types_that_are_in_it() {
    let mut host = Host::new(
        "
//- /app/one/src/lib.rs
pub struct Error;
//- /app/one/src/more.rs
impl Error { pub fn code(&self) -> u8 { 1 } }
//- /app/two/src/lib.rs
pub struct Error;
",
    );
    let mut files = |folder: &str| {
        let data = graph(&mut host, json!({ "folder": folder, "notation": "json" }));
        let types = data["types"].as_array().unwrap().iter();
        let file = |node: &Value| node["filePath"].as_str().unwrap().to_owned();
        types.map(file).collect::<Vec<_>>()
    };
    assert_eq!(files("one"), ["app/one/src/lib.rs"]);
    assert_eq!(files("one/src/more.rs"), ["app/one/src/lib.rs"]);
    assert_eq!(files("two"), ["app/two/src/lib.rs"]);
}

#[test]
fn several_languages() {
    let mut host = Host::new(MIXED);
    let data = graph(&mut host, json!({ "symbol": "Server", "notation": "json" }));
    assert_eq!(names(&data), ["Server"]);
    let data = graph(
        &mut host,
        json!({ "symbol": "NodeStore", "notation": "json" }),
    );
    assert_eq!(edges(&data), ["NodeStore = Base", "NodeStore = IStore"]);
}
