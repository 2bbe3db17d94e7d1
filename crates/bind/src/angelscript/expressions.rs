//! Expressions.

use tree_sitter::Node;

use crate::facts::{DefKind, Expr, ExprId, ListId, Literal, NONE, Role, ScopeId};
use crate::nodes;

use super::kinds::Kind;
use super::walk::{ANY_VALUE, AngelScriptChild, AngelScriptWalk, FUNCTION, NodeRange, VALUE};
use crate::children::ChildRange;

impl<'t> AngelScriptWalk<'t> {
    pub(super) fn is_expression(kind: Kind) -> bool {
        matches!(
            kind,
            Kind::Identifier
                | Kind::ScopedIdentifier
                | Kind::PrimitiveType
                | Kind::This
                | Kind::Number
                | Kind::Boolean
                | Kind::Null
                | Kind::String
                | Kind::ConcatenatedString
                | Kind::NameLiteral
                | Kind::FormatString
                | Kind::Parenthesized
                | Kind::Call
                | Kind::Cast
                | Kind::MemberAccess
                | Kind::Index
                | Kind::Unary
                | Kind::Update
                | Kind::Binary
                | Kind::Conditional
                | Kind::Assignment
                | Kind::Lambda
                | Kind::InitializerList
        )
    }

    /// What an expression gives.
    pub(super) fn expr(&mut self, child: AngelScriptChild<'t>, scope: ScopeId) -> ExprId {
        match child.kind {
            Kind::Identifier => self.name(child.node, scope, Role::Read, ANY_VALUE),
            Kind::This => self.b.expr(Expr::This { scope }),
            Kind::String | Kind::ConcatenatedString => self.literal("FString", scope),
            Kind::NameLiteral => self.literal("FName", scope),
            Kind::Number => {
                let text = self.text(child.node);
                let is_float = text.contains('.') && !text.starts_with("0x");
                self.b.literal(match is_float {
                    true => Literal::Float,
                    false => Literal::Integer,
                })
            }
            Kind::Boolean => self.b.literal(Literal::Boolean),
            Kind::Null => self.b.literal(Literal::Null),
            Kind::PrimitiveType => {
                let name = self.text(child.node);
                self.primitive(name, scope)
            }
            _ => self.deeper(NONE, |walk| walk.compound(child, scope)),
        }
    }

    fn literal(&mut self, of: &str, scope: ScopeId) -> ExprId {
        let of = self.primitive(of, scope);
        self.instance(of)
    }

    fn compound(&mut self, child: AngelScriptChild<'t>, scope: ScopeId) -> ExprId {
        match child.kind {
            Kind::ScopedIdentifier => self.scoped(child, scope, Role::Read, ANY_VALUE),
            Kind::TemplateType => self.template(child, scope),
            Kind::Call | Kind::MemberAccess | Kind::Index => self.chain(child.node, scope),
            Kind::Binary => self.binary(child.node, scope),
            Kind::FormatString => {
                self.format_string(child, scope);
                self.literal("FString", scope)
            }
            _ => {
                let children = self.open(child.node);
                let value = self.parts(child, children, scope);
                self.close(children);
                value
            }
        }
    }

    fn parts(
        &mut self,
        child: AngelScriptChild<'t>,
        children: ChildRange,
        scope: ScopeId,
    ) -> ExprId {
        match child.kind {
            Kind::Cast => self.cast(children, scope),
            Kind::Assignment => self.assignment(children, scope),
            Kind::Unary => {
                let of = self.field(children, self.table.operand, scope);
                match self.operator_in(children) {
                    "!" | "not" => self.b.literal(Literal::Boolean),
                    operator @ ("-" | "~") => {
                        let name = self.b.name(operator);
                        let (left, right) = (of, NONE);
                        self.b.expr(Expr::Operator { name, left, right })
                    }
                    _ => of,
                }
            }
            Kind::Update => {
                let of = self.field(children, self.table.operand, scope);
                self.b.set_role(of, Role::ReadWrite);
                of
            }
            Kind::Conditional => {
                let mut values = Vec::new();
                for i in children {
                    let part = self.child(i);
                    let value = self.expr(part, scope);
                    if part.field != self.table.condition {
                        values.push(value);
                    }
                }
                self.b.union(&values)
            }
            Kind::Lambda => self.lambda(child, children, scope),
            Kind::InitializerList => {
                self.all(children, scope);
                NONE
            }
            _ => self.all(children, scope),
        }
    }

