//! Bodies of types that end on the line of their last member, accessors behind a semicolon, and explicit backing fields
//! (2.4).
//!
//! The grammar wants a line's end or a semicolon behind each member, the last included. Where it does not get one, what
//! follows is lost with the type. Without a blank before the brace there is no room for one: then the scanner gives it
//! (`kotlin_scanner.rs`).

use super::Edits;
use super::frames::{Frame, Holds};
use super::tokens::{KEYWORDS, Kind, Tokens};

/// Words that may stand at the begin of a line and belong to the head of a type.
const OF_HEADS: [&str; 8] = [
    "where",
    "by",
    "constructor",
    "private",
    "public",
    "internal",
    "protected",
    "context",
];

/// Modifiers of accessors.
const OF_ACCESSORS: [&str; 7] = [
    "private",
    "protected",
    "internal",
    "public",
    "inline",
    "external",
    "final",
];

/// The end of a type's members, at its brace: there is a semicolon before it.
pub(super) fn end(tokens: &Tokens<'_>, at: usize, edits: &mut Edits) {
    let close = &tokens.all[at];
    let is_ended = at.checked_sub(1).is_none_or(|last| {
        matches!(
            tokens.kind(last),
            Some(Kind::Sign(b';') | Kind::Open(b'}')) | None
        )
    });
    let before = close.range.start.checked_sub(1);
    let is_blank = before.is_some_and(|at| matches!(tokens.text.as_bytes()[at], b' ' | b'\t'));
    if !is_ended && is_blank && !close.is_first_of_line {
        edits.put(close.range.start - 1..close.range.start, ";");
    }
}

/// A token that is no bracket, in the brackets of a frame.
pub(super) fn inside(tokens: &Tokens<'_>, at: usize, frame: &mut Frame, edits: &mut Edits) {
    let token = &tokens.all[at];
    let word = tokens.str(at);
    let last = at.checked_sub(1);
    if frame.head.is_some() && ends_head(tokens, at) {
        frame.head = None;
    }
    match token.kind {
        // Not `A::class`.
        Kind::Word
            if matches!(word, "class" | "interface" | "object")
                && last.is_none_or(|last| tokens.kind(last) != Some(Kind::Sign(b'.'))) =>
        {
            let is_enum = word == "class" && last.is_some_and(|last| tokens.is(last, "enum"));
            frame.head = Some(if is_enum {
                Holds::Entries
            } else {
                Holds::Members
            });
            frame.is_property = false;
        }
        Kind::Word if matches!(word, "val" | "var") => frame.is_property = true,
        Kind::Word if matches!(word, "fun" | "by" | "get" | "set" | "typealias" | "init") => {
            frame.is_property = false;
        }
        Kind::Word if word == "field" && frame.is_property && frame.holds == Holds::Members => {
            backing_field(tokens, at, edits);
        }
        Kind::Sign(b'=') => frame.is_property = false,
        Kind::Sign(b';') => {
            frame.is_property = false;
            match frame.holds {
                Holds::Entries => frame.holds = Holds::Members,
                Holds::Members if is_before_accessor(tokens, at + 1) => {
                    edits.blank(token.range.clone());
                }
                _ => {}
            }
        }
        _ => {}
    }
}

/// Whether a token shows that the head of a type before it had no body.
fn ends_head(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = &tokens.all[at];
    let word = tokens.str(at);
    match token.kind {
        Kind::Sign(sign) => matches!(sign, b';' | b'='),
        Kind::Arrow => true,
        Kind::Word if KEYWORDS.contains(&word) => !matches!(word, "in" | "is" | "as"),
        Kind::Word if token.is_first_of_line && !OF_HEADS.contains(&word) => {
            let last = at.checked_sub(1).and_then(|last| tokens.kind(last));
            let goes_on = matches!(
                last,
                Some(Kind::Sign(b':' | b',' | b'.' | b'<' | b'&') | Kind::Open(_))
            );
            let is_behind_word = at.checked_sub(1).is_some_and(|last| {
                matches!(
                    tokens.str(last),
                    "by" | "where" | "class" | "interface" | "object"
                )
            });
            !goes_on && !is_behind_word
        }
        _ => false,
    }
}

/// Whether an accessor of the property before follows a semicolon.
fn is_before_accessor(tokens: &Tokens<'_>, at: usize) -> bool {
    let mut word = at;
    while OF_ACCESSORS.contains(&tokens.str(word)) {
        word += 1;
    }
    let is_accessor = matches!(tokens.str(word), "get" | "set");
    let is_alone = || {
        let next = tokens.get(word + 1);
        next.is_none_or(|next| {
            next.is_first_of_line || matches!(next.kind, Kind::Sign(b';') | Kind::Close(b'}'))
        })
    };
    is_accessor && (tokens.kind(word + 1) == Some(Kind::Open(b')')) || word > at && is_alone())
}

/// `field = a` behind a property's type is read as the property's value, the type that it says as one more of the
/// property's.
fn backing_field(tokens: &Tokens<'_>, at: usize, edits: &mut Edits) {
    let is_behind_type = at
        .checked_sub(1)
        .is_some_and(|last| tokens.ends_operand(last));
    let field = tokens.all[at].range.clone();
    let Some(sign) = tokens.get(at + 1).filter(|_| is_behind_type) else {
        return;
    };
    match sign.kind {
        Kind::Sign(b'=') => edits.blank(field),
        Kind::Sign(b':') => {
            edits.put(field, "&");
            edits.blank(sign.range.clone());
        }
        _ => {}
    }
}
