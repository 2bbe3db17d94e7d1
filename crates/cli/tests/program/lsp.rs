//! `codecortex lsp`: every capability in every language that is resolved (SPEC RPC1, UX1).

use gen_lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyItem, CallHierarchyOutgoingCall, CompletionList,
    DocumentSymbol, FullDocumentDiagnosticReport, Hover, Location, SymbolInformation,
    TypeHierarchyItem, WorkspaceEdit,
};
use serde_json::{Value, json};

use crate::editor::{Editor, marked};
use crate::support::Place;

/// A small program in one language. Marks: 1 the base type, 2 its method, 3 the derived type, 4 its method, 5 a function
/// that calls the method, 6 a value where it is used, 7 the call.
struct Sample {
    language: &'static str,
    path: &'static str,
    text: &'static str,
    /// What is typed to ask for members, and what stands behind it.
    access: [&'static str; 2],
}

const SAMPLES: [Sample; 7] = [
    Sample {
        language: "python",
        path: "shop.py",
        text: "class <1>Shape:\n    def <2>area(self) -> int:\n        return 0\n\n\nclass <3>Square(Shape):\n    def <4>area(self) -> int:\n        return 1\n\n\ndef <5>total(shape: Shape) -> int:\n    return <6>shape.<7>area()\n",
        access: ["\n\ndef more(shape: Shape):\n    shape.", "\n"],
    },
    Sample {
        language: "typescript",
        path: "shop.ts",
        text: "export class <1>Shape {\n  <2>area(): number {\n    return 0;\n  }\n}\nexport class <3>Square extends Shape {\n  <4>area(): number {\n    return 1;\n  }\n}\nexport function <5>total(shape: Shape): number {\n  return <6>shape.<7>area();\n}\n",
        access: ["function more(shape: Shape) {\n  shape.", "\n}\n"],
    },
    Sample {
        language: "java",
        path: "shop/Shape.java",
        text: "package shop;\n\nclass <1>Shape {\n    int <2>area() { return 0; }\n}\n\nclass <3>Square extends Shape {\n    int <4>area() { return 1; }\n}\n\nclass Till {\n    int <5>total(Shape shape) { return <6>shape.<7>area(); }\n}\n",
        access: [
            "class More {\n    void more(Shape shape) {\n        shape.",
            "\n    }\n}\n",
        ],
    },
    Sample {
        language: "csharp",
        path: "Shop.cs",
        text: "namespace Shop;\n\nclass <1>Shape {\n    public virtual int <2>Area() { return 0; }\n}\n\nclass <3>Square : Shape {\n    public override int <4>Area() { return 1; }\n}\n\nclass Till {\n    int <5>Total(Shape shape) { return <6>shape.<7>Area(); }\n}\n",
        access: [
            "class More {\n    void Do(Shape shape) {\n        shape.",
            "\n    }\n}\n",
        ],
    },
    Sample {
        language: "rust",
        path: "src/lib.rs",
        text: "pub trait <1>Shape {\n    fn <2>area(&self) -> u32;\n}\n\npub struct <3>Square;\n\nimpl Shape for Square {\n    fn <4>area(&self) -> u32 {\n        1\n    }\n}\n\npub fn <5>total(shape: &Square) -> u32 {\n    <6>shape.<7>area()\n}\n",
        access: ["fn more(shape: &Square) {\n    shape.", "\n}\n"],
    },
    Sample {
        language: "cpp",
        path: "shop.cpp",
        text: "class <1>Shape {\npublic:\n    virtual int <2>area() { return 0; }\n};\n\nclass <3>Square : public Shape {\npublic:\n    int <4>area() override { return 1; }\n};\n\nint <5>total(Shape& shape) { return <6>shape.<7>area(); }\n",
        access: ["void more(Shape& shape) {\n    shape.", "\n}\n"],
    },
    Sample {
        language: "angelscript",
        path: "Shop.as",
        text: "class <1>Shape\n{\n    int <2>Area() { return 0; }\n}\n\nclass <3>Square : Shape\n{\n    int <4>Area() override { return 1; }\n}\n\nint <5>Total(Shape Thing)\n{\n    return <6>Thing.<7>Area();\n}\n",
        access: ["void More(Shape Thing)\n{\n    Thing.", "\n}\n"],
    },
];

/// A sample in an editor that has it open.
struct Session {
    sample: &'static Sample,
    editor: Editor,
    text: String,
    places: Vec<(u32, u32)>,
    _place: Place,
}

fn sessions() -> impl Iterator<Item = Session> {
    SAMPLES.iter().map(|sample| {
        let (text, places) = marked(sample.text);
        let place = Place::new();
        place.write(sample.path, &text);
        if sample.language == "rust" {
            place.write(
                "Cargo.toml",
                "[package]\nname = \"shop\"\nversion = \"0.1.0\"\n",
            );
        }
        let mut editor = Editor::open(&place);
        let uri = editor.uri(sample.path);
        editor.open_document(&uri, sample.language, &text);
        Session {
            sample,
            editor,
            text,
            places,
            _place: place,
        }
    })
}

impl Session {
    /// A place by its mark.
    fn at(&self, mark: usize) -> Value {
        self.editor.at(self.sample.path, self.places[mark - 1])
    }

