//! Declarations that are not in the workspace, from files that describe them (SPEC AS3, D30).

use codecortex_engine::protocol::Config;
use serde_json::{Value, json};

use crate::support::{Host, Node};

const DATABASE: &str = r#"{ "version": 1, "debugDatabaseChunks": [
  { "AActor": { "inherits": "UObject", "doc": "Something in a level.",
      "methods": [ { "name": "GetRoot", "return": "USceneComponent", "const": true, "doc": "What it hangs on.", "args": [] },
        { "name": "SetHidden", "return": "void", "args": [ { "name": "bNow", "type": "bool" } ] } ] },
    "UObject": { "doc": "The base of all.", "methods": [ { "name": "GetName", "return": "FString", "args": [] } ] } },
  { "USceneComponent": { "inherits": "UObject", "properties": { "Wobble": ["float32", "How far it wobbles."] },
      "methods": [ { "name": "GetTip", "return": "FVector", "args": [] } ] },
    "ULens": { "inherits": "USceneComponent", "methods": [] } } ],
  "scriptSettings": { "automaticImports": true } }"#;

const GAME: &str = "
//- /app/Script/Lamp.as
class ALamp : AActor
{
    UPROPERTY()
    float Heat;

    void Light()
    {
        GetRoot().GetTip();
        Print(GetRoot().Wobble);
        SetHidden(false);
    }
}
//- /app/Script/Torch.as
class ATorch : ALamp
{
    void SetHidden(bool bNow) { Heat = 0; }
}
";

const CACHE: &str = "/w/app/Script/.vscode/angelscript/unreal-cache.json";

fn game() -> Host {
    let mut host = Host::new(GAME);
    host.write(CACHE, DATABASE);
    host
}

fn game_with(external: &[&str], files: &[(&str, &str)]) -> Host {
    let mut host = Host::new(GAME);
    for (path, text) in files {
        host.write(path, text);
    }
    host.config = Config {
        external_types: Some(external.iter().map(|path| (*path).to_owned()).collect()),
        ..Config::default()
    };
    host.configure();
    host
}

fn at(path: &str, line: u32, character: u32) -> Value {
    json!({ "filePath": path, "position": { "line": line, "character": character } })
}

#[test]
fn engine_types_are_in_hierarchies() {
    let mut host = game();
    let data = host.ok("getClassHierarchy", json!({ "name": "ATorch" }));
    assert_eq!(data["supers"], json!(["ALamp", "AActor", "UObject"]));
    let sources = &data["sourceByClass"];
    assert_eq!(sources["ALamp"]["source"], "as");
    assert!(sources["ALamp"]["preview"].is_string());
    assert_eq!(sources["AActor"], json!({ "source": "cpp" }));
    assert_eq!(sources["UObject"], json!({ "source": "cpp" }));
    // From an engine type down to what the workspace makes of it.
    let data = host.ok("getClassHierarchy", json!({ "name": "AActor" }));
    assert_eq!(data["derivedByParent"]["AActor"], json!(["ALamp"]));
    assert_eq!(data["derivedByParent"]["ALamp"], json!(["ATorch"]));
}

#[test]
fn members_come_from_engine_types_too() {
    let mut host = game();
    let args = json!({ "name": "ATorch", "includeDocs": true });
    let data = host.ok("getTypeMembers", args);
    let members = data["members"].as_array().unwrap();
    let of = |name: &str| {
        let found = members.iter().filter(|member| member["name"] == name);
        found.collect::<Vec<_>>()
    };
    assert_eq!(of("GetRoot")[0]["inheritedFrom"], "AActor");
    assert_eq!(of("GetRoot")[0]["doc"], "What it hangs on.");
    assert_eq!(of("GetName")[0]["inheritedFrom"], "UObject");
    // What the workspace replaces is there once.
    assert_eq!(of("SetHidden").len(), 1, "{data}");
    assert!(of("SetHidden")[0].get("inheritedFrom").is_none());
    assert!(data["type"].get("externalBases").is_none(), "{data}");
}

