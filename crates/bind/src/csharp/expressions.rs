//! Expressions.

use crate::facts::{DefKind, Expr, ExprId, Literal, NONE, Role, ScopeId, ScopeKind};
use crate::nodes;

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::{AMBIGUOUS, CSharpChild, CSharpWalk, TYPE, VALUE};
use crate::children::ChildRange;
use crate::contextual::ContextualType;

impl<'t> CSharpWalk<'t> {
    /// What an expression gives.
    pub(super) fn expr(
        &mut self,
        child: CSharpChild<'t>,
        scope: ScopeId,
        context: ContextualType,
    ) -> ExprId {
        match child.kind {
            Kind::Identifier => self.variable(child, scope),
            Kind::StringLiteral | Kind::VerbatimString | Kind::RawString => {
                self.b.literal(Literal::Text)
            }
            Kind::IntegerLiteral => self.number(child, scope, Literal::Integer),
            Kind::RealLiteral => self.number(child, scope, Literal::Float),
            Kind::CharacterLiteral => self.b.literal(Literal::Character),
            Kind::BooleanLiteral => self.b.literal(Literal::Boolean),
            Kind::NullLiteral => self.b.literal(Literal::Null),
            Kind::This => self.b.expr(Expr::This { scope }),
            Kind::Base => self.b.expr(Expr::Super { scope }),
            Kind::PredefinedType => self.unwritten_type(self.text(child.node), scope),
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

    /// A name by itself. In an accessor `value` is what is assigned.
    fn variable(&mut self, child: CSharpChild<'t>, scope: ScopeId) -> ExprId {
        if self.is_accessor_value(child, scope) {
            return self.lang.value;
        }
        let spaces = if self.lang.naming { AMBIGUOUS } else { VALUE };
        self.name(child.node, scope, Role::Read, spaces)
    }

    /// Whether a name is `value` of the accessor around, which a function in there may have a parameter of.
    fn is_accessor_value(&mut self, child: CSharpChild<'t>, scope: ScopeId) -> bool {
        const WORD: &str = "value";
        if self.lang.value == NONE || self.text(child.node) != WORD {
            return false;
        }
        let mut at = scope;
        while let Some(around) = self.b.facts.scopes.get(at as usize).copied() {
            if around.kind == ScopeKind::Class {
                break;
            }
            if self.b.declared(at, WORD).is_some() {
                return false;
            }
            at = around.parent;
        }
        true
    }

    fn compound(
        &mut self,
        child: CSharpChild<'t>,
        scope: ScopeId,
        context: ContextualType,
    ) -> ExprId {
        match child.kind {
            _ if Self::is_link(child.kind) => self.chain(child, scope, VALUE),
            Kind::Binary => self.binary(child, scope, context),
            Kind::Lambda | Kind::AnonymousMethod => self.lambda(child, scope, context),
            Kind::SwitchExpression => self.switch_expression(child, scope, context),
            Kind::Query => self.linq_query(child, scope),
            Kind::PreprocIf | Kind::PreprocElse | Kind::PreprocElif => {
                self.arms(child, scope, context)
            }
            _ if Self::is_statement(child.kind) => {
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

    /// `#if A` x `#else` y `#endif`: one of both.
    fn arms(&mut self, child: CSharpChild<'t>, scope: ScopeId, context: ContextualType) -> ExprId {
        let children = self.open(child.node);
        let mut values = Vec::new();
        for i in children {
            let part = self.child(i);
            if part.field != self.table.condition {
                values.push(self.expr(part, scope, context));
            }
        }
        self.close(children);
        values.retain(|&value| value != NONE);
        self.b.union(&values)
    }

    fn parts(
        &mut self,
        child: CSharpChild<'t>,
        children: ChildRange,
        scope: ScopeId,
        context: ContextualType,
    ) -> ExprId {
        match child.kind {
            Kind::Parenthesized
            | Kind::Checked
            | Kind::Ref
            | Kind::ExpressionElement
            | Kind::CollectionElement => self.last(children, scope, context),
            Kind::GenericName | Kind::QualifiedName | Kind::AliasQualified => {
                let spaces = if self.lang.naming { AMBIGUOUS } else { VALUE };
                self.close(children);
                self.ty_in(child, scope, spaces, Role::Read)
            }
            Kind::NullableType | Kind::ArrayType | Kind::PointerType | Kind::TupleType => {
                self.close(children);
                self.ty(child, scope)
            }
            Kind::Assignment => self.assignment(children, scope),
            Kind::PrefixUnary => self.prefix(child, children, scope),
            Kind::Conditional => self.conditional(children, scope, context),
            Kind::Cast => self.cast(children, scope),
            Kind::As => {
                self.field_expr(children, self.table.left, scope, ContextualType::Nothing);
                let of = self.field_type(children, self.table.right, scope);
                self.instance(of)
            }
            Kind::Is => {
                self.field_expr(children, self.table.left, scope, ContextualType::Nothing);
                self.field_type(children, self.table.right, scope);
                self.b.literal(Literal::Boolean)
            }
            Kind::IsPattern => {
                let subject = self.field_expr(
                    children,
                    self.table.expression,
                    scope,
                    ContextualType::Nothing,
                );
                if let Some(pattern) = self.children.in_field(children, self.table.pattern) {
                    self.pattern(pattern, scope, subject);
                }
                self.b.literal(Literal::Boolean)
            }
            Kind::Await => {
                let of = self.last(children, scope, ContextualType::Nothing);
                self.note_operand(children.iter().next().map(|i| self.child(i)), of);
                self.b.expr(Expr::Await { of })
            }
            Kind::TypeOf => {
                self.field_type(children, self.table.ty, scope);
                let of = self.unwritten_type("Type", scope);
                self.instance(of)
            }
            Kind::SizeOf => {
                self.field_type(children, self.table.ty, scope);
                self.b.literal(Literal::Integer)
            }
            Kind::Default => self.default(children, scope, context),
            Kind::DeclarationExpression => {
                self.declaration_expression(child, children, scope, context)
            }
            Kind::InterpolatedString => {
                self.interpolated(children, scope);
                self.b.literal(Literal::Text)
            }
            Kind::TupleExpression => self.tuple_expression(child, children, scope, context),
            _ => self.object_creation(child, children, scope, context),
        }
    }

    /// A number: its last letters may say what it is.
    fn number(&mut self, child: CSharpChild<'t>, scope: ScopeId, of: Literal) -> ExprId {
        let text = self.text(child.node);
        let is_hex = text.starts_with("0x") || text.starts_with("0X");
        let letters = text.trim_end_matches(['u', 'U', 'l', 'L']);
        let said = match (&text.as_bytes()[letters.len()..], text.as_bytes().last()) {
            ([b'u' | b'U'], _) => "uint",
            ([b'l' | b'L'], _) => "long",
            ([_, _], _) => "ulong",
            (_, Some(b'f' | b'F')) if !is_hex => "float",
            (_, Some(b'd' | b'D')) if !is_hex => "double",
            (_, Some(b'm' | b'M')) => "decimal",
            _ => return self.b.literal(of),
        };
        let of = self.unwritten_type(said, scope);
        self.b.expr(Expr::Value { of })
    }

    /// Where nothing is known of a node: what is in it is read all the same.
    pub(super) fn unknown(&mut self, children: ChildRange, scope: ScopeId) -> ExprId {
        for i in children {
            let child = self.child(i);
            self.statement(child, scope);
        }
        NONE
    }

    pub(super) fn last(
        &mut self,
        children: ChildRange,
        scope: ScopeId,
        context: ContextualType,
    ) -> ExprId {
        let mut value = NONE;
        for i in children {
            let child = self.child(i);
            value = self.expr(child, scope, context);
        }
        value
    }

    pub(super) fn field_expr(
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

    fn field_type(&mut self, children: ChildRange, field: u16, scope: ScopeId) -> ExprId {
        match self.children.in_field(children, field) {
            Some(child) => self.ty(child, scope),
            None => NONE,
        }
    }

    fn assignment(&mut self, children: ChildRange, scope: ScopeId) -> ExprId {
        let left = self.children.in_field(children, self.table.left);
        let operator = self.children.in_field(children, self.table.operator);
        let plain = operator.is_some_and(|operator| self.text(operator.node) == "=");
        if let Some(tuple) = left.filter(|left| left.kind == Kind::TupleExpression) {
            let value = self.field_expr(children, self.table.right, scope, ContextualType::Nothing);
            self.deconstruct(tuple, scope, value);
            return value;
        }
        let to = match left {
            Some(left) => self.expr(left, scope, ContextualType::Nothing),
            None => NONE,
        };
        self.b
            .set_role(to, if plain { Role::Write } else { Role::ReadWrite });
        let value = self.field_expr(children, self.table.right, scope, ContextualType::Same(to));
        if plain && to != NONE {
            self.b.assign(to, value);
        }
        to
    }

    /// `(a, var b) = value`.
    pub(super) fn deconstruct(&mut self, child: CSharpChild<'t>, scope: ScopeId, of: ExprId) {
        if !self.enter() {
            return;
        }
        let children = self.open(child.node);
        for (index, i) in children.iter().enumerate() {
            let argument = self.child(i);
            let index = index as u32;
            let entry = self.b.expr(Expr::Entry { of, index });
            let parts = self.open(argument.node);
            for i in parts {
                let part = self.child(i);
                match part.kind {
                    _ if part.field == self.table.name => {}
                    Kind::TupleExpression => self.deconstruct(part, scope, entry),
                    Kind::DeclarationExpression => {
                        let children = self.open(part.node);
                        let ty = self.field_type(children, self.table.ty, scope);
                        if let Some(name) = self.children.in_field(children, self.table.name) {
                            self.local(name, scope, part.range(), ty, entry);
                        }
                        self.close(children);
                    }
                    _ => {
                        let to = self.expr(part, scope, ContextualType::Nothing);
                        self.b.set_role(to, Role::Write);
                        if to != NONE {
                            self.b.assign(to, entry);
                        }
                    }
                }
            }
            self.close(parts);
        }
        self.close(children);
        self.leave();
    }

    /// A local variable.
    pub(super) fn local(
        &mut self,
        name: CSharpChild<'t>,
        scope: ScopeId,
        range: std::ops::Range<usize>,
        ty: ExprId,
        value: ExprId,
    ) {
        let def = self.define(name.node, DefKind::Variable, scope, range, VALUE);
        let def = self.b.edit(def);
        def.ty = ty;
        if ty == NONE {
            def.value = value;
        }
    }

    fn prefix(&mut self, child: CSharpChild<'t>, children: ChildRange, scope: ScopeId) -> ExprId {
        let text = self.text(child.node);
        let value = self.last(children, scope, ContextualType::Nothing);
        self.note_operand(children.iter().next().map(|i| self.child(i)), value);
        if text.starts_with("++") || text.starts_with("--") {
            self.b.set_role(value, Role::ReadWrite);
        }
        match text.as_bytes().first() {
            Some(b'!') => self.b.literal(Literal::Boolean),
            Some(b'*') => self.b.expr(Expr::Deref { of: value }),
            Some(b'&') => self.b.expr(Expr::Pointer { of: value }),
            Some(b'-' | b'~' | b'+') if !text.starts_with("--") && !text.starts_with("++") => {
                let name = self.b.name(&text[..1]);
                let right = NONE;
                let left = value;
                self.b.expr(Expr::Operator { name, left, right })
            }
            _ => value,
        }
    }

    fn conditional(
        &mut self,
        children: ChildRange,
        scope: ScopeId,
        context: ContextualType,
    ) -> ExprId {
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
        let of = self.field_type(children, self.table.ty, scope);
        let value = self.field_expr(children, self.table.value, scope, ContextualType::Type(of));
        self.note_operand(self.children.in_field(children, self.table.value), value);
        self.instance(of)
    }

    fn default(&mut self, children: ChildRange, scope: ScopeId, context: ContextualType) -> ExprId {
        match self.field_type(children, self.table.ty, scope) {
            NONE => context.value(&mut self.b),
            of => self.instance(of),
        }
    }

    /// `out var x`, `T x`.
    fn declaration_expression(
        &mut self,
        child: CSharpChild<'t>,
        children: ChildRange,
        scope: ScopeId,
        context: ContextualType,
    ) -> ExprId {
        let ty = self.field_type(children, self.table.ty, scope);
        let value = match ty {
            NONE => context.value(&mut self.b),
            of => self.instance(of),
        };
        if let Some(name) = self.children.in_field(children, self.table.name) {
            self.local(name, scope, child.range(), ty, value);
        }
        value
    }

    fn interpolated(&mut self, children: ChildRange, scope: ScopeId) {
        for i in children {
            let part = self.child(i);
            if part.kind != Kind::Interpolation {
                continue;
            }
            let inner = self.open(part.node);
            for i in inner {
                let part = self.child(i);
                self.expr(part, scope, ContextualType::Nothing);
            }
            self.close(inner);
        }
    }

    fn tuple_expression(
        &mut self,
        child: CSharpChild<'t>,
        children: ChildRange,
        scope: ScopeId,
        context: ContextualType,
    ) -> ExprId {
        if let Some(made) = self.misread_tuple(children, scope) {
            return made;
        }
        let expected = match context {
            ContextualType::Type(ty) => match self.b.facts.expr(ty) {
                Expr::Tuple { of } => self.b.facts.list(of).to_vec(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        let mut values = Vec::with_capacity(children.len());
        let mut names = Vec::new();
        for i in children {
            let argument = self.child(i);
            let parts = self.open(argument.node);
            let context = expected.get(values.len()).copied();
            let context = context.map_or(ContextualType::Nothing, ContextualType::Type);
            let name = self.children.in_field(parts, self.table.name);
            let mut value = NONE;
            for i in parts {
                let part = self.child(i);
                if name.is_none() || part.field != self.table.name {
                    value = self.expr(part, scope, context);
                }
            }
            values.push(value);
            names.push(name);
            self.close(parts);
        }
        self.tuple(child, scope, &values, &names, true)
    }

    /// A chain of binary operators, from its innermost left end on.
    fn binary(
        &mut self,
        child: CSharpChild<'t>,
        scope: ScopeId,
        context: ContextualType,
    ) -> ExprId {
        if let Some(made) = self.misread_creation(child, scope) {
            return made;
        }
        if let Some(called) = self.misread_call(child, scope) {
            return called;
        }
        self.operators(child, scope, context, |walker, first, scope| {
            walker.expr(first, scope, ContextualType::Nothing)
        })
    }

    /// Operators and their operands, of which the first is read by `first`.
    pub(super) fn operators(
        &mut self,
        child: CSharpChild<'t>,
        scope: ScopeId,
        context: ContextualType,
        first: impl FnOnce(&mut Self, CSharpChild<'t>, ScopeId) -> ExprId,
    ) -> ExprId {
        let outermost = child.node;
        self.left_chain(
            outermost,
            |walk, link| match walk.kind(link) {
                kind if kind == Kind::Binary || link == outermost => {
                    nodes::child(link, walk.table.left)
                }
                _ => None,
            },
            |walk, innermost| match walk.kind(innermost) {
                // Without a left operand.
                kind if kind == Kind::Binary || innermost == outermost => {
                    walk.operator(innermost, NONE, scope, context)
                }
                _ => first(walk, walk.as_child(innermost), scope),
            },
            |walk, link, left| walk.operator(link, left, scope, context),
        )
    }

    fn operator(
        &mut self,
        node: Node<'t>,
        left: ExprId,
        scope: ScopeId,
        context: ContextualType,
    ) -> ExprId {
        let children = self.open(node);
        let operator = self.children.in_field(children, self.table.operator);
        let operator = operator.map_or("", |of| of.node.kind());
        let context = if operator == "??" {
            context
        } else {
            ContextualType::Nothing
        };
        let right = self.field_expr(children, self.table.right, scope, context);
        self.note_operand(self.children.in_field(children, self.table.right), right);
        self.close(children);
        match operator {
            "&&" | "||" => self.b.literal(Literal::Boolean),
            "??" => self.b.union(&[left, right]),
            _ => {
                let name = self.b.name(operator);
                self.b.expr(Expr::Operator { name, left, right })
            }
        }
    }

    /// Whether an expression ends with an operand that the grammar does not tell from what follows.
    pub(super) fn ends_with_operand(kind: Kind) -> bool {
        matches!(
            kind,
            Kind::Binary | Kind::PrefixUnary | Kind::Await | Kind::Cast
        )
    }

    /// Remembers the last operand of an operator, the innermost one.
    fn note_operand(&mut self, child: Option<CSharpChild<'t>>, value: ExprId) {
        if child.is_some_and(|child| !Self::ends_with_operand(child.kind)) {
            self.lang.operand = value;
        }
    }

    /// What stands before a dot: a variable, a type or a namespace.
    pub(super) fn qualifier(&mut self, child: CSharpChild<'t>, scope: ScopeId) -> ExprId {
        match child.kind {
            Kind::Identifier if self.is_accessor_value(child, scope) => self.lang.value,
            Kind::Identifier => self.name(child.node, scope, Role::Read, AMBIGUOUS),
            Kind::GenericName => self.ty_in(child, scope, TYPE, Role::Read),
            Kind::QualifiedName | Kind::AliasQualified => {
                self.ty_in(child, scope, AMBIGUOUS, Role::Read)
            }
            _ => self.expr(child, scope, ContextualType::Nothing),
        }
    }
}
