//! Expressions.

use crate::facts::{DefKind, Expr, ExprId, ListId, Literal, NONE, Role, ScopeId};
use crate::nodes;

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::{AMBIGUOUS, Introduced, JavaChild, JavaWalk, METHOD, TYPE, VALUE};
use crate::children::ChildRange;
use crate::contextual::ContextualType;

impl<'t> JavaWalk<'t> {
    /// What an expression gives.
    pub(super) fn expr(
        &mut self,
        child: JavaChild<'t>,
        scope: ScopeId,
        context: ContextualType,
    ) -> ExprId {
        match child.kind {
            Kind::Identifier | Kind::TypeIdentifier => {
                self.name(child.node, scope, Role::Read, VALUE)
            }
            Kind::StringLiteral => self.b.literal(Literal::Text),
            Kind::DecimalInteger | Kind::HexInteger | Kind::OctalInteger | Kind::BinaryInteger => {
                self.number(child, scope, Literal::Integer)
            }
            Kind::DecimalFloat | Kind::HexFloat => self.number(child, scope, Literal::Float),
            Kind::CharacterLiteral => self.b.literal(Literal::Character),
            Kind::True | Kind::False => self.b.literal(Literal::Boolean),
            Kind::NullLiteral => self.b.literal(Literal::Null),
            Kind::This => self.b.expr(Expr::This { scope }),
            Kind::Super => self.b.expr(Expr::Super { scope }),
            _ => {
                if !self.enter() {
                    return NONE;
                }
                let value = self.compound(child, scope, context);
                self.leave();
                value
            }
        }
    }

    fn compound(
        &mut self,
        child: JavaChild<'t>,
        scope: ScopeId,
        context: ContextualType,
    ) -> ExprId {
        match child.kind {
            Kind::MethodInvocation | Kind::FieldAccess | Kind::ArrayAccess => {
                self.chain(child, scope, VALUE)
            }
            Kind::Binary => self.binary(child.node, scope),
            Kind::Lambda => self.lambda(child, scope, context),
            Kind::SwitchExpression => self.switch(child, scope, context),
            _ if Self::is_type(child.kind) || child.kind == Kind::Block => {
                self.statement(child, scope);
                NONE
            }
            _ => {
                let children = self.open(child.node);
                let value = self.parts(child, children, scope, context);
                self.close(children);
                value
            }
        }
    }

    fn parts(
        &mut self,
        child: JavaChild<'t>,
        children: ChildRange,
        scope: ScopeId,
        context: ContextualType,
    ) -> ExprId {
        match child.kind {
            Kind::Parenthesized => self.last(children, scope, context),
            Kind::Assignment => self.assignment(children, scope),
            Kind::Unary => self.unary(child, children, scope),
            Kind::Update => {
                let value = self.last(children, scope, ContextualType::Nothing);
                self.b.set_role(value, Role::ReadWrite);
                value
            }
            Kind::Ternary => self.ternary(children, scope, context),
            Kind::Cast => self.cast(children, scope),
            Kind::InstanceOf => self.instance_of(children, scope),
            Kind::ObjectCreation => self.creation(children, scope),
            Kind::ArrayCreation => self.array_creation(children, scope),
            Kind::ArrayInitializer => self.array_initializer(children, scope, context),
            Kind::ClassLiteral => self.class_literal(children, scope),
            Kind::MethodReference => self.method_reference(child, children, scope),
            _ => self.unknown(children, scope),
        }
    }

    /// A number: its last letter may say what it is.
    fn number(&mut self, child: JavaChild<'t>, scope: ScopeId, of: Literal) -> ExprId {
        let text = self.text(child.node);
        let is_hex = text.starts_with("0x") || text.starts_with("0X");
        let said = match (text.as_bytes().last(), of) {
            (Some(b'l' | b'L'), Literal::Integer) => "long",
            // A digit where the number is written with sixteen of them, but not behind its exponent.
            (Some(b'f' | b'F'), Literal::Float) => "float",
            (Some(b'f' | b'F'), _) if !is_hex => "float",
            (Some(b'd' | b'D'), _) if !is_hex => "double",
            _ => return self.b.literal(of),
        };
        let of = self.unwritten_type(said, scope);
        self.b.expr(Expr::Value { of })
    }

    /// Where nothing is known of a node: what is in it is read all the same.
    fn unknown(&mut self, children: ChildRange, scope: ScopeId) -> ExprId {
        for i in children {
            let child = self.child(i);
            self.statement(child, scope);
        }
        NONE
    }

