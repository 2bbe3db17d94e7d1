//! Guards of conditions in a `when` (2.2), and `else` behind a semicolon.

use std::collections::BTreeSet;

use super::Edits;
use super::frames::{BracketFrame, Holds};
use super::tokens::{KotlinTokenKind, KotlinTokens};

/// The braces that hold the branches of a `when`.
pub(super) fn openings(tokens: &KotlinTokens<'_>) -> BTreeSet<usize> {
    let whens = (0..tokens.all.len()).filter(|at| tokens.is(*at, "when"));
    let braces = whens.filter_map(|at| {
        let next = at + 1;
        let brace = match tokens.kind(next)? {
            KotlinTokenKind::Open(b')') => tokens.partner(next)? + 1,
            _ => next,
        };
        (tokens.kind(brace) == Some(KotlinTokenKind::Open(b'}'))).then_some(brace)
    });
    braces.collect()
}

/// A token that is no bracket, in the brackets of a frame.
pub(super) fn inside(
    tokens: &KotlinTokens<'_>,
    at: usize,
    frame: &mut BracketFrame,
    edits: &mut Edits,
) {
    if frame.holds != Holds::Branches {
        // The grammar takes the semicolon for the end of the `if`.
        if tokens.is(at, ";") && tokens.is(at + 1, "else") {
            edits.blank(tokens.all[at].range.clone());
        }
        return;
    }
    match tokens.kind(at) {
        Some(KotlinTokenKind::Arrow) => {
            if let Some(guard) = frame.guard.take() {
                // One more condition of the branch.
                edits.put(tokens.all[guard].range.clone(), ", ");
            }
            frame.open_ifs = 0;
        }
        Some(KotlinTokenKind::Word) if tokens.is(at, "if") => match at.checked_sub(1) {
            Some(last) if is_condition(tokens, last) => frame.guard = Some(at),
            // The one of `else if` in the place of a condition was read with its `else`.
            Some(last) if tokens.is(last, "else") && frame.guard_of_else == Some(last) => {}
            _ => frame.open_ifs += 1,
        },
        Some(KotlinTokenKind::Word) if tokens.is(at, "else") => {
            // What has an `else` is a value.
            frame.guard = None;
            match frame.open_ifs.checked_sub(1) {
                Some(rest) => frame.open_ifs = rest,
                None if tokens.is(at + 1, "if") => {
                    edits.blank(tokens.all[at].range.clone());
                    edits.blank(tokens.all[at + 1].range.clone());
                    frame.guard_of_else = Some(at);
                }
                None => {}
            }
        }
        _ => {}
    }
}

/// Whether a token may end a condition that a guard follows. Brackets behind `for` and the like do not.
fn is_condition(tokens: &KotlinTokens<'_>, at: usize) -> bool {
    let is_head = tokens.kind(at) == Some(KotlinTokenKind::Close(b')'))
        && tokens
            .partner(at)
            .and_then(|open| open.checked_sub(1))
            .is_some_and(|word| matches!(tokens.str(word), "if" | "for" | "while"));
    tokens.ends_operand(at) && !is_head
}
