//! The text of an open document: a rope with an editor's edits (SPEC LC1).

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use ropey::Rope;

use crate::Utf16Position;
use crate::fingerprint::Parts;

/// An open document's text. A clone is a cheap immutable snapshot.
#[derive(Clone, Debug)]
pub struct TextDocument {
    rope: Rope,
    /// What its fingerprint is made of, from the first question on.
    parts: OnceLock<Parts>,
}

/// Why a position is no place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadPosition {
    /// The text has fewer lines.
    Line,
    /// The line has fewer characters.
    Character,
    /// It is between the two halves of a character.
    InsideCharacter,
}

/// What an edit replaced, in bytes and in the rows and byte columns that tree-sitter wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocumentEdit {
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

impl TextDocument {
    /// A document with this text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self {
            rope: Rope::from_str(text),
            parts: OnceLock::new(),
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
    pub fn apply(&mut self, start: Utf16Position, end: Utf16Position, text: &str) -> DocumentEdit {
        let from = self.char_at(start);
        let to = self.char_at(end).max(from);
        self.replace_chars(from, to, text)
    }

    fn replace_chars(&mut self, from: usize, to: usize, text: &str) -> DocumentEdit {
        let start = self.rope.char_to_byte(from);
        let old_end = self.rope.char_to_byte(to);
        let start_point = self.point(start);
        let old_end_point = self.point(old_end);
        self.rope.remove(from..to);
        self.rope.insert(from, text);
        if let Some(parts) = self.parts.get_mut() {
            parts.edit(&self.rope, start, old_end - start, text.len());
        }
        let new_end = start + text.len();
        DocumentEdit {
            start,
            old_end,
            new_end,
            start_point,
            old_end_point,
            new_end_point: self.point(new_end),
        }
    }

    /// Replaces a range of bytes, whose ends are moved to the starts of characters.
    pub fn replace(&mut self, range: Range<usize>, text: &str) -> DocumentEdit {
        let most = self.rope.len_bytes();
        let from = self.rope.byte_to_char(range.start.min(most));
        let to = self.rope.byte_to_char(range.end.min(most)).max(from);
        self.replace_chars(from, to, text)
    }

    /// The byte at a position, which has to be one of this text. The end of a line is before what ends it.
    ///
    /// # Errors
    /// Why the position is none.
    pub fn offset(&self, position: Utf16Position) -> Result<usize, BadPosition> {
        let line = position.line as usize;
        if line >= self.rope.len_lines() {
            return Err(BadPosition::Line);
        }
        let body = self.line_body(line);
        let units = position.character as usize;
        if units > body.len_utf16_cu() {
            return Err(BadPosition::Character);
        }
        let char = body.utf16_cu_to_char(units);
        if body.char_to_utf16_cu(char) != units {
            return Err(BadPosition::InsideCharacter);
        }
        Ok(self.rope.line_to_byte(line) + body.char_to_byte(char))
    }

    /// Line and UTF-16 unit of a byte.
    #[must_use]
    pub fn position(&self, byte: usize) -> Utf16Position {
        let byte = byte.min(self.rope.len_bytes());
        let line = self.rope.byte_to_line(byte);
        let slice = self.rope.line(line);
        let char = slice.byte_to_char(byte - self.rope.line_to_byte(line));
        Utf16Position {
            line: line as u32,
            character: slice.char_to_utf16_cu(char) as u32,
        }
    }

    /// How many lines there are; an empty text has one.
    #[must_use]
    pub fn line_count(&self) -> usize {
        self.rope.len_lines()
    }

    /// The line that a byte is in, from 0.
    #[must_use]
    pub fn line_of(&self, byte: usize) -> usize {
        self.rope.byte_to_line(byte.min(self.rope.len_bytes()))
    }

    /// The first byte of a line; of one behind the last, the end of the text.
    #[must_use]
    pub fn line_start(&self, line: usize) -> usize {
        match line < self.rope.len_lines() {
            true => self.rope.line_to_byte(line),
            false => self.rope.len_bytes(),
        }
    }

