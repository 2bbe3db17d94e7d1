//! Expressions.

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::GoWalk;
use crate::children::Child;
use crate::facts::{Expr, ExprId, IterationPart, Literal, NONE, Role, ScopeId, space};
use crate::nodes::child;

impl<'t> GoWalk<'t> {
    /// An expression. Chains (`a.b().c()`, `a + b + c`) are walked in a loop: they may be long.
    pub(super) fn expr(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        self.deeper(NONE, |walk| {
            walk.left_chain(
                node,
                Self::left_operand,
                |walk, first| walk.operand(first, scope),
                |walk, link, of| walk.applied(link, of, scope),
            )
        })
    }

    /// What a chain goes on with on its left.
    fn left_operand(&self, node: Node<'t>) -> Option<Node<'t>> {
        let field = match self.kind(node) {
            Kind::SelectorExpression
            | Kind::IndexExpression
            | Kind::SliceExpression
            | Kind::TypeAssertionExpression => self.table.operand,
            Kind::CallExpression => self.table.function,
            Kind::BinaryExpression => self.table.left,
            _ => return None,
        };
        child(node, field)
    }

    /// What a node of a chain makes of the operand before it.
    fn applied(&mut self, node: Node<'t>, of: ExprId, scope: ScopeId) -> ExprId {
        match self.kind(node) {
            Kind::SelectorExpression => {
                let Some(field) = child(node, self.table.field) else {
                    return NONE;
                };
                let at = field.start_byte() as u32;
                let name = self.text(field);
                self.b.member_use(of, name, at, Role::Read, space::ANY)
            }
            Kind::CallExpression => self.call(node, of, scope),
            Kind::IndexExpression => {
                let by = child(node, self.table.index);
                let by = by.map_or(NONE, |node| self.expr(node, scope));
                self.b.expr(Expr::Index { of, by })
            }
            Kind::SliceExpression => {
                let children = self.open(node);
                for at in children {
                    let Child {
                        field, node: child, ..
                    } = self.child(at);
                    if field != self.table.operand {
                        self.expr(child, scope);
                    }
                }
                self.close(children);
                of
            }
            Kind::TypeAssertionExpression => {
                let ty = child(node, self.table.ty);
                let of = ty.map_or(NONE, |node| self.ty(node, scope));
                self.b.expr(Expr::Value { of })
            }
            _ => self.binary(node, of, scope),
        }
    }

    fn binary(&mut self, node: Node<'t>, left: ExprId, scope: ScopeId) -> ExprId {
        let right = child(node, self.table.right);
        let right = right.map_or(NONE, |node| self.expr(node, scope));
        let operator = child(node, self.table.operator).map_or("", |node| self.text(node));
        match operator {
            "==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||" => self.literal(Literal::Boolean),
            "<<" | ">>" => left,
            // Operands have the same type, unless one is a constant that takes the other's.
            _ => match self.b.facts.expr(left) {
                Expr::Literal { .. } => right,
                _ => left,
            },
        }
    }

    fn literal(&mut self, of: Literal) -> ExprId {
        self.b.expr(Expr::Literal { of })
    }

    fn operand(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        match self.kind(node) {
            Kind::Identifier => self.name(node, scope, Role::Read),
            Kind::ParenthesizedExpression | Kind::VariadicArgument => self.inner(node, scope),
            Kind::UnaryExpression => self.unary(node, scope),
            Kind::CompositeLiteral => self.composite(node, scope),
            Kind::FuncLiteral => self.lambda(node, scope),
            Kind::TypeConversionExpression => {
                let ty = child(node, self.table.ty);
                let of = ty.map_or(NONE, |node| self.ty(node, scope));
                let operand = child(node, self.table.operand);
                let operand = operand.map_or(NONE, |operand| self.expr(operand, scope));
                // `f[A, B](x)` may as well be a function.
                if ty.is_some_and(|ty| self.kind(ty) == Kind::GenericType) {
                    let args = self.b.list(&[operand]);
                    return self.b.expr(Expr::Call { of, args });
                }
                self.b.expr(Expr::Value { of })
            }
            Kind::TypeInstantiationExpression => {
                let types = self.types(node, scope);
                let of = types.first().copied().unwrap_or(NONE);
                let args = self.b.list(types.get(1..).unwrap_or_default());
                self.b.expr(Expr::Apply { of, args })
            }
            Kind::TypeIdentifier
            | Kind::QualifiedType
            | Kind::GenericType
            | Kind::PointerType
            | Kind::ParenthesizedType
            | Kind::NegatedType
            | Kind::ArrayType
            | Kind::SliceType
            | Kind::ImplicitLengthArrayType
            | Kind::MapType
            | Kind::ChannelType
            | Kind::FunctionType
            | Kind::StructType
            | Kind::InterfaceType
            | Kind::TypeElem => self.ty(node, scope),
            Kind::RawString | Kind::InterpretedString => self.literal(Literal::Text),
            Kind::IntLiteral | Kind::Iota => self.literal(Literal::Integer),
            Kind::FloatLiteral | Kind::ImaginaryLiteral => self.literal(Literal::Float),
            Kind::RuneLiteral => self.literal(Literal::Character),
            Kind::True | Kind::False => self.literal(Literal::Boolean),
            Kind::Nil => self.literal(Literal::Null),
            _ => {
                self.children(node, scope);
                NONE
            }
        }
    }

    fn inner(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let children = self.open(node);
        let mut value = NONE;
        for at in children {
            value = self.expr(self.child(at).node, scope);
        }
        self.close(children);
        value
    }

    fn unary(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let Some(operand) = child(node, self.table.operand) else {
            return NONE;
        };
        let of = self.expr(operand, scope);
        match self.text.as_bytes().get(node.start_byte()) {
            Some(b'<') => self.b.expr(Expr::Iter {
                of,
                part: IterationPart::Element,
            }),
            Some(b'!') => self.literal(Literal::Boolean),
            _ => of,
        }
    }

    fn call(&mut self, node: Node<'t>, of: ExprId, scope: ScopeId) -> ExprId {
        self.b.set_role(of, Role::Call);
        let function = child(node, self.table.function);
        let builtin = function
            .filter(|node| self.kind(*node) == Kind::Identifier)
            .map_or("", |node| self.text(node));
        let mut entries = Vec::new();
        if let Some(list) = child(node, self.table.arguments) {
            let children = self.open(list);
            for at in children {
                entries.push(self.expr(self.child(at).node, scope));
            }
            self.close(children);
        }
        let first = entries.first().copied().unwrap_or(NONE);
        match builtin {
            "new" | "make" => {
                self.b.set_role(first, Role::Type);
                return self.b.expr(Expr::Value { of: first });
            }
            "append" | "min" | "max" => return first,
            "len" | "cap" | "copy" => return self.literal(Literal::Integer),
            _ => {}
        }
        let of = match child(node, self.table.type_arguments) {
            Some(list) => {
                let types = self.types(list, scope);
                let args = self.b.list(&types);
                self.b.expr(Expr::Apply { of, args })
            }
            None => of,
        };
        let args = self.b.list(&entries);
        self.b.expr(Expr::Call { of, args })
    }

    /// The expressions of a list.
    pub(super) fn expressions(&mut self, list: Node<'t>, scope: ScopeId) -> Vec<ExprId> {
        let children = self.open(list);
        let mut values = Vec::with_capacity(children.len());
        for at in children {
            values.push(self.expr(self.child(at).node, scope));
        }
        self.close(children);
        values
    }

    /// What each of `count` variables gets of a list: one each, or parts of the only one.
    pub(super) fn values(&mut self, list: Node<'t>, count: usize, scope: ScopeId) -> Vec<ExprId> {
        let values = self.expressions(list, scope);
        let ([one], true) = (&values[..], count > 1) else {
            return values;
        };
        self.results(*one, count)
    }

    /// What each of several variables gets of one value: results of a call, or the value and whether
    /// there is one.
    pub(super) fn results(&mut self, of: ExprId, count: usize) -> Vec<ExprId> {
        match self.b.facts.expr(of) {
            Expr::Index { .. } | Expr::Value { .. } | Expr::Iter { .. } => {
                vec![of, self.literal(Literal::Boolean)]
            }
            _ => (0..count as u32)
                .map(|index| self.b.expr(Expr::Entry { of, index }))
                .collect(),
        }
    }
}
