//! Trees of texts, for questions about the form of a declaration.

use std::ops::Range;

use codecortex_syntax::language::detect;
use codecortex_syntax::{as_parsed, parse};
use tree_sitter::{Node, Tree};

/// The tree of a text; `path` serves for its ending alone. Nothing where no grammar reads it.
pub(super) fn tree_of(path: &str, text: &str) -> Option<Tree> {
    let language = detect(path, text)?;
    parse(language, &as_parsed(language, text), None)
}

/// The bytes of a node.
pub(super) fn range_of(node: Node<'_>) -> Range<u32> {
    node.start_byte() as u32..node.end_byte() as u32
}

/// Whether a node is a comment.
pub(super) fn is_comment(node: Node<'_>) -> bool {
    node.kind().contains("comment")
}

/// Whether a code begins with a comment.
pub(super) fn begins_with_comment(path: &str, code: &str) -> bool {
    let tree = tree_of(path, code);
    let first = tree.as_ref().and_then(|tree| tree.root_node().child(0));
    first.is_some_and(is_comment)
}

/// The outermost nodes of a range at its begin and at its end: one and the same, unless attributes stand beside what they
/// are of. No block counts that holds nothing else.
pub(super) fn ends_of<'t>(tree: &'t Tree, range: &Range<u32>) -> Option<(Node<'t>, Node<'t>)> {
    let (start, end) = (range.start as usize, range.end as usize);
    let root = tree.root_node();
    let within = |node: &Node<'_>| node.start_byte() >= start && node.end_byte() <= end;
    let outermost = |mut node: Node<'t>| {
        while let Some(parent) = node.parent()
            && within(&parent)
            && parent.kind() != "block"
            && parent.parent().is_some()
        {
            node = parent;
        }
        within(&node).then_some(node)
    };
    let first = outermost(root.descendant_for_byte_range(start, start + 1)?)?;
    let last = outermost(root.descendant_for_byte_range(end.checked_sub(1)?, end)?)?;
    (first.start_byte() == start && last.end_byte() == end).then_some((first, last))
}

/// The body of the declaration whose name is at a byte.
pub(super) fn body_at(path: &str, text: &str, name: u32) -> Option<Range<u32>> {
    let tree = tree_of(path, text)?;
    body_of_name(&tree, name).map(range_of)
}

/// The body of the innermost declaration around a name that has one behind the name.
pub(super) fn body_of_name(tree: &Tree, name: u32) -> Option<Node<'_>> {
    let at = name as usize;
    let mut node = tree.root_node().descendant_for_byte_range(at, at + 1)?;
    loop {
        if let Some(body) = own_body(node).filter(|body| body.start_byte() > at) {
            return Some(body);
        }
        // A name in a body is no name of what the body is of.
        let parent = node.parent()?;
        if own_body(parent).is_some_and(|body| body.byte_range().contains(&at)) {
            return None;
        }
        node = parent;
    }
}

/// The body of a node: its own, or that of the function that it gives a name to.
fn own_body(node: Node<'_>) -> Option<Node<'_>> {
    if let Some(body) = node.child_by_field_name("body") {
        return Some(body);
    }
    let value = node.child_by_field_name("value")?;
    let is_function = value.kind().contains("function") || value.kind().contains("closure");
    is_function
        .then(|| value.child_by_field_name("body"))
        .flatten()
}

/// First bytes of the lines of a code that begin within a string, which indentation would change.
pub(crate) fn lines_in_strings(path: &str, code: &str) -> Vec<u32> {
    let Some(tree) = tree_of(path, code) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut next = vec![tree.root_node()];
    while let Some(node) = next.pop() {
        let kind = node.kind();
        let is_string =
            kind.contains("string") || kind.contains("heredoc") || kind.contains("char");
        if is_string && node.end_position().row > node.start_position().row {
            let range = node.byte_range();
            let text = code.get(range.clone()).unwrap_or_default();
            let breaks = text.match_indices('\n').map(|(at, _)| range.start + at + 1);
            found.extend(breaks.map(|at| at as u32));
            continue;
        }
        let mut cursor = node.walk();
        next.extend(
            node.children(&mut cursor)
                .filter(|child| child.end_position().row > child.start_position().row),
        );
    }
    found.sort_unstable();
    found
}
