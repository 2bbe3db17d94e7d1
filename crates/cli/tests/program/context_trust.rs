//! A `.context/` that came with a repository is not written before a person says so, and decides nothing that is the
//! person's (S1, S5; docs/security.md).

use serde_json::{Value, json};

use crate::support::Place;

/// A clone: sources and a `.context/` that another machine made, with everything that a repository could want to decide.
fn cloned() -> (Place, tempfile::TempDir) {
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("private.hpp");
    std::fs::write(&secret, "class OutsideSecret {};\n").unwrap();
    let place = Place::new();
    place.write("src/old.py", "class NewA:\n    def one(self): pass\n");
    let index = json!({
        "schemaVersion": "1.0",
        "types": [{ "id": "T_00000000", "fqn": "old.OldThing", "kind": "class", "files": ["src/old.py"] }],
    });
    place.write(".context/index.json", index.to_string());
    place.write(".context/cache/ledger.bin", b"forged");
    place.write(".context/cache/trusted", "0".repeat(32));
    let config = json!({
        "record": true,
        "flags": { "use_observations_store": true },
        "model": { "mode": "automatic", "callsPerHour": 1_000_000 },
        "externalTypes": [secret.to_str().unwrap()],
    });
    place.write(".context/config.json", config.to_string());
    (place, outside)
}

/// The program on a machine without any setting.
fn run(place: &Place, args: &[&str], stdin: &str) -> (Option<i32>, String, String) {
    use std::io::Write;
    let mut child = place
        .command(args)
        .env_remove("CODECORTEX_TRUST_CONTEXT")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(stdin.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// Every file of a folder with its bytes.
fn files(place: &Place) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut open = vec![place.path().to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            match entry.file_type().unwrap().is_dir() {
                true => open.push(entry.path()),
                false => {
                    let path = entry.path().to_str().unwrap().to_owned();
                    found.push((path, std::fs::read(entry.path()).unwrap()));
                }
            }
        }
    }
    found.sort();
    found
}

const READING: [&[&str]; 7] = [
    &["status"],
    &["index"],
    &["search", "NewA"],
    &["outline", "--form", "outline", "NewA"],
    &["changes"],
    &["window"],
    &["semantic", "NewA"],
];

#[test]
fn looking_at_a_clone_writes_nothing() {
    let (place, _outside) = cloned();
    let before = files(&place);
    for args in READING {
        let (code, stdout, stderr) = run(&place, args, "");
        assert_eq!(files(&place), before, "{args:?}: {stdout}{stderr}");
        assert!(code.is_some(), "{args:?}");
    }
    let (code, _, stderr) = run(&place, &["changes"], "");
    assert_eq!(code, Some(1));
    assert!(stderr.contains("came with the repository"), "{stderr}");
    let (_, status, _) = run(&place, &["status"], "");
    assert!(status.contains("came with the repository"), "{status}");
}

#[test]
fn tools_refuse_to_keep_anything_in_a_clone() {
    let (place, _outside) = cloned();
    let before = files(&place);
    let calls = [
        (
            "codecortex_pin",
            json!({ "action": "pin", "symbols": ["NewA"] }),
        ),
        (
            "codecortex_pin",
            json!({ "action": "add", "symbols": ["NewA"] }),
        ),
        (
            "codecortex_pack",
            json!({ "action": "build", "name": "p", "filter": "type:*" }),
        ),
        ("codecortex_describe", json!({ "symbol": "NewA" })),
        (
            "codecortex_investigate",
            json!({ "question": "what is it?" }),
        ),
    ];
    let lines: String = calls
        .iter()
        .map(|(tool, args)| json!({ "id": 1, "tool": tool, "args": args }).to_string() + "\n")
        .collect();
    let (_, stdout, _) = run(&place, &["batch"], &lines);
    let answers: Vec<Value> = stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), calls.len());
    for answer in answers {
        assert_eq!(
            answer["result"]["error"]["code"], "AccessDenied",
            "{answer}"
        );
    }
    // Nobody opted in: what the repository says of that is no word.
    let (_, stdout, _) = run(
        &place,
        &[
            "call",
            "codecortex_remember",
            "--args",
            r#"{"text":"it works"}"#,
        ],
        "",
    );
    assert!(stdout.contains("Unavailable"), "{stdout}");
    assert_eq!(files(&place), before);
}

