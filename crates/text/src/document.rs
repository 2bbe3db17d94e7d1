//! The text of an open document: a rope with an editor's edits (SPEC LC1).

use ropey::Rope;

use crate::Utf16Position;

/// An open document's text. A clone is a cheap immutable snapshot.
#[derive(Clone, Debug)]
pub struct Document {
    rope: Rope,
}

/// What an edit replaced, in bytes and in the rows and byte columns that tree-sitter wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit {
    /// First byte replaced.
    pub start: usize,
    /// End of the replaced bytes in the text before.
    pub old_end: usize,
    /// End of the new bytes in the text after.
    pub new_end: usize,
    /// Row and byte column of `start`.
    pub start_point: (usize, usize),
    /// Row and byte column of `old_end` in the text before.
    pub old_end_point: (usize, usize),
    /// Row and byte column of `new_end` in the text after.
    pub new_end_point: (usize, usize),
}

impl Document {
    /// A document with this text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self {
            rope: Rope::from_str(text),
        }
    }

    /// Length in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rope.len_bytes()
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The whole text, copied.
    #[must_use]
    pub fn text(&self) -> String {
        String::from(&self.rope)
    }

    /// Replaces what lies between two positions. Positions outside the text are moved to its
    /// nearest place, `end` before `start` counts as `start`: an editor that disagrees about the
    /// text must not bring the engine down.
    pub fn apply(&mut self, start: Utf16Position, end: Utf16Position, text: &str) -> Edit {
        let from = self.char_at(start);
        let to = self.char_at(end).max(from);
        let start = self.rope.char_to_byte(from);
        let old_end = self.rope.char_to_byte(to);
        let start_point = self.point(start);
        let old_end_point = self.point(old_end);
        self.rope.remove(from..to);
        self.rope.insert(from, text);
        let new_end = start + text.len();
        Edit {
            start,
            old_end,
            new_end,
            start_point,
            old_end_point,
            new_end_point: self.point(new_end),
        }
    }

    fn char_at(&self, position: Utf16Position) -> usize {
        let line = position.line as usize;
        if line >= self.rope.len_lines() {
            return self.rope.len_chars();
        }
        let slice = self.rope.line(line);
        let mut length = slice.len_chars();
        while length > 0 && matches!(slice.char(length - 1), '\n' | '\r') {
            length -= 1;
        }
        let body = slice.slice(..length);
        let units = (position.character as usize).min(body.len_utf16_cu());
        self.rope.line_to_char(line) + body.utf16_cu_to_char(units)
    }

    fn point(&self, byte: usize) -> (usize, usize) {
        let row = self.rope.byte_to_line(byte);
        (row, byte - self.rope.line_to_byte(row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LineIndex;
    use proptest::prelude::*;

    fn position() -> impl Strategy<Value = Utf16Position> {
        (0u32..12, 0u32..12).prop_map(|(line, character)| Utf16Position { line, character })
    }

    proptest! {
        /// The rope always equals a plain string edited through the line index.
        #[test]
        fn equals_a_plain_string(
            text in "([a-z]|\\n|\\r\\n|\\r|é|😀){0,40}",
            edits in prop::collection::vec((position(), position(), "([a-z]|\\n|\\r\\n|漢|😀){0,6}"), 0..12),
        ) {
            let mut document = Document::new(&text);
            let mut plain = text;
            for (start, end, new) in edits {
                let index = LineIndex::new(&plain);
                let from = index.offset(start, &plain) as usize;
                let to = (index.offset(end, &plain) as usize).max(from);
                plain.replace_range(from..to, &new);
                let edit = document.apply(start, end, &new);
                prop_assert_eq!((edit.start, edit.old_end, edit.new_end), (from, to, from + new.len()));
                prop_assert_eq!(document.text(), plain.as_str());
            }
        }
    }

    #[test]
    fn a_snapshot_does_not_see_later_edits() {
        let mut document = Document::new("one\ntwo");
        let snapshot = document.clone();
        let at = Utf16Position {
            line: 1,
            character: 3,
        };
        let edit = document.apply(at, at, "\nthree");
        assert_eq!(snapshot.text(), "one\ntwo");
        assert_eq!(document.text(), "one\ntwo\nthree");
        assert_eq!(edit.new_end_point, (2, 5));
    }
}
