//! Which diffs of a plan an answer shows: a page of them within a number of tokens, the others by the cursor.

use codecortex_answer::cursor::{read_cursor, write_cursor};
use codecortex_protocol::ToolError;

use crate::tools::refactor::args::RefactorArgs;

/// What the diffs of a page may cost unless a caller says so, in tokens.
const DIFF_TOKENS: u32 = 1000;
/// Characters of a token.
const CHARACTERS: usize = 4;

/// A page of the files of a plan.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DiffPage {
    /// Files before it.
    pub(super) start: usize,
    revision: u32,
    /// The most characters of its diffs.
    most: usize,
}

impl DiffPage {
    /// The page that arguments ask for.
    pub(super) fn asked(args: &RefactorArgs, revision: u32) -> Result<Self, ToolError> {
        let tokens = args.diff_tokens.unwrap_or(DIFF_TOKENS) as usize;
        Ok(Self {
            start: read_cursor(args.cursor.as_deref())?,
            revision,
            most: tokens.saturating_mul(CHARACTERS),
        })
    }

    /// The first page, as it is where nobody asks for more.
    pub(super) fn first() -> Self {
        Self {
            most: DIFF_TOKENS as usize * CHARACTERS,
            ..Self::default()
        }
    }

    /// How many of the first diffs are shown; one alone that is too long is cut.
    pub(super) fn limit<'d>(self, diffs: impl Iterator<Item = &'d mut String>) -> usize {
        let (mut left, mut shown) = (self.most, 0);
        for diff in diffs {
            let length = diff.chars().count();
            if length > left && shown > 0 {
                break;
            }
            if length > left {
                *diff = cut(diff, left);
            }
            left = left.saturating_sub(length);
            shown += 1;
        }
        shown
    }

    /// The cursor of the page behind so many files of this one.
    pub(super) fn behind(self, shown: usize) -> String {
        write_cursor(self.start + shown, self.revision)
    }
}

/// The first whole lines of a diff, and how many more there are.
fn cut(diff: &str, most: usize) -> String {
    let total = diff.lines().count();
    let (mut out, mut left, mut kept) = (String::new(), most, 0);
    for line in diff.split_inclusive('\n') {
        let length = line.chars().count();
        if length > left {
            break;
        }
        left -= length;
        out.push_str(line);
        kept += 1;
    }
    let more = codecortex_protocol::counts::counted(total - kept, "more line");
    out + &format!("\u{2026} {more}; `diffTokens` shows them\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(most: usize) -> DiffPage {
        DiffPage {
            most,
            ..DiffPage::default()
        }
    }

    #[test]
    fn diffs_are_shown_while_they_fit() {
        let mut diffs = ["aaaa\n".to_owned(), "bbbb\n".to_owned(), "c\n".to_owned()];
        assert_eq!(page(10).limit(diffs.iter_mut()), 2);
        assert_eq!(page(100).limit(diffs.iter_mut()), 3);
        assert_eq!(diffs[0], "aaaa\n");
    }

    #[test]
    fn one_long_diff_is_cut_at_a_line() {
        let mut diffs = ["a\nbb\nccc\ndddd\n".to_owned(), "x\n".to_owned()];
        assert_eq!(page(6).limit(diffs.iter_mut()), 1);
        assert_eq!(
            diffs[0],
            "a\nbb\n\u{2026} 2 more lines; `diffTokens` shows them\n"
        );
    }
}