    fn last(&mut self, children: ChildRange, scope: ScopeId, context: ContextualType) -> ExprId {
        let mut value = NONE;
        for i in children {
            let child = self.child(i);
            value = self.expr(child, scope, context);
        }
        value
    }

    fn field_expr(
        &mut self,
        children: ChildRange,
        field: u16,
        scope: ScopeId,
        context: ContextualType,
    ) -> ExprId {
        match self.children.in_field(children, field) {
            Some(child) => self.expr(child, scope, context),
            None => NONE,
        }
    }

    fn assignment(&mut self, children: ChildRange, scope: ScopeId) -> ExprId {
        let to = self.field_expr(children, self.table.left, scope, ContextualType::Nothing);
        let operator = self.children.in_field(children, self.table.operator);
        let plain = operator.is_some_and(|operator| self.text(operator.node) == "=");
        let role = if plain { Role::Write } else { Role::ReadWrite };
        self.b.set_role(to, role);
        let value = self.field_expr(children, self.table.right, scope, ContextualType::Same(to));
        if plain && to != NONE {
            self.b.assign(to, value);
        }
        to
    }

    fn unary(&mut self, child: JavaChild<'t>, children: ChildRange, scope: ScopeId) -> ExprId {
        let not = self.text(child.node).starts_with('!');
        self.lang.negated ^= not;
        let mut operand = NONE;
        for i in children {
            let child = self.child(i);
            if child.field != self.table.operator {
                operand = self.expr(child, scope, ContextualType::Nothing);
            }
        }
        self.lang.negated ^= not;
        if not {
            self.b.literal(Literal::Boolean)
        } else {
            operand
        }
    }

    fn ternary(&mut self, children: ChildRange, scope: ScopeId, context: ContextualType) -> ExprId {
        self.field_expr(
            children,
            self.table.condition,
            scope,
            ContextualType::Nothing,
        );
        let yes = self.field_expr(children, self.table.consequence, scope, context);
        let no = self.field_expr(children, self.table.alternative, scope, context);
        self.b.union(&[yes, no])
    }

    fn cast(&mut self, children: ChildRange, scope: ScopeId) -> ExprId {
        let mut ty = NONE;
        for i in children {
            let child = self.child(i);
            if child.field == self.table.ty {
                let of = self.ty(child, scope);
                if ty == NONE {
                    ty = of;
                }
            } else {
                self.expr(child, scope, ContextualType::Type(ty));
            }
        }
        self.b.expr(Expr::Value { of: ty })
    }

    /// `x instanceof T`, `x instanceof T t`, `x instanceof R(var a)`.
    fn instance_of(&mut self, children: ChildRange, scope: ScopeId) -> ExprId {
        let subject = self.field_expr(children, self.table.left, scope, ContextualType::Nothing);
        let mut ty = NONE;
        for i in children {
            let child = self.child(i);
            if child.field == self.table.right {
                ty = self.ty(child, scope);
            } else if child.field == self.table.name {
                self.pattern_variable(child, scope, ty, NONE);
            } else if child.kind == Kind::RecordPattern {
                self.pattern(child, scope, subject);
            }
        }
        self.b.literal(Literal::Boolean)
    }

    /// A variable of a pattern, of a type or, with `var`, of the value it is matched with.
    pub(super) fn pattern_variable(
        &mut self,
        child: JavaChild<'t>,
        scope: ScopeId,
        ty: ExprId,
        value: ExprId,
    ) {
        let name = self.text(child.node);
        if name.is_empty() || child.kind != Kind::Identifier {
            return;
        }
        let at = child.start() as u32;
        let def = self
            .b
            .define(name, DefKind::Variable, scope, at, child.range());
        let made = self.b.edit(def);
        made.spaces = VALUE;
        made.from = at;
        made.ty = ty;
        made.value = value;
        let negated = self.lang.negated;
        self.lang.introduced.push(Introduced { def, negated });
    }

    /// A chain of binary operators.
    fn binary(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        self.left_chain(
            node,
            |walk, link| match walk.kind(link) {
                Kind::Binary => nodes::child(link, walk.table.left),
                _ => None,
            },
            |walk, first| match walk.kind(first) {
                // Without a left operand.
                Kind::Binary => walk.binary_link(first, NONE, scope),
                _ => walk.expr(walk.as_child(first), scope, ContextualType::Nothing),
            },
            |walk, link, left| walk.binary_link(link, left, scope),
        )
    }

