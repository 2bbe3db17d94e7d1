//! What one of several tests says: `x instanceof A || isB(x)`.

use std::ops::Range;

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::TypeScriptWalk;
use crate::facts::{ExprId, NONE, ScopeId};

/// Of more tests than these nothing is said.
const MAX: usize = 16;

impl<'t> TypeScriptWalk<'t> {
    /// What a value is where one of several tests of it holds, or one of several that deny something fails.
    pub(super) fn narrow_by_disjunction(
        &mut self,
        condition: Node<'t>,
        scope: ScopeId,
        holds: bool,
        range: Option<Range<usize>>,
    ) {
        let mut tests = Vec::new();
        if range.is_none() || !self.either(condition, holds, &mut tests) {
            return;
        }
        let Some((subject, _)) = tests.first().copied() else {
            return;
        };
        let is_one = tests
            .iter()
            .all(|(other, _)| self.text(*other) == self.text(subject));
        if !is_one || tests.len() < 2 {
            return;
        }
        let of = self.unwritten(subject, scope);
        let types: Vec<ExprId> = tests
            .into_iter()
            .map(|(_, test)| self.tested_type(test, scope))
            .collect();
        if of != NONE && !types.contains(&NONE) {
            let ty = self.b.union(&types);
            self.narrowed(of, ty, range, None);
        }
    }

    /// The tests of which one says what a value is, each with what it is of; whether there is nothing else.
    fn either(
        &self,
        condition: Node<'t>,
        holds: bool,
        tests: &mut Vec<(Node<'t>, Node<'t>)>,
    ) -> bool {
        let between = if holds { "||" } else { "&&" };
        let mut open = vec![(condition, holds)];
        while let Some((node, says)) = open.pop() {
            let inner = match self.kind(node) {
                Kind::ParenthesizedExpression => node.named_child(0),
                Kind::UnaryExpression if self.has(node, "!") => {
                    self.field(node, |table| table.argument)
                }
                _ => None,
            };
            let left = self.field(node, |table| table.left);
            let right = self.field(node, |table| table.right);
            if let Some(inner) = inner {
                let turns = self.kind(node) == Kind::UnaryExpression;
                open.push((inner, says != turns));
            } else if let (Some(left), Some(right), true) =
                (left, right, says == holds && self.has(node, between))
            {
                open.extend([(right, says), (left, says)]);
            } else {
                match self.subject(node).filter(|_| says) {
                    Some(subject) if tests.len() < MAX => tests.push((subject, node)),
                    _ => return false,
                }
            }
        }
        true
    }

    /// What a test is of.
    fn subject(&self, test: Node<'t>) -> Option<Node<'t>> {
        match self.kind(test) {
            Kind::BinaryExpression if self.has(test, "instanceof") => {
                self.field(test, |table| table.left)
            }
            Kind::CallExpression => {
                let arguments = self.field(test, |table| table.arguments)?;
                arguments.named_child(0)
            }
            _ => None,
        }
    }

    fn tested_type(&mut self, test: Node<'t>, scope: ScopeId) -> ExprId {
        if let Some(function) = self.field(test, |table| table.function) {
            return self.jsdoc_by(function, scope);
        }
        let class = self.field(test, |table| table.right);
        class.map_or(NONE, |class| self.unwritten(class, scope))
    }
}
