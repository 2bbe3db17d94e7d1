//! What the editor shows and reports.
#![allow(clippy::unwrap_used, reason = "tests")]

use codecortex_live::EditorState;
use codecortex_protocol::{Diagnostic, DocumentSpan, Position};
use serde_json::json;

fn span(line: u32) -> DocumentSpan {
    let at = Position { line, character: 0 };
    DocumentSpan { start: at, end: at }
}

fn diagnostic(severity: &str, line: u32) -> Diagnostic {
    let at = json!({ "line": line, "character": 0 });
    let value = json!({ "severity": severity, "message": format!("at {line}"), "start": at, "end": at,
        "span": { "start": at, "end": at } });
    serde_json::from_value(value).unwrap()
}

#[test]
fn a_cursor_that_moves_leaves_the_screen_as_it_is() {
    let mut editor = EditorState::default();
    let path = || Some("/w/a.rs".to_owned());
    editor.shows(path(), vec![span(1)], vec![span(0), span(40)]);
    editor.shows(path(), vec![span(2)], Vec::new());
    assert_eq!(editor.visible, [span(0), span(40)]);
    assert_eq!(editor.selections, [span(2)]);
    editor.shows(Some("/w/b.rs".to_owned()), Vec::new(), Vec::new());
    assert!(editor.visible.is_empty(), "another document");
    editor.shows(None, Vec::new(), Vec::new());
    assert_eq!(editor.active, None);
}

#[test]
fn the_gravest_problems_come_first_and_none_takes_the_rest_away() {
    let mut editor = EditorState::default();
    let problems = vec![
        diagnostic("warning", 1),
        diagnostic("error", 9),
        diagnostic("error", 2),
    ];
    editor.diagnosed("/w/b.rs".to_owned(), problems);
    editor.diagnosed("/w/a.rs".to_owned(), vec![diagnostic("hint", 3)]);
    let lines = editor.diagnostics("/w/b.rs").iter();
    let lines: Vec<u32> = lines.map(|one| one.span.start.line).collect();
    assert_eq!(lines, [2, 9, 1]);
    assert_eq!(editor.problems(), (2, 4));
    let paths: Vec<&str> = editor.all().map(|(path, _)| path).collect();
    assert_eq!(paths, ["/w/a.rs", "/w/b.rs"]);
    editor.diagnosed("/w/b.rs".to_owned(), Vec::new());
    assert_eq!(editor.problems(), (1, 1));
    assert!(editor.diagnostics("/w/b.rs").is_empty());
}

#[test]
fn problems_of_a_file_are_bounded_and_the_gravest_stay() {
    let mut editor = EditorState::default();
    let mut problems: Vec<Diagnostic> = (0..300).map(|line| diagnostic("hint", line)).collect();
    problems.push(diagnostic("error", 400));
    editor.diagnosed("/w/a.rs".to_owned(), problems);
    let kept = editor.diagnostics("/w/a.rs");
    assert_eq!(kept.len(), 200);
    assert_eq!(kept[0].span.start.line, 400);
}