    fn binary_link(&mut self, node: Node<'t>, left: ExprId, scope: ScopeId) -> ExprId {
        let children = self.open(node);
        let right = self.field_expr(children, self.table.right, scope, ContextualType::Nothing);
        let operator = self.children.in_field(children, self.table.operator);
        let operator = operator.map_or("", |of| self.text(of.node));
        let value = self.operator(operator, left, right);
        self.close(children);
        value
    }

    fn operator(&mut self, operator: &str, left: ExprId, right: ExprId) -> ExprId {
        match operator {
            "&&" | "||" | "==" | "!=" | "<" | ">" | "<=" | ">=" => self.b.literal(Literal::Boolean),
            _ => {
                let name = self.b.name(operator);
                self.b.expr(Expr::Operator { name, left, right })
            }
        }
    }

    /// What stands before a dot: a variable, a type or a package.
    pub(super) fn qualifier(&mut self, child: JavaChild<'t>, scope: ScopeId) -> ExprId {
        match child.kind {
            Kind::Identifier | Kind::TypeIdentifier => {
                self.name(child.node, scope, Role::Read, AMBIGUOUS)
            }
            Kind::FieldAccess => self.chain(child, scope, AMBIGUOUS),
            Kind::ScopedType | Kind::GenericType | Kind::ArrayType | Kind::AnnotatedType => {
                self.ty(child, scope)
            }
            _ => self.expr(child, scope, ContextualType::Nothing),
        }
    }

    /// `a.b().c[0].d`, from its innermost end on.
    fn chain(&mut self, child: JavaChild<'t>, scope: ScopeId, spaces: u8) -> ExprId {
        let first = self.open(child.node);
        let mut links = vec![(child, first)];
        let mut of = loop {
            let Some(&(link, children)) = links.last() else {
                return NONE;
            };
            let before = match link.kind {
                Kind::ArrayAccess => (!children.is_empty()).then(|| self.child(children.from)),
                _ => self.children.in_field(children, self.table.object),
            };
            match before {
                Some(object) if Self::is_link(object.kind) => {
                    let children = self.open(object.node);
                    links.push((object, children));
                }
                Some(object) => break self.qualifier(object, scope),
                None => break NONE,
            }
        };
        while let Some((link, children)) = links.pop() {
            let spaces = if links.is_empty() { spaces } else { AMBIGUOUS };
            of = match link.kind {
                Kind::ArrayAccess => self.array_access(of, children, scope),
                Kind::FieldAccess => self.field_access(of, children, scope, spaces),
                _ => self.invocation(of, children, scope),
            };
            self.close(children);
        }
        of
    }

    fn is_link(kind: Kind) -> bool {
        matches!(
            kind,
            Kind::MethodInvocation | Kind::FieldAccess | Kind::ArrayAccess
        )
    }

    fn array_access(&mut self, of: ExprId, children: ChildRange, scope: ScopeId) -> ExprId {
        let mut by = NONE;
        for i in children.iter().skip(1) {
            let child = self.child(i);
            by = self.expr(child, scope, ContextualType::Nothing);
        }
        self.b.expr(Expr::Index { of, by })
    }

    /// `of.name`, `Outer.this`, `Interface.super` (which is a value of that interface).
    fn field_access(
        &mut self,
        of: ExprId,
        children: ChildRange,
        scope: ScopeId,
        spaces: u8,
    ) -> ExprId {
        let of = self.qualified_super(of, children);
        match self.children.in_field(children, self.table.field) {
            Some(name) if name.kind == Kind::This => self.b.expr(Expr::Value { of }),
            Some(name) => {
                let _ = scope;
                self.member(of, name.node, Role::Read, spaces)
            }
            None => of,
        }
    }

    fn qualified_super(&mut self, of: ExprId, children: ChildRange) -> ExprId {
        let qualified = children.iter().any(|i| {
            let child = self.child(i);
            child.kind == Kind::Super && child.field == 0
        });
        if qualified {
            self.b.expr(Expr::Value { of })
        } else {
            of
        }
    }

    fn invocation(&mut self, of: ExprId, children: ChildRange, scope: ScopeId) -> ExprId {
        let of = self.qualified_super(of, children);
        let mut callee = match self.children.in_field(children, self.table.name) {
            Some(name)
                if self
                    .children
                    .in_field(children, self.table.object)
                    .is_some() =>
            {
                self.member(of, name.node, Role::Call, METHOD)
            }
            Some(name) => self.name(name.node, scope, Role::Call, METHOD),
            None => NONE,
        };
        if let Some(arguments) = self.children.of_kind(children, Kind::TypeArguments) {
            callee = self.apply(callee, arguments, scope);
        }
        let call = self.b.reserve();
        let args = match self.children.of_kind(children, Kind::ArgumentList) {
            Some(arguments) => self.arguments(arguments, scope, call),
            None => NONE,
        };
        self.b.fill(call, Expr::Call { of: callee, args });
        call
    }

