//! Live context: versions, recent diffs, anchors, windows (SPEC LC1–LC5, D15, D27).

use crate::support::Host;
use codecortex_engine::protocol::Caller;
use codecortex_engine::protocol::Diagnostic;
use codecortex_engine::protocol::DocumentSpan;
use codecortex_engine::protocol::Event;
use codecortex_engine::protocol::Position;
use codecortex_engine::protocol::Severity;
use codecortex_engine::protocol::TextChange;
use codecortex_engine::tokens_approx;
use proptest::prelude::*;
use serde_json::{Value, json};

const PATH: &str = "/w/app/a.py";

fn at(line: u32, character: u32) -> Position {
    Position { line, character }
}

fn change(start: Position, end: Position, text: &str) -> TextChange {
    let text = text.to_owned();
    TextChange { start, end, text }
}

fn open(host: &mut Host, path: &str, text: &str) {
    host.send(Event::Opened {
        path: path.into(),
        version: 1,
        text: text.into(),
        dirty: false,
    });
}

fn edit(host: &mut Host, path: &str, version: i64, changes: Vec<TextChange>) {
    host.send(Event::Edited {
        path: path.into(),
        version,
        changes,
        dirty: true,
    });
}

fn time(host: &mut Host, minutes: f64) {
    let now_ms = 1.6e12 + minutes * 60_000.0;
    host.send(Event::Time { now_ms });
}

fn live(host: &mut Host, args: Value) -> Value {
    host.ok("getLiveContext", args)
}

fn text_form(host: &mut Host, args: Value) -> String {
    let answer = host.call_at("codecortex_getLiveContext", args, Caller::default());
    answer.text.unwrap()
}

fn app(files: &str) -> Host {
    let mut host = Host::new(files);
    time(&mut host, 0.0);
    host
}

#[test]
fn a_burst_of_typing_is_one_diff_and_the_newest_comes_first() {
    let mut host = app("//- /app/a.py\nx = 1\ny = 2\n");
    open(&mut host, PATH, "x = 1\ny = 2\n");
    let first = live(&mut host, json!({ "filePath": "app/a.py" }));
    let version = first["current_document"]["versionId"].clone();
    for (place, letter) in ["0", "0", "!"].into_iter().enumerate() {
        let here = at(0, 5 + place as u32);
        edit(
            &mut host,
            PATH,
            2 + place as i64,
            vec![change(here, here, letter)],
        );
    }
    time(&mut host, 5.0);
    edit(&mut host, PATH, 9, vec![change(at(1, 0), at(1, 1), "z")]);
    let data = live(&mut host, json!({}));
    assert_eq!(data["current_document"]["text"], "x = 100!\nz = 2\n");
    assert_eq!(data["index"]["unsaved"], true);
    let diffs = data["recent_diffs"].as_array().unwrap();
    assert_eq!(diffs.len(), 2);
    assert_eq!(diffs[0]["versionId"], data["current_document"]["versionId"]);
    assert_eq!(
        diffs[0]["patchSnippet"],
        "@@ -1,2 +1,2 @@\n x = 100!\n-y = 2\n+z = 2\n"
    );
    assert_eq!(diffs[0]["affectedLineStart"], 2);
    assert_eq!(
        diffs[1]["patchSnippet"],
        "@@ -1,2 +1,2 @@\n-x = 1\n+x = 100!\n y = 2\n"
    );
    assert_eq!(diffs[1]["timestamp"], "2020-09-13T12:26:40Z");
    assert_eq!(diffs[0]["timestamp"], "2020-09-13T12:31:40Z");
    // Who knows a version gets the difference alone, and no step before it.
    let since = diffs[1]["versionId"].clone();
    let delta = live(&mut host, json!({ "since": since }));
    assert!(delta["current_document"]["text"].is_null());
    assert!(
        delta["delta"]["patch"]
            .as_str()
            .unwrap()
            .ends_with("-y = 2\n+z = 2\n")
    );
    assert_eq!(delta["recent_diffs"].as_array().unwrap().len(), 1);
    let none = live(
        &mut host,
        json!({ "since": data["current_document"]["versionId"] }),
    );
    assert_eq!(none["delta"]["patch"], "");
    // A version that is not kept is no reason to say nothing.
    let whole = live(&mut host, json!({ "since": "vnothing" }));
    assert_eq!(whole["current_document"]["text"], "x = 100!\nz = 2\n");
    // Any kept version and range.
    let old = live(&mut host, json!({ "versionId": version, "startLine": 2 }));
    assert_eq!(old["requested"]["text"], "y = 2\n");
    assert_eq!(old["requested"]["isCurrent"], false);
    let error = host.fail("getLiveContext", json!({ "versionId": "v0" }));
    assert_eq!(error["code"], "NotFound");
    let error = host.fail("getLiveContext", json!({ "startLine": 9 }));
    assert_eq!(error["code"], "InvalidParams");
}

