//! Trivia between members: what stands there is of the type or file itself.
//!
//! What is read of a member concerns that member alone, so that it can be read again by itself. What
//! stands between members goes to what they are in: of a type, everything in it has to be read again
//! then; of a file, the statement.

use crate::change::Shift;

/// A stretch of trivia that goes to a type or the file itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TriviaSpan {
    /// First byte of what was read.
    pub(crate) start: u32,
    /// First byte of the last thing in it.
    pub(crate) last: u32,
    /// Where the type begins that it goes to, or, if that is the file, the statement that it is in.
    pub(crate) whole: u32,
}

impl TriviaSpan {
    /// The same after an edit.
    pub(crate) fn moved(self, shift: Shift) -> Self {
        Self {
            start: shift.byte(self.start),
            last: shift.byte(self.last),
            whole: shift.byte(self.whole),
        }
    }
}

/// The places, in the order of the text.
#[derive(Debug, Default)]
pub(super) struct MemberTrivia {
    pub(super) places: Vec<TriviaSpan>,
    /// Where the statement of the file begins that is being read.
    pub(super) statement: Option<u32>,
    /// Whether a declaration has begun or ended since the last of them.
    is_parted: bool,
    /// The number of declarations around a stretch of text that is read by itself.
    pub(super) outside: usize,
    /// Whether anything was noted of those.
    pub(super) is_outside: bool,
}

impl MemberTrivia {
    /// Notes what stands at a place of a type, by where that begins, with that many declarations around.
    pub(super) fn note(&mut self, at: u32, whole: u32, depth: usize) {
        self.is_outside |= depth <= self.outside;
        self.add(at, whole);
    }

    /// Notes what stands in the file at a place.
    pub(super) fn note_file(&mut self, at: u32) {
        // A statement that began before what is read does not belong to it.
        self.is_outside |= self.statement.is_none();
        self.add(at, self.statement.unwrap_or(0));
    }

    fn add(&mut self, at: u32, whole: u32) {
        match self.places.last_mut() {
            Some(place) if !self.is_parted => place.last = at.max(place.start),
            _ => {
                self.is_parted = false;
                self.places.push(TriviaSpan {
                    start: at,
                    last: at,
                    whole,
                });
            }
        }
    }

    /// A declaration begins or ends.
    pub(super) fn part(&mut self) {
        self.is_parted = true;
    }

    /// A statement of the file begins.
    pub(super) fn begin(&mut self, at: u32) {
        self.statement = Some(at);
        self.part();
    }
}
