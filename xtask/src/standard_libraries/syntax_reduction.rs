//! Takes bodies and what is not public out of sources, by their syntax trees.

use std::borrow::Cow;

use anyhow::{Context, Result};
use codecortex_syntax::{Language, parse};
use tree_sitter::{Node, Tree};

/// What becomes of a node.
pub(super) enum Reduction {
    /// It stays as it is, save what becomes of its parts.
    Parts,
    /// It goes.
    Nothing,
    /// Another text stands in its place.
    Text(Cow<'static, str>),
}

/// Parses a text that is whole.
pub(super) fn parsed(language: Language, path: &str, text: &str) -> Result<Tree> {
    parse(language, text, None).with_context(|| format!("{path} is not parsed"))
}

/// The lines with syntax errors, as far as they are few.
pub(super) fn broken_lines(tree: &Tree, text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut waiting = vec![tree.root_node()];
    while let Some(node) = waiting.pop().filter(|_| lines.len() < 20) {
        if node.is_error() || node.is_missing() {
            let row = node.start_position().row;
            lines.push(format!(
                "{}: {}",
                row + 1,
                text.lines().nth(row).unwrap_or_default().trim()
            ));
        } else if node.has_error() {
            waiting.extend(
                (0..node.child_count())
                    .rev()
                    .filter_map(|index| node.child(index)),
            );
        }
    }
    lines
}

/// The children of a node that have names.
pub(super) fn named_children(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    (0..node.named_child_count())
        .filter_map(move |index| node.named_child(u32::try_from(index).ok()?))
}

/// A node's text.
pub(super) fn text_of<'t>(node: Node<'_>, text: &'t str) -> &'t str {
    text.get(node.byte_range()).unwrap_or_default()
}

/// The text of a field of a node, empty without one.
pub(super) fn field_text<'t>(node: Node<'_>, field: &str, text: &'t str) -> &'t str {
    node.child_by_field_name(field)
        .map_or("", |child| text_of(child, text))
}

/// A node's text without what goes.
pub(super) fn reduced<'n>(
    node: Node<'n>,
    text: &str,
    reduction: &mut dyn FnMut(Node<'n>) -> Reduction,
) -> String {
    let mut kept = String::new();
    let mut at = node.start_byte();
    let mut waiting = vec![node];
    while let Some(node) = waiting.pop() {
        let replacement = match reduction(node) {
            Reduction::Parts => {
                waiting.extend(
                    (0..node.child_count())
                        .rev()
                        .filter_map(|index| node.child(index)),
                );
                continue;
            }
            Reduction::Nothing => Cow::Borrowed(""),
            Reduction::Text(replacement) => replacement,
        };
        kept.push_str(text.get(at..node.start_byte()).unwrap_or_default());
        if replacement == ";" {
            kept.truncate(kept.trim_end_matches(' ').len());
        }
        kept.push_str(&replacement);
        at = node.end_byte();
        if replacement.is_empty() && kept.ends_with([' ', '\n', '(']) {
            let rest = text.get(at..).unwrap_or_default();
            at += rest.len() - rest.trim_start_matches(' ').len();
        }
    }
    kept.push_str(text.get(at..node.end_byte()).unwrap_or_default());
    kept
}

/// Without empty lines and blanks at the ends of lines.
pub(super) fn tidied(text: &str) -> String {
    let lines = text
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty());
    lines.flat_map(|line| [line, "\n"]).collect()
}
