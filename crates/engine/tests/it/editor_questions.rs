//! Questions that only an editor asks (SPEC UX1): members while they are typed, kinds of names, types, syntax errors, and
//! the changes of a plan.

use codecortex_engine::protocol::{Caller, CallerKind, Event};
use serde_json::{Value, json};

use crate::support::Host;

const SHOP: &str = "\
//- /app/shop.ts
export class Base {
  shared = 1;
  private hidden = 2;
}
export class Store extends Base {
  load(key: string): number { return 1; }
  static make(): Store { return new Store(); }
}
//- /app/main.ts
import { Store } from './shop';
const store = new Store();
store.load('a');
";

const EDITOR: Caller = Caller {
    kind: CallerKind::Editor,
    max_bytes: None,
    max_tokens: None,
    providers: false,
};

/// What an editor is answered.
fn ask(host: &mut Host, tool: &str, args: Value) -> Value {
    let answer = host.call_at(tool, args, EDITOR);
    serde_json::from_str(&answer.json.unwrap()).unwrap()
}

/// Opens `main.ts` with other lines behind its import, one of them with the cursor; the cursor's place.
fn typed(host: &mut Host, version: i64, lines: &str) -> Value {
    let text = format!("import {{ Store }} from './shop';\n{lines}");
    let (before, after) = text.split_once('|').unwrap();
    let line = before.matches('\n').count() + 1;
    let character = before.rsplit('\n').next().unwrap().encode_utf16().count() + 1;
    let path = "/w/app/main.ts".to_owned();
    host.send(Event::Opened {
        path,
        version,
        text: format!("{before}{after}"),
        dirty: true,
    });
    json!({ "filePath": "app/main.ts", "position": { "line": line, "character": character } })
}

fn members(answer: &Value) -> Vec<&str> {
    let members = answer["data"]["members"].as_array();
    let members = members.into_iter().flatten();
    members
        .map(|member| member["name"].as_str().unwrap())
        .collect()
}

#[test]
fn members_are_those_of_what_stands_before_the_dot() {
    let mut host = Host::new(SHOP);
    let all = ["load", "make", "shared"];
    for (version, lines) in [
        "const store = new Store();\nstore.|\n",
        "const store = new Store();\nstore.lo|\n",
        "const store = new Store();\nstore.|\nconst other = 1;\n",
        "function f(store: Store) {\n  if (store.|) {\n  }\n}\n",
        "Store.make().|\n",
        "new Store()?.|\n",
    ]
    .iter()
    .enumerate()
    {
        let at = typed(&mut host, version as i64 + 1, lines);
        let answer = ask(&mut host, "editor_members", at);
        assert_eq!(members(&answer), all, "{lines} {answer}");
    }
    for (version, lines) in ["const x = 1.|\n", "unknown.|\n", "store|\n"]
        .iter()
        .enumerate()
    {
        let at = typed(&mut host, version as i64 + 20, lines);
        let answer = ask(&mut host, "editor_members", at);
        assert_eq!(
            answer["error"]["code"], "SymbolNotFound",
            "{lines} {answer}"
        );
    }
}

/// The bindings of the text with a name in it are gone when the question is answered.
#[test]
fn asking_for_members_changes_nothing() {
    let mut host = Host::new(SHOP);
    let at = typed(
        &mut host,
        1,
        "const store = new Store();\nstore.load('a');\nstore.|\n",
    );
    let uses = |host: &mut Host| {
        let found = host.ok("findReferences", json!({ "symbol": "Store.load" }));
        found["references"].clone()
    };
    let before = uses(&mut host);
    assert_eq!(before.as_array().unwrap().len(), 1);
    ask(&mut host, "editor_members", at);
    assert_eq!(uses(&mut host), before);
}