#[test]
fn receivers_of_engine_types_have_their_members() {
    let mut host = game();
    let tip = host.ok("resolveSymbolAtPosition", at("Script/Lamp.as", 8, 19));
    assert_eq!(tip["symbol"]["path"], "USceneComponent::GetTip", "{tip}");
    let wobble = host.ok("resolveSymbolAtPosition", at("Script/Lamp.as", 9, 25));
    let symbol = &wobble["symbol"];
    assert_eq!(symbol["doc"], "How far it wobbles.");
    assert_eq!(symbol["signature"], "float32 Wobble");
    let definition = &symbol["definition"];
    assert_eq!(definition["preview"], "<source unavailable>");
    assert_eq!(
        definition["filePath"],
        "app/Script/.vscode/angelscript/unreal-cache.json"
    );
    assert_eq!(definition["startLine"], 6);
    // Uses of what is declared outside, and none in what declares it.
    let uses = host.ok("findReferences", json!({ "symbol": "AActor.SetHidden" }));
    let uses = uses["references"].as_array().unwrap();
    assert!(
        uses.iter()
            .all(|of| of["filePath"].as_str().unwrap().ends_with(".as")),
        "{uses:?}"
    );
    assert!(uses.iter().any(|of| of["startLine"] == 10), "{uses:?}");
}

