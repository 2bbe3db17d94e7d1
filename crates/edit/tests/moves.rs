//! Moves case by case: `fixtures/moving/*.txt`, with `> new/path` or `> new/path --re-export`, `> new/path --text`.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "tests read files, and say how many cases there were"
)]

mod support;

use codecortex_edit::{LocatedEdit, MoveDeclaration, MoveOptions, MoveTarget, RenameTexts};
use codecortex_resolve::FileNo;
use support::{Case, EditOutcome, checked, run_cases};

fn change(case: &Case) -> EditOutcome {
    let place = case.place.expect("a case marks a place");
    let (path, words) = case.wish.split_once(' ').unwrap_or((&case.wish, ""));
    let options = MoveOptions {
        re_exports: words == "--re-export",
        comments: words == "--text",
        strings: words == "--text",
    };
    let there = case.files.iter().position(|(other, _)| other == path);
    let target = MoveTarget {
        path: path.to_owned(),
        path_in_folder: path.to_owned(),
        file: there.unwrap_or(case.files.len()) as FileNo,
        exists: there.is_some(),
    };
    checked(&case.files, |resolver| {
        let of = MoveDeclaration::at_place(resolver, place, target, options)?;
        let all: Vec<FileNo> = (0..case.files.len() as FileNo).collect();
        let files = match options.has_texts() {
            true => &all,
            false => of.files(),
        };
        let texts: RenameTexts = files
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
