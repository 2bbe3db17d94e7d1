//! Libraries on the disk, from a question to the file that declares the answer (SPEC D30).

use serde_json::{Value, json};

use crate::support::Place;

const PROGRAM: &str = "from wire import Client\n\n\ndef use(client: Client):\n    client.send()\n";
const CLIENT: &str = "class Client:\n    def send(self) -> None:\n        \"\"\"Says it.\"\"\"\n";

const PROJECT: &str = r#"<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>
<ItemGroup><PackageReference Include="Paging" Version="1.2.0" /></ItemGroup></Project>"#;
const CART: &str =
    "using Paging;\nclass Cart\n{\n    void Use(Pager pager) { pager.Turn(3); }\n}\n";
const PAGING: &str = "<doc><members>\n<member name=\"M:Paging.Pager.Turn(System.Int32)\"><summary>Turns so many.</summary></member>\n</members></doc>\n";

fn at(id: u32, path: &str, line: u32, character: u32) -> String {
    let args = json!({ "filePath": path, "position": { "line": line, "character": character } });
    json!({ "id": id, "tool": "codecortex_resolveSymbolAtPosition", "args": args }).to_string()
}

/// The documentation and the file of what a response says to be there, below the last folder of the place.
fn meant(response: &Value) -> (&str, &str) {
    let symbol = &response["result"]["data"]["symbol"];
    assert!(symbol["doc"].is_string(), "{response}");
    let path = symbol["definition"]["filePath"].as_str().unwrap();
    let (_, path) = path.split_once('/').unwrap();
    (symbol["doc"].as_str().unwrap(), path)
}

#[test]
fn a_name_leads_into_virtual_environments_and_restored_packages() {
    let place = Place::new();
    place.write("app.py", PROGRAM);
    place.write(".venv/pyvenv.cfg", "home = /usr/bin\nversion = 3.12.1\n");
    let site = ".venv/lib/python3.12/site-packages";
    place.write(
        &format!("{site}/wire/__init__.py"),
        "from .client import Client\n",
    );
    place.write(&format!("{site}/wire/client.py"), CLIENT);
    place.write("shop/Shop.csproj", PROJECT);
    place.write("shop/Cart.cs", CART);
    let xml = "packages/paging/1.2.0/lib/net8.0/Paging.xml";
    place.write(xml, PAGING);
    let packages = place.path().canonicalize().unwrap().join("packages");
    let packages = packages.to_str().unwrap();
    let assets = json!({
        "targets": { "net8.0": { "Paging/1.2.0": { "compile": { "lib/net8.0/Paging.dll": {} } } } },
        "libraries": { "Paging/1.2.0": { "path": "paging/1.2.0" } },
        "packageFolders": { (packages): {} },
    });
    place.write("shop/obj/project.assets.json", assets.to_string());
    // Who searches outside of the workspace has named no file.
    let search = |name: &str| {
        let run = place.run(&["search", name, "--external", "--json"]);
        run.json()["data"]["items"].clone()
    };
    for (name, path) in [("Client", "wire/client.py"), ("Pager", "Paging.xml")] {
        let items = search(name);
        let is_there = |item: &Value| {
            item["filePath"]
                .as_str()
                .is_some_and(|file| file.ends_with(path))
        };
        assert!(
            items.as_array().unwrap().iter().any(is_there),
            "{name}: {items}"
        );
    }
    let lines = [at(1, "app.py", 5, 12), at(2, "shop/Cart.cs", 4, 35)];
    let responses = place.batch(&lines.join("\n"));
    let client = format!("{site}/wire/client.py");
    assert_eq!(meant(&responses[0]), ("Says it.", client.as_str()));
    assert_eq!(meant(&responses[1]), ("Turns so many.", xml));
}

#[test]
fn a_setting_names_xml_documentation() {
    let place = Place::new();
    place.write("Cart.cs", CART);
    place.write("api/Paging.xml", PAGING);
    place.write("api/Broken.xml", "<doc><members><member name=\"T:A.B\">");
    place.write(".context/config.json", r#"{ "externalTypes": ["api"] }"#);
    let status = json!({ "id": 2, "tool": "codecortex_status", "args": {} }).to_string();
    let responses = place.batch(&format!("{}\n{status}", at(1, "Cart.cs", 4, 35)));
    assert_eq!(meant(&responses[0]), ("Turns so many.", "api/Paging.xml"));
    let problems = &responses[1]["result"]["data"]["external"]["problems"];
    let path = problems[0]["filePath"].as_str().unwrap();
    assert!(path.ends_with("/api/Broken.xml"), "{problems}");
    assert_eq!(
        problems[0]["problem"],
        "it ends in the middle of an element"
    );
}
