//! Trees of texts, for questions about the form of code at a place.

use codecortex_syntax::language::detect;
use codecortex_syntax::{as_parsed, parse};
use tree_sitter::{Node, Tree};

use crate::refusal::{Refusal, RefusalKind};

/// The tree of a text; `path` serves for its ending alone. Nothing where no grammar reads it.
pub(crate) fn tree_of(path: &str, text: &str) -> Option<Tree> {
    let language = detect(path, text)?;
    parse(language, &as_parsed(language, text), None)
}

/// The same, or a refusal.
pub(crate) fn need_tree(path: &str, text: &str) -> Result<Tree, Refusal> {
    tree_of(path, text).ok_or_else(|| {
        let message = format!("{path} cannot be read as code.");
        Refusal::new(RefusalKind::Unsure, message)
    })
}

/// The innermost node that has a byte.
pub(crate) fn leaf_at(tree: &Tree, at: u32) -> Option<Node<'_>> {
    let at = at as usize;
    tree.root_node().descendant_for_byte_range(at, at + 1)
}

/// The text of a node.
pub(crate) fn text_of<'t>(node: Node<'_>, text: &'t str) -> &'t str {
    text.get(node.byte_range()).unwrap_or_default()
}

/// The bytes of a node.
pub(crate) fn range_of(node: Node<'_>) -> std::ops::Range<u32> {
    node.start_byte() as u32..node.end_byte() as u32
}

/// The children of a node.
pub(crate) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).collect()
}

/// Whether a node is a comment.
pub(crate) fn is_comment(node: Node<'_>) -> bool {
    node.kind().contains("comment")
}

/// Every node of a tree below one, that one first, in source order. Nothing below a node is visited that `enters` turns
/// away.
pub(crate) fn descendants<'t>(
    node: Node<'t>,
    mut enters: impl FnMut(Node<'t>) -> bool,
) -> Vec<Node<'t>> {
    let mut found = Vec::new();
    let mut next = vec![node];
    while let Some(node) = next.pop() {
        found.push(node);
        if enters(node) {
            next.extend(children(node).into_iter().rev());
        }
    }
    found
}

/// The places of a text that its grammar does not read.
pub(crate) fn syntax_errors(path: &str, text: &str) -> Vec<u32> {
    let Some(tree) = tree_of(path, text) else {
        return vec![0];
    };
    let root = tree.root_node();
    let all = descendants(root, |node| node.has_error());
    let wrong = all
        .into_iter()
        .filter(|node| node.is_error() || node.is_missing());
    wrong.map(|node| node.start_byte() as u32).collect()
}

/// A stretch of a text that its grammar does not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadCode {
    /// Its bytes; empty where something is missing.
    pub bytes: std::ops::Range<u32>,
    /// What the grammar misses there, as it calls it.
    pub missing: Option<String>,
}

/// The outermost stretches of a text that its grammar does not read, in its order. `path` serves for its ending alone;
/// nothing is told of a text that no grammar reads.
#[must_use]
pub fn unread_code(path: &str, text: &str) -> Vec<UnreadCode> {
    let Some(tree) = tree_of(path, text) else {
        return Vec::new();
    };
    let enters = |node: Node<'_>| node.has_error() && !node.is_error();
    let all = descendants(tree.root_node(), enters).into_iter();
    let wrong = all.filter(|node| node.is_error() || node.is_missing());
    let told = wrong.map(|node| UnreadCode {
        bytes: range_of(node),
        missing: node.is_missing().then(|| node.kind().to_owned()),
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unread(path: &str, text: &str) -> Vec<(String, Option<String>)> {
        let all = unread_code(path, text).into_iter();
        all.map(|unread| {
            let bytes = unread.bytes.start as usize..unread.bytes.end as usize;
            (text[bytes].to_owned(), unread.missing)
        })
        .collect()
    }

    #[test]
    fn what_a_grammar_does_not_read_is_told_with_what_is_missing() {
        assert_eq!(unread("a.py", "x = 1\n"), []);
        let missing = [(String::new(), Some(")".to_owned()))];
        assert_eq!(unread("a.ts", "const a = (1;\nconst b = 2;\n"), missing);
        let wrong = unread("a.py", "x = 1\ny = = 2\n");
        assert!(
            wrong
                .iter()
                .all(|(text, missing)| text.contains('=') && missing.is_none())
        );
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        // No grammar reads it.
        assert_eq!(unread("a.unknown", "((("), []);
    }

    #[test]
    fn an_error_is_told_once_whatever_is_in_it() {
        let text = "fn a() { let = ; }\nfn b() { ) ( ] }\n";
        let found = unread_code("a.rs", text);
        assert!(!found.is_empty());
        for pair in found.windows(2) {
            assert!(pair[0].bytes.end <= pair[1].bytes.start, "{found:?}");
        }
        let lines = found
            .iter()
            .map(|unread| text[..unread.bytes.start as usize].matches('\n').count());
        let lines: std::collections::BTreeSet<usize> = lines.collect();
        assert_eq!(lines, std::collections::BTreeSet::from([0, 1]));
    }
}
