//! Expressions.

use crate::facts::{DefKind, Expr, ExprId, ListId, Literal, NONE, Role, ScopeId};

use super::{AMBIGUOUS, Introduced, Kid, Kind, METHOD, Range, TYPE, VALUE, Walker, Want};

impl<'t> Walker<'t> {
    /// What an expression gives.
    pub(super) fn expr(&mut self, kid: Kid<'t>, scope: ScopeId, want: Want) -> ExprId {
        match kid.kind {
            Kind::Identifier | Kind::TypeIdentifier => {
                self.name(kid.node, scope, Role::Read, VALUE)
            }
            Kind::StringLiteral => self.literal(Literal::Text),
            Kind::DecimalInteger | Kind::HexInteger | Kind::OctalInteger | Kind::BinaryInteger => {
                self.number(kid, scope, Literal::Integer)
            }
            Kind::DecimalFloat | Kind::HexFloat => self.number(kid, scope, Literal::Float),
            Kind::CharacterLiteral => self.literal(Literal::Character),
            Kind::True | Kind::False => self.literal(Literal::Boolean),
            Kind::NullLiteral => self.literal(Literal::Null),
            Kind::This => self.b.expr(Expr::This { scope }),
            Kind::Super => self.b.expr(Expr::Super { scope }),
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

    fn compound(&mut self, kid: Kid<'t>, scope: ScopeId, want: Want) -> ExprId {
        match kid.kind {
            Kind::MethodInvocation | Kind::FieldAccess | Kind::ArrayAccess => {
                self.chain(kid, scope, VALUE)
            }
            Kind::Binary => self.binary(kid, scope),
            Kind::Lambda => self.lambda(kid, scope, want),
            Kind::SwitchExpression => self.switch(kid, scope, want),
            _ if Self::is_type(kid.kind) || kid.kind == Kind::Block => {
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

    fn parts(&mut self, kid: Kid<'t>, kids: &Range, scope: ScopeId, want: Want) -> ExprId {
        match kid.kind {
            Kind::Parenthesized => self.last(kids, scope, want),
            Kind::Assignment => self.assignment(kids, scope),
            Kind::Unary => self.unary(kid, kids, scope),
            Kind::Update => {
                let value = self.last(kids, scope, Want::Nothing);
                self.b.set_role(value, Role::ReadWrite);
                value
            }
            Kind::Ternary => self.ternary(kids, scope, want),
            Kind::Cast => self.cast(kids, scope),
            Kind::InstanceOf => self.instance_of(kids, scope),
            Kind::ObjectCreation => self.creation(kids, scope),
            Kind::ArrayCreation => self.array_creation(kids, scope),
            Kind::ArrayInitializer => self.array_initializer(kids, scope, want),
            Kind::ClassLiteral => self.class_literal(kids, scope),
            Kind::MethodReference => self.method_reference(kid, kids, scope),
            _ => self.unknown(kids, scope),
        }
    }

    /// A number: its last letter may say what it is.
    fn number(&mut self, kid: Kid<'t>, scope: ScopeId, of: Literal) -> ExprId {
        let text = self.text(kid.node);
        let is_hex = text.starts_with("0x") || text.starts_with("0X");
        let said = match (text.as_bytes().last(), of) {
            (Some(b'l' | b'L'), Literal::Integer) => "long",
            // A digit where the number is written with sixteen of them, but not behind its exponent.
            (Some(b'f' | b'F'), Literal::Float) => "float",
            (Some(b'f' | b'F'), _) if !is_hex => "float",
            (Some(b'd' | b'D'), _) if !is_hex => "double",
            _ => return self.literal(of),
        };
        let of = self.unwritten_type(said, scope);
        self.b.expr(Expr::Value { of })
    }

    /// Where nothing is known of a node: what is in it is read all the same.
    fn unknown(&mut self, kids: &Range, scope: ScopeId) -> ExprId {
        for i in kids.clone() {
            let kid = self.kids.get(i);
            self.statement(kid, scope);
        }
        NONE
    }

    fn last(&mut self, kids: &Range, scope: ScopeId, want: Want) -> ExprId {
        let mut value = NONE;
        for i in kids.clone() {
            let kid = self.kids.get(i);
            value = self.expr(kid, scope, want);
        }
        value
    }

    fn field_expr(&mut self, kids: &Range, field: u16, scope: ScopeId, want: Want) -> ExprId {
        match self.kids.field(kids, field) {
            Some(kid) => self.expr(kid, scope, want),
            None => NONE,
        }
    }

    fn assignment(&mut self, kids: &Range, scope: ScopeId) -> ExprId {
        let to = self.field_expr(kids, self.t.left, scope, Want::Nothing);
        let operator = self.kids.field(kids, self.t.operator);
        let plain = operator.is_some_and(|operator| self.text(operator.node) == "=");
        let role = if plain { Role::Write } else { Role::ReadWrite };
        self.b.set_role(to, role);
        let value = self.field_expr(kids, self.t.right, scope, Want::Same(to));
        if plain && to != NONE {
            self.b.assign(to, value);
        }
        to
    }

    fn unary(&mut self, kid: Kid<'t>, kids: &Range, scope: ScopeId) -> ExprId {
        let not = self.text(kid.node).starts_with('!');
        self.negated ^= not;
        let mut operand = NONE;
        for i in kids.clone() {
            let kid = self.kids.get(i);
            if kid.field != self.t.operator {
                operand = self.expr(kid, scope, Want::Nothing);
            }
        }
        self.negated ^= not;
        if not {
            self.literal(Literal::Boolean)
        } else {
            operand
        }
    }

    fn ternary(&mut self, kids: &Range, scope: ScopeId, want: Want) -> ExprId {
        self.field_expr(kids, self.t.condition, scope, Want::Nothing);
        let yes = self.field_expr(kids, self.t.consequence, scope, want);
        let no = self.field_expr(kids, self.t.alternative, scope, want);
        self.b.union(&[yes, no])
    }

    fn cast(&mut self, kids: &Range, scope: ScopeId) -> ExprId {
        let mut ty = NONE;
        for i in kids.clone() {
            let kid = self.kids.get(i);
            if kid.field == self.t.ty {
                let of = self.ty(kid, scope);
                if ty == NONE {
                    ty = of;
                }
            } else {
                self.expr(kid, scope, Want::Type(ty));
            }
        }
        self.b.expr(Expr::Value { of: ty })
    }

    /// `x instanceof T`, `x instanceof T t`, `x instanceof R(var a)`.
    fn instance_of(&mut self, kids: &Range, scope: ScopeId) -> ExprId {
        let subject = self.field_expr(kids, self.t.left, scope, Want::Nothing);
        let mut ty = NONE;
        for i in kids.clone() {
            let kid = self.kids.get(i);
            if kid.field == self.t.right {
                ty = self.ty(kid, scope);
            } else if kid.field == self.t.name {
                self.pattern_variable(kid, scope, ty, NONE);
            } else if kid.kind == Kind::RecordPattern {
                self.pattern(kid, scope, subject);
            }
        }
        self.literal(Literal::Boolean)
    }

    /// A variable of a pattern, of a type or, with `var`, of the value it is matched with.
    pub(super) fn pattern_variable(
        &mut self,
        kid: Kid<'t>,
        scope: ScopeId,
        ty: ExprId,
        value: ExprId,
    ) {
        let name = self.text(kid.node);
        if name.is_empty() || kid.kind != Kind::Identifier {
            return;
        }
        let at = kid.start() as u32;
        let def = self
            .b
            .define(name, DefKind::Variable, scope, at, kid.range());
        let made = self.b.edit(def);
        made.spaces = VALUE;
        made.from = at;
        made.ty = ty;
        made.value = value;
        let negated = self.negated;
        self.introduced.push(Introduced { def, negated });
    }

    /// A chain of binary operators, from its innermost left end on.
    fn binary(&mut self, kid: Kid<'t>, scope: ScopeId) -> ExprId {
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
                Some(left) => break self.expr(left, scope, Want::Nothing),
                None => break NONE,
            }
        };
        while let Some(kids) = links.pop() {
            let right = self.field_expr(&kids, self.t.right, scope, Want::Nothing);
            let operator = self.kids.field(&kids, self.t.operator);
            value = self.operator(operator.map_or("", |of| self.text(of.node)), value, right);
            self.close(&kids);
        }
        value
    }

    fn operator(&mut self, operator: &str, left: ExprId, right: ExprId) -> ExprId {
        match operator {
            "&&" | "||" | "==" | "!=" | "<" | ">" | "<=" | ">=" => self.literal(Literal::Boolean),
            _ => {
                let name = self.b.name(operator);
                self.b.expr(Expr::Operator { name, left, right })
            }
        }
    }

    /// What stands before a dot: a variable, a type or a package.
    pub(super) fn qualifier(&mut self, kid: Kid<'t>, scope: ScopeId) -> ExprId {
        match kid.kind {
            Kind::Identifier | Kind::TypeIdentifier => {
                self.name(kid.node, scope, Role::Read, AMBIGUOUS)
            }
            Kind::FieldAccess => self.chain(kid, scope, AMBIGUOUS),
            Kind::ScopedType | Kind::GenericType | Kind::ArrayType | Kind::AnnotatedType => {
                self.ty(kid, scope)
            }
            _ => self.expr(kid, scope, Want::Nothing),
        }
    }

    /// `a.b().c[0].d`, from its innermost end on.
    fn chain(&mut self, kid: Kid<'t>, scope: ScopeId, spaces: u8) -> ExprId {
        let first = self.open(kid.node);
        let mut links = vec![(kid, first)];
        let mut of = loop {
            let Some((link, kids)) = links.last() else {
                return NONE;
            };
            let before = match link.kind {
                Kind::ArrayAccess => Some(self.kids.get(kids.start)).filter(|_| !kids.is_empty()),
                _ => self.kids.field(kids, self.t.object),
            };
            match before {
                Some(object) if Self::is_link(object.kind) => {
                    let kids = self.open(object.node);
                    links.push((object, kids));
                }
                Some(object) => break self.qualifier(object, scope),
                None => break NONE,
            }
        };
        while let Some((link, kids)) = links.pop() {
            let spaces = if links.is_empty() { spaces } else { AMBIGUOUS };
            of = match link.kind {
                Kind::ArrayAccess => self.array_access(of, &kids, scope),
                Kind::FieldAccess => self.field_access(of, &kids, scope, spaces),
                _ => self.invocation(of, &kids, scope),
            };
            self.close(&kids);
        }
        of
    }

    fn is_link(kind: Kind) -> bool {
        matches!(
            kind,
            Kind::MethodInvocation | Kind::FieldAccess | Kind::ArrayAccess
        )
    }

    fn array_access(&mut self, of: ExprId, kids: &Range, scope: ScopeId) -> ExprId {
        let mut by = NONE;
        for i in kids.clone().skip(1) {
            let kid = self.kids.get(i);
            by = self.expr(kid, scope, Want::Nothing);
        }
        self.b.expr(Expr::Index { of, by })
    }

    /// `of.name`, `Outer.this`, `Interface.super` (which is a value of that interface).
    fn field_access(&mut self, of: ExprId, kids: &Range, scope: ScopeId, spaces: u8) -> ExprId {
        let of = self.qualified_super(of, kids);
        match self.kids.field(kids, self.t.field) {
            Some(name) if name.kind == Kind::This => self.b.expr(Expr::Value { of }),
            Some(name) => {
                let _ = scope;
                self.member(of, name.node, Role::Read, spaces)
            }
            None => of,
        }
    }

    fn qualified_super(&mut self, of: ExprId, kids: &Range) -> ExprId {
        let qualified = kids.clone().any(|i| {
            let kid = self.kids.get(i);
            kid.kind == Kind::Super && kid.field == 0
        });
        if qualified {
            self.b.expr(Expr::Value { of })
        } else {
            of
        }
    }

    fn invocation(&mut self, of: ExprId, kids: &Range, scope: ScopeId) -> ExprId {
        let of = self.qualified_super(of, kids);
        let mut callee = match self.kids.field(kids, self.t.name) {
            Some(name) if self.kids.field(kids, self.t.object).is_some() => {
                self.member(of, name.node, Role::Call, METHOD)
            }
            Some(name) => self.name(name.node, scope, Role::Call, METHOD),
            None => NONE,
        };
        if let Some(arguments) = self.kids.kind(kids, Kind::TypeArguments) {
            callee = self.apply(callee, arguments, scope);
        }
        let call = self.b.reserve();
        let args = match self.kids.kind(kids, Kind::ArgumentList) {
            Some(arguments) => self.arguments(arguments, scope, call),
            None => NONE,
        };
        self.b.fill(call, Expr::Call { of: callee, args });
        call
    }

    /// The arguments of a call that is reserved.
    pub(super) fn arguments(&mut self, kid: Kid<'t>, scope: ScopeId, call: ExprId) -> ListId {
        let kids = self.open(kid.node);
        let mut args = Vec::with_capacity(kids.len());
        for i in kids.clone() {
            let kid = self.kids.get(i);
            let want = Want::Argument(call, args.len() as u32);
            args.push(self.expr(kid, scope, want));
        }
        self.close(&kids);
        self.b.list(&args)
    }

    /// `new T(…) { … }`, `outer.new T(…)`.
    fn creation(&mut self, kids: &Range, scope: ScopeId) -> ExprId {
        let mut outer = NONE;
        let mut of = NONE;
        let call = self.b.reserve();
        let mut args = NONE;
        let mut value = call;
        for i in kids.clone() {
            let kid = self.kids.get(i);
            match kid.kind {
                _ if kid.field == self.t.ty => of = self.created(kid, outer, scope),
                Kind::ArgumentList => args = self.arguments(kid, scope, call),
                Kind::TypeArguments => {
                    self.apply(NONE, kid, scope);
                }
                Kind::ClassBody => {
                    let scope = self.anonymous(kid, scope, of);
                    value = self.b.expr(Expr::This { scope });
                }
                Kind::Annotation | Kind::MarkerAnnotation => self.annotation(kid, scope),
                _ => outer = self.expr(kid, scope, Want::Nothing),
            }
        }
        self.b.fill(call, Expr::New { of, args });
        value
    }

    fn created(&mut self, kid: Kid<'t>, outer: ExprId, scope: ScopeId) -> ExprId {
        let of = match kid.kind {
            Kind::TypeIdentifier if outer != NONE => self.member(outer, kid.node, Role::Call, TYPE),
            _ => self.ty(kid, scope),
        };
        let named = match self.b.facts.expr(of) {
            Expr::Apply { of, .. } => of,
            _ => of,
        };
        self.b.set_role(named, Role::Call);
        of
    }

    fn array_creation(&mut self, kids: &Range, scope: ScopeId) -> ExprId {
        let mut of = NONE;
        for i in kids.clone() {
            let kid = self.kids.get(i);
            match kid.kind {
                Kind::DimensionsExpr => {
                    let kids = self.open(kid.node);
                    self.last(&kids, scope, Want::Nothing);
                    self.close(&kids);
                    of = self.b.expr(Expr::Array { of });
                }
                Kind::Dimensions => of = self.arrays(of, kid),
                Kind::ArrayInitializer => {
                    self.expr(kid, scope, Want::Type(of));
                }
                Kind::Annotation | Kind::MarkerAnnotation => self.annotation(kid, scope),
                _ => of = self.ty(kid, scope),
            }
        }
        self.b.expr(Expr::Value { of })
    }

    fn array_initializer(&mut self, kids: &Range, scope: ScopeId, want: Want) -> ExprId {
        let ty = match want {
            Want::Type(ty) => ty,
            _ => NONE,
        };
        let element = match self.b.facts.expr(ty) {
            Expr::Array { of } => Want::Type(of),
            _ => Want::Nothing,
        };
        let value = self.last(kids, scope, element);
        if ty == NONE {
            self.b.expr(Expr::Array { of: value })
        } else {
            self.b.expr(Expr::Value { of: ty })
        }
    }

    /// `T.class` is a `Class<T>`.
    fn class_literal(&mut self, kids: &Range, scope: ScopeId) -> ExprId {
        let mut ty = NONE;
        for i in kids.clone() {
            let kid = self.kids.get(i);
            ty = self.ty(kid, scope);
        }
        let class = self.unwritten_type("Class", scope);
        let args = self.b.list(&[ty]);
        let of = self.b.expr(Expr::Apply { of: class, args });
        self.b.expr(Expr::Value { of })
    }
}
