//! `.context/` kept up to date while files change (SPEC D3, D17, P3, I2, I5, A1, H6).

use crate::support::{Host, Node};
use codecortex_engine::protocol::CommitOutcome;
use codecortex_engine::protocol::Event;
use codecortex_engine::protocol::Position;
use codecortex_engine::protocol::TextChange;
use proptest::prelude::*;
use serde_json::{Value, json};

const STORE: &str = "namespace Core; public class Store { /// Adds.\n public int Add(int a) { return a; } public int Count() { return 0; } int size; }\n";
const SHOP: &str = "namespace Core; public class Shop { public Store Stock() { return null; } }\n";

/// A workspace with a folder that is up to date.
fn workspace() -> Host {
    let mut host = Host::new(&format!(
        "//- /app/src/Store.cs\n{STORE}//- /app/src/Shop.cs\n{SHOP}//- /app/src/Core.csproj\n<Project Sdk=\"Microsoft.NET.Sdk\" />\n"
    ));
    host.send(Event::KeepContext { root: 0 });
    host.settle();
    host.touched(&["/w/app/.context"]);
    host.settle();
    host.committed.clear();
    host
}

fn index(host: &Host) -> Value {
    serde_json::from_str(&host.text("/w/app/.context/index.json").unwrap()).unwrap()
}

fn type_of(host: &Host, fqn: &str) -> Value {
    let index = index(host);
    let types = index["types"].as_array().unwrap();
    types
        .iter()
        .find(|t| t["fqn"] == fqn)
        .cloned()
        .unwrap_or(Value::Null)
}

fn write(host: &mut Host, path: &str, text: &str) {
    host.write(path, text);
    host.touched(&[path]);
}

#[test]
fn nothing_is_written_before_somebody_wants_it() {
    let mut host = Host::new(&format!("//- /app/Store.cs\n{STORE}"));
    host.settle();
    write(&mut host, "/w/app/Store.cs", &STORE.replace("Adds", "Puts"));
    host.settle();
    host.ok(
        "getOutline",
        json!({ "symbol": "Store", "form": "outline" }),
    );
    host.settle();
    assert!(host.committed.is_empty() && host.tick_asked.is_none());
}

#[test]
fn a_saved_change_is_in_the_index_after_one_tick() {
    let mut host = workspace();
    assert_eq!(host.tick_asked, None, "nothing is left to do");
    write(
        &mut host,
        "/w/app/src/Store.cs",
        &STORE.replace("return a;", "return a + 1;"),
    );
    assert_eq!(host.tick_asked, Some(50));
    host.settle();
    assert_eq!(
        type_of(&host, "Core.Store")["changeClass"],
        "PublicBehavior"
    );
    assert_eq!(type_of(&host, "Core.Shop")["changeClass"], Value::Null);
    write(
        &mut host,
        "/w/app/src/Store.cs",
        &STORE.replace("int a", "long a"),
    );
    host.settle();
    assert_eq!(type_of(&host, "Core.Store")["changeClass"], "Structure");
    assert_eq!(
        type_of(&host, "Core.Shop")["changeClass"],
        "Structure-Dependency"
    );
}

#[test]
fn what_did_not_change_is_not_written() {
    let mut host = workspace();
    host.write("/w/app/src/Store.cs", STORE);
    host.touched(&["/w/app/src/Store.cs"]);
    host.settle();
    assert!(host.committed.is_empty(), "{:?}", host.committed);
}

#[test]
fn unsaved_text_waits_until_it_is_saved() {
    let mut host = workspace();
    let path = "/w/app/src/Shop.cs".to_owned();
    host.send(Event::Opened {
        path: path.clone(),
        version: 1,
        text: SHOP.to_owned(),
        dirty: false,
    });
    let start = Position {
        line: 0,
        character: 0,
    };
    host.send(Event::Edited {
        path: path.clone(),
        version: 2,
        changes: vec![TextChange {
            start,
            end: start,
            text: "// new\n".to_owned(),
        }],
        dirty: true,
    });
    host.ok("changes", json!({}));
    host.settle();
    assert!(host.committed.is_empty(), "{:?}", host.committed);
    host.write(&path, &format!("// new\n{SHOP}"));
    host.send(Event::Saved { path: path.clone() });
    host.touched(&[&path]);
    host.ok("changes", json!({}));
    host.settle();
    assert_eq!(type_of(&host, "Core.Shop")["changeClass"], "Cosmetic");
}

