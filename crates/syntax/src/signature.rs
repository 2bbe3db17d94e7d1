//! A declaration as the language writes it, on one line and without what is inside it.

use std::ops::Range;

use tree_sitter::Node;

use crate::spec::NodeRule;
use crate::walk::Walk;
use crate::{Language, comment_runs, preprocess};

/// Longer signatures are cut; the source has the rest.
const MAX_SIGNATURE: usize = 400;
/// Initial values longer than this say more about the implementation than about the interface.
const MAX_VALUE: usize = 60;

/// A composed signature.
pub(crate) struct Signature {
    /// The whole of it.
    pub(crate) text: String,
    /// What stands before the name: modifiers and types.
    pub(crate) words: String,
}

impl Signature {
    /// Joins nodes side by side.
    pub(crate) fn of_children<'t>(walk: &Walk<'t>, children: Vec<Node<'t>>) -> String {
        let mut parts = Vec::new();
        for child in children {
            push(walk, child, &mut parts);
        }
        finish(join(walk.text, &parts), false)
    }

    /// Joins what stands before the current node in its wrappers, and ranges of the node.
    pub(crate) fn of_parts<'t>(
        walk: &Walk<'t>,
        node: Node<'t>,
        children: impl Iterator<Item = Node<'t>>,
    ) -> String {
        let wrappers = walk.wrappers_of();
        let mut parts = Vec::new();
        for (index, wrapper) in wrappers.iter().enumerate() {
            let inner = wrappers.get(index + 1).copied().unwrap_or(node);
            wrapper_parts(walk, *wrapper, inner, &mut parts);
        }
        for child in children {
            push(walk, child, &mut parts);
        }
        finish(join(walk.text, &parts), false)
    }

    /// Joins the parts of `wrappers` and `node` that belong to the signature.
    pub(crate) fn compose<'t>(
        walk: &Walk<'t>,
        wrappers: &[Node<'t>],
        node: Node<'t>,
        rule: &NodeRule,
        name_start: usize,
    ) -> Self {
        let mut parts = Vec::new();
        for (index, wrapper) in wrappers.iter().enumerate() {
            let inner = wrappers.get(index + 1).copied().unwrap_or(node);
            wrapper_parts(walk, *wrapper, inner, &mut parts);
        }
        let shortened = node_parts(walk, node, rule, &mut parts);
        let text = join(walk.text, &parts);
        let before: Vec<_> = parts
            .into_iter()
            .take_while(|part| part.end <= name_start)
            .collect();
        Self {
            words: join(walk.text, &before),
            text: finish(text, shortened),
        }
    }
}

/// The signature that `parts` of a node make, behind the words of its wrappers.
pub(crate) fn of_parts<'t>(
    walk: &Walk<'t>,
    wrappers: &[Node<'t>],
    node: Node<'t>,
    parts: Vec<Range<usize>>,
    shortened: bool,
) -> String {
    let mut all = Vec::new();
    for (index, wrapper) in wrappers.iter().enumerate() {
        let inner = wrappers.get(index + 1).copied().unwrap_or(node);
        wrapper_parts(walk, *wrapper, inner, &mut all);
    }
    all.extend(parts);
    finish(join(walk.text, &all), shortened)
}

/// A wrapper's own words: what stands before the item in it.
fn wrapper_parts<'t>(
    walk: &Walk<'t>,
    wrapper: Node<'t>,
    inner: Node<'t>,
    parts: &mut Vec<Range<usize>>,
) {
    let mut cursor = wrapper.walk();
    for child in wrapper.children(&mut cursor) {
        if child.kind_id() == inner.kind_id() {
            return;
        }
        if walk.source(child) == "(" {
            return; // the items of a group: Go's `type ( … )`
        }
        push(walk, child, parts);
    }
}

/// A node's parts up to its body. Whether a value was left out.
fn node_parts<'t>(
    walk: &Walk<'t>,
    node: Node<'t>,
    rule: &NodeRule,
    parts: &mut Vec<Range<usize>>,
) -> bool {
    if node.child_count() == 0 {
        parts.push(node.byte_range());
        return false;
    }
    let bodies = rule.body.iter();
    let bodies = bodies.filter_map(|selector| walk.select(node, *selector));
    let mut stop = bodies.map(|body| body.start_byte()).min();
    let mut shortened = false;
    if let Some(end) = walk.head_of_value(node, rule) {
        stop = stop.into_iter().chain([end]).min();
    } else if let Some(value) = rule.value.and_then(|value| walk.select(node, value))
        && stop.is_none_or(|stop| value.start_byte() < stop)
        && !is_short(walk.source(value))
    {
        stop = Some(value.start_byte());
        shortened = true;
    }
    let stop = stop.unwrap_or(usize::MAX);
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        if child.start_byte() >= stop {
            break;
        }
        // Between two heads before one body it is a directive that stands there in the text.
        if walk.spec.language == Language::CSharp && walk.source(child) == "#" {
            continue;
        }
        push(walk, child, parts);
    }
    // What ends the signature may stand deeper than its parts do.
    while let Some(last) = parts.last_mut().filter(|last| last.end > stop) {
        last.end = stop;
        if last.start >= stop {
            parts.pop();
        }
    }
    shortened
}

