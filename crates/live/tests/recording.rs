//! What a recording of live context has, and what it leaves out (SPEC D27, LC6).
#![allow(clippy::unwrap_used, reason = "tests")]

use codecortex_live::{Live, Recorded, RecordedLine, RecordingStart, is_live};
use codecortex_protocol::{
    ApplyOutcome, Caller, Config, DiskChange, Event, Position, Room, Root, TextChange,
};
use serde_json::json;

const AT: u64 = 1_700_000_000_000;

/// A key as an editor holds it; broken up, so that nobody takes this file for one that has a key.
fn private_key() -> String {
    let edge = |word: &str| format!("-----{word} RSA PRIVATE KEY-----");
    let body = "MIIEpAIBAAKCAQEA7v".repeat(8);
    format!("{}\n{body}\n{}\n", edge("BEGIN"), edge("END"))
}

fn roots() -> Vec<Root> {
    vec![Root {
        name: "app".to_owned(),
        path: "/folders/app".to_owned(),
        link: None,
    }]
}

fn opened(path: &str, text: &str) -> Event {
    Event::Opened {
        path: path.to_owned(),
        version: 1,
        text: text.to_owned(),
        dirty: false,
    }
}

fn edited(path: &str, text: &str) -> Event {
    let at = Position {
        line: 0,
        character: 0,
    };
    Event::Edited {
        path: path.to_owned(),
        version: 2,
        changes: vec![TextChange {
            start: at,
            end: at,
            text: text.to_owned(),
        }],
        dirty: true,
    }
}

/// A recording on the disk with these open documents.
fn recorded(opened: Vec<Event>) -> Live {
    let mut live = Live::default();
    let start = RecordingStart {
        at: AT,
        config: &Config {
            untrusted_contexts: vec!["/folders/app".to_owned()],
            ..Config::default()
        },
        roots: &roots(),
        opened,
    };
    live.begin_recording(0, ".context/replay/a.jsonl".to_owned(), start);
    live
}

