//! Uses of names while files and texts change (SPEC R1, R2, I2, X2).

use crate::support::Host;
use codecortex_engine::protocol::Event;
use codecortex_engine::protocol::Position;
use codecortex_engine::protocol::TextChange;
use proptest::prelude::*;
use serde_json::{Value, json};

const SHOP: &str = "
//- /app/store.ts
export class Store {
  load(): void {}
}
//- /app/main.ts
import { Store } from \"./store\";
new Store().load();
";

/// `file:line` of every use, in order.
fn places(data: &Value) -> Vec<String> {
    let uses = data["references"].as_array().unwrap().iter();
    let mut places: Vec<String> = uses
        .map(|entry| {
            format!(
                "{}:{}",
                entry["filePath"].as_str().unwrap(),
                entry["startLine"]
            )
        })
        .collect();
    places.sort();
    places
}

fn uses(host: &mut Host, symbol: &str) -> Vec<String> {
    places(&host.ok("findReferences", json!({ "symbol": symbol, "limit": 200 })))
}

#[test]
fn what_is_saved_counts_at_once() {
    let mut host = Host::new(SHOP);
    assert_eq!(uses(&mut host, "Store.load"), ["app/main.ts:2"]);
    host.write(
        "/w/app/main.ts",
        "import { Store } from \"./store\";\n\nnew Store().load();\nnew Store().load();\n",
    );
    host.touched(&["/w/app/main.ts"]);
    assert_eq!(
        uses(&mut host, "Store.load"),
        ["app/main.ts:3", "app/main.ts:4"]
    );
    // What it was called through is renamed: the uses lead nowhere any more.
    host.write(
        "/w/app/store.ts",
        "export class Store {\n  save(): void {}\n}\n",
    );
    host.touched(&["/w/app/store.ts"]);
    assert_eq!(uses(&mut host, "Store.save"), Vec::<String>::new());
    assert_eq!(
        uses(&mut host, "Store"),
        ["app/main.ts:1", "app/main.ts:3", "app/main.ts:4"]
    );
}

#[test]
fn what_is_typed_counts_before_it_is_saved() {
    let mut host = Host::new(SHOP);
    assert_eq!(uses(&mut host, "Store.load"), ["app/main.ts:2"]);
    host.send(Event::Opened {
        path: "/w/app/main.ts".into(),
        version: 1,
        text: "import { Store } from \"./store\";\nnew Store().load();\n".into(),
        dirty: false,
    });
    let at = Position {
        line: 2,
        character: 0,
    };
    host.send(Event::Edited {
        path: "/w/app/main.ts".into(),
        version: 2,
        changes: vec![TextChange {
            start: at,
            end: at,
            text: "const s = new Store();\ns.load();\n".into(),
        }],
        dirty: true,
    });
    let data = host.ok("findReferences", json!({ "symbol": "Store.load" }));
    assert_eq!(places(&data), ["app/main.ts:2", "app/main.ts:4"]);
    assert_eq!(data["index"]["unsaved"], true);
    assert_eq!(data["references"][1]["preview"], "s.load();");
}

