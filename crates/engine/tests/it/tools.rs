//! The tools' answers (SPEC H1, S1–S5, TC1–TC8, X1).

use crate::support::{Host, MIXED, Node};
use codecortex_engine::TOOLS;
use codecortex_engine::protocol::Caller;
use codecortex_engine::protocol::CallerKind;
use codecortex_engine::tokens_approx;
use codecortex_engine::tool_table;
use serde_json::{Value, json};

#[test]
fn a_type_s_outline_has_all_parts_and_members() {
    let mut host = Host::new(MIXED);
    let data = host.ok("getOutline", json!({ "symbol": "NodeStore" }));
    assert_eq!(data["resolved"]["path"], "Memo.Core.NodeStore");
    assert!(
        data["resolved"]["typeId"]
            .as_str()
            .unwrap()
            .starts_with("T_")
    );
    assert_eq!(
        Host::names(&data),
        ["NodeStore", "Add", "Add", "count", "Size"]
    );
    assert_eq!(data["parts"].as_array().unwrap().len(), 1);
    let public = host.ok(
        "getOutline",
        json!({ "symbol": "NodeStore", "visibility": "public" }),
    );
    assert_eq!(Host::names(&public), ["NodeStore", "Add", "Add", "Size"]);
    let go = host.ok("getOutline", json!({ "symbol": "lib.Server" }));
    assert_eq!(Host::names(&go), ["Server", "addr", "Listen"]);
}

#[test]
fn members_files_and_positions_have_outlines() {
    let mut host = Host::new(MIXED);
    let overloads = host.ok("getOutline", json!({ "symbol": "NodeStore.Add" }));
    assert_eq!(overloads["declarations"].as_array().unwrap().len(), 2);
    let one = host.ok(
        "getOutline",
        json!({ "symbol": "NodeStore.Add(string, int)" }),
    );
    assert_eq!(
        one["declarations"][0]["signature"],
        "public void Add(string name, int id)"
    );
    assert!(one["resolved"]["memberId"].is_string());
    let again = host.ok(
        "getOutline",
        json!({ "symbol": one["resolved"]["memberId"] }),
    );
    assert_eq!(again["resolved"], one["resolved"]);
    let file = host.ok("getOutline", json!({ "filePath": "app/pkg/tools.py" }));
    assert_eq!(Host::names(&file), ["HttpClient", "get_page", "helper"]);
    for path in [
        "pkg/tools.py",
        "/w/app/pkg/tools.py",
        "app\\pkg\\tools.py",
        "./pkg/../pkg/tools.py",
    ] {
        assert_eq!(
            host.ok("getOutline", json!({ "filePath": path }))["filePath"],
            "app/pkg/tools.py"
        );
    }
    let at = host.ok(
        "getOutline",
        json!({ "filePath": "pkg/tools.py", "position": { "line": 4, "character": 12 } }),
    );
    assert_eq!(at["resolved"]["path"], "pkg.tools.HttpClient.get_page");
}

#[test]
fn symbols_resolve_exactly_by_suffix_by_pattern_and_suggest() {
    let mut host = Host::new(MIXED);
    let mut first = |symbol: &str| {
        let data = host.ok("resolveSymbol", json!({ "symbol": symbol }));
        let candidate = &data["candidates"][0];
        (
            candidate["path"].as_str().unwrap().to_owned(),
            candidate["match"].as_str().unwrap().to_owned(),
        )
    };
    let pair = |path: &str, matched: &str| (path.to_owned(), matched.to_owned());
    assert_eq!(
        first("Memo.Core.NodeStore"),
        pair("Memo.Core.NodeStore", "exact")
    );
    assert_eq!(first("nodestore"), pair("Memo.Core.NodeStore", "suffix"));
    assert_eq!(
        first("Memo::Core#NodeStore"),
        pair("Memo.Core.NodeStore", "exact")
    );
    assert_eq!(
        first("tools/HttpClient.get_page"),
        pair("pkg.tools.HttpClient.get_page", "suffix")
    );
    assert_eq!(
        first("NodeStore.S*"),
        pair("Memo.Core.NodeStore.Size", "wildcard")
    );
    assert_eq!(first("Server.Listen"), pair("lib.Server.Listen", "suffix"));
    // The documents' own example.
    let error = host.fail("resolveSymbol", json!({ "symbol": "NodeStroe" }));
    assert_eq!(error["code"], "SymbolNotFound");
    assert_eq!(
        error["details"]["suggestions"],
        json!(["NodeStore", "Memo.Core.NodeStore"])
    );
    let data = host.ok("getOutline", json!({ "symbol": "Close" }));
    assert_eq!(data["candidates"].as_array().unwrap().len(), 2);
    let error = host.fail("hashes", json!({ "symbol": "Close" }));
    assert_eq!(error["code"], "AmbiguousSymbol");
    assert_eq!(error["details"]["candidates"].as_array().unwrap().len(), 2);
}

