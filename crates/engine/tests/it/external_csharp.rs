//! XML documentation beside assemblies, as declarations that C# uses (SPEC D30).

use codecortex_engine::protocol::Config;
use serde_json::{Value, json};

use crate::support::Host;

const PROGRAM: &str = r#"
//- /app/Shop/Shop.csproj
<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>
<ItemGroup><PackageReference Include="Paging" Version="1.2.0" />
<Reference Include="Till"><HintPath>..\lib\Till.dll</HintPath></Reference>
<PackageReference Include="Copied" Version="1.0.0" /></ItemGroup></Project>
//- /app/Shop/Cart.cs
using Paging;
using Money;

namespace Shop;

public class Cart : Pager<int>
{
    public void Use(Till till, Copied.Thing thing, Own own)
    {
        Turn(3);
        till.Open("x");
        thing.Run();
        own.Run();
        Pager<int>.Leaf leaf = null;
        leaf.Tear();
    }

    public void Made(Store<Own> store, System.Collections.Generic.List<Own> list)
    {
        store.Get(1).Run();
        list[0].Run();
        store.Size.Run();
    }
}
//- /app/Shop/Own.cs
namespace Money;

public class Own
{
    public void Run() { }
}
"#;

const PAGING: &str = r#"<?xml version="1.0"?>
<doc><assembly><name>Paging</name></assembly><members>
<member name="T:Paging.Pager`1"><summary>Turns <c>pages</c>.</summary></member>
<member name="M:Paging.Pager`1.Turn(System.Int32)">
  <summary>Turns so many.</summary><param name="pages">How many.</param>
</member>
<member name="M:Paging.Pager`1.Leaf.Tear"><summary>Tears it out.</summary></member>
</members></doc>
"#;
const TILL: &str = r#"<doc><members>
<member name="M:Money.Till.Open(System.String)"><summary>Opens it.</summary></member>
<member name="T:Money.Own"><summary>Another one.</summary></member>
<member name="M:Money.Own.Run"><summary>Of the library.</summary></member>
<member name="M:Money.Store`1.Get(System.Int32)"/>
<member name="P:Money.Store`1.Size"/>
<member name="T:System.Collections.Generic.List`1"/>
<member name="P:System.Collections.Generic.List`1.Item(System.Int32)"/>
</members></doc>
"#;
const COPIED: &str = r#"<doc><members><member name="M:Copied.Thing.Run"/></members></doc>"#;
const ASSETS: &str = r#"{ "version": 3,
  "targets": { "net8.0": { "Paging/1.2.0": { "type": "package", "compile": { "lib/net8.0/Paging.dll": { "related": ".xml" } } } } },
  "libraries": { "Paging/1.2.0": { "type": "package", "path": "paging/1.2.0" } },
  "packageFolders": { "/w/app/packages/": {}, "/elsewhere/packages/": {} } }"#;

const BUILT: [(&str, &str); 4] = [
    ("Shop/obj/project.assets.json", ASSETS),
    ("packages/paging/1.2.0/lib/net8.0/Paging.xml", PAGING),
    ("lib/Till.xml", TILL),
    ("Shop/bin/Debug/net8.0/Copied.xml", COPIED),
];

fn program(files: &[(&str, &str)]) -> Host {
    let mut host = Host::new(PROGRAM);
    host.write("/w/app/.gitignore", "packages/\n");
    for (path, text) in files {
        host.write(&format!("/w/app/{path}"), text);
    }
    host.configure();
    host
}

fn meant(host: &mut Host, line: u32, character: u32) -> Value {
    let at =
        json!({ "filePath": "Shop/Cart.cs", "position": { "line": line, "character": character } });
    host.call("resolveSymbolAtPosition", at)
}

#[test]
fn documentation_is_read_where_a_name_leads_there() {
    let mut host = program(&BUILT);
    let turn = meant(&mut host, 10, 10)["data"]["symbol"].clone();
    assert_eq!(turn["path"], "Paging.Pager.Turn", "{turn}");
    assert_eq!(turn["doc"], "Turns so many.");
    assert_eq!(turn["signature"], "public Turn(int pages)");
    let definition = &turn["definition"];
    assert_eq!(
        definition["filePath"],
        "app/packages/paging/1.2.0/lib/net8.0/Paging.xml"
    );
    assert_eq!(
        (&definition["startLine"], &definition["preview"]),
        (&json!(4), &json!("<source unavailable>"))
    );
    // Beside an assembly that the project hints at, and where a build copied it.
    let open = meant(&mut host, 11, 15)["data"]["symbol"].clone();
    assert_eq!(
        (&open["path"], &open["doc"]),
        (&json!("Money.Till.Open"), &json!("Opens it."))
    );
    let run = meant(&mut host, 12, 16)["data"]["symbol"].clone();
    assert_eq!(run["path"], "Copied.Thing.Run", "{run}");
    let tear = meant(&mut host, 15, 15)["data"]["symbol"].clone();
    assert_eq!(tear["path"], "Paging.Pager+Leaf.Tear", "{tear}");
    // The workspace's own type of that name is meant, whatever a library has.
    let own = meant(&mut host, 13, 14)["data"]["symbol"].clone();
    assert_eq!(own["definition"]["filePath"], "app/Shop/Own.cs", "{own}");
    assert!(
        host.fetched_outside.is_empty(),
        "{:?}",
        host.fetched_outside
    );
    // Nothing was built: it is not known.
    let bare = meant(&mut program(&[]), 10, 10);
    assert_eq!(bare["error"]["code"], "SymbolNotFound", "{bare}");
}

