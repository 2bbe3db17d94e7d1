//! What is one token or two: `@all:A` and `[]`, and the newer forms of destructuring: `val [a, b] = c`,
//! `(val a, val b = d) = c`.

use super::Edits;
use super::tokens::{KotlinTokenKind, KotlinTokens};

pub(super) fn edit(tokens: &KotlinTokens<'_>, edits: &mut Edits) {
    for at in 0..tokens.all.len() {
        match tokens.kind(at) {
            // An annotation of all that a property is made of (2.2) is read as that of its getter.
            Some(KotlinTokenKind::Word)
                if tokens.is(at, "all")
                    && tokens.is(at + 1, ":")
                    && at > 0
                    && tokens.is(at - 1, "@") =>
            {
                edits.put(tokens.all[at].range.clone(), "get");
            }
            // A list of nothing is read as a text of nothing.
            Some(KotlinTokenKind::Open(b']')) if tokens.partner(at) == Some(at + 1) && at > 0 => {
                let is_value = matches!(
                    tokens.kind(at - 1),
                    Some(KotlinTokenKind::Sign(b'=' | b',') | KotlinTokenKind::Open(b')'))
                );
                let close = &tokens.all[at + 1];
                if is_value && !close.is_first_of_line {
                    edits.put(tokens.all[at].range.clone(), "\"");
                    edits.put(close.range.clone(), "\"");
                }
            }
            Some(KotlinTokenKind::Open(b')' | b']')) => destructuring(tokens, at, edits),
            _ => {}
        }
    }
}

/// `val [a, b] = c` is read as `val (a, b) = c`, `(val a, val b = d) = c` as `val(a,  b : d) = c`.
fn destructuring(tokens: &KotlinTokens<'_>, at: usize, edits: &mut Edits) {
    let Some((last, close)) = at.checked_sub(1).zip(tokens.partner(at)) else {
        return;
    };
    let brackets = [
        tokens.all[at].range.clone(),
        tokens.all[close].range.clone(),
    ];
    let is_list = tokens.kind(at) == Some(KotlinTokenKind::Open(b']'));
    if is_list && matches!(tokens.str(last), "val" | "var") {
        edits.put(brackets[0].clone(), "(");
        edits.put(brackets[1].clone(), ")");
        return;
    }
    let is_word = |at: usize| matches!(tokens.str(at), "val" | "var");
    // Parameters of a constructor are behind a name.
    let begins = tokens.all[at].is_first_of_line
        || matches!(
            tokens.kind(last),
            Some(KotlinTokenKind::Open(_) | KotlinTokenKind::Sign(b';' | b','))
        );
    let is_statement = tokens.is(close + 1, "=");
    let is_inside = matches!(
        tokens.kind(last),
        Some(KotlinTokenKind::Open(_) | KotlinTokenKind::Sign(b','))
    );
    if !is_word(at + 1) || !begins || !(is_statement || is_inside) {
        return;
    }
    let word = tokens.all[at + 1].range.clone();
    if is_statement && word.start == brackets[0].end {
        edits.put(brackets[0].start..word.end, "val(");
    } else {
        edits.put(brackets[0].clone(), "(");
        edits.blank(word);
    }
    edits.put(brackets[1].clone(), ")");
    let mut next = at + 2;
    while next < close {
        let range = tokens.all[next].range.clone();
        match tokens.kind(next) {
            Some(KotlinTokenKind::Open(_)) => next = tokens.partner(next).unwrap_or(next),
            Some(KotlinTokenKind::Word) if is_word(next) => edits.blank(range),
            // The member that is taken: a name is all that the place may hold.
            Some(KotlinTokenKind::Sign(b'=')) => edits.put(range, ":"),
            _ => {}
        }
        next += 1;
    }
}
