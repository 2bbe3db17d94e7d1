//! What an outline follows from, its project, and what has none from outside (SPEC H1, D18, S5).

use crate::support::{Host, MIXED};
use serde_json::json;

fn outline_text(host: &mut Host, symbol: &str) -> String {
    let args = json!({ "symbol": symbol, "form": "outline" });
    let data = host.ok("getOutline", args);
    data["outlineText"].as_str().unwrap().to_owned()
}

/// D18: where members stand, and what they do inside, is not in the body of an outline.
#[test]
fn the_body_follows_from_structure_and_documentation() {
    let body = |class: &str| {
        let source = format!("//- /app/a.cs\nclass Base {{ }}\ninterface IOne {{ }}\n{class}\n");
        let text = outline_text(&mut Host::new(&source), "A");
        text.split_once("XMLDOC").unwrap().1.to_owned()
    };
    let first =
        body("/// Doc.\nclass A : Base, IOne { public int B() => 1; public int C; int d; }");
    for same in [
        "/// Doc.\nclass A : Base, IOne { public int C; /* c */ public int B() { return 2; } }",
        "/// Doc.\n/// More.\nclass A : Base, IOne { int e, f; public int C; public int B() => 1; }",
    ] {
        assert_eq!(body(same), first);
    }
    for other in [
        "/// Other.\nclass A : Base, IOne { public int B() => 1; public int C; }",
        "/// Doc.\nclass A : Base { public int B() => 1; public int C; }",
        "/// Doc.\nclass A : Base, IOne { public int B() => 1; }",
    ] {
        assert_ne!(body(other), first);
    }
}

/// Who asks for the outline first has the projects read.
#[test]
fn the_assembly_is_the_project() {
    let source = "
//- /app/src/Shop.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><AssemblyName>Harbour.Shop</AssemblyName></PropertyGroup></Project>
//- /app/src/a.cs
class Store { public int Size; }
//- /app/lib/Cargo.toml
[package]
name = \"shop-lib\"
//- /app/lib/src/lib.rs
pub struct Queue;
";
    let mut host = Host::new(source);
    let assembly = |host: &mut Host, symbol: &str| {
        let text = outline_text(host, symbol);
        let rest = text.split_once("Assembly: ").unwrap().1;
        rest.split_once(" |").unwrap().0.to_owned()
    };
    assert_eq!(assembly(&mut host, "Queue"), "shop-lib");
    assert_eq!(assembly(&mut host, "Store"), "Harbour.Shop");
}

/// SPEC S5: who wants the public side of something that has none is told what has.
#[test]
fn what_cannot_be_used_has_public_alternatives() {
    let source = "
//- /app/a.cs
public class Store : IKeep {
    private void AddCore(int id) { }
    public void Add(int id) { }
    public void Add(string id) { }
    internal void Remove() { }
    private int _size;
    public int Size => _size;
    private void Add(double id) { }
}
public interface IKeep { }
internal class HiddenStore : Store { public void Add(int id) { } }
//- /app/b.rs
pub struct Queue;
impl Queue { fn push_all(&self) {} pub fn push(&self) {} }
fn helper_two() {}
pub fn helper() {}
";
    let mut host = Host::new(source);
    let mut alternatives = |symbol: &str| {
        let error = host.fail(
            "getOutline",
            json!({ "symbol": symbol, "visibility": "public" }),
        );
        assert_eq!(error["code"], "AccessDenied", "{error}");
        error["details"]["publicAlternatives"].clone()
    };
    assert_eq!(
        alternatives("Store.AddCore"),
        json!(["Store.Add(int)", "Store.Add(string)"])
    );
    assert_eq!(alternatives("Store._size"), json!(["Store.Size"]));
    assert_eq!(alternatives("Store.Remove"), json!([]));
    assert_eq!(
        alternatives("Store.Add(double)"),
        json!(["Store.Add(int)", "Store.Add(string)"])
    );
    assert_eq!(alternatives("HiddenStore"), json!(["Store"]));
    assert_eq!(alternatives("HiddenStore.Add"), json!([]));
    assert_eq!(alternatives("b::Queue.push_all"), json!(["b::Queue::push"]));
    assert_eq!(alternatives("helper_two"), json!(["b::helper"]));
    // Some overloads can be used.
    let data = host.ok(
        "getOutline",
        json!({ "symbol": "Store.Add", "visibility": "public" }),
    );
    assert_eq!(data["declarations"].as_array().unwrap().len(), 3);
    host.ok("getOutline", json!({ "symbol": "Store._size" }));
}

#[test]
fn what_has_no_such_outline_is_said() {
    let mut host = Host::new(MIXED);
    for args in [
        json!({ "filePath": "pkg/tools.py", "form": "outline" }),
        json!({ "symbol": "Memo.Core", "form": "outline" }),
        json!({ "symbol": "NodeStore", "form": "short" }),
    ] {
        let error = host.fail("getOutline", args);
        assert_eq!(error["code"], "InvalidParams", "{error}");
    }
    let at = json!({ "filePath": "pkg/tools.py", "position": { "line": 4, "character": 12 }, "form": "outline" });
    let data = host.ok("getOutline", at);
    let text = data["outlineText"].as_str().unwrap();
    assert!(
        text.starts_with("# pkg.tools.HttpClient.get_page T_"),
        "{text}"
    );
}