    /// A line with what ends it; empty for one that is not there.
    #[must_use]
    pub fn line(&self, line: usize) -> Cow<'_, str> {
        match line < self.rope.len_lines() {
            true => self.rope.line(line).into(),
            false => Cow::Borrowed(""),
        }
    }

    /// The text of some lines with what ends them.
    #[must_use]
    pub fn lines(&self, lines: Range<usize>) -> String {
        self.slice(self.line_start(lines.start)..self.line_start(lines.end))
    }

    /// The text of a range of bytes whose ends are the starts of characters.
    #[must_use]
    pub fn slice(&self, bytes: Range<usize>) -> String {
        let end = bytes.end.min(self.rope.len_bytes());
        let slice = self.rope.get_byte_slice(bytes.start.min(end)..end);
        slice.map_or_else(String::new, |slice| slice.chunks().collect())
    }

    /// The text in pieces, in order.
    pub fn chunks(&self) -> impl Iterator<Item = &str> {
        self.rope.chunks()
    }

    /// Numbers that follow from the text alone: other texts have others. The first question looks at the whole
    /// text; after that, also in later versions of it, they cost what was edited.
    #[must_use]
    pub fn fingerprint(&self) -> [u64; 3] {
        self.parts
            .get_or_init(|| Parts::from_rope(&self.rope))
            .fingerprint()
    }

    /// The place of the first occurrence of a text, and whether there is another one.
    #[must_use]
    pub fn find(&self, wanted: &str) -> Option<(usize, bool)> {
        let text = self.text();
        let first = text.find(wanted)?;
        let behind = first + wanted.chars().next().map_or(1, char::len_utf8);
        let again = text.get(behind..).is_some_and(|rest| rest.contains(wanted));
        Some((first, again))
    }

    /// How many bytes at the start are the same in two texts; a start of a character in both.
    #[must_use]
    pub fn common_prefix(&self, other: &Self) -> usize {
        let same = common(self.rope.chunks(), other.rope.chunks(), |a, b| {
            a.iter().zip(b).take_while(|(a, b)| a == b).count()
        });
        let floor = |rope: &Rope| rope.char_to_byte(rope.byte_to_char(same));
        floor(&self.rope).min(floor(&other.rope))
    }

    /// How many bytes at the end are the same in two texts, those left out that `prefix` covers already.
    #[must_use]
    pub fn common_suffix(&self, other: &Self, prefix: usize) -> usize {
        let (mine, theirs) = (self.rope.len_bytes(), other.rope.len_bytes());
        let same = common(backwards(&self.rope), backwards(&other.rope), |a, b| {
            let pairs = a.iter().rev().zip(b.iter().rev());
            pairs.take_while(|(a, b)| a == b).count()
        });
        let same = same.min(mine.min(theirs) - prefix);
        // Not within a character: its first byte may be another one.
        let is_start = |rope: &Rope, at: usize| rope.char_to_byte(rope.byte_to_char(at)) == at;
        (0..=same.min(3))
            .map(|less| same - less)
            .find(|same| is_start(&self.rope, mine - same) && is_start(&other.rope, theirs - same))
            .unwrap_or(0)
    }

    fn line_body(&self, line: usize) -> ropey::RopeSlice<'_> {
        let slice = self.rope.line(line);
        let mut length = slice.len_chars();
        while length > 0 && matches!(slice.char(length - 1), '\n' | '\r') {
            length -= 1;
        }
        slice.slice(..length)
    }

    fn char_at(&self, position: Utf16Position) -> usize {
        let line = position.line as usize;
        if line >= self.rope.len_lines() {
            return self.rope.len_chars();
        }
        let body = self.line_body(line);
        let units = (position.character as usize).min(body.len_utf16_cu());
        self.rope.line_to_char(line) + body.utf16_cu_to_char(units)
    }

    fn point(&self, byte: usize) -> (usize, usize) {
        let row = self.rope.byte_to_line(byte);
        (row, byte - self.rope.line_to_byte(row))
    }
}

