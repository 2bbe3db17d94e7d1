//! Symbols are found as people write them: re-exports, inherited members, crates, overloads (SPEC S1, S2, D20, TC4).

use crate::support::Host;
use serde_json::{Value, json};

const FLASK: &str = "
//- /app/src/flask/__init__.py
from .app import Flask
from .helpers import *
//- /app/src/flask/app.py
from .sansio.base import Base

class Flask(Base):
    def run(self):
        pass
//- /app/src/flask/helpers.py
def url_for():
    pass
//- /app/src/flask/sansio/base.py
class Base:
    def route(self):
        pass
";

fn resolved(host: &mut Host, tool: &str, args: Value) -> Value {
    host.ok(tool, args)["resolved"].clone()
}

#[test]
fn re_exports_and_inherited_members_are_found_and_the_answer_says_how() {
    let mut host = Host::new(FLASK);
    for (asked, path, by) in [
        ("flask.Flask", "flask.app.Flask", "reExport"),
        ("flask.url_for", "flask.helpers.url_for", "reExport"),
        ("flask.Flask.run", "flask.app.Flask.run", "reExport"),
        ("Flask.route", "flask.sansio.base.Base.route", "inherited"),
        (
            "flask.Flask.route",
            "flask.sansio.base.Base.route",
            "inherited",
        ),
    ] {
        for tool in ["resolveSymbol", "findReferences"] {
            let found = resolved(&mut host, tool, json!({ "symbol": asked }));
            assert_eq!(found["path"], path, "{asked} {tool}");
            assert_eq!(found["redirectedFrom"], asked, "{tool}");
            assert_eq!(found["foundBy"], by, "{asked} {tool}");
        }
    }
    let own = resolved(
        &mut host,
        "resolveSymbol",
        json!({ "symbol": "flask.app.Flask" }),
    );
    assert!(own["foundBy"].is_null());
    let error = host.fail("resolveSymbol", json!({ "symbol": "flask.Missing" }));
    assert_eq!(error["code"], "SymbolNotFound");
}

#[test]
fn crates_are_called_as_rust_calls_them() {
    let mut host = Host::new(
        "
//- /app/Cargo.toml
[package]
name = \"my-app\"
version = \"0.1.0\"
//- /app/src/lib.rs
pub mod deep;
pub use deep::Store;
//- /app/src/deep.rs
pub struct Store;
",
    );
    for asked in [
        "my_app::deep::Store",
        "crate::deep::Store",
        "my_app::Store",
        "crate::Store",
    ] {
        for tool in ["resolveSymbol", "findReferences", "getOutline"] {
            let found = resolved(&mut host, tool, json!({ "symbol": asked }));
            assert_eq!(found["path"], "deep::Store", "{asked} {tool}");
        }
    }
}

const BOX: &str = "
//- /app/box.cs
class NodeBox {
    public void Add(string key, int n) { }
    public void Add() { Add(\"a\", 1); }
}
";

#[test]
fn an_overload_set_has_no_single_id() {
    let mut host = Host::new(BOX);
    let data = host.ok("resolveSymbol", json!({ "symbol": "NodeBox.Add" }));
    assert_eq!(data["total"], 2);
    assert_eq!(data["resolved"]["path"], "NodeBox.Add");
    assert!(data["resolved"]["memberId"].is_null());
    assert_ne!(
        data["candidates"][0]["memberId"],
        data["candidates"][1]["memberId"]
    );
    let both = resolved(
        &mut host,
        "findReferences",
        json!({ "symbol": "NodeBox.Add" }),
    );
    assert!(both["memberId"].is_null());
    assert_eq!(both["path"], "NodeBox.Add");
    for (asked, uses) in [
        ("NodeBox.Add()", 0),
        ("NodeBox.Add(System.String, System.Int32)", 1),
    ] {
        let data = host.ok("findReferences", json!({ "symbol": asked }));
        assert_eq!(data["total"], uses, "{asked}");
        let own = resolved(&mut host, "resolveSymbol", json!({ "symbol": asked }));
        assert_eq!(data["resolved"]["memberId"], own["memberId"], "{asked}");
        assert!(own["memberId"].is_string());
    }
}

#[test]
fn another_case_is_said() {
    let mut host = Host::new(BOX);
    let found = resolved(&mut host, "findReferences", json!({ "symbol": "nodebox" }));
    assert_eq!(
        (&found["path"], &found["foundBy"]),
        (&json!("NodeBox"), &json!("otherCase"))
    );
    let found = resolved(&mut host, "findReferences", json!({ "symbol": "NodeBox" }));
    assert!(found["foundBy"].is_null());
}

#[test]
fn one_path_in_two_folders_is_two_symbols() {
    let mut host = Host::empty(&[("one", "/w/one"), ("two", "/w/two")]);
    for root in ["one", "two"] {
        let text = "class A:\n    def go(self):\n        pass\n";
        host.write(&format!("/w/{root}/shop/a.py"), text);
    }
    host.configure();
    for symbol in ["A", "a.A", "A.go"] {
        let error = host.fail("hashes", json!({ "symbol": symbol }));
        assert_eq!(error["code"], "AmbiguousSymbol", "{symbol}");
        assert_eq!(error["details"]["candidates"].as_array().unwrap().len(), 2);
        for tool in ["getOutline", "findReferences"] {
            let data = host.ok(tool, json!({ "symbol": symbol }));
            let paths = data["candidates"].as_array().unwrap().iter();
            let files: Vec<&str> = paths.map(|of| of["filePath"].as_str().unwrap()).collect();
            assert_eq!(files, ["one/shop/a.py", "two/shop/a.py"], "{tool} {symbol}");
        }
        let data = host.ok("resolveSymbol", json!({ "symbol": symbol }));
        let candidates = data["candidates"].as_array().unwrap().iter();
        let files: Vec<&str> = candidates
            .map(|of| of["declarations"][0]["filePath"].as_str().unwrap())
            .collect();
        assert_eq!(files, ["one/shop/a.py", "two/shop/a.py"]);
    }
    let one = resolved(&mut host, "findReferences", json!({ "symbol": "two/a.A" }));
    assert_eq!(one["path"], "a.A");
}

/// A module and the type that is exported beside it differ in case alone.
#[test]
fn an_export_is_meant_before_another_case() {
    let mut host = Host::empty(&[("app", "/w/app")]);
    for (path, text) in [
        ("Cargo.toml", "[package]\nname = \"my-app\"\n"),
        ("src/lib.rs", "mod deep;\npub use deep::Deep;\n"),
        (
            "src/deep.rs",
            "pub struct Deep;\nimpl Deep { pub fn run(&self) {} }\n",
        ),
    ] {
        host.write(&format!("/w/app/{path}"), text);
    }
    host.configure();
    for (asked, path, by) in [
        ("my_app::Deep", "deep::Deep", json!("reExport")),
        ("my_app::Deep::run", "deep::Deep::run", json!("reExport")),
        ("my_app::deep", "deep", json!(null)),
        ("my_app::DEEP", "deep", json!("otherCase")),
    ] {
        let found = resolved(&mut host, "resolveSymbol", json!({ "symbol": asked }));
        assert_eq!(
            (&found["path"], &found["foundBy"]),
            (&json!(path), &by),
            "{asked}"
        );
    }
}
