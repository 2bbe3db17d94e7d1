//! Languages whose blocks end with a word: what is still open at a place in a text.
//!
//! `error_recovery` knows brackets; here words count too, told from other words by the grammar's tokens and by
//! where on their line they stand, because of half-typed code there is no better tree.

use tree_sitter::{Node, Tree};

use crate::spec::{Blocks, Spec};

/// What closes what is open before `limit`, the outermost first. `None` in languages without such
/// blocks.
pub(crate) fn open_blocks<'s>(
    spec: &'s Spec,
    text: &str,
    tree: &Tree,
    limit: usize,
) -> Option<Vec<&'s str>> {
    let blocks = spec.blocks.as_ref()?;
    let mut open: Vec<&str> = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let is_text = ["comment", "string", "regex", "heredoc"]
            .iter()
            .any(|word| node.kind().contains(word));
        if node.start_byte() >= limit {
            return Some(open);
        }
        if !is_text && cursor.goto_first_child() {
            continue;
        }
        if !is_text && !node.is_named() {
            token(blocks, text, node, &mut open);
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Some(open);
            }
        }
    }
}

fn token<'s>(blocks: &'s Blocks, text: &str, node: Node<'_>, open: &mut Vec<&'s str>) {
    let word = node.kind();
    let closer = match word {
        "(" => Some(")"),
        "[" => Some("]"),
        "{" => Some("}"),
        _ if opens(blocks, text, node) => Some(blocks.end.as_str()),
        _ => None,
    };
    match closer {
        Some(closer) => open.push(closer),
        // It also ends the brackets that were left open in it.
        None if word == blocks.end || matches!(word, ")" | "]" | "}") => {
            if let Some(at) = open.iter().rposition(|closer| *closer == word) {
                open.truncate(at);
            }
        }
        None => {}
    }
}

/// Whether a word opens a block where it stands.
fn opens(blocks: &Blocks, text: &str, node: Node<'_>) -> bool {
    let word = node.kind();
    let has = |list: &[String]| list.iter().any(|other| other == word);
    let start =
        memchr::memrchr(b'\n', &text.as_bytes()[..node.start_byte()]).map_or(0, |at| at + 1);
    let before = text.get(start..node.start_byte()).unwrap_or("").trim();
    if has(&blocks.first) {
        return before.is_empty() || before.ends_with('=');
    }
    if !has(&blocks.opens) {
        return false;
    }
    let first = before.split_whitespace().next().unwrap_or("");
    if word == blocks.of_loops && blocks.loops.iter().any(|word| word == first) {
        return false;
    }
    !(has(&blocks.may_be_values) && has_value(text, node.end_byte()))
}

/// Whether `=` stands in the rest of a line, outside of brackets.
fn has_value(text: &str, from: usize) -> bool {
    let line = text.get(from..).and_then(|rest| rest.lines().next());
    let mut depth = 0_usize;
    let mut words = String::new();
    for letter in line.unwrap_or("").chars() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            letter if depth == 0 => words.push(letter),
            _ => {}
        }
    }
    words.contains(" = ")
}
