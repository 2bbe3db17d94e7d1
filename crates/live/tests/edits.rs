//! Edits by tools: on their way, made, failed, and what is remembered of them (SPEC LC3, LC4).
#![allow(clippy::unwrap_used, reason = "tests")]

use codecortex_live::{
    EditedFile, FailedEdit, FailedFile, History, Live, LiveEdit, MAX_HINTS, Moment, Snapshot,
    version_of,
};
use codecortex_protocol::{
    Beginning, Diagnostic, ErrorCode, Event, EventDisposition, FileEdit, GivenUp, Located,
    Position, Room,
};
use codecortex_text::TextDocument;

fn moment(at: u64) -> Moment {
    Moment {
        at,
        count: at,
        sample_every: 1_000_000,
    }
}

fn located(path: &str) -> Located {
    Located {
        path: path.to_owned(),
        display: path.trim_start_matches("/w/").to_owned(),
        place: None,
    }
}

fn edit(id: u32, path: &str, before: &str, after: &str) -> LiveEdit {
    let text = TextDocument::new(after);
    LiveEdit {
        id,
        summary: Some(format!("edit {id}")),
        undoes: None,
        files: vec![EditedFile {
            located: located(path),
            before: Some(TextDocument::new(before)),
            version: version_of(&text),
            after: text,
            diff: "-old\n+new\n".to_owned(),
            added: 1,
            removed: 1,
            lines: Some((0, 0)),
            effect: FileEdit {
                path: path.to_owned(),
                root: None,
                version: None,
                stamp: None,
                changes: Vec::new(),
                bytes: None,
                diff: String::new(),
                deleted: false,
                moved_to: None,
                makes_folder: false,
                mode: None,
            },
            moved_to: None,
        }],
    }
}

fn begin(live: &mut Live) {
    let beginning = Beginning {
        roots: 1,
        are_same_roots: true,
    };
    Room::<()>::begin(live, beginning);
}

#[test]
fn an_edit_is_on_its_way_until_its_outcome_is_taken() {
    let mut live = Live::default();
    live.begin_edit(7, edit(1, "/w/a.rs", "a", "b"));
    assert!(live.is_edit(7) && live.is_being_edited("/w/a.rs"));
    assert_eq!(
        live.edited_to("/w/a.rs"),
        Some(&version_of(&TextDocument::new("b")))
    );
    assert!(live.take_edit(8).is_none());
    let taken = live.take_edit(7).unwrap();
    assert!(!live.is_being_edited("/w/a.rs"));
    live.end_edit(7, Ok(taken));
    assert_eq!(live.take_ended(7).unwrap().unwrap().id, 1);
    assert!(live.take_ended(7).is_none());
}

#[test]
fn another_workspace_ends_edits_with_an_error() {
    let mut live = Live::default();
    live.begin_edit(7, edit(1, "/w/a.rs", "a", "b"));
    begin(&mut live);
    assert!(!live.is_edit(7));
    let error = live.take_ended(7).unwrap().unwrap_err();
    assert_eq!(error.code, ErrorCode::Unavailable);
    assert!(error.hint.unwrap().contains("codecortex_getLiveContext"));
}

#[test]
fn a_made_edit_is_a_step_of_closed_documents_and_a_hint() {
    let mut live = Live::default();
    let made = edit(1, "/w/a.rs", "a", "b");
    live.note_made(&made, |_| false, moment(5));
    let hint = live.hints().next().unwrap();
    assert_eq!(
        (hint.id, hint.files.as_slice()),
        (1, &["a.rs".to_owned()][..])
    );
    assert_eq!(hint.versions, [made.files[0].version.clone()]);
    assert_eq!(live.latest().map(String::as_str), Some("/w/a.rs"));
    let (history, last) = live.take("/w/a.rs").unwrap();
    assert_eq!(last.text.text(), "b");
    assert_eq!(steps(&history), 1);
}

#[test]
fn an_open_document_keeps_its_own_history() {
    let mut live = Live::default();
    live.note_made(&edit(1, "/w/a.rs", "a", "b"), |_| true, moment(5));
    assert!(live.take("/w/a.rs").is_none());
    assert_eq!(live.hints().count(), 1);
}

