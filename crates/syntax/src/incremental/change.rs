//! Edits, one and several.

use codecortex_text::Edit;
use tree_sitter::{InputEdit, Point};

use crate::reparse::Differing;
use crate::walk::Shift;

/// What edits since the last facts have replaced, together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    pub(super) start: usize,
    pub(super) old_end: usize,
    pub(super) new_end: usize,
}

impl Change {
    pub(super) fn of(edit: &Edit) -> Self {
        Self {
            start: edit.start,
            old_end: edit.old_end,
            new_end: edit.new_end,
        }
    }

    /// The change that tree-sitter is told of.
    pub(super) fn of_input(edit: &InputEdit) -> Self {
        Self {
            start: edit.start_byte,
            old_end: edit.old_end_byte,
            new_end: edit.new_end_byte,
        }
    }

    /// This change and then another one.
    pub(super) fn then(self, next: Self) -> Self {
        let behind = next.old_end.saturating_sub(self.new_end);
        let moved = self.new_end.max(next.old_end) - next.old_end;
        Self {
            start: self.start.min(next.start),
            old_end: self.old_end + behind,
            new_end: next.new_end + moved,
        }
    }

    /// Another text of the same length as the one before, with the same change. `text` is the one now.
    pub(super) fn applied(self, other: &str, text: &str) -> Option<String> {
        let parts = [
            other.get(..self.start)?,
            text.get(self.start..self.new_end)?,
            other.get(self.old_end..)?,
        ];
        Some(parts.concat())
    }

    /// This change made larger, so that what differs between two texts is in it.
    pub(super) fn around(self, differing: Differing) -> Self {
        let behind = differing.new_end.saturating_sub(self.new_end);
        Self {
            start: self.start.min(differing.start),
            old_end: self.old_end + behind,
            new_end: self.new_end + behind,
        }
    }

    pub(super) fn shift(self) -> Shift {
        Shift {
            from: self.old_end as u32,
            by: self.new_end as i64 - self.old_end as i64,
        }
    }
}

/// An edit as tree-sitter wants it.
pub(super) fn input_edit(edit: &Edit) -> InputEdit {
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
