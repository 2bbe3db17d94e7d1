//! Modules that a macro of the same file brings in wholesale where it is called for items: `tests!(input)` where
//! `macro_rules! tests` has `use super::*;` among what it gives.

use tree_sitter::Node;

use super::kinds::Kind;
use super::tokens::all_children;
use super::walk::RustWalk;

impl<'t, 's> RustWalk<'t, 's> {
    /// Keeps how many modules up the one is that a macro brings in, if it does.
    pub(super) fn keep_macro_glob(&mut self, name: &str, definition: Node<'t>) {
        let bodies = all_children(definition)
            .into_iter()
            .filter(|rule| self.kind(*rule) == Kind::MacroRule)
            .filter_map(|rule| rule.child_by_field_id(self.table.right));
        let levels = bodies.filter_map(|body| self.levels_of_glob(body)).max();
        match levels {
            Some(levels) => self.lang.shared.macro_globs.insert(name.to_owned(), levels),
            None => self.lang.shared.macro_globs.remove(name),
        };
    }

    /// How far up `use super::*;` leads that stands right in a body.
    fn levels_of_glob(&self, body: Node<'t>) -> Option<u32> {
        let tokens: Vec<&str> = all_children(body)
            .into_iter()
            .map(|token| self.unraw(token))
            .collect();
        let mut starts = tokens
            .iter()
            .enumerate()
            .filter(|(_, text)| **text == "use");
        starts.find_map(|(start, _)| {
            let mut rest = tokens.get(start + 1..)?.chunks(2);
            let levels = rest
                .by_ref()
                .take_while(|pair| *pair == ["super", "::"])
                .count();
            let end = tokens.get(start + 1 + 2 * levels..)?;
            (levels > 0 && end.starts_with(&["*", ";"])).then_some(levels as u32)
        })
    }

    /// Brings in what a macro does that is called for items.
    pub(super) fn expand_macro_glob(&mut self, macro_name: &str) {
        if let Some(levels) = self.lang.shared.macro_globs.get(macro_name).copied() {
            let of = self.ancestor(levels);
            self.b.glob_import(self.lang.scope, of, 0);
        }
    }
}
