//! Byte offsets to positions, for offsets that are close to each other.

use std::cell::Cell;
use std::ops::Range;

use codecortex_text::{LineIndex, Utf16Position};

/// A line index that counts from where it counted last: a line of a megabyte with a declaration
/// every few bytes must not be counted from its start for each of them.
pub(super) struct Places {
    lines: LineIndex,
    last: Cell<(u32, Utf16Position)>,
}

impl Places {
    pub(super) fn new(lines: LineIndex) -> Self {
        Self {
            lines,
            last: Cell::default(),
        }
    }

    pub(super) fn into_lines(self) -> LineIndex {
        self.lines
    }

    /// The position of the byte at `offset` in `text`.
    pub(super) fn position(&self, offset: u32, text: &str) -> Utf16Position {
        let (known, position) = self.last.get();
        let line = self.lines.line_of(offset);
        let from_start = offset - self.lines.line_start(line, text);
        let units = |range: Range<u32>| {
            let between = text.get(range.start as usize..range.end as usize)?;
            Some(between.encode_utf16().count() as u32)
        };
        let character = if position.line != line || known.abs_diff(offset) > from_start {
            None
        } else if known <= offset {
            units(known..offset).map(|more| position.character + more)
        } else {
            units(offset..known).and_then(|less| position.character.checked_sub(less))
        };
        let found = match character {
            Some(character) => Utf16Position { line, character },
            None => self.lines.position(offset, text),
        };
        self.last.set((offset, found));
        found
    }
}
