//! What kind of change the index tells of (SPEC H3, H4, I2, X2).

use crate::support::Host;
use codecortex_engine::protocol::Event;
use codecortex_engine::protocol::Position;
use codecortex_engine::protocol::TextChange;
use proptest::prelude::*;
use serde_json::{Value, json};

const STORE: &str = "namespace Core;\npublic class Store\n{\n    /// Adds.\n    public int Add(int a) { return a + 1; }\n    private int _size;\n}\n";

fn workspace() -> Host {
    Host::new(&format!(
        "//- /app/Store.cs\n{STORE}//- /app/tool.py\ndef run(): return 1\n"
    ))
}

/// `class path` of each change, sorted.
fn changes(host: &mut Host, args: Value) -> Vec<String> {
    let data = host.ok("changes", args);
    let mut all: Vec<String> = data["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| {
            let text = |field: &str| change[field].as_str().unwrap().to_owned();
            format!("{} {}", text("changeClass"), text("path"))
        })
        .collect();
    all.sort();
    all
}

fn write(host: &mut Host, path: &str, text: &str) {
    host.write(path, text);
    host.touched(&[path]);
}

#[test]
fn each_edit_has_its_class() {
    for (from, to, expected) in [
        (
            "int Add(int a)",
            "int Add(long a)",
            vec!["Structure Core.Store"],
        ),
        ("a + 1", "a + 2", vec!["PublicBehavior Core.Store"]),
        ("_size", "_count", vec!["Internal Core.Store"]),
        ("Adds.", "Adds one.", vec!["Docs Core.Store"]),
        ("{ return", "{  return", vec!["Cosmetic Core.Store"]),
        (
            "class Store",
            "class Shop",
            vec!["added Core.Shop", "removed Core.Store"],
        ),
        ("class Store", "class Store ", vec!["Cosmetic Core.Store"]),
        ("Adds.", "Adds.", vec![]),
    ] {
        let mut host = workspace();
        assert!(changes(&mut host, json!({})).is_empty());
        write(&mut host, "/w/app/Store.cs", &STORE.replacen(from, to, 1));
        assert_eq!(changes(&mut host, json!({})), expected, "{from} -> {to}");
        // Taken back, nothing has changed.
        write(&mut host, "/w/app/Store.cs", STORE);
        assert!(
            changes(&mut host, json!({})).is_empty(),
            "{from} -> {to} -> {from}"
        );
    }
}

#[test]
fn several_classes_at_once_are_all_told() {
    let mut host = workspace();
    let text = STORE
        .replace("a + 1", "a + 2")
        .replace("Adds.", "Adds one.")
        .replace("_size", "_count");
    write(&mut host, "/w/app/Store.cs", &text);
    let data = host.ok("changes", json!({}));
    assert_eq!(
        data["changes"][0]["classes"],
        json!(["PublicBehavior", "Internal", "Docs", "Cosmetic"])
    );
    assert_eq!(data["totalByClass"], json!({ "PublicBehavior": 1 }));
}

#[test]
fn changes_can_be_narrowed_and_go_on_from_a_revision() {
    let mut host = workspace();
    write(
        &mut host,
        "/w/app/Store.cs",
        &STORE.replace("a + 1", "a + 2"),
    );
    let first = host.ok("changes", json!({}));
    write(&mut host, "/w/app/tool.py", "def run(): return 2\n");
    write(&mut host, "/w/app/sub/new.py", "class New: pass\n");
    let later = json!({ "since": first["index"]["revision"] });
    assert_eq!(
        changes(&mut host, later),
        ["PublicBehavior tool", "added new", "added new.New"]
    );
    assert_eq!(
        changes(
            &mut host,
            json!({ "classes": ["added"], "folder": "app/sub" })
        )
        .len(),
        2
    );
    assert!(changes(&mut host, json!({ "classes": "Docs" })).is_empty());
    let error = host.fail("changes", json!({ "classes": ["Nothing"] }));
    assert_eq!(error["code"], "InvalidParams");
    assert!(error["hint"].as_str().unwrap().contains("PublicBehavior"));
}

