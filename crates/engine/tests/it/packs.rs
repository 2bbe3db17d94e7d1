//! Packs: what is chosen, in which order, within which budget, and what is kept (SPEC PK1, D24).

use crate::support::{Host, MIXED};
use codecortex_engine::protocol::Event;
use serde_json::{Value, json};

fn build(host: &mut Host, filter: &str) -> Value {
    host.ok(
        "pack",
        json!({ "action": "build", "name": "p", "filter": filter }),
    )
}

fn symbols(data: &Value, chosen: bool) -> Vec<&str> {
    let types = data["types"].as_array().into_iter().flatten();
    let types = types.filter(|one| one["chosen"] == chosen);
    types.map(|one| one["symbol"].as_str().unwrap()).collect()
}

#[test]
fn filters_choose_types_and_dependencies_come_before() {
    let mut host = Host::new(MIXED);
    for (filter, chosen, added) in [
        (
            "type:NodeStore",
            &["Memo.Core.NodeStore"][..],
            &["Memo.Core.Base", "Memo.Core.IStore"][..],
        ),
        (
            "namespace:memo",
            &["Memo.Core.Base", "Memo.Core.IStore", "Memo.Core.NodeStore"],
            &[],
        ),
        ("tag:interface", &["Memo.Core.IStore"], &[]),
        (
            "tag:partial",
            &["Memo.Core.NodeStore"],
            &["Memo.Core.Base", "Memo.Core.IStore"],
        ),
        (
            "depends:Base",
            &["Memo.Core.NodeStore"],
            &["Memo.Core.Base", "Memo.Core.IStore"],
        ),
        (
            "tag:python OR tag:go",
            &["lib.Server", "pkg.tools.HttpClient"],
            &[],
        ),
        ("namespace:Memo !type:*Store", &["Memo.Core.Base"], &[]),
        ("access:private", &[], &[]),
    ] {
        let data = build(&mut host, filter);
        assert_eq!(symbols(&data, true), chosen, "{filter}");
        assert_eq!(symbols(&data, false), added, "{filter}");
    }
    let data = build(&mut host, "type:NodeStore");
    let all: Vec<&str> = data["types"]
        .as_array()
        .unwrap()
        .iter()
        .map(|t| t["symbol"].as_str().unwrap())
        .collect();
    assert_eq!(
        all.last(),
        Some(&"Memo.Core.NodeStore"),
        "what is needed comes first"
    );
    let error = host.fail(
        "pack",
        json!({ "action": "build", "name": "p", "filter": "type:a AND colour:red" }),
    );
    assert_eq!(error["code"], "InvalidFilter");
    assert_eq!(error["details"]["position"], 12);
    let long = "type:a ".repeat(150_000);
    let error = host.fail(
        "pack",
        json!({ "action": "build", "name": "p", "filter": long }),
    );
    assert_eq!(error["code"], "InvalidFilter");
}

#[test]
fn a_pack_is_a_file_that_is_written_when_it_is_another_one() {
    let mut host = Host::new(MIXED);
    host.clock = 1.7e12;
    host.send(Event::Time { now_ms: 1.7e12 });
    let data = build(&mut host, "namespace:Memo.Core");
    assert_eq!(data["reused"], false);
    host.settle();
    host.touched(&["/w/app/.context"]);
    let text = host.text("/w/app/.context/packs/p.md").unwrap();
    assert!(
        text.starts_with("# Pack: p\nFilter: namespace:Memo.Core\n\n### Memo.Core.Base [class]"),
        "{text}"
    );
    assert_eq!(
        data["packs"][0]["tokenEstimate"].as_u64().unwrap(),
        text.chars().count().div_ceil(4) as u64
    );
    let index: Value =
        serde_json::from_str(&host.text("/w/app/.context/index.json").unwrap()).unwrap();
    assert_eq!(index["packs"][0]["name"], "p");
    assert_eq!(index["packs"][0]["lastBuild"], "2023-11-14T22:13:20Z");
    assert_eq!(index["packs"][0]["typeIds"].as_array().unwrap().len(), 3);
    // The same again is the same file; without a filter it is the last one.
    host.committed.clear();
    host.send(Event::Time { now_ms: 1.7001e12 });
    let again = host.ok("pack", json!({ "action": "build", "name": "p" }));
    assert_eq!(again["reused"], true);
    assert_eq!(again["packs"][0]["lastBuild"], "2023-11-14T22:13:20Z");
    host.settle();
    assert!(
        !host.committed.iter().any(|path| path.contains("packs/")),
        "{:?}",
        host.committed
    );
    host.write(
        "/w/app/src/More.cs",
        "namespace Memo.Core; public class More { }\n",
    );
    host.touched(&["/w/app/src/More.cs"]);
    assert_eq!(
        host.ok("pack", json!({ "action": "build", "name": "p" }))["reused"],
        false
    );
    host.settle();
    assert!(
        host.text("/w/app/.context/packs/p.md")
            .unwrap()
            .contains("Memo.Core.More")
    );
    // It is known to the next process, and weighs more when it is active.
    let cache = host.engine.export_cache(1.0);
    host.restart(cache);
    let list = host.ok("pack", json!({ "action": "list" }));
    assert_eq!(list["packs"][0]["filter"], "namespace:Memo.Core");
    host.ok("pack", json!({ "action": "activate", "name": "p" }));
    for symbol in ["More", "Server", "HttpClient", "Base"] {
        host.ok("getOutline", json!({ "symbol": symbol }));
    }
    let window = host.ok("getContext", json!({ "list": true }));
    let recent = window["pieces"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|piece| piece["tier"] == "recent");
    let recent: Vec<&str> = recent
        .map(|piece| piece["symbol"].as_str().unwrap())
        .collect();
    assert_eq!(
        recent[0], "Memo.Core.More",
        "used before the others, but in an active pack"
    );
    let shown = host.ok("pack", json!({ "action": "show", "name": "p" }));
    assert!(
        shown["text"]
            .as_str()
            .unwrap()
            .contains("### Memo.Core.More")
    );
    host.ok("pack", json!({ "action": "delete", "name": "p" }));
    host.settle();
    assert!(host.text("/w/app/.context/packs/p.md").is_none());
    for (args, code) in [
        (json!({ "action": "show", "name": "p" }), "NotFound"),
        (
            json!({ "action": "build", "name": "../x", "filter": "type:a" }),
            "InvalidParams",
        ),
        (json!({ "action": "build", "name": "x" }), "InvalidParams"),
        (
            json!({ "action": "build", "filter": "type:a" }),
            "InvalidParams",
        ),
        (
            json!({ "action": "build", "name": "x", "filter": "type:a", "root": "none" }),
            "InvalidParams",
        ),
        (
            json!({ "action": "build", "name": "x", "filter": " " }),
            "InvalidFilter",
        ),
    ] {
        assert_eq!(host.fail("pack", args.clone())["code"], code, "{args}");
    }
}

