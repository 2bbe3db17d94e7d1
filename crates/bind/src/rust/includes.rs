//! `include!("file.rs")`: what stands in the file stands in the place of the call. The place has a module of the level
//! [`INCLUDED`] without a name, and brings what the file has as a glob import does.

use tree_sitter::Node;

use super::kinds::Kind;
use super::tokens::all_children;
use super::walk::{Walk, spaces};
use crate::facts::{DefKind, Expr, NONE, Role, flag};
use crate::nodes::text;

/// The level of the module that stands for an included file.
const INCLUDED: u8 = 3;

impl<'t, 's> Walk<'t, 's> {
    /// The file that a call of `include!` names by texts; another argument is read as tokens are.
    pub(super) fn included_file(&mut self, tokens: Node<'t>) {
        let inside = all_children(tokens);
        let is_one_text = inside.iter().filter(|token| token.is_named()).count() == 1;
        if !is_one_text {
            // The names of `concat!` and `env!`.
            self.tokens(tokens, spaces::ANY, Role::Read);
        }
        let Some(path) = self.concatenated(inside) else {
            if is_one_text {
                self.tokens(tokens, spaces::ANY, Role::Read);
            }
            return;
        };
        let name = self.b.name(&path);
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

    /// The text that tokens are: a literal, or what `concat!` makes of several. What `env!("KEY")` gives is `$KEY` in it,
    /// and stands first. None where a part is something else, or the text is empty.
    fn concatenated(&self, mut open: Vec<Node<'t>>) -> Option<String> {
        let mut path = String::new();
        open.reverse();
        while let Some(token) = open.pop() {
            match self.kind(token) {
                Kind::TextLiteral | Kind::RawText => {
                    path.push_str(plain_text(text(token, self.text))?);
                }
                Kind::Identifier => {
                    let sign = open.pop().filter(|sign| sign.kind() == "!");
                    let arguments = open.pop().filter(|_| sign.is_some())?;
                    let arguments = all_children(arguments);
                    match self.unraw(token) {
                        "concat" => open.extend(arguments.into_iter().rev()),
                        "env" if path.is_empty() => {
                            let key = arguments.iter().find(|token| token.is_named())?;
                            path.push('$');
                            path.push_str(plain_text(text(*key, self.text))?);
                        }
                        _ => return None,
                    }
                }
                _ if token.is_extra() => {}
                _ if token.kind() == "integer_literal" => path.push_str(self.unraw(token)),
                _ if token.is_named() => return None,
                _ => {}
            }
        }
        (!path.is_empty()).then_some(path)
    }
}

/// What is between the quotes of a literal, raw or not; none where something in it stands for something else.
fn plain_text(literal: &str) -> Option<&str> {
    if let Some(raw) = literal.strip_prefix('r') {
        let raw = raw.trim_matches('#');
        return raw.strip_prefix('"')?.strip_suffix('"');
    }
    let text = literal.strip_prefix('"')?.strip_suffix('"')?;
    (!text.contains('\\')).then_some(text)
}