#[test]
fn what_documentation_does_not_say_is_known_as_without_it() {
    // Documentation says of a member what it takes and not what it gives.
    for files in [&BUILT[..], &[]] {
        let mut host = program(files);
        meant(&mut host, 10, 10);
        meant(&mut host, 20, 16);
        for (line, character) in [(20, 22), (21, 17), (22, 20)] {
            let run = meant(&mut host, line, character)["data"]["symbol"].clone();
            assert_eq!(run["path"], "Money.Own.Run", "{line}: {run}");
            assert_eq!(run["definition"]["filePath"], "app/Shop/Own.cs", "{run}");
        }
    }
}

#[test]
fn types_have_bases_and_members_of_assemblies() {
    let mut host = program(&BUILT);
    let data = host.ok("getClassHierarchy", json!({ "name": "Cart" }));
    let source = &data["sourceByClass"]["Paging.Pager"]["source"];
    assert_eq!(
        (&data["supers"], source),
        (&json!(["Paging.Pager"]), &json!("external")),
        "{data}"
    );
    let mut host = program(&BUILT);
    let data = host.ok(
        "getTypeMembers",
        json!({ "name": "Cart", "includeDocs": true }),
    );
    let members = data["members"].as_array().unwrap();
    let turn = members.iter().find(|member| member["name"] == "Turn");
    assert_eq!(turn.unwrap()["inheritedFrom"], "Paging.Pager", "{data}");
    let found = host.ok("searchApi", json!({ "labelQuery": "Till" }));
    assert_eq!(found["items"][0]["source"], "external", "{found}");
}

#[test]
fn a_setting_names_documentation_anywhere() {
    let mut host = program(&[("docs/api/Till.xml", TILL)]);
    host.write("/elsewhere/Paging.xml", PAGING);
    host.write("/elsewhere/Broken.xml", &PAGING[..PAGING.len() / 2]);
    host.config = Config {
        external_types: Some(vec![
            "docs/api".to_owned(),
            "/elsewhere/Broken.xml".to_owned(),
            "/elsewhere/Paging.xml".to_owned(),
            "/elsewhere/Gone.xml".to_owned(),
        ]),
        ..Config::default()
    };
    host.configure();
    let turn = meant(&mut host, 10, 10)["data"]["symbol"].clone();
    assert_eq!(
        turn["definition"]["filePath"], "/elsewhere/Paging.xml",
        "{turn}"
    );
    let open = meant(&mut host, 11, 15)["data"]["symbol"].clone();
    assert_eq!(
        open["definition"]["filePath"], "app/docs/api/Till.xml",
        "{open}"
    );
    let status = host.ok("status", json!({}));
    let problems = status["external"]["problems"].as_array().unwrap();
    let told = |path: &str, why: &str| {
        problems.iter().any(|problem| {
            problem["filePath"] == path && problem["problem"].as_str().unwrap().contains(why)
        })
    };
    assert!(
        told("/elsewhere/Broken.xml", "not XML from line"),
        "{status}"
    );
    assert!(told("/elsewhere/Gone.xml", "not there"), "{status}");
}

#[test]
fn documentation_that_is_broken_is_told_and_the_rest_counts() {
    let cut = PAGING
        .split("<member name=\"M:Paging.Pager`1.Leaf")
        .next()
        .unwrap();
    let path = "packages/paging/1.2.0/lib/net8.0/Paging.xml";
    let mut host = program(&[BUILT[0], (path, &format!("{cut}<member"))]);
    let turn = meant(&mut host, 10, 10)["data"]["symbol"].clone();
    assert_eq!(turn["doc"], "Turns so many.");
    let problem = host.ok("status", json!({}))["external"]["problems"][0].clone();
    assert_eq!(problem["filePath"], format!("app/{path}"));
    let why = problem["problem"].as_str().unwrap();
    assert!(why.starts_with("it is not XML from line "), "{why}");
}
