//! The source that answers about places show (SPEC PV1, PV2, D22).

use crate::support::Host;
use codecortex_engine::protocol::Event;
use codecortex_engine::protocol::Position;
use codecortex_engine::protocol::TextChange;
use serde_json::{Value, json};

fn definition(host: &mut Host, file: &str, line: u32, character: u32) -> Value {
    let place = json!({ "line": line, "character": character });
    let args = json!({ "filePath": file, "position": place });
    host.ok("resolveSymbolAtPosition", args)["symbol"]["definition"].clone()
}

/// SPEC PV1, D22: a macro line above is one of the twenty.
#[test]
fn twenty_lines_are_shown_at_most() {
    let body = |lines: usize| "  int a = 0;\n".repeat(lines);
    let mut host = Host::new(&format!(
        "//- /app/Long.cs\nclass Long {{\nvoid Twenty() {{\n{}}}\nvoid More() {{\n{}}}\nvoid Use() {{ Twenty(); More(); }}\n}}
//- /app/actor.cpp\nclass Actor {{\nUFUNCTION()\nvoid run() {{\n{}}}\n}};\nvoid use(Actor* a) {{ a->run(); }}\n",
        body(18),
        body(19),
        body(18),
    ));
    let mut shown = |file: &str, line: u32, character: u32| {
        let found = definition(&mut host, file, line, character);
        let preview = found["preview"].as_str().unwrap().to_owned();
        let lines: Vec<String> = preview.lines().map(str::to_owned).collect();
        (lines.len(), lines[0].clone(), lines.last().unwrap().clone())
    };
    let said = |count, first: &str, last: &str| (count, first.to_owned(), last.to_owned());
    assert_eq!(shown("Long.cs", 43, 14), said(20, "void Twenty() {", "}"));
    let cut = "... (truncated)";
    assert_eq!(shown("Long.cs", 43, 24), said(21, "void More() {", cut));
    assert_eq!(shown("actor.cpp", 24, 25), said(21, "UFUNCTION()", cut));
    let data = host.ok("getClassHierarchy", json!({ "name": "Long" }));
    let preview = data["sourceByClass"]["Long"]["preview"].as_str().unwrap();
    assert_eq!(
        (preview.lines().count(), preview.lines().last()),
        (21, Some(cut))
    );
}

/// SPEC PV2.
#[test]
fn unsaved_text_is_shown() {
    let saved = "export class Base {}\nexport class Derived extends Base {}\n";
    let mut host = Host::new(&format!("//- /app/a.ts\n{saved}"));
    host.send(Event::Opened {
        path: "/w/app/a.ts".into(),
        version: 1,
        text: saved.into(),
        dirty: false,
    });
    let at = |line, character| Position { line, character };
    let text = "\n  /* unsaved */ size = 1;\n".to_owned();
    let (start, end) = (at(0, 19), at(0, 19));
    let path = "/w/app/a.ts".to_owned();
    let changes = vec![TextChange { start, end, text }];
    host.send(Event::Edited {
        path,
        version: 2,
        changes,
        dirty: true,
    });
    let live = "export class Base {\n  /* unsaved */ size = 1;\n}";
    assert_eq!(definition(&mut host, "a.ts", 4, 30)["preview"], live);
    let data = host.ok("getClassHierarchy", json!({ "name": "Derived" }));
    assert_eq!(data["sourceByClass"]["a.Base"]["preview"], live);
    assert_eq!(data["index"]["unsaved"], true);
    let data = host.ok("findReferences", json!({ "symbol": "Base" }));
    assert_eq!(data["references"][0]["startLine"], 4);
}

/// SPEC PV1.
#[test]
fn source_that_cannot_be_read_any_more_is_said_to_be_unavailable() {
    let mut host = Host::new(
        "
//- /app/base.ts
export class Base {}
//- /app/main.ts
import { Base } from \"./base\";
export class Derived extends Base {}
",
    );
    host.disk.remove("/w/app/base.ts");
    let use_ = json!({ "filePath": "main.ts", "position": { "line": 2, "character": 31 } });
    let data = host.ok("resolveSymbolAtPosition", use_);
    let definition = &data["symbol"]["definition"];
    assert_eq!(definition["preview"], "<source unavailable>");
    assert_eq!(definition["filePath"], "app/base.ts");
    assert_eq!(
        (&definition["startLine"], &definition["endLine"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(definition["nameRange"]["start"]["character"], 13);
    let data = host.ok("getClassHierarchy", json!({ "name": "Derived" }));
    let source = &data["sourceByClass"]["base.Base"];
    assert_eq!(source["preview"], "<source unavailable>");
    host.disk.remove("/w/app/main.ts");
    let data = host.ok(
        "findReferences",
        json!({ "symbol": "Base", "roles": ["import"] }),
    );
    assert_eq!(data["total"], 1);
}

/// SPEC PV1, D22: only languages of the Unreal engine have its macros.
#[test]
fn macros_of_the_unreal_engine_are_shown_with_what_they_are_about() {
    let mut host = Host::new(
        "
//- /app/actor.cpp
UCLASS()
class Actor {
  UPROPERTY(EditAnywhere)
  int speed;

  UFUNCTION()
  // in between
  void run();
};
USTRUCT()
struct Part { int size; };
UENUM()
enum Kind { One };
void use(Actor* a, Part p, Kind k) { a->speed = p.size; a->run(); }
//- /app/kind.py
def UENUM(x): return lambda kind: kind
UENUM(1)
class Kind: pass
Kind()
",
    );
    let mut shown = |file: &str, line: u32, character: u32| {
        let definition = definition(&mut host, file, line, character);
        (
            definition["startLine"].as_u64().unwrap(),
            definition["range"]["start"]["line"].as_u64().unwrap(),
            definition["preview"]
                .as_str()
                .unwrap()
                .lines()
                .next()
                .unwrap()
                .to_owned(),
        )
    };
    let said = |start, line, text: &str| (start, line, text.to_owned());
    assert_eq!(shown("actor.cpp", 14, 10), said(1, 1, "UCLASS()"));
    assert_eq!(shown("actor.cpp", 14, 20), said(10, 10, "USTRUCT()"));
    assert_eq!(shown("actor.cpp", 14, 28), said(12, 12, "UENUM()"));
    assert_eq!(
        shown("actor.cpp", 14, 42),
        said(3, 3, "  UPROPERTY(EditAnywhere)")
    );
    assert_eq!(shown("actor.cpp", 14, 60), said(8, 7, "  void run();"));
    assert_eq!(shown("kind.py", 4, 1), said(3, 2, "class Kind: pass"));
}
