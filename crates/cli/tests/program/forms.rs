//! The forms of an outline on the command line (SPEC H1).

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