    /// The arguments of a call that is reserved.
    pub(super) fn arguments(
        &mut self,
        child: JavaChild<'t>,
        scope: ScopeId,
        call: ExprId,
    ) -> ListId {
        let children = self.open(child.node);
        let mut args = Vec::with_capacity(children.len());
        for i in children {
            let child = self.child(i);
            let context = ContextualType::Argument(call, args.len() as u32);
            args.push(self.expr(child, scope, context));
        }
        self.close(children);
        self.b.list(&args)
    }

    /// `new T(…) { … }`, `outer.new T(…)`.
    fn creation(&mut self, children: ChildRange, scope: ScopeId) -> ExprId {
        let mut outer = NONE;
        let mut of = NONE;
        let call = self.b.reserve();
        let mut args = NONE;
        let mut value = call;
        for i in children {
            let child = self.child(i);
            match child.kind {
                _ if child.field == self.table.ty => of = self.created(child, outer, scope),
                Kind::ArgumentList => args = self.arguments(child, scope, call),
                Kind::TypeArguments => {
                    self.apply(NONE, child, scope);
                }
                Kind::ClassBody => {
                    let scope = self.anonymous(child, scope, of);
                    value = self.b.expr(Expr::This { scope });
                }
                Kind::Annotation | Kind::MarkerAnnotation => self.annotation(child, scope),
                _ => outer = self.expr(child, scope, ContextualType::Nothing),
            }
        }
        self.b.fill(call, Expr::New { of, args });
        value
    }

    fn created(&mut self, child: JavaChild<'t>, outer: ExprId, scope: ScopeId) -> ExprId {
        let of = match child.kind {
            Kind::TypeIdentifier if outer != NONE => {
                self.member(outer, child.node, Role::Call, TYPE)
            }
            _ => self.ty(child, scope),
        };
        let named = match self.b.facts.expr(of) {
            Expr::Apply { of, .. } => of,
            _ => of,
        };
        self.b.set_role(named, Role::Call);
        of
    }

    fn array_creation(&mut self, children: ChildRange, scope: ScopeId) -> ExprId {
        let mut of = NONE;
        for i in children {
            let child = self.child(i);
            match child.kind {
                Kind::DimensionsExpr => {
                    let children = self.open(child.node);
                    self.last(children, scope, ContextualType::Nothing);
                    self.close(children);
                    of = self.b.expr(Expr::Array { of });
                }
                Kind::Dimensions => of = self.arrays(of, child),
                Kind::ArrayInitializer => {
                    self.expr(child, scope, ContextualType::Type(of));
                }
                Kind::Annotation | Kind::MarkerAnnotation => self.annotation(child, scope),
                _ => of = self.ty(child, scope),
            }
        }
        self.b.expr(Expr::Value { of })
    }

    fn array_initializer(
        &mut self,
        children: ChildRange,
        scope: ScopeId,
        context: ContextualType,
    ) -> ExprId {
        let ty = match context {
            ContextualType::Type(ty) => ty,
            _ => NONE,
        };
        let element = match self.b.facts.expr(ty) {
            Expr::Array { of } => ContextualType::Type(of),
            _ => ContextualType::Nothing,
        };
        let value = self.last(children, scope, element);
        if ty == NONE {
            self.b.expr(Expr::Array { of: value })
        } else {
            self.b.expr(Expr::Value { of: ty })
        }
    }

    /// `T.class` is a `Class<T>`, of a primitive type that of the class which holds its values.
    fn class_literal(&mut self, children: ChildRange, scope: ScopeId) -> ExprId {
        let mut ty = NONE;
        for i in children {
            let child = self.child(i);
            let held = holder(self.text(child.node));
            ty = match held {
                Some(class) => self.unwritten_type(class, scope),
                None => self.ty(child, scope),
            };
        }
        let class = self.unwritten_type("Class", scope);
        let args = self.b.list(&[ty]);
        let of = self.b.expr(Expr::Apply { of: class, args });
        self.b.expr(Expr::Value { of })
    }
}

/// The class that holds values of a primitive type.
fn holder(primitive: &str) -> Option<&'static str> {
    Some(match primitive {
        "boolean" => "Boolean",
        "byte" => "Byte",
        "char" => "Character",
        "double" => "Double",
        "float" => "Float",
        "int" => "Integer",
        "long" => "Long",
        "short" => "Short",
        "void" => "Void",
        _ => return None,
    })
}
