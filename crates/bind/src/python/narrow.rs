//! What conditions say about types.

use std::ops::Range;

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::PythonWalk;
use crate::facts::{Expr, ExprId, Literal, NONE};

/// An expression is, or is not, of a type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fact {
    of: ExprId,
    ty: ExprId,
    not: bool,
}

/// What is known where a condition holds, and where it does not.
#[derive(Debug, Default)]
pub(super) struct NarrowedFacts {
    pub(super) yes: Vec<Fact>,
    pub(super) no: Vec<Fact>,
}

impl<'t> PythonWalk<'t> {
    /// What is known in a stretch.
    pub(super) fn know(&mut self, facts: &[Fact], stretch: Range<usize>) {
        if stretch.start < stretch.end {
            for fact in facts {
                self.b.narrow(fact.of, stretch.clone(), fact.ty, fact.not);
            }
        }
    }

    /// Walks a condition and adds what it says.
    pub(super) fn condition(&mut self, node: Node<'t>, facts: &mut NarrowedFacts) -> ExprId {
        if !self.enter() {
            return NONE;
        }
        let value = match self.kind(node) {
            Kind::Not => self.negation(node, facts),
            Kind::Boolean => self.junction(node, facts),
            Kind::Parenthesized => {
                let children = self.open_named(node);
                let mut value = NONE;
                for at in children {
                    value = self.condition(self.child(at).node, facts);
                }
                self.close(children);
                value
            }
            Kind::Call => self.test(node, facts),
            _ => self.expr(node),
        };
        self.leave();
        value
    }

    fn negation(&mut self, node: Node<'t>, facts: &mut NarrowedFacts) -> ExprId {
        let mut inner = NarrowedFacts::default();
        if let Some(argument) = node.child_by_field_id(self.table.argument) {
            self.condition(argument, &mut inner);
        }
        facts.yes.append(&mut inner.no);
        facts.no.append(&mut inner.yes);
        let of = Literal::Boolean;
        self.b.expr(Expr::Literal { of })
    }

    /// `a and b`, `a or b`.
    fn junction(&mut self, node: Node<'t>, facts: &mut NarrowedFacts) -> ExprId {
        let children = self.open_named(node);
        let left = self.node_in(children, self.table.left);
        let right = self.node_in(children, self.table.right);
        self.close(children);
        let (Some(left), Some(right)) = (left, right) else {
            return NONE;
        };
        let operator = self.between(left, right);
        let mut of = NarrowedFacts::default();
        let first = self.condition(left, &mut of);
        let mut then = NarrowedFacts::default();
        if operator == "and" {
            self.know(&of.yes, right.byte_range());
            let second = self.condition(right, &mut then);
            facts.yes.append(&mut of.yes);
            facts.yes.append(&mut then.yes);
            return self.b.union(&[first, second]);
        }
        self.know(&of.no, right.byte_range());
        let second = self.condition(right, &mut then);
        facts.no.append(&mut of.no);
        facts.no.append(&mut then.no);
        self.b.union(&[first, second])
    }

    /// `isinstance(x, T)`, `issubclass(x, T)`.
    fn test(&mut self, node: Node<'t>, facts: &mut NarrowedFacts) -> ExprId {
        let call = self.expr(node);
        let function = node.child_by_field_id(self.table.function);
        let Expr::Call { of: callee, args } = self.b.facts.expr(call) else {
            return call;
        };
        let is_name = |expr: Expr| matches!(expr, Expr::Name { .. } | Expr::Member { .. });
        if function.is_none_or(|function| self.text(function) != "isinstance") {
            // It may be declared to tell what its first argument is.
            if let [of, ..] = *self.b.facts.list(args)
                && is_name(self.b.facts.expr(of))
                && is_name(self.b.facts.expr(callee))
            {
                let ty = self.b.expr(Expr::Unwrap { of: call });
                facts.yes.push(Fact { of, ty, not: false });
            }
            return call;
        }
        if let [of, ty] = *self.b.facts.list(args) {
            facts.yes.push(Fact { of, ty, not: false });
            facts.no.push(Fact { of, ty, not: true });
        }
        call
    }
}
