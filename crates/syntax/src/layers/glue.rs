//! Where a text says something of a type or file itself, between its members.
//!
//! What is read of a member concerns that member alone, so that it can be read again by itself. What
//! stands between members goes to what they are in, and to read that again everything in it has to be.

use std::ops::Range;

/// The places, in the order of the text.
#[derive(Debug, Default)]
pub(super) struct Glue {
    /// Stretches from the first byte of what was read to the first byte of the last thing in it.
    pub(super) places: Vec<Range<u32>>,
    /// Whether a declaration has begun or ended since the last of them.
    is_parted: bool,
    /// The number of declarations around a stretch of text that is read by itself.
    pub(super) outside: usize,
    /// Whether anything was said of those.
    pub(super) is_outside: bool,
}

impl Glue {
    /// Notes what was said at a place with that many declarations around.
    pub(super) fn note(&mut self, at: u32, depth: usize) {
        self.is_outside |= depth <= self.outside;
        match self.places.last_mut() {
            Some(last) if !self.is_parted => last.end = at.max(last.start),
            _ => {
                self.is_parted = false;
                self.places.push(at..at);
            }
        }
    }

    /// A declaration begins or ends.
    pub(super) fn part(&mut self) {
        self.is_parted = true;
    }
}
