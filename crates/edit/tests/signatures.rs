//! Changes of signatures case by case: `fixtures/signature/*.txt`, with `> add name:type=argument`, `> remove 0` or
//! `> move 0:1`.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "tests read files, and say how many cases there were"
)]

mod support;

use codecortex_edit::{
    ChangeSignature, LocatedEdit, Refusal, RefusalKind, RenameOptions, RenameTexts, SignatureWish,
};
use support::{Case, EditOutcome, checked, run_cases};

fn wish(text: &str) -> Result<SignatureWish, Refusal> {
    let (verb, rest) = text.split_once(' ').unwrap();
    let wish = match verb {
        "add" => SignatureWish::added(rest),
        "remove" => Ok(SignatureWish::Remove(rest.parse().unwrap())),
        "move" => SignatureWish::moved(rest),
        other => panic!("{other}"),
    };
    wish.map_err(|message| Refusal::new(RefusalKind::InvalidName, message))
}

fn change(case: &Case) -> EditOutcome {
    let wish = wish(&case.wish)?;
    let place = case.place.expect("a case marks a place");
    checked(&case.files, |resolver| {
        let options = RenameOptions::default();
        let signature = ChangeSignature::at_place(resolver, place, wish, options)?;
        let texts: RenameTexts = signature
            .files()
            .iter()
            .map(|file| (*file, case.files[*file as usize].1.clone()))
            .collect();
        let change = signature.plan(resolver, &texts)?;
        Ok((change, signature.names().map(str::to_owned)))
    })
}

fn run(language: &str, least: usize) {
    run_cases(&format!("signature/{language}"), least, &change);
}

#[test]
fn typescript() {
    run("typescript", 20);
}

#[test]
fn python() {
    run("python", 16);
}

#[test]
fn rust() {
    run("rust", 8);
}

#[test]
fn go() {
    run("go", 8);
}

#[test]
fn java() {
    run("java", 8);
}

#[test]
fn csharp() {
    run("csharp", 8);
}

#[test]
fn cpp() {
    run("cpp", 5);
}
