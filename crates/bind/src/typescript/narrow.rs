//! What tests say of values: `instanceof`, `typeof`, functions that guard.

use std::ops::Range;

use tree_sitter::Node;

use super::{Kind, Walk};
use crate::facts::{Expr, ExprId, Literal, NONE, Role, ScopeId, space};
use crate::nodes::children;

impl Walk<'_> {
    /// What a condition says about types where it holds and where it does not.
    pub(super) fn narrow_by(
        &mut self,
        condition: Node<'_>,
        scope: ScopeId,
        then: Option<Range<usize>>,
        otherwise: Option<Range<usize>>,
    ) {
        self.deeper((), |walk| {
            walk.narrow_by_now(condition, scope, then, otherwise);
        });
    }

    fn narrow_by_now(
        &mut self,
        condition: Node<'_>,
        scope: ScopeId,
        then: Option<Range<usize>>,
        otherwise: Option<Range<usize>>,
    ) {
        match self.kind(condition) {
            Kind::ParenthesizedExpression => {
                if let Some(inner) = children(condition).into_iter().next() {
                    self.narrow_by(inner, scope, then, otherwise);
                }
            }
            Kind::UnaryExpression if self.has(condition, "!") => {
                if let Some(inner) = self.field(condition, |table| table.argument) {
                    self.narrow_by(inner, scope, otherwise, then);
                }
            }
            Kind::BinaryExpression => {
                let (Some(left), Some(right)) = (
                    self.field(condition, |table| table.left),
                    self.field(condition, |table| table.right),
                ) else {
                    return;
                };
                if self.has(condition, "&&") {
                    self.narrow_by(left, scope, then.clone(), None);
                    self.narrow_by(right, scope, then, None);
                } else if self.has(condition, "||") {
                    self.narrow_by(left, scope, None, otherwise.clone());
                    self.narrow_by(right, scope, None, otherwise);
                } else if self.has(condition, "instanceof") {
                    let of = self.unwritten(left, scope);
                    let ty = self.unwritten(right, scope);
                    self.told(of, ty, then, otherwise);
                } else if self.has(condition, "===") || self.has(condition, "==") {
                    self.narrow_by_name(left, right, scope, then, otherwise);
                } else if self.has(condition, "!==") || self.has(condition, "!=") {
                    self.narrow_by_name(left, right, scope, otherwise, then);
                }
            }
            Kind::CallExpression => {
                self.narrow_by_call(condition, scope, then, otherwise);
            }
            _ => {}
        }
    }

    /// `isT(x)`: the function may say what its first argument is.
    fn narrow_by_call(
        &mut self,
        call: Node<'_>,
        scope: ScopeId,
        then: Option<Range<usize>>,
        otherwise: Option<Range<usize>>,
    ) {
        let (Some(function), Some(arguments)) = (
            self.field(call, |table| table.function),
            self.field(call, |table| table.arguments),
        ) else {
            return;
        };
        let Some(first) = children(arguments).into_iter().next() else {
            return;
        };
        let of = self.unwritten(first, scope);
        if of == NONE {
            return;
        }
        let function = self.unwritten(function, scope);
        if function != NONE {
            let of_call = Expr::Call {
                of: function,
                args: NONE,
            };
            let call = self.builder.expr(of_call);
            let ty = self.builder.expr(Expr::Unwrap { of: call });
            self.told(of, ty, then, otherwise);
        }
    }

    /// `typeof x === "function"`.
    fn narrow_by_name(
        &mut self,
        left: Node<'_>,
        right: Node<'_>,
        scope: ScopeId,
        then: Option<Range<usize>>,
        otherwise: Option<Range<usize>>,
    ) {
        let is_typeof = self.kind(left) == Kind::UnaryExpression && self.has(left, "typeof");
        let Some(subject) = self
            .field(left, |table| table.argument)
            .filter(|_| is_typeof)
        else {
            return;
        };
        let of = self.unwritten(subject, scope);
        let ty = match self.text(right).trim_matches(['"', '\'']) {
            "string" => self.builder.expr(Expr::Literal { of: Literal::Text }),
            "number" => self.builder.expr(Expr::Literal {
                of: Literal::Integer,
            }),
            "boolean" => self.builder.expr(Expr::Literal {
                of: Literal::Boolean,
            }),
            "function" => {
                let at = NONE;
                self.builder
                    .name_use("Function", scope, at, Role::Type, space::TYPE)
            }
            _ => return,
        };
        self.told(of, ty, then, otherwise);
    }

    /// What a test says of a value where it holds, and denies where it does not.
    fn told(
        &mut self,
        of: ExprId,
        ty: ExprId,
        then: Option<Range<usize>>,
        otherwise: Option<Range<usize>>,
    ) {
        if of == NONE || ty == NONE {
            return;
        }
        if let Some(range) = then {
            self.builder.narrow(of, range, ty, false);
        }
        if let Some(range) = otherwise {
            self.builder.narrow(of, range, ty, true);
        }
    }

    /// A chain of names once more, not as a use of them.
    fn unwritten(&mut self, node: Node<'_>, scope: ScopeId) -> ExprId {
        self.deeper(NONE, |walk| match walk.kind(node) {
            Kind::Identifier => {
                let name = walk.text(node);
                walk.builder
                    .name_use(name, scope, NONE, Role::Read, space::ANY)
            }
            Kind::This => walk.builder.expr(Expr::This { scope }),
            Kind::MemberExpression => {
                let (Some(object), Some(property)) = (
                    walk.field(node, |table| table.object),
                    walk.field(node, |table| table.property),
                ) else {
                    return NONE;
                };
                let of = walk.unwritten(object, scope);
                if of == NONE {
                    return NONE;
                }
                let name = walk.text(property);
                walk.builder
                    .member_use(of, name, NONE, Role::Read, space::ANY)
            }
            Kind::ParenthesizedExpression | Kind::NonNullExpression => {
                let inner = children(node).into_iter().next();
                inner.map_or(NONE, |inner| walk.unwritten(inner, scope))
            }
            _ => NONE,
        })
    }
}
