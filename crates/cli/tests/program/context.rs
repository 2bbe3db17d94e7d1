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
                "changed Core.Store Structure",
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
    assert!(run.stderr.contains("is not a folder"), "{}", run.stderr);
}

#[test]
fn another_writer_is_waited_for() {
    let place = place();
    place.run(&["init"]);
    place.write("src/Store.cs", STORE.replace("return a;", "return a+1;"));
    let lock = place.path().join(".context/cache/lock");
    // As an earlier version writes it.
    fs::remove_dir_all(&lock).unwrap();
    fs::write(&lock, "").unwrap();
    let other = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(700));
        let was_there = lock.exists();
        fs::remove_file(lock).unwrap();
        was_there
    });
    assert_eq!(changes(&place), ["changed Core.Store PublicBehavior"]);
    assert!(other.join().unwrap(), "the lock was not respected");
    assert!(changes(&place).is_empty(), "it was written after all");
}

/// Whoever was killed while it wrote: its token stays, and what it had half written.
#[test]
fn the_lock_of_a_killed_writer_is_taken_over_at_once() {
    let place = place();
    place.run(&["init"]);
    let cache = place.path().join(".context/cache");
    let mut child = place.command(&["--version"]).spawn().unwrap();
    child.wait().unwrap();
    let folder = codecortex_confined::ConfinedFolder::open(&cache).unwrap();
    let patience = std::time::Duration::from_secs(10);
    let mut lock = codecortex_confined::Lock::new(std::sync::Arc::new(folder), patience);
    lock.take().unwrap();
    let name = |folder: &std::path::Path| {
        let entry = fs::read_dir(folder).unwrap().next().unwrap().unwrap();
        entry.file_name().into_string().unwrap()
    };
    let own = name(&cache.join("lock"));
    let me = format!(".{}.", std::process::id());
    let gone = own.replace(&me, &format!(".{}.", child.id()));
    fs::rename(cache.join("lock").join(&own), cache.join("lock").join(gone)).unwrap();
    let half = place.write(".context/packs/.writing-Ab1", "half");
    place.write("src/Store.cs", STORE.replace("return a;", "return a+1;"));
    // However old it is: the token of this machine's dead is taken over because they are dead.
    assert_eq!(changes(&place), ["changed Core.Store PublicBehavior"]);
    assert!(name(&cache.join("lock")).starts_with("free."));
    assert!(!half.exists());
}

#[test]
fn half_files_are_unknown_to_git_and_swept_by_init() {
    let place = place();
    place.run(&["init"]);
    let half = place.write(".context/ops/.writing-Ab1", "half");
    assert!(
        fs::read_to_string(place.path().join(".context/.gitignore"))
            .unwrap()
            .lines()
            .any(|line| line == ".writing-*")
    );
    place.run(&["init"]);
    assert!(!half.exists());
}

