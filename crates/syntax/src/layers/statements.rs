//! Statements: those of a file, side by side, where one ends and nothing of it is left to what follows; and those that
//! nothing but layout parts or nests, of which the layers say so.

use super::layer_digest::FILE;
use super::pass::LayerPass;
use super::region::Region;

impl LayerPass<'_> {
    /// Goes into a node of a kind.
    pub(super) fn go_in(&mut self, end: usize, kind: u16) {
        self.lists += usize::from(self.spec.layers.is_statement_list(kind));
        self.around.push((end, kind));
    }

    /// Leaves the innermost node.
    pub(super) fn go_out(&mut self) {
        if let Some((_, kind)) = self.around.pop() {
            self.lists -= usize::from(self.spec.layers.is_statement_list(kind));
        }
    }

    /// A node begins that is no declaration. Where it is one of several statements, the layer that its first token goes
    /// to says so: the line break or indentation before it is syntax. How deep it is nested in its declaration tells
    /// where the statements around it end.
    pub(super) fn begin_statement(&mut self) {
        let parent = self.around.last();
        if parent.is_some_and(|(_, kind)| self.spec.layers.is_statement_list(*kind)) {
            let outside = self.opens.last().map_or(0, |open| open.lists);
            self.statement = Some(self.lists.saturating_sub(outside));
        }
    }

    /// A token begins. Where it is an operator that begins a line, it begins a statement, whatever the grammar says.
    pub(super) fn line_operator(&mut self, start: usize, end: usize) {
        let token = self.slice(start..end);
        if end - start == 1 {
            self.brackets.token(token);
        }
        let is_new_line = std::mem::take(&mut self.is_new_line);
        if is_new_line
            && self.statement.is_none()
            && !self.brackets.is_inside()
            && let Some((_, kind)) = self.around.last()
            && self.spec.layers.is_line_operator(*kind, token)
        {
            let outside = self.opens.last().map_or(0, |open| open.lists);
            self.statement = Some(self.lists.saturating_sub(outside));
        }
    }

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
