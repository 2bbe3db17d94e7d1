//! Build constraints: whether a file is part of an ordinary build.

/// Deeper than this no constraint is written.
const DEEPEST: u32 = 32;

/// Whether a file is built for a 64-bit Linux without tags of its own, as far as its first comments say.
pub(super) fn is_built(text: &str) -> bool {
    let mut old = true;
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("package ") {
            break;
        }
        if let Some(constraint) = line.strip_prefix("//go:build ") {
            let mut rest = constraint;
            return either(&mut rest, 0);
        }
        let plus = line.strip_prefix("//").map(str::trim_start);
        if let Some(options) = plus.and_then(|line| line.strip_prefix("+build ")) {
            old &= options.split_whitespace().any(|option| {
                option.split(',').all(|tag| match tag.strip_prefix('!') {
                    Some(tag) => !is_set(tag),
                    None => is_set(tag),
                })
            });
        }
    }
    old
}

/// `a || b`.
fn either(rest: &mut &str, depth: u32) -> bool {
    let mut value = both(rest, depth);
    while let Some(after) = rest.trim_start().strip_prefix("||") {
        *rest = after;
        value |= both(rest, depth);
    }
    value
}

/// `a && b`.
fn both(rest: &mut &str, depth: u32) -> bool {
    let mut value = one(rest, depth);
    while let Some(after) = rest.trim_start().strip_prefix("&&") {
        *rest = after;
        value &= one(rest, depth);
    }
    value
}

/// `!a`, `(a)` or a tag.
fn one(rest: &mut &str, depth: u32) -> bool {
    let text = rest.trim_start();
    if depth > DEEPEST {
        return true;
    }
    if let Some(after) = text.strip_prefix('!') {
        *rest = after;
        return !one(rest, depth + 1);
    }
    if let Some(after) = text.strip_prefix('(') {
        *rest = after;
        let value = either(rest, depth + 1);
        let text = rest.trim_start();
        *rest = text.strip_prefix(')').unwrap_or(text);
        return value;
    }
    let ends = |c: char| !c.is_alphanumeric() && c != '_' && c != '.';
    let end = text.find(ends).unwrap_or(text.len());
    let (tag, after) = text.split_at(end);
    *rest = after;
    is_set(tag)
}

fn is_set(tag: &str) -> bool {
    matches!(tag, "linux" | "unix" | "amd64" | "gc" | "cgo") || tag.starts_with("go1.")
}
