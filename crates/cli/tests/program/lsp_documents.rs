//! Documents, folders, positions and languages of `codecortex lsp` (SPEC I1, UX1).

use gen_lsp_types::{DocumentSymbol, FullDocumentDiagnosticReport, Location, SymbolInformation};
use serde_json::{Value, json};

use crate::editor::{Editor, capabilities};
use crate::support::Place;

fn names(symbols: &[DocumentSymbol]) -> Vec<&str> {
    symbols.iter().map(|symbol| symbol.name.as_str()).collect()
}

fn outline(editor: &mut Editor, uri: &str) -> Vec<DocumentSymbol> {
    let document = json!({ "textDocument": { "uri": uri } });
    editor.result("textDocument/documentSymbol", &document)
}

#[test]
fn the_text_of_the_editor_wins_until_it_is_closed() {
    let place = Place::new();
    place.write("a.py", "def disk():\n    pass\n");
    let mut editor = Editor::open(&place);
    let uri = editor.uri("a.py");
    assert_eq!(names(&outline(&mut editor, &uri)), ["disk"]);
    editor.open_document(&uri, "python", "def opened():\n    pass\n");
    assert_eq!(names(&outline(&mut editor, &uri)), ["opened"]);
    let at = |character: u32| json!({ "line": 0, "character": character });
    let changes = json!([
        { "range": { "start": at(4), "end": at(10) }, "text": "x" },
        { "range": { "start": at(5), "end": at(5) }, "text": "yz" },
    ]);
    editor.change(&uri, 2, &changes);
    assert_eq!(names(&outline(&mut editor, &uri)), ["xyz"]);
    editor.change(&uri, 3, &json!([{ "text": "def whole():\n    pass\n" }]));
    assert_eq!(names(&outline(&mut editor, &uri)), ["whole"]);
    // A change of what is not open is left out.
    let other = editor.uri("b.py");
    editor.change(&other, 1, &json!([{ "text": "x" }]));
    editor.tell(
        "textDocument/didClose",
        &json!({ "textDocument": { "uri": uri } }),
    );
    assert_eq!(names(&outline(&mut editor, &uri)), ["disk"]);
}

#[test]
fn documents_that_were_never_saved_have_an_outline_and_diagnostics() {
    let place = Place::new();
    place.write("a.py", "x = 1\n");
    let mut editor = Editor::open(&place);
    let new = editor.uri("folder/new.py");
    for uri in [
        new.as_str(),
        "untitled:Untitled-1",
        "file:///nowhere/out.py",
    ] {
        editor.open_document(uri, "python", "def fresh(:\n    pass\n");
        assert_eq!(names(&outline(&mut editor, uri)), ["fresh"], "{uri}");
        let document = json!({ "textDocument": { "uri": uri } });
        let report: FullDocumentDiagnosticReport =
            editor.result("textDocument/diagnostic", &document);
        assert_eq!(report.items.len(), 1, "{uri} {report:?}");
        assert_eq!(report.items[0].range.start.line, 0);
        let at =
            json!({ "textDocument": { "uri": uri }, "position": { "line": 0, "character": 5 } });
        let reply = editor.ask("textDocument/definition", &at);
        assert!(reply["error"].is_null(), "{reply}");
        editor.tell("textDocument/didClose", &document);
        let reply = editor.ask("textDocument/documentSymbol", &document);
        assert_eq!(reply["result"], json!([]), "{uri}");
    }
    // Once it is saved it is a file like others.
    editor.open_document(&new, "python", "def fresh():\n    pass\n");
    place.write("folder/new.py", "def fresh():\n    pass\n");
    editor.tell(
        "textDocument/didSave",
        &json!({ "textDocument": { "uri": new } }),
    );
    let at = editor.at("folder/new.py", (0, 5));
    loop {
        let reply = editor.ask("textDocument/definition", &at);
        if reply["result"].is_array() {
            assert_eq!(reply["result"][0]["uri"], new);
            break;
        }
    }
}

#[test]
fn positions_are_counted_as_the_client_wants() {
    let place = Place::new();
    place.write("lib.py", "é = \"𝕏\"; shown = 1\n");
    place.write("use.py", "from lib import shown\nprint(\"é𝕏\", shown)\n");
    for (encoding, used, defined) in [("utf-8", 16, 13), ("utf-16", 13, 10), ("utf-32", 12, 9)] {
        let mut editor = Editor::start(&place, &[]);
        let offered = json!([encoding, "utf-16"]);
        let offers = editor.initialize(&json!({
            "rootUri": editor.uri(""),
            "capabilities": { "general": { "positionEncodings": offered } },
        }));
        assert_eq!(offers["positionEncoding"], encoding);
        for is_open in [false, true] {
            if is_open {
                for path in ["use.py", "lib.py"] {
                    let text = std::fs::read_to_string(place.path().join(path)).unwrap();
                    let uri = editor.uri(path);
                    editor.open_document(&uri, "python", &text);
                }
            }
            let at = editor.at("use.py", (1, used));
            let found: Vec<Location> = editor.result("textDocument/definition", &at);
            assert_eq!(found.len(), 1, "{encoding} {is_open}");
            assert_eq!(found[0].range.start.character, defined, "{encoding}");
            assert_eq!(found[0].range.end.character, defined + 5, "{encoding}");
        }
    }
}

