//! Extractions case by case: `fixtures/extract/*.txt`, with `> variable name` or `> method name`; `«…»` marks the selection.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "tests read files, and say how many cases there were"
)]

mod support;

use codecortex_edit::{ExtractedAs, Extraction, LocatedEdit};
use support::{Case, EditOutcome, checked, run_cases};

fn change(case: &Case) -> EditOutcome {
    let (file, start) = case.place.expect("a case marks a selection");
    let (verb, name) = case.wish.split_once(' ').unwrap();
    let extraction = Extraction {
        file,
        range: start..case.end,
        name: name.to_owned(),
        as_what: match verb {
            "variable" => ExtractedAs::Variable,
            "method" => ExtractedAs::Method,
            other => panic!("{other}"),
        },
    };
    checked(&case.files, |resolver| {
        let change = extraction.plan(resolver, &case.texts())?;
        Ok((change, [extraction.name.clone(), extraction.name.clone()]))
    })
}

fn run(language: &str, least: usize) {
    run_cases(&format!("extract/{language}"), least, &change);
}

#[test]
fn typescript() {
    run("typescript", 20);
}

#[test]
fn python() {
    run("python", 14);
}

#[test]
fn rust() {
    run("rust", 12);
}

#[test]
fn go() {
    run("go", 12);
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
    run("cpp", 8);
}

#[test]
fn angelscript() {
    run("angelscript", 5);
}

#[test]
fn methods_of_typescript() {
    run("method_typescript", 20);
}

#[test]
fn methods_of_python() {
    run("method_python", 15);
}

#[test]
fn methods_of_go() {
    run("method_go", 5);
}

#[test]
fn methods_of_rust() {
    run("method_rust", 6);
}

#[test]
fn methods_of_java() {
    run("method_java", 4);
}

#[test]
fn methods_of_csharp() {
    run("method_csharp", 4);
}

#[test]
fn methods_of_cpp() {
    run("method_cpp", 3);
}

#[test]
fn methods_of_angelscript() {
    run("method_angelscript", 2);
}
