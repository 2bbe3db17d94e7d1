//! Questions about names that are put wrongly, and workspaces that are odd (SPEC TC2, TC5, R1–R3, X2).

use crate::support::Host;
use serde_json::json;

/// Thousands of overloads are a set, and no question about them takes the cube of their number, or compares each
/// with each.
#[test]
fn thousands_of_overloads_end() {
    let list =
        |many: usize, line: &dyn Fn(usize) -> String| (0..many).map(line).collect::<String>();
    let types = |many| list(many, &|index| format!("class T{index} {{}};\n"));
    let csharp = list(5000, &|index| format!("  public void F(T{index} t) {{}}\n"));
    let cpp = list(1000, &|index| format!("  void f(T{index} t);\n"));
    let mut host = Host::new(&format!(
        "//- /app/ov.cs\nclass Ov {{\n{csharp}  void U() {{ F(1); }}\n}}\n{}
//- /app/ov.cpp\n{}class Over {{\npublic:\n{cpp}}};\nvoid u(Over o) {{ o.f(x()); }}\n",
        types(5000),
        types(1000),
    ));
    for (symbol, file, line, character) in
        [("Ov.F", "ov.cs", 5002, 14), ("Over.f", "ov.cpp", 2004, 20)]
    {
        let data = host.ok("findReferences", json!({ "symbol": symbol }));
        let tier = &data["references"][0]["tier"];
        assert_eq!((&data["total"], tier), (&json!(1), &json!("inferred")));
        let callers = json!({ "symbol": symbol, "relation": "callers" });
        assert_eq!(host.ok("findReferences", callers)["total"], 1);
        let place =
            json!({ "filePath": file, "position": { "line": line, "character": character } });
        let data = host.ok("resolveSymbolAtPosition", place.clone());
        assert_eq!(data["symbol"]["definitions"].as_array().unwrap().len(), 19);
        assert_eq!(host.ok("findReferences", place)["total"], 1);
        for relation in ["callees", "implementations", "overrides"] {
            let args = json!({ "symbol": symbol, "relation": relation });
            let data = host.ok("findReferences", args);
            assert_eq!(data["truncated"], true, "{relation}");
        }
    }
}
