//! What a prompt about a type is made of (SPEC SE1).
#![allow(clippy::unwrap_used, reason = "tests")]

use codecortex_fixture::Workspace;
use codecortex_grounding::{DescribedFolders, SemanticUnit, kept_conversation, kept_operation};
use codecortex_index::HashRules;
use codecortex_ledger::TextState;
use codecortex_protocol::{ErrorCode, Failure, Missing};
use codecortex_semantics::{
    Gathered, Investigation, Operation, Prepared, SemanticJobs, TextFile, TextSections,
    conversation_path, op_path, snapshot_path,
};

const SHOP: &str = "
//- /app/src/Order.cs
namespace Shop;
/// <summary>Sums up what a cart holds.</summary>
public class Order : Priced {
    public int Total() { return Rate() * 3; }
    private int Rate() { return 2; }
    public class Line { public int Count; }
}
//- /app/src/Priced.cs
namespace Shop;
public class Priced { }
public enum Loose { A }
";

/// A root without a folder.
#[derive(Default)]
struct NoFolder {
    jobs: SemanticJobs,
    is_unread: bool,
}

impl DescribedFolders for NoFolder {
    fn is_unread(&self, _: u32) -> bool {
        self.is_unread
    }

    fn hash_rules(&self, _: u32) -> HashRules {
        HashRules::default()
    }

    fn semantic_jobs(&self, root: u32) -> Option<&SemanticJobs> {
        (root == 0).then_some(&self.jobs)
    }
}

fn gathered(workspace: &mut Workspace, symbol: &str) -> (SemanticUnitIds, Gathered) {
    let folder = NoFolder::default();
    workspace
        .look(None, |view| {
            let found = view.find_symbol(symbol)?;
            let unit = SemanticUnit::resolve(view, &folder, found.symbols[0], symbol)?;
            let gathered = unit.gather(view, &folder)?;
            let ids = unit.types.iter().map(|(id, _)| id.clone()).collect();
            Ok((ids, gathered))
        })
        .unwrap()
}

type SemanticUnitIds = Vec<String>;

#[test]
fn a_type_is_described_with_its_members_bases_and_documentation() {
    let mut workspace = Workspace::new(SHOP);
    let (ids, gathered) = gathered(&mut workspace, "Shop.Order");
    assert_eq!(ids.len(), 1);
    let subject = &gathered.material.subjects[0];
    assert_eq!(subject.path, "Shop.Order");
    assert_eq!(subject.files, ["src/Order.cs"]);
    assert!(
        subject.declaration.contains("Priced"),
        "{}",
        subject.declaration
    );
    assert_eq!(subject.doc, "Sums up what a cart holds.");
    assert!(
        subject
            .source
            .iter()
            .any(|text| text.contains("Rate() * 3"))
    );
    assert!(
        !subject.source.iter().any(|text| text.contains("int Count")),
        "an inner type's own members"
    );
    assert!(gathered.is_absent && !gathered.is_unsaved);
    assert_eq!(gathered.head.paths, ["Shop.Order"]);
}

#[test]
fn a_member_leads_to_its_type_and_a_namespace_to_none() {
    let mut workspace = Workspace::new(SHOP);
    let (of_member, _) = gathered(&mut workspace, "Shop.Order.Total");
    let (of_type, _) = gathered(&mut workspace, "Shop.Order");
    assert_eq!(of_member, of_type);
    let folder = NoFolder::default();
    let error = workspace.look(None, |view| {
        let found = view.find_symbol("Shop")?;
        SemanticUnit::resolve(view, &folder, found.symbols[0], "Shop")
    });
    let Err(Failure::Error(error)) = error else {
        panic!("a namespace is described");
    };
    assert_eq!(error.code, ErrorCode::NotFound);
}

#[test]
fn unsaved_text_is_used_and_reported() {
    let mut workspace = Workspace::new(SHOP);
    let order = "namespace Shop;\npublic class Order { public int Total() { return 99; } }\n";
    workspace.open("src/Order.cs", order);
    let (_, gathered) = gathered(&mut workspace, "Shop.Order");
    assert!(gathered.is_unsaved);
    let source = &gathered.material.subjects[0].source;
    assert!(
        source.iter().any(|text| text.contains("return 99")),
        "{source:?}"
    );
}

