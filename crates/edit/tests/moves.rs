//! Moves case by case: `fixtures/moving/*.txt`, with `> new/path` or `> new/path --re-export`.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "tests read files, and say how many cases there were"
)]

mod support;

use codecortex_edit::{LocatedEdit, MoveDeclaration, MoveTarget, RenameTexts};
use codecortex_resolve::FileNo;
use support::{Case, EditOutcome, checked, run_cases};

fn change(case: &Case) -> EditOutcome {
    let place = case.place.expect("a case marks a place");
    let (path, re_exports) = match case.wish.strip_suffix(" --re-export") {
        Some(path) => (path, true),
        None => (case.wish.as_str(), false),
    };
    let there = case.files.iter().position(|(other, _)| other == path);
    let target = MoveTarget {
        path: path.to_owned(),
        path_in_folder: path.to_owned(),
        file: there.unwrap_or(case.files.len()) as FileNo,
        exists: there.is_some(),
    };
    checked(&case.files, |resolver| {
        let of = MoveDeclaration::at_place(resolver, place, target, re_exports)?;
        let texts: RenameTexts = of
            .files()
            .iter()
            .map(|file| (*file, case.files[*file as usize].1.clone()))
            .collect();
        let change = of.plan(resolver, &texts)?;
        Ok((change, [of.name().to_owned(), of.name().to_owned()]))
    })
}

fn run(language: &str, least: usize) {
    run_cases(&format!("moving/{language}"), least, &change);
}

#[test]
fn typescript() {
    run("typescript", 18);
}

#[test]
fn python() {
    run("python", 14);
}

#[test]
fn go() {
    run("go", 6);
}

#[test]
fn java() {
    run("java", 4);
}

#[test]
fn csharp() {
    run("csharp", 4);
}
