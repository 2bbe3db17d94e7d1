//! Incremental parsing: a text again that has become another in one place.

use std::ops::Range;

use tree_sitter::{InputEdit, Point, Tree};

use crate::Language;
use crate::change::TextReplacement;
use crate::parser::parse_unambiguous;

/// Bytes that are compared at once.
const BLOCK: usize = 4096;

/// A text with its tree.
#[derive(Clone, Debug)]
pub(crate) struct Parsed {
    pub(crate) text: String,
    pub(crate) tree: Tree,
    /// What was replaced since the text was parsed, or read otherwise; the tree was told of it.
    told: Option<TextReplacement>,
}

impl Parsed {
    /// Parses a text, with what the tree of a similar one has in common with it.
    pub(crate) fn again(language: Language, text: String, known: Option<&Self>) -> Option<Self> {
        let old = known.map(|known| {
            let (mut tree, change) = known.moved_to(&text);
            if let Some(change) = change {
                touch(&mut tree, &text, change.inserted());
            }
            tree
        });
        let tree = parse_unambiguous(language, &text, old.as_ref())?;
        let told = None;
        Some(Self { text, tree, told })
    }

    /// The tree, told of what is another in a new text, and what that is.
    pub(crate) fn moved_to(&self, text: &str) -> (Tree, Option<TextReplacement>) {
        let mut tree = self.tree.clone();
        let Some(change) = differing(self.text.as_bytes(), text.as_bytes()) else {
            return (tree, self.told);
        };
        tree.edit(&InputEdit {
            start_byte: change.start,
            old_end_byte: change.old_end,
            new_end_byte: change.new_end,
            start_position: point(text, change.start),
            old_end_position: point(&self.text, change.old_end),
            new_end_position: point(text, change.new_end),
        });
        (
            tree,
            Some(self.told.map_or(change, |told| told.then(change))),
        )
    }

    /// Becomes another text, which is not parsed for that.
    pub(crate) fn move_to(&mut self, text: String) {
        let (tree, told) = self.moved_to(&text);
        *self = Self { text, tree, told };
    }

    /// The same where no more than one change was made, to the same bytes as in another text. `None`, and nothing
    /// is done, where such bytes are not there. Nothing is copied or compared: at 400 kB that takes as long as
    /// parsing an excerpt of them.
    pub(crate) fn apply(&mut self, change: TextReplacement, other: &str) -> Option<()> {
        let new = other.get(change.inserted())?;
        let old = self.text.get(change.replaced())?;
        let start = point(&self.text, change.start);
        self.tree.edit(&InputEdit {
            start_byte: change.start,
            old_end_byte: change.old_end,
            new_end_byte: change.new_end,
            start_position: start,
            old_end_position: behind(start, old),
            new_end_position: behind(start, new),
        });
        self.text.replace_range(change.replaced(), new);
        self.told = Some(self.told.map_or(change, |told| told.then(change)));
        Some(())
    }

    /// What was replaced since the text was parsed or read.
    pub(crate) fn told(&self) -> Option<TextReplacement> {
        self.told
    }

    /// All that was replaced has been read.
    pub(crate) fn was_read(&mut self) {
        self.told = None;
    }
}

/// The most bytes before and behind an edit that are read as tokens again.
const MAX_TOUCHED: usize = 64;

/// Has the parser read again what stands together with an edit, of a tree that was told of it. It takes over
/// tokens that it made where a text did not parse, also where it would read others now: of `non-seale` and `d`
/// in the next line three tokens are left, which are one without the line break. Where there is no error, it
/// does not.
pub(crate) fn touch(tree: &mut Tree, text: &str, edited: Range<usize>) {
    if !tree.root_node().has_error() {
        return;
    }
    let bytes = text.as_bytes();
    let is_part = |byte: &&u8| !byte.is_ascii_whitespace();
    let before = bytes[..edited.start].iter().rev().take(MAX_TOUCHED);
    let behind = bytes[edited.end..].iter().take(MAX_TOUCHED);
    let start = edited.start - before.take_while(is_part).count();
    let end = edited.end + behind.take_while(is_part).count();
    let (first, last) = (point(text, start), point(text, end));
    tree.edit(&InputEdit {
        start_byte: start,
        old_end_byte: end,
        new_end_byte: end,
        start_position: first,
        old_end_position: last,
        new_end_position: last,
    });
}

