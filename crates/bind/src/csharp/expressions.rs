//! Expressions.

use crate::facts::{DefKind, Expr, ExprId, Literal, NONE, Role, ScopeId};

use super::{AMBIGUOUS, Kid, Kind, Range, TYPE, VALUE, Walker, Want};

impl<'t> Walker<'t> {
    /// What an expression gives.
    pub(super) fn expr(&mut self, kid: Kid<'t>, scope: ScopeId, want: Want) -> ExprId {
        match kid.kind {
            Kind::Identifier => self.variable(kid, scope),
            Kind::StringLiteral | Kind::VerbatimString | Kind::RawString => {
                self.literal(Literal::Text)
            }
            Kind::IntegerLiteral => self.number(kid, scope, Literal::Integer),
            Kind::RealLiteral => self.number(kid, scope, Literal::Float),
            Kind::CharacterLiteral => self.literal(Literal::Character),
            Kind::BooleanLiteral => self.literal(Literal::Boolean),
            Kind::NullLiteral => self.literal(Literal::Null),
            Kind::This => self.b.expr(Expr::This { scope }),
            Kind::Base => self.b.expr(Expr::Super { scope }),
            Kind::PredefinedType => self.unwritten_type(self.text(kid.node), scope),
            _ => {
                if !self.enter() {
                    return NONE;
                }
                let value = self.compound(kid, scope, want);
                self.leave();
                value
            }
        }
    }

    /// A name by itself. In an accessor `value` is what is assigned.
    fn variable(&mut self, kid: Kid<'t>, scope: ScopeId) -> ExprId {
        if self.value != NONE && self.text(kid.node) == "value" {
            return self.value;
        }
        let spaces = if self.naming { AMBIGUOUS } else { VALUE };
        self.name(kid.node, scope, Role::Read, spaces)
    }

    fn compound(&mut self, kid: Kid<'t>, scope: ScopeId, want: Want) -> ExprId {
        match kid.kind {
            _ if Self::is_link(kid.kind) => self.chain(kid, scope, VALUE),
            Kind::Binary => self.binary(kid, scope, want),
            Kind::Lambda | Kind::AnonymousMethod => self.lambda(kid, scope, want),
            Kind::SwitchExpression => self.switch_expression(kid, scope, want),
            Kind::Query => self.linq_query(kid, scope),
            Kind::PreprocIf | Kind::PreprocElse | Kind::PreprocElif => self.arms(kid, scope, want),
            _ if Self::is_statement(kid.kind) => {
                self.statement(kid, scope);
                NONE
            }
            _ => {
                let kids = self.open(kid.node);
                let value = self.parts(kid, &kids, scope, want);
                self.close(&kids);
                value
            }
        }
    }

    /// `#if A` x `#else` y `#endif`: one of both.
    fn arms(&mut self, kid: Kid<'t>, scope: ScopeId, want: Want) -> ExprId {
        let kids = self.open(kid.node);
        let mut values = Vec::new();
        for i in kids.clone() {
            let part = self.kids.get(i);
            if part.field != self.t.condition {
                values.push(self.expr(part, scope, want));
            }
        }
        self.close(&kids);
        values.retain(|&value| value != NONE);
        self.b.union(&values)
    }

