//! Calls with type arguments behind `await` and other prefixes: `await f<T>(x).y` is `(await f)<T>(x).y` to the grammar.
//! What the prefix is of is the whole chain.

use tree_sitter::Node;

use super::kinds::Kind;
use super::state::{Prefix, Prefixes};
use super::walk::TypeScriptWalk;
use crate::facts::{Expr, ExprId, NONE, ScopeId};
use crate::nodes::named_children;

impl<'t> TypeScriptWalk<'t> {
    /// A link of a chain: what stands before the chain is not of this link alone.
    pub(super) fn link(&mut self, node: Node<'t>, scope: ScopeId, expected: ExprId) -> ExprId {
        self.deeper(NONE, |walk| walk.expression_now(node, scope, expected))
    }

    /// What is called, without what stands before it.
    pub(super) fn without_prefixes(
        &mut self,
        call: Node<'t>,
        callee: Node<'t>,
    ) -> (Node<'t>, Prefixes) {
        let at = call.start_byte() as u32;
        let (mut callee, mut of) = (callee, Vec::new());
        while let Some((prefix, inner)) = self.prefix_of(callee) {
            of.push(prefix);
            callee = inner;
        }
        (callee, Prefixes { at, of })
    }

    fn prefix_of(&mut self, node: Node<'t>) -> Option<(Prefix, Node<'t>)> {
        match self.kind(node) {
            Kind::AwaitExpression => {
                let mut inner = named_children(node).into_iter();
                let of = inner.find(|part| self.kind(*part) != Kind::Comment)?;
                Some((Prefix::Await, of))
            }
            Kind::UnaryExpression => {
                let of = self.field(node, |table| table.argument)?;
                let operator = self.field(node, |table| table.operator);
                let name = operator.map_or("", |operator| self.text(operator));
                let name = self.b.name(name);
                Some((Prefix::Operator(name), of))
            }
            _ => None,
        }
    }

    /// Keeps what stands before a call until its chain ends.
    pub(super) fn keep_prefixes(&mut self, prefixes: Prefixes) {
        if !prefixes.of.is_empty() {
            self.lang.prefixes = prefixes;
        }
    }

    /// The value of a whole expression, with what stands before the chain that it is.
    pub(super) fn prefixed(&mut self, node: Node<'t>, value: ExprId) -> ExprId {
        if self.lang.prefixes.of.is_empty() || self.lang.prefixes.at != node.start_byte() as u32 {
            return value;
        }
        let prefixes = std::mem::take(&mut self.lang.prefixes).of;
        prefixes.into_iter().rev().fold(value, |of, prefix| {
            self.b.expr(match prefix {
                Prefix::Await => Expr::Await { of },
                Prefix::Operator(name) => Expr::Operator {
                    name,
                    left: of,
                    right: NONE,
                },
            })
        })
    }
}
