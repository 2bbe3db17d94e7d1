//! From byte offsets to lines and UTF-16 characters and back.

use serde::{Deserialize, Serialize};

/// A place as editors count: line and UTF-16 unit, both from 0.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Utf16Position {
    /// Line from 0.
    pub line: u32,
    /// UTF-16 units from the start of the line.
    pub character: u32,
}

/// Where the lines of one text begin.
#[derive(Clone, Debug, Default)]
pub struct LineIndex {
    starts: Vec<u32>,
    ascii: bool,
}

impl LineIndex {
    /// Indexes `text`, which must be shorter than 4 GiB.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            let carriage_return_of_crlf = bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n');
            if !carriage_return_of_crlf {
                starts.push(at as u32 + 1);
            }
        }
        Self {
            starts,
            ascii: text.is_ascii(),
        }
    }

    /// Takes in that bytes were replaced; in `text`, which is how it is now, the new ones begin where
    /// the old ones did and end at `new_end`.
    pub fn edit(&mut self, replaced: std::ops::Range<usize>, new_end: usize, text: &str) {
        let bytes = text.as_bytes();
        let start = replaced.start;
        // Whether a line begins at a byte says that byte and the one before it.
        let kept = self
            .starts
            .partition_point(|at| (*at as usize) < start.max(1));
        let moved = self
            .starts
            .partition_point(|at| *at as usize <= replaced.end);
        let mut between = Vec::new();
        for at in start.saturating_sub(1)..new_end.min(bytes.len()) {
            let is_break = match bytes[at] {
                b'\n' => true,
                b'\r' => bytes.get(at + 1) != Some(&b'\n'),
                _ => false,
            };
            if is_break {
                between.push(at as u32 + 1);
            }
        }
        for at in &mut self.starts[moved..] {
            *at = (*at as usize + new_end - replaced.end) as u32;
        }
        self.starts.splice(kept..moved, between);
        self.ascii &= text.get(start..new_end).is_some_and(str::is_ascii);
    }

    /// How many lines there are; a text that ends with a line break ends with an empty line.
    #[must_use]
    pub fn line_count(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The line from 0 that holds the byte at `offset`.
    #[must_use]
    pub fn line_of(&self, offset: u32) -> u32 {
        self.starts.partition_point(|start| *start <= offset) as u32 - 1
    }

    /// The byte where line `line` begins; the text's end past the last line.
    #[must_use]
    pub fn line_start(&self, line: u32, text: &str) -> u32 {
        self.starts
            .get(line as usize)
            .copied()
            .unwrap_or(text.len() as u32)
    }

    /// The position of the byte at `offset` in `text`, the text this index was made of. An offset
    /// inside a character counts as the character's start, one past the end as the end.
    #[must_use]
    pub fn position(&self, offset: u32, text: &str) -> Utf16Position {
        let offset = text.floor_char_boundary(offset as usize) as u32;
        let line = self.line_of(offset);
        let start = self.starts[line as usize];
        let character = if self.ascii {
            offset - start
        } else {
            utf16_len(&text[start as usize..offset as usize])
        };
        Utf16Position { line, character }
    }

    /// The byte at `position`. A character past its line's end is the end of the line before its
    /// break, a line past the end is the end of the text; the inside of a surrogate pair is the
    /// pair's start.
    #[must_use]
    pub fn offset(&self, position: Utf16Position, text: &str) -> u32 {
        let Some(&start) = self.starts.get(position.line as usize) else {
            return text.len() as u32;
        };
        let end = self.line_start(position.line + 1, text);
        let line = text[start as usize..end as usize].trim_end_matches(['\n', '\r']);
        if self.ascii {
            return start + position.character.min(line.len() as u32);
        }
        let mut units = 0;
        for (at, character) in line.char_indices() {
            units += character.len_utf16() as u32;
            if units > position.character {
                return start + at as u32;
            }
        }
        start + line.len() as u32
    }
}

/// Length in UTF-16 units.
fn utf16_len(text: &str) -> u32 {
    text.chars().map(|c| c.len_utf16() as u32).sum()
}

/// The lines of a text one by one, each with what ends it: LF, CRLF or CR. Behind the last end there is none.
pub fn each_line(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let is_end = move |at: &usize| bytes[*at] == b'\n' || bytes.get(at + 1) != Some(&b'\n');
    let ends = memchr::memchr2_iter(b'\n', b'\r', bytes).filter(is_end);
    let ends = ends.map(|at| at + 1).chain(Some(text.len()));
    let mut start = 0;
    ends.map(move |end| &text[std::mem::replace(&mut start, end)..end])
        .filter(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_end_as_in_the_editor() {
        let lines: Vec<&str> = each_line("a\r\n\rb\n\nc\r").collect();
        assert_eq!(lines, ["a\r\n", "\r", "b\n", "\n", "c\r"]);
        assert_eq!(each_line("").count(), 0);
        assert_eq!(each_line("\r\n").collect::<String>(), "\r\n");
    }

    /// Lines as VS Code splits them, written the slow way.
    fn reference(text: &str, offset: usize) -> Utf16Position {
        let mut position = Utf16Position::default();
        let mut characters = text.char_indices().peekable();
        while let Some((at, c)) = characters.next() {
            if at >= offset {
                break;
            }
            let breaks = c == '\n' || (c == '\r' && characters.peek().map(|n| n.1) != Some('\n'));
            if breaks {
                position = Utf16Position {
                    line: position.line + 1,
                    character: 0,
                };
            } else {
                position.character += c.len_utf16() as u32;
            }
        }
        position
    }

    proptest! {
        #[test]
        fn agrees_with_the_reference(text in "([a-z]|\\n|\\r|\\r\\n|é|漢|😀|\u{2028}|\u{301}){0,60}") {
            let index = LineIndex::new(&text);
            for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
                prop_assert_eq!(index.position(offset as u32, &text), reference(&text, offset));
            }
        }

        #[test]
        fn positions_round_trip(text in any::<String>()) {
            let index = LineIndex::new(&text);
            for (offset, c) in text.char_indices() {
                let inside_crlf = c == '\n' && text[..offset].ends_with('\r');
                if !inside_crlf {
                    let position = index.position(offset as u32, &text);
                    prop_assert_eq!(index.offset(position, &text) as usize, offset);
                }
            }
        }

        #[test]
        fn any_position_is_inside(text in any::<String>(), line in 0u32..20, character in any::<u32>()) {
            let offset = LineIndex::new(&text).offset(Utf16Position { line, character }, &text);
            prop_assert!(text.is_char_boundary(offset as usize));
        }
    }

    #[test]
    fn inside_a_surrogate_pair_is_its_start() {
        let text = "a😀b";
        let index = LineIndex::new(text);
        assert_eq!(
            index.offset(
                Utf16Position {
                    line: 0,
                    character: 2
                },
                text
            ),
            1
        );
        assert_eq!(
            index.offset(
                Utf16Position {
                    line: 0,
                    character: 3
                },
                text
            ),
            5
        );
    }
}