#[test]
fn the_text_form_is_the_memos_markdown() {
    let mut host = app("//- /app/a.py\nx = 1\n");
    open(&mut host, PATH, "x = 1\n");
    edit(&mut host, PATH, 2, vec![change(at(0, 4), at(0, 5), "```")]);
    assert!(
        live(&mut host, json!({}))["anchor_diff"].is_null(),
        "the step says it"
    );
    host.send(Event::Editor {
        active: Some(PATH.into()),
        selections: vec![DocumentSpan {
            start: at(0, 4),
            end: at(0, 7),
        }],
        visible: vec![DocumentSpan {
            start: at(0, 0),
            end: at(1, 0),
        }],
    });
    host.send(Event::Diagnosed {
        path: PATH.into(),
        diagnostics: vec![Diagnostic {
            span: DocumentSpan {
                start: at(0, 4),
                end: at(0, 7),
            },
            severity: Severity::Error,
            message: "invalid syntax".into(),
            source: Some("pylance".into()),
        }],
    });
    let data = live(&mut host, json!({}));
    let version = data["current_document"]["versionId"].as_str().unwrap();
    let text = text_form(&mut host, json!({ "format": "text" }));
    let expected = format!(
        "# Live Context\n## Current Document\napp/a.py {version} (2 lines, unsaved)\n```\n1: x = ```\n```\n\
         ## Recent Diffs (new→old)\n- Version: {version} (editor)\n  Time: 2020-09-13T12:26:40Z\n  Patch:\n  \
         ```diff\n  @@ -1 +1 @@\n  -x = 1\n  +x = ```\n  ```\n## Editor State\n- Active: app/a.py\n- Cursor: 1:8\n\
         - Selected: 1:5-1:8\n- Visible: lines 1-2\n- Unsaved: app/a.py\n- error line 1: invalid syntax (pylance)\n"
    );
    assert!(
        text.starts_with(&expected),
        "{text}\n--- expected\n{expected}"
    );
    // The editor takes its problems back.
    host.send(Event::Diagnosed {
        path: PATH.into(),
        diagnostics: Vec::new(),
    });
    assert!(live(&mut host, json!({}))["editor_state"]["diagnostics"].is_null());
}

#[test]
fn the_anchor_is_what_was_an_hour_ago_also_when_the_clock_jumps() {
    let mut host = app("//- /app/a.py\n0\n");
    open(&mut host, PATH, "0\n");
    for ten in 1..=12i64 {
        time(&mut host, ten as f64 * 10.0);
        edit(
            &mut host,
            PATH,
            1 + ten,
            vec![change(at(0, 0), at(0, 0), &format!("{ten} "))],
        );
    }
    time(&mut host, 125.0);
    let data = live(&mut host, json!({}));
    let anchor = &data["anchor_diff"];
    assert_eq!(
        anchor["timestamp"], "2020-09-13T13:36:40Z",
        "70 min after the start"
    );
    assert_eq!(
        anchor["patchSnippet"],
        "@@ -1 +1 @@\n-6 5 4 3 2 1 0\n+12 11 10 9 8 7 6 5 4 3 2 1 0\n"
    );
    // A clock that is set back, or told nonsense, changes nothing of that.
    for strange in [-5000.0, f64::NAN, 0.0] {
        host.send(Event::Time { now_ms: strange });
    }
    time(&mut host, 3.0);
    let data = live(&mut host, json!({}));
    assert!(
        data["anchor_diff"]["patchSnippet"]
            .as_str()
            .unwrap()
            .contains("-6 5 4")
    );
    let jump = 1e6;
    time(&mut host, jump);
    assert!(live(&mut host, json!({}))["anchor_diff"].is_null());
}