#[test]
fn a_clone_names_no_files_outside() {
    let (place, _outside) = cloned();
    let (_, stdout, _) = run(&place, &["search", "--external", "OutsideSecret"], "");
    assert!(!stdout.contains("class OutsideSecret"), "{stdout}");
}

#[cfg(unix)]
#[test]
fn a_clone_reaches_no_files_outside_by_links() {
    let (place, outside) = cloned();
    let types = outside.path().join("as.predefined");
    std::fs::write(&types, "class UOutsideSecret\n{\n\tint Count;\n}\n").unwrap();
    place.write("a.as", "class AOwn { UOutsideSecret Own; }\n");
    std::os::unix::fs::symlink(outside.path(), place.path().join("lnk")).unwrap();
    let config = json!({ "externalTypes": ["lnk/as.predefined"] });
    place.write(".context/config.json", config.to_string());
    let found = || run(&place, &["search", "--external", "UOutsideSecret"], "").1;
    assert!(found().contains("0 found"), "{}", found());
    let (_, status, _) = run(&place, &["status"], "");
    assert!(status.contains("lnk/as.predefined"), "{status}");
    // The person may name it.
    place.person_sets(&json!({ "externalTypes": [types.to_str().unwrap()] }));
    assert!(found().contains("class UOutsideSecret"), "{}", found());
}

#[test]
fn a_person_takes_a_clone_over() {
    for way in [
        &["init"][..],
        &["window", "pin", "NewA"],
        &["status", "--trust-context"],
    ] {
        let (place, _outside) = cloned();
        let (code, _, stderr) = run(&place, way, "");
        assert_eq!(code, Some(0), "{way:?}: {stderr}");
        let args = r#"{"action":"pin","symbols":["NewA"]}"#;
        let (code, stdout, _) = run(&place, &["call", "codecortex_pin", "--args", args], "");
        assert_eq!(code, Some(0), "{way:?}: {stdout}");
        let (_, window, _) = run(&place, &["window"], "");
        assert!(window.contains("NewA"), "{window}");
    }
}

#[test]
fn what_is_made_here_is_written_here() {
    let place = Place::new();
    place.write("src/old.py", "class NewA:\n    def one(self): pass\n");
    let args = r#"{"action":"pin","symbols":["NewA"]}"#;
    for _ in 0..2 {
        let (code, stdout, _) = run(&place, &["call", "codecortex_pin", "--args", args], "");
        assert_eq!(code, Some(0), "{stdout}");
    }
    let (_, window, _) = run(&place, &["window"], "");
    assert!(window.contains("NewA"), "{window}");
}

#[test]
fn a_person_opts_in_by_settings_of_their_own() {
    let place = Place::new();
    place.write("src/old.py", "class NewA: pass\n");
    assert_eq!(
        run(&place, &["settings", "observations", "true"], "").0,
        Some(0)
    );
    let (code, _, stderr) = run(&place, &["memory", "remember", "it works"], "");
    assert_eq!(code, Some(0), "{stderr}");
    let (_, stdout, _) = run(&place, &["memory", "recall"], "");
    assert!(stdout.contains("it works"), "{stdout}");
    assert_eq!(
        run(&place, &["settings", "observations", "--unset"], "").0,
        Some(0)
    );
    assert_eq!(run(&place, &["memory", "recall"], "").0, Some(1));
    assert_eq!(
        run(&place, &["settings", "nonsense", "true"], "").0,
        Some(2)
    );
}