#[test]
fn members_that_changed_since_the_text_are_named() {
    let mut workspace = Workspace::new(SHOP);
    let (ids, first) = gathered(&mut workspace, "Shop.Order");
    assert!(
        first.material.subjects[0].affected.is_none(),
        "no earlier members"
    );
    let prepared = Prepared::new(0, &unit_of(&mut workspace), first);
    let answer = TextSections::ALL.map(|section| format!("{}:\nIt sums up.\n", section.as_str()));
    let outcome = prepared.take(&answer.concat(), true).unwrap();
    assert!(!outcome.is_unchanged);
    for TextFile { path, text } in &outcome.files {
        workspace.write(&format!(".context/{path}"), text);
    }
    assert!(
        outcome
            .files
            .iter()
            .any(|file| file.path == snapshot_path(&ids[0]))
    );
    let order =
        "namespace Shop;\npublic class Order : Priced { public int Total() { return 1; } }\n";
    workspace.write("src/Order.cs", order);
    workspace.code.forget_texts();
    let (_, second) = gathered(&mut workspace, "Shop.Order");
    assert!(!second.is_absent);
    assert!(second.material.subjects[0].affected.is_some());
}

fn unit_of(workspace: &mut Workspace) -> codecortex_ledger::UnitView {
    let folder = NoFolder::default();
    workspace
        .look(None, |view| {
            let found = view.find_symbol("Shop.Order")?;
            let unit = SemanticUnit::resolve(view, &folder, found.symbols[0], "Shop.Order")?;
            Ok(unit.view)
        })
        .unwrap()
}

#[test]
fn a_unit_of_an_id_is_that_of_its_type() {
    let mut workspace = Workspace::new(SHOP);
    let (ids, _) = gathered(&mut workspace, "Shop.Order");
    let folder = NoFolder::default();
    let unit = workspace.look(None, |view| SemanticUnit::of_id(view, &folder, &ids[0]));
    let unit = unit.unwrap();
    assert_eq!(unit.types[0].0, ids[0]);
    assert_eq!(unit.view.state, TextState::None);
    assert_eq!(unit.last_error(&workspace.view(None)), (None, 0));
}

#[test]
fn an_unread_folder_is_waited_for() {
    let workspace = Workspace::new(SHOP);
    let view = workspace.view(None);
    let folder = NoFolder {
        is_unread: true,
        ..NoFolder::default()
    };
    let symbol = view.find_symbol("Shop.Order").unwrap().symbols[0];
    let units = [
        SemanticUnit::resolve(&view, &folder, symbol, "Shop.Order").err(),
        SemanticUnit::of_id(&view, &folder, "anything").err(),
    ];
    for failure in units {
        assert!(
            matches!(failure, Some(Failure::Missing(Missing::Context(0)))),
            "{failure:?}"
        );
    }
}

#[test]
fn operations_of_other_processes_are_read_from_their_files() {
    let mut workspace = Workspace::new(SHOP);
    let operation = Operation::new("Who pays?", Vec::new());
    let id = operation.op_id.clone();
    let kept = workspace.look(None, |view| kept_operation(view, 0, &id));
    assert_eq!(kept.unwrap(), None);
    workspace.code.forget_texts();
    let op = Investigation::new(0, operation.clone());
    workspace.write(&format!(".context/{}", op_path(&id)), &operation.render());
    workspace.write(
        &format!(".context/{}", conversation_path(&id)),
        &op.conversation(),
    );
    let kept = workspace.look(None, |view| kept_operation(view, 0, &id));
    assert_eq!(kept.unwrap().unwrap().question, "Who pays?");
    let said = workspace.look(None, |view| kept_conversation(view, 0, &id));
    assert_eq!(said.unwrap(), Some(op.conversation()));
    let other = workspace.look(None, |view| kept_operation(view, 9, &id));
    assert_eq!(other.unwrap(), None, "no such root");
}
