//! What a use leads to follows the files that decide it, whichever these are (SPEC I2, R5, X3).

use serde_json::{Value, json};

use crate::support::Host;

/// `file:line` of every certain or inferred use of a symbol, in order.
fn uses(host: &mut Host, symbol: &str) -> Vec<String> {
    let args = json!({ "symbol": symbol, "limit": 200, "tiers": ["exact", "inferred"] });
    let found = host.ok("findReferences", args);
    let mut places: Vec<String> = found["references"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            let path = entry["filePath"].as_str().unwrap();
            format!("{path}:{}", entry["startLine"])
        })
        .collect();
    places.sort();
    places
}

fn save(host: &mut Host, path: &str, text: &str) {
    let path = format!("/w/app/{path}");
    host.write(&path, text);
    host.touched(&[&path]);
}

#[test]
fn constants_of_a_project_decide_what_is_compiled_together() {
    let project = |constants: &str| {
        format!(
            "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup>\
             <TargetFramework>net8.0</TargetFramework>\
             <DefineConstants>{constants}</DefineConstants></PropertyGroup></Project>\n"
        )
    };
    let mut host = Host::new(&format!(
        "
//- /app/app.csproj
{}
//- /app/Old.cs
#if OLD
namespace App {{ public static class Old {{ public static int Map(this string of) {{ return 1; }} }} }}
#endif
//- /app/Main.cs
namespace App {{ class Main {{ int M(string a) {{ return a.Map(); }} }} }}
",
        project("OLD")
    ));
    assert_eq!(uses(&mut host, "App.Old.Map"), ["app/Main.cs:1"]);
    save(&mut host, "app.csproj", &project("NEW"));
    assert!(uses(&mut host, "App.Old.Map").is_empty());
    save(&mut host, "app.csproj", &project("NEW;OLD"));
    assert_eq!(uses(&mut host, "App.Old.Map"), ["app/Main.cs:1"]);
    // Symbols that come from elsewhere leave both open.
    save(&mut host, "app.csproj", &project("$(Wanted.Split(';'))"));
    assert_eq!(uses(&mut host, "App.Old.Map"), ["app/Main.cs:1"]);
}

#[test]
fn a_fixture_elsewhere_decides_what_a_test_is_given() {
    let fixture = |made: &str| {
        format!(
            "import pytest\nfrom desk import Desk, Till\n\n\
             @pytest.fixture\ndef place():\n    return {made}()\n"
        )
    };
    let mut host = Host::new(&format!(
        "
//- /app/desk.py
class Desk:
    def open(self): return 1
class Till:
    def open(self): return 2
//- /app/tests/conftest.py
{}
//- /app/tests/test_open.py
def test_open(place):
    place.open()
",
        fixture("Desk")
    ));
    let place = ["app/tests/test_open.py:2"];
    assert_eq!(uses(&mut host, "Desk.open"), place);
    assert!(uses(&mut host, "Till.open").is_empty());
    save(&mut host, "tests/conftest.py", &fixture("Till"));
    assert!(uses(&mut host, "Desk.open").is_empty());
    assert_eq!(uses(&mut host, "Till.open"), place);
    // A fixture of the file itself goes before that of the folder.
    let own = "from desk import Desk\nimport pytest\n\n@pytest.fixture()\ndef place():\n    \
               yield Desk()\n\ndef test_open(place):\n    place.open()\n";
    save(&mut host, "tests/test_open.py", own);
    assert_eq!(uses(&mut host, "Desk.open"), ["app/tests/test_open.py:9"]);
}

#[test]
fn what_a_module_gives_out_decides_what_an_import_names() {
    let home = |gives: &str| format!("mod part;\n{gives} use self::part::layer;\n");
    let mut host = Host::new(&format!(
        "
//- /app/src/lib.rs
mod home;
mod user;
//- /app/src/home/mod.rs
{}
//- /app/src/home/part.rs
pub fn layer() {{}}
//- /app/src/user.rs
use crate::home::layer;
fn run() {{ layer(); }}
",
        home("pub")
    ));
    let outside = |host: &mut Host| {
        let mut found = uses(host, "layer");
        found.retain(|place| place.contains("user.rs"));
        found
    };
    let both = ["app/src/user.rs:1", "app/src/user.rs:2"];
    assert_eq!(outside(&mut host), both);
    save(&mut host, "src/home/mod.rs", &home("pub(crate)"));
    assert_eq!(outside(&mut host), both);
}

#[test]
fn an_interface_decides_which_overload_a_reference_means() {
    let interface = |takes: &str| format!("interface Takes {{ void take({takes} of); }}\n");
    let mut host = Host::new(&format!(
        "
//- /app/Takes.java
{}
//- /app/Say.java
class Say {{
  static void say(long of) {{}}
  static void say(String of) {{}}
  static void run(Takes takes) {{}}
  void go() {{ run(Say::say); }}
}}
",
        interface("long")
    ));
    let at = |host: &mut Host, line: u32| {
        let args =
            json!({ "filePath": "app/Say.java", "position": { "line": line, "character": 15 } });
        host.ok("findReferences", args)["total"].clone()
    };
    assert_eq!((at(&mut host, 2), at(&mut host, 3)), (json!(1), json!(0)));
    save(&mut host, "Takes.java", &interface("String"));
    assert_eq!((at(&mut host, 2), at(&mut host, 3)), (json!(0), json!(1)));
}

#[test]
fn an_annotation_decides_what_a_part_of_a_tuple_is() {
    let pair = |types: &str| format!("from kinds import A, B\ndef pair() -> tuple[{types}]: ...\n");
    let mut host = Host::new(&format!(
        "
//- /app/kinds.py
class A:
    def go(self): ...
class B:
    def go(self): ...
//- /app/pairs.py
{}
//- /app/main.py
from pairs import pair
pair()[1].go()
",
        pair("A, B")
    ));
    let by = |host: &mut Host| -> Vec<Value> {
        ["A.go", "B.go"]
            .map(|symbol| json!(uses(host, symbol).len()))
            .to_vec()
    };
    assert_eq!(by(&mut host), [json!(0), json!(1)]);
    save(&mut host, "pairs.py", &pair("B, A"));
    assert_eq!(by(&mut host), [json!(1), json!(0)]);
}
