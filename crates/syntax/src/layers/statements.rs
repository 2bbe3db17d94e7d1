//! The statements of a file, side by side: where one ends, nothing of it is left to what follows.

use super::own::FILE;
use super::pass::Pass;
use super::region::Region;

impl Pass<'_> {
    /// Whether the current place is directly among what the file lists.
    pub(super) fn is_listed(&self) -> bool {
        let depth = self.around.len();
        let is_file = self.opens.last().is_some_and(|open| open.item == FILE);
        is_file
            && self.frames.last().is_some_and(|frame| match frame.region {
                Region::File => depth == frame.depth + 1,
                // A namespace that holds for the rest of the file.
                Region::Path => depth <= frame.depth,
                _ => false,
            })
    }

    /// What begins at a byte is the next thing that the file lists. A comment, or what parts two
    /// statements, is none itself: it may belong to what follows.
    pub(super) fn next_statement(&mut self, start: usize, is_statement: bool) {
        self.end_statement();
        if let Some(frame) = self.frames.last_mut() {
            frame.opened = is_statement.then_some(self.opened);
        }
        self.member_trivia.begin(start as u32);
        if let Some(file) = self.opens.last_mut() {
            file.begin(start as u32);
        }
    }

    /// What a comment says that was read last is of no member, because none follows: it can be read without what does.
    pub(super) fn end_comment(&mut self) {
        if self.comment_end == self.last {
            self.flush_at(self.last.saturating_sub(1));
        }
    }

    /// What stands at the end of a statement without declarations is its own.
    pub(super) fn end_statement(&mut self) {
        let before = self.frames.last().and_then(|frame| frame.opened);
        if before == Some(self.opened) {
            self.settle_comma(true);
            // It ends here: what follows may be read without it.
            self.flush_at(self.last.saturating_sub(1));
        }
    }
}
