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

/// A declaration of a language in the form of the page's blocks, with `NAME` in the place of its name.
fn declaration(ending: &str) -> &'static str {
    match ending {
        "py" => "def NAME():\n    pass\n",
        "rs" => "fn NAME() {}\n",
        "go" => "func NAME() {}\n",
        "c" => "struct NAME { int one; };\n",
        "cpp" | "cppm" => "struct NAME { int one; };\n",
        "ts" | "tsx" | "js" | "jsx" | "php" => "function NAME() {}\n",
        "kt" | "kts" => "fun NAME() {}\n",
        "swift" => "func NAME() {}\n",
        "rb" => "def NAME\nend\n",
        "scala" => "class NAME\n",
        // C#, Java and what has classes like theirs.
        _ => "class NAME { }\n",
    }
}

/// What a text of this language may have to begin with.
fn head(code: &str) -> usize {
    let heads = ["package ", "module;", "export module ", "<?php"];
    let first = code.lines().next().unwrap_or_default();
    match heads.iter().any(|head| first.starts_with(head)) {
        true => code.find('\n').map_or(code.len(), |end| end + 1),
        false => 0,
    }
}

/// What is lost of the declarations between which a construct stands, if anything.
fn lost(of: &Construct) -> Option<String> {
    let form = declaration(&of.ending);
    let (first, rest) = of.code.split_at(head(&of.code));
    let [before, after] = ["Before_it", "After_it"].map(|name| form.replace("NAME", name));
    let text = format!("{first}{before}{rest}{after}");
    let path = format!("a.{}", of.ending);
    let Outcome::Facts(facts) = analyse(&path, text.as_bytes(), LIMITS) else {
        return Some("no facts".to_owned());
    };
    let names: Vec<&str> = facts
        .items
        .iter()
        .map(|item| facts.str(item.name))
        .collect();
    let wanted = ["Before_it", "After_it"].into_iter();
    let wanted = wanted.chain(of.declares.iter().map(String::as_str));
    let missing: Vec<&str> = wanted.filter(|name| !names.contains(name)).collect();
    (!missing.is_empty()).then(|| format!("{missing:?} missing of {names:?}"))
}

/// A construct costs nothing of what stands around it, whether it is read or not.
#[test]
fn what_stands_around_a_construct_is_declared() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/syntax-coverage.md");
    let page = std::fs::read_to_string(path).unwrap();
    let all: Vec<String> = constructs(&page)
        .iter()
        .filter_map(|of| Some(format!("{} {}: {}", of.language, of.title, lost(of)?)))
        .collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
}
