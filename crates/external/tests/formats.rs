//! What files of each format say, and that no file of any ends the reader (SPEC AS3, D30).

#![allow(clippy::unwrap_used, reason = "tests")]

use codecortex_external::{DescriptionOrigin, External, ExternalFile, ExternalReader};
use proptest::prelude::*;

const DATABASE: &str = r#"{ "version": 1, "debugDatabaseChunks": [
  { "ALamp": { "inherits": "AActor", "doc": "A lamp.",
      "properties": { "Heat": ["float32", "Degrees."], "bLit": ["bool", 4] },
      "methods": [ { "name": "SetHeat", "return": "void", "doc": "Warms.",
          "args": [ { "name": "NewHeat", "type": "float32" }, { "name": "bNow", "type": "bool", "default": "true" } ] },
        { "name": "GetTip", "return": "FVector", "const": true, "args": [] } ] },
    "FLampHit": { "isStruct": true, "properties": { "Tip": ["FVector"] }, "methods": [] } },
  { "__ELampMode": { "isEnum": true, "properties": { "Off": ["ELampMode"], "Bright": ["ELampMode", "Full power."] } },
    "FPicked": { "isStruct": true, "methods": [ { "name": "ExecuteIfBound", "return": "void",
        "args": [ { "name": "Lamp", "type": "ALamp" } ] } ] },
    "__Lamp": { "methods": [ { "name": "Find", "return": "ALamp", "args": [ { "name": "Tag", "type": "FName" } ] } ] },
    "__": { "methods": [ { "name": "FLampHit", "isConstructor": true, "return": "FLampHit", "args": [] } ] } } ],
  "scriptSettings": { "automaticImports": true } }"#;

const HEADER: &str = "/* Class: ALamp
 A lamp. */
class ALamp : public AActor
{
public:
// Group: Light
/* Variable: Heat
 Degrees. */
float32 Heat;
/* Function: SetHeat
 Warms. */
void SetHeat(float32 NewHeat, bool bNow = true) {}
static ALamp ALamp::Find(FName Tag) {}
}
";

fn read(files: &[(&str, &[u8])]) -> External {
    let mut reader = ExternalReader::new();
    for (origin, bytes) in files {
        reader.add(origin, bytes);
    }
    reader.finish()
}

/// Each declaration as `kind path`.
fn listed(files: &[ExternalFile]) -> Vec<String> {
    let all = files.iter().flat_map(|file| {
        file.facts.items.iter().map(|item| {
            let mut path = file.facts.str(item.name).to_owned();
            let mut around = item.parent;
            while let Some(parent) = around {
                let parent = &file.facts.items[parent as usize];
                path = format!("{}.{path}", file.facts.str(parent.name));
                around = parent.parent;
            }
            format!("{} {path}", item.kind.as_str())
        })
    });
    all.collect()
}

#[test]
fn a_debug_database_declares_types_enums_delegates_and_namespaces() {
    let read = read(&[("unreal-cache.json", DATABASE.as_bytes())]);
    assert_eq!(read.problems, []);
    assert_eq!(read.automatic_imports, Some(true));
    assert!(
        read.files
            .iter()
            .all(|file| file.source == DescriptionOrigin::Cpp)
    );
    let listed = listed(&read.files);
    for wanted in [
        "class ALamp",
        "method ALamp.SetHeat",
        "struct FLampHit",
        "constructor FLampHit.FLampHit",
        "enum ELampMode",
        "enumMember ELampMode.Bright",
        "delegate FPicked",
        "function Lamp.Find",
    ] {
        assert!(
            listed.contains(&wanted.to_owned()),
            "{wanted} in {listed:?}"
        );
    }
    let file = &read.files[0];
    let heat = file
        .facts
        .items
        .iter()
        .find(|item| file.facts.str(item.name) == "SetHeat");
    assert_eq!(heat.map(|item| file.facts.str(item.doc)), Some("Warms."));
}

