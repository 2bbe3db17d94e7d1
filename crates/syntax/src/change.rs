//! Edits, one and several.

use std::ops::Range;

use codecortex_text::DocumentEdit;
use tree_sitter::{InputEdit, Point};

/// What of a text was replaced, by one edit or several together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TextReplacement {
    pub(crate) start: usize,
    pub(crate) old_end: usize,
    pub(crate) new_end: usize,
}

impl TextReplacement {
    pub(crate) fn from_edit(edit: &DocumentEdit) -> Self {
        Self {
            start: edit.start,
            old_end: edit.old_end,
            new_end: edit.new_end,
        }
    }

    /// The change that tree-sitter is told of.
    pub(crate) fn of_input(edit: &InputEdit) -> Self {
        Self {
            start: edit.start_byte,
            old_end: edit.old_end_byte,
            new_end: edit.new_end_byte,
        }
    }

    /// This change and then another one.
    pub(crate) fn then(self, next: Self) -> Self {
        let behind = next.old_end.saturating_sub(self.new_end);
        let moved = self.new_end.max(next.old_end) - next.old_end;
        Self {
            start: self.start.min(next.start),
            old_end: self.old_end + behind,
            new_end: next.new_end + moved,
        }
    }

    /// What was replaced, in the text before.
    pub(crate) fn replaced(self) -> Range<usize> {
        self.start..self.old_end
    }

    /// What is there instead.
    pub(crate) fn inserted(self) -> Range<usize> {
        self.start..self.new_end
    }

    /// Another text of the same length as the one before, with the same change. `text` is the one now.
    pub(crate) fn applied(self, other: &str, text: &str) -> Option<String> {
        let parts = [
            other.get(..self.start)?,
            text.get(self.inserted())?,
            other.get(self.old_end..)?,
        ];
        Some(parts.concat())
    }

    /// This change made larger, so that another one up to the same text is in it.
    pub(crate) fn around(self, other: Self) -> Self {
        let behind = other.new_end.saturating_sub(self.new_end);
        Self {
            start: self.start.min(other.start),
            old_end: self.old_end + behind,
            new_end: self.new_end + behind,
        }
    }

    pub(crate) fn shift(self) -> Shift {
        Shift {
            from: self.old_end as u32,
            by: self.new_end as i64 - self.old_end as i64,
        }
    }
}

/// How bytes before an edit and after it belong together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shift {
    /// Bytes from here on, in the text before, have moved.
    pub(crate) from: u32,
    /// By how many.
    pub(crate) by: i64,
}

impl Shift {
    /// Where a byte of the text before is now.
    pub(crate) fn byte(self, byte: u32) -> u32 {
        if byte >= self.from {
            (i64::from(byte) + self.by) as u32
        } else {
            byte
        }
    }
}

/// An edit as tree-sitter wants it.
pub(crate) fn input_edit(edit: &DocumentEdit) -> InputEdit {
    let point = |(row, column): (usize, usize)| Point { row, column };
    InputEdit {
        start_byte: edit.start,
        old_end_byte: edit.old_end,
        new_end_byte: edit.new_end,
        start_position: point(edit.start_point),
        old_end_position: point(edit.old_end_point),
        new_end_position: point(edit.new_end_point),
    }
}
