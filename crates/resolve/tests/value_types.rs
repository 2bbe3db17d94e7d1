//! The types of expressions and values, as an editor asks for them.

#![allow(clippy::unwrap_used, reason = "tests")]

use codecortex_bind::{Dialect, bind};
use codecortex_resolve::{DefRef, ExprRef, Resolver, Workspace};
use codecortex_syntax::{Language, parse};

/// A workspace of one file.
fn workspace(path: &str, language: Language, dialect: Dialect, text: &str) -> Workspace {
    let tree = parse(language, text, None).unwrap();
    let mut workspace = Workspace::default();
    workspace.insert(0, path, dialect, &bind(dialect, text, &tree));
    workspace
}

/// The name of the type of what is used at the first occurrence of a text.
fn used(resolver: &Resolver<'_>, text: &str, at: &str) -> Option<String> {
    let byte = text.find(at).unwrap() as u32;
    let expr = resolver.at(0, byte).0.unwrap();
    let found = resolver.expression_type(ExprRef { file: 0, expr });
    found.map(|of| resolver.name(of).to_owned())
}

/// The name of the type of what is declared there.
fn declared(resolver: &Resolver<'_>, text: &str, at: &str) -> Option<String> {
    let byte = text.find(at).unwrap() as u32;
    let def: DefRef = resolver.at(0, byte).1.unwrap();
    let found = resolver.value_type(def);
    found.map(|of| resolver.name(of).to_owned())
}

#[test]
fn a_value_has_the_type_that_it_was_made_of() {
    let text = "
class Store { next(): Store { return this; } }
const made = new Store();
function f(given: Store, count: number) {
  made.next();
  given.next();
  return count;
}
";
    let workspace = workspace("a.ts", Language::TypeScript, Dialect::TypeScript, text);
    let resolver = Resolver::new(&workspace);
    for at in ["made.next", "given.next"] {
        assert_eq!(used(&resolver, text, at).as_deref(), Some("Store"), "{at}");
    }
    for at in ["made =", "given:"] {
        assert_eq!(
            declared(&resolver, text, at).as_deref(),
            Some("Store"),
            "{at}"
        );
    }
    // A number is of no type of the workspace, and a function is no value of its result.
    assert_eq!(declared(&resolver, text, "count:"), None);
    assert_eq!(declared(&resolver, text, "f(given"), None);
}

#[test]
fn a_pointer_leads_to_what_it_points_to() {
    let text = "package a\n\ntype Store struct{ size int }\n\nfunc f(given *Store) int {\n\treturn given.size\n}\n";
    let workspace = workspace("a.go", Language::Go, Dialect::Go, text);
    let resolver = Resolver::new(&workspace);
    assert_eq!(
        used(&resolver, text, "given.size").as_deref(),
        Some("Store")
    );
    assert_eq!(
        declared(&resolver, text, "given *Store").as_deref(),
        Some("Store")
    );
    assert_eq!(declared(&resolver, text, "size int"), None);
}