#[test]
fn folders_are_none_several_and_others() {
    let place = Place::new();
    place.write("one/a.py", "def alpha():\n    pass\n");
    place.write("two/b.py", "def beta():\n    pass\n");
    let mut editor = Editor::start(&place, &[]);
    let params = json!({ "rootUri": null, "capabilities": capabilities() });
    editor.initialize(&params);
    let found = |editor: &mut Editor, query: &str| -> usize {
        let all: Vec<SymbolInformation> =
            editor.result("workspace/symbol", &json!({ "query": query }));
        all.len()
    };
    assert_eq!(found(&mut editor, "alpha"), 0);
    let folder = |editor: &Editor, name: &str| json!({ "uri": editor.uri(name), "name": name });
    let (one, two) = (folder(&editor, "one"), folder(&editor, "two"));
    let strange = json!({ "uri": "http://example.org/x", "name": "x" });
    let follow = |editor: &mut Editor, added: Value, removed: Value| {
        let event = json!({ "event": { "added": added, "removed": removed } });
        editor.tell("workspace/didChangeWorkspaceFolders", &event);
    };
    follow(&mut editor, json!([one, two, strange]), json!([]));
    assert_eq!(
        (found(&mut editor, "alpha"), found(&mut editor, "beta")),
        (1, 1)
    );
    let uri = editor.uri("two/b.py");
    editor.open_document(&uri, "python", "def gamma():\n    pass\n");
    follow(&mut editor, json!([]), json!([one]));
    assert_eq!(
        (found(&mut editor, "alpha"), found(&mut editor, "gamma")),
        (0, 1)
    );
}

#[cfg(unix)]
#[test]
fn a_folder_behind_a_link_keeps_the_name_that_the_editor_knows() {
    let place = Place::new();
    place.write("real/a.py", "def alpha():\n    pass\n\n\nalpha()\n");
    std::os::unix::fs::symlink(place.path().join("real"), place.path().join("link")).unwrap();
    let mut editor = Editor::start(&place, &[]);
    let params = json!({ "rootUri": editor.uri("link"), "capabilities": {} });
    editor.initialize(&params);
    let uri = editor.uri("link/a.py");
    editor.open_document(&uri, "python", "\ndef alpha():\n    pass\n\n\nalpha()\n");
    let at = editor.at("link/a.py", (5, 2));
    let found: Vec<Location> = editor.result("textDocument/definition", &at);
    assert_eq!(found[0].uri.0, uri);
    assert_eq!(found[0].range.start.line, 1);
}

#[test]
fn a_choice_of_languages_leaves_the_others_to_another_server() {
    let place = Place::new();
    place.write("a.py", "def alpha():\n    pass\n");
    place.write("b.ts", "export function alphabet() {}\n");
    let wanted = json!({ "initializationOptions": { "languages": ["typescript"] } });
    for (args, wanted) in [
        (&["--languages", "typescript"][..], json!({})),
        (&[], wanted),
    ] {
        let mut editor = Editor::start(&place, args);
        let mut params = wanted;
        params["rootUri"] = editor.uri("").into();
        params["capabilities"] =
            json!({ "textDocument": { "hover": { "dynamicRegistration": true } } });
        let offered = editor.initialize(&params);
        assert!(offered["hoverProvider"].is_null());
        let selector = json!([{ "language": "typescript" }]);
        assert_eq!(offered["definitionProvider"]["documentSelector"], selector);
        let python = editor.at("a.py", (0, 5));
        let reply = editor.ask("textDocument/definition", &python);
        assert_eq!(reply["result"], Value::Null);
        let found: Vec<SymbolInformation> =
            editor.result("workspace/symbol", &json!({ "query": "alpha" }));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].location.uri.0.ends_with("b.ts"));
        let registered = editor
            .told
            .iter()
            .find(|told| told["method"] == "client/registerCapability");
        let registered = &registered.unwrap()["params"]["registrations"][0];
        assert_eq!(registered["method"], "textDocument/hover");
        assert_eq!(registered["registerOptions"]["documentSelector"], selector);
    }
    let run = place.run(&["lsp", "--languages", "typoscript"]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr.contains("typoscript") && run.stderr.contains("typescript"),
        "{}",
        run.stderr
    );
}
