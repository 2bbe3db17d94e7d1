//! Recordings of live context, and what becomes of them when they are played back (SPEC D27, LC6).

use crate::support::Host;
use codecortex_engine::Recorded;
use codecortex_engine::RecordedLine;
use codecortex_engine::Replay;
use codecortex_engine::Replayed;
use codecortex_engine::protocol::ApplyOutcome;
use codecortex_engine::protocol::Event;
use codecortex_engine::protocol::Position;
use codecortex_engine::protocol::TextChange;
use serde_json::{Value, json};

const FILES: &str = "//- /app/.context/config.json\n{}\n//- /app/a.py\nx = 1\ny = 2\n//- /app/b.py\nfrom a import x\n//- /app/.env\nTOKEN=hunter2\n";

fn open(host: &mut Host, path: &str, text: &str) {
    host.send(Event::Opened {
        path: path.into(),
        version: 1,
        text: text.into(),
        dirty: false,
    });
}

fn type_at_start(host: &mut Host, path: &str, version: i64, text: &str) {
    let start = Position {
        line: 0,
        character: 0,
    };
    host.send(Event::Time {
        now_ms: host.clock + 60_000.0 * version as f64,
    });
    host.send(Event::Edited {
        path: path.into(),
        version,
        changes: vec![TextChange {
            start,
            end: start,
            text: text.into(),
        }],
        dirty: true,
    });
}

fn live(host: &mut Host, file: &str) -> Value {
    host.ok("getLiveContext", json!({ "filePath": file }))
}

/// Some editing, by a person and by a tool, done and refused.
fn work(host: &mut Host) {
    host.send(Event::Time {
        now_ms: host.clock + 1.0,
    });
    open(host, "/w/app/a.py", "x = 1\ny = 2\n");
    type_at_start(host, "/w/app/a.py", 2, "# typed\n");
    live(host, "a.py");
    for (file, old, new, refused) in [
        ("a.py", "x = 1", "x = 10", None),
        ("a.py", "y = 2", "y = 20", Some(ApplyOutcome::Rejected)),
        ("b.py", "import x", "import y", None),
    ] {
        let base = live(host, file)["current_document"]["versionId"].clone();
        let change = json!({ "oldText": old, "newText": new });
        let edit = json!({ "filePath": file, "baseVersion": base, "changes": [change] });
        host.refuse_edits.extend(refused.clone());
        let envelope = host.call("applyEdit", json!({ "edits": [edit], "summary": old }));
        assert_eq!(envelope["ok"], refused.is_none(), "{envelope}");
        live(host, file);
    }
    type_at_start(host, "/w/app/a.py", 40, "# later\n");
    live(host, "a.py");
}

/// The recordings on the disk.
fn recordings(host: &Host) -> Vec<String> {
    let paths = host
        .disk
        .keys()
        .filter(|path| path.starts_with("/w/app/.context/replay/"));
    paths.map(|path| host.text(path).unwrap()).collect()
}

fn lines(text: &str) -> Vec<RecordedLine> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn play(lines: &[RecordedLine]) -> Vec<Replayed> {
    let mut replay = Replay::begin(lines).unwrap();
    lines.iter().map(|line| replay.step(line)).collect()
}

#[test]
fn the_same_core_gives_the_same_payloads() {
    let mut host = Host::new(FILES);
    host.config.record = true;
    host.configure();
    work(&mut host);
    host.settle();
    let recorded = recordings(&host);
    assert_eq!(recorded.len(), 1);
    assert!(!recorded[0].contains("/w/app"), "no path of the machine");
    let lines = lines(&recorded[0]);
    let played = play(&lines);
    let payloads = lines
        .iter()
        .filter(|line| matches!(line.what, Recorded::Payload { .. }));
    assert_eq!(payloads.count(), 8);
    let others: Vec<_> = played
        .iter()
        .filter(|step| matches!(step, Replayed::Other(_)))
        .collect();
    assert_eq!(others, [] as [&Replayed; 0]);
    let last = played.iter().rev().find_map(|step| match step {
        Replayed::Same(text) => Some(text.as_str()),
        _ => None,
    });
    let last = last.unwrap();
    assert!(
        last.contains("# later") && last.contains("failed: y = 2"),
        "{last}"
    );
    assert_eq!(play(&lines), played, "again the same");
}

#[test]
fn another_edit_gives_another_payload() {
    let mut host = Host::new(FILES);
    host.config.record = true;
    host.configure();
    work(&mut host);
    host.settle();
    let text = recordings(&host)[0].replace("# later", "# forged");
    let played = play(&lines(&text));
    let others = played
        .iter()
        .filter(|step| matches!(step, Replayed::Other(_)));
    assert_eq!(others.count(), 1, "the last one");
}

