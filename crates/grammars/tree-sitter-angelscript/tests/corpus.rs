//! `test/corpus/*.txt` in the format of tree-sitter's own tool: a title between lines of `=`, a text, a line of `-`, the
//! tree. `UPDATE_EXPECT=1` writes the trees; read every line of them.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "tests read files, and say how many cases there were"
)]

use std::fmt::Write as _;
use std::path::Path;

use tree_sitter::{Node, Parser};

struct Case {
    title: String,
    text: String,
    tree: String,
}

#[test]
fn trees_are_as_the_corpus_has_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("test/corpus");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let mut count = 0;
    for path in files {
        let written = std::fs::read_to_string(&path).unwrap();
        let mut cases = cases(&written);
        count += cases.len();
        let mut wrong = String::new();
        for case in &mut cases {
            let tree = tree_of(&case.text);
            if tree.trim() != case.tree.trim() {
                writeln!(
                    wrong,
                    "{}\n{tree}instead of\n{}",
                    case.title,
                    case.tree.trim()
                )
                .unwrap();
                case.tree = tree;
            }
        }
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&path, all(&cases)).unwrap();
            continue;
        }
        assert!(wrong.is_empty(), "{}: {wrong}", path.display());
    }
    println!("{count} trees");
    assert!(count >= 60, "{count} trees");
}

/// Whatever is in the corpus is language that shipped, but for what a title says is broken.
#[test]
fn nothing_but_what_is_broken_has_errors() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("test/corpus");
    for entry in std::fs::read_dir(folder).unwrap() {
        let written = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        for case in cases(&written) {
            let tree = tree_of(&case.text);
            let has_errors = tree.contains("ERROR") || tree.contains("MISSING");
            let is_broken = case.title.starts_with("broken");
            assert!(is_broken || !has_errors, "{}", case.title);
        }
    }
}

#[test]
fn queries_fit_the_grammar() {
    let language = tree_sitter_angelscript::LANGUAGE.into();
    for query in [
        tree_sitter_angelscript::HIGHLIGHTS_QUERY,
        tree_sitter_angelscript::TAGS_QUERY,
    ] {
        tree_sitter::Query::new(&language, query).unwrap();
    }
}

fn cases(text: &str) -> Vec<Case> {
    let is_rule = |line: &str, of: char| line.len() >= 3 && line.chars().all(|c| c == of);
    let mut cases: Vec<Case> = Vec::new();
    let mut lines = text.lines();
    let mut in_tree = false;
    while let Some(line) = lines.next() {
        if is_rule(line, '=') {
            let title = lines.next().unwrap().to_owned();
            lines.next();
            in_tree = false;
            cases.push(Case {
                title,
                text: String::new(),
                tree: String::new(),
            });
        } else if is_rule(line, '-') {
            in_tree = true;
        } else if let Some(case) = cases.last_mut() {
            let part = if in_tree {
                &mut case.tree
            } else {
                &mut case.text
            };
            part.push_str(line);
            part.push('\n');
        }
    }
    cases
}

fn all(cases: &[Case]) -> String {
    let rule = "=".repeat(80);
    let line = "-".repeat(80);
    let mut out = String::new();
    for case in cases {
        let (title, text, tree) = (&case.title, case.text.trim(), case.tree.trim_end());
        writeln!(
            out,
            "{rule}\n{title}\n{rule}\n\n{text}\n\n{line}\n\n{tree}\n"
        )
        .unwrap();
    }
    out
}

fn tree_of(text: &str) -> String {
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_angelscript::LANGUAGE.into())
        .unwrap();
    let tree = parser.parse(text.trim(), None).unwrap();
    let mut out = String::new();
    write_node(tree.root_node(), 0, None, &mut out);
    out.push('\n');
    out
}

fn write_node(node: Node<'_>, depth: usize, field: Option<&str>, out: &mut String) {
    if depth > 0 {
        out.push('\n');
    }
    out.push_str(&"  ".repeat(depth));
    if let Some(field) = field {
        write!(out, "{field}: ").unwrap();
    }
    let word = if node.is_missing() { "MISSING " } else { "" };
    write!(out, "({word}{}", node.kind()).unwrap();
    let mut cursor = node.walk();
    let mut more = cursor.goto_first_child();
    while more {
        let child = cursor.node();
        if child.is_named() || child.is_missing() {
            write_node(child, depth + 1, cursor.field_name(), out);
        }
        more = cursor.goto_next_sibling();
    }
    out.push(')');
}
