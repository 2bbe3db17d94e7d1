//! Strings and what is written in them.

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::PythonWalk;
use crate::facts::{Expr, ExprId, Literal};

impl<'t> PythonWalk<'t> {
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
        if !self.enter() {
            return;
        }
        if node.named_child_count() > 2 {
            let children = self.open_named(node);
            for at in children {
                let child = self.child(at).node;
                match self.kind(child) {
                    Kind::Interpolation => self.interpolation(child),
                    Kind::Text => self.interpolations(child),
                    _ => {}
                }
            }
            self.close(children);
        } else if self.kind(node) == Kind::Concatenated {
            let children = self.open_named(node);
            for at in children {
                self.interpolations(self.child(at).node);
            }
            self.close(children);
        }
        self.leave();
    }

    fn interpolation(&mut self, node: Node<'t>) {
        let children = self.open_named(node);
        for at in children {
            let child = self.child(at).node;
            if self.kind(child) == Kind::FormatSpecifier {
                let inner = self.open_named(child);
                for at in inner {
                    self.interpolation(self.child(at).node);
                }
                self.close(inner);
            } else {
                self.expr(child);
            }
        }
        self.close(children);
    }
}
