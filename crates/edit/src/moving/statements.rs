//! Statements at the top of a file: where a new import goes, and how a file writes its lines.

use std::ops::Range;

use tree_sitter::{Node, Tree};

use crate::tree::{children, is_comment, text_of};

/// The line end that a text uses.
pub(crate) fn line_end(text: &str) -> &'static str {
    match text.contains("\r\n") {
        true => "\r\n",
        false => "\n",
    }
}

/// The node of a kind around a node, so many steps away at most.
pub(crate) fn around<'t>(node: Node<'t>, kinds: &[&str], steps: usize) -> Option<Node<'t>> {
    let mut next = Some(node);
    for _ in 0..=steps {
        let node = next?;
        if kinds.contains(&node.kind()) {
            return Some(node);
        }
        next = node.parent();
    }
    None
}

/// The statements of these kinds at the top of a file.
pub(crate) fn top_level<'t>(tree: &'t Tree, kinds: &[&str]) -> Vec<Node<'t>> {
    let all = children(tree.root_node()).into_iter();
    all.filter(|node| kinds.contains(&node.kind())).collect()
}

/// Where a new import goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ImportPlace {
    /// Behind a statement that ends there.
    Behind(u32),
    /// At the beginning of a line that has something else.
    Before(u32),
}

/// Where a new import goes in a file: behind the last import that stays, or at the top of its code.
pub(crate) fn import_place(
    tree: &Tree,
    text: &str,
    kinds: &[&str],
    removed: &[Range<u32>],
) -> ImportPlace {
    let is_removed = |node: &Node<'_>| {
        let start = node.start_byte() as u32;
        removed.iter().any(|range| range.contains(&start))
    };
    // Imports behind the first declaration stand there for a reason.
    let all = children(tree.root_node()).into_iter();
    let is_definition = |node: &Node<'_>| {
        matches!(
            node.kind(),
            "class_definition" | "function_definition" | "decorated_definition"
        )
    };
    let imports: Vec<Node<'_>> = all
        .take_while(|node| !is_definition(node))
        .filter(|node| kinds.contains(&node.kind()))
        .collect();
    if let Some(last) = imports.iter().rev().find(|node| !is_removed(node)) {
        // A sign behind the statement belongs to it.
        let end = last.end_byte();
        let sign = text.get(end..).is_some_and(|rest| rest.starts_with(';'));
        return ImportPlace::Behind(end as u32 + u32::from(sign));
    }
    if let Some(first) = imports.first() {
        return ImportPlace::Before(first.start_byte() as u32);
    }
    let at = code_start(tree, text);
    // A stretch that goes away begins before what is put in its place.
    let around = removed.iter().find(|range| range.contains(&at));
    ImportPlace::Before(around.map_or(at, |range| range.start))
}

/// The first byte of a file's code: behind a licence, a documentation string and directives.
pub(crate) fn code_start(tree: &Tree, text: &str) -> u32 {
    let all = children(tree.root_node());
    let mut start = 0;
    for (index, node) in all.iter().enumerate() {
        let next = all
            .get(index + 1)
            .map_or(text.len(), |next| next.start_byte());
        let gap = text.get(node.end_byte()..next).unwrap_or_default();
        let lines = gap.matches('\n').count() + usize::from(text_of(*node, text).ends_with('\n'));
        let written = text_of(*node, text);
        let is_directive =
            node.kind() == "expression_statement" && written.starts_with(['"', '\'']);
        let is_header = is_comment(*node) && (lines > 1 || written.starts_with("#!"));
        let is_joined = is_comment(*node)
            && all.get(index + 1).is_some_and(|next| {
                is_comment(*next)
                    || next.kind() == "expression_statement"
                        && text_of(*next, text).starts_with(['"', '\''])
            });
        if !(is_directive || is_header || is_joined || node.kind() == "hash_bang_line") {
            break;
        }
        start = next as u32;
    }
    start
}