#[test]
fn pages_have_every_use_once() {
    let calls: String = (0..70).map(|_| "f();\n").collect();
    let mut host = Host::new(&format!("\n//- /app/a.ts\nfunction f() {{}}\n{calls}"));
    let mut cursor = Value::Null;
    let mut all = Vec::new();
    loop {
        let data = host.ok(
            "findReferences",
            json!({ "symbol": "f", "limit": 30, "cursor": cursor }),
        );
        assert_eq!(data["total"], 70);
        all.extend(places(&data));
        cursor = data["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 70);
}

/// SPEC X4: of a symbol with more uses than a page holds, what is done and where comes before any of them.
#[test]
fn uses_of_a_hub_are_counted_by_role_and_folder_first() {
    let mut host = Host::empty(&[("app", "/w/app")]);
    host.write("/w/app/hub.ts", "export function hub() {}\nhub();\n");
    for (folder, calls) in [("web/a", 120), ("web/b", 90), ("jobs", 30)] {
        let text = "import { hub } from \"/hub\";\n".replace(
            "/hub",
            if folder == "jobs" {
                "../hub"
            } else {
                "../../hub"
            },
        );
        host.write(
            &format!("/w/app/{folder}/use.ts"),
            &(text + &"hub();\n".repeat(calls)),
        );
    }
    host.configure();
    let ask = |host: &mut Host, args: Value| host.ok("findReferences", args);
    let data = ask(&mut host, json!({ "symbol": "hub", "limit": 5 }));
    assert_eq!(data["total"], 244);
    assert_eq!(data["totalByRole"], json!({ "call": 241, "import": 3 }));
    let folders = json!({ "app": 1, "app/jobs": 31, "app/web": 212 });
    assert_eq!(data["totalByFolder"], folders);
    // What is below a folder is told apart by what is in it.
    let data = ask(
        &mut host,
        json!({ "symbol": "hub", "limit": 5, "folder": "web", "roles": ["call"] }),
    );
    assert_eq!(
        data["totalByFolder"],
        json!({ "app/web/a": 120, "app/web/b": 90 })
    );
    // Further pages and short lists say nothing of it.
    let cursor = data["nextCursor"].clone();
    let more = json!({ "symbol": "hub", "limit": 5, "folder": "web", "roles": ["call"], "cursor": cursor });
    assert_eq!(ask(&mut host, more).get("totalByFolder"), None);
    let few = ask(&mut host, json!({ "symbol": "hub", "folder": "jobs" }));
    assert_eq!(
        (few.get("totalByFolder"), few.get("totalByRole")),
        (None, None)
    );
}

#[test]
fn filters_narrow_and_counts_stay() {
    let mut host = Host::new(
        "
//- /app/lib/a.ts
export let count = 0;
count = 1;
console.log(count);
//- /app/test/b.ts
import { count } from \"../lib/a\";
console.log(count);
",
    );
    let found = |host: &mut Host, mut args: Value| {
        args["symbol"] = json!("count");
        places(&host.ok("findReferences", args))
    };
    assert_eq!(
        found(&mut host, json!({ "roles": ["write"] })),
        ["app/lib/a.ts:2"]
    );
    assert_eq!(
        found(&mut host, json!({ "folder": "test" })),
        ["app/test/b.ts:1", "app/test/b.ts:2"]
    );
    assert_eq!(
        found(&mut host, json!({ "folder": "app/lib", "roles": ["read"] })),
        ["app/lib/a.ts:3"]
    );
    assert_eq!(
        found(&mut host, json!({ "tiers": ["name"] })),
        Vec::<String>::new()
    );
    let data = host.ok(
        "findReferences",
        json!({ "symbol": "count", "folder": "test" }),
    );
    assert_eq!(data["total"], 2);
    assert_eq!(data["totalByTier"]["exact"], 4);
}

#[test]
fn circles_of_bases_and_imports_end() {
    let mut host = Host::new(
        "
//- /app/a.ts
import { B } from \"./b\";
export class A extends B { m() { this.n(); } }
export class Self extends Self {}
//- /app/b.ts
import { A } from \"./a\";
export class B extends A { n() { this.m(); } }
",
    );
    assert_eq!(uses(&mut host, "A.m"), ["app/b.ts:2"]);
    let data = host.ok(
        "getClassHierarchy",
        json!({ "name": "A", "maxSuperDepth": 50, "maxSubDepth": 50 }),
    );
    assert_eq!(data["root"], "a.A");
    host.ok("getClassHierarchy", json!({ "name": "Self" }));
    host.ok("getTypeMembers", json!({ "name": "Self" }));
}

#[test]
fn inside_a_character_is_no_place() {
    let mut host = Host::new("\n//- /app/a.ts\nconst 𝒙 = \"😀\"; 𝒙;\n");
    let at = |character: u32| json!({ "filePath": "a.ts", "position": { "line": 1, "character": character } });
    let error = host.fail("resolveSymbolAtPosition", at(14));
    assert_eq!(error["code"], "InvalidParams");
    // Columns behind it count UTF-16 units.
    let data = host.ok("resolveSymbolAtPosition", at(18));
    assert_eq!(
        data["symbol"]["definition"]["nameRange"]["start"]["character"],
        6
    );
    assert_eq!(
        data["symbol"]["definition"]["nameRange"]["end"]["character"],
        8
    );
}

#[test]
fn a_sign_in_front_of_a_name_belongs_to_it() {
    let mut host = Host::new(
        "\n//- /app/A.cs\nclass A { int @class; int F() { return @class + this.@class; } }\n",
    );
    for character in [15, 16, 40, 41, 54, 55] {
        let place =
            json!({ "filePath": "A.cs", "position": { "line": 1, "character": character } });
        let data = host.ok("resolveSymbolAtPosition", place);
        assert_eq!(data["symbol"]["path"], "A.class", "{character}");
    }
    let uses = host.ok("findReferences", json!({ "symbol": "A.@class" }));
    assert_eq!(uses["total"], 2);
}

#[test]
fn what_a_case_names_is_a_constant_of_the_subject() {
    let mut host = Host::new(
        "\n//- /app/A.java\nclass A {\n  enum On { YES }\n  int f(On on) { switch (on) { case YES: return 1; } return 0; }\n}\n",
    );
    let place = json!({ "filePath": "A.java", "position": { "line": 3, "character": 38 } });
    let data = host.ok("resolveSymbolAtPosition", place);
    assert_eq!(data["symbol"]["path"], "A.On.YES");
    assert_eq!(uses(&mut host, "A.On.YES"), ["app/A.java:3"]);
}

#[test]
fn manifests_say_where_modules_are() {
    let mut host = Host::new(
        "
//- /app/tsconfig.json
{ \"compilerOptions\": { \"paths\": { \"@lib/*\": [\"./shared/*\"] } } }
//- /app/package.json
{ \"name\": \"top\", \"workspaces\": [\"packages/*\"] }
//- /app/packages/core/package.json
{ \"name\": \"@shop/core\", \"main\": \"dist/index.js\" }
//- /app/packages/core/src/index.ts
export function place() {}
//- /app/packages/core/test/all.ts
import { place } from \"..\";
//- /app/shared/log.ts
export function log() {}
//- /app/main.ts
import { place } from \"@shop/core\";
import { log } from \"@lib/log\";
place();
log();
//- /app/go.mod
module example.org/shop
//- /app/orders/orders.go
package orders
func Cancel() {}
//- /app/main.go
package main
import \"example.org/shop/orders\"
func main() { orders.Cancel() }
",
    );
    assert_eq!(
        uses(&mut host, "place"),
        [
            "app/main.ts:1",
            "app/main.ts:3",
            "app/packages/core/test/all.ts:1"
        ]
    );
    assert_eq!(uses(&mut host, "log"), ["app/main.ts:2", "app/main.ts:4"]);
    assert_eq!(uses(&mut host, "Cancel"), ["app/main.go:3"]);
    // A mapping that is gone leads nowhere.
    host.write("/w/app/tsconfig.json", "{}");
    host.touched(&["/w/app/tsconfig.json"]);
    assert_eq!(uses(&mut host, "log"), Vec::<String>::new());
}

#[test]
fn what_is_used_globally_is_of_a_project() {
    let mut host = Host::new(
        "
//- /app/core/core.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"></Project>
//- /app/core/Parts.cs
namespace A { public class Part { } }
namespace B { public class Part { } public static class Tool { public static void Run() { } } }
namespace C { public class Deep { } }
//- /app/shop/shop.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"><ItemGroup>
  <Using Include=\"B.Tool\" Static=\"true\" /><Using Include=\"C.Deep\" Alias=\"Far\" />
</ItemGroup></Project>
//- /app/shop/Usings.cs
global using A;
//- /app/shop/Main.cs
class Main { Part part; Far far; void M() { Run(); } }
//- /app/mill/mill.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"><ItemGroup><Using Include=\"B\" /></ItemGroup></Project>
//- /app/mill/Main.cs
class Mill { Part part; Far far; void M() { Run(); } }
",
    );
    assert_eq!(uses(&mut host, "A.Part"), ["app/shop/Main.cs:1"]);
    assert_eq!(uses(&mut host, "B.Part"), ["app/mill/Main.cs:1"]);
    let mut place = json!({ "line": 1, "character": 26 });
    let data = host.ok(
        "resolveSymbolAtPosition",
        json!({ "filePath": "app/shop/Main.cs", "position": place }),
    );
    assert_eq!(data["symbol"]["path"], "C.Deep");
    place["character"] = json!(8);
    assert_eq!(uses(&mut host, "C.Deep"), ["app/shop/Main.cs:1"]);
    assert_eq!(uses(&mut host, "B.Tool.Run"), ["app/shop/Main.cs:1"]);
    // What the project file says no more, it does not bring.
    host.write(
        "/w/app/mill/mill.csproj",
        "<Project Sdk=\"Microsoft.NET.Sdk\"></Project>",
    );
    host.touched(&["/w/app/mill/mill.csproj"]);
    assert_eq!(uses(&mut host, "B.Part"), Vec::<String>::new());
}

/// Two targets, of which one has its own `Map` because its library has none (45.5).
#[test]
fn a_use_leads_to_nothing_that_no_target_compiles_beside_it() {
    let mut host = Host::new(
        "
//- /app/app.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFrameworks>net35;net8.0</TargetFrameworks></PropertyGroup>
<PropertyGroup Condition=\"'$(TargetFramework)'=='net8.0'\"><DefineConstants>HAS_MAP;HAS_SPAN</DefineConstants></PropertyGroup>
</Project>
//- /app/Map.cs
#if !HAS_MAP
namespace App { public static class Maps { public static int Map(this string of) { return 1; } } }
#endif
//- /app/Main.cs
namespace App {
  class Main {
    int Both(string a) { return a.Map(); }
#if HAS_SPAN
    int New(string a) { return a.Map(); }
#elif HAS_MAP
    int Never(string a) { return a.Map(); }
#else
    int Old(string a) { return a.Map(); }
#endif
#if UNKNOWN
    int Unknown(string a) { return a.Map(); }
#endif
    string text = @\"
#if HAS_SPAN
\";
  }
}
",
    );
    let args = json!({ "symbol": "App.Maps.Map", "tiers": ["exact", "inferred", "name"] });
    let found = host.ok("findReferences", args);
    assert_eq!(
        places(&found),
        [
            "app/Main.cs:12",
            "app/Main.cs:3",
            "app/Main.cs:7",
            "app/Main.cs:9"
        ]
    );
}

#[test]
fn a_linked_file_brings_its_usings_into_every_project_that_links_it() {
    let mut host = Host::new(
        "
//- /app/core/core.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"></Project>
//- /app/core/Parts.cs
namespace A { public class Part { } }
//- /app/Shared/Usings.cs
global using A;
//- /app/shop/shop.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"><ItemGroup><Compile Include=\"..\\Shared\\Usings.cs\" /></ItemGroup></Project>
//- /app/shop/Main.cs
class Main { Part part; }
//- /app/mill/mill.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"></Project>
//- /app/mill/Main.cs
class Mill { Part part; }
",
    );
    assert_eq!(uses(&mut host, "A.Part"), ["app/shop/Main.cs:1"]);
}

#[test]
fn a_namespace_is_of_its_language() {
    let mut host = Host::new(
        "
//- /app/Order.cs
namespace Shop { public class Order { } public class Cart { Order order; } }
//- /app/order.h
namespace Shop { class Order { }; class Cart { Order order; }; }
//- /app/Order.java
package Shop;
class Order { Order next; }
",
    );
    let at = |path: &str, character: u32| json!({ "filePath": path, "position": { "line": 1, "character": character } });
    for (path, character) in [("app/Order.cs", 33), ("app/order.h", 26)] {
        let data = host.ok("findReferences", at(path, character));
        assert_eq!(places(&data), [format!("{path}:1")]);
    }
    let java = json!({ "filePath": "app/Order.java", "position": { "line": 2, "character": 8 } });
    assert_eq!(
        places(&host.ok("findReferences", java)),
        ["app/Order.java:2"]
    );
}

/// Texts that use one another's names.
const TEXTS: [&str; 5] = [
    "export class Store { load(): Store { return this; } }\n",
    "export class Store { save(): void {} }\nexport function load() {}\n",
    "import { Store } from \"./a\";\nnew Store().load().load();\n",
    "export * from \"./a\";\nexport const load = 1;\n",
    "",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// After any script of writes the answers are those of an engine that starts with the result.
    #[test]
    fn incremental_is_full(script in prop::collection::vec((0usize..3, 0usize..5), 1..10)) {
        const FILES: [&str; 3] = ["/app/a.ts", "/app/b.ts", "/app/c.ts"];
        let mut host = Host::new("\n//- /app/a.ts\nexport {};\n//- /app/b.ts\nexport {};\n//- /app/c.ts\nexport {};\n");
        let mut now = [4, 4, 4];
        for (file, text) in script {
            now[file] = text;
            let path = format!("/w{}", FILES[file]);
            host.write(&path, TEXTS[text]);
            host.touched(&[&path]);
            host.call("findReferences", json!({ "symbol": "load" }));
        }
        for (file, text) in now.iter().enumerate() {
            let path = format!("/w{}", FILES[file]);
            host.write(&path, TEXTS[*text]);
            host.touched(&[&path]);
        }
        let fixture: String = now
            .iter()
            .enumerate()
            .map(|(file, text)| format!("//- {}\n{}", FILES[file], TEXTS[*text]))
            .collect();
        let mut fresh = Host::new(&format!("\n{fixture}"));
        for symbol in ["a.Store", "b.Store", "c.Store", "a.Store.load", "b.Store.load", "c.Store.load", "b.load"] {
            let mut answers = [&mut host, &mut fresh].map(|host| {
                let mut answer = host.call("findReferences", json!({ "symbol": symbol, "limit": 200 }));
                if let Some(data) = answer.get_mut("data") {
                    data["index"] = Value::Null;
                    data["budget"] = Value::Null;
                }
                answer
            });
            let [after, at_once] = &mut answers;
            prop_assert_eq!(after, at_once);
        }
    }
}

#[test]
fn a_variable_that_a_pattern_takes_from_a_field_has_its_own_uses() {
    let mut host = Host::new(
        "
//- /app/Cargo.toml
[package]
name = \"app\"
version = \"0.1.0\"
//- /app/src/lib.rs
struct Fault { cause: u8 }
fn cause(fault: Fault) -> u8 {
    let Fault { cause } = fault;
    cause + 1
}
",
    );
    let at = |line: u32, character: u32| {
        json!({
            "filePath": "app/src/lib.rs",
            "position": { "line": line, "character": character },
        })
    };
    let uses = places(&host.ok("findReferences", at(3, 17)));
    assert_eq!(uses, ["app/src/lib.rs:4"]);
    let uses = places(&host.ok("findReferences", at(1, 16)));
    assert_eq!(uses, ["app/src/lib.rs:3"], "the field's own");
}

#[test]
fn a_key_that_is_named_as_its_value_has_the_uses_of_both() {
    let mut host = Host::new(
        "
//- /app/main.ts
function make() {
  const limit = 1;
  return { limit };
}
make().limit;
",
    );
    let at = json!({ "filePath": "app/main.ts", "position": { "line": 3, "character": 12 } });
    let data = host.ok("findReferences", at);
    assert_eq!(places(&data), ["app/main.ts:3", "app/main.ts:5"]);
}