/// The row and byte column of a byte.
pub(crate) fn point(text: &str, byte: usize) -> Point {
    let before = &text.as_bytes()[..byte];
    let line = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    Point {
        row: memchr::memchr_iter(b'\n', before).count(),
        column: byte - line,
    }
}

/// Bytes and the letters, digits and underscores around them that are of the same word. `None` where they are not in
/// the text.
pub(crate) fn word_around(text: &str, bytes: Range<usize>) -> Option<Range<usize>> {
    let all = text.as_bytes();
    let head = all.get(..bytes.start)?.iter().rev();
    let tail = all.get(bytes.end..)?.iter();
    let head = head.take_while(|byte| is_of_word(**byte)).count();
    let tail = tail.take_while(|byte| is_of_word(**byte)).count();
    Some(bytes.start - head..bytes.end + tail)
}

/// Whether a text is letters, digits and underscores alone.
pub(crate) fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(is_of_word)
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Where a text ends that begins at a point.
fn behind(start: Point, text: &str) -> Point {
    let end = point(text, text.len());
    match end.row {
        0 => Point::new(start.row, start.column + end.column),
        rows => Point::new(start.row + rows, end.column),
    }
}

/// Where two texts differ: from the same byte on, up to ends of their own. Nothing where they do not.
pub(crate) fn differing(old: &[u8], new: &[u8]) -> Option<TextReplacement> {
    let start = same_at_start(old, new);
    if start == old.len() && start == new.len() {
        return None;
    }
    let same = same_at_end(&old[start..], &new[start..]);
    Some(TextReplacement {
        start,
        old_end: old.len() - same,
        new_end: new.len() - same,
    })
}

/// How many bytes two texts begin with in common.
pub(crate) fn same_at_start(a: &[u8], b: &[u8]) -> usize {
    let blocks = a.chunks(BLOCK).zip(b.chunks(BLOCK));
    let whole = blocks.take_while(|(a, b)| a == b);
    let known: usize = whole.map(|(a, _)| a.len()).sum();
    let rest = a[known..].iter().zip(&b[known..]);
    known + rest.take_while(|(a, b)| a == b).count()
}

/// How many bytes two texts end with in common.
fn same_at_end(a: &[u8], b: &[u8]) -> usize {
    let blocks = a.rchunks(BLOCK).zip(b.rchunks(BLOCK));
    let whole = blocks.take_while(|(a, b)| a == b);
    let known: usize = whole.map(|(a, _)| a.len()).sum();
    let (a, b) = (&a[..a.len() - known], &b[..b.len() - known]);
    let rest = a.iter().rev().zip(b.iter().rev());
    known + rest.take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn texts_differ_where_they_differ(
            head in "[ab]{0,20}",
            old in "[abc]{0,8}",
            new in "[abd]{0,8}",
            tail in "[ab]{0,20}",
            times in 1_usize..600,
        ) {
            let (head, tail) = (head.repeat(times), tail.repeat(times));
            let [old, new] = [old, new].map(|middle| [&*head, &*middle, &*tail].concat());
            let Some(at) = differing(old.as_bytes(), new.as_bytes()) else {
                prop_assert_eq!(old, new);
                return Ok(());
            };
            prop_assert_eq!(&old[..at.start], &new[..at.start]);
            prop_assert_eq!(&old[at.old_end..], &new[at.new_end..]);
            let (was, is) = (&old[at.start..at.old_end], &new[at.start..at.new_end]);
            prop_assert!(was.bytes().next() != is.bytes().next());
            prop_assert!(was.is_empty() || is.is_empty() || was.bytes().last() != is.bytes().last());
        }
    }
}