    fn start_of(location: &Location) -> (u32, u32) {
        let start = location.range.start;
        (start.line, start.character)
    }

    fn locations(&mut self, method: &str, mark: usize) -> Vec<(u32, u32)> {
        let at = self.at(mark);
        let found: Vec<Location> = self.editor.result(method, &at);
        found.iter().map(Self::start_of).collect()
    }
}

#[test]
fn definitions_implementations_and_types_are_found() {
    for mut session in sessions() {
        let language = session.sample.language;
        let places = session.places.clone();
        let is_rust = language == "rust";
        let called = session.locations("textDocument/definition", 7);
        let method = if is_rust { places[3] } else { places[1] };
        assert_eq!(called, [method], "{language}");
        let implementations = session.locations("textDocument/implementation", 2);
        assert!(
            implementations.contains(&places[3]),
            "{language} {implementations:?}"
        );
        let types = session.locations("textDocument/typeDefinition", 6);
        let expected = if is_rust { places[2] } else { places[0] };
        assert_eq!(types, [expected], "{language}");
    }
}

#[test]
fn references_are_those_of_a_compiler() {
    for mut session in sessions() {
        let language = session.sample.language;
        let mark = if language == "rust" { 4 } else { 2 };
        let mut at = session.at(mark);
        at["context"] = json!({ "includeDeclaration": false });
        let found: Vec<Location> = session.editor.result("textDocument/references", &at);
        let found: Vec<_> = found.iter().map(Session::start_of).collect();
        assert!(found.contains(&session.places[6]), "{language} {found:?}");
        at["context"] = json!({ "includeDeclaration": true });
        let all: Vec<Location> = session.editor.result("textDocument/references", &at);
        assert!(all.len() > found.len(), "{language} {all:?}");
    }
}

#[test]
fn outlines_searches_and_hovers_name_what_is_declared() {
    for mut session in sessions() {
        let language = session.sample.language;
        let document = session.editor.document(session.sample.path);
        let outline: Vec<DocumentSymbol> = session
            .editor
            .result("textDocument/documentSymbol", &document);
        // C# has them in a namespace.
        let around = outline[0].children.iter().flatten();
        let shape = outline
            .iter()
            .chain(around)
            .find(|symbol| symbol.name == "Shape");
        let children = shape.unwrap().children.as_ref().unwrap();
        assert!(
            children[0].name.eq_ignore_ascii_case("area"),
            "{language} {children:?}"
        );
        let query = json!({ "query": "Square" });
        let found: Vec<SymbolInformation> = session.editor.result("workspace/symbol", &query);
        let start = Session::start_of(&found[0].location);
        assert_eq!(start, session.places[2], "{language}");
        let at = session.at(5);
        let hover: Hover = session.editor.result("textDocument/hover", &at);
        let hover = format!("{hover:?}");
        assert!(
            hover.to_lowercase().contains("total("),
            "{language} {hover}"
        );
    }
}

#[test]
fn hierarchies_go_up_and_down() {
    for mut session in sessions() {
        let language = session.sample.language;
        let at = session.at(5);
        let items: Vec<CallHierarchyItem> = session
            .editor
            .result("textDocument/prepareCallHierarchy", &at);
        let item = json!({ "item": items[0] });
        let out: Vec<CallHierarchyOutgoingCall> =
            session.editor.result("callHierarchy/outgoingCalls", &item);
        assert!(
            out[0].to.name.eq_ignore_ascii_case("area"),
            "{language} {out:?}"
        );
        let start = out[0].from_ranges[0].start;
        assert_eq!(
            (start.line, start.character),
            session.places[6],
            "{language}"
        );
        let callee = json!({ "item": out[0].to });
        let callers: Vec<CallHierarchyIncomingCall> = session
            .editor
            .result("callHierarchy/incomingCalls", &callee);
        assert!(
            callers
                .iter()
                .any(|caller| caller.from.name == items[0].name),
            "{language} {callers:?}"
        );
        let at = session.at(3);
        let items: Vec<TypeHierarchyItem> = session
            .editor
            .result("textDocument/prepareTypeHierarchy", &at);
        let item = json!({ "item": items[0] });
        let above: Vec<TypeHierarchyItem> =
            session.editor.result("typeHierarchy/supertypes", &item);
        assert_eq!(above[0].name, "Shape", "{language}");
        let item = json!({ "item": above[0] });
        let below: Vec<TypeHierarchyItem> = session.editor.result("typeHierarchy/subtypes", &item);
        assert_eq!(below[0].name, "Square", "{language}");
    }
}

#[test]
fn members_are_completed_while_they_are_typed() {
    for mut session in sessions() {
        let language = session.sample.language;
        let [typed, behind] = session.sample.access;
        let uri = session.editor.uri(session.sample.path);
        let text = format!("{}{typed}{behind}", session.text);
        session.editor.change(&uri, 2, &json!([{ "text": text }]));
        let before = format!("{}{typed}", session.text);
        let line = before.matches('\n').count() as u32;
        let character = before.rsplit('\n').next().unwrap().len() as u32;
        let at = session.editor.at(session.sample.path, (line, character));
        let list: CompletionList = session.editor.result("textDocument/completion", &at);
        let labels: Vec<String> = list
            .items
            .iter()
            .map(|item| item.label.to_lowercase())
            .collect();
        assert!(labels.contains(&"area".to_owned()), "{language} {labels:?}");
    }
}

#[test]
fn a_rename_is_an_edit_of_every_place() {
    for mut session in sessions() {
        let language = session.sample.language;
        let at = session.at(1);
        let prepared: Value = session.editor.result("textDocument/prepareRename", &at);
        assert_eq!(prepared["placeholder"], "Shape", "{language}");
        let mut renamed = at.clone();
        renamed["newName"] = "Figure".into();
        let edit: WorkspaceEdit = session.editor.result("textDocument/rename", &renamed);
        let written = serde_json::to_string(&edit).unwrap();
        let expected = session.text.matches("Shape").count();
        assert_eq!(
            written.matches("Figure\"").count(),
            expected,
            "{language} {written}"
        );
        renamed["newName"] = "no name".into();
        let refused = session.editor.ask("textDocument/rename", &renamed);
        assert_eq!(refused["error"]["code"], -32803, "{language} {refused}");
        assert!(refused["error"]["data"]["hint"].is_string(), "{refused}");
    }
}

#[test]
fn errors_of_syntax_are_pulled() {
    for mut session in sessions() {
        let language = session.sample.language;
        let document = session.editor.document(session.sample.path);
        let report: FullDocumentDiagnosticReport =
            session.editor.result("textDocument/diagnostic", &document);
        assert!(report.items.is_empty(), "{language} {report:?}");
        let uri = session.editor.uri(session.sample.path);
        let (line, _) = session.places[4];
        let at = json!({ "line": line, "character": 0 });
        let change = json!([{ "range": { "start": at, "end": at }, "text": ")(\n" }]);
        session.editor.change(&uri, 2, &change);
        let report: FullDocumentDiagnosticReport =
            session.editor.result("textDocument/diagnostic", &document);
        let lines: Vec<u32> = report
            .items
            .iter()
            .map(|item| item.range.start.line)
            .collect();
        assert!(
            !lines.is_empty() && *lines.last().unwrap() >= line.saturating_sub(2),
            "{language} {lines:?}"
        );
    }
}

#[test]
fn tokens_are_those_of_angelscript_alone() {
    for mut session in sessions() {
        let document = session.editor.document(session.sample.path);
        let method = "textDocument/semanticTokens/full";
        let tokens: Value = session.editor.result(method, &document);
        if session.sample.language != "angelscript" {
            assert!(tokens.is_null(), "{tokens}");
            continue;
        }
        let data: Vec<u32> = serde_json::from_value(tokens["data"].clone()).unwrap();
        // `Shape` at the first line is a class that is declared there.
        assert_eq!(data[..5], [0, 6, 5, 1, 1]);
        let names = data.len() / 5;
        assert!(names >= 10, "{data:?}");
        let mut within = document.clone();
        within["range"] =
            json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 1, "character": 0 } });
        let tokens: Value = session
            .editor
            .result("textDocument/semanticTokens/range", &within);
        assert_eq!(tokens["data"].as_array().unwrap().len(), 5);
    }
}
