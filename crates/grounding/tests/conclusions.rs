//! Conclusions of investigations: checked against the sources, and offered while these are as they were (SPEC IN1, SE1).
#![allow(clippy::unwrap_used, reason = "tests")]

use codecortex_fixture::Workspace;
use codecortex_grounding::{finish, for_file, from_file, is_current, scope_in_file, shown_path};
use codecortex_semantics::{Conclusion, Evidence, Investigation, OpState, Operation};

const SHOP: &str = "
//- /app/src/Order.cs
namespace Shop;
public class Order {
    public int Total() { return 3; }
}
//- /app/src/Cart.cs
namespace Shop;
public class Cart {
    public void Clear() { }
}
";

fn evidence(path: &str, line: u32, quote: &str) -> Evidence {
    Evidence {
        path: path.to_owned(),
        start_line: line,
        end_line: line,
        quote: quote.to_owned(),
        why: "it shows it".to_owned(),
        ..Evidence::default()
    }
}

fn finished(workspace: &mut Workspace, evidence: Vec<Evidence>) -> Investigation {
    let op = Investigation::new(0, Operation::new("What is the total?", Vec::new()));
    let conclusion = Conclusion {
        conclusion: "Three.".to_owned(),
        evidence,
        open: Vec::new(),
    };
    workspace
        .look(None, |view| {
            let mut op = op.clone();
            finish(view, &mut op, conclusion.clone())?;
            Ok(op)
        })
        .unwrap()
}

fn verified(op: &Investigation) -> Vec<bool> {
    let result = op.operation.result.as_ref().unwrap();
    result.evidence.iter().map(|of| of.verified).collect()
}

#[test]
fn evidence_counts_where_the_source_has_its_quote() {
    let mut workspace = Workspace::new(SHOP);
    let op = finished(
        &mut workspace,
        vec![
            evidence("src/Order.cs", 3, "return 3;"),
            evidence("app/src/Order.cs", 3, "return 4;"),
            evidence("src/Gone.cs", 1, "return 3;"),
        ],
    );
    assert_eq!(verified(&op), [true, false, false]);
    assert_eq!(op.operation.state, OpState::Done);
    let result = op.operation.result.unwrap();
    assert_eq!(
        result.evidence[0].path, "app/src/Order.cs",
        "as answers show it"
    );
}

#[test]
fn a_conclusion_holds_until_code_that_it_read_changes() {
    let mut workspace = Workspace::new(SHOP);
    let op = finished(
        &mut workspace,
        vec![evidence("src/Order.cs", 3, "return 3;")],
    );
    let current = |workspace: &Workspace| is_current(&workspace.view(None), &op.operation);
    assert!(current(&workspace));
    workspace.write("src/Cart.cs", "namespace Shop; public class Cart { }");
    assert!(current(&workspace), "a file that it did not read");
    let order = "namespace Shop;\n// A comment.\npublic class Order {\n    public int Total() { return 3; }\n}\n";
    workspace.write("src/Order.cs", order);
    assert!(current(&workspace), "a comment is no code");
    workspace.write("src/Order.cs", &order.replace("return 3", "return 5"));
    assert!(!current(&workspace));
    workspace.write("src/Order.cs", order);
    assert!(current(&workspace), "as it was");
    workspace.remove("src/Order.cs");
    assert!(!current(&workspace));
}

#[test]
fn only_indexed_files_are_shown() {
    let workspace = Workspace::new(SHOP);
    let view = workspace.view(None);
    let shown = |path: &str| shown_path(&view, path);
    assert_eq!(shown("src/Cart.cs").as_deref(), Some("app/src/Cart.cs"));
    assert_eq!(
        shown("/w/app/src/Cart.cs").as_deref(),
        Some("app/src/Cart.cs")
    );
    assert_eq!(shown("src/None.cs"), None);
    assert_eq!(shown("../etc/passwd"), None);
}

#[test]
fn a_file_of_an_operation_names_paths_below_its_root() {
    let mut workspace = Workspace::new(SHOP);
    let op = finished(
        &mut workspace,
        vec![evidence("src/Order.cs", 3, "return 3;")],
    );
    let kept = for_file(&workspace.code, 0, &op.operation);
    let path = |operation: &Operation| operation.result.as_ref().unwrap().evidence[0].path.clone();
    assert_eq!(path(&kept), "src/Order.cs");
    assert_eq!(kept.read[0].path, "src/Order.cs");
    assert_eq!(
        path(&from_file(&workspace.code, 0, kept)),
        "app/src/Order.cs"
    );
}

#[test]
fn an_earlier_name_of_the_folder_leads_to_the_same_file() {
    let workspace = Workspace::new(SHOP);
    let mut operation = Operation::new("What is the total?", Vec::new());
    operation.result = Some(Conclusion {
        evidence: ["renamed/src/Order.cs", "renamed/src/None.cs"]
            .map(|path| evidence(path, 1, ""))
            .into(),
        ..Conclusion::default()
    });
    let operation = from_file(&workspace.code, 0, operation);
    let evidence = operation.result.unwrap().evidence;
    assert_eq!(evidence[0].path, "app/src/Order.cs");
    assert_eq!(evidence[1].path, "renamed/src/None.cs", "nothing is there");
}

#[test]
fn a_question_has_the_same_scope_whatever_its_folder_is_called() {
    let workspace = Workspace::new(SHOP);
    let scope = |path: &str| scope_in_file(&workspace.code, 0, vec![path.to_owned()]);
    assert_eq!(scope("app/src"), ["src"]);
    assert_eq!(scope("src"), ["src"]);
    let other = scope_in_file(&workspace.code, 7, vec!["app/src".to_owned()]);
    assert_eq!(other, ["app/src"], "no such root");
}