/// The lines that wait for the disk, which they do not leave.
fn waiting(live: &Live) -> Vec<RecordedLine> {
    let Some((0, DiskChange::Append { path, text })) = live.unwritten_recording() else {
        return Vec::new();
    };
    assert_eq!(path, ".context/replay/a.jsonl");
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn events(live: &Live) -> Vec<Event> {
    let lines = waiting(live).into_iter();
    let events = lines.filter_map(|line| match line.what {
        Recorded::Event { event } => Some(event),
        _ => None,
    });
    events.collect()
}

fn text_of(live: &Live, name: &str) -> Option<String> {
    let mut events = events(live).into_iter();
    events.find_map(|event| match event {
        Event::Opened { path, text, .. } if path == name => Some(text),
        _ => None,
    })
}

#[test]
fn a_recording_begins_with_the_documents_and_names_no_path_of_the_machine() {
    let documents = vec![
        opened("/folders/app/b.rs", "fn b() {}"),
        opened("/folders/app/a.rs", "fn a() {}"),
    ];
    let live = recorded(documents);
    let lines = waiting(&live);
    let Recorded::Begin { roots, config, .. } = &lines[0].what else {
        panic!("{:?}", lines[0]);
    };
    assert_eq!(roots[0].path, "/app");
    assert!(config.untrusted_contexts.is_empty() && config.personal.is_empty());
    assert_eq!(lines[0].at, AT);
    assert_eq!(text_of(&live, "/app/a.rs").as_deref(), Some("fn a() {}"));
    let (_, change) = live.unwritten_recording().unwrap();
    assert!(!format!("{change:?}").contains("folders"));
    let paths = events(&live).into_iter().filter_map(|event| match event {
        Event::Opened { path, .. } => Some(path),
        _ => None,
    });
    let paths: Vec<String> = paths.collect();
    assert_eq!(paths, ["/app/a.rs", "/app/b.rs"]);
}

#[test]
fn secrets_and_files_outside_have_no_text() {
    let live = recorded(vec![
        opened("/folders/app/.env", "TOKEN=abc"),
        opened("/folders/app/key.txt", &private_key()),
        opened("/elsewhere/notes.md", "private"),
        opened("/folders/app/a.rs", "fn a() {}"),
    ]);
    assert_eq!(text_of(&live, "/app/.env").as_deref(), Some(""));
    assert_eq!(text_of(&live, "/app/key.txt").as_deref(), Some(""));
    assert_eq!(text_of(&live, "/elsewhere/notes.md").as_deref(), Some(""));
    assert_eq!(text_of(&live, "/app/a.rs").as_deref(), Some("fn a() {}"));
}

#[test]
fn a_key_that_is_pasted_hides_its_document_from_then_on() {
    let path = "/folders/app/a.rs";
    let mut live = recorded(vec![opened(path, "fn a() {}")]);
    live.record_event(&edited(path, "// one\n"), &roots(), AT);
    live.record_event(&edited(path, &private_key()), &roots(), AT);
    live.record_event(&edited(path, "// two\n"), &roots(), AT);
    let counts: Vec<usize> = events(&live)
        .iter()
        .filter_map(|event| match event {
            Event::Edited { changes, .. } => Some(changes.len()),
            _ => None,
        })
        .collect();
    assert_eq!(counts, [1, 0, 0]);
    live.record_payload(Some(path), "fn a".to_owned(), &roots(), AT);
    assert!(matches!(
        waiting(&live).last().unwrap().what,
        Recorded::Hidden
    ));
}

#[test]
fn calls_lose_what_they_do_to_secrets() {
    let mut live = recorded(Vec::new());
    let edit = |path: &str, text: &str| json!({ "filePath": path, "changes": [{ "text": text }] });
    let call = Event::Call {
        id: 1,
        tool: "codecortex_applyEdit".to_owned(),
        args: json!({ "edits": [edit(".env", "A=1"), edit("a.rs", &private_key()), edit("b.rs", "c")] }),
        caller: Caller::default(),
    };
    assert!(is_live(&call, |tool| tool == "codecortex_applyEdit"));
    assert!(!is_live(&call, |_| false));
    live.record_event(&call, &roots(), AT);
    let Some(Event::Call { args, .. }) = events(&live).pop() else {
        panic!("no call");
    };
    assert_eq!(args["edits"][0]["changes"], json!([]));
    assert_eq!(args["edits"][1]["changes"], json!([]));
    assert_eq!(args["edits"][2]["changes"], json!([{ "text": "c" }]));
}

#[test]
fn payloads_have_a_digest_of_their_own_text() {
    let mut live = recorded(Vec::new());
    let path = "/folders/app/a.rs";
    for text in ["one", "one", "two"] {
        live.record_payload(Some(path), text.to_owned(), &roots(), AT);
    }
    live.record_payload(Some("/elsewhere/a.rs"), "one".to_owned(), &roots(), AT);
    let ids: Vec<Option<String>> = waiting(&live)
        .into_iter()
        .filter_map(|line| match line.what {
            Recorded::Payload { id, .. } => Some(Some(id)),
            Recorded::Hidden => Some(None),
            _ => None,
        })
        .collect();
    assert!(ids[0].is_some() && ids[0] == ids[1] && ids[1] != ids[2]);
    assert_eq!(ids[3], None, "of a file outside of the workspace");
}

#[test]
fn texts_of_the_disk_are_recorded_but_those_of_secrets() {
    let mut live = recorded(Vec::new());
    let roots = roots();
    let file = |path, text: Option<&str>| (&roots[0], path, text.map(str::to_owned));
    let key = private_key();
    let files = [
        file("a.rs", Some("fn a() {}")),
        file("id_rsa", Some("text")),
        file("b.rs", Some(&key)),
        file("gone.rs", None),
    ];
    live.record_texts(files.into_iter(), AT);
    let Recorded::Texts { files } = waiting(&live).pop().unwrap().what else {
        panic!("no texts");
    };
    let texts = files
        .iter()
        .map(|file| (file.path.as_str(), file.text.is_some()));
    let texts: Vec<_> = texts.collect();
    assert_eq!(
        texts,
        [
            ("/app/a.rs", true),
            ("/app/id_rsa", false),
            ("/app/b.rs", false),
            ("/app/gone.rs", false)
        ]
    );
}

#[test]
fn outcomes_of_edits_name_recorded_paths() {
    let mut live = recorded(Vec::new());
    let outcome = ApplyOutcome::Conflict {
        path: "/folders/app/a.rs".to_owned(),
        not_restored: vec!["/folders/app/b.rs".to_owned()],
    };
    live.record_applied(&outcome, &roots(), AT);
    let Recorded::Applied { outcome } = waiting(&live).pop().unwrap().what else {
        panic!("no outcome");
    };
    let text = serde_json::to_string(&outcome).unwrap();
    assert!(text.contains("/app/a.rs") && text.contains("/app/b.rs"));
    assert!(!text.contains("jane"));
}

#[test]
fn lines_that_a_disk_does_not_take_are_written_again() {
    let mut live = recorded(Vec::new());
    let first = waiting(&live).len();
    live.recording_sent(7);
    assert!(
        live.unwritten_recording().is_none(),
        "they are on their way"
    );
    live.record_event(&opened("/folders/app/a.rs", "a"), &roots(), AT);
    live.recording_written(6, true);
    assert!(live.unwritten_recording().is_none(), "another commit");
    live.recording_written(7, false);
    assert_eq!(waiting(&live).len(), first + 1);
    live.recording_sent(8);
    live.recording_written(8, true);
    assert!(live.unwritten_recording().is_none());
    assert_eq!(Room::<()>::take_tick(&mut live), Some(1_000));
    assert_eq!(Room::<()>::take_tick(&mut live), None);
}

#[test]
fn a_recording_in_memory_has_paths_as_they_come_and_outlives_settings() {
    let mut live = Live::default();
    assert!(live.has_room_to_record() && !live.is_recorded());
    live.record_in_memory(3);
    live.end_recording_on_disk();
    assert!(live.is_recorded_in_memory());
    live.record_event(&opened("/app/a.rs", "a"), &roots(), AT);
    live.record_payload(None, "payload".to_owned(), &roots(), AT);
    let (lines, payload) = live.take_recording();
    assert_eq!((lines.len(), payload.as_str()), (2, "payload"));
    assert!(live.take_recording().0.is_empty());
    assert_eq!(live.next_edit(), 4);
    live.end_recording();
    assert!(!live.is_recorded());
}

#[test]
fn a_recording_ends_where_it_is_too_large() {
    let mut live = recorded(Vec::new());
    let long = "a".repeat(3 << 20);
    for _ in 0..4 {
        assert!(live.has_room_to_record());
        live.record_event(&opened("/folders/app/a.rs", &long), &roots(), AT);
    }
    assert!(!live.has_room_to_record(), "the disk takes nothing");
}
