//! Anchors of observations: the hashes of a symbol, and what became of it (SPEC X7).
#![allow(clippy::unwrap_used, reason = "tests")]

use codecortex_fixture::Workspace;
use codecortex_memory::{Anchor, Since};
use codecortex_observations::{anchor, leads_to, search_words, since};

const ORDER: &str = "namespace Shop;
public class Order {
    public int Total() { return Rate() * 3; }
    private int Rate() { return 2; }
}
";

fn shop() -> Workspace {
    let mut workspace = Workspace::new("//- /app/README.md\n");
    workspace.write("src/Order.cs", ORDER);
    workspace
}

fn anchored(workspace: &Workspace, symbol: &str) -> Anchor {
    anchor(&workspace.view(None), symbol).unwrap()
}

/// The layers in which a symbol differs from its anchor; none where it is gone.
fn changed(workspace: &Workspace, anchor: &Anchor) -> Option<Vec<String>> {
    match since(&workspace.view(None), anchor).unwrap() {
        Since::Hashes(now) => {
            let before = anchor.hashes.iter();
            let changed = before.filter(|(layer, hash)| now.get(*layer) != Some(*hash));
            Some(changed.map(|(layer, _)| layer.clone()).collect())
        }
        Since::Gone => None,
    }
}

#[test]
fn each_kind_of_edit_changes_its_own_layer() {
    let mut workspace = shop();
    let order = anchored(&workspace, "Shop.Order");
    let total = anchored(&workspace, "Shop.Order.Total");
    assert_eq!(order.hashes.len(), 5);
    assert_eq!(changed(&workspace, &order), Some(vec![]));
    for (from, to, of_order, of_total) in [
        (
            "Rate() * 3",
            "Rate() * 4",
            vec!["publicImpl"],
            vec!["publicImpl"],
        ),
        ("return 2", "return 5", vec!["internalImpl"], vec![]),
        (
            "public int Total()",
            "public int Total(int by)",
            vec!["structure"],
            vec!["structure"],
        ),
    ] {
        workspace.write("src/Order.cs", &ORDER.replace(from, to));
        let is_in = |found: Option<Vec<String>>, wanted: &[&str]| {
            let found = found.unwrap();
            assert!(
                wanted
                    .iter()
                    .all(|layer| found.iter().any(|own| own == layer)),
                "{from}: {found:?}"
            );
            assert_eq!(found.is_empty(), wanted.is_empty(), "{from}: {found:?}");
        };
        is_in(changed(&workspace, &order), &of_order);
        is_in(changed(&workspace, &total), &of_total);
        workspace.write("src/Order.cs", ORDER);
    }
}

#[test]
fn a_comment_changes_nothing_that_an_observation_is_about() {
    let mut workspace = shop();
    let total = anchored(&workspace, "Shop.Order.Total");
    workspace.write(
        "src/Order.cs",
        &ORDER.replace("public int", "// A note.\n    public int"),
    );
    let changed = changed(&workspace, &total).unwrap();
    assert!(
        !changed
            .iter()
            .any(|layer| layer.ends_with("Impl") || layer == "structure"),
        "{changed:?}"
    );
}

#[test]
fn a_renamed_member_is_found_by_what_it_does() {
    let mut workspace = shop();
    let total = anchored(&workspace, "Shop.Order.Total");
    workspace.write("src/Order.cs", &ORDER.replace("Total", "Sum"));
    assert!(changed(&workspace, &total).is_some());
    let view = workspace.view(None);
    assert!(leads_to(&view, &total, "Shop.Order.Sum"));
    assert!(!leads_to(&view, &total, "Shop.Order.Rate"));
}

#[test]
fn two_members_that_do_the_same_are_no_successor() {
    let mut workspace = shop();
    let total = anchored(&workspace, "Shop.Order.Total");
    let twice = "    public int Sum() { return Rate() * 3; }\n    public int All() { return Rate() * 3; }\n";
    workspace.write(
        "src/Order.cs",
        &ORDER.replace("    public int Total() { return Rate() * 3; }\n", twice),
    );
    assert_eq!(changed(&workspace, &total), None);
}

#[test]
fn a_moved_type_is_found_under_its_name() {
    let mut workspace = shop();
    let order = anchored(&workspace, "Shop.Order");
    workspace.write(
        "src/Order.cs",
        &ORDER.replace("namespace Shop", "namespace Store"),
    );
    assert!(changed(&workspace, &order).is_some());
    assert!(leads_to(&workspace.view(None), &order, "Store.Order"));
    workspace.remove("src/Order.cs");
    assert_eq!(changed(&workspace, &order), None);
}

#[test]
fn a_symbol_that_is_there_leads_to_no_other() {
    let workspace = shop();
    let total = anchored(&workspace, "Shop.Order.Total");
    assert!(!leads_to(&workspace.view(None), &total, "Shop.Order.Rate"));
    assert!(anchor(&workspace.view(None), "Shop.None").is_err());
}

#[test]
fn notes_are_looked_up_by_the_container_and_the_name() {
    assert_eq!(search_words("Shop.Order.Total"), ["Order", "Total"]);
    assert_eq!(search_words("crate::shop::total"), ["shop", "total"]);
    assert_eq!(search_words("Shop.+"), ["Shop"]);
    assert_eq!(search_words("Total"), Vec::<&str>::new());
}