    fn parts(&mut self, kid: Kid<'t>, kids: &Range, scope: ScopeId, want: Want) -> ExprId {
        match kid.kind {
            Kind::Parenthesized
            | Kind::Checked
            | Kind::Ref
            | Kind::ExpressionElement
            | Kind::CollectionElement => self.last(kids, scope, want),
            Kind::GenericName | Kind::QualifiedName | Kind::AliasQualified => {
                let spaces = if self.naming { AMBIGUOUS } else { VALUE };
                self.close(kids);
                self.ty_in(kid, scope, spaces, Role::Read)
            }
            Kind::NullableType | Kind::ArrayType | Kind::PointerType | Kind::TupleType => {
                self.close(kids);
                self.ty(kid, scope)
            }
            Kind::Assignment => self.assignment(kids, scope),
            Kind::PrefixUnary => self.prefix(kid, kids, scope),
            Kind::Conditional => self.conditional(kids, scope, want),
            Kind::Cast => self.cast(kids, scope),
            Kind::As => {
                self.field_expr(kids, self.t.left, scope, Want::Nothing);
                let of = self.field_type(kids, self.t.right, scope);
                self.instance(of)
            }
            Kind::Is => {
                self.field_expr(kids, self.t.left, scope, Want::Nothing);
                self.field_type(kids, self.t.right, scope);
                self.literal(Literal::Boolean)
            }
            Kind::IsPattern => {
                let subject = self.field_expr(kids, self.t.expression, scope, Want::Nothing);
                if let Some(pattern) = self.kids.field(kids, self.t.pattern) {
                    self.pattern(pattern, scope, subject);
                }
                self.literal(Literal::Boolean)
            }
            Kind::Await => {
                let of = self.last(kids, scope, Want::Nothing);
                self.note_operand(kids.clone().next().map(|i| self.kids.get(i)), of);
                self.b.expr(Expr::Await { of })
            }
            Kind::TypeOf => {
                self.field_type(kids, self.t.ty, scope);
                let of = self.unwritten_type("Type", scope);
                self.instance(of)
            }
            Kind::SizeOf => {
                self.field_type(kids, self.t.ty, scope);
                self.literal(Literal::Integer)
            }
            Kind::Default => self.default(kids, scope, want),
            Kind::DeclarationExpression => self.declaration_expression(kid, kids, scope, want),
            Kind::InterpolatedString => {
                self.interpolated(kids, scope);
                self.literal(Literal::Text)
            }
            Kind::TupleExpression => self.tuple_expression(kid, kids, scope, want),
            _ => self.object_creation(kid, kids, scope, want),
        }
    }

    /// A number: its last letters may say what it is.
    fn number(&mut self, kid: Kid<'t>, scope: ScopeId, of: Literal) -> ExprId {
        let text = self.text(kid.node);
        let is_hex = text.starts_with("0x") || text.starts_with("0X");
        let letters = text.trim_end_matches(['u', 'U', 'l', 'L']);
        let said = match (&text.as_bytes()[letters.len()..], text.as_bytes().last()) {
            ([b'u' | b'U'], _) => "uint",
            ([b'l' | b'L'], _) => "long",
            ([_, _], _) => "ulong",
            (_, Some(b'f' | b'F')) if !is_hex => "float",
            (_, Some(b'd' | b'D')) if !is_hex => "double",
            (_, Some(b'm' | b'M')) => "decimal",
            _ => return self.literal(of),
        };
        let of = self.unwritten_type(said, scope);
        self.b.expr(Expr::Value { of })
    }

    /// Where nothing is known of a node: what is in it is read all the same.
    pub(super) fn unknown(&mut self, kids: &Range, scope: ScopeId) -> ExprId {
        for i in kids.clone() {
            let kid = self.kids.get(i);
            self.statement(kid, scope);
        }
        NONE
    }

    pub(super) fn last(&mut self, kids: &Range, scope: ScopeId, want: Want) -> ExprId {
        let mut value = NONE;
        for i in kids.clone() {
            let kid = self.kids.get(i);
            value = self.expr(kid, scope, want);
        }
        value
    }

    pub(super) fn field_expr(
        &mut self,
        kids: &Range,
        field: u16,
        scope: ScopeId,
        want: Want,
    ) -> ExprId {
        match self.kids.field(kids, field) {
            Some(kid) => self.expr(kid, scope, want),
            None => NONE,
        }
    }

    fn field_type(&mut self, kids: &Range, field: u16, scope: ScopeId) -> ExprId {
        match self.kids.field(kids, field) {
            Some(kid) => self.ty(kid, scope),
            None => NONE,
        }
    }

    fn assignment(&mut self, kids: &Range, scope: ScopeId) -> ExprId {
        let left = self.kids.field(kids, self.t.left);
        let operator = self.kids.field(kids, self.t.operator);
        let plain = operator.is_some_and(|operator| self.text(operator.node) == "=");
        if let Some(tuple) = left.filter(|left| left.kind == Kind::TupleExpression) {
            let value = self.field_expr(kids, self.t.right, scope, Want::Nothing);
            self.deconstruct(tuple, scope, value);
            return value;
        }
        let to = match left {
            Some(left) => self.expr(left, scope, Want::Nothing),
            None => NONE,
        };
        self.b
            .set_role(to, if plain { Role::Write } else { Role::ReadWrite });
        let value = self.field_expr(kids, self.t.right, scope, Want::Same(to));
        if plain && to != NONE {
            self.b.assign(to, value);
        }
        to
    }

