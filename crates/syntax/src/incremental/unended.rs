//! Strings and comments that do not end where an excerpt does, but may in the rest of the text.

use std::ops::Range;

use tree_sitter::{Node, Tree};

const QUOTES: [u8; 3] = *b"\"'`";

/// Whether an edited place is at the border of a comment: how far that goes depends on what follows.
pub(super) fn is_at_comment(text: &str, edited: Range<usize>) -> bool {
    let start = edited.start.saturating_sub(1);
    let end = (edited.end + 1).min(text.len());
    let bytes = &text.as_bytes()[start..end];
    bytes.windows(2).any(|two| two == b"/*" || two == b"*/")
}

/// Whether something that the parser made nothing of could be the beginning of a string or a comment.
pub(super) fn has_unended(text: &str, tree: &Tree) -> bool {
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if (node.is_error() || node.is_missing()) && is_unended(text, node) {
            return true;
        }
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
        }
    }
}

/// Looks at the tokens of an error, and at what is between them and is none.
fn is_unended(text: &str, error: Node<'_>) -> bool {
    if error.is_missing() {
        return error.kind().bytes().any(|byte| QUOTES.contains(&byte));
    }
    let bytes = text.as_bytes();
    // The first half of what begins a comment may be an operator before it.
    let behind = |end: usize| end - usize::from(end > 0 && bytes[end - 1] == b'/');
    let mut at = behind(error.start_byte());
    for child in error.children(&mut error.walk()) {
        let (start, end) = (child.start_byte(), child.end_byte());
        let is_token = child.child_count() == 0;
        if begins_text(&bytes[at.min(start)..start]) || is_token && begins_text(&bytes[start..end])
        {
            return true;
        }
        at = behind(end);
    }
    let end = error.end_byte() + 1;
    begins_text(&bytes[at..end.min(bytes.len())])
}

/// Whether there is a quote in a token, or in what is none, that another one would have to follow.
fn begins_text(token: &[u8]) -> bool {
    if token.windows(2).any(|two| two == b"/*") {
        return true;
    }
    let Some(first) = token.iter().position(|byte| QUOTES.contains(byte)) else {
        return false;
    };
    let rest = &token[first..];
    let is_empty = rest.len() == 2 && rest[0] == rest[1];
    let is_quotes = rest.iter().all(|byte| QUOTES.contains(byte));
    let is_closed = !is_quotes && rest.last().is_some_and(|byte| QUOTES.contains(byte));
    !is_empty && !is_closed
}
