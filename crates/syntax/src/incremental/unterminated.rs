//! What does not end in an excerpt, but may in the rest of the text: strings, comments, pairs of brackets of which the
//! parser would leave out one, and lists.

use std::ops::Range;

use tree_sitter::{Node, Tree, TreeCursor};

use crate::Language;
use crate::spec::Spec;

const CLOSERS: [&str; 3] = [")", "]", "}"];
const QUOTES: [u8; 3] = *b"\"'`";
/// More quotes than an empty string has.
const RUN: usize = 3;

/// Whether a place is at the border of a comment: how far that goes depends on what follows.
pub(super) fn is_at_comment(text: &str, place: Range<usize>) -> bool {
    let start = place.start.saturating_sub(1);
    let end = (place.end + 1).min(text.len());
    let bytes = &text.as_bytes()[start..end];
    bytes.windows(2).any(|two| two == b"/*" || two == b"*/")
}

/// Whether an edit is at the border of what was a comment over several lines: `tree` was told of it.
pub(super) fn cuts_comment(spec: &Spec, text: &str, tree: &Tree, edited: Range<usize>) -> bool {
    let mut cursor = tree.walk();
    while cursor.goto_first_child_for_byte(edited.start).is_some() {
        let node = cursor.node();
        if !spec.is_comment(node.kind_id()) {
            continue;
        }
        let (start, end) = (node.start_byte(), node.end_byte());
        let is_line = || text.get(start..start + 2).is_some_and(|two| two == "//");
        let is_behind = start + 2 <= edited.start;
        return start <= edited.end && !(is_behind && (edited.end + 2 <= end || is_line()));
    }
    false
}

/// Whether a comment begins in an edit. It may end a statement, which the parser does not see where it takes over what
/// stood on both sides of it: in Python's `a,# b` before a line that begins with blanks.
pub(super) fn begins_comment(spec: &Spec, tree: &Tree, edited: Range<usize>) -> bool {
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if edited.contains(&node.start_byte()) && spec.is_comment(node.kind_id()) {
            return true;
        }
        let is_around = node.start_byte() < edited.end && edited.start < node.end_byte();
        if is_around && cursor.goto_first_child() {
            continue;
        }
        while has_no_next(&mut cursor, edited.end) {
            if !cursor.goto_parent() {
                return false;
            }
        }
    }
}

/// Goes to the next node beside, if there is one before a place. Whether there is none.
fn has_no_next(cursor: &mut TreeCursor<'_>, end: usize) -> bool {
    cursor.node().start_byte() >= end || !cursor.goto_next_sibling()
}

/// Whether something that the parser made nothing of could be the beginning of a string or a comment.
pub(super) fn has_unterminated(text: &str, tree: &Tree) -> bool {
    any_wrong(tree, |node| is_unterminated(text, node))
}

/// Whether the parser could make something else of what it made nothing of, such as leave out a bracket instead: what
/// that costs it depends on how much follows.
pub(super) fn may_be_other(language: Language, text: &str, tree: &Tree) -> bool {
    any_wrong(tree, |node| {
        parts_brackets(text, node) || begins_member(language, text, node) || parts_list(node)
    })
}

