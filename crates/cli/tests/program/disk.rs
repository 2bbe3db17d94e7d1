//! Folders and files as no project should have them, and as every one has.

use serde_json::{Value, json};

use crate::support::Place;

/// Path and reason of everything left out.
fn left_out(place: &Place) -> Vec<(String, String)> {
    let args = json!({ "list": "skipped", "limit": 200 });
    let (envelope, code) = place.call("codecortex_status", &args);
    assert_eq!(code, Some(0), "{envelope}");
    let folder = format!("{}/", place.name());
    let entry = |entry: &Value| {
        let text = |name: &str| entry[name].as_str().unwrap().to_owned();
        (text("filePath").replacen(&folder, "", 1), text("reason"))
    };
    envelope["data"]["list"]
        .as_array()
        .unwrap()
        .iter()
        .map(entry)
        .collect()
}

fn total(place: &Place, query: &str) -> Value {
    let (envelope, _) = place.call("codecortex_searchApi", &json!({ "labelQuery": query }));
    envelope["data"]["total"].clone()
}

fn left(entries: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(path, reason): &(&str, &str)| ((*path).to_owned(), (*reason).to_owned());
    entries.iter().map(owned).collect()
}

#[test]
fn an_empty_folder_is_an_empty_index() {
    let place = Place::new();
    let (envelope, code) = place.call("codecortex_status", &json!({}));
    assert_eq!(code, Some(0));
    assert_eq!(
        (&envelope["data"]["phase"], &envelope["data"]["files"]),
        (&json!("ready"), &json!(0))
    );
    let (envelope, code) = place.call("codecortex_getOutline", &json!({ "symbol": "X" }));
    assert_eq!(
        (&envelope["error"]["code"], code),
        (&json!("SymbolNotFound"), Some(1))
    );
}

#[cfg(unix)]
#[test]
fn links_pipes_and_loops_do_no_harm() {
    use std::os::unix::fs::symlink;
    let (place, other) = (Place::new(), Place::new());
    place.write("src/a.py", "class Inside:\n    pass\n");
    let outside = other.write("secret.py", "class Outside:\n    pass\n");
    symlink("..", place.path().join("src/loop")).unwrap();
    symlink("self", place.path().join("self")).unwrap();
    symlink(&outside, place.path().join("out.py")).unwrap();
    symlink(other.path(), place.path().join("folder")).unwrap();
    let pipe = place.path().join("pipe.py");
    let made = std::process::Command::new("mkfifo")
        .arg(&pipe)
        .status()
        .unwrap();
    assert!(made.success());
    assert_eq!(
        (total(&place, "Inside"), total(&place, "Outside")),
        (json!(1), json!(0))
    );
    assert_eq!(
        left_out(&place),
        left(&[
            ("folder", "symlink"),
            ("out.py", "symlink"),
            ("pipe.py", "notAFile"),
            ("self", "symlink"),
            ("src/loop", "symlink"),
        ])
    );
    // A link that leads out is outside, whatever it is called.
    for path in ["out.py", "folder/secret.py", "src/../../etc/passwd"] {
        let (envelope, _) = place.call("codecortex_getOutline", &json!({ "filePath": path }));
        assert_eq!(
            envelope["error"]["code"], "AccessDenied",
            "{path}: {envelope}"
        );
    }
}

#[cfg(unix)]
#[test]
fn what_may_not_be_read_is_named_and_the_rest_works() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    place.write("a.py", "class Open:\n    pass\n");
    let closed_file = place.write("closed.py", "class Closed:\n    pass\n");
    place.write("folder/b.py", "class Below:\n    pass\n");
    let folder = place.path().join("folder");
    let set = |path: &std::path::Path, mode: u32| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    set(&closed_file, 0o000);
    set(&folder, 0o000);
    let is_superuser = std::fs::read(&closed_file).is_ok();
    if is_superuser {
        // Nothing is closed to the superuser; that it works at all is what can be seen.
        assert_eq!(total(&place, "Closed"), 1);
    } else {
        assert_eq!(
            (total(&place, "Open"), total(&place, "Closed")),
            (json!(1), json!(0))
        );
        assert_eq!(
            left_out(&place),
            left(&[("closed.py", "unreadable"), ("folder/", "unreadable")])
        );
    }
    set(&folder, 0o755);
}