/// An answer of any tool tells a revision; what changed before it is no news after it, though nobody
/// had asked for changes then.
#[test]
fn a_change_is_as_old_as_what_changed() {
    let mut host = workspace();
    write(&mut host, "/w/app/tool.py", "def run(): return 2\n");
    let seen = host.ok("searchApi", json!({ "labelQuery": "run" }))["index"]["revision"].clone();
    write(
        &mut host,
        "/w/app/Store.cs",
        &STORE.replace("a + 1", "a + 2"),
    );
    let later = changes(&mut host, json!({ "since": seen }));
    assert_eq!(later, ["PublicBehavior Core.Store"]);
    assert_eq!(changes(&mut host, json!({})).len(), 2);
}

#[test]
fn what_an_editor_holds_counts_and_is_named() {
    let mut host = workspace();
    host.send(Event::Opened {
        path: "/w/app/Store.cs".into(),
        version: 1,
        text: STORE.into(),
        dirty: false,
    });
    assert!(changes(&mut host, json!({})).is_empty());
    let at = Position {
        line: 4,
        character: 40,
    };
    host.send(Event::Edited {
        path: "/w/app/Store.cs".into(),
        version: 2,
        changes: vec![TextChange {
            start: at,
            end: at,
            text: "1".into(),
        }],
        dirty: true,
    });
    let data = host.ok("changes", json!({}));
    assert_eq!(data["changes"][0]["changeClass"], "PublicBehavior");
    assert_eq!(data["index"]["unsaved"], true);
}

#[test]
fn a_module_that_becomes_a_package_is_the_same() {
    let mut host = workspace();
    write(&mut host, "/w/app/tool.py", "def run(): return 2\n");
    write(&mut host, "/w/app/tool.py", "def run(): return 1\n");
    assert!(changes(&mut host, json!({})).is_empty());
    host.write("/w/app/tool/__init__.py", "def run(): return 1\n");
    host.touched(&["/w/app/tool", "/w/app/tool/__init__.py"]);
    host.disk.remove("/w/app/tool.py");
    host.touched(&["/w/app/tool.py"]);
    assert!(changes(&mut host, json!({})).is_empty());
}

#[test]
fn hashes_are_of_the_type_or_module_around() {
    let mut host = workspace();
    let store = host.ok("hashes", json!({ "symbol": "Store" }));
    let add = host.ok("hashes", json!({ "symbol": "Core.Store.Add" }));
    assert_eq!(
        (&store["path"], &store["kind"]),
        (&json!("Core.Store"), &json!("class"))
    );
    assert_eq!(store["files"], json!(["app/Store.cs"]));
    assert_eq!(store["structureHash"], add["structureHash"]);
    assert_eq!(add["resolved"]["path"], "Core.Store.Add");
    let run = host.ok("hashes", json!({ "symbol": "run" }));
    assert_eq!(
        (&run["path"], &run["kind"]),
        (&json!("tool"), &json!("module"))
    );
    let names = [
        "structureHash",
        "publicImplHash",
        "internalImplHash",
        "implHash",
        "xmlDocHash",
        "cosmeticHash",
    ];
    for name in names {
        assert_eq!(store[name].as_str().unwrap().len(), 8, "{name}");
    }
    assert_eq!(
        host.fail("hashes", json!({ "symbol": "Core" }))["code"],
        "NotFound"
    );
}

