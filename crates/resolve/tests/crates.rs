//! Names of crates: a library that a manifest names has that name and no other.

#![allow(clippy::unwrap_used, reason = "tests")]

use codecortex_bind::{Dialect, bind};
use codecortex_resolve::{ExprRef, Hints, Mapping, Resolver, Workspace};
use codecortex_syntax::{Language, parse};

/// Where the last word of a file leads that takes something from a crate, beside a library that has it.
fn leads(hints: Hints, user: &str) -> usize {
    let mut workspace = Workspace::default();
    workspace.set_hints(hints);
    let library = "pub struct Reader; pub struct Value;";
    for (file, (path, text)) in [("src/lib.rs", library), ("tests/all.rs", user)]
        .iter()
        .enumerate()
    {
        let tree = parse(Language::Rust, text, None).unwrap();
        let bound = bind(Dialect::Rust, text, &tree);
        workspace.insert(file as u32, path, Dialect::Rust, &bound);
    }
    let resolver = Resolver::new(&workspace);
    let at = user.rfind("Reader").unwrap();
    let (used, _) = resolver.at(1, at as u32);
    let target = resolver.target(ExprRef {
        file: 1,
        expr: used.unwrap(),
    });
    target.defs.len()
}

fn named(written: &str) -> Hints {
    let mapping = Mapping {
        folder: String::new(),
        written: written.to_owned(),
        paths: vec!["src/lib.rs".to_owned()],
        is_own: false,
    };
    Hints::new(vec![mapping], Vec::new())
}

#[test]
fn without_a_manifest_what_is_taken_tells() {
    assert_eq!(
        leads(Hints::default(), "use mine::Reader;\nfn f(r: Reader) {}"),
        1
    );
}

#[test]
fn a_library_of_a_name_is_no_other_crate() {
    assert_eq!(
        leads(named("mine"), "use mine::Reader;\nfn f(r: Reader) {}"),
        1
    );
    assert_eq!(
        leads(named("mine"), "use other::Reader;\nfn f(r: Reader) {}"),
        0
    );
}
