//! A game of Unreal Engine: scripts in AngelScript beside the C++ headers of the types that they use (SPEC AS1).

use codecortex_engine::protocol::{Caller, Event};
use serde_json::{Value, json};

use crate::support::Host;

const GAME: &str = "
//- /app/Source/Game/Lamp.h
#pragma once
#include \"Lamp.generated.h\"

class ULampComponent;

UENUM(BlueprintType)
enum class ELampMode : uint8 { Off UMETA(Hidden), Dim };

/** A lamp of the game. */
UCLASS(Abstract, Blueprintable)
class GAME_API ALampBase : public AActor
{
    GENERATED_BODY()
public:
    /** In candela. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = \"Light\", meta = (ClampMin = \"0\"))
    float Intensity = 1.0f;

    UFUNCTION(BlueprintCallable)
    void TurnOn();

#if WITH_EDITORONLY_DATA
    UPROPERTY()
    int32 Sketch;
#endif
};

UCLASS()
class GAME_API ULampStatics : public UBlueprintFunctionLibrary
{
    GENERATED_BODY()
public:
    UFUNCTION(BlueprintPure)
    static int32 CountLamps();
};
//- /app/Script/Table.as
UCLASS(Abstract)
class ATableLamp : ALampBase
{
    UPROPERTY(EditAnywhere)
    ELampMode Mode = ELampMode::Dim;

    UFUNCTION(BlueprintOverride)
    void BeginPlay()
    {
        Intensity = 2.0;
        TurnOn();
        int Many = Lamp::CountLamps();
    }

#if EDITOR
    UFUNCTION(CallInEditor)
    void Preview() {}
#else
    void Shipped() {}
#endif
}
";

/// What searching for a text finds, by its paths.
fn found(host: &mut Host, query: &str) -> Vec<String> {
    let data = host.ok("searchApi", json!({ "labelQuery": query }));
    let path = |item: &Value| item["path"].as_str().unwrap().to_owned();
    let mut paths: Vec<String> = data["items"].as_array().unwrap().iter().map(path).collect();
    paths.sort();
    paths
}

/// The declaration of a name in a list.
fn named<'a>(list: &'a Value, name: &str) -> &'a Value {
    let all = list.as_array().unwrap();
    all.iter()
        .find(|one| one["name"] == name)
        .unwrap_or_else(|| panic!("{name}: {list}"))
}

#[test]
fn specifiers_are_searched_for_by_tag() {
    let mut host = Host::new(GAME);
    assert_eq!(
        found(&mut host, "tag:Abstract"),
        ["ALampBase", "ATableLamp"]
    );
    assert_eq!(
        found(&mut host, "lamp tag:uclass tag:blueprintable"),
        ["ALampBase"]
    );
    let editable = ["ALampBase::Intensity", "ATableLamp::Mode"];
    assert_eq!(found(&mut host, "tag:EditAnywhere"), editable);
    assert_eq!(found(&mut host, "tag:ClampMin"), ["ALampBase::Intensity"]);
    assert_eq!(found(&mut host, "tag:UMETA"), ["ELampMode::Off"]);
    assert_eq!(
        found(&mut host, "Turn tag:BlueprintCallable"),
        ["ALampBase::TurnOn"]
    );
    assert!(found(&mut host, "Turn tag:BlueprintPure").is_empty());
    assert!(found(&mut host, "tag:").is_empty());
}

/// An arm of `#if` that is built for the editor alone says so of what it declares.
#[test]
fn what_is_for_the_editor_says_so() {
    let mut host = Host::new(GAME);
    let editor = ["ALampBase::Sketch", "ATableLamp::Preview"];
    assert_eq!(found(&mut host, "tag:editorOnly"), editor);
    let data = host.ok("getTypeMembers", json!({ "name": "ATableLamp" }));
    let tags = ["UFUNCTION", "CallInEditor", "editorOnly"];
    assert_eq!(named(&data["members"], "Preview")["tags"], json!(tags));
    assert_eq!(named(&data["members"], "Shipped")["tags"], Value::Null);
}

#[test]
fn outlines_show_specifiers() {
    let mut host = Host::new(GAME);
    let data = host.ok("getOutline", json!({ "filePath": "Source/Game/Lamp.h" }));
    let tags = |name: &str| named(&data["declarations"], name)["tags"].clone();
    assert_eq!(
        tags("ALampBase"),
        json!(["UCLASS", "Abstract", "Blueprintable"])
    );
    let property = [
        "UPROPERTY",
        "EditAnywhere",
        "BlueprintReadWrite",
        "Category",
        "meta",
        "ClampMin",
    ];
    assert_eq!(tags("Intensity"), json!(property));
    assert_eq!(tags("Sketch"), json!(["UPROPERTY", "editorOnly"]));
    assert_eq!(tags("Off"), json!(["UMETA", "Hidden"]));
    assert_eq!(tags("Dim"), Value::Null);
}

#[test]
fn scripts_and_headers_are_one_hierarchy() {
    let mut host = Host::new(GAME);
    let data = host.ok("getClassHierarchy", json!({ "name": "ATableLamp" }));
    assert_eq!(data["supers"], json!(["ALampBase", "AActor"]));
    let base = &data["sourceByClass"]["ALampBase"];
    assert_eq!(base["source"], "cpp");
    assert_eq!(base["filePath"], "app/Source/Game/Lamp.h");
    assert_eq!(data["sourceByClass"]["ATableLamp"]["source"], "as");
    let data = host.ok("getClassHierarchy", json!({ "name": "ALampBase" }));
    assert_eq!(data["derivedByParent"]["ALampBase"], json!(["ATableLamp"]));
    let data = host.ok("getTypeMembers", json!({ "name": "ATableLamp" }));
    assert_eq!(
        named(&data["members"], "Intensity")["inheritedFrom"],
        "ALampBase"
    );
}

/// From a script to the header, and from there to the uses in scripts.
#[test]
fn scripts_lead_to_headers_and_back() {
    let mut host = Host::new(GAME);
    let place = |line: u32, character: u32| {
        let position = json!({ "line": line, "character": character });
        json!({ "filePath": "Script/Table.as", "position": position })
    };
    for (line, character, name, header_line) in [
        (2, 22, "ALampBase", 10),
        (5, 7, "ELampMode", 6),
        (5, 33, "Dim", 6),
        (10, 11, "Intensity", 16),
        (11, 11, "TurnOn", 19),
        (12, 29, "CountLamps", 33),
    ] {
        let data = host.ok("resolveSymbolAtPosition", place(line, character));
        assert_eq!(data["symbol"]["name"], name, "{data}");
        let definition = &data["symbol"]["definition"];
        assert_eq!(definition["filePath"], "app/Source/Game/Lamp.h", "{name}");
        assert_eq!(definition["startLine"], header_line, "{name}");
    }
    for (symbol, uses) in [
        ("ALampBase", 1),
        ("ALampBase.Intensity", 1),
        ("ULampStatics.CountLamps", 1),
        ("ELampMode", 2),
    ] {
        let data = host.ok("findReferences", json!({ "symbol": symbol }));
        let in_script = |one: &&Value| one["filePath"] == "app/Script/Table.as";
        let references = data["references"].as_array().unwrap();
        assert_eq!(
            references.iter().filter(in_script).count(),
            uses,
            "{symbol}: {data}"
        );
    }
}

/// SPEC PV1: what the names of script tools say of a script that is gone.
#[test]
fn source_that_is_gone_is_said_to_be() {
    let mut host = Host::new(GAME);
    host.disk.remove("/w/app/Script/Table.as");
    let ask = |host: &mut Host, tool: &str, args: Value| {
        let answer = host.call_at(&format!("angelscript_{tool}"), args, Caller::default());
        let envelope: Value = serde_json::from_str(&answer.json.unwrap()).unwrap();
        assert_eq!(envelope["ok"], true, "{envelope}");
        envelope["data"].clone()
    };
    let data = ask(
        &mut host,
        "getClassHierarchy",
        json!({ "name": "ATableLamp" }),
    );
    let sources = &data["sourceByClass"];
    assert_eq!(sources["ATableLamp"]["preview"], "<source unavailable>");
    assert_eq!(sources["ALampBase"]["preview"], Value::Null);
    let data = ask(
        &mut host,
        "findReferences",
        json!({ "symbol": "ALampBase.TurnOn" }),
    );
    let references = data["references"].as_array().unwrap();
    let in_script = |one: &&Value| one["filePath"] == "app/Script/Table.as";
    let gone: Vec<&Value> = references.iter().filter(in_script).collect();
    assert_eq!(gone.len(), 1, "{data}");
    assert_eq!(gone[0]["preview"], "<source unavailable>");
}

/// A script outside of every folder has an absolute path, in what is asked and in what is answered.
#[test]
fn paths_outside_are_absolute() {
    let mut host = Host::new(GAME);
    let text = "UCLASS()\nclass AOutside\n{\n    int Own = 1;\n}\n";
    host.write("/else/Outside.as", text);
    host.send(Event::Opened {
        path: "/else/Outside.as".into(),
        version: 1,
        text: text.into(),
        dirty: false,
    });
    let data = host.ok("getOutline", json!({ "filePath": "/else/Outside.as" }));
    assert_eq!(data["filePath"], "/else/Outside.as");
    assert_eq!(
        named(&data["declarations"], "AOutside")["tags"],
        json!(["UCLASS"])
    );
}

/// What the engine says of a class that a header of the game declares is not needed; of its bases it is.
#[test]
fn headers_go_before_what_an_engine_describes() {
    let mut host = Host::new(GAME);
    let described = json!([{
        "AActor": { "methods": [ { "name": "SetHidden", "return": "void", "args": [] } ] },
        "ALampBase": { "inherits": "AActor", "methods": [ { "name": "Old", "return": "void", "args": [] } ] },
    }]);
    host.write("/w/app/engine.json", &described.to_string());
    host.config.external_types = Some(vec!["engine.json".to_owned()]);
    host.configure();
    let place = json!({ "line": 2, "character": 21 });
    let args = json!({ "filePath": "Script/Table.as", "position": place });
    let base = host.ok("resolveSymbolAtPosition", args);
    assert_eq!(base["symbol"]["path"], "ALampBase");
    let definition = &base["symbol"]["definition"];
    assert_eq!(definition["filePath"], "app/Source/Game/Lamp.h");
    let data = host.ok("getClassHierarchy", json!({ "name": "ATableLamp" }));
    assert_eq!(data["supers"], json!(["ALampBase", "AActor"]), "{data}");
    let args = json!({ "name": "ATableLamp", "includeInherited": true });
    let data = host.ok("getTypeMembers", args);
    named(&data["members"], "Intensity");
    assert_eq!(
        named(&data["members"], "SetHidden")["inheritedFrom"],
        "AActor"
    );
    assert!(!data["members"].to_string().contains("Old"), "{data}");
    let data = host.ok("getClassHierarchy", json!({ "name": "AActor" }));
    assert_eq!(data["derivedByParent"]["AActor"], json!(["ALampBase"]));
}
