//! `docs/syntax-coverage.md` is a test: what it says is read is read, and what it says is not, is not.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test, and the page is a file"
)]

use std::path::Path;

use codecortex_syntax::{Limits, Outcome, analyse};

const LIMITS: Limits = Limits {
    max_file_size: 1 << 20,
    exclude_generated: false,
};

/// A construct of the page.
#[derive(Default)]
struct Construct {
    language: String,
    title: String,
    ending: String,
    code: String,
    declares: Vec<String>,
    /// Whether there are places in it that do not parse.
    is_damaged: bool,
}

fn constructs(page: &str) -> Vec<Construct> {
    let mut found: Vec<Construct> = Vec::new();
    let (mut language, mut is_code) = (String::new(), false);
    for line in page.lines() {
        if let Some(ending) = line.strip_prefix("```") {
            is_code = !is_code;
            if is_code {
                found.last_mut().unwrap().ending = ending.to_owned();
            }
        } else if is_code {
            let code = &mut found.last_mut().unwrap().code;
            code.push_str(line);
            code.push('\n');
        } else if let Some(name) = line.strip_prefix("## ") {
            name.clone_into(&mut language);
        } else if let Some(title) = line.strip_prefix("### ") {
            found.push(Construct {
                language: language.clone(),
                title: title.to_owned(),
                ..Construct::default()
            });
        } else if let Some((before, names)) = line.split_once("Declares ") {
            let last = found.last_mut().unwrap();
            let names = names.split('`').skip(1).step_by(2);
            last.declares = names.map(str::to_owned).collect();
            last.is_damaged = before.starts_with("Not read");
        }
    }
    found
}

/// What is wrong about a construct, if anything.
fn wrong(of: &Construct) -> Option<String> {
    let path = format!("a.{}", of.ending);
    let Outcome::Facts(facts) = analyse(&path, of.code.as_bytes(), LIMITS) else {
        return Some("no facts".to_owned());
    };
    let names: Vec<&str> = facts
        .items
        .iter()
        .map(|item| facts.str(item.name))
        .collect();
    let missing: Vec<&String> = of
        .declares
        .iter()
        .filter(|name| !names.contains(&name.as_str()))
        .collect();
    if !missing.is_empty() {
        return Some(format!("{missing:?} missing of {names:?}"));
    }
    match (of.is_damaged, facts.syntax_errors) {
        (true, 0) => Some("is read".to_owned()),
        (false, count) if count > 0 => Some(format!("{count} places do not parse")),
        _ => None,
    }
}

#[test]
fn the_page_says_what_is_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/syntax-coverage.md");
    let page = std::fs::read_to_string(path).unwrap();
    let constructs = constructs(&page);
    assert!(constructs.len() > 25, "{} constructs", constructs.len());
    let all: Vec<String> = constructs
        .iter()
        .filter_map(|of| Some(format!("{} {}: {}", of.language, of.title, wrong(of)?)))
        .collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
}
