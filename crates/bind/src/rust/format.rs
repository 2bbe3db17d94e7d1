//! Names in format strings: `"{name:?}"`.

use tree_sitter::Node;

use super::walk::RustWalk;
use crate::facts::{Role, space};

impl<'t, 's> RustWalk<'t, 's> {
    /// The names that a string in a macro's arguments captures.
    pub(super) fn captures(&mut self, literal: Node<'_>) {
        let text = self.text.get(literal.byte_range()).unwrap_or("");
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            rest = &rest[open + 1..];
            if let Some(after) = rest.strip_prefix('{') {
                rest = after;
                continue;
            }
            let end = rest.find(['}', '{']).unwrap_or(rest.len());
            let inside = &rest[..end];
            if rest[end..].starts_with('}') {
                let at = literal.start_byte() + (text.len() - rest.len());
                self.placeholder(inside, at);
            }
            rest = &rest[end..];
        }
    }

    /// `name`, `name:width$.precision$`.
    fn placeholder(&mut self, inside: &'s str, at: usize) {
        let (name, how) = inside.split_once(':').unwrap_or((inside, ""));
        self.capture(name, at);
        let mut from = inside.len() - how.len();
        for part in how.split_inclusive(['$', '.', '>', '<', '^', '+', '#']) {
            if let Some(name) = part.strip_suffix('$') {
                self.capture(name, at + from);
            }
            from += part.len();
        }
    }

    fn capture(&mut self, name: &'s str, at: usize) {
        let mut letters = name.chars();
        let is_name = letters
            .next()
            .is_some_and(|first| first.is_alphabetic() || first == '_')
            && letters.all(|next| next.is_alphanumeric() || next == '_');
        if is_name {
            self.b
                .name_use(name, self.lang.scope, at as u32, Role::Read, space::VALUE);
        }
    }
}
