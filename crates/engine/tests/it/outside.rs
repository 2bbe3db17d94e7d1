//! Files that are not in the index and may be read, because an earlier answer named them (SPEC D12, PV1).

use crate::support::Host;
use codecortex_engine::protocol::Caller;
use codecortex_engine::protocol::CallerKind;
use codecortex_engine::protocol::DocumentSpan;
use codecortex_engine::protocol::Event;
use codecortex_engine::protocol::Position;
use codecortex_engine::protocol::ProviderOutcome;
use codecortex_engine::protocol::ProviderReply;
use codecortex_engine::protocol::ProviderResult;
use serde_json::{Value, json};

const SHOP: &str = "
//- /app/.gitignore
secret.ts
//- /app/secret.ts
export const key = 1;
//- /app/node_modules/lib/index.d.ts
export declare function borrowed(): void;
//- /app/actor.as
class AActor
{
    UPROPERTY()
    int Speed;
}
//- /app/main.ts
declare const open: any; open.load();
";
const LIBRARY: &str = "// A library.\ninterface Loader {\n  load(): void;\n}\n";

fn span(line: u32, start: u32, end: u32) -> DocumentSpan {
    let at = |character| Position { line, character };
    DocumentSpan {
        start: at(start),
        end: at(end),
    }
}

/// A host whose providers name one place.
fn host_naming(path: &str, range: DocumentSpan) -> Host {
    let mut host = Host::new(SHOP);
    host.write("/usr/lib/lib.d.ts", LIBRARY);
    let places = vec![ProviderResult {
        path: path.into(),
        version: None,
        ranges: vec![range],
    }];
    let reply = ProviderReply {
        outcome: ProviderOutcome::Answered,
        complete: true,
        places,
        ..ProviderReply::default()
    };
    host.providers = Some(Box::new(move |_| reply.clone()));
    host
}

fn envelope(host: &mut Host, tool: &str, args: Value) -> Value {
    let caller = Caller {
        kind: CallerKind::Lm,
        providers: true,
        ..Caller::default()
    };
    let answer = host.call_at(&format!("codecortex_{tool}"), args, caller);
    serde_json::from_str(&answer.json.unwrap()).unwrap()
}

fn code(host: &mut Host, tool: &str, args: Value) -> Value {
    envelope(host, tool, args)["error"]["code"].clone()
}

/// The definition of `load` in `main.ts`, which only a provider knows.
fn definition(host: &mut Host) -> Value {
    let at = json!({ "filePath": "main.ts", "position": { "line": 1, "character": 31 } });
    envelope(host, "resolveSymbolAtPosition", at)["data"]["symbol"]["definition"].clone()
}