    /// `(a, var b) = value`.
    pub(super) fn deconstruct(&mut self, kid: Kid<'t>, scope: ScopeId, of: ExprId) {
        if !self.enter() {
            return;
        }
        let kids = self.open(kid.node);
        for (index, i) in kids.clone().enumerate() {
            let argument = self.kids.get(i);
            let index = index as u32;
            let entry = self.b.expr(Expr::Entry { of, index });
            let parts = self.open(argument.node);
            for i in parts.clone() {
                let part = self.kids.get(i);
                match part.kind {
                    _ if part.field == self.t.name => {}
                    Kind::TupleExpression => self.deconstruct(part, scope, entry),
                    Kind::DeclarationExpression => {
                        let kids = self.open(part.node);
                        let ty = self.field_type(&kids, self.t.ty, scope);
                        if let Some(name) = self.kids.field(&kids, self.t.name) {
                            self.local(name, scope, part.range(), ty, entry);
                        }
                        self.close(&kids);
                    }
                    _ => {
                        let to = self.expr(part, scope, Want::Nothing);
                        self.b.set_role(to, Role::Write);
                        if to != NONE {
                            self.b.assign(to, entry);
                        }
                    }
                }
            }
            self.close(&parts);
        }
        self.close(&kids);
        self.leave();
    }