#[test]
fn encodings_and_binaries_are_told_apart() {
    let place = Place::new();
    let utf16: Vec<u8> = "\u{feff}class Wide:\n    pass\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    place.write("wide.py", utf16);
    place.write("nul.py", b"class Nul:\n    x = '\0\0'\n");
    place.write("latin.py", b"class Latin:\n    '''caf\xe9'''\n");
    place.write("crlf.py", "\u{feff}class Crlf:\r\n    pass\r\n");
    place.write("empty.py", "");
    for name in ["Wide", "Latin", "Crlf"] {
        assert_eq!(total(&place, name), 1, "{name}");
    }
    assert_eq!(left_out(&place), left(&[("nul.py", "binary")]));
}

#[test]
fn enormous_and_absurd_files_do_not_stop_the_others() {
    let place = Place::new();
    place.write("good.py", "class Good:\n    pass\n");
    place.write("line.js", vec![b'x'; 50 << 20]);
    place.write("minified.js", "var a=1;".repeat(20_000));
    for (ending, depth) in [("js", 10_000), ("py", 10_000), ("rs", 3_000)] {
        let deep = format!("{}1{}", "(".repeat(depth), ")".repeat(depth));
        place.write(&format!("deep.{ending}"), deep);
    }
    let mut nested = String::new();
    for depth in 0..2_000 {
        nested.push_str(&format!("class C{depth} {{ "));
    }
    place.write("nested.cs", nested);
    place.write(
        "half.ts",
        "export class Half {}\n\nexport class Rest {\n  method( { if (x ",
    );
    assert_eq!(
        (total(&place, "Good"), total(&place, "Half")),
        (json!(1), json!(1))
    );
    let left_out = left_out(&place);
    assert!(
        left_out.contains(&("line.js".into(), "oversized".into())),
        "{left_out:?}"
    );
    assert!(
        left_out.contains(&("minified.js".into(), "minified".into())),
        "{left_out:?}"
    );
}

#[test]
fn files_that_come_and_go_while_they_are_indexed_are_never_a_failure() {
    let place = Place::new();
    for file in 0..300 {
        place.write(
            &format!("d{}/f{file}.py", file % 7),
            format!("class C{file}:\n    pass\n"),
        );
    }
    place.write("stay.py", "class Stay:\n    pass\n");
    let folder = place.path().to_owned();
    let vandal = std::thread::spawn(move || {
        for round in 0..40 {
            for file in 0..300 {
                let path = folder.join(format!("d{}/f{file}.py", file % 7));
                // Each may fail: the point is the disorder.
                match (file + round) % 3 {
                    0 => drop(std::fs::remove_file(path)),
                    1 => drop(std::fs::write(path, "class")),
                    _ => drop(std::fs::write(path, "class A:\n    pass\n".repeat(round))),
                }
            }
        }
    });
    for _ in 0..5 {
        assert_eq!(total(&place, "Stay"), 1);
    }
    vandal.join().unwrap();
    assert_eq!(total(&place, "Stay"), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_unicode_are_named_as_such() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.py");
    std::fs::write(place.path().join(name), "class Cafe:\n    pass\n").unwrap();
    let args = json!({ "list": "skipped" });
    let (envelope, _) = place.call("codecortex_status", &args);
    let entry = &envelope["data"]["list"][0];
    assert_eq!(entry["reason"], "unreadable");
    assert!(
        entry["detail"].as_str().unwrap().contains("Unicode"),
        "{entry}"
    );
}

#[test]
fn a_workspace_with_a_context_folder_keeps_its_cache_there() {
    let place = Place::new();
    place.write("a.py", "class One:\n    pass\n");
    std::fs::create_dir(place.path().join(".context")).unwrap();
    assert_eq!(total(&place, "One"), 1);
    assert!(place.path().join(".context/cache/facts.index").is_file());
    let ignore = std::fs::read_to_string(place.path().join(".context/cache/.gitignore"));
    assert_eq!(ignore.unwrap(), "*\n");
    let shared = std::fs::read_dir(place.cache());
    assert_eq!(shared.map_or(0, Iterator::count), 0);
}
