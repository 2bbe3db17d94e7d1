//! Conclusions of investigations in the prompt of the types that they are about (SPEC SE1, IN1).
#![allow(clippy::unwrap_used, reason = "tests")]

use codecortex_fixture::Workspace;
use codecortex_grounding::{Gatherer, for_file};
use codecortex_index::HashRules;
use codecortex_ledger::{Ledger, Seen, TextState, UnitView};
use codecortex_semantics::{
    Conclusion, Evidence, Finding, Investigation, OpState, Operation, note_concluded, op_path,
};

const SHOP: &str = "
//- /app/src/Order.cs
namespace Shop;
public class Order {
    public int Total() { return 3; }
}
public class Cart {
    public void Clear() { }
}
";

/// An operation that is done, with verified evidence at these lines of the file.
fn done(question: &str, lines: &[u32]) -> Operation {
    let mut operation = Operation::new(question, Vec::new());
    operation.state = OpState::Done;
    let evidence = lines.iter().map(|line| Evidence {
        path: "app/src/Order.cs".to_owned(),
        start_line: *line,
        end_line: *line,
        verified: true,
        why: "it shows it".to_owned(),
        ..Evidence::default()
    });
    operation.result = Some(Conclusion {
        conclusion: format!("Answer to {question}"),
        evidence: evidence.collect(),
        open: Vec::new(),
    });
    operation
}

/// Keeps operations as the folder does: in their files, and named in `state.json`.
fn keep(workspace: &mut Workspace, operations: &[Operation]) -> Ledger {
    let mut ledger = Ledger::default();
    let ops = operations.iter().map(|operation| {
        let op = Investigation::new(0, operation.clone());
        (operation.op_id.clone(), op)
    });
    note_concluded(&mut ledger, 0, "app", &ops.collect());
    for operation in operations {
        let kept = for_file(&workspace.code, 0, operation);
        let path = format!(".context/{}", op_path(&kept.op_id));
        workspace.write(&path, &kept.render());
    }
    ledger
}

fn findings(workspace: &mut Workspace, ledger: &Ledger, symbol: &str) -> Vec<Finding> {
    let gathered = workspace.look(Some(ledger), |view| {
        let found = view.find_symbol(symbol)?;
        let unit = UnitView {
            group: None,
            types: vec![Seen {
                id: "T_1".to_owned(),
                ..Seen::default()
            }],
            implementations: Vec::new(),
            classes: Vec::new(),
            state: TextState::None,
            is_described: false,
        };
        let types = [("T_1".to_owned(), found.symbols[0])];
        Gatherer::new(view, 0, None, HashRules::default()).gather(&unit, &types)
    });
    gathered.unwrap().material.findings
}

fn questions(findings: &[Finding]) -> Vec<&str> {
    let questions = findings.iter().map(|finding| finding.question.as_str());
    questions.collect()
}

#[test]
fn a_conclusion_is_offered_for_the_types_that_its_evidence_is_in() {
    let mut workspace = Workspace::new(SHOP);
    let operations = [done("What is the total?", &[3]), done("Who clears?", &[6])];
    let ledger = keep(&mut workspace, &operations);
    let of_order = findings(&mut workspace, &ledger, "Shop.Order");
    assert_eq!(questions(&of_order), ["What is the total?"]);
    assert_eq!(of_order[0].evidence, ["app/src/Order.cs:3-3 it shows it"]);
    let of_cart = findings(&mut workspace, &ledger, "Shop.Cart");
    assert_eq!(questions(&of_cart), ["Who clears?"]);
}

#[test]
fn conclusions_with_more_evidence_come_first_and_five_are_enough() {
    let mut workspace = Workspace::new(SHOP);
    let mut operations = vec![done("Most?", &[2, 3, 4])];
    operations.extend((0..6).map(|at| done(&format!("{at}?"), &[3])));
    let ledger = keep(&mut workspace, &operations);
    let found = findings(&mut workspace, &ledger, "Shop.Order");
    assert_eq!(questions(&found), ["Most?", "0?", "1?", "2?", "3?"]);
}

#[test]
fn a_conclusion_about_code_that_changed_is_not_offered() {
    let mut workspace = Workspace::new(SHOP);
    let mut operation = done("What is the total?", &[3]);
    operation.read = vec![codecortex_semantics::ReadFile {
        path: "app/src/Order.cs".to_owned(),
        hash: "of another state".to_owned(),
    }];
    let ledger = keep(&mut workspace, &[operation]);
    assert!(findings(&mut workspace, &ledger, "Shop.Order").is_empty());
}

#[test]
fn a_name_in_state_json_without_its_file_gives_nothing() {
    let mut workspace = Workspace::new(SHOP);
    let operation = done("What is the total?", &[3]);
    let ledger = keep(&mut workspace, std::slice::from_ref(&operation));
    workspace.write(
        &format!(".context/{}", op_path(&operation.op_id)),
        "no operation",
    );
    workspace.code.forget_texts();
    assert!(findings(&mut workspace, &ledger, "Shop.Order").is_empty());
}
