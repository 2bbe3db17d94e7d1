//! The forms of an outline and of the graph of types on the command line (SPEC H1, UX1).

use crate::support::Place;

fn shop() -> Place {
    let place = Place::new();
    place.write(
        "src/Store.cs",
        "namespace Shop;\n/// <summary>Keeps things.</summary>\npublic class Store : IStore {\n    \
         public void Add(int thing) { }\n    private int count;\n}\npublic interface IStore { }\n",
    );
    place
}

#[test]
fn an_outline_has_three_forms() {
    let place = shop();
    let lines = |args: &[&str]| -> Vec<String> {
        let run = place.run(args);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        run.stdout.lines().map(str::to_owned).collect()
    };
    let tree = lines(&["outline", "Store", "--form", "tree"]);
    assert_eq!(tree, lines(&["outline", "Store"]));
    let outline = lines(&["outline", "Store", "--form", "outline"]);
    assert!(outline[0].starts_with("# Shop.Store T_"), "{outline:?}");
    assert!(
        outline[1].starts_with("Kind: class | Files: src/Store.cs | Assembly: | StructureHash: ")
    );
    assert_eq!(outline[4], "XMLDOC: Keeps things.");
    assert_eq!(
        outline[6..9],
        ["Public API:", "  + public void Add(int thing)", ""]
    );
    assert_eq!(outline[9..11], ["Implements: IStore", "DependsOn:"]);
    let compact = lines(&["outline", "Store", "--form", "compact"]);
    assert_eq!(
        compact[..5],
        [
            "class Shop.Store : IStore",
            "method:",
            "void Add(int thing)",
            "private field:",
            "int count"
        ]
    );
    let json = place
        .run(&["outline", "Store", "--form", "compact", "--json"])
        .json();
    assert_eq!(json["data"]["resolved"]["path"], "Shop.Store");
    let wrong = place.run(&["outline", "Store", "--form", "short"]);
    assert_eq!(wrong.code, Some(2));
    let none = place.run(&["outline", "src/Store.cs", "--form", "outline"]);
    assert_eq!(none.code, Some(1));
}

#[test]
fn a_graph_is_the_drawing_and_nothing_else() {
    let place = shop();
    let mermaid = place.run(&["graph"]);
    assert_eq!((mermaid.code, mermaid.stderr.as_str()), (Some(0), ""));
    let lines: Vec<&str> = mermaid.stdout.lines().collect();
    assert_eq!(lines[0], "flowchart LR");
    assert_eq!(lines[1], "  %% 2 types, 1 dependency, 0 cycles");
    assert!(
        lines.last().unwrap().contains(" ==> "),
        "{}",
        mermaid.stdout
    );
    let dot = place.run(&["graph", "Store", "--format", "dot", "--depth", "0"]);
    assert!(dot.stdout.starts_with("// 1 type, ") && dot.stdout.ends_with("\n}\n"));
    let json = place
        .run(&["graph", "--folder", "src", "--format", "json"])
        .json();
    assert_eq!(json["data"]["types"].as_array().unwrap().len(), 2);
    let needed = place.run(&["graph", "IStore", "--direction", "in", "--format", "json"]);
    assert_eq!(needed.json()["data"]["total"], 2);
    assert_eq!(place.run(&["graph", "Nothing"]).code, Some(1));
    assert_eq!(
        place.run(&["graph", "Store", "--folder", "src"]).code,
        Some(2)
    );
}

/// Projects are read when somebody asks for one.
#[test]
fn a_graph_can_be_of_a_project() {
    let place = shop();
    place.write(
        "src/Shop.csproj",
        "<Project Sdk=\"Microsoft.NET.Sdk\"></Project>",
    );
    place.write("other/Other.cs", "class Other { }");
    let json = place
        .run(&["graph", "--project", "Shop", "--format", "json"])
        .json();
    assert_eq!(json["data"]["total"], 2, "{json}");
    let wrong = place.run(&["graph", "--project", "Shap"]);
    assert_eq!(wrong.code, Some(1));
    assert!(
        wrong.stdout.contains("Did you mean `Shop`?"),
        "{}",
        wrong.stdout
    );
}

/// An outline in the form `outline` is kept, through every door (515).
#[test]
fn an_outline_is_written_through_every_door() {
    let place = shop();
    place.write(
        "src/More.cs",
        "namespace Shop;\npublic class First { }\npublic class Second { }\npublic class Third { }\n",
    );
    assert_eq!(place.run(&["init"]).code, Some(0));
    let written = || -> Vec<String> {
        let files = std::fs::read_dir(place.path().join(".context/types"));
        let files = files.into_iter().flatten().map(|file| file.unwrap().path());
        let texts = files.map(|path| std::fs::read_to_string(path).unwrap());
        let mut names: Vec<String> = texts
            .map(|text| text.split(' ').nth(1).unwrap_or_default().to_owned())
            .collect();
        names.sort_unstable();
        names
    };
    assert!(written().is_empty());
    place.run(&["outline", "First", "--form", "outline"]);
    assert_eq!(written(), ["Shop.First"]);
    let args = |name: &str| serde_json::json!({ "symbol": name, "form": "outline" });
    place.call_told("codecortex_getOutline", &args("Second"));
    assert_eq!(written(), ["Shop.First", "Shop.Second"]);
    let line =
        serde_json::json!({ "id": 1, "tool": "codecortex_getOutline", "args": args("Third") });
    place.batch(&format!("{line}\n"));
    assert_eq!(written(), ["Shop.First", "Shop.Second", "Shop.Third"]);
    // Another form asks for no file.
    place.run(&["outline", "Store"]);
    assert_eq!(written().len(), 3);
}

/// Documents are not looked at, and whoever finds nothing is told so (288).
#[test]
fn what_stands_in_documents_alone_is_said_to_be_outside() {
    let place = shop();
    place.write("docs/deploy.md", "# Deploy with waitress\n");
    place.write("schema.sql", "CREATE TABLE parcel (id int);\n");
    let told = "Only code is looked at: no documents, no SQL, no settings.";
    for question in ["deploy with waitress", "CREATE TABLE parcel"] {
        let text = place.run(&["search", question]).stdout;
        assert!(
            text.starts_with(&format!("// 0 found\n// {told}\n")),
            "{text}"
        );
        let found = place.run(&["search", question, "--json"]).json();
        assert_eq!(found["data"]["note"], told);
        let context = place.run(&["context", "--query", question]);
        assert!(context.stdout.contains(told), "{}", context.stdout);
    }
    let found = place.run(&["search", "Store", "--json"]).json();
    assert_eq!(found["data"].get("note"), None);
}