#[test]
fn a_small_pack_leaves_out_what_is_least_needed() {
    let mut host = Host::empty(&[("app", "/w/app")]);
    for n in 0..30 {
        let uses = if n == 0 {
            String::new()
        } else {
            "public void Take(Type0 one) { }".to_owned()
        };
        let text = format!(
            "namespace Many;\npublic class Type{n} {{ public int First(int a) => a; {uses} }}\n"
        );
        host.write(&format!("/w/app/t{n}.cs"), &text);
    }
    host.write(
        "/w/app/.context/config.json",
        "{ \"tags\": { \"low\": [\"t1?.cs\"] } }",
    );
    host.configure();
    host.settle();
    let args = json!({ "action": "build", "name": "p", "filter": "type:Type*", "packTokens": 200 });
    let data = host.ok("pack", args);
    assert!(data["packs"][0]["tokenEstimate"].as_u64().unwrap() <= 200);
    assert_eq!(
        data["types"][0]["symbol"], "Many.Type0",
        "all others need it"
    );
    let (types, cut) = (
        data["types"].as_array().unwrap().len(),
        data["cut"].as_array().unwrap().len(),
    );
    assert!(types > 2 && types + cut == 30, "{types} {cut}");
    for tokens in [0, 1, 10] {
        let args =
            json!({ "action": "build", "name": "p", "filter": "type:Type*", "packTokens": tokens });
        assert_eq!(symbols(&host.ok("pack", args), true).len(), 0);
    }
    let args = json!({ "action": "build", "name": "tags", "filter": "tag:low" });
    let tagged = host.ok("pack", args);
    assert_eq!(symbols(&tagged, true).len(), 10);
}

#[test]
fn attributes_are_tags() {
    let mut host = Host::empty(&[("app", "/w/app")]);
    for (path, text) in [
        (
            "a.cs",
            "namespace N { [System.ObsoleteAttribute(\"use [B]\"), Serializable]\npublic sealed partial class A { [Obsolete] void M() {} } }\n",
        ),
        (
            "b.cs",
            "namespace N { [Marked(typeof(A))] partial class A {} class B {} }\n",
        ),
        (
            "c.ts",
            "@Component({ selector: \"x\" })\nexport class View {}\nexport class Plain {}\n",
        ),
        (
            "d.py",
            "import dataclasses\n\n@dataclasses.dataclass(frozen=True)\nclass Point:\n    x: int\n",
        ),
        (
            "e.rs",
            "/// Doc.\n#[derive(Clone, serde::Serialize)]\n#[repr(C)]\npub struct Row { pub n: u8 }\n",
        ),
        (
            "J.java",
            "package p; @Entity @Table(name = \"j\") public final class J { @Override public String toString() { return \"\"; } }\n",
        ),
        (
            "k.kt",
            "package k\n@Serializable data class Kept(val x: Int)\n",
        ),
        ("w.swift", "@MainActor final class Screen { }\n"),
        ("p.php", "<?php\n#[Entity(repo: 1)]\nclass Post {}\n"),
    ] {
        host.write(&format!("/w/app/{path}"), text);
    }
    host.configure();
    host.settle();
    for (filter, expected) in [
        ("tag:obsolete", &["N.A"][..]),
        ("tag:System.Obsolete*", &["N.A"]),
        ("tag:marked tag:serializable tag:csharp", &["N.A"]),
        ("tag:Component", &["c.View"]),
        ("tag:dataclass", &["d.Point"]),
        ("tag:derive tag:clone tag:Serialize tag:repr", &["e::Row"]),
        ("tag:Entity", &["Post", "p.J"]),
        ("tag:table AND tag:java", &["p.J"]),
        ("tag:serializable AND tag:kotlin", &["k.Kept"]),
        ("tag:mainactor", &["Screen"]),
        ("tag:final", &["Screen", "p.J"]),
        ("tag:sealed", &["N.A"]),
        ("tag:override", &[]),
        ("tag:typeof", &[]),
    ] {
        let data = build(&mut host, filter);
        let mut found = symbols(&data, true);
        found.sort_unstable();
        assert_eq!(found, expected, "{filter}");
    }
    host.write(
        "/w/app/c.ts",
        "@Injectable()\nexport class View {}\nexport class Plain {}\n",
    );
    host.touched(&["/w/app/c.ts"]);
    host.settle();
    assert!(symbols(&build(&mut host, "tag:component"), true).is_empty());
    assert_eq!(
        symbols(&build(&mut host, "tag:injectable"), true),
        ["c.View"]
    );
}