#[test]
fn searches_find_engine_types_where_they_are_wanted_or_alone() {
    let mut host = game();
    let found = |host: &mut Host, args: Value| {
        let data = host.ok("searchApi", args);
        let items = data["items"].as_array().unwrap().clone();
        let of = |item: &Value| {
            let source = item["source"].as_str().unwrap_or("-");
            format!("{} {source}", item["path"].as_str().unwrap())
        };
        items.iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(
        found(&mut host, json!({ "labelQuery": "SetHidden" })),
        ["ATorch::SetHidden -"]
    );
    let all = found(
        &mut host,
        json!({ "labelQuery": "SetHidden", "external": true }),
    );
    assert_eq!(all, ["ATorch::SetHidden -", "AActor::SetHidden cpp"]);
    assert_eq!(
        found(&mut host, json!({ "labelQuery": "Wobble" })),
        ["USceneComponent::Wobble cpp"]
    );
    let found = host.ok("resolveSymbol", json!({ "symbol": "ULens" }));
    assert_eq!(
        found["candidates"][0]["declarations"][0]["source"], "cpp",
        "{found}"
    );
    let own = host.ok("resolveSymbol", json!({ "symbol": "SetHidden" }));
    assert_eq!(own["resolved"]["path"], "ATorch::SetHidden");
}

#[test]
fn without_such_files_engine_types_are_external() {
    for mut host in [Host::new(GAME), game_with(&[], &[(CACHE, DATABASE)])] {
        let data = host.ok("getClassHierarchy", json!({ "name": "ATorch" }));
        assert_eq!(
            data["sourceByClass"]["AActor"],
            json!({ "source": "external" })
        );
        let members = host.ok("getTypeMembers", json!({ "name": "ALamp" }));
        assert_eq!(members["type"]["externalBases"], json!(["AActor"]));
        assert!(host.ok("status", json!({})).get("external").is_none());
    }
}

#[test]
fn what_the_workspace_has_is_no_larger_for_them() {
    let mut host = game();
    let before = host.ok("status", json!({}))["symbols"].clone();
    let mut bare = Host::new(GAME);
    assert_eq!(bare.ok("status", json!({}))["symbols"], before);
    let status = host.ok("status", json!({}));
    assert_eq!(status["files"], 2);
    let external = &status["external"];
    assert_eq!(
        (&external["files"], &external["types"], &external["skipped"]),
        (&json!(1), &json!(4), &json!(0))
    );
}

#[test]
fn nothing_is_read_before_somebody_asks_nor_without_scripts() {
    let mut host = Host::new("//- /app/a.ts\nexport class A {}\n");
    host.config.external_types = Some(vec!["/elsewhere/as.predefined".to_owned()]);
    host.configure();
    host.ok("searchApi", json!({ "labelQuery": "A" }));
    assert!(host.fetched_outside.is_empty());
    let mut host = game_with(&["/elsewhere/x.json"], &[]);
    assert!(host.fetched_outside.is_empty());
    host.ok("searchApi", json!({ "labelQuery": "ALamp" }));
    host.ok("searchApi", json!({ "labelQuery": "ALamp" }));
    assert_eq!(host.fetched_outside, ["/elsewhere/x.json"]);
}

#[test]
fn what_cannot_be_read_is_told_and_costs_nothing_else() {
    let circle = r#"[{ "AActor": { "inherits": "UKnot", "methods": [] }, "UKnot": { "inherits": "AActor", "methods": [] } }, 7]"#;
    let newer = DATABASE.replace("\"version\": 1", "\"version\": 9");
    let cut = &DATABASE[..DATABASE.len() / 2];
    let files = [
        ("/w/app/circle.json", circle),
        ("/w/app/newer.json", newer.as_str()),
        ("/w/app/cut.json", cut),
    ];
    let named = [
        "gone.json",
        "circle.json",
        "newer.json",
        "cut.json",
        "pipe.json",
        "notes.md",
    ];
    let mut host = game_with(&named, &files);
    host.put("/w/app/pipe.json", Node::Pipe);
    host.write("/w/app/notes.md", "text");
    let status = host.ok("status", json!({}));
    let problems = status["external"]["problems"].as_array().unwrap();
    for (path, why) in [
        ("app/gone.json", "not there"),
        ("app/circle.json", "from itself"),
        ("app/circle.json", "chunk 2"),
        ("app/newer.json", "version 9"),
        ("app/cut.json", "not JSON from line"),
        ("app/pipe.json", "no file"),
        ("app/notes.md", "no format"),
    ] {
        let is_told = problems.iter().any(|problem| {
            problem["filePath"] == path && problem["problem"].as_str().unwrap().contains(why)
        });
        assert!(is_told, "{path}: {why} in {problems:?}");
    }
    assert_eq!(status["external"]["skipped"], problems.len());
    // Whatever is wrong with them, questions are answered.
    let data = host.ok(
        "getClassHierarchy",
        json!({ "name": "ATorch", "maxSuperDepth": 50 }),
    );
    assert!(data["supers"].to_string().contains("AActor"), "{data}");
    host.ok("getTypeMembers", json!({ "name": "ATorch" }));
}

#[test]
fn a_folder_says_which_files_are_its_own() {
    let mut host = game_with(&["app.json"], &[]);
    host.write("/w/app/types/own.json", DATABASE);
    host.write(
        "/w/app/.context/config.json",
        r#"{ "externalTypes": ["./types"] }"#,
    );
    host.configure();
    let data = host.ok("getClassHierarchy", json!({ "name": "ALamp" }));
    assert_eq!(data["sourceByClass"]["UObject"]["source"], "cpp", "{data}");
    // What is described anew is read anew.
    host.write(
        "/w/app/types/own.json",
        &DATABASE.replace("UObject", "UThing"),
    );
    host.touched(&["/w/app/types/own.json"]);
    let data = host.ok("getClassHierarchy", json!({ "name": "ALamp" }));
    assert_eq!(data["supers"], json!(["AActor", "UThing"]), "{data}");
    host.write("/w/app/.context/config.json", r#"{ "externalTypes": [] }"#);
    host.touched(&["/w/app/.context/config.json"]);
    let data = host.ok("getClassHierarchy", json!({ "name": "ALamp" }));
    assert_eq!(
        data["sourceByClass"]["AActor"]["source"], "external",
        "{data}"
    );
}

#[test]
fn declarations_in_the_language_itself_have_their_places() {
    let mut host = Host::new(GAME);
    host.write(
        "/w/app/as.predefined",
        "// what there is\nclass AActor\n{\n    /** Hides. */\n    void SetHidden(bool bNow);\n}\n",
    );
    host.configure();
    let data = host.ok("getClassHierarchy", json!({ "name": "ALamp" }));
    let actor = &data["sourceByClass"]["AActor"];
    assert_eq!(actor["source"], "external");
    assert_eq!(
        (&actor["filePath"], &actor["startLine"]),
        (&json!("app/as.predefined"), &json!(2))
    );
    assert!(actor.get("preview").is_none(), "{data}");
    let hidden = host.ok("resolveSymbolAtPosition", at("Script/Lamp.as", 10, 10));
    assert_eq!(hidden["symbol"]["doc"], "Hides.");
    assert_eq!(hidden["symbol"]["definition"]["startLine"], 5);
}

#[test]
fn the_workspace_goes_before_what_is_described() {
    let own = r#"[{ "ALamp": { "inherits": "UObject", "methods": [ { "name": "Old", "return": "void", "args": [] } ] } }]"#;
    let mut host = game_with(&["a.json"], &[("/w/app/a.json", own)]);
    let data = host.ok("getTypeMembers", json!({ "name": "ALamp" }));
    assert!(!data["members"].to_string().contains("Old"), "{data}");
    let data = host.ok("getClassHierarchy", json!({ "name": "ATorch" }));
    assert_eq!(data["supers"], json!(["ALamp", "AActor"]));
}

#[test]
fn a_dump_is_found_beside_the_scripts() {
    let mut host = Host::new(GAME);
    let header = "/* Class: AActor\n Something. */\nclass AActor : public UObject\n{\npublic:\n/* Function: SetHidden\n Hides. */\nvoid SetHidden(bool bNow) {}\n}\n";
    host.write("/w/app/Docs/angelscript/generated/AActor.hpp", header);
    host.configure();
    let hidden = host.ok("resolveSymbolAtPosition", at("Script/Lamp.as", 10, 10));
    assert_eq!(hidden["symbol"]["doc"], "Hides.", "{hidden}");
    assert_eq!(
        hidden["symbol"]["definition"]["filePath"],
        "app/Docs/angelscript/generated/AActor.hpp"
    );
}

const IMPORTS: &str = "
//- /app/Script/Props/Lamp.as
class ALamp
{
    FBroke OnBroke;
    bool bLit;
    float Heat;
}
event void FBroke();
//- /app/Script/Old/Lamp.as
class ALamp { float Cold; }
//- /app/Script/User.as
import Props.Lamp;
class AUser
{
    ALamp Lamp;
    void Use()
    {
        Lamp.Heat = 1;
        Lamp.Trigger_OnBroke();
        Lamp.SetLit(true);
        Lamp.SetHeat(2);
    }
}
//- /app/Script/Other.as
class AOther
{
    ALamp Lamp;
    void Use() { Lamp.Heat = 1; }
}
";

fn scripts(settings: Value) -> Host {
    let mut host = Host::new(IMPORTS);
    host.config = Config {
        angelscript: serde_json::from_value(settings).unwrap(),
        ..Config::default()
    };
    host.configure();
    host
}

/// The path of what the name at a place means, or the code of the error.
fn meant(host: &mut Host, path: &str, line: u32, character: u32) -> String {
    let envelope = host.call("resolveSymbolAtPosition", at(path, line, character));
    let path = &envelope["data"]["symbol"]["path"];
    let code = &envelope["error"]["code"];
    path.as_str().or(code.as_str()).unwrap().to_owned()
}

#[test]
fn imports_say_which_of_several_is_meant() {
    // Without a word what is imported goes before what is not.
    let mut host = scripts(json!({}));
    assert_eq!(meant(&mut host, "Script/User.as", 7, 15), "ALamp::Heat");
    let definition = host.ok("resolveSymbolAtPosition", at("Script/User.as", 4, 6));
    let file = &definition["symbol"]["definition"]["filePath"];
    assert_eq!(file, "app/Script/Props/Lamp.as");
    assert!(
        definition["symbol"].get("definitions").is_none(),
        "{definition}"
    );
    // What nothing is imported of, is still found where only imports count, or not.
    let other = |host: &mut Host| meant(host, "Script/Other.as", 3, 6);
    assert_eq!(other(&mut host), "ALamp");
    assert_eq!(
        other(&mut scripts(json!({ "automaticImports": "true" }))),
        "ALamp"
    );
    let mut strict = scripts(json!({ "automaticImports": "false" }));
    assert_eq!(other(&mut strict), "SymbolNotFound");
    assert_eq!(meant(&mut strict, "Script/User.as", 4, 6), "ALamp");
}

#[test]
fn an_engine_says_whether_scripts_import_each_other() {
    let mut host = scripts(json!({}));
    let says = DATABASE.replace("\"automaticImports\": true", "\"automaticImports\": false");
    host.write(CACHE, &says);
    assert_eq!(meant(&mut host, "Script/Other.as", 3, 6), "SymbolNotFound");
    // A person goes before the engine.
    host.write(
        "/w/app/.context/config.json",
        r#"{ "angelscript": { "automaticImports": true } }"#,
    );
    host.configure();
    assert_eq!(meant(&mut host, "Script/Other.as", 3, 6), "ALamp");
}

#[test]
fn what_an_engine_makes_of_members_leads_to_them() {
    let mut host = scripts(json!({}));
    assert_eq!(meant(&mut host, "Script/User.as", 8, 15), "SymbolNotFound");
    let members = json!([{ "name": "Trigger_<Event>" }, { "name": "Set<Prop>" }]);
    let mut host = scripts(json!({ "generatedMembers": members }));
    assert_eq!(meant(&mut host, "Script/User.as", 8, 15), "ALamp::OnBroke");
    assert_eq!(meant(&mut host, "Script/User.as", 9, 15), "ALamp::bLit");
    assert_eq!(meant(&mut host, "Script/User.as", 10, 15), "ALamp::Heat");
    let uses = host.ok("findReferences", json!({ "symbol": "ALamp.bLit" }));
    let lines: Vec<&Value> = uses["references"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| &of["startLine"])
        .collect();
    assert!(lines.contains(&&json!(9)), "{uses}");
}

const PACKAGES: &str = "
//- /app/src/a.ts
import { Client, open } from 'wire';
import { pad } from '@left/pad';
export class Own extends Client {
  use() { this.send(); open().close(); pad(); }
}
//- /app/node_modules/wire/package.json
{ \"name\": \"wire\", \"types\": \"./dist/index.d.ts\" }
//- /app/node_modules/wire/dist/index.d.ts
export * from './socket';
export declare function open(): Client;
import { Client } from './socket';
//- /app/node_modules/wire/dist/socket.d.ts
/** Speaks. */
export declare class Client {
  /** Says it. */
  send(): void;
  close(): void;
}
//- /app/node_modules/wire/dist/unused.d.ts
export declare class Unused {}
//- /app/node_modules/@types/left__pad/package.json
{ \"name\": \"@types/left__pad\" }
//- /app/node_modules/@types/left__pad/index.d.ts
export declare function pad(): string;
";

#[test]
fn packages_are_read_where_a_name_leads_there() {
    let mut host = Host::new(PACKAGES);
    let send = host.ok("resolveSymbolAtPosition", at("src/a.ts", 4, 17));
    assert_eq!(send["symbol"]["doc"], "Says it.", "{send}");
    let definition = &send["symbol"]["definition"];
    assert_eq!(
        definition["filePath"],
        "app/node_modules/wire/dist/socket.d.ts"
    );
    assert_eq!(definition["startLine"], 4);
    let close = host.ok("resolveSymbolAtPosition", at("src/a.ts", 4, 32));
    assert_eq!(close["symbol"]["definition"]["startLine"], 5, "{close}");
    let pad = host.ok("resolveSymbolAtPosition", at("src/a.ts", 4, 41));
    assert_eq!(
        pad["symbol"]["definition"]["filePath"],
        "app/node_modules/@types/left__pad/index.d.ts"
    );
    let found = host.ok(
        "searchApi",
        json!({ "labelQuery": "Unused", "includeExternal": true }),
    );
    assert_eq!(found["total"], 0, "{found}");
    let mut host = Host::new(PACKAGES);
    let data = host.ok("getClassHierarchy", json!({ "name": "Own" }));
    let sources = data["sourceByClass"].as_object().unwrap();
    assert!(
        sources
            .values()
            .any(|of| of["source"] == "external" && of["startLine"] == 2),
        "{data}"
    );
    let mut host = Host::new(PACKAGES);
    let data = host.ok("getTypeMembers", json!({ "name": "Own" }));
    assert!(data["members"].to_string().contains("send"), "{data}");
}