/// Adds a child's range without the attributes and comments in it: they hide among modifiers and
/// parameters.
pub(crate) fn push<'t>(walk: &Walk<'t>, child: Node<'t>, parts: &mut Vec<Range<usize>>) {
    let range = child.byte_range();
    let source = walk.text.as_bytes().get(range.clone()).unwrap_or(&[]);
    if !walk.spec.may_hide(source) {
        parts.push(range);
        return;
    }
    let mut hidden = hidden_in(walk, child);
    if matches!(walk.spec.language, Language::C | Language::Cpp) {
        let unread = preprocess::conditions(walk.source(child));
        hidden.extend(
            unread
                .iter()
                .map(|part| range.start + part.start..range.start + part.end),
        );
        hidden.sort_by_key(|hidden| hidden.start);
    }
    let mut start = range.start;
    for hidden in hidden {
        if start < hidden.start {
            parts.push(start..hidden.start);
        }
        start = start.max(hidden.end);
    }
    if start < range.end {
        parts.push(start..range.end);
    }
}

/// Where attributes and comments are in a node, down to those of a parameter's modifiers.
fn hidden_in<'t>(walk: &Walk<'t>, node: Node<'t>) -> Vec<Range<usize>> {
    const DEPTH: usize = 4;
    let mut hidden = Vec::new();
    let mut comment_end = usize::MAX;
    let mut depth = 0;
    let mut cursor = node.walk();
    loop {
        let kind = cursor.node().kind_id();
        let is_comment = walk.spec.is_comment(kind);
        if is_comment || walk.spec.is_attribute(kind) {
            let range = cursor.node().byte_range();
            if is_comment {
                let before = comment_end..range.start;
                hidden.extend(comment_runs::hidden(walk.spec.language, walk.text, before));
                comment_end = range.end;
            }
            hidden.push(range);
        } else if depth < DEPTH && cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if depth == 0 || !cursor.goto_parent() {
                return hidden;
            }
            depth -= 1;
        }
    }
}

fn is_short(value: &str) -> bool {
    value.len() <= MAX_VALUE && !value.contains('\n')
}

/// The ranges as one line; a gap in the source becomes one space.
fn join(text: &str, parts: &[Range<usize>]) -> String {
    let mut out = String::new();
    let mut last_end = None;
    for part in parts {
        if last_end.is_some_and(|end| end < part.start) && !out.ends_with([' ', '(', '<', '[']) {
            out.push(' ');
        }
        push_collapsed(&mut out, text.get(part.clone()).unwrap_or(""));
        last_end = Some(part.end);
        if out.len() > MAX_SIGNATURE {
            break;
        }
    }
    out
}

fn finish(mut text: String, shortened: bool) -> String {
    let end = text
        .trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '{' | ';' | ':' | ','))
        .len();
    text.truncate(end);
    if text.starts_with(' ') {
        text.remove(0); // an attribute stood there
    }
    if text.len() > MAX_SIGNATURE {
        text.truncate(text.floor_char_boundary(MAX_SIGNATURE));
        text.push('…');
    } else if shortened {
        if !text.ends_with('=') {
            text.push_str(" =");
        }
        text.push_str(" …");
    } else if text.ends_with('=') {
        text.truncate(text.trim_end_matches('=').trim_end().len());
    }
    text
}

/// `text` with every run of white space as one space.
pub(crate) fn collapse(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_collapsed(&mut out, text.trim());
    out
}

fn push_collapsed(out: &mut String, text: &str) {
    let is_space = u8::is_ascii_whitespace;
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let word = at + bytes[at..].iter().take_while(|byte| is_space(byte)).count();
        let Some(&first) = bytes.get(word) else {
            if !out.is_empty() && !out.ends_with(['(', '[', ' ']) {
                out.push(' ');
            }
            return;
        };
        if word > at {
            push_gap(out, first);
        }
        let rest = &bytes[word..];
        at = word + rest.iter().position(is_space).unwrap_or(rest.len());
        // Cut at ASCII, so at character boundaries.
        out.push_str(text.get(word..at).unwrap_or(""));
    }
}

/// What white space before the byte `next` becomes.
fn push_gap(out: &mut String, next: u8) {
    // Lists written over several lines end in a comma; a tuple of one, `(x,)`, needs its own.
    if matches!(next, b')' | b']') && out.ends_with(',') {
        out.pop();
    }
    if !out.is_empty() && !out.ends_with(['(', '[', ' ']) && !matches!(next, b')' | b']' | b',') {
        out.push(' ');
    }
}