#[test]
fn search_finds_by_every_memory_of_a_name() {
    let mut host = Host::new(MIXED);
    for (query, name, matched) in [
        ("NodeStore", "NodeStore", "exact"),
        ("nodest", "NodeStore", "prefix"),
        ("NS", "NodeStore", "camelHump"),
        ("gp", "get_page", "camelHump"),
        ("Client", "HttpClient", "camelHump"),
        ("lient", "HttpClient", "substring"),
        ("HtpClient", "HttpClient", "fuzzy"),
        ("politely", "HttpClient", "documentation"),
        ("HttpClient.get_page", "get_page", "exact"),
        ("get page", "get_page", "words"),
        ("page get", "get_page", "words"),
        ("node store", "NodeStore", "words"),
        ("http cli", "HttpClient", "words"),
    ] {
        let data = host.ok("searchApi", json!({ "labelQuery": query }));
        let item = &data["items"][0];
        assert_eq!(
            (item["name"].as_str(), item["match"].as_str()),
            (Some(name), Some(matched)),
            "{query}: {data}"
        );
    }
    let kinds = host.ok(
        "searchApi",
        json!({ "labelQuery": "Close", "kinds": ["interface"] }),
    );
    assert_eq!(kinds["total"], 0);
}

#[test]
fn words_that_no_name_has_together_find_the_nearest_names() {
    let mut host = Host::new(
        "//- /app/settings.py
def read_config(folder):
    \"\"\"Takes in what a person has chosen.\"\"\"
    return open(folder)

def write_report(lines): ...

class FolderWatcher:
    def close(self): ...
//- /app/tests/test_settings.py
def test_read_config_folder(): ...
",
    );
    let found = |host: &mut Host, args: Value| {
        let data = host.ok("searchApi", args);
        let matched = data["items"][0]["match"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        (Host::names(&data), matched, data["total"].as_u64())
    };
    let (names, matched, total) = found(
        &mut host,
        json!({ "labelQuery": "read the config of a directory" }),
    );
    assert_eq!(
        (names[0].as_str(), matched.as_str()),
        ("read_config", "someWords")
    );
    assert_eq!(total, Some(names.len() as u64));
    assert!(!names.contains(&"write_report".to_owned()), "{names:?}");
    // Only the kinds that are asked for, and the words of a test where one is asked for.
    let (names, ..) = found(
        &mut host,
        json!({ "labelQuery": "watch the folder", "kinds": ["class"] }),
    );
    assert_eq!(names, ["FolderWatcher"]);
    let (names, ..) = found(
        &mut host,
        json!({ "labelQuery": "test of the config reader" }),
    );
    assert_eq!(names[0], "test_read_config_folder");
    // What nothing is written about is not found.
    let (names, ..) = found(&mut host, json!({ "labelQuery": "zebra umbrella" }));
    assert_eq!(names, [""; 0]);
    // Where a name is made of all words, that is the answer.
    let (names, matched, _) = found(&mut host, json!({ "labelQuery": "config read" }));
    assert_eq!(
        (names[0].as_str(), matched.as_str()),
        ("read_config", "words")
    );
}

#[test]
fn pages_never_overlap_and_totals_are_exact() {
    let mut text = String::new();
    for index in 0..95 {
        text.push_str(&format!("def item_{index}(): ...\n"));
    }
    let mut host = Host::new(&format!("//- /app/many.py\n{text}"));
    let mut seen = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let data = host.ok(
            "searchApi",
            json!({ "labelQuery": "item", "limit": 40, "cursor": cursor }),
        );
        assert_eq!(data["total"], 95);
        seen.extend(Host::names(&data));
        cursor = data["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    let unique: std::collections::BTreeSet<_> = seen.iter().collect();
    assert_eq!((seen.len(), unique.len()), (95, 95));
    let by_index = host.ok(
        "searchApi",
        json!({ "labelQuery": "item", "limit": 40, "searchIndex": 40 }),
    );
    assert_eq!(Host::names(&by_index), seen[40..80]);
}

#[test]
fn bad_arguments_are_answered_with_what_to_do() {
    let mut host = Host::new(MIXED);
    for (tool, args) in [
        ("getOutline", json!({})),
        ("getOutline", json!({ "symbol": 7 })),
        ("getOutline", json!({ "symbol": "" })),
        ("getOutline", json!({ "symbol": "A", "filePath": "b" })),
        ("getOutline", json!({ "filePath": "pkg" })),
        (
            "getOutline",
            json!({ "filePath": "pkg/tools.py", "position": { "line": 0, "character": 1 } }),
        ),
        (
            "getOutline",
            json!({ "filePath": "pkg/tools.py", "position": { "line": -1, "character": 1 } }),
        ),
        ("getOutline", json!({ "filePath": "a\u{0}b" })),
        ("getOutline", json!({ "filePath": "x".repeat(100_000) })),
        ("searchApi", json!({ "labelQuery": "x".repeat(100_000) })),
        ("searchApi", json!({ "labelQuery": "x", "limit": 0 })),
        ("searchApi", json!({ "labelQuery": "x", "limit": 201 })),
        ("searchApi", json!({ "labelQuery": "x", "limit": 1e300 })),
        ("searchApi", json!({ "labelQuery": "x", "searchIndex": -1 })),
        ("searchApi", json!({ "labelQuery": "x", "kinds": ["clas"] })),
        (
            "searchApi",
            json!({ "labelQuery": "x", "cursor": "nonsense" }),
        ),
        ("searchApi", json!({ "labelQuery": "x", "maxTokens": -5 })),
        (
            "searchApi",
            json!({ "labelQuery": "x", "maxTokens": "many" }),
        ),
        ("searchApi", json!({ "labelQuery": "x", "format": "xml" })),
        ("searchApi", json!({ "labelQuerry": "x" })),
        ("searchApi", json!([1, 2])),
        ("resolveSymbol", json!({ "symbol": ".." })),
        ("status", json!({ "list": 3 })),
        ("noSuchTool", json!({})),
    ] {
        let error = host.fail(tool, args.clone());
        assert_eq!(error["code"], "InvalidParams", "{tool} {args}: {error}");
        assert!(
            error["message"].as_str().unwrap().ends_with(['.', ')']),
            "{error}"
        );
    }
    for path in ["../x.py", "/etc/passwd", "pkg/../../x.py", "C:/x.py"] {
        assert_eq!(
            host.fail("getOutline", json!({ "filePath": path }))["code"],
            "AccessDenied",
            "{path}"
        );
    }
    let missing = host.fail("getOutline", json!({ "filePath": "src/tools.py" }));
    assert_eq!(
        (&missing["code"], &missing["details"]["suggestions"]),
        (&json!("NotFound"), &json!(["app/pkg/tools.py"]))
    );
    let around = host.fail(
        "getOutline",
        json!({ "filePath": "node_modules/x/index.js" }),
    );
    assert_eq!(
        (&around["code"], &around["details"]["reason"]),
        (&json!("Unavailable"), &json!("tooling"))
    );
    let left_out = host.fail("getOutline", json!({ "filePath": "README.md" }));
    assert_eq!(
        (&left_out["code"], &left_out["details"]["reason"]),
        (&json!("Unavailable"), &json!("unknownLanguage"))
    );
}

#[test]
fn the_same_path_in_two_folders_is_never_chosen_silently() {
    let mut host = Host::empty(&[("one", "/w/one"), ("two", "/w/two")]);
    host.write("/w/one/a.py", "x = 1");
    host.write("/w/two/a.py", "y = 1");
    host.configure();
    let error = host.fail("getOutline", json!({ "filePath": "a.py" }));
    assert_eq!(error["code"], "InvalidParams");
    assert_eq!(
        error["details"]["candidates"],
        json!(["one/a.py", "two/a.py"])
    );
    assert_eq!(
        Host::names(&host.ok("getOutline", json!({ "filePath": "two/a.py" }))),
        ["y"]
    );
}

#[test]
fn other_names_of_arguments_are_understood() {
    let mut host = Host::new(MIXED);
    assert_eq!(
        host.ok("searchApi", json!({ "query": "NodeStore" }))["total"],
        2
    );
    assert_eq!(
        host.ok("resolveSymbol", json!({ "path": "NodeStore" }))["total"],
        1
    );
    assert_eq!(
        Host::names(&host.ok("getOutline", json!({ "path": "pkg/tools.py" }))).len(),
        3
    );
}

#[test]
fn text_says_the_same_in_fewer_tokens() {
    let mut host = Host::new(MIXED);
    let caller = Caller {
        kind: CallerKind::Mcp,
        ..Caller::default()
    };
    for (tool, args) in [
        ("codecortex_getOutline", json!({ "symbol": "NodeStore" })),
        (
            "codecortex_searchApi",
            json!({ "labelQuery": "o", "limit": 20 }),
        ),
        ("codecortex_resolveSymbol", json!({ "symbol": "*o*" })),
    ] {
        let answer = host.call_at(tool, args, caller);
        let (json, text) = (answer.json.unwrap(), answer.text.unwrap());
        assert!(
            tokens_approx(&text) * 10 <= tokens_approx(&json) * 6,
            "{tool}\n{text}\n{json}"
        );
    }
}

#[test]
fn of_equally_near_names_the_one_in_the_asked_case_comes_first() {
    let mut host = Host::new(
        "//- /app/a.ts\nexport const cart = 1;\nexport class Cart {}\nexport function caRt() {}\n",
    );
    for (wrong, right) in [("Carrt", "Cart"), ("carrt", "cart")] {
        let error = host.fail("resolveSymbol", json!({ "symbol": wrong }));
        assert_eq!(error["details"]["suggestions"][0], right, "{error}");
    }
}

/// SPEC H2: what a member's id depends on.
#[test]
fn a_member_s_id_follows_its_signature_alone() {
    let id = |member: &str| {
        let text = format!("//- /app/a.cs\nclass A {{ {member} }}\n");
        let mut host = Host::new(&text);
        let data = host.ok("resolveSymbol", json!({ "symbol": "A.M" }));
        data["candidates"][0]["memberId"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let first = id("public static int M(int a, string b) { return 1; }");
    for same in [
        "static public int M(int a, string b) => 2;",
        "/// Doc.\n public static int M(int x, string y = \"\") { return 1; }",
        "[Old] public  static int\n M( int a, string b ) { return 3; }",
    ] {
        assert_eq!(id(same), first, "{same}");
    }
    for other in [
        "public static long M(int a, string b) { return 1; }",
        "public static int M(int a, string? b) { return 1; }",
        "public static int M(int a) { return 1; }",
        "public static int M<T>(int a, string b) { return 1; }",
        "public int M(int a, string b) { return 1; }",
        "internal static int M(int a, string b) { return 1; }",
    ] {
        assert_ne!(id(other), first, "{other}");
    }
}

#[test]
fn schemas_are_self_contained_and_small() {
    let table = tool_table();
    for tool in table.as_array().unwrap() {
        let input = tool["inputSchema"].to_string();
        assert!(
            !input.contains("$ref") && !input.contains("\"null\""),
            "{input}"
        );
        assert_eq!(tool["inputSchema"]["type"], "object");
    }
    let listed: Value = table
        .as_array()
        .unwrap()
        .iter()
        .filter(|tool| tool["profile"] == "default")
        .map(|tool| json!({ "name": tool["name"], "description": tool["description"], "inputSchema": tool["inputSchema"] }))
        .collect();
    let tokens = tokens_approx(&listed.to_string());
    assert!(
        listed.as_array().unwrap().len() <= 12 && tokens <= 2800,
        "{tokens} tokens (SPEC X5)"
    );
}

/// Every output matches the schema that is published for it, as far as names go.
#[test]
fn answers_have_only_fields_of_their_schema() {
    let mut host = Host::new(MIXED);
    for (tool, args) in [
        ("getOutline", json!({ "symbol": "NodeStore" })),
        (
            "getOutline",
            json!({ "filePath": "pkg/tools.py", "maxTokens": 150 }),
        ),
        (
            "getOutline",
            json!({ "symbol": "NodeStore", "form": "outline" }),
        ),
        ("searchApi", json!({ "labelQuery": "o", "maxTokens": 300 })),
        ("resolveSymbol", json!({ "symbol": "*o*" })),
        ("exportGraph", json!({ "symbol": "NodeStore" })),
        ("exportGraph", json!({ "notation": "json" })),
        ("status", json!({ "list": "skipped" })),
    ] {
        let data = host.ok(tool, args);
        let schema = TOOLS
            .iter()
            .find(|known| known.name.ends_with(tool))
            .unwrap()
            .output_schema();
        let known = schema["properties"]["data"]["properties"]
            .as_object()
            .unwrap();
        for (name, _) in data.as_object().unwrap() {
            assert!(
                known.contains_key(name),
                "{tool}: {name} is not in {:?}",
                known.keys()
            );
        }
    }
}

#[test]
fn an_id_means_its_symbol_wherever_that_has_gone() {
    let mut host = Host::new(MIXED);
    let id_of = |host: &mut Host, symbol: &str| {
        let data = host.ok("resolveSymbol", json!({ "symbol": symbol }));
        let ids = &data["resolved"];
        ids["memberId"]
            .as_str()
            .or(ids["typeId"].as_str())
            .unwrap()
            .to_owned()
    };
    let path_of = |host: &mut Host, id: &str| {
        let data = host.ok("resolveSymbol", json!({ "symbol": id }));
        data["resolved"]["path"].as_str().unwrap().to_owned()
    };
    let method = id_of(&mut host, "HttpClient.get_page");
    let class = id_of(&mut host, "HttpClient");
    // Something comes before it in its file.
    let text = "class First:\n    x = 1\nclass HttpClient:\n    def get_page(self, url: str) -> str: ...\n";
    host.write("/w/app/pkg/tools.py", text);
    host.touched(&["/w/app/pkg/tools.py"]);
    assert_eq!(path_of(&mut host, &method), "pkg.tools.HttpClient.get_page");
    assert_eq!(
        path_of(&mut host, &class.to_ascii_uppercase()),
        "pkg.tools.HttpClient"
    );
    // It moves to another file, which keeps its path.
    host.write("/w/app/pkg/tools.py", "");
    host.write("/w/app/pkg/tools.pyi", text);
    host.touched(&["/w/app/pkg/tools.py", "/w/app/pkg/tools.pyi"]);
    assert_eq!(path_of(&mut host, &method), "pkg.tools.HttpClient.get_page");
    // Another engine never gave this id out.
    let mut other = Host::new(MIXED);
    assert_eq!(
        path_of(&mut other, &method),
        "pkg.tools.HttpClient.get_page"
    );
    // And without the symbol the id means nothing.
    host.write("/w/app/pkg/tools.pyi", "");
    host.touched(&["/w/app/pkg/tools.pyi"]);
    let error = host.fail("resolveSymbol", json!({ "symbol": method }));
    assert_eq!(error["code"], "SymbolNotFound");
}

#[test]
fn an_outline_says_the_encoding_of_a_file_that_is_no_utf_8() {
    let mut host = Host::new(MIXED);
    let latin: Vec<u8> = "class Saison { int été; } // passé\n"
        .chars()
        .map(|letter| letter as u8)
        .collect();
    host.put("/w/app/Saison.java", Node::File(latin));
    host.touched(&["/w/app/Saison.java"]);
    let outline = |host: &mut Host, path: &str| host.ok("getOutline", json!({ "filePath": path }));
    let data = outline(&mut host, "app/Saison.java");
    assert_eq!(Host::names(&data), ["Saison", "été"]);
    assert_eq!(data["encoding"], "windows-1252");
    let data = outline(&mut host, "app/pkg/tools.py");
    assert_eq!(data["encoding"], Value::Null);
    let bytes = b"\xff\xfec\0l\0a\0s\0s\0 \0B\0 \0{\0}\0";
    host.put("/w/app/B.java", Node::File(bytes.to_vec()));
    host.touched(&["/w/app/B.java"]);
    assert_eq!(outline(&mut host, "app/B.java")["encoding"], "utf-16le");
}

/// Draft 7 writes a tuple as a list of items, which is no schema in the dialect of MCP (JSON Schema 2020-12).
#[test]
fn schemas_are_written_in_the_dialect_of_mcp() {
    fn problems(root: &Value, value: &Value, found: &mut Vec<String>) {
        if value["items"].is_array() || value.get("additionalItems").is_some() {
            found.push(value.to_string());
        }
        let place = value["$ref"].as_str();
        if place.is_some_and(|place| root.pointer(place.trim_start_matches('#')).is_none()) {
            found.push(value.to_string());
        }
        match value {
            Value::Object(members) => members.values().for_each(|it| problems(root, it, found)),
            Value::Array(entries) => entries.iter().for_each(|it| problems(root, it, found)),
            _ => {}
        }
    }
    let table = tool_table();
    for tool in table.as_array().unwrap() {
        for which in ["inputSchema", "outputSchema"] {
            let mut found = Vec::new();
            problems(&tool[which], &tool[which], &mut found);
            assert!(found.is_empty(), "{} {which}: {found:?}", tool["name"]);
        }
    }
    assert!(table.to_string().contains("\"prefixItems\""));
}
