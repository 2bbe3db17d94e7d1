//! `include!("file.rs")`: what stands in the file stands in the place of the call. The place has a module of the level
//! [`INCLUDED`] without a name, and brings what the file has as a glob import does.

use tree_sitter::Node;

use super::kinds::Kind;
use super::tokens::all_children;
use super::walk::{Walk, spaces};
use crate::facts::{DefKind, Expr, NONE, Role, flag};

/// The level of the module that stands for an included file.
const INCLUDED: u8 = 3;

impl<'t, 's> Walk<'t, 's> {
    /// The file that a call of `include!` names by a text; another argument is read as tokens are.
    pub(super) fn included_file(&mut self, tokens: Node<'t>) {
        let children = all_children(tokens);
        let inside = children.iter().filter(|child| child.is_named());
        let inside: Vec<Node<'t>> = inside.copied().collect();
        let path = match inside[..] {
            [text] if self.kind(text) == Kind::TextLiteral => self.unraw(text).trim_matches('"'),
            _ => "",
        };
        if path.is_empty() || path.contains('\\') {
            self.tokens(tokens, spaces::ANY, Role::Read);
            return;
        }
        let name = self.b.name(path);
        let value = self.b.expr(Expr::Module {
            name,
            at: NONE,
            level: INCLUDED,
        });
        let scope = self.lang.scope;
        let range = tokens.byte_range();
        let def = self.b.define("", DefKind::Module, scope, NONE, range);
        let edit = self.b.edit(def);
        (edit.value, edit.spaces) = (value, 0);
        self.b.glob_import(scope, value, flag::EXPORTED);
    }
}
