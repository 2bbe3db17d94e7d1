//! The brackets that the walk through the tokens is in, and what is known of each.

use super::tokens::{KotlinTokenKind, KotlinTokens};
use super::{Edits, bodies, branches};

/// What brackets hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// Statements, or nothing that matters here.
    Anything,
    /// The declarations of a class.
    Members,
    /// The entries of an enum, up to the first semicolon.
    Entries,
    /// The branches of a `when`.
    Branches,
}

/// Brackets that are open.
pub(super) struct BracketFrame {
    pub(super) holds: Holds,
    /// What the next braces hold, behind the head of a type.
    pub(super) head: Option<Holds>,
    /// Whether a property is being declared that has no value yet.
    pub(super) is_property: bool,
    /// How many `if`s an `else` may belong to, in the branch that the walk is in.
    pub(super) open_ifs: u32,
    /// An `if` that may be the guard of a condition.
    pub(super) guard: Option<usize>,
    /// The `else` of an `else if` that is a condition.
    pub(super) guard_of_else: Option<usize>,
}

impl BracketFrame {
    fn new(holds: Holds) -> Self {
        Self {
            holds,
            head: None,
            is_property: false,
            open_ifs: 0,
            guard: None,
            guard_of_else: None,
        }
    }
}

/// Walks through the tokens and notes what has to be read otherwise by the brackets that it is in.
pub(super) fn edit(tokens: &KotlinTokens<'_>, edits: &mut Edits) {
    let branches = branches::openings(tokens);
    // Declarations of a file are like those of a class.
    let mut frames = vec![BracketFrame::new(Holds::Members)];
    for at in 0..tokens.all.len() {
        let depth = frames.len();
        let Some(frame) = frames.last_mut() else {
            return;
        };
        match tokens.kind(at) {
            Some(KotlinTokenKind::Open(b'}')) if tokens.partner(at).is_some() => {
                let holds = match (frame.head.take(), frame.holds) {
                    _ if branches.contains(&at) => Holds::Branches,
                    (Some(head), _) => head,
                    (None, Holds::Entries) => Holds::Members,
                    _ => Holds::Anything,
                };
                frame.is_property = false;
                frames.push(BracketFrame::new(holds));
            }
            Some(KotlinTokenKind::Open(_)) if tokens.partner(at).is_some() => {
                frames.push(BracketFrame::new(Holds::Anything));
            }
            Some(KotlinTokenKind::Close(close)) if tokens.partner(at).is_some() => {
                if close == b'}' && depth > 1 && frame.holds == Holds::Members {
                    bodies::end(tokens, at, edits);
                }
                // Only brackets with a partner are among them, and those are nested.
                if depth > 1 {
                    frames.pop();
                }
            }
            _ => {
                bodies::inside(tokens, at, frame, edits);
                branches::inside(tokens, at, frame, edits);
            }
        }
    }
}