#[test]
fn an_outline_that_was_asked_for_is_kept_fresh() {
    let mut host = workspace();
    host.ok(
        "getOutline",
        json!({ "symbol": "Core.Store", "form": "outline" }),
    );
    host.settle();
    let id = type_of(&host, "Core.Store")["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let path = format!("/w/app/.context/types/{id}.outline.md");
    let first = host.text(&path).unwrap();
    assert!(first.contains("+ public int Add(int a)"), "{first}");
    // The body is somebody's as long as neither structure nor documentation changes.
    host.write(&path, &first.replace("Add(int a)", "Add(int a) (by hand)"));
    write(
        &mut host,
        "/w/app/src/Store.cs",
        &STORE.replace("return a;", "return a + 1;"),
    );
    host.settle();
    let second = host.text(&path).unwrap();
    assert!(second.contains("by hand"), "{second}");
    assert_ne!(
        second.lines().nth(2),
        first.lines().nth(2),
        "its hashes are new"
    );
    write(
        &mut host,
        "/w/app/src/Store.cs",
        &STORE.replace("int a", "long a"),
    );
    host.settle();
    let third = host.text(&path).unwrap();
    assert!(
        third.contains("Add(long a)") && !third.contains("by hand"),
        "{third}"
    );
    // Whoever deletes it does not want it.
    host.disk.remove(&path);
    write(
        &mut host,
        "/w/app/src/Store.cs",
        &STORE.replace("return a;", "return a + 2;"),
    );
    host.settle();
    assert!(host.text(&path).is_none());
}

#[test]
fn a_renamed_type_is_found_by_its_old_name_and_id() {
    let mut host = workspace();
    host.ok(
        "getOutline",
        json!({ "symbol": "Core.Store", "form": "outline" }),
    );
    host.settle();
    let old = type_of(&host, "Core.Store")["id"]
        .as_str()
        .unwrap()
        .to_owned();
    write(
        &mut host,
        "/w/app/src/Store.cs",
        &STORE.replace("class Store", "class Depot"),
    );
    host.settle();
    let new = type_of(&host, "Core.Depot")["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let outline = format!("/w/app/.context/types/{new}.outline.md");
    assert!(host.text(&outline).unwrap().starts_with("# Core.Depot"));
    assert!(
        host.text(&format!("/w/app/.context/types/{old}.outline.md"))
            .is_none()
    );
    for asked in [old.as_str(), "Core.Store"] {
        let data = host.ok("resolveSymbol", json!({ "symbol": asked }));
        assert_eq!(data["resolved"]["path"], "Core.Depot", "{asked}");
        assert_eq!(data["resolved"]["redirectedFrom"], asked);
    }
    let member = host.ok("getOutline", json!({ "symbol": "Core.Store.Add" }));
    assert_eq!(member["resolved"]["path"], "Core.Depot.Add");
    assert_eq!(member["resolved"]["redirectedFrom"], "Core.Store.Add");
    assert_eq!(
        host.ok("resolveSymbol", json!({ "symbol": "Core.Depot" }))["resolved"]["redirectedFrom"],
        Value::Null
    );
    let aliases = host.ok("aliases", json!({ "id": old }));
    assert_eq!(aliases["aliases"][0]["newTypeId"], new.as_str());
    assert_eq!(aliases["aliases"][0]["reason"], "rename");
    // A process that only looks reads the folder for it and writes nothing.
    let mut other = Host::empty(&[("app", "/w/app")]);
    host.disk
        .iter()
        .for_each(|(path, node)| other.put(path, node.clone()));
    other.configure();
    let data = other.ok("resolveSymbol", json!({ "symbol": old }));
    assert_eq!(data["resolved"]["path"], "Core.Depot");
    assert!(other.committed.is_empty());
}

#[test]
fn another_writer_loses_nothing() {
    let mut host = workspace();
    // Another process saw a change first and wrote it down.
    let changed = STORE.replace("return a;", "return a + 1;");
    let mut other = Host::empty(&[("app", "/w/app")]);
    host.write("/w/app/src/Store.cs", &changed);
    host.disk
        .iter()
        .for_each(|(path, node)| other.put(path, node.clone()));
    other.configure();
    other.settle();
    assert!(
        other
            .committed
            .iter()
            .any(|path| path.ends_with("index.json"))
    );
    for (path, node) in &other.disk {
        if path.starts_with("/w/app/.context/") {
            host.put(path, node.clone());
        }
    }
    write(
        &mut host,
        "/w/app/src/Shop.cs",
        &SHOP.replace("null", "new Store()"),
    );
    host.touched(&["/w/app/src/Store.cs"]);
    host.settle();
    assert_eq!(
        type_of(&host, "Core.Store")["changeClass"],
        "PublicBehavior"
    );
    assert_eq!(type_of(&host, "Core.Shop")["changeClass"], "PublicBehavior");
}

#[test]
fn a_disk_that_fails_is_told_once_and_tried_again() {
    let mut host = workspace();
    let full = CommitOutcome::Failed {
        reason: "the disk is full.".to_owned(),
    };
    host.refuse = vec![full.clone(), full];
    write(
        &mut host,
        "/w/app/src/Store.cs",
        &STORE.replace("return a;", "return a + 1;"),
    );
    host.settle();
    assert_eq!(host.notices.len(), 1, "{:?}", host.notices);
    assert!(host.notices[0].contains("the disk is full"));
    assert_eq!(
        type_of(&host, "Core.Store")["changeClass"],
        "PublicBehavior"
    );
    assert!(host.ok("status", json!({}))["context"][0]["failure"].is_null());
    host.refuse = vec![CommitOutcome::Busy, CommitOutcome::Busy];
    write(&mut host, "/w/app/src/Store.cs", STORE);
    host.settle();
    assert_eq!(host.notices.len(), 1);
    let types = index(&host)["types"].clone();
    assert_eq!(types.as_array().unwrap().len(), 2);
}

#[test]
fn a_folder_that_is_deleted_stays_away_and_comes_back_whole() {
    let mut host = workspace();
    let is_kept = |path: &String| !path.starts_with("/w/app/.context/");
    host.disk.retain(|path, _| is_kept(path));
    host.mtimes.retain(|path, _| is_kept(path));
    host.touched(&["/w/app/.context"]);
    write(
        &mut host,
        "/w/app/src/Store.cs",
        &STORE.replace("return a;", "return a + 1;"),
    );
    host.settle();
    assert!(host.committed.is_empty(), "{:?}", host.committed);
    host.send(Event::KeepContext { root: 0 });
    host.settle();
    assert_eq!(index(&host)["types"].as_array().unwrap().len(), 2);
}

#[test]
fn broken_files_are_told_and_made_anew() {
    let mut host = workspace();
    host.put(
        "/w/app/.context/index.json",
        Node::File(b"{ \"schemaVersion\": ".to_vec()),
    );
    host.put(
        "/w/app/.context/cache/ledger.bin",
        Node::File(vec![0xff; 100]),
    );
    host.put("/w/app/.context/config.json", Node::File(b"[]".to_vec()));
    host.engine = codecortex_engine::Engine::new();
    host.configure();
    host.settle();
    assert_eq!(index(&host)["types"].as_array().unwrap().len(), 2);
    for file in ["index.json", "ledger.bin", "config.json"] {
        assert!(
            host.notices.iter().any(|text| text.contains(file)),
            "{file}: {:?}",
            host.notices
        );
    }
}

#[test]
fn invalidating_reads_again_whatever_the_cache_says() {
    let mut host = workspace();
    host.reads.clear();
    let data = host.ok("invalidate", json!({ "symbol": "Core.Store" }));
    // Nobody has described the type, so nothing of it is stale.
    assert_eq!((&data["total"], &data["types"]), (&json!(1), &json!(0)));
    assert_eq!(host.reads, ["/w/app/src/Store.cs"]);
    assert_eq!(host.ok("invalidate", json!({ "all": true }))["total"], 2);
    assert_eq!(
        host.ok("invalidate", json!({ "filePath": "app/src" }))["total"],
        2
    );
    assert_eq!(host.fail("invalidate", json!({}))["code"], "InvalidParams");
    assert_eq!(
        host.fail("invalidate", json!({ "filePath": "app/none.cs" }))["code"],
        "NotFound"
    );
}

#[test]
fn projects_can_be_listed() {
    let mut host = workspace();
    let data = host.ok("status", json!({ "list": "projects" }));
    assert_eq!(data["list"][0]["filePath"], "app/src/Core.csproj");
    write(&mut host, "/w/app/src/Core.csproj", "<Project>");
    let data = host.ok("status", json!({ "list": "projectProblems" }));
    assert_eq!(data["list"][0]["filePath"], "app/src/Core.csproj");
}

/// An edit of a small workspace.
#[derive(Clone, Debug)]
enum Edit {
    Write(usize, usize),
    Delete(usize),
    Settle,
    /// The process is killed after so many steps of its next commit; another one starts.
    Kill(usize),
}

const PATHS: [&str; 4] = [
    "/w/app/a.cs",
    "/w/app/b.cs",
    "/w/app/sub/c.cs",
    "/w/app/d.py",
];
const TEXTS: [&str; 9] = [
    "namespace N; public class A { public B Other() { return null; } }\n",
    "namespace N; public class B { public int X() { return 1; } public int Y; }\n",
    "namespace N; public class B { public int X() { return 2; } public int Y; }\n",
    "namespace N; public class B { public long X() { return 2; } public int Y; }\n",
    "namespace N; public class Renamed { public int X() { return 1; } public int Y; }\n",
    "namespace N; public partial class P { public A One; } public class B { }\n",
    "namespace N; public partial class P { public B Two; }\n",
    "class D:\n    def run(self) -> int:\n        return 1\n",
    "namespace N; public class B {",
];

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let edit = prop_oneof![
        6 => (0..PATHS.len(), 0..TEXTS.len()).prop_map(|(path, text)| Edit::Write(path, text)),
        2 => (0..PATHS.len()).prop_map(Edit::Delete),
        3 => Just(Edit::Settle),
        1 => (0..8usize).prop_map(Edit::Kill),
    ];
    prop::collection::vec(edit, 1..14)
}

/// What the index says of each type, without what is of its past.
fn present(host: &Host) -> Vec<Value> {
    let keys = [
        "id",
        "fqn",
        "projectId",
        "kind",
        "files",
        "structureHash",
        "publicImplHash",
        "internalImplHash",
        "cosmeticHash",
        "implHash",
        "xmlDocHash",
        "semanticGroupId",
        "depthHint",
    ];
    let index = index(host);
    let types = index["types"].as_array().unwrap();
    types
        .iter()
        .map(|t| keys.iter().map(|key| t[key].clone()).collect())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn the_folder_says_what_a_new_one_would(edits in edits()) {
        let mut host = workspace();
        for edit in edits {
            match edit {
                Edit::Write(path, text) => write(&mut host, PATHS[path], TEXTS[text]),
                Edit::Delete(path) => {
                    host.disk.remove(PATHS[path]);
                    host.touched(&[PATHS[path]]);
                }
                Edit::Settle => host.settle(),
                Edit::Kill(steps) => {
                    host.die_after = Some(steps);
                    host.settle();
                    host.die_after = None;
                    host.tick_asked = None;
                    host.engine = codecortex_engine::Engine::new();
                    host.configure();
                }
            }
        }
        host.settle();
        let kept = present(&host);
        let mut fresh = Host::empty(&[("app", "/w/app")]);
        for (path, node) in &host.disk {
            if !path.starts_with("/w/app/.context/") {
                fresh.put(path, node.clone());
            }
        }
        fresh.configure();
        fresh.send(Event::KeepContext { root: 0 });
        fresh.settle();
        prop_assert_eq!(kept, present(&fresh));
    }
}

#[test]
fn below_the_ceiling_things_are_given_up_in_order() {
    let mut fixture = String::new();
    for number in 0..400 {
        let members: String = (0..40)
            .map(|member| format!("    public int Member{member}(int a) {{ return a; }}\n"))
            .collect();
        fixture.push_str(&format!(
            "//- /app/C{number}.cs\nnamespace N;\npublic class C{number}\n{{\n{members}}}\n"
        ));
    }
    let mut host = Host::new(&fixture);
    let whole = host.ok("status", json!({}));
    assert_eq!(whole["givenUp"], Value::Null);
    host.config.memory_ceiling_mb = 1;
    host.configure();
    let status = host.ok("status", json!({}));
    assert_eq!(status["givenUp"], json!(["trees", "caches", "bodies"]));
    assert!(status["memoryBytes"].as_u64() < whole["memoryBytes"].as_u64());
    // What still works, works; what does not, says so.
    let found = host.ok("searchApi", json!({ "labelQuery": "Member7" }));
    assert_eq!(found["items"][0]["name"], "Member7");
    host.ok("getOutline", json!({ "symbol": "N.C7" }));
    for tool in ["changes", "hashes"] {
        let args = if tool == "hashes" {
            json!({ "symbol": "N.C7" })
        } else {
            json!({})
        };
        assert_eq!(host.fail(tool, args)["code"], "Unavailable");
    }
    assert!(!host.notices.is_empty());
    // Room again, and everything is as before.
    host.config.memory_ceiling_mb = 1000;
    host.configure();
    assert_eq!(host.ok("status", json!({}))["givenUp"], Value::Null);
    host.ok("hashes", json!({ "symbol": "N.C7" }));
}

#[test]
fn a_branch_switch_of_thousands_of_files_is_one_batch() {
    const FILES: usize = 5_000;
    let text = |number: usize, value: usize| {
        format!(
            "namespace N; public class C{number} {{ public int Value() {{ return {value}; }} }}\n"
        )
    };
    let path = |number: usize| format!("/w/app/d{}/C{number}.cs", number % 50);
    let mut host = Host::empty(&[("app", "/w/app")]);
    for number in 0..FILES {
        host.write(&path(number), &text(number, 1));
    }
    host.configure();
    host.send(Event::KeepContext { root: 0 });
    host.settle();
    host.touched(&["/w/app/.context"]);
    host.settle();
    host.committed.clear();
    host.reads.clear();
    // Half of the files are others, a tenth is gone, as many are new.
    let mut paths = Vec::new();
    for number in 0..FILES {
        if number % 10 == 3 {
            host.disk.remove(&path(number));
            host.write(&path(number + FILES), &text(number + FILES, 1));
            paths.push(path(number + FILES));
        } else if number % 2 == 0 {
            host.write(&path(number), &text(number, 2));
        }
        paths.push(path(number));
    }
    host.send(Event::Changed { paths });
    host.settle();
    let written = |name: &str| {
        host.committed
            .iter()
            .filter(|path| path.ends_with(name))
            .count()
    };
    assert_eq!(written("index.json"), 1, "{:?}", host.committed);
    let types = index(&host)["types"].as_array().unwrap().clone();
    assert_eq!(types.len(), FILES);
    let changed = types
        .iter()
        .filter(|t| t["changeClass"] == "PublicBehavior")
        .count();
    assert_eq!(changed, FILES / 2);
    let total = host.ok("changes", json!({ "limit": 1 }))["total"].clone();
    assert_eq!(total, FILES / 2 + 2 * FILES / 10);
}
