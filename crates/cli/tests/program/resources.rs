//! Outlines as MCP resources (SPEC RPC1, H1).

use serde_json::{Value, json};

use crate::mcp::Session;
use crate::support::Place;

const STORE: &str = "namespace Shop;
/// Keeps things.
public class Store : IStore { public void Add(Größe<int> size) { } private int count; }
public interface IStore { }
public class Größe<T> { }
";

fn shop() -> Place {
    let place = Place::new();
    place.write("src/Store.cs", STORE);
    place.write("web/cart.ts", "export class Cart {}\n");
    place
}

fn read(session: &mut Session, uri: &str) -> Value {
    session.request("resources/read", &json!({ "uri": uri }))
}

/// URIs of all pages and the descriptions beside them.
fn list(session: &mut Session) -> Vec<(String, String)> {
    let (mut all, mut cursor) = (Vec::new(), Value::Null);
    loop {
        let params = match &cursor {
            Value::Null => json!({}),
            cursor => json!({ "cursor": cursor }),
        };
        let result = session.request("resources/list", &params)["result"].clone();
        for resource in result["resources"].as_array().unwrap() {
            assert_eq!(resource["mimeType"], "text/markdown");
            let text = |name: &str| resource[name].as_str().unwrap().to_owned();
            assert!(!text("name").is_empty());
            all.push((text("uri"), text("description")));
        }
        cursor = result["nextCursor"].clone();
        if cursor.is_null() {
            return all;
        }
    }
}

#[test]
fn every_listed_outline_can_be_read() {
    let place = shop();
    let mut session = Session::start(&place, &["--root", "."]);
    assert_eq!(
        session.server["capabilities"]["resources"]["subscribe"],
        true
    );
    let all = list(&mut session);
    assert_eq!(all.len(), 4, "{all:?}");
    for (uri, _) in &all {
        let contents = read(&mut session, uri)["result"]["contents"][0].clone();
        assert_eq!(
            (&contents["uri"], &contents["mimeType"]),
            (&json!(uri), &json!("text/markdown"))
        );
        assert!(
            contents["text"].as_str().unwrap().starts_with("# "),
            "{contents}"
        );
    }
    let text =
        read(&mut session, "codecortex://outline/Shop.Store")["result"]["contents"][0]["text"]
            .clone();
    let run = place.run(&["outline", "Shop.Store", "--form", "outline"]);
    assert_eq!(
        run.stdout.rsplit_once("// ").unwrap().0,
        text.as_str().unwrap()
    );
    let member = read(&mut session, "codecortex://outline/Store.Add");
    assert!(
        member["result"]["contents"][0]["text"]
            .as_str()
            .unwrap()
            .starts_with("# Shop.Store.Add T_")
    );
}

