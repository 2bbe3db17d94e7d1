//! Strings and what is written in them.

use tree_sitter::Node;

use super::{Kind, Walk};
use crate::facts::{Expr, ExprId, Literal};

impl<'t> Walk<'t> {
    /// A string, or several that stand beside one another.
    pub(super) fn string(&mut self, node: Node<'t>) -> ExprId {
        self.interpolations(node);
        let prefix = self.text(node).bytes().take_while(u8::is_ascii_alphabetic);
        let of = if prefix.into_iter().any(|byte| matches!(byte, b'b' | b'B')) {
            Literal::Bytes
        } else {
            Literal::Text
        };
        self.b.expr(Expr::Literal { of })
    }

    fn interpolations(&mut self, node: Node<'t>) {
        if self.enter() && node.named_child_count() > 2 {
            let kids = self.kids.named(node);
            for at in kids.all() {
                let child = self.kids.at(at).1;
                match self.kind(child) {
                    Kind::Interpolation => self.interpolation(child),
                    Kind::Text => self.interpolations(child),
                    _ => {}
                }
            }
            self.kids.close(kids);
        } else if self.kind(node) == Kind::Concatenated {
            let kids = self.kids.named(node);
            for at in kids.all() {
                self.interpolations(self.kids.at(at).1);
            }
            self.kids.close(kids);
        }
        self.leave();
    }

    fn interpolation(&mut self, node: Node<'t>) {
        let kids = self.kids.named(node);
        for at in kids.all() {
            let child = self.kids.at(at).1;
            if self.kind(child) == Kind::FormatSpecifier {
                let inner = self.kids.named(child);
                for at in inner.all() {
                    self.interpolation(self.kids.at(at).1);
                }
                self.kids.close(inner);
            } else {
                self.expr(child);
            }
        }
        self.kids.close(kids);
    }
}