#[test]
fn a_header_of_a_dump_declares_the_same_with_documentation() {
    let read = read(&[("Docs/ALamp.hpp", HEADER.as_bytes())]);
    assert_eq!(read.problems, []);
    let listed = listed(&read.files);
    for wanted in [
        "class ALamp",
        "field ALamp.Heat",
        "method ALamp.SetHeat",
        "function ALamp.Find",
    ] {
        assert!(
            listed.contains(&wanted.to_owned()),
            "{wanted} in {listed:?}"
        );
    }
    let text = HEADER
        .replace("// Group: Light\n", "")
        .replace("/* Variable: Heat\n Degrees. */\nfloat32 Heat;\n", "");
    let read = self::read(&[("Docs/ALamp.hpp", text.as_bytes())]);
    let docs = read.files.iter().flat_map(|file| {
        let items = file.facts.items.iter();
        items.map(|item| (file.facts.str(item.name), file.facts.str(item.doc)))
    });
    assert!(
        docs.clone().any(|of| of == ("SetHeat", "Warms.")),
        "{:?}",
        docs.collect::<Vec<_>>()
    );
}

#[test]
fn the_last_description_of_a_type_counts() {
    let second = r#"[{ "ALamp": { "properties": { "Glow": ["int"] }, "methods": [] } }]"#;
    let read = read(&[
        ("a.json", DATABASE.as_bytes()),
        ("b.json", second.as_bytes()),
    ]);
    let listed = listed(&read.files);
    assert!(
        listed.contains(&"field ALamp.Glow".to_owned()),
        "{listed:?}"
    );
    assert!(
        !listed.contains(&"field ALamp.Heat".to_owned()),
        "{listed:?}"
    );
}

#[test]
fn what_cannot_be_read_is_named_and_costs_itself_alone() {
    let broken = r#"[{ "ALamp": { "methods": [] } }, 3, { "ARig": { "methods": [] } }]"#;
    let of_chunk = read(&[("a.json", broken.as_bytes())]);
    assert_eq!(of_chunk.problems.len(), 1, "{:?}", of_chunk.problems);
    assert!(
        of_chunk.problems[0].1.contains("chunk 2"),
        "{:?}",
        of_chunk.problems
    );
    assert_eq!(listed(&of_chunk.files), ["class ALamp", "class ARig"]);
    let newer = DATABASE.replace("\"version\": 1", "\"version\": 9");
    let of_version = read(&[("a.json", newer.as_bytes())]);
    assert!(of_version.problems[0].1.contains("version 9") && of_version.files.is_empty());
    let cut = &DATABASE[..DATABASE.len() / 2];
    assert!(!read(&[("a.json", cut.as_bytes())]).problems.is_empty());
    assert!(
        !read(&[("Binds.Cache", b"\x01\0\0\0abc")])
            .problems
            .is_empty()
    );
    assert!(!read(&[("notes.md", b"text")]).problems.is_empty());
}

#[test]
fn nothing_that_is_described_becomes_another_declaration() {
    let odd = r#"[{ "ALamp": { "inherits": "A {} class Evil", "doc": "*/ class Evil {}",
        "properties": { "X; class Evil": ["int"], "Y": ["int; class Evil {"] },
        "methods": [ { "name": "F", "return": "void", "args": [ { "name": "A", "type": "int", "default": "1) {} } class Evil {" } ] } ] },
        "class Evil": { "methods": [] } }]"#;
    let listed = listed(&read(&[("a.json", odd.as_bytes())]).files);
    assert!(
        listed.iter().all(|entry| !entry.contains("Evil")),
        "{listed:?}"
    );
    assert!(listed.contains(&"method ALamp.F".to_owned()), "{listed:?}");
}

proptest! {
    #[test]
    fn no_bytes_end_the_reader(at in 0..DATABASE.len(), byte in any::<u8>(), name in 0..5usize, rest in prop::collection::vec(any::<u8>(), 0..200)) {
        let names = ["a.json", "A.hpp", "Binds.Cache", "Binds.Cache.Headers", "as.predefined"];
        let _ = read(&[(names[name], &rest)]);
        let mut bytes = DATABASE.as_bytes().to_vec();
        bytes[at] = byte;
        let _ = read(&[("a.json", &bytes)]);
        let _ = read(&[("a.json", &bytes[..at])]);
        let mut header = HEADER.as_bytes().to_vec();
        let place = at % header.len();
        header[place] = byte;
        let _ = read(&[("A.hpp", &header)]);
    }
}