#[test]
fn a_long_text_is_shown_by_windows_within_every_budget() {
    let lines: Vec<String> = (0..3000)
        .map(|n| format!("def function_{n}(): return {n}\n"))
        .collect();
    let text = lines.concat();
    let mut host = app("//- /app/a.py\npass\n");
    open(&mut host, PATH, &text);
    edit(
        &mut host,
        PATH,
        2,
        vec![change(at(2000, 4), at(2000, 4), "new_")],
    );
    host.send(Event::Editor {
        active: Some(PATH.into()),
        selections: vec![DocumentSpan {
            start: at(1000, 0),
            end: at(1000, 0),
        }],
        visible: Vec::new(),
    });
    let data = live(&mut host, json!({}));
    let document = &data["current_document"];
    assert!(document["text"].is_null());
    let windows = document["windows"].as_array().unwrap();
    let shows = |line: u64| {
        windows.iter().any(|w| {
            w["startLine"].as_u64().unwrap() <= line && line <= w["endLine"].as_u64().unwrap()
        })
    };
    assert!(shows(1001) && shows(2001) && !shows(1), "{windows:?}");
    assert!(
        document["outline"][0]
            .as_str()
            .unwrap()
            .starts_with("1 function function_0")
    );
    // As text, each line has its number, and one line says how many are left out.
    let shown = text_form(&mut host, json!({ "format": "text" }));
    assert!(
        shown.contains("\n1001: def function_1000(): return 1000\n"),
        "{shown}"
    );
    let gaps = shown.lines().filter(|line| line.starts_with("… "));
    assert!(gaps.clone().count() == 1 && gaps.clone().all(|gap| gap.ends_with(" lines")));
    let mut cheapest = None;
    for budget in (0..120).map(|step| step * step) {
        for form in ["json", "text"] {
            let args = json!({ "maxTokens": budget, "format": form });
            let answer = host.call_at("codecortex_getLiveContext", args, Caller::default());
            let text = answer.json.or(answer.text).unwrap();
            if answer.ok {
                assert!(tokens_approx(&text) <= budget, "{budget} {form}");
                cheapest = cheapest.or(Some(budget));
            } else {
                assert!(text.contains("BudgetExceeded"), "{text}");
                assert!(budget < 40 || tokens_approx(&text) <= budget, "{text}");
            }
        }
    }
    assert!(cheapest.is_some_and(|tokens| tokens < 400), "{cheapest:?}");
    let range = live(&mut host, json!({ "startLine": 2001, "endLine": 2001 }));
    assert_eq!(
        range["requested"]["text"],
        "def new_function_2000(): return 2000\n"
    );
}

#[test]
fn what_is_old_strange_or_gone_does_no_harm() {
    let mut host = app("//- /app/a.py\nx = 1\n");
    open(&mut host, PATH, "x = 1\n");
    edit(&mut host, PATH, 5, vec![change(at(0, 0), at(0, 1), "y")]);
    // Late, and once more.
    edit(&mut host, PATH, 4, vec![change(at(0, 0), at(0, 1), "late")]);
    edit(
        &mut host,
        PATH,
        5,
        vec![change(at(0, 0), at(0, 1), "again")],
    );
    assert_eq!(
        live(&mut host, json!({}))["current_document"]["text"],
        "y = 1\n"
    );
    // Outside of the text, the wrong way round, within a character.
    edit(
        &mut host,
        PATH,
        6,
        vec![change(at(90, 9), at(90, 9), "z = 😀\n")],
    );
    edit(&mut host, PATH, 7, vec![change(at(1, 5), at(1, 0), "!")]);
    assert_eq!(
        live(&mut host, json!({}))["current_document"]["text"],
        "y = 1\nz = !😀\n"
    );
    // The file goes while it is open: the editor's text stays the truth.
    host.disk.remove(PATH);
    host.touched(&[PATH]);
    assert_eq!(
        live(&mut host, json!({}))["current_document"]["text"],
        "y = 1\nz = !😀\n"
    );
    host.send(Event::Closed { path: PATH.into() });
    edit(&mut host, PATH, 8, vec![change(at(0, 0), at(0, 0), "?")]);
    let error = host.fail("getLiveContext", json!({ "filePath": "app/a.py" }));
    assert_eq!(error["code"], "NotFound", "{error}");
    // It comes back with another text, and what it was is not forgotten.
    host.write(PATH, "x = 2\n");
    host.touched(&[PATH]);
    let data = live(&mut host, json!({ "filePath": "app/a.py" }));
    assert_eq!(data["current_document"]["text"], "x = 2\n");
    assert_eq!(data["recent_diffs"][0]["origin"], "disk");
    assert!(
        data["recent_diffs"][0]["patchSnippet"]
            .as_str()
            .unwrap()
            .contains("-z = !😀")
    );
}

