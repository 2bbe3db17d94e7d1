//! An editor's questions in the languages that are resolved (SPEC UX1).

use codecortex_engine::protocol::{Caller, CallerKind, Event};
use serde_json::{Value, json};

use crate::support::Host;

/// A program with a type, a function that has a value of it, and the cursor `|` behind an access of that value.
struct Sample {
    path: &'static str,
    text: &'static str,
    /// The type's name, as it is declared.
    declared: &'static str,
    /// A member that is found.
    member: &'static str,
    /// What makes the text wrong where it stands at its begin.
    wrong: &'static str,
}

const SAMPLES: [Sample; 9] = [
    Sample {
        path: "app/shop.py",
        text: "class Shape:\n    def area(self) -> int:\n        return 0\n\n\ndef total(shape: Shape):\n    shape.|\n",
        declared: "Shape:",
        member: "area",
        wrong: "def (:\n",
    },
    Sample {
        path: "app/shop.ts",
        text: "class Shape {\n  area(): number {\n    return 0;\n  }\n}\nfunction total(shape: Shape) {\n  shape.|\n}\n",
        declared: "Shape {",
        member: "area",
        wrong: "let = ;\n",
    },
    Sample {
        path: "app/Shape.java",
        text: "class Shape {\n    int area() { return 0; }\n    void total(Shape shape) {\n        shape.|\n    }\n}\n",
        declared: "Shape {",
        member: "area",
        wrong: "class { (\n",
    },
    Sample {
        path: "app/Shape.cs",
        text: "class Shape {\n    int Area() { return 0; }\n    void Total(Shape shape) {\n        shape.|\n    }\n}\n",
        declared: "Shape {",
        member: "Area",
        wrong: "class { (\n",
    },
    Sample {
        path: "app/src/lib.rs",
        text: "pub struct Shape;\n\nimpl Shape {\n    fn area(&self) -> u32 {\n        1\n    }\n}\n\nfn total(shape: &Shape) {\n    shape.|\n}\n",
        declared: "Shape;",
        member: "area",
        wrong: "fn ( {\n",
    },
    Sample {
        path: "app/shape.cpp",
        text: "class Shape {\npublic:\n    int area() { return 0; }\n};\n\nvoid total(Shape& shape) {\n    shape.|\n}\n",
        declared: "Shape {",
        member: "area",
        wrong: "class { (;\n",
    },
    Sample {
        path: "app/pointer.cpp",
        text: "class Shape {\npublic:\n    int area() { return 0; }\n};\n\nvoid total(Shape* shape) {\n    shape->|\n}\n",
        declared: "Shape {",
        member: "area",
        wrong: "class { (;\n",
    },
    Sample {
        path: "app/shape.go",
        text: "package app\n\ntype Shape struct {\n\tside int\n}\n\nfunc total(shape *Shape) {\n\tshape.|\n}\n",
        declared: "Shape struct",
        member: "side",
        wrong: "func ( {\n",
    },
    Sample {
        path: "app/Shape.as",
        text: "class Shape\n{\n    int Area() { return 0; }\n}\n\nvoid Total(Shape Thing)\n{\n    Thing.|\n}\n",
        declared: "Shape\n",
        member: "Area",
        wrong: "class { (;\n",
    },
];

const EDITOR: Caller = Caller {
    kind: CallerKind::Editor,
    max_bytes: None,
    max_tokens: None,
    providers: false,
};

fn ask(host: &mut Host, tool: &str, args: Value) -> Value {
    let answer = host.call_at(tool, args, EDITOR);
    serde_json::from_str(&answer.json.unwrap()).unwrap()
}

/// A host with a file, which is open with the same text.
fn host(path: &str, text: &str) -> Host {
    let mut host = Host::new(&format!("//- /{path}\n{text}"));
    host.send(Event::Opened {
        path: format!("/w/{path}"),
        version: 1,
        text: text.to_owned(),
        dirty: false,
    });
    host
}

