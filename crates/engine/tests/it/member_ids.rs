//! Ids of members (SPEC H2, `000` §4.4). The expected ones were computed independently: SHA-256 and Crockford's
//! Base32 of signatures written by hand.

use crate::support::Host;
use serde_json::json;

fn of(text: &str) -> Host {
    Host::new(&format!("//- /app/a.cs\n{text}"))
}

fn id_of(host: &mut Host, symbol: &str) -> String {
    let data = host.ok("resolveSymbol", json!({ "symbol": symbol }));
    let id = data["resolved"]["memberId"].as_str();
    id.unwrap_or_else(|| panic!("{symbol}: {data}")).to_owned()
}

#[test]
fn member_ids_are_those_of_the_definition() {
    let mut host = of("namespace N { public class C {
            protected virtual List<string?>? Find<T>(T? one, int two = 3, ref int? three) => null;
            private readonly int count;
            public string? Name { get; set; }
            public static void Clear() { }
        } }");
    for (symbol, signature, id) in [
        (
            "N.C.Find",
            "protected virtual List<string> N.C.Find(T,int,ref int) 1 22212",
            "T_6esxj0n2_0a7v8e",
        ),
        (
            "N.C.count",
            "private readonly int N.C.count",
            "T_6esxj0n2_0wytzk",
        ),
        ("N.C.Name", "public string N.C.Name 2", "T_6esxj0n2_y2wfef"),
        (
            "N.C.Clear",
            "public static void N.C.Clear()",
            "T_6esxj0n2_wqddwx",
        ),
    ] {
        assert_eq!(id_of(&mut host, symbol), id, "{symbol}: {signature}");
    }
}

#[test]
fn ids_know_neither_names_nor_defaults_of_parameters_nor_the_kind() {
    let id = |text: &str| id_of(&mut of(text), "C.F");
    let before = id("public class C { public int F(int a = 1) => a; }");
    assert_eq!(
        before,
        id("public class C { public int F(int b = 2) => 0; }")
    );
    assert_ne!(before, id("public class C { public int F(int? a) => 0; }"));
    assert_ne!(before, id("public class C { public int? F(int a) => 0; }"));
    let field = id("public class C { public readonly int F; }");
    assert_eq!(field, id("public class C { public readonly int F = 1; }"));
    // A property is told from a field by nothing that the definition names.
    let property = id("public class C { public int F { get; set; } }");
    assert_eq!(property, id("public class C { public int F; }"));
}

#[test]
fn members_that_share_an_id_are_told_apart() {
    // These two begin with the same six letters.
    let text = "public class C { public void M7772() { } public void M30821() { } }";
    let mut host = of(text);
    let ids = ["C.M7772", "C.M30821"].map(|symbol| id_of(&mut host, symbol));
    assert_eq!(ids, ["T_bz54kkvq_v5ew1r1ep7g5", "T_bz54kkvq_v5ew1ryrrksf"]);
    for (id, path) in ids.iter().zip(["C.M7772", "C.M30821"]) {
        let data = host.ok("resolveSymbol", json!({ "symbol": id }));
        assert_eq!(data["resolved"]["path"], path);
    }
    let short = host.fail("resolveSymbol", json!({ "symbol": "T_bz54kkvq_v5ew1r" }));
    assert_eq!(short["code"], "SymbolNotFound", "{short}");
    // Where only one is left, it has the usual letters again.
    host.write("/w/app/a.cs", "public class C { public void M7772() { } }");
    host.touched(&["/w/app/a.cs"]);
    assert_eq!(id_of(&mut host, "C.M7772"), "T_bz54kkvq_v5ew1r");
}
