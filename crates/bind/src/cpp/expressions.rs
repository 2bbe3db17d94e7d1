//! Expressions.

use tree_sitter::Node;

use super::kinds::Kind;
use super::names::In;
use super::walk::{At, Walk};
use crate::facts::{Expr, ExprId, Literal, NONE, Role, ScopeId, space};
use crate::nodes::{child, named_children};

impl<'t> Walk<'t> {
    /// Whether `struct` or its like stands before a name: `container_of(at, struct task, link)` gives a macro a type.
    fn is_behind_keyword(&self, at: usize) -> bool {
        let before = self.text.as_bytes().get(..at).unwrap_or_default();
        let Some(word) = before.strip_suffix(b" ") else {
            return false;
        };
        word.ends_with(b"struct") || word.ends_with(b"union") || word.ends_with(b"enum")
    }

    /// An expression. Chains (`a.b().c()`, `a << b << c`) are walked in a loop: they may be long.
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
            Kind::CallExpression => self.table.function,
            Kind::FieldExpression | Kind::SubscriptExpression => self.table.argument,
            Kind::BinaryExpression => self.table.left,
            _ => return None,
        };
        child(node, field)
    }

    /// What a node of a chain makes of the operand before it.
    fn applied(&mut self, node: Node<'t>, of: ExprId, scope: ScopeId) -> ExprId {
        match self.kind(node) {
            Kind::FieldExpression => self.field(node, of, scope),
            Kind::CallExpression => self.call(node, of, scope),
            Kind::SubscriptExpression => {
                let mut by = NONE;
                for field in [self.table.indices, self.table.index] {
                    match child(node, field) {
                        Some(list) if self.kind(list) == Kind::SubscriptArguments => {
                            for (_, index) in self.list_of(list) {
                                by = self.expr(index, scope);
                            }
                        }
                        Some(index) => by = self.expr(index, scope),
                        None => {}
                    }
                }
                self.b.expr(Expr::Index { of, by })
            }
            _ => self.binary(node, of, scope),
        }
    }

    fn field(&mut self, node: Node<'t>, of: ExprId, scope: ScopeId) -> ExprId {
        let operator = child(node, self.table.operator);
        let of = match operator {
            // A pointer to a member is a value of its own.
            Some(operator) if self.text(operator) == ".*" => {
                let name = child(node, self.table.field);
                return name.map_or(NONE, |name| {
                    self.last(In::Scope(scope), name, scope, Role::Read, space::ANY)
                });
            }
            Some(operator) if self.text(operator) == "->" => self.deref(of),
            _ => of,
        };
        match child(node, self.table.field) {
            Some(name) => self.last(In::Of(of), name, scope, Role::Read, space::VALUE),
            None => NONE,
        }
    }

    fn call(&mut self, node: Node<'t>, of: ExprId, scope: ScopeId) -> ExprId {
        let Some(list) = child(node, self.table.arguments) else {
            return NONE;
        };
        if let Expr::Apply { of: name, args } = self.b.facts.expr(of)
            && let Some(target) = self.cast_target(node, name, args)
        {
            self.arguments(list, NONE, scope);
            return self.b.expr(Expr::Value { of: target });
        }
        let callee = match self.b.facts.expr(of) {
            Expr::Apply { of, .. } => of,
            _ => of,
        };
        self.b.set_role(callee, Role::Call);
        if !self.needs_call(list) {
            let args = self.arguments(list, NONE, scope);
            return self.b.expr(Expr::Call { of, args });
        }
        let call = self.b.reserve();
        let args = self.arguments(list, call, scope);
        self.b.fill(call, Expr::Call { of, args });
        call
    }

    /// `offsetof(struct node, in.deep)`, which the grammar is shown as `((struct node)in.deep)`: the value is a path of members.
    fn offset(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        for (_, cast) in self.list_of(node) {
            let Some(ty) = child(cast, self.table.ty) else {
                continue;
            };
            let of = self.descriptor(ty, scope);
            let of = self.b.expr(Expr::Value { of });
            if let Some(path) = child(cast, self.table.value) {
                self.member_path(path, of, scope);
            }
        }
        self.literal(Literal::Integer)
    }

    /// `a.b[1].c` as members of something, one of the other.
    fn member_path(&mut self, node: Node<'t>, of: ExprId, scope: ScopeId) -> ExprId {
        self.deeper(NONE, |walk| {
            walk.left_chain(
                node,
                Self::left_operand,
                |walk, first| match walk.kind(first) {
                    Kind::Identifier => walk.use_of(In::Of(of), first, Role::Read, space::VALUE),
                    _ => walk.expr(first, scope),
                },
                |walk, link, of| walk.applied(link, of, scope),
            )
        })
    }

    /// The type of `static_cast<T>(…)` and its like.
    fn cast_target(&self, node: Node<'t>, name: ExprId, args: u32) -> Option<ExprId> {
        let function = child(node, self.table.function)?;
        if self.kind(function) != Kind::TemplateFunction {
            return None;
        }
        let (name, _, _) = self.b.facts.expr(name).written()?;
        matches!(
            self.b.facts.name(name),
            "static_cast" | "dynamic_cast" | "reinterpret_cast" | "const_cast"
        )
        .then(|| self.b.facts.list(args).first().copied())
        .flatten()
    }

    /// `1.5_km` calls `operator""_km`: its suffix is a use of that.
    fn user_defined_literal(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let parts = named_children(node);
        let Some(suffix) = parts.iter().find(|part| part.kind() == "literal_suffix") else {
            return NONE;
        };
        let name = format!("operator\"\"{}", self.text(*suffix));
        let at = suffix.start_byte() as u32;
        let of = self.use_text(In::Scope(scope), &name, at, Role::Read, space::VALUE);
        let args = self.b.list(&[]);
        self.b.expr(Expr::Call { of, args })
    }

    fn literal(&mut self, of: Literal) -> ExprId {
        self.b.expr(Expr::Literal { of })
    }

    fn binary(&mut self, node: Node<'t>, left: ExprId, scope: ScopeId) -> ExprId {
        let right = child(node, self.table.right);
        let right = right.map_or(NONE, |node| self.expr(node, scope));
        let operator = child(node, self.table.operator);
        let operator = operator.map_or("", |node| self.text(node));
        match operator {
            "==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||" | "and" | "or" | "not_eq" => {
                self.literal(Literal::Boolean)
            }
            _ => {
                let name = self.b.name(operator);
                self.b.expr(Expr::Operator { name, left, right })
            }
        }
    }

    fn operand(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        match self.kind(node) {
            Kind::Identifier => {
                let is_tag = self.is_behind_keyword(node.start_byte());
                let spaces = if is_tag {
                    super::walk::TAGS
                } else {
                    space::ANY
                };
                self.use_of(In::Scope(scope), node, Role::Read, spaces)
            }
            Kind::QualifiedIdentifier | Kind::TemplateFunction | Kind::OperatorName => {
                self.last(In::Scope(scope), node, scope, Role::Read, space::ANY)
            }
            // It begins with the last letter of `offsetof`.
            Kind::ParenthesizedExpression
                if self.text.as_bytes().get(node.start_byte()) != Some(&b'(') =>
            {
                self.offset(node, scope)
            }
            Kind::ParenthesizedExpression
            | Kind::ExtensionExpression
            | Kind::PackExpansion
            | Kind::SubscriptArguments => self.inner(node, scope),
            Kind::PointerExpression => {
                let of = child(node, self.table.argument);
                let of = of.map_or(NONE, |of| self.expr(of, scope));
                match self.text.as_bytes().get(node.start_byte()) {
                    Some(b'*') => self.deref(of),
                    _ => self.pointer(of),
                }
            }
            Kind::UnaryExpression => {
                let of = child(node, self.table.argument);
                let of = of.map_or(NONE, |of| self.expr(of, scope));
                match self.text.as_bytes().get(node.start_byte()) {
                    Some(b'!' | b'n') => self.literal(Literal::Boolean),
                    _ => of,
                }
            }
            Kind::UpdateExpression => {
                let target = child(node, self.table.argument);
                let of = target.map_or(NONE, |of| self.expr(of, scope));
                self.written(target, of, Role::ReadWrite);
                of
            }
            Kind::AssignmentExpression => self.assignment(node, scope),
            Kind::ConditionalExpression | Kind::CommaExpression => self.branches(node, scope),
            Kind::CastExpression | Kind::CompoundLiteral => self.cast(node, scope),
            Kind::NewExpression => self.new_object(node, scope),
            Kind::LambdaExpression => self.lambda(node, NONE, 0, scope),
            Kind::InitializerList => self.initializer(node, NONE, scope),
            Kind::AwaitExpression => {
                let of = child(node, self.table.argument);
                let of = of.map_or(NONE, |of| self.expr(of, scope));
                self.b.expr(Expr::Await { of })
            }
            Kind::SizeofExpression => {
                self.children(node, At::block(scope));
                self.literal(Literal::Integer)
            }
            Kind::OffsetofExpression => {
                let of = child(node, self.table.ty);
                let of = of.map_or(NONE, |of| self.descriptor(of, scope));
                let of = self.b.expr(Expr::Value { of });
                if let Some(name) = child(node, self.table.member) {
                    self.use_of(In::Of(of), name, Role::Read, space::VALUE);
                }
                self.literal(Literal::Integer)
            }
            Kind::UserDefinedLiteral => self.user_defined_literal(node, scope),
            Kind::This => {
                let of = self.b.expr(Expr::This { scope });
                self.b.expr(Expr::Pointer { of })
            }
            Kind::String | Kind::RawString => self.literal(Literal::Text),
            Kind::ConcatenatedString => {
                self.children(node, At::block(scope));
                self.literal(Literal::Text)
            }
            Kind::Character => self.literal(Literal::Character),
            Kind::Number => {
                let text = self.text(node);
                let is_float = !text.starts_with("0x") && text.contains(['.', 'e', 'E']);
                if is_float && text.ends_with(['f', 'F']) {
                    let of = self.primitive("float");
                    return self.b.expr(Expr::Value { of });
                }
                self.literal(if is_float {
                    Literal::Float
                } else {
                    Literal::Integer
                })
            }
            Kind::True | Kind::False => self.literal(Literal::Boolean),
            Kind::Null => self.literal(Literal::Null),
            Kind::TypeDescriptor
            | Kind::TypeIdentifier
            | Kind::TemplateType
            | Kind::PrimitiveType
            | Kind::SizedType
            | Kind::Decltype
            | Kind::DependentType => self.descriptor(node, scope),
            _ => {
                self.children(node, At::block(scope));
                NONE
            }
        }
    }

    fn inner(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let children = self.open(node);
        let mut value = NONE;
        for index in children {
            value = self.expr(self.child(index).node, scope);
        }
        self.close(children);
        value
    }

    /// Notes that a name or field is written; what `*p` and `a[i]` write is another thing.
    fn written(&mut self, target: Option<Node<'t>>, to: ExprId, role: Role) {
        let Some(mut target) = target else {
            return;
        };
        while self.kind(target) == Kind::ParenthesizedExpression {
            let Some(inner) = target.named_child(0) else {
                return;
            };
            target = inner;
        }
        if matches!(
            self.kind(target),
            Kind::Identifier | Kind::FieldExpression | Kind::QualifiedIdentifier
        ) {
            self.b.set_role(to, role);
        }
    }

    fn assignment(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let target = child(node, self.table.left);
        let to = target.map_or(NONE, |left| self.expr(left, scope));
        let plain = child(node, self.table.operator).is_none_or(|node| self.text(node) == "=");
        let role = if plain { Role::Write } else { Role::ReadWrite };
        self.written(target, to, role);
        let value = child(node, self.table.right);
        let value = value.map_or(NONE, |right| self.initializer(right, to, scope));
        if plain && to != NONE {
            self.b.assign(to, value);
        }
        to
    }

    /// `a ? b : c` is one of two, `a, b` the last.
    fn branches(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let is_comma = self.kind(node) == Kind::CommaExpression;
        let mut values = Vec::new();
        for (field, part) in self.list_of(node) {
            let value = self.expr(part, scope);
            if part.is_named() && field != self.table.condition && value != NONE {
                values.push(value);
            }
        }
        if is_comma {
            return values.last().copied().unwrap_or(NONE);
        }
        self.b.union(&values)
    }

    /// `(T) value` and `T{…}`.
    fn cast(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let of = child(node, self.table.ty);
        let of = of.map_or(NONE, |of| self.descriptor(of, scope));
        if let Some(list) = child(node, self.table.value)
            && self.kind(node) == Kind::CompoundLiteral
            && self.may_be_deduced(of, list)
        {
            return self.made_of(of, list, scope);
        }
        let value = self.b.expr(Expr::Value { of });
        if let Some(given) = child(node, self.table.value) {
            self.initializer(given, value, scope);
        }
        value
    }

    fn new_object(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let mut of = NONE;
        let mut arguments = None;
        let mut is_array = false;
        for (field, part) in self.list_of(node) {
            if field == self.table.ty {
                of = self.specifier(part, At::block(scope));
            } else if field == self.table.arguments {
                arguments = Some(part);
            } else if field == self.table.placement {
                self.arguments(part, NONE, scope);
            } else if part.is_named() {
                is_array |= field == self.table.declarator;
                self.item(part, At::block(scope));
            }
        }
        let call = self.b.reserve();
        let args = match arguments {
            Some(list) if self.kind(list) == Kind::ArgumentList => {
                self.arguments(list, call, scope)
            }
            Some(list) => {
                let value = self.b.expr(Expr::Value { of });
                self.initializer(list, value, scope);
                NONE
            }
            None => NONE,
        };
        if !is_array {
            let name = match self.b.facts.expr(of) {
                Expr::Apply { of, .. } => of,
                _ => of,
            };
            self.b.set_role(name, Role::Call);
        }
        self.b.fill(call, Expr::New { of, args });
        self.b.expr(Expr::Pointer { of: call })
    }
}
