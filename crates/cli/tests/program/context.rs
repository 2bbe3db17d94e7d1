//! `codecortex init` and `changes`: what `.context/` remembers from one run to the next.

use std::fs;

use serde_json::Value;

use crate::support::Place;

const STORE: &str = "namespace Core { public class Store { /// Adds.\n public int Add(int a) { return a; } public int Count() { return 0; } int size; } }\n";

fn place() -> Place {
    let place = Place::new();
    place.write("src/Store.cs", STORE);
    place.write(
        "src/Shop.cs",
        "namespace Core { public class Shop { public Store Stock() { return null; } } }\n",
    );
    place
}

/// `what classes` of each type that changed.
fn changes(place: &Place) -> Vec<String> {
    let run = place.run(&["changes", "--json"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let mut all: Vec<String> = run.json()["data"]["roots"][0]["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| {
            let classes: Vec<&str> = change["classes"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(Value::as_str)
                .collect();
            format!(
                "{} {} {}",
                change["what"].as_str().unwrap(),
                change["fqn"].as_str().unwrap(),
                classes.join("+")
            )
        })
        .map(|line| line.trim_end().to_owned())
        .collect();
    all.sort();
    all
}

fn read(place: &Place, path: &str) -> String {
    fs::read_to_string(place.path().join(path)).unwrap()
}

fn index(place: &Place) -> Value {
    serde_json::from_str(&read(place, ".context/index.json")).unwrap()
}

#[test]
fn init_writes_readable_files_once() {
    let place = place();
    let run = place.run(&["init"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(run.stdout.contains("index.json"), "{}", run.stdout);
    let index = index(&place);
    assert_eq!(index["schemaVersion"], "1.0");
    let store = &index["types"][1];
    assert_eq!(
        (&store["fqn"], &store["kind"]),
        (&"Core.Store".into(), &"class".into())
    );
    assert_eq!(store["files"], serde_json::json!(["src/Store.cs"]));
    for hash in [
        "structureHash",
        "publicImplHash",
        "internalImplHash",
        "cosmeticHash",
        "implHash",
        "xmlDocHash",
    ] {
        assert_eq!(store[hash].as_str().unwrap().len(), 8, "{hash}");
    }
    assert!(read(&place, ".context/.gitignore").contains("cache/"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let file = fs::metadata(place.path().join(".context/index.json")).unwrap();
        let source = fs::metadata(place.path().join("src/Store.cs")).unwrap();
        let mode = |found: &fs::Metadata| found.permissions().mode();
        assert_eq!(mode(&file), mode(&source), "as readable as any file");
    }
    // A second time there is nothing to write.
    let before = read(&place, ".context/index.json");
    assert!(place.run(&["init"]).stdout.contains("up to date"));
    assert_eq!(read(&place, ".context/index.json"), before);
    assert!(changes(&place).is_empty());
}

#[test]
fn changes_have_their_class_across_runs() {
    for (from, to, expected) in [
        (
            "return a;",
            "return a+1;",
            vec!["changed Core.Store PublicBehavior"],
        ),
        ("int size", "int count", vec!["changed Core.Store Internal"]),
        ("Adds.", "Adds-one.", vec!["changed Core.Store Docs"]),
        (
            "{ return a;",
            "{  return a;",
            vec!["changed Core.Store Cosmetic"],
        ),
        (
            "Add(int a)",
            "Add(long a)",
            vec![
                "changed Core.Shop Structure-Dependency",
                "changed Core.Store Structure+PublicBehavior+Docs",
            ],
        ),
    ] {
        let place = place();
        place.run(&["init"]);
        place.write("src/Store.cs", STORE.replace(from, to));
        assert_eq!(changes(&place), expected, "{from} -> {to}");
        assert!(changes(&place).is_empty(), "told once");
        let types = index(&place)["types"].clone();
        let store = types
            .as_array()
            .unwrap()
            .iter()
            .find(|ty| ty["fqn"] == "Core.Store")
            .unwrap()
            .clone();
        let class = expected
            .last()
            .unwrap()
            .rsplit(' ')
            .next()
            .unwrap()
            .split('+')
            .next()
            .unwrap();
        assert_eq!(store["changeClass"], class, "{from} -> {to}");
        assert_eq!(
            store["internalChanged"],
            class == "Internal",
            "{from} -> {to}"
        );
    }
}

#[test]
fn a_renamed_type_keeps_its_past() {
    let place = place();
    place.run(&["init"]);
    let old = index(&place)["types"][1]["id"].as_str().unwrap().to_owned();
    place.write(
        &format!(".context/types/{old}.outline.md"),
        "# Core.Store\n",
    );
    place.write("src/Store.cs", STORE.replace("class Store", "class Depot"));
    let told = changes(&place);
    assert!(
        told.iter()
            .any(|line| line.starts_with("renamed Core.Depot")),
        "{told:?}"
    );
    let aliases = read(&place, ".context/aliases.json");
    assert!(aliases.contains(&old), "{aliases}");
    let new = index(&place)["types"][0]["id"].as_str().unwrap().to_owned();
    assert!(
        fs::read_to_string(
            place
                .path()
                .join(format!(".context/types/{new}.outline.md"))
        )
        .unwrap()
        .contains("Core.Store")
    );
}

#[test]
fn broken_files_are_told_and_made_anew() {
    let place = place();
    place.run(&["init"]);
    let good = index(&place)["types"].clone();
    for (file, broken) in [
        (
            "index.json",
            "{ \"schemaVersion\": \"1.0\", \"types\": [ { \"id\"",
        ),
        ("index.json", "\u{0}\u{1}"),
        ("index.json", "{ \"schemaVersion\": \"0.1\" }"),
        ("state.json", "[]"),
        ("aliases.json", "nothing"),
        ("cache/ledger.bin", "nothing"),
    ] {
        place.write(&format!(".context/{file}"), broken);
        let run = place.run(&["changes"]);
        assert_eq!(run.code, Some(0), "{file}: {}", run.stderr);
        assert!(
            run.stderr.contains(file),
            "{file} {broken:?} is not named: {}",
            run.stderr
        );
        let ids = |types: &Value| -> Vec<Value> {
            types
                .as_array()
                .unwrap()
                .iter()
                .map(|ty| serde_json::json!([ty["id"], ty["structureHash"]]))
                .collect()
        };
        assert_eq!(ids(&index(&place)["types"]), ids(&good), "{file}");
    }
}

#[test]
fn without_the_folder_there_is_nothing_to_compare_with() {
    let place = place();
    let run = place.run(&["changes"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("codecortex init"), "{}", run.stderr);
    place.write(".context", "a file");
    let run = place.run(&["init"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("is no folder"), "{}", run.stderr);
}

#[test]
fn another_writer_is_waited_for_by_the_user() {
    let place = place();
    place.run(&["init"]);
    let lock = fs::File::options()
        .write(true)
        .open(place.path().join(".context/cache/lock"))
        .unwrap();
    lock.lock().unwrap();
    let run = place.run(&["changes"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("another process"), "{}", run.stderr);
    lock.unlock().unwrap();
    assert_eq!(place.run(&["changes"]).code, Some(0));
}
