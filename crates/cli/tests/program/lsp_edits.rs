//! Code actions and renames of `codecortex lsp`: the editor makes them, nothing is written here (SPEC ED1).

use gen_lsp_types::{CodeAction, DocumentChange, WorkspaceEdit};
use serde_json::{Value, json};

use crate::editor::{Editor, marked};
use crate::support::Place;

fn selection(editor: &Editor, path: &str, range: [(u32, u32); 2], only: &Value) -> Value {
    let place = |(line, character): (u32, u32)| json!({ "line": line, "character": character });
    json!({
        "textDocument": { "uri": editor.uri(path) },
        "range": { "start": place(range[0]), "end": place(range[1]) },
        "context": { "diagnostics": [], "only": only },
    })
}

/// The text after the edits of the only changed document.
fn edited(text: &str, edit: &WorkspaceEdit) -> String {
    let changes = edit.document_changes.as_ref().unwrap();
    let DocumentChange::TextDocumentEdit(change) = &changes[0] else {
        panic!("{changes:?}");
    };
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let byte = |at: &Value| {
        let line = at["line"].as_u64().unwrap() as usize;
        let before: usize = lines[..line].iter().map(|line| line.len()).sum();
        before + at["character"].as_u64().unwrap() as usize
    };
    let mut after = text.to_owned();
    for edit in change.edits.iter().rev() {
        let edit = serde_json::to_value(edit).unwrap();
        let range = byte(&edit["range"]["start"])..byte(&edit["range"]["end"]);
        after.replace_range(range, edit["newText"].as_str().unwrap());
    }
    after
}

#[test]
fn a_selection_is_extracted_and_a_value_is_inlined() {
    let (text, places) = marked("def size(a):\n    width = <1>a * 2<2>\n    return <3>width\n");
    let place = Place::new();
    let file = place.write("a.py", &text);
    let mut editor = Editor::open(&place);
    let uri = editor.uri("a.py");
    editor.open_document(&uri, "python", &text);
    let params = selection(&editor, "a.py", [places[0], places[1]], &Value::Null);
    let actions: Vec<CodeAction> = editor.result("textDocument/codeAction", &params);
    assert_eq!(actions.len(), 2, "{actions:?}");
    let after = edited(&text, actions[0].edit.as_ref().unwrap());
    assert_eq!(
        after,
        "def size(a):\n    extracted = a * 2\n    width = extracted\n    return width\n"
    );
    let only = json!(["refactor.inline"]);
    let params = selection(&editor, "a.py", [places[2], places[2]], &only);
    let actions: Vec<CodeAction> = editor.result("textDocument/codeAction", &params);
    assert_eq!(actions.len(), 1, "{actions:?}");
    let after = edited(&text, actions[0].edit.as_ref().unwrap());
    assert!(
        after.contains("return a * 2") || after.contains("return (a * 2)"),
        "{after}"
    );
    assert_eq!(std::fs::read_to_string(file).unwrap(), text);
}

#[test]
fn what_is_refused_is_shown_with_its_reason() {
    let text = "def used():\n    return 1\n\n\nused()\n";
    let place = Place::new();
    place.write("a.py", text);
    let mut editor = Editor::open(&place);
    let uri = editor.uri("a.py");
    editor.open_document(&uri, "python", text);
    let only = json!(["refactor.rewrite"]);
    let mut params = selection(&editor, "a.py", [(0, 5), (0, 5)], &only);
    let actions: Vec<CodeAction> = editor.result("textDocument/codeAction", &params);
    assert!(actions[0].edit.is_none());
    let reason = &actions[0].disabled.as_ref().unwrap().reason;
    assert!(reason.ends_with("Nothing was changed."), "{reason}");
    // At every move of the cursor, names are not planned for.
    params["context"]["triggerKind"] = 2.into();
    let actions: Vec<CodeAction> = editor.result("textDocument/codeAction", &params);
    assert!(actions.is_empty(), "{actions:?}");
}

#[test]
fn a_declaration_moves_to_another_open_document() {
    let (from, to) = (
        "def helper():\n    return 1\n\n\ndef stays():\n    return helper()\n",
        "x = 1\n",
    );
    let place = Place::new();
    place.write("from_here.py", from);
    place.write("to_there.py", to);
    let mut editor = Editor::open(&place);
    for (path, text) in [("from_here.py", from), ("to_there.py", to)] {
        let uri = editor.uri(path);
        editor.open_document(&uri, "python", text);
    }
    let only = json!(["refactor.move"]);
    let params = selection(&editor, "from_here.py", [(0, 5), (0, 5)], &only);
    let actions: Vec<CodeAction> = editor.result("textDocument/codeAction", &params);
    assert_eq!(actions.len(), 1, "{actions:?}");
    let edit = actions[0].edit.as_ref().unwrap();
    let written = serde_json::to_string(edit).unwrap();
    assert!(
        written.contains("to_there.py") && written.contains("def helper()"),
        "{written}"
    );
}

#[test]
fn a_rename_moves_the_file_where_the_client_does_that() {
    let text = "class Shape {}\n";
    let place = Place::new();
    place.write("Shape.java", "public class Shape {}\n");
    place.write("note.ts", text);
    for operations in [json!(["rename"]), json!([])] {
        let mut editor = Editor::start(&place, &[]);
        let edits = json!({ "documentChanges": true, "resourceOperations": operations });
        let params = json!({
            "rootUri": editor.uri(""),
            "capabilities": { "workspace": { "workspaceEdit": edits } },
        });
        editor.initialize(&params);
        let mut at = editor.at("Shape.java", (0, 14));
        at["newName"] = "Figure".into();
        let reply = editor.ask("textDocument/rename", &at);
        if operations == json!([]) {
            let said = reply["error"]["message"].as_str().unwrap();
            assert!(said.contains("rename a file"), "{said}");
            continue;
        }
        let changes = &reply["result"]["documentChanges"];
        assert_eq!(changes[0]["edits"][0]["newText"], "Figure", "{reply}");
        assert_eq!(changes[0]["textDocument"]["version"], Value::Null);
        assert_eq!(changes[1]["kind"], "rename", "{reply}");
        assert_eq!(changes[1]["newUri"], editor.uri("Figure.java"));
    }
}
