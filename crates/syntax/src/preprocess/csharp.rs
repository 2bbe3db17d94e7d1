//! C# as its grammar reads it: conditional directives, pointers and texts that it takes for something else.

mod async_contexts;
mod compound_operators;
mod conditional_branches;
mod contextual_names;
mod directives;
mod extension_blocks;
mod labeled_jumps;
mod list_patterns;
mod literals;
mod null_assignments;
mod pointers;
mod rewrites;
mod scan;
mod split_headers;
#[cfg(test)]
mod tests;
mod tokens;
mod union_types;

use std::borrow::Cow;
use std::ops::Range;

use self::directives::{has_directives, without_directives};
use super::blank::lines_around;
use crate::change::TextReplacement;
use crate::reparse::{is_word, word_around};

/// A text with what its grammar cannot read of directives, pointers and texts blanked, and conditional branches joined.
pub(super) fn preprocess(text: &str) -> Cow<'_, str> {
    rewrites::without(pointers::without(without_directives(text)))
}

/// Words by which [`Scan`](scan::Scan) tells what a bracket or a token stands for.
const WORDS: [&str; 25] = [
    "new",
    "enum",
    "stackalloc",
    "class",
    "struct",
    "interface",
    "record",
    "switch",
    "with",
    "is",
    "case",
    "not",
    "and",
    "or",
    "default",
    "else",
    "catch",
    "finally",
    "get",
    "set",
    "init",
    "add",
    "remove",
    "public",
    "if",
];

/// Whether what a text has to blank is what the text before had, at most moved: where letters of a word came or
/// went that is in no directive and none of [`WORDS`], before or now.
pub(super) fn keeps(before: &str, text: &str, change: TextReplacement) -> bool {
    let is_plain = |text: &str, bytes: Range<usize>| -> Option<bool> {
        let around = word_around(text, bytes.clone())?;
        let line = memchr::memrchr(b'\n', &text.as_bytes()[..bytes.start]);
        let line = line.map_or(0, |end| end + 1);
        let is_inside = around.start < bytes.start && bytes.end < around.end;
        let is_code = !text.get(line..bytes.start)?.trim_start().starts_with('#');
        let word = text.get(around)?;
        let is_known = WORDS.contains(&word)
            || conditional_branches::decides(word)
            || pointers::decides(word)
            || rewrites::decides(word);
        Some(is_inside && is_code && is_word(word) && !is_known)
    };
    is_plain(before, change.replaced()) == Some(true)
        && is_plain(text, change.inserted()) == Some(true)
}

/// Whether a text may have something to blank.
pub(super) fn may_blank(text: &str) -> bool {
    has_directives(text) || pointers::may_have(text) || rewrites::may_have(text)
}

/// Whether a text has nothing of what [`may_blank`] looks for, as it had before an edit brought some bytes.
pub(super) fn stays_as_written(text: &str, new: Range<usize>) -> bool {
    let lines = lines_around(text, new);
    let before = text[..lines.start].trim_end(); // a directive's word may be in another line
    !before.ends_with('#')
        && memchr::memchr(b'#', &text.as_bytes()[lines.clone()]).is_none()
        && !pointers::may_have(&text[lines.clone()])
        && !rewrites::may_bring(&text[lines])
}