/// Whether any error, or token that was put in, is such.
fn any_wrong(tree: &Tree, is_such: impl Fn(Node<'_>) -> bool) -> bool {
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if (node.is_error() || node.is_missing()) && is_such(node) {
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

/// Whether a bracket closes right behind an error, one that is in it has no other there, or it is one that was put in:
/// it depends on what follows whether that or to leave out the other one costs less.
fn parts_brackets(text: &str, error: Node<'_>) -> bool {
    if error.is_missing() && CLOSERS.contains(&error.kind()) {
        return true;
    }
    let behind = text.as_bytes()[error.end_byte()..].trim_ascii_start();
    if matches!(behind.first(), Some(b')' | b']' | b'}')) {
        return true;
    }
    let mut open = 0;
    for child in error.children(&mut error.walk()) {
        match child.kind() {
            "(" | "[" | "{" => open += 1,
            kind if CLOSERS.contains(&kind) => open -= 1,
            _ => {}
        }
        if open < 0 {
            return true;
        }
    }
    open > 0
}

/// Whether a block begins right behind an error, in a language in which what stands before it may be the head of a
/// member: of `ixf (a) { … }` in a block in a method the parser makes a constructor, where enough follows of which it
/// makes members too.
fn begins_member(language: Language, text: &str, error: Node<'_>) -> bool {
    let behind = text.as_bytes()[error.end_byte()..].trim_ascii_start();
    matches!(language, Language::CSharp | Language::Java) && behind.starts_with(b"{")
}

/// Whether an error is in a list: that may end before it, and what follows be something else up to the next bracket
/// that closes. Where Go misses a comma between lines, it ended a function far below.
fn parts_list(error: Node<'_>) -> bool {
    let Some(list) = error.parent() else {
        return false;
    };
    list.children(&mut list.walk())
        .any(|child| child.kind() == ",")
}

/// Looks at the tokens of an error, and at what is between them and is none.
fn is_unterminated(text: &str, error: Node<'_>) -> bool {
    if error.is_missing() {
        return error.kind().bytes().any(|byte| QUOTES.contains(&byte));
    }
    if has_run_of_quotes(text, error.byte_range()) {
        return true;
    }
    let mut at = error.start_byte();
    for child in error.children(&mut error.walk()) {
        let (start, end) = (child.start_byte(), child.end_byte());
        let is_token = child.child_count() == 0;
        if begins_text(text, at..start) || is_token && begins_text(text, start..end) {
            return true;
        }
        at = end;
    }
    begins_text(text, at..error.end_byte())
}

/// Whether three quotes follow each other in a stretch or at its borders: at an error a scanner may begin a string at
/// any of them, which ends at the next quote of the text, however far that is.
fn has_run_of_quotes(text: &str, stretch: Range<usize>) -> bool {
    let start = stretch.start.saturating_sub(RUN - 1);
    let end = (stretch.end + RUN - 1).min(text.len());
    let mut runs = text.as_bytes()[start..end].windows(RUN);
    runs.any(|run| QUOTES.contains(&run[0]) && run.iter().all(|byte| *byte == run[0]))
}

/// Whether there is a quote in a token, or in what is none, that another one would have to follow, or half of what
/// begins a comment.
fn begins_text(text: &str, token: Range<usize>) -> bool {
    if token.is_empty() {
        return false;
    }
    if is_at_comment(text, token.clone()) {
        return true;
    }
    let token = &text.as_bytes()[token];
    let Some(first) = token.iter().position(|byte| QUOTES.contains(byte)) else {
        return false;
    };
    let rest = &token[first..];
    let is_empty = rest.len() == 2 && rest[0] == rest[1];
    let is_quotes = rest.iter().all(|byte| QUOTES.contains(byte));
    let is_closed = !is_quotes && rest.last().is_some_and(|byte| QUOTES.contains(byte));
    !is_empty && !is_closed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[test]
    fn what_may_be_a_string_or_a_comment_without_its_end_is_seen() {
        for (text, expected) in [
            ("function f() { ixf (a == \"b\" && c) { d(); } }", false),
            ("function f() { return a +; b(); }", false),
            ("function f() { return a + }", true),
            ("function f() { g(\"); }", true),
            ("function f() { g(`); }", true),
            ("function f() { g(a /* b); }", true),
            ("function f() { return \"\"\"a\" +; }", true),
        ] {
            let tree = parse(Language::TypeScript, text, None).unwrap();
            assert!(tree.root_node().has_error(), "{text}");
            let has =
                has_unterminated(text, &tree) || may_be_other(Language::TypeScript, text, &tree);
            assert_eq!(has, expected, "{text} {}", tree.root_node().to_sexp());
        }
        for (place, expected) in [(1..2, false), (2..3, false), (3..4, true), (4..5, true)] {
            assert_eq!(
                is_at_comment("ab /* c", place.clone()),
                expected,
                "{place:?}"
            );
        }
    }
}
