//! What is inlined case by case: `fixtures/inline/*.txt`; `«name»` marks the place that is pointed at.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "tests read files, and say how many cases there were"
)]

mod support;

use codecortex_edit::{Inline, LocatedEdit};
use support::{Case, EditOutcome, checked, run_cases};

fn change(case: &Case) -> EditOutcome {
    let place = case.place.expect("a case marks a place");
    checked(&case.files, |resolver| {
        let inline = Inline::at_place(resolver, place)?;
        let change = inline.plan(resolver, &case.texts())?;
        Ok((change, [inline.name().to_owned(), inline.name().to_owned()]))
    })
}

fn run(language: &str, least: usize) {
    run_cases(&format!("inline/{language}"), least, &change);
}

#[test]
fn typescript() {
    run("typescript", 16);
}

#[test]
fn python() {
    run("python", 8);
}

#[test]
fn others() {
    run("others", 10);
}
