//! Organised imports case by case: `fixtures/imports/*.txt`; the first file is organised.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "tests read files, and say how many cases there were"
)]

mod support;

use codecortex_edit::{LocatedEdit, OrganiseImports};
use support::{Case, EditOutcome, checked, run_cases};

fn change(case: &Case) -> EditOutcome {
    checked(&case.files, |resolver| {
        let organise = OrganiseImports::in_file(resolver, 0)?;
        let change = organise.plan(resolver, &case.texts())?;
        Ok((change, organise.names().map(str::to_owned)))
    })
}

fn run(language: &str, least: usize) {
    run_cases(&format!("imports/{language}"), least, &change);
}

#[test]
fn scripts() {
    run("scripts", 8);
}

#[test]
fn python() {
    run("python", 8);
}

#[test]
fn others() {
    run("others", 8);
}