#[test]
fn a_failed_edit_is_a_hint_and_a_step_of_what_is_known() {
    let mut live = Live::default();
    live.keep(
        "/w/a.rs".to_owned(),
        History::default(),
        Snapshot::new(TextDocument::new("a")),
    );
    let failed = FailedEdit {
        id: 3,
        summary: None,
        files: ["/w/a.rs", "/w/unknown.rs"]
            .map(|path| FailedFile {
                located: located(path),
                patch: "+x\n".to_owned(),
            })
            .into(),
        reason: "The text changed.".to_owned(),
    };
    live.note_failed(failed, |_| false, moment(9));
    let hint = live.hints().next().unwrap();
    assert_eq!(hint.error.as_deref(), Some("The text changed."));
    assert!(hint.versions.is_empty());
    let (history, last) = live.take("/w/a.rs").unwrap();
    assert_eq!((steps(&history), last.text.text().as_str()), (1, "a"));
    assert!(live.take("/w/unknown.rs").is_none());
}

#[test]
fn an_edit_that_failed_keeps_its_difference() {
    let failed = edit(4, "/w/a.rs", "a", "b").into_failed("no".to_owned());
    assert_eq!((failed.id, failed.reason.as_str()), (4, "no"));
    assert_eq!(failed.files[0].patch, "-old\n+new\n");
}

#[test]
fn the_oldest_hints_and_documents_are_forgotten() {
    let mut live = Live::default();
    for id in 0..40 {
        let path = format!("/w/{id}.rs");
        live.note_made(&edit(id, &path, "a", "b"), |_| false, moment(5));
    }
    assert_eq!(live.hints().count(), MAX_HINTS);
    assert_eq!(live.hints().next_back().unwrap().id, 39);
    assert!(live.closed("/w/0.rs").is_none());
    assert!(live.closed("/w/39.rs").is_some());
    assert!(Room::<()>::held_bytes(&live) > 0);
    Room::<()>::shed(&mut live, GivenUp::Caches);
    assert!(live.closed("/w/39.rs").is_some(), "another step");
    Room::<()>::shed(&mut live, GivenUp::Trees);
    assert_eq!(Room::<()>::held_bytes(&live), 0);
}

#[test]
fn a_file_that_others_wrote_has_a_step() {
    let mut live = Live::default();
    let seen = |text: &str| Snapshot::new(TextDocument::new(text));
    live.seen_on_disk("/w/a.rs", &seen("a"), moment(1));
    live.seen_on_disk("/w/a.rs", &seen("a"), moment(2));
    assert_eq!(steps(live.closed("/w/a.rs").unwrap()), 0);
    live.seen_on_disk("/w/a.rs", &seen("b"), moment(3));
    assert_eq!(steps(live.closed("/w/a.rs").unwrap()), 1);
}

#[test]
fn the_room_takes_what_the_editor_shows_and_leaves_the_rest() {
    let mut live = Live::default();
    let at = Position {
        line: 2,
        character: 1,
    };
    let take = |live: &mut Live, event| Room::<()>::take_in(live, event);
    let selected = Event::Selected {
        path: "/w/a.rs".to_owned(),
        position: at,
    };
    assert!(matches!(take(&mut live, selected), EventDisposition::In));
    assert_eq!(live.editor.active.as_deref(), Some("/w/a.rs"));
    assert_eq!(live.editor.selections[0].start, at);
    let diagnosed = Event::Diagnosed {
        path: "/w/a.rs".to_owned(),
        diagnostics: Vec::<Diagnostic>::new(),
    };
    assert!(matches!(take(&mut live, diagnosed), EventDisposition::In));
    let saved = Event::Saved {
        path: "/w/a.rs".to_owned(),
    };
    assert!(matches!(take(&mut live, saved), EventDisposition::Left(_)));
}

/// The number of steps that a history has.
fn steps(history: &History) -> usize {
    history.steps(&Snapshot::default()).count()
}
