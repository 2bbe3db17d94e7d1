//! Context parameters (2.2) and context receivers: `context(log: Log, Db) fun f()`, `context(Log) () -> Unit`. They are
//! read as annotations of types in parentheses, so that their types are uses: `@(Log)@(Db) fun f()`.

use std::ops::Range;

use super::Edits;
use super::tokens::{KotlinTokenKind, KotlinTokens};

/// Words that a declaration may begin with.
const DECLARATIONS: [&str; 33] = [
    "fun",
    "val",
    "var",
    "class",
    "interface",
    "object",
    "typealias",
    "context",
    "public",
    "private",
    "protected",
    "internal",
    "abstract",
    "final",
    "open",
    "sealed",
    "data",
    "enum",
    "inner",
    "value",
    "annotation",
    "override",
    "lateinit",
    "inline",
    "infix",
    "operator",
    "suspend",
    "tailrec",
    "external",
    "expect",
    "actual",
    "const",
    "companion",
];

pub(super) fn edit(tokens: &KotlinTokens<'_>, edits: &mut Edits) {
    for at in 0..tokens.all.len() {
        if tokens.is(at, "context")
            && tokens.kind(at + 1) == Some(KotlinTokenKind::Open(b')'))
            && let Some(close) = tokens.partner(at + 1)
            && (stands_before_declaration(tokens, at, close)
                || stands_before_type(tokens, at, close))
        {
            rewrite(tokens, at, close, edits);
        }
    }
}

fn stands_before_declaration(tokens: &KotlinTokens<'_>, at: usize, close: usize) -> bool {
    let is_first = at == 0
        || tokens.all[at].is_first_of_line
        || matches!(
            tokens.kind(at - 1),
            Some(
                KotlinTokenKind::Sign(b';')
                    | KotlinTokenKind::Open(b'}')
                    | KotlinTokenKind::Close(_)
            )
        )
        || DECLARATIONS.contains(&tokens.str(at - 1));
    let next = close + 1;
    is_first && (DECLARATIONS.contains(&tokens.str(next)) || tokens.is(next, "@"))
}

/// Of the type of a function: behind a colon, or what a `typealias` is.
fn stands_before_type(tokens: &KotlinTokens<'_>, at: usize, close: usize) -> bool {
    let Some(before) = at.checked_sub(1) else {
        return false;
    };
    let is_alias = || {
        let word = before.checked_sub(2);
        tokens.is(before, "=") && word.is_some_and(|word| tokens.is(word, "typealias"))
    };
    let follows = matches!(
        tokens.kind(close + 1),
        Some(KotlinTokenKind::Open(b')') | KotlinTokenKind::Word)
    );
    follows && (tokens.is(before, ":") || is_alias())
}

fn rewrite(tokens: &KotlinTokens<'_>, at: usize, close: usize, edits: &mut Edits) {
    let gaps = gaps(tokens, at, close);
    let Some((first, rest)) = gaps.split_first() else {
        edits.blank(tokens.all[at].range.start..tokens.all[close].range.end);
        return;
    };
    for gap in &gaps {
        edits.blank(gap.clone());
    }
    if rest.iter().all(|gap| gap.len() >= BETWEEN.len()) {
        edits.put(first.end - BEFORE.len()..first.end, BEFORE);
        for gap in rest {
            edits.put(gap.start..gap.start + BETWEEN.len(), BETWEEN);
        }
        return;
    }
    // Between two types without names there is no room for parentheses but around the last: `@A @(B)`.
    let last = gaps.last().map_or(0, |gap| gap.start);
    for gap in &gaps {
        let sign = if gap.start == last && gap.len() >= BEFORE.len() {
            BEFORE
        } else {
            "@"
        };
        edits.put(gap.end.saturating_sub(sign.len())..gap.end, sign);
        if gap.start == last && sign != BEFORE {
            edits.blank(tokens.all[close].range.clone());
        }
    }
}

/// What begins an annotation of a type in parentheses, and what ends one and begins the next.
const BEFORE: &str = "@(";
const BETWEEN: &str = ")@(";

/// What stands before the type of each parameter in the brackets behind a `context`: its name, and the comma or the
/// beginning before that.
fn gaps(tokens: &KotlinTokens<'_>, at: usize, close: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = tokens.all[at].range.start;
    let mut next = at + 2;
    while next < close {
        let has_name = tokens.kind(next) == Some(KotlinTokenKind::Word) && tokens.is(next + 1, ":");
        let first = if has_name { next + 2 } else { next };
        if first >= close {
            break;
        }
        found.push(start..tokens.all[first].range.start);
        next = first;
        while next < close && !tokens.is(next, ",") {
            next = over(tokens, next);
        }
        start = tokens.get(next).map_or(start, |comma| comma.range.start);
        next += 1;
    }
    found
}

/// The place behind a token, or behind the brackets that it opens, those of type arguments included.
fn over(tokens: &KotlinTokens<'_>, at: usize) -> usize {
    if tokens.is(at, "<") {
        let mut depth = 0_usize;
        for place in at..tokens.all.len() {
            match tokens.kind(place) {
                Some(KotlinTokenKind::Sign(b'<')) => depth += 1,
                Some(KotlinTokenKind::Sign(b'>')) => depth -= 1,
                Some(KotlinTokenKind::Close(b'}') | KotlinTokenKind::Open(b'}')) | None => {
                    return place;
                }
                _ => {}
            }
            if depth == 0 {
                return place + 1;
            }
        }
    }
    match tokens.kind(at) {
        Some(KotlinTokenKind::Open(_)) => tokens.partner(at).map_or(at + 1, |close| close + 1),
        _ => at + 1,
    }
}