#[test]
fn a_library_that_an_answer_named_may_be_read() {
    let mut host = host_naming("/usr/lib/lib.d.ts", span(2, 2, 6));
    let file = json!({ "filePath": "/usr/lib/lib.d.ts" });
    for tool in ["getOutline", "getLiveContext"] {
        assert_eq!(code(&mut host, tool, file.clone()), "AccessDenied");
    }
    let found = definition(&mut host);
    assert_eq!(found["filePath"], "/usr/lib/lib.d.ts");
    assert_eq!(found["startLine"], 3);
    assert_eq!(found["preview"], "  load(): void;");
    assert_eq!(found["tier"], "provider");

    let outline = host.ok("getOutline", file.clone());
    assert!(outline.to_string().contains("Loader"), "{outline}");
    assert!(outline["index"].get("unsaved").is_none());
    let place =
        json!({ "filePath": "/usr/lib/lib.d.ts", "position": { "line": 3, "character": 4 } });
    let outline = host.ok("getOutline", place);
    let names: Vec<&Value> = outline["declarations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| &item["name"])
        .collect();
    assert_eq!(
        (names, &outline["startLine"]),
        (vec![&json!("load")], &json!(3))
    );
    let uri = json!({ "filePath": "file:///usr/lib/../lib/lib.d.ts" });
    let live = host.ok("getLiveContext", uri);
    assert_eq!(live["current_document"]["text"], LIBRARY);
    // Nothing is kept: the disk is looked at for every call.
    host.write("/usr/lib/lib.d.ts", "interface Other {}\n");
    let outline = host.ok("getOutline", file.clone());
    assert!(outline.to_string().contains("Other"), "{outline}");
    host.disk.remove("/usr/lib/lib.d.ts");
    assert_eq!(code(&mut host, "getOutline", file), "NotFound");
    let sibling = json!({ "filePath": "/usr/lib/other.d.ts" });
    assert_eq!(code(&mut host, "getOutline", sibling), "AccessDenied");
    assert!(
        host.fetched_outside
            .iter()
            .all(|path| path == "/usr/lib/lib.d.ts")
    );
}

#[test]
fn what_is_named_is_not_changed() {
    let mut host = host_naming("/usr/lib/lib.d.ts", span(2, 2, 6));
    definition(&mut host);
    let file = json!({ "filePath": "/usr/lib/lib.d.ts" });
    let version = host.ok("getLiveContext", file)["current_document"]["versionId"].clone();
    let edit = json!({
        "edits": [{
            "filePath": "/usr/lib/lib.d.ts",
            "baseVersion": version,
            "changes": [{ "startLine": 1, "endLine": 1, "newText": "// Mine." }],
        }]
    });
    let error = envelope(&mut host, "applyEdit", edit)["error"].clone();
    assert_eq!(error["code"], "AccessDenied", "{error}");
    assert_eq!(host.text("/usr/lib/lib.d.ts").unwrap(), LIBRARY);
}

#[test]
fn uses_outside_of_the_index_have_previews() {
    let mut host = host_naming("/usr/lib/lib.d.ts", span(2, 2, 6));
    let mut at = json!({ "filePath": "main.ts", "position": { "line": 1, "character": 31 } });
    let found = envelope(&mut host, "findReferences", at.clone());
    assert_eq!(found["data"]["references"][0]["preview"], "  load(): void;");
    // Named without being read.
    let mut host = host_naming("/usr/lib/lib.d.ts", span(2, 2, 6));
    at["includePreview"] = false.into();
    envelope(&mut host, "findReferences", at);
    assert_eq!(host.fetched_outside, Vec::<String>::new());
    host.ok("getOutline", json!({ "filePath": "/usr/lib/lib.d.ts" }));
}

#[test]
fn of_what_is_left_out_only_dependencies_are_read() {
    let path = "/w/app/node_modules/lib/index.d.ts";
    let mut host = host_naming(path, span(0, 24, 32));
    let file = json!({ "filePath": "node_modules/lib/index.d.ts" });
    assert_eq!(code(&mut host, "getOutline", file.clone()), "Unavailable");
    let found = definition(&mut host);
    assert_eq!(found["filePath"], "app/node_modules/lib/index.d.ts");
    assert_eq!(
        found["preview"],
        "export declare function borrowed(): void;"
    );
    let outline = host.ok("getOutline", file.clone());
    assert!(outline.to_string().contains("borrowed"), "{outline}");
    host.ok("getLiveContext", file);

    let mut host = host_naming("/w/app/secret.ts", span(0, 13, 16));
    let found = definition(&mut host);
    assert_eq!(found["filePath"], "app/secret.ts");
    assert_eq!(found["preview"], Value::Null);
    let file = json!({ "filePath": "secret.ts" });
    assert_eq!(code(&mut host, "getLiveContext", file), "Unavailable");
}

#[test]
fn macros_of_the_unreal_engine_stand_in_angelscript_too() {
    let mut host = host_naming("/w/app/actor.as", span(3, 8, 13));
    let found = definition(&mut host);
    assert_eq!(found["startLine"], 3);
    assert_eq!(found["range"]["start"]["line"], 3);
    assert_eq!(found["preview"], "    UPROPERTY()\n    int Speed;");
}

#[test]
fn a_document_that_was_asked_about_may_be_read_when_it_is_closed() {
    let mut host = Host::new(SHOP);
    let open = |host: &mut Host, path: &str| {
        host.write(path, "def f(): pass\n");
        host.send(Event::Opened {
            path: path.into(),
            version: 1,
            text: "def f(): pass\n".into(),
            dirty: false,
        });
    };
    open(&mut host, "/else/asked.py");
    open(&mut host, "/else/other.py");
    open(&mut host, "/else/shown.py");
    host.ok("getOutline", json!({ "filePath": "/else/asked.py" }));
    host.send(Event::Editor {
        active: Some("/else/shown.py".into()),
        selections: Vec::new(),
        visible: Vec::new(),
    });
    host.ok("getLiveContext", json!({}));
    for path in ["/else/asked.py", "/else/other.py", "/else/shown.py"] {
        host.send(Event::Closed { path: path.into() });
    }
    for path in ["/else/asked.py", "/else/shown.py"] {
        let outline = host.ok("getOutline", json!({ "filePath": path }));
        assert!(outline.to_string().contains('f'), "{outline}");
    }
    let other = json!({ "filePath": "/else/other.py" });
    assert_eq!(code(&mut host, "getOutline", other), "AccessDenied");
}