#[test]
fn a_type_is_declared_where_its_value_says() {
    let mut host = Host::new(SHOP);
    for (line, character) in [(2, 7), (2, 19), (3, 1)] {
        let at = json!({ "filePath": "app/main.ts", "position": { "line": line, "character": character } });
        let answer = ask(&mut host, "editor_typeDefinition", at);
        let found = &answer["data"]["items"][0];
        assert_eq!(
            found["filePath"], "app/shop.ts",
            "{line}:{character} {answer}"
        );
        assert_eq!(
            found["range"]["start"],
            json!({ "line": 4, "character": 13 })
        );
    }
    let at = json!({ "filePath": "app/main.ts", "position": { "line": 3, "character": 13 } });
    let answer = ask(&mut host, "editor_typeDefinition", at);
    assert_eq!(answer["data"]["items"], json!([]));
}

#[test]
fn names_have_the_kind_of_what_they_mean() {
    let mut host = Host::new(SHOP);
    let answer = ask(
        &mut host,
        "editor_names",
        json!({ "filePath": "app/main.ts" }),
    );
    let items = answer["data"]["items"].as_array().unwrap();
    let shown = items.iter().map(|item| {
        let start = &item["range"]["start"];
        let is_declaration = item["isDeclaration"] == true;
        let kind = item["kind"].as_str().unwrap();
        (start["line"].as_u64().unwrap(), kind, is_declaration)
    });
    let shown: Vec<_> = shown.collect();
    assert!(shown.contains(&(1, "class", false)), "{shown:?}");
    assert!(shown.contains(&(2, "method", false)), "{shown:?}");
    assert!(
        shown
            .iter()
            .any(|(line, _, declares)| *line == 1 && *declares),
        "{shown:?}"
    );
}

#[test]
fn places_that_are_not_read_are_told_outermost_first() {
    let mut host = Host::new(SHOP);
    let document = json!({ "filePath": "app/main.ts" });
    let answer = ask(&mut host, "editor_syntaxErrors", document.clone());
    assert_eq!(answer["data"]["items"], json!([]));
    typed(&mut host, 1, "const a = (1;\nconst b = 2;|\n");
    let answer = ask(&mut host, "editor_syntaxErrors", document);
    let items = answer["data"]["items"].as_array().unwrap();
    assert_eq!(items.len(), 1, "{answer}");
    assert_eq!(items[0]["range"]["start"]["line"], 1);
}

#[test]
fn a_document_that_was_never_saved_is_read_while_it_is_open() {
    let mut host = Host::new(SHOP);
    let path = "/w/app/fresh.ts".to_owned();
    let outline = json!({ "filePath": "app/fresh.ts" });
    host.fail("getOutline", outline.clone());
    host.send(Event::Opened {
        path: path.clone(),
        version: 1,
        text: "export class Fresh {}\n".into(),
        dirty: true,
    });
    let found = host.ok("getOutline", outline.clone());
    assert!(found.to_string().contains("Fresh"), "{found}");
    let answer = ask(&mut host, "editor_syntaxErrors", outline.clone());
    assert_eq!(answer["data"]["items"], json!([]));
    host.send(Event::Closed { path: path.clone() });
    host.fail("getOutline", outline.clone());
    // Once it is saved it is a file like others.
    host.write(&path, "export class Saved {}\n");
    host.touched(&[&path]);
    let found = host.ok("getOutline", outline);
    assert!(found.to_string().contains("Saved"), "{found}");
}

#[test]
fn a_plan_for_an_editor_has_its_changes() {
    let mut host = Host::new(SHOP);
    typed(
        &mut host,
        7,
        "const store = new Store();\nstore.load('a');|\n",
    );
    let args = json!({ "action": "rename", "symbol": "Store.load", "newName": "read" });
    let plan = ask(&mut host, "codecortex_refactor", args.clone());
    let files = plan["data"]["files"].as_array().unwrap();
    let versions: Vec<&Value> = files
        .iter()
        .map(|file| &file["change"]["version"])
        .collect();
    assert_eq!(versions, [&json!(7), &Value::Null], "{plan}");
    assert_eq!(files[0]["change"]["edits"][0]["text"], "read");
    assert_eq!(
        files[0]["change"]["edits"][0]["start"],
        json!({ "line": 2, "character": 6 })
    );
    // An agent is shown the diff alone.
    let plan = host.ok("refactor", args);
    assert!(plan["files"][0]["change"].is_null() && plan["files"][0]["diff"].is_string());
}