#[test]
fn a_file_that_no_editor_holds_is_read_from_the_disk() {
    let mut host = app(
        "//- /app/README.md\n# One\n//- /app/.gitignore\nsecret.txt\n//- /app/secret.txt\nkey\n",
    );
    let data = live(&mut host, json!({ "filePath": "README.md" }));
    assert_eq!(data["current_document"]["text"], "# One\n");
    host.write("/w/app/README.md", "# Two\n");
    let data = live(&mut host, json!({ "filePath": "README.md" }));
    assert_eq!(data["current_document"]["text"], "# Two\n");
    assert_eq!(
        data["recent_diffs"][0]["patchSnippet"],
        "@@ -1 +1 @@\n-# One\n+# Two\n"
    );
    // The same text has the same version in another process.
    let mut other = app("//- /app/README.md\n# Two\n");
    let again = live(&mut other, json!({ "filePath": "README.md" }));
    assert_eq!(
        again["current_document"]["versionId"],
        data["current_document"]["versionId"]
    );
    assert_eq!(
        host.fail("getLiveContext", json!({ "filePath": "secret.txt" }))["code"],
        "Unavailable"
    );
    assert_eq!(
        host.fail("getLiveContext", json!({ "filePath": "../x" }))["code"],
        "AccessDenied"
    );
    // Without any document there is still what the editor shows.
    let nothing = live(&mut app("//- /app/a.py\nx\n"), json!({}));
    assert!(nothing["current_document"].is_null() && nothing["editor_state"].is_object());
}

fn any_change() -> impl Strategy<Value = (u32, u32, u32, u32, String)> {
    let text = "([ab]|\n|\r\n|é|😀){0,4}";
    (0u32..6, 0u32..8, 0u32..3, 0u32..6, text)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is typed, the text is what a plain string would be, the newest diff leads to it, and each
    /// version that is kept is the text it was (SPEC LC1).
    #[test]
    fn versions_are_those_of_a_plain_string(
        start in "([ab]|\n|\r\n|é|😀){0,30}",
        edits in prop::collection::vec((any_change(), 0u32..4), 1..25),
    ) {
        use codecortex_text::{LineIndex, Utf16Position};
        let mut host = app("//- /app/a.py\npass\n");
        open(&mut host, PATH, &start);
        let mut plain = start;
        let mut known: Vec<(String, String)> = Vec::new();
        let mut minutes = 1.0;
        for (number, ((line, character, lines, characters, new), pause)) in edits.into_iter().enumerate() {
            minutes += f64::from(pause) / 20.0;
            time(&mut host, minutes);
            let from = at(line, character);
            let to = at(line + lines, if lines > 0 { characters } else { character + characters });
            edit(&mut host, PATH, 2 + number as i64, vec![change(from, to, &new)]);
            let index = LineIndex::new(&plain);
            let place = |at: Position| {
                index.offset(Utf16Position { line: at.line, character: at.character }, &plain) as usize
            };
            let (start, end) = (place(from), place(to).max(place(from)));
            plain.replace_range(start..end, &new);
            let data = live(&mut host, json!({ "diffs": 5 }));
            prop_assert_eq!(data["current_document"]["text"].as_str().unwrap(), &plain);
            let version = data["current_document"]["versionId"].as_str().unwrap().to_owned();
            known.push((version, plain.clone()));
        }
        for (version, text) in known {
            let envelope = host.call("getLiveContext", json!({ "versionId": version }));
            // Within a burst only its start and end are kept.
            if envelope["ok"] == true {
                prop_assert_eq!(envelope["data"]["requested"]["text"].as_str().unwrap(), &text);
            }
        }
    }
}
