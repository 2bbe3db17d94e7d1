//! `codecortex scip`: what it writes, by the format's rules and beside the tools' own answers (SPEC X11).

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use protobuf::Message;
use scip::types::{Index, SymbolRole};
use serde_json::{Value, json};

use crate::scip_rules::{has, problems, whole_range};
use crate::support::Place;

/// A workspace with every language that is resolved, and one that is not.
fn everything() -> Place {
    let place = Place::new();
    place.write(
        "package.json",
        r#"{ "name": "@shop/web", "version": "1.2.0" }"#,
    );
    place.write(
        "web/store.ts",
        "export interface Store { load(key: string): number }\n\
         /** Keeps things. */\nexport class Disk implements Store {\n  size = 0;\n  \
         load(key: string): number { return this.size + key.length; }\n}\n\
         export function open(): Store { return new Disk(); }\n\
         export function open2(a: number): void;\nexport function open2(a: string): void;\n\
         export function open2(a: unknown): void { console.log(a); }\n",
    );
    place.write(
        "web/main.ts",
        "import { Disk as Disc, open } from \"./store\";\nimport fs from \"fs\";\n\
         const größe = \"😀\"; const disk: Disc = new Disc();\n\
         disk.size = open().load(größe) + fs.length; disk.size += 1;\n\
         for (const part of [1]) { const twice = part * 2; console.log(twice); }\n",
    );
    place.write(
        "net/Shop.cs",
        "namespace Shop.Core;\npublic interface IStore { void Add(string name); }\n\
         public partial class Store : IStore { public void Add(string name) { } public void Add(int n) { Add(\"x\"); } }\n",
    );
    // Generated, and so in no document; a type in parts is what people write of it.
    place.write(
        "net/A.Designer.cs",
        "namespace Shop.Core;\npublic partial class Store { int hidden; }\n",
    );
    place.write(
        "net/Use.cs",
        "namespace Shop.Core;\nclass Use { Store of = new Store(); int n() => of.Count; }\n",
    );
    place.write(
        "net/Shop.Part.cs",
        "namespace Shop.Core;\npublic partial class Store { public int Count => 1; int Twice() => Count * 2; }\n",
    );
    place.write(
        "py/shop.py",
        "import os\n\nclass Base:\n    def cost(self, factor=1): ...\n\nclass Item(Base):\n    \
         def cost(self, factor=1):\n        self.last = factor\n        return self.last\n\n\
         total = 0\ntotal = Item().cost(factor=2)\nprint(os.name, total)\n",
    );
    place.write(
        "rs/Cargo.toml",
        "[package]\nname = \"parts\"\nversion = \"0.1.0\"\n",
    );
    place.write(
        "rs/src/lib.rs",
        "pub trait Part { fn mass(&self) -> u32; }\npub struct Wheel { pub r: u32 }\n\
         impl Part for Wheel { fn mass(&self) -> u32 { self.r } }\n\
         pub fn sum<P: Part>(part: &P) -> u32 { let once = part.mass(); once }\n",
    );
    place.write("go/go.mod", "module example.com/nodes\n");
    place.write(
        "go/nodes.go",
        "package nodes\n\ntype Node interface{ Rank() int }\n\ntype Leaf struct{ depth int }\n\n\
         func (l Leaf) Rank() int { return l.depth }\n\nfunc Top(n Node) int { return n.Rank() }\n",
    );
    place.write(
        "jv/Form.java",
        "package forms;\ninterface Form { int size(); }\nclass Ring implements Form {\n  \
         public int size() { return all(this); }\n  static int all(Form f) { return f.size(); }\n}\n",
    );
    place.write(
        "cc/unit.h",
        "struct Unit;\nstruct Unit { virtual int load(int n); int count; };\nint heavy(Unit& unit);\n",
    );
    place.write(
        "cc/unit.cpp",
        "#include \"unit.h\"\nint Unit::load(int n) { return count + n; }\n\
         int heavy(Unit& unit) { return unit.load(1); }\nstatic int helper() { return 1; }\n",
    );
    place.write(
        "cc/other.cpp",
        "static int helper() { return 2; }\nint both() { return helper(); }\n",
    );
    place.write(
        "rb/tool.rb",
        "module Tools\n  class Saw\n    def cut\n    end\n  end\nend\n",
    );
    place
}