/// The place of a byte, from 1.
fn place(text: &str, byte: usize) -> Value {
    let before = &text[..byte];
    let character = before.rsplit('\n').next().unwrap().encode_utf16().count() + 1;
    json!({ "line": before.matches('\n').count() + 1, "character": character })
}

#[test]
fn members_are_found_in_every_language_while_they_are_typed() {
    for Sample {
        path, text, member, ..
    } in SAMPLES
    {
        let byte = text.find('|').unwrap();
        let text = text.replace('|', "");
        let mut host = host(path, &text);
        let args = json!({ "filePath": path, "position": place(&text, byte) });
        let answer = ask(&mut host, "editor_members", args);
        let members = answer["data"]["members"].as_array();
        let mut members = members.into_iter().flatten();
        assert!(
            members.any(|found| found["name"] == member),
            "{path} {answer}"
        );
    }
}

#[test]
fn a_type_is_found_from_a_use_of_its_value() {
    for Sample {
        path,
        text,
        member,
        declared,
        ..
    } in SAMPLES
    {
        let text = text.replace('|', &format!("{member};"));
        let value = text.rfind(&format!("{member};")).unwrap();
        // Inside of the name before the access.
        let byte = text[..value].trim_end_matches(['.', '-', '>']).len() - 1;
        let mut host = host(path, &text);
        let args = json!({ "filePath": path, "position": place(&text, byte) });
        let answer = ask(&mut host, "editor_typeDefinition", args);
        let found = &answer["data"]["items"][0]["range"]["start"];
        let expected = place(&text, text.find(declared).unwrap());
        assert_eq!(
            found["line"].as_u64(),
            expected["line"].as_u64().map(|line| line - 1),
            "{path} {answer}"
        );
        assert_eq!(
            found["character"].as_u64(),
            expected["character"]
                .as_u64()
                .map(|character| character - 1),
            "{path}"
        );
    }
}

#[test]
fn errors_of_syntax_are_found_in_every_language() {
    for Sample {
        path,
        text,
        member,
        wrong,
        ..
    } in SAMPLES
    {
        let right = text.replace('|', &format!("{member};"));
        let document = json!({ "filePath": path });
        let mut host = host(path, &format!("{wrong}{right}"));
        let answer = ask(&mut host, "editor_syntaxErrors", document);
        let items = answer["data"]["items"].as_array().unwrap();
        assert!(!items.is_empty(), "{path} {answer}");
    }
}

#[test]
fn scripts_have_the_kinds_of_all_their_names() {
    let text = "class Shape\n{\n    int Side = 1;\n    int Area(int Factor) { return Side * Factor; }\n}\n";
    let mut host = host("app/Shape.as", text);
    let answer = ask(
        &mut host,
        "editor_names",
        json!({ "filePath": "app/Shape.as" }),
    );
    let items = answer["data"]["items"].as_array().unwrap().iter();
    let shown = items.map(|item| {
        let [start, end] = ["start", "end"].map(|end| &item["range"][end]);
        let number = |at: &Value| at["character"].as_u64().unwrap() as usize;
        let line = text
            .lines()
            .nth(start["line"].as_u64().unwrap() as usize)
            .unwrap();
        let name = &line[number(start)..number(end)];
        let mark = if item["isDeclaration"] == true {
            "+"
        } else {
            ""
        };
        format!("{mark}{name} {}", item["kind"].as_str().unwrap())
    });
    let shown: Vec<String> = shown.collect();
    for expected in [
        "+Shape class",
        "+Area method",
        "+Factor parameter",
        "Factor parameter",
    ] {
        assert!(
            shown.iter().any(|shown| shown == expected),
            "{expected} {shown:?}"
        );
    }
    assert!(
        shown.iter().any(|shown| shown.starts_with("Side ")),
        "{shown:?}"
    );
}
