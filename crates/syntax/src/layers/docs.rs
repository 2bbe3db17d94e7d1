//! Doc comments: their words count, how they are set does not.

use std::ops::Range;

use crate::facts::ItemIndex;

/// A comment or string that documents something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DocPlace {
    pub(crate) range: Range<usize>,
    /// What it documents; [`super::FILE`] for the file.
    pub(crate) item: ItemIndex,
}

/// What comments start with, longest first, and docstrings.
const OPENERS: [&str; 14] = [
    "///<", "//!<", "///", "//!", "/**", "/*!", "//", "/*", "#:", "#", "\"\"\"", "'''", "*", "\"",
];
/// Of comments that begin with dashes, and of texts with a sigil.
const DASHED: [&str; 4] = ["---", "--[[", "--", "]]"];
const SIGILS: [&str; 5] = ["~S\"\"\"", "~s\"\"\"", "~S", "~s", "\"\"\""];
const CLOSERS: [&str; 4] = ["*/", "\"\"\"", "'''", "\""];

/// Splits documentation into its words and everything between them, in order.
pub(super) fn split<'t>(
    text: &'t str,
    mut word: impl FnMut(&'t str),
    mut rest: impl FnMut(&'t str),
) {
    let openers = if text.starts_with("--") {
        &DASHED[..]
    } else if text.starts_with('~') {
        &SIGILS[..]
    } else {
        &OPENERS[..]
    };
    for line in text.split_inclusive('\n') {
        let start = line.len() - line.trim_start().len();
        let end = line.trim_end().len().max(start);
        rest(&line[..start]);
        let mut inside = &line[start..end];
        // A line that ends a block may be nothing but its end.
        if !CLOSERS.contains(&inside)
            && let Some(opener) = openers.iter().find(|opener| inside.starts_with(**opener))
        {
            rest(&inside[..opener.len()]);
            inside = &inside[opener.len()..];
        }
        let closer = CLOSERS.iter().find(|closer| inside.ends_with(**closer));
        let tail = inside.len() - closer.map_or(0, |closer| closer.len());
        let (inside, closer) = inside.split_at(tail);
        let mut last = 0;
        for part in inside.split_whitespace() {
            let at = part.as_ptr() as usize - inside.as_ptr() as usize;
            rest(&inside[last..at]);
            word(part);
            last = at + part.len();
        }
        rest(&inside[last..]);
        rest(closer);
        rest(&line[end..]);
    }
}

#[cfg(test)]
mod tests {
    use super::split;

    fn words(text: &str) -> String {
        let (mut words, mut length) = (Vec::new(), 0);
        let mut between = Vec::new();
        split(text, |word| words.push(word), |rest| between.push(rest));
        length += words
            .iter()
            .chain(&between)
            .map(|part| part.len())
            .sum::<usize>();
        assert_eq!(length, text.len(), "every byte is in one of the two");
        words.join(" ")
    }

    #[test]
    fn words_are_told_from_what_sets_them() {
        for (text, expected) in [
            ("/// Adds  one.", "Adds one."),
            ("///Adds one.", "Adds one."),
            ("/** Adds one. */", "Adds one."),
            ("/**\n   * Adds\r\n   * one.\n   */", "Adds one."),
            ("\"\"\"Adds\n    one.\n    \"\"\"", "Adds one."),
            ("# Adds one.", "Adds one."),
            ("//! A * b", "A * b"),
            ("-- Adds one.", "Adds one."),
            ("--- Adds  one.", "Adds one."),
            ("~S\"\"\"\nAdds\n  one.\n\"\"\"", "Adds one."),
            ("", ""),
        ] {
            assert_eq!(words(text), expected, "{text:?}");
        }
    }
}