fn export(place: &Place) -> Index {
    let run = place.run(&["scip"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.stdout, "");
    read(&place.path().join("index.scip"))
}

fn read(path: &Path) -> Index {
    Index::parse_from_bytes(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn an_index_keeps_the_rules_of_its_format() {
    let place = everything();
    let index = export(&place);
    let text = |path: &str| std::fs::read_to_string(place.path().join(path)).ok();
    assert_eq!(problems(&index, text), Vec::<String>::new());
    assert!(index.metadata.project_root.starts_with("file:///"));
    let languages: HashSet<&str> = index
        .documents
        .iter()
        .map(|document| document.language.as_str())
        .collect();
    for language in [
        "CSharp",
        "TypeScript",
        "Python",
        "Rust",
        "Go",
        "Java",
        "CPP",
        "Ruby",
    ] {
        assert!(languages.contains(language), "{language}: {languages:?}");
    }
}

#[test]
fn the_rules_find_what_is_wrong() {
    let place = everything();
    let good = export(&place);
    let text = |path: &str| std::fs::read_to_string(place.path().join(path)).ok();
    let broken = |change: fn(&mut Index)| {
        let mut index = good.clone();
        change(&mut index);
        !problems(&index, text).is_empty()
    };
    assert!(broken(|index| index.documents[0].occurrences[0]
        .symbol
        .push('x')));
    assert!(broken(
        |index| index.documents[0].occurrences[0].range[2] = 9999
    ));
    assert!(broken(|index| index.documents[0].symbols.clear()));
    assert!(broken(|index| {
        let again = index.documents[0].occurrences[0].clone();
        index.documents[0].occurrences.insert(0, again);
    }));
    assert!(broken(
        |index| index.documents[0].position_encoding = Default::default()
    ));
}

#[test]
fn the_same_files_give_the_same_bytes() {
    let place = everything();
    let first = {
        export(&place);
        std::fs::read(place.path().join("index.scip")).unwrap()
    };
    let again = place.path().join("again.scip");
    let run = place.run(&[
        "scip",
        "--threads",
        "2",
        "--no-cache",
        "-o",
        again.to_str().unwrap(),
    ]);
    assert_eq!(run.code, Some(0));
    assert_eq!(std::fs::read(again).unwrap(), first);
    let names: Vec<PathBuf> = std::fs::read_dir(place.path())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "tmp"))
        .collect();
    assert_eq!(names, Vec::<PathBuf>::new());
}

/// Every occurrence as `line:from-to roles symbol`, of those whose symbol contains a word.
fn shown(index: &Index, path: &str, word: &str) -> Vec<String> {
    let document = index
        .documents
        .iter()
        .find(|document| document.relative_path == path);
    let occurrences = document.unwrap().occurrences.iter();
    let shown = occurrences.filter(|occurrence| occurrence.symbol.contains(word));
    shown
        .map(|occurrence| {
            let range = whole_range(&occurrence.range).unwrap();
            let roles: String = [
                (SymbolRole::Definition, 'D'),
                (SymbolRole::Import, 'I'),
                (SymbolRole::WriteAccess, 'W'),
                (SymbolRole::ReadAccess, 'R'),
                (SymbolRole::Test, 'T'),
                (SymbolRole::ForwardDefinition, 'F'),
            ]
            .iter()
            .filter(|(role, _)| has(occurrence, *role))
            .map(|(_, letter)| *letter)
            .collect();
            let symbol = occurrence.symbol.replace("codecortex ", "");
            format!(
                "{}:{}-{} {roles} {symbol}",
                range[0] + 1,
                range[1],
                range[3]
            )
        })
        .collect()
}

#[test]
fn symbols_say_where_they_are_and_places_what_they_do() {
    let place = everything();
    let index = export(&place);
    assert_eq!(
        shown(&index, "web/main.ts", "Disk#"),
        [
            "1:9-13 I npm @shop/web 1.2.0 web/store/Disk#",
            "1:17-21 I npm @shop/web 1.2.0 web/store/Disk#",
            // Bytes of UTF-8: what stands before has more of them than characters.
            "3:36-40  npm @shop/web 1.2.0 web/store/Disk#",
            "3:47-51 R npm @shop/web 1.2.0 web/store/Disk#",
            "4:5-9 W npm @shop/web 1.2.0 web/store/Disk#size.",
            "4:51-55 WR npm @shop/web 1.2.0 web/store/Disk#size.",
        ]
    );
    assert_eq!(
        shown(&index, "web/store.ts", "open2"),
        [
            "8:16-21 F npm @shop/web 1.2.0 web/store/open2().",
            "9:16-21 F npm @shop/web 1.2.0 web/store/open2().",
            "10:16-21 D npm @shop/web 1.2.0 web/store/open2().",
        ]
    );
    // Overloads have symbols of their own, parts of a type one.
    assert_eq!(
        shown(&index, "net/Shop.cs", "Store#Add"),
        [
            "2:31-34 D . . . Shop/Core/IStore#Add().",
            "2:42-46 D . . . Shop/Core/IStore#Add().(name)",
            "3:50-53 D . . . Shop/Core/Store#Add().",
            "3:61-65 D . . . Shop/Core/Store#Add().(name)",
            "3:83-86 D . . . Shop/Core/Store#Add(+1).",
            "3:91-92 D . . . Shop/Core/Store#Add(+1).(n)",
            "3:96-99 R . . . Shop/Core/Store#Add().",
        ]
    );
    // What is announced in one place and defined in another; functions of a file alone.
    assert_eq!(
        shown(&index, "cc/unit.h", "Unit#"),
        [
            "1:7-11 F . . . Unit#",
            "2:7-11 D . . . Unit#",
            "2:26-30 F . . . Unit#load().",
            "2:43-48 D . . . Unit#count.",
            "3:10-14  . . . Unit#",
        ]
    );
    assert_eq!(
        shown(&index, "cc/unit.cpp", "helper"),
        ["4:11-17 D . . . cc/`unit.cpp`/helper().",]
    );
    assert_eq!(
        shown(&index, "cc/other.cpp", "helper"),
        ["1:11-17 D . . . helper().", "2:20-26 R . . . helper().",]
    );
    assert_eq!(
        shown(&index, "rs/src/lib.rs", "mass"),
        [
            "1:20-24 D cargo parts 0.1.0 rs/Part#mass().",
            "3:25-29 D cargo parts 0.1.0 rs/Wheel#mass().",
            "4:55-59 R cargo parts 0.1.0 rs/Part#mass().",
        ]
    );
    assert_eq!(
        shown(&index, "rb/tool.rb", ""),
        [
            "1:7-12 D . . . Tools/",
            "2:8-11 D . . . Tools/Saw#",
            "3:8-11 D . . . Tools/Saw#cut().",
        ]
    );
}

/// Of what is generated there is no document, and what people write of the same type has its symbol.
#[test]
fn a_type_that_is_completed_by_generated_code_is_what_people_write() {
    let index = export(&everything());
    let documents = index.documents.iter();
    let generated = documents.filter(|document| document.relative_path.contains("Designer"));
    assert_eq!(generated.count(), 0);
    let store: Vec<String> = shown(&index, "net/Use.cs", "Store#")
        .iter()
        .map(|place| place.split(' ').next().unwrap().to_owned())
        .collect();
    assert_eq!(store, ["2:12-17", "2:27-32", "2:50-55"]);
}

#[test]
fn what_is_known_of_a_symbol_comes_with_it() {
    let place = everything();
    let index = export(&place);
    let all: BTreeMap<&str, _> = index
        .documents
        .iter()
        .flat_map(|document| &document.symbols)
        .map(|symbol| (symbol.symbol.as_str(), symbol))
        .collect();
    let disk = all["codecortex npm @shop/web 1.2.0 web/store/Disk#"];
    assert_eq!(disk.display_name, "Disk");
    assert_eq!(disk.documentation, ["Keeps things."]);
    assert_eq!(disk.signature_documentation.language, "TypeScript");
    assert!(
        disk.signature_documentation
            .text
            .contains("class Disk implements Store")
    );
    assert_eq!(
        disk.kind.enum_value(),
        Ok(scip::types::symbol_information::Kind::Class)
    );
    for (symbol, base, is_reference) in [
        (
            "npm @shop/web 1.2.0 web/store/Disk#",
            "npm @shop/web 1.2.0 web/store/Store#",
            false,
        ),
        (
            "npm @shop/web 1.2.0 web/store/Disk#load().",
            "npm @shop/web 1.2.0 web/store/Store#load().",
            true,
        ),
        (
            ". . . Shop/Core/Store#Add().",
            ". . . Shop/Core/IStore#Add().",
            true,
        ),
        (
            "cargo parts 0.1.0 rs/Wheel#mass().",
            "cargo parts 0.1.0 rs/Part#mass().",
            true,
        ),
        (
            "gomod example.com/nodes . nodes/Leaf#Rank().",
            "gomod example.com/nodes . nodes/Node#Rank().",
            true,
        ),
    ] {
        let known = all[format!("codecortex {symbol}").as_str()];
        let related = known.relationships.iter();
        let related: Vec<_> = related
            .map(|other| {
                (
                    other.symbol.as_str(),
                    other.is_implementation,
                    other.is_reference,
                )
            })
            .collect();
        let base = format!("codecortex {base}");
        assert_eq!(related, [(base.as_str(), true, is_reference)], "{symbol}");
    }
    let local = index
        .documents
        .iter()
        .flat_map(|document| &document.symbols)
        .find(|symbol| symbol.display_name == "once")
        .unwrap();
    assert!(local.symbol.starts_with("local "));
    assert_eq!(
        local.enclosing_symbol,
        "codecortex cargo parts 0.1.0 rs/sum()."
    );
}

/// Every use that `findReferences` is sure of has an occurrence, of the same symbol as the declaration.
#[test]
fn every_reference_is_an_occurrence() {
    let place = everything();
    for folder in ["workspace", "contract"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../test/fixtures")
            .join(folder);
        copy(&from, &from, &place, folder);
    }
    let index = export(&place);
    let name = place.name();
    let mut calls = String::new();
    let mut wanted = Vec::new();
    let mut named: HashSet<(String, [i32; 4], String)> = HashSet::new();
    for document in &index.documents {
        let path = &document.relative_path;
        let text = std::fs::read_to_string(place.path().join(path)).unwrap();
        let lines: Vec<&str> = text.split('\n').collect();
        for occurrence in &document.occurrences {
            let bytes = whole_range(&occurrence.range).unwrap();
            let units = |line: i32, byte: i32| {
                lines[line as usize][..byte as usize].encode_utf16().count() as i32
            };
            let range = [
                bytes[0],
                units(bytes[0], bytes[1]),
                bytes[2],
                units(bytes[2], bytes[3]),
            ];
            let symbol = match occurrence.symbol.strip_prefix("local ") {
                Some(number) => format!("{path} {number}"),
                None => occurrence.symbol.clone(),
            };
            named.insert((path.clone(), range, symbol.clone()));
            if !has(occurrence, SymbolRole::Definition) {
                continue;
            }
            let args = json!({
                "filePath": format!("{name}/{path}"),
                "position": { "line": range[0] + 1, "character": range[1] + 1 },
                "tiers": ["exact", "inferred"],
                "includePreview": false,
                "limit": 200,
            });
            let call = json!({ "tool": "codecortex_findReferences", "args": args });
            calls.push_str(&format!("{call}\n"));
            wanted.push((path.clone(), range, symbol));
        }
    }
    let answers = place.batch(&calls);
    assert_eq!(answers.len(), wanted.len());
    let mut compared = 0;
    let mut missing = Vec::new();
    for (answer, (path, place, symbol)) in answers.iter().zip(&wanted) {
        let references = answer["result"]["data"]["references"].as_array();
        for reference in references.into_iter().flatten() {
            compared += 1;
            let at = reference["filePath"].as_str().unwrap();
            let at = at.split_once('/').unwrap().1.to_owned();
            if !named.contains(&(at.clone(), range_of(&reference["range"]), symbol.clone())) {
                missing.push(format!(
                    "{symbol} ({path}:{place:?}) is used at {at} {}",
                    reference["range"]
                ));
            }
        }
    }
    assert!(compared > 250, "{compared}");
    assert_eq!(missing, Vec::<String>::new());
}

fn range_of(range: &Value) -> [i32; 4] {
    [
        ("start", "line"),
        ("start", "character"),
        ("end", "line"),
        ("end", "character"),
    ]
    .map(|(end, what)| range[end][what].as_i64().unwrap() as i32)
}

fn copy(from: &Path, folder: &Path, place: &Place, to: &str) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            copy(from, &path, place, to);
        } else {
            let below = path.strip_prefix(from).unwrap().to_str().unwrap();
            place.write(&format!("{to}/{below}"), std::fs::read(&path).unwrap());
        }
    }
}

#[test]
fn one_folder_is_one_index_and_what_cannot_be_written_is_said() {
    let place = everything();
    let run = place.run(&["scip", "--root", "web", "--root", "net"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("give one --root"), "{}", run.stderr);
    let run = place.run(&["scip", "-o", "none/index.scip"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("cannot be written"), "{}", run.stderr);
}
