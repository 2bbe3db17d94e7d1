//! `.context/` while programs run beside each other, and while they are killed (SPEC I1, I5, D17).

use std::fs::{self, File};
use std::process::Stdio;
use std::time::{Duration, Instant, SystemTime};

use serde_json::{Value, json};

use crate::mcp::Session;
use crate::support::Place;

const STORE: &str =
    "namespace Core { public class Store { public int Add(int a) { return a; } } }\n";

fn index(place: &Place) -> Option<Value> {
    let text = fs::read_to_string(place.path().join(".context/index.json")).ok()?;
    // A file that is being replaced is the old one or the new one, never a part.
    Some(serde_json::from_str(&text).expect("it is whole"))
}

/// Waits until the index says something of the only type.
fn await_type(place: &Place, is_it: impl Fn(&Value) -> bool) -> Value {
    let begin = Instant::now();
    loop {
        let now = index(place).map_or(Value::Null, |index| index["types"][0].clone());
        if is_it(&now) {
            return now;
        }
        assert!(
            begin.elapsed() < Duration::from_secs(30),
            "it is still {now}"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_server_keeps_the_folder_fresh() {
    let place = Place::new();
    place.write("Store.cs", STORE);
    place.run(&["init"]);
    let first = await_type(&place, |now| now["fqn"] == "Core.Store");
    let mut session = Session::start(&place, &["--root", "."]);
    session.request(
        "tools/call",
        &json!({ "name": "codecortex_status", "arguments": {} }),
    );
    place.write("Store.cs", STORE.replace("return a;", "return a + 1;"));
    let then = await_type(&place, |now| {
        now["publicImplHash"] != first["publicImplHash"]
    });
    assert_eq!(then["changeClass"], "PublicBehavior");
    // Another program works on the same folder at the same time.
    for number in 2..8 {
        place.write(
            "Store.cs",
            STORE.replace("return a;", &format!("return a + {number};")),
        );
        assert_eq!(place.run(&["changes"]).code, Some(0));
    }
    place.write("Store.cs", STORE);
    let last = await_type(&place, |now| {
        now["publicImplHash"] == first["publicImplHash"]
    });
    assert_eq!(last["structureHash"], first["structureHash"]);
    assert!(!place.path().join(".context/alias_conflicts.log").exists());
}

#[test]
fn killed_at_any_moment_the_folder_is_readable_and_repaired() {
    let place = Place::new();
    for number in 0..40 {
        place.write(
            &format!("src/C{number}.cs"),
            format!("namespace Core {{ public class C{number} {{ public int Add() {{ return 0; }} }} }}\n"),
        );
    }
    place.run(&["init"]);
    let folder = place.path().join(".context");
    for round in 0..24u64 {
        for number in 0..40 {
            place.write(
                &format!("src/C{number}.cs"),
                format!("namespace Core {{ public class C{number} {{ public int Add() {{ return {round}; }} }} }}\n"),
            );
        }
        let mut child = place
            .command(&["changes"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(round * 2));
        let _ = child.kill();
        child.wait().unwrap();
        assert!(index(&place).is_some(), "round {round}");
        // Time passes: its lock is nobody's.
        if let Ok(lock) = File::options().write(true).open(folder.join("cache/lock")) {
            lock.set_modified(SystemTime::now() - Duration::from_secs(60))
                .unwrap();
        }
    }
    let run = place.run(&["changes"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let kept = index(&place).unwrap();
    // What a new folder says of the present is what this one says.
    let clean = Place::new();
    for number in 0..40 {
        let path = format!("src/C{number}.cs");
        clean.write(&path, fs::read(place.path().join(&path)).unwrap());
    }
    clean.run(&["init"]);
    let fresh = index(&clean).unwrap();
    let hashes = |index: &Value| -> Vec<(Value, Value)> {
        let types = index["types"].as_array().unwrap();
        types
            .iter()
            .map(|t| (t["id"].clone(), t["publicImplHash"].clone()))
            .collect()
    };
    assert_eq!(hashes(&kept), hashes(&fresh));
    let halves = |dir: &str| {
        let entries = fs::read_dir(folder.join(dir)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.starts_with(".writing-")).count()
    };
    assert!(
        halves("") + halves("cache") <= 1,
        "what was half written is swept away"
    );
}