/// A repository's git runs what its settings say, and what is staged is the user's own.
#[cfg(unix)]
#[test]
fn the_text_of_a_renamed_type_is_moved_without_git() {
    let place = place();
    place.run(&["init"]);
    let ran = place.path().join("ran");
    let script = format!("#!/bin/sh\necho ran >> '{}'\n", ran.display());
    let id = index(&place)["types"]
        .as_array()
        .unwrap()
        .iter()
        .find(|found| found["fqn"] == "Core.Store")
        .unwrap()["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let text = place.write(
        &format!(".context/types/{id}.semantic.md"),
        "ROLE:\nKeeps.\n",
    );
    let git = |args: &[&str]| {
        let output = std::process::Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@t"])
            .args(args)
            .current_dir(place.path())
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    git(&["init", "-q"]);
    git(&["add", "-f", ".context", "src"]);
    git(&["commit", "-qm", "all"]);
    for name in [".git/hooks/post-index-change", "monitor.sh"] {
        let path = place.write(name, &script);
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(path, mode).unwrap();
    }
    git(&["config", "core.fsmonitor", "./monitor.sh"]);
    let staged = fs::read(place.path().join(".git/index")).unwrap();
    place.write("src/Store.cs", STORE.replace("class Store", "class Depot"));
    place.write("src/Shop.cs", "");
    let changed = changes(&place);
    assert!(
        changed.iter().any(|change| change.contains("Core.Depot")),
        "{changed:?}"
    );
    assert!(!text.exists(), "the text has its new name");
    assert!(!ran.exists(), "a program of the repository ran");
    assert_eq!(
        fs::read(place.path().join(".git/index")).unwrap(),
        staged,
        "nothing is staged"
    );
    // The programs would have run.
    git(&["status"]);
    assert!(ran.exists());
}

#[test]
fn projects_are_in_the_index() {
    let place = place();
    place.write(
        "src/Core.csproj",
        "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup></Project>",
    );
    place.write("web/package.json", "{ \"name\": \"web\" }");
    place.write(
        "web/shop.ts",
        "export class Cart { total(): number { return 0; } }\n",
    );
    place.run(&["init"]);
    let first = index(&place);
    let projects = first["projects"].as_array().unwrap();
    let core = projects.iter().find(|p| p["name"] == "Core").unwrap();
    assert_eq!(
        (&core["path"], &core["tfm"]),
        (&"src/Core.csproj".into(), &"net9.0".into())
    );
    let web = projects.iter().find(|p| p["name"] == "web").unwrap();
    let of = |fqn: &str, index: &Value| {
        let types = index["types"].as_array().unwrap();
        let found = types.iter().find(|t| t["fqn"] == fqn).unwrap();
        found["projectId"].clone()
    };
    assert_eq!(of("Core.Store", &first), core["id"]);
    assert_eq!(of("web/shop.Cart", &first), web["id"]);
    // A manifest that does not parse costs nothing else.
    place.write("src/Core.csproj", "<Project Sdk=");
    assert_eq!(place.run(&["changes"]).code, Some(0));
    assert_eq!(of("web/shop.Cart", &index(&place)), web["id"]);
}

#[test]
fn settings_of_the_folder_hold() {
    let place = place();
    place.write("gen/Made.cs", "namespace Core { public class Made { } }\n");
    place.run(&["init"]);
    let names = |place: &Place| -> Vec<String> {
        let types = index(place)["types"].as_array().unwrap().clone();
        types
            .iter()
            .map(|t| t["fqn"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(names(&place), ["Core.Made", "Core.Shop", "Core.Store"]);
    place.write(
        ".context/config.json",
        "{ \"exclude\": [\"gen/\"], \"semanticDocAffects\": true, \"outlines\": \"all\" }",
    );
    assert_eq!(changes(&place), ["removed Core.Made"]);
    let after = index(&place);
    assert_eq!(after["configSnapshot"]["semanticDocAffects"], true);
    let store = &after["types"][1];
    let outline = read(
        &place,
        &format!(
            ".context/types/{}.outline.md",
            store["id"].as_str().unwrap()
        ),
    );
    assert!(outline.starts_with("# Core.Store T_"), "{outline}");
    // Its body follows structure and documentation, its header every hash.
    place.write("src/Store.cs", STORE.replace("return a;", "return a+1;"));
    changes(&place);
    let path = format!(
        ".context/types/{}.outline.md",
        store["id"].as_str().unwrap()
    );
    let hash = index(&place)["types"][1]["publicImplHash"].clone();
    let outline = read(&place, &path);
    assert!(outline.contains(hash.as_str().unwrap()), "{outline}");
    // What cannot be read is told, and its defaults hold.
    place.write(".context/config.json", "{ \"exclude\": 1 }");
    let run = place.run(&["changes"]);
    assert!(
        run.stderr.contains("config.json: `exclude`"),
        "{}",
        run.stderr
    );
    assert_eq!(names(&place), ["Core.Made", "Core.Shop", "Core.Store"]);
}

#[cfg(unix)]
#[test]
fn a_disk_that_may_not_be_written_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let place = place();
    place.run(&["init"]);
    let folder = place.path().join(".context/cache");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o500)).unwrap();
    if fs::write(folder.join("probe"), "").is_ok() {
        return; // root may write everywhere
    }
    place.write("src/Store.cs", STORE.replace("return a;", "return a+1;"));
    let run = place.run(&["changes"]);
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("no permission"), "{}", run.stderr);
    assert_eq!(changes(&place), ["changed Core.Store PublicBehavior"]);
}

#[test]
fn commands_for_people_look_into_the_folder() {
    let place = place();
    place.run(&["init"]);
    let run = place.run(&["status", "--list", "projects"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let own = format!(
        "// {}/.context: 2 types, 0 stale, 0 waiting\n",
        place.name()
    );
    assert!(run.stdout.contains(&own), "{}", run.stdout);
    let run = place.run(&["hashes", "Core.Store"]);
    assert!(run.stdout.contains("Core.Store"), "{}", run.stdout);
    let old = index(&place)["types"][1]["id"].as_str().unwrap().to_owned();
    place.write("src/Store.cs", STORE.replace("class Store", "class Depot"));
    changes(&place);
    let run = place.run(&["alias"]);
    assert!(
        run.stdout.contains(&old) && run.stdout.contains("Core.Depot"),
        "{}",
        run.stdout
    );
    // A fresh process finds what it was called before.
    let run = place.run(&["outline", &old]);
    assert!(
        run.stdout.contains("class Depot"),
        "{}{}",
        run.stdout,
        run.stderr
    );
    let run = place.run(&["invalidate", "all", "--json"]);
    assert_eq!(run.json()["data"]["total"], 2);
    let run = place.run(&["outline", "Core.Depot", "--form", "outline"]);
    assert!(run.stdout.starts_with("# Core.Depot"), "{}", run.stdout);
}