#[test]
fn what_was_used_comes_first_and_then_what_changed() {
    let place = shop();
    let mut session = Session::start(&place, &["--root", "."]);
    session.call("codecortex_getOutline", &json!({ "symbol": "Cart" }));
    session.call("codecortex_getOutline", &json!({ "symbol": "IStore" }));
    place.write(
        "src/Store.cs",
        STORE
            .replace("int size", "long size")
            .replace("private int", "public int"),
    );
    session.call("codecortex_searchApi", &json!({ "labelQuery": "count" }));
    let all = list(&mut session);
    let first: Vec<(&str, &str)> = all
        .iter()
        .take(3)
        .map(|(uri, note)| {
            (
                uri.rsplit('/').next().unwrap(),
                note.rsplit(" · ").next().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        first,
        [
            ("Shop.IStore", "used"),
            ("web%2Fcart.Cart", "used"),
            ("Shop.Store", "changed: Structure")
        ]
    );
    assert_eq!(all.len(), 4, "each once: {all:?}");
}

#[test]
fn many_types_come_in_pages() {
    let place = Place::new();
    let text: String = (0..230)
        .map(|number| format!("class Type{number}:\n    pass\n"))
        .collect();
    place.write("many.py", text);
    let mut session = Session::start(&place, &["--root", "."]);
    let all = list(&mut session);
    let unique: std::collections::BTreeSet<_> = all.iter().map(|(uri, _)| uri).collect();
    assert_eq!((all.len(), unique.len()), (230, 230));
    let wrong = session.request("resources/list", &json!({ "cursor": "nonsense" }));
    assert_eq!(wrong["error"]["code"], -32602);
}

#[test]
fn there_are_templates() {
    let mut session = Session::start(&shop(), &["--root", "."]);
    let result = session.request("resources/templates/list", &json!({}))["result"].clone();
    let templates = result["resourceTemplates"].as_array().unwrap();
    let uris: Vec<&str> = templates
        .iter()
        .map(|template| template["uriTemplate"].as_str().unwrap())
        .collect();
    let expected = [
        "codecortex://outline/{symbol}",
        "codecortex://semantic/{symbol}",
        "codecortex://observations/{id}",
    ];
    assert_eq!(uris, expected);
    assert_eq!(templates[0]["mimeType"], "text/markdown");
}

#[test]
fn errors_are_those_of_the_protocol() {
    let place = shop();
    // A name of more meanings than are answered together.
    let others: Vec<String> = (1..=8)
        .map(|at| format!("namespace Other{at} {{ public class Store {{ }} }}"))
        .collect();
    place.write("src/Other.cs", others.join("\n"));
    let mut session = Session::start(&place, &["--root", "."]);
    for (uri, code) in [
        ("codecortex://outline/Nothing", -32002),
        ("codecortex://outline/", -32002),
        ("codecortex://other/Store", -32002),
        ("file:///etc/passwd", -32002),
        ("", -32002),
        ("codecortex://outline/Store", -32602),
        ("codecortex://outline/Shop", -32602),
    ] {
        let error = read(&mut session, uri)["error"].clone();
        assert_eq!(error["code"], code, "{uri}: {error}");
        assert_eq!(error["data"]["uri"], uri);
    }
    let error = read(&mut session, "codecortex://outline/Store")["error"].clone();
    let candidates = &error["data"]["error"]["details"]["candidates"];
    assert_eq!(candidates.as_array().unwrap().len(), 9);
    let error =
        session.request("resources/subscribe", &json!({ "uri": "file:///x" }))["error"].clone();
    assert_eq!(error["code"], -32002);
}

#[test]
fn a_subscribed_outline_is_told_of_when_what_others_see_changes() {
    let place = shop();
    let mut session = Session::start(&place, &["--root", "."]);
    let (store, later) = (
        "codecortex://outline/Shop.Store",
        "codecortex://outline/Shop.Later",
    );
    let other = "codecortex://outline/Shop.IStore";
    for uri in [store, later, other] {
        let answer = session.request("resources/subscribe", &json!({ "uri": uri }));
        assert!(answer["result"].is_object(), "{answer}");
    }
    session.request("resources/unsubscribe", &json!({ "uri": other }));
    let mut write = |text: String| {
        place.write("src/Store.cs", text);
        // The change has been taken in when a call has been answered.
        session.call("codecortex_status", &json!({}));
    };
    // What it does inside, and its looks, are no news; its interface is.
    write(STORE.replace("{ } private", "{ count = 1; } private"));
    write(STORE.replace("Add(", "Put("));
    let update = "notifications/resources/updated";
    assert_eq!(session.await_notification(update)["params"]["uri"], store);
    place.write("src/Later.cs", "namespace Shop; public class Later { }");
    assert_eq!(session.await_notification(update)["params"]["uri"], later);
    place.write(
        "src/Store.cs",
        STORE.replace("Add(", "Put(").replace("Keeps", "Holds"),
    );
    assert_eq!(session.await_notification(update)["params"]["uri"], store);
    session.request("ping", &json!({}));
    let more = session
        .heard
        .iter()
        .filter(|heard| heard["method"] == update)
        .count();
    assert_eq!(more, 0, "{:?}", session.heard);
}