#[test]
fn types_of_two_languages_may_be_called_the_same() {
    let (python, go) = (
        "Path: TypeAlias = 'str'\n",
        "package store\n\ntype Path []string\n",
    );
    let mut host = Host::new(&format!(
        "//- /app/store.py\n{python}//- /app/store/a.go\n{go}"
    ));
    assert!(changes(&mut host, json!({})).is_empty());
    write(&mut host, "/w/app/store.py", &format!("{python}\n"));
    for change in changes(&mut host, json!({})) {
        assert!(change.starts_with("Cosmetic"), "{change}");
    }
    write(&mut host, "/w/app/store.py", python);
    assert!(changes(&mut host, json!({})).is_empty());
    write(&mut host, "/w/app/store/a.go", &go.replace("string", "int"));
    assert_eq!(changes(&mut host, json!({})), ["Structure store.Path"]);
}

/// Lines that texts of the test below are made of.
const LINES: [&str; 10] = [
    "public partial class A { public int X; }",
    "public partial class A { public void F() { X++; } }",
    "public class B : A { }",
    "/// Doc.\npublic class B { private int y = 1; }",
    "public enum E { P, Q }",
    "public class C { public int P => 1; // x\n }",
    "using System;",
    "public interface I { void M(int a = 1); }",
    "public class C { class D { } }",
    "public class {",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// What is told after any number of edits is what a new index tells.
    #[test]
    fn incremental_is_full(edits in prop::collection::vec((0usize..3, prop::collection::vec(0usize..10, 0..4)), 1..8)) {
        let mut host = Host::new("//- /app/a.cs\npublic partial class A { }\n//- /app/b.cs\nclass Z { }\n//- /app/c.cs\n\n");
        let before = host.ok("changes", json!({}));
        prop_assert_eq!(&before["total"], &json!(0));
        let mut texts = [String::from("public partial class A { }\n"), "class Z { }\n".into(), "\n".into()];
        for (file, lines) in edits {
            let text: String = lines.iter().map(|line| format!("{}\n", LINES[*line])).collect();
            texts[file].clone_from(&text);
            write(&mut host, &format!("/w/app/{}.cs", ["a", "b", "c"][file]), &text);
            host.ok("changes", json!({}));
        }
        let fixture: String = ["a", "b", "c"].iter().zip(&texts).map(|(name, text)| format!("//- /app/{name}.cs\n{text}")).collect();
        let mut fresh = Host::new(&fixture);
        for name in ["A", "B", "C", "E", "I", "Z", "C+D"] {
            let args = json!({ "symbol": name });
            let now = host.try_call("hashes", args.clone(), Default::default()).unwrap();
            let full = fresh.try_call("hashes", args, Default::default()).unwrap();
            let hashes = |answer: codecortex_engine::protocol::Answer| -> Vec<Value> {
                let envelope: Value = serde_json::from_str(&answer.json.unwrap()).unwrap();
                ["structureHash", "publicImplHash", "internalImplHash", "xmlDocHash", "cosmeticHash"]
                    .iter().map(|name| envelope["data"][name].clone()).collect()
            };
            prop_assert_eq!(hashes(now), hashes(full), "{}", name);
        }
    }
}

#[test]
fn a_folder_that_is_none_is_no_empty_list() {
    let mut host = workspace();
    write(
        &mut host,
        "/w/app/Store.cs",
        &STORE.replace("a + 1", "a + 2"),
    );
    for tool in ["changes", "status"] {
        let args = |folder: &str| match tool {
            "changes" => json!({ "folder": folder }),
            _ => json!({ "folder": folder, "list": "skipped" }),
        };
        for folder in ["", "app", "app/", "/w/app", "app/Store.cs"] {
            host.ok(tool, args(folder));
        }
        for (folder, code) in [
            ("/etc", "AccessDenied"),
            ("../other", "AccessDenied"),
            ("app/../../x", "AccessDenied"),
            ("nowhere", "NotFound"),
            ("app/nowhere", "NotFound"),
        ] {
            let error = host.fail(tool, args(folder));
            assert_eq!(error["code"], code, "{tool} {folder}");
            assert!(error["hint"].is_string());
        }
    }
    assert_eq!(changes(&mut host, json!({ "folder": "/w/app" })).len(), 1);
}