    /// A local variable.
    pub(super) fn local(
        &mut self,
        name: Kid<'t>,
        scope: ScopeId,
        range: Range,
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

    fn prefix(&mut self, kid: Kid<'t>, kids: &Range, scope: ScopeId) -> ExprId {
        let text = self.text(kid.node);
        let value = self.last(kids, scope, Want::Nothing);
        self.note_operand(kids.clone().next().map(|i| self.kids.get(i)), value);
        if text.starts_with("++") || text.starts_with("--") {
            self.b.set_role(value, Role::ReadWrite);
        }
        match text.as_bytes().first() {
            Some(b'!') => self.literal(Literal::Boolean),
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

    fn conditional(&mut self, kids: &Range, scope: ScopeId, want: Want) -> ExprId {
        self.field_expr(kids, self.t.condition, scope, Want::Nothing);
        let yes = self.field_expr(kids, self.t.consequence, scope, want);
        let no = self.field_expr(kids, self.t.alternative, scope, want);
        self.b.union(&[yes, no])
    }

    fn cast(&mut self, kids: &Range, scope: ScopeId) -> ExprId {
        let of = self.field_type(kids, self.t.ty, scope);
        let value = self.field_expr(kids, self.t.value, scope, Want::Type(of));
        self.note_operand(self.kids.field(kids, self.t.value), value);
        self.instance(of)
    }

    fn default(&mut self, kids: &Range, scope: ScopeId, want: Want) -> ExprId {
        match self.field_type(kids, self.t.ty, scope) {
            NONE => self.wanted(want),
            of => self.instance(of),
        }
    }

    /// What is expected, as a value.
    pub(super) fn wanted(&mut self, want: Want) -> ExprId {
        match want {
            Want::Nothing => NONE,
            Want::Type(of) => self.instance(of),
            Want::Same(of) => of,
            Want::Argument(call, index) => self.b.expr(Expr::ContextualType { call, index }),
        }
    }

    /// `out var x`, `T x`.
    fn declaration_expression(
        &mut self,
        kid: Kid<'t>,
        kids: &Range,
        scope: ScopeId,
        want: Want,
    ) -> ExprId {
        let ty = self.field_type(kids, self.t.ty, scope);
        let value = match ty {
            NONE => self.wanted(want),
            of => self.instance(of),
        };
        if let Some(name) = self.kids.field(kids, self.t.name) {
            self.local(name, scope, kid.range(), ty, value);
        }
        value
    }

    fn interpolated(&mut self, kids: &Range, scope: ScopeId) {
        for i in kids.clone() {
            let part = self.kids.get(i);
            if part.kind != Kind::Interpolation {
                continue;
            }
            let inner = self.open(part.node);
            for i in inner.clone() {
                let part = self.kids.get(i);
                self.expr(part, scope, Want::Nothing);
            }
            self.close(&inner);
        }
    }

    fn tuple_expression(
        &mut self,
        kid: Kid<'t>,
        kids: &Range,
        scope: ScopeId,
        want: Want,
    ) -> ExprId {
        if let Some(made) = self.misread_tuple(kids, scope) {
            return made;
        }
        let expected = match want {
            Want::Type(ty) => match self.b.facts.expr(ty) {
                Expr::Tuple { of } => self.b.facts.list(of).to_vec(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        let mut values = Vec::with_capacity(kids.len());
        let mut names = Vec::new();
        for i in kids.clone() {
            let argument = self.kids.get(i);
            let parts = self.open(argument.node);
            let want = expected.get(values.len()).copied();
            let want = want.map_or(Want::Nothing, Want::Type);
            let name = self.kids.field(&parts, self.t.name);
            let mut value = NONE;
            for i in parts.clone() {
                let part = self.kids.get(i);
                if name.is_none() || part.field != self.t.name {
                    value = self.expr(part, scope, want);
                }
            }
            values.push(value);
            names.push(name);
            self.close(&parts);
        }
        self.tuple(kid, scope, &values, &names, true)
    }

    /// A chain of binary operators, from its innermost left end on.
    fn binary(&mut self, kid: Kid<'t>, scope: ScopeId, want: Want) -> ExprId {
        if let Some(made) = self.misread_creation(kid, scope) {
            return made;
        }
        if let Some(called) = self.misread_call(kid, scope) {
            return called;
        }
        self.operators(kid, scope, want, |walker, first, scope| {
            walker.expr(first, scope, Want::Nothing)
        })
    }

    /// Operators and their operands, of which the first is read by `first`.
    pub(super) fn operators(
        &mut self,
        kid: Kid<'t>,
        scope: ScopeId,
        want: Want,
        first: impl FnOnce(&mut Self, Kid<'t>, ScopeId) -> ExprId,
    ) -> ExprId {
        let mut links = vec![self.open(kid.node)];
        let mut value = loop {
            let Some(kids) = links.last() else {
                return NONE;
            };
            match self.kids.field(kids, self.t.left) {
                Some(left) if left.kind == Kind::Binary => {
                    let kids = self.open(left.node);
                    links.push(kids);
                }
                Some(left) => break first(self, left, scope),
                None => break NONE,
            }
        };
        while let Some(kids) = links.pop() {
            let operator = self.kids.field(&kids, self.t.operator);
            let operator = operator.map_or("", |of| of.node.kind());
            let want = if operator == "??" {
                want
            } else {
                Want::Nothing
            };
            let right = self.field_expr(&kids, self.t.right, scope, want);
            self.note_operand(self.kids.field(&kids, self.t.right), right);
            value = match operator {
                "&&" | "||" => self.literal(Literal::Boolean),
                "??" => self.b.union(&[value, right]),
                _ => {
                    let name = self.b.name(operator);
                    let left = value;
                    self.b.expr(Expr::Operator { name, left, right })
                }
            };
            self.close(&kids);
        }
        value
    }

    /// Whether an expression ends with an operand that the grammar does not tell from what follows.
    pub(super) fn ends_with_operand(kind: Kind) -> bool {
        matches!(
            kind,
            Kind::Binary | Kind::PrefixUnary | Kind::Await | Kind::Cast
        )
    }

    /// Remembers the last operand of an operator, the innermost one.
    fn note_operand(&mut self, kid: Option<Kid<'t>>, value: ExprId) {
        if kid.is_some_and(|kid| !Self::ends_with_operand(kid.kind)) {
            self.operand = value;
        }
    }

    /// What stands before a dot: a variable, a type or a namespace.
    pub(super) fn qualifier(&mut self, kid: Kid<'t>, scope: ScopeId) -> ExprId {
        match kid.kind {
            Kind::Identifier if self.value != NONE && self.text(kid.node) == "value" => self.value,
            Kind::Identifier => self.name(kid.node, scope, Role::Read, AMBIGUOUS),
            Kind::GenericName => self.ty_in(kid, scope, TYPE, Role::Read),
            Kind::QualifiedName | Kind::AliasQualified => {
                self.ty_in(kid, scope, AMBIGUOUS, Role::Read)
            }
            _ => self.expr(kid, scope, Want::Nothing),
        }
    }
}