    /// Reads all children; gives the last.
    fn all(&mut self, children: ChildRange, scope: ScopeId) -> ExprId {
        let mut value = NONE;
        for i in children {
            let part = self.child(i);
            if Self::is_expression(part.kind) {
                value = self.expr(part, scope);
            } else {
                self.statement(part, scope);
            }
        }
        value
    }

    fn field(&mut self, children: ChildRange, field: u16, scope: ScopeId) -> ExprId {
        match self.children.in_field(children, field) {
            Some(child) => self.expr(child, scope),
            None => NONE,
        }
    }

    fn operator_in(&self, children: ChildRange) -> &'t str {
        let operator = self.children.in_field(children, self.table.operator);
        operator.map_or("", |operator| self.text(operator.node))
    }

    fn cast(&mut self, children: ChildRange, scope: ScopeId) -> ExprId {
        let of = match self.children.in_field(children, self.table.ty) {
            Some(ty) => self.ty(ty, scope),
            None => NONE,
        };
        if let Some(arguments) = self.children.in_field(children, self.table.arguments) {
            self.arguments(arguments, scope, NONE);
        }
        self.instance(of)
    }

    fn assignment(&mut self, children: ChildRange, scope: ScopeId) -> ExprId {
        let to = self.field(children, self.table.left, scope);
        let is_plain = self.operator_in(children) == "=";
        let role = match is_plain {
            true => Role::Write,
            false => Role::ReadWrite,
        };
        self.b.set_role(to, role);
        let value = self.field(children, self.table.right, scope);
        if is_plain && to != NONE {
            self.b.assign(to, value);
        }
        to
    }

    /// `a.b(c)[d].e`, from its innermost end on.
    fn chain(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let table = self.table;
        self.left_chain(
            node,
            |walk, node| match walk.kind(node) {
                Kind::Call => nodes::child(node, table.function),
                Kind::MemberAccess | Kind::Index => nodes::child(node, table.object),
                _ => None,
            },
            |walk, node| {
                let child = walk.as_child(node);
                walk.expr(child, scope)
            },
            |walk, node, of| walk.link(node, of, scope),
        )
    }

    fn link(&mut self, node: Node<'t>, of: ExprId, scope: ScopeId) -> ExprId {
        let children = self.open(node);
        let value = match self.kind(node) {
            Kind::MemberAccess => match self.children.in_field(children, self.table.name) {
                Some(name) => self.member(of, name.node, Role::Read, VALUE),
                None => of,
            },
            Kind::Index => {
                let by = self.field(children, self.table.index, scope);
                self.b.expr(Expr::Index { of, by })
            }
            _ => {
                let arguments = self.children.in_field(children, self.table.arguments);
                self.call(of, arguments, scope)
            }
        };
        self.close(children);
        value
    }

    fn call(
        &mut self,
        of: ExprId,
        arguments: Option<AngelScriptChild<'t>>,
        scope: ScopeId,
    ) -> ExprId {
        self.b.set_role(of, Role::Call);
        let call = self.b.reserve();
        let args = match arguments {
            Some(arguments) => self.arguments(arguments, scope, call),
            None => NONE,
        };
        self.b.fill(call, Expr::Call { of, args });
        call
    }

    /// `T Name(1, 2)`: the arguments of the constructor of a type that was read already.
    pub(super) fn constructed(
        &mut self,
        of: Expr,
        arguments: AngelScriptChild<'t>,
        scope: ScopeId,
    ) -> ExprId {
        let of = match of {
            Expr::Name {
                name,
                scope,
                spaces,
                ..
            } => self.b.expr(Expr::Name {
                name,
                scope,
                at: NONE,
                role: Role::Call,
                spaces,
            }),
            _ => NONE,
        };
        let call = self.b.reserve();
        let args = self.arguments(arguments, scope, call);
        self.b.fill(call, Expr::Call { of, args });
        call
    }

    /// Arguments of a call that is reserved, or of nothing that has parameters ([`NONE`]).
    ///
    /// A name literal right behind an object may name a function of it: `AddUFunction(this, n"OnBroke")`, timers,
    /// constructors of delegates. Which functions take such names, no list has to say: the object's type does.
    fn arguments(&mut self, child: AngelScriptChild<'t>, scope: ScopeId, call: ExprId) -> ListId {
        let children = self.open(child.node);
        let mut args = Vec::with_capacity(children.len());
        let mut object = NONE;
        for i in children {
            let argument = self.child(i);
            let value = match argument.kind {
                Kind::NamedArgument => self.named_argument(argument, scope, call, object),
                Kind::NameLiteral => {
                    self.function_name(argument, object);
                    self.expr(argument, scope)
                }
                _ => self.expr(argument, scope),
            };
            object = match argument.kind {
                Kind::Identifier | Kind::This | Kind::MemberAccess | Kind::Call | Kind::Index => {
                    value
                }
                Kind::Cast => value,
                _ => NONE,
            };
            args.push(value);
        }
        self.close(children);
        self.b.list(&args)
    }

    fn function_name(&mut self, literal: AngelScriptChild<'t>, object: ExprId) {
        let text = self.text(literal.node);
        let inside = text
            .strip_prefix("n\"")
            .and_then(|text| text.strip_suffix('"'));
        let Some(name) = inside.filter(|name| object != NONE && is_identifier(name)) else {
            return;
        };
        let at = literal.start() as u32 + 2;
        self.b.member_use(object, name, at, Role::Read, FUNCTION);
    }

    fn named_argument(
        &mut self,
        child: AngelScriptChild<'t>,
        scope: ScopeId,
        call: ExprId,
        object: ExprId,
    ) -> ExprId {
        let children = self.open(child.node);
        let mut value = NONE;
        if let Some(given) = self.children.in_field(children, self.table.value) {
            if given.kind == Kind::NameLiteral {
                self.function_name(given, object);
            }
            value = self.expr(given, scope);
        }
        let named = match self.children.in_field(children, self.table.name) {
            Some(name) if call != NONE => {
                let at = name.start() as u32;
                let name = self.b.name(self.text(name.node));
                self.b.expr(Expr::Keyword {
                    call,
                    name,
                    at,
                    value,
                })
            }
            _ => value,
        };
        self.close(children);
        named
    }

    /// `a + b + c` in a loop: the tree leans to the left.
    fn binary(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let table = self.table;
        self.left_chain(
            node,
            |walk, node| {
                let is_link = walk.kind(node) == Kind::Binary;
                is_link.then(|| nodes::child(node, table.left))?
            },
            |walk, node| {
                let child = walk.as_child(node);
                walk.expr(child, scope)
            },
            |walk, node, left| {
                let right = match nodes::child(node, table.right) {
                    Some(right) => {
                        let right = walk.as_child(right);
                        walk.expr(right, scope)
                    }
                    None => NONE,
                };
                let operator = nodes::child(node, table.operator);
                let operator = operator.map_or("", |operator| walk.text(operator));
                let name = walk.b.name(operator);
                walk.b.expr(Expr::Operator { name, left, right })
            },
        )
    }

    fn format_string(&mut self, child: AngelScriptChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        for i in children {
            let part = self.child(i);
            if part.kind == Kind::FormatHole {
                let inner = self.open(part.node);
                self.field(inner, self.table.value, scope);
                self.close(inner);
            }
        }
        self.close(children);
    }

    fn lambda(
        &mut self,
        child: AngelScriptChild<'t>,
        children: ChildRange,
        scope: ScopeId,
    ) -> ExprId {
        let range: NodeRange = child.range();
        let def = self.b.define("", DefKind::Lambda, scope, NONE, range);
        self.callable(child, children, def, scope);
        self.b.expr(Expr::Function { def })
    }
}

fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
}
