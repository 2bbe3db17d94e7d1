//! Macros that say something of the declaration behind them and that the tree does not have: they are that
//! declaration's, as attributes are in the languages whose trees have them (SPEC AS1, H3).

use super::pass::LayerPass;
use super::region::Region;
use crate::walk::start_of_macros;

impl LayerPass<'_> {
    /// Keeps such macros at the end of what was not read between two places for the declaration that begins there. How
    /// long they are, with what parts them from it.
    pub(super) fn set_specifiers_apart(&mut self, from: usize, to: usize) -> usize {
        let begins = |index: &u32| {
            let item = self.facts.items.get(*index as usize);
            item.is_some_and(|item| item.start_byte as usize == to)
        };
        if !self.has_specifiers || !self.items.get(self.next).is_some_and(begins) {
            return 0;
        }
        let start = start_of_macros(self.text, &self.spec.specifier_macros, to).max(from);
        if start < to {
            // What is read without the place around it would lack them.
            self.note_trivia();
            self.specifiers = start..to;
        }
        to - start
    }

    /// Reads what was kept as attributes of the declaration that was just opened.
    pub(super) fn read_specifiers(&mut self, end: usize) {
        let range = std::mem::take(&mut self.specifiers);
        if range.is_empty() {
            return;
        }
        self.frame(end, Region::Attribute, &[]);
        let mut rest = self.slice(range);
        while !rest.is_empty() {
            let is_text = rest.starts_with('"');
            let length = match is_text {
                true => rest[1..].find('"').map(|end| end + 2),
                false => rest.find(|c: char| c == '"' || c.is_whitespace()),
            };
            let (part, behind) = rest.split_at(length.unwrap_or(rest.len()));
            let next = behind.trim_start();
            if is_text {
                self.literal(part);
            } else if !part.is_empty() {
                self.token(part, end, false);
            }
            self.gap = true;
            self.cosmetic(&behind[..behind.len() - next.len()]);
            rest = next;
        }
        self.settle_comma(true);
        self.pop();
        self.gap = true;
    }
}