#[test]
fn nothing_is_recorded_unless_somebody_wants_it() {
    let mut host = Host::new(FILES);
    work(&mut host);
    host.settle();
    assert_eq!(recordings(&host), [] as [&str; 0]);
    // The folder's own settings do not decide that.
    host.write("/w/app/.context/config.json", "{\"record\": true}");
    host.write("/w/app/b.py", "from a import x\n");
    host.configure();
    host.settle();
    work(&mut host);
    host.settle();
    assert_eq!(recordings(&host), [] as [&str; 0]);
    host.write("/w/app/b.py", "from a import x\n");
    host.person_sets(|own| own.record = Some(true));
    work(&mut host);
    host.settle();
    let [recorded] = &recordings(&host)[..] else {
        panic!("{:?}", recordings(&host));
    };
    assert!(!recorded.contains("/w/app"), "no path of the machine");
    // Without the folder there is no place for it.
    let mut host = Host::new("//- /app/a.py\nx = 1\ny = 2\n//- /app/b.py\nfrom a import x\n");
    host.config.record = true;
    host.configure();
    work(&mut host);
    host.settle();
    assert_eq!(recordings(&host), [] as [&str; 0]);
}

#[test]
fn secrets_and_what_is_outside_are_not_recorded() {
    let mut host = Host::new(FILES);
    host.config.record = true;
    host.configure();
    host.send(Event::Time {
        now_ms: host.clock + 1.0,
    });
    open(&mut host, "/w/app/.env", "TOKEN=hunter2\n");
    open(&mut host, "/elsewhere/private.py", "diary = 1\n");
    type_at_start(&mut host, "/w/app/.env", 2, "PIN=4711\n");
    open(&mut host, "/w/app/a.py", "x = 1\n");
    live(&mut host, ".env");
    live(&mut host, "a.py");
    let base = json!("v0");
    let change = json!({ "oldText": "TOKEN=hunter2", "newText": "TOKEN=other" });
    let edit = json!({ "filePath": ".env", "baseVersion": base, "changes": [change] });
    host.call("applyEdit", json!({ "edits": [edit] }));
    host.settle();
    let recorded = recordings(&host).remove(0);
    for secret in ["hunter2", "4711", "other", "diary"] {
        assert!(!recorded.contains(secret), "{secret}: {recorded}");
    }
    let played = play(&lines(&recorded));
    assert!(played.contains(&Replayed::Hidden));
    assert!(
        !played.iter().any(|step| matches!(step, Replayed::Other(_))),
        "{played:?}"
    );
}

#[test]
fn files_of_programs_with_secrets_and_private_keys_are_not_recorded() {
    let mut host = Host::new(FILES);
    host.config.record = true;
    host.configure();
    host.send(Event::Time {
        now_ms: host.clock + 1.0,
    });
    let key = format!(
        "-----BEGIN RSA PRIVATE KEY-----\n{}\n",
        "hunter2x".repeat(8)
    );
    for name in [
        ".npmrc",
        ".pgpass",
        "prod.tfvars",
        "service-account-1.json",
        "kubeconfig",
        ".htpasswd",
        ".pypirc",
        ".dockercfg",
        ".docker/config.json",
        ".git-credentials",
        "credentials",
        "a.jks",
        "a.p12",
        "a.pfx",
        "a.kdbx",
    ] {
        open(&mut host, &format!("/w/app/{name}"), "hunter2\n");
        type_at_start(&mut host, &format!("/w/app/{name}"), 2, "hunter2\n");
    }
    open(&mut host, "/w/app/notes.txt", &key);
    open(&mut host, "/w/app/pasted.txt", "\n");
    type_at_start(&mut host, "/w/app/pasted.txt", 2, &key);
    open(&mut host, "/w/app/a.py", "x = 1\n");
    let change = json!({ "oldText": "x = 1", "newText": key });
    let edit = json!({ "filePath": "a.py", "baseVersion": "v0", "changes": [change] });
    host.call("applyEdit", json!({ "edits": [edit] }));
    live(&mut host, "a.py");
    host.settle();
    let recorded = recordings(&host).remove(0);
    assert!(!recorded.contains("hunter2"), "{recorded}");
    assert!(recorded.contains("x = 1"), "{recorded}");
}

#[test]
fn what_is_no_recording_is_refused() {
    assert!(Replay::begin(&[]).is_err());
    let hidden = RecordedLine {
        at: 1,
        what: Recorded::Hidden,
    };
    assert!(Replay::begin(std::slice::from_ref(&hidden)).is_err());
}