/// The chunks of a rope from its end.
fn backwards(rope: &Rope) -> impl Iterator<Item = &str> {
    let mut chunks = rope.chunks_at_byte(rope.len_bytes()).0;
    // The iterator stands before the last chunk or behind it.
    while chunks.next().is_some() {}
    std::iter::from_fn(move || chunks.prev())
}

/// How many bytes two texts in chunks have in common; `same` counts those of two pieces, from the side
/// that chunks come from. Chunks are cut at different places in each, and blocks are compared before bytes.
fn common<'a>(
    mut a: impl Iterator<Item = &'a str>,
    mut b: impl Iterator<Item = &'a str>,
    same: impl Fn(&[u8], &[u8]) -> usize,
) -> usize {
    let is_from_start = same(b"ab", b"ac") == 1;
    let cut = |piece: &'a [u8], length: usize| match is_from_start {
        true => piece.split_at(length),
        false => {
            let (rest, end) = piece.split_at(piece.len() - length);
            (end, rest)
        }
    };
    let (mut left, mut right): (&[u8], &[u8]) = (b"", b"");
    let mut count = 0;
    loop {
        if left.is_empty() {
            left = a.next().map_or(b"".as_slice(), str::as_bytes);
        }
        if right.is_empty() {
            right = b.next().map_or(b"".as_slice(), str::as_bytes);
        }
        let length = left.len().min(right.len());
        if length == 0 {
            return count;
        }
        let ((mine, left_over), (theirs, right_over)) = (cut(left, length), cut(right, length));
        if mine != theirs {
            return count + same(mine, theirs);
        }
        count += length;
        (left, right) = (left_over, right_over);
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
            let mut document = TextDocument::new(&text);
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

    proptest! {
        /// What two texts have in common at both ends is what their strings have.
        #[test]
        fn common_ends_are_those_of_strings(
            start in "[aé😀\n]{0,30}", old in "[aé😀\n]{0,6}", new in "[aé😀\n]{0,6}", end in "[aé😀\n]{0,30}",
            times in 1usize..200,
        ) {
            let start = start.repeat(times);
            let (old, new) = (format!("{start}{old}{end}"), format!("{start}{new}{end}"));
            let (a, b) = (TextDocument::new(&old), TextDocument::new(&new));
            let prefix = a.common_prefix(&b);
            let suffix = a.common_suffix(&b, prefix);
            prop_assert!(prefix >= start.len());
            prop_assert_eq!(&old[..prefix], &new[..prefix]);
            prop_assert_eq!(&old[old.len() - suffix..], &new[new.len() - suffix..]);
            prop_assert!(prefix + suffix <= old.len().min(new.len()));
            let middle = (&old[prefix..old.len() - suffix], &new[prefix..new.len() - suffix]);
            if prefix + suffix < old.len().min(new.len()) {
                let same = middle.0.chars().next() == middle.1.chars().next();
                prop_assert!(!same, "{:?}", middle);
            }
        }

        /// A position is a place or says why it is none, and a place is one position.
        #[test]
        fn positions_are_exact(text in "([a-z]|\n|\r\n|é|😀){0,40}", at in position()) {
            let document = TextDocument::new(&text);
            let index = LineIndex::new(&text);
            match document.offset(at) {
                Ok(byte) => {
                    prop_assert_eq!(byte, index.offset(at, &text) as usize);
                    prop_assert_eq!(document.position(byte), at);
                }
                Err(BadPosition::Line) => prop_assert!(at.line >= index.line_count()),
                Err(BadPosition::Character) => {
                    let end = index.offset(Utf16Position { character: 99, ..at }, &text) as usize;
                    let start = index.line_start(at.line, &text) as usize;
                    prop_assert!(at.character as usize > text[start..end].encode_utf16().count());
                }
                Err(BadPosition::InsideCharacter) => {
                    let byte = index.offset(at, &text) as usize;
                    prop_assert!(text[byte..].starts_with('😀') || text[..byte].ends_with('😀'));
                }
            }
        }
    }

    #[test]
    fn a_snapshot_does_not_see_later_edits() {
        let mut document = TextDocument::new("one\ntwo");
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
