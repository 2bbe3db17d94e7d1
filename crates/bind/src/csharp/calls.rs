//! Chains of members, calls and indexes; lambdas.

use crate::facts::{
    DefId, DefKind, Expr, ExprId, ListId, Literal, NONE, Role, ScopeId, ScopeKind, flag,
};

use super::{AMBIGUOUS, Kid, Kind, Range, VALUE, Walker, Want};

impl<'t> Walker<'t> {
    pub(super) fn is_link(kind: Kind) -> bool {
        matches!(
            kind,
            Kind::MemberAccess
                | Kind::Invocation
                | Kind::ElementAccess
                | Kind::ConditionalAccess
                | Kind::PostfixUnary
        )
    }

    /// `a.b()?.c[0]!.d`, from its innermost end on.
    pub(super) fn chain(&mut self, kid: Kid<'t>, scope: ScopeId, spaces: u8) -> ExprId {
        let first = self.open(kid.node);
        let mut links = vec![(kid, first)];
        let mut of = loop {
            let Some((link, kids)) = links.last() else {
                return NONE;
            };
            match self.before(*link, kids) {
                Some(before) if Self::is_link(before.kind) => {
                    let kids = self.open(before.node);
                    links.push((before, kids));
                }
                Some(before) => {
                    let link = *link;
                    break self.innermost(link, before, scope);
                }
                None => break NONE,
            }
        };
        while let Some((link, kids)) = links.pop() {
            let spaces = match links.last() {
                None => spaces,
                Some((next, _)) if next.kind == Kind::Invocation => VALUE,
                Some(_) => AMBIGUOUS,
            };
            of = self.link(link, of, &kids, scope, spaces);
            self.close(&kids);
        }
        of
    }

    /// What a link of a chain works on.
    fn before(&self, link: Kid<'t>, kids: &Range) -> Option<Kid<'t>> {
        let field = match link.kind {
            Kind::Invocation => self.t.function,
            Kind::ConditionalAccess => self.t.condition,
            Kind::PostfixUnary => {
                return kids.clone().next().map(|i| self.kids.get(i));
            }
            _ => self.t.expression,
        };
        self.kids.field(kids, field)
    }

    fn innermost(&mut self, link: Kid<'t>, kid: Kid<'t>, scope: ScopeId) -> ExprId {
        match link.kind {
            Kind::MemberAccess => self.qualifier(kid, scope),
            Kind::Invocation if self.is_nameof(kid) => NONE,
            Kind::Invocation if kid.kind == Kind::IsPattern => NONE,
            // `a + b?.c` is read as `(a + b)?.c`; what is meant is `b`.
            Kind::ConditionalAccess if Self::ends_with_operand(kid.kind) => {
                self.expr(kid, scope, Want::Nothing);
                self.operand
            }
            _ => self.expr(kid, scope, Want::Nothing),
        }
    }

    fn is_nameof(&self, kid: Kid<'t>) -> bool {
        kid.kind == Kind::Identifier && self.text(kid.node) == "nameof"
    }

    fn link(
        &mut self,
        link: Kid<'t>,
        of: ExprId,
        kids: &Range,
        scope: ScopeId,
        spaces: u8,
    ) -> ExprId {
        match link.kind {
            Kind::MemberAccess => {
                let spaces = if self.naming { AMBIGUOUS } else { spaces };
                let of = self.pointed_to(link, of, kids);
                match self.kids.field(kids, self.t.name) {
                    Some(name) => self.simple_member(of, name, scope, spaces, Role::Read),
                    None => of,
                }
            }
            Kind::Invocation => self.invocation(of, kids, scope),
            Kind::PostfixUnary => {
                let text = self.text(link.node);
                if text.ends_with("++") || text.ends_with("--") {
                    self.b.set_role(of, Role::ReadWrite);
                }
                of
            }
            _ => self.bound(of, kids, scope),
        }
    }

    /// `p->m` is a member of what `p` points to.
    fn pointed_to(&mut self, link: Kid<'t>, of: ExprId, kids: &Range) -> ExprId {
        let name = self.kids.field(kids, self.t.name);
        let before = name.map_or(0, |name| name.start());
        let text = self.text.get(link.start()..before).unwrap_or("");
        if text.trim_end().ends_with("->") {
            return self.b.expr(Expr::Deref { of });
        }
        of
    }

    /// `?.name`, `?[index]`, `[index]`.
    fn bound(&mut self, of: ExprId, kids: &Range, scope: ScopeId) -> ExprId {
        let mut of = of;
        for i in kids.clone() {
            let part = self.kids.get(i);
            match part.kind {
                Kind::MemberBinding => {
                    let inner = self.open(part.node);
                    if let Some(name) = self.kids.field(&inner, self.t.name) {
                        of = self.simple_member(of, name, scope, VALUE, Role::Read);
                    }
                    self.close(&inner);
                }
                Kind::ElementBinding | Kind::BracketedArguments => {
                    of = self.indexed(of, part, scope);
                }
                _ => {}
            }
        }
        of
    }

    pub(super) fn indexed(&mut self, of: ExprId, kid: Kid<'t>, scope: ScopeId) -> ExprId {
        let args = self.arguments(kid, scope, NONE);
        let by = self.b.facts.list(args).first().copied().unwrap_or(NONE);
        self.b.expr(Expr::Index { of, by })
    }

    fn invocation(&mut self, of: ExprId, kids: &Range, scope: ScopeId) -> ExprId {
        let arguments = self.kids.field(kids, self.t.arguments);
        let function = self.kids.field(kids, self.t.function);
        if function.is_some_and(|function| self.is_nameof(function)) {
            let naming = std::mem::replace(&mut self.naming, true);
            if let Some(arguments) = arguments {
                self.arguments(arguments, scope, NONE);
            }
            self.naming = naming;
            return self.literal(Literal::Text);
        }
        if let (Some(test), Some(arguments)) = (
            function.filter(|function| function.kind == Kind::IsPattern),
            arguments,
        ) {
            self.positional_test(test, arguments, scope);
            return self.literal(Literal::Boolean);
        }
        self.called(of);
        let call = self.b.reserve();
        let args = match arguments {
            Some(arguments) => self.arguments(arguments, scope, call),
            None => NONE,
        };
        self.b.fill(call, Expr::Call { of, args });
        call
    }

    /// Says that a name is called.
    pub(super) fn called(&mut self, of: ExprId) {
        let named = match self.b.facts.expr(of) {
            Expr::Apply { of, .. } => of,
            _ => of,
        };
        self.b.set_role(named, Role::Call);
    }

    /// Arguments of a call that is reserved, or of an index ([`NONE`]).
    pub(super) fn arguments(&mut self, kid: Kid<'t>, scope: ScopeId, call: ExprId) -> ListId {
        let kids = self.open(kid.node);
        let mut args = Vec::with_capacity(kids.len());
        for i in kids.clone() {
            let argument = self.kids.get(i);
            let want = match call {
                NONE => Want::Nothing,
                call => Want::Argument(call, args.len() as u32),
            };
            if argument.kind != Kind::Argument {
                args.push(self.expr(argument, scope, want));
                continue;
            }
            let parts = self.open(argument.node);
            let name = self.kids.field(&parts, self.t.name);
            let named = name.map(|name| self.keyword(call, name, NONE));
            let mut value = NONE;
            for i in parts.clone() {
                let part = self.kids.get(i);
                if name.is_none() || part.field != self.t.name {
                    value = match self.product(argument, part, scope) {
                        Some(product) => product,
                        None => self.expr(part, scope, want),
                    };
                    self.written_out(argument, value);
                }
            }
            self.close(&parts);
            args.push(self.with_value(named, value));
        }
        self.close(&kids);
        self.b.list(&args)
    }

    /// `a * b`, which the grammar reads as the declaration of a pointer `b` to an `a`.
    fn product(&mut self, argument: Kid<'t>, part: Kid<'t>, scope: ScopeId) -> Option<ExprId> {
        let is_declared = self.text(argument.node).starts_with("out ");
        if is_declared || part.kind != Kind::DeclarationExpression {
            return None;
        }
        let kids = self.open(part.node);
        let factors = self
            .kids
            .field(&kids, self.t.ty)
            .zip(self.kids.field(&kids, self.t.name));
        let factors = factors.filter(|(left, _)| left.kind == Kind::PointerType);
        let product = factors.map(|(left, right)| {
            let inner = self.open(left.node);
            let left = self.field_expr(&inner, self.t.ty, scope, Want::Nothing);
            self.close(&inner);
            let right = self.expr(right, scope, Want::Nothing);
            let name = self.b.name("*");
            self.b.expr(Expr::Operator { name, left, right })
        });
        self.close(&kids);
        product
    }

    fn with_value(&mut self, keyword: Option<ExprId>, given: ExprId) -> ExprId {
        let Some(keyword) = keyword else {
            return given;
        };
        if let Expr::Keyword { call, name, at, .. } = self.b.facts.expr(keyword) {
            self.b.fill(
                keyword,
                Expr::Keyword {
                    call,
                    name,
                    at,
                    value: given,
                },
            );
        }
        keyword
    }

    /// `out x` writes, `ref x` does both.
    fn written_out(&mut self, argument: Kid<'t>, value: ExprId) {
        let text = self.text(argument.node);
        let role = if text.starts_with("out ") {
            Role::Write
        } else if text.starts_with("ref ") {
            Role::ReadWrite
        } else {
            return;
        };
        self.b.set_role(value, role);
    }

    /// A lambda or anonymous method.
    pub(super) fn lambda(&mut self, kid: Kid<'t>, scope: ScopeId, want: Want) -> ExprId {
        let kids = self.open(kid.node);
        let def = self.b.define("", DefKind::Lambda, scope, NONE, kid.range());
        let inner = self.b.scope(ScopeKind::Function, scope, def, kid.range());
        self.b.edit(def).inner = inner;
        let result = std::mem::replace(&mut self.result, Want::Nothing);
        let returned = self.returns.len();
        for i in kids.clone() {
            let part = self.kids.get(i);
            if part.field == self.t.parameters {
                self.lambda_parameters(part, inner, scope, want);
            } else if part.field == self.t.ty {
                let ty = self.ty(part, scope);
                self.b.edit(def).ty = ty;
                self.result = Want::Type(ty);
            } else if part.kind == Kind::Modifier {
                if self.text(part.node) == "async" {
                    self.b.edit(def).flags |= flag::ASYNC;
                }
            } else if part.kind == Kind::AttributeList {
                self.attributes(part, scope);
            } else {
                self.lambda_body(part, inner, def, returned);
            }
        }
        self.result = result;
        self.close(&kids);
        self.b.expr(Expr::Function { def })
    }

    fn lambda_body(&mut self, kid: Kid<'t>, inner: ScopeId, def: DefId, returned: usize) {
        if kid.kind != Kind::Block {
            let value = self.expr(kid, inner, self.result);
            self.b.edit(def).value = value;
            return;
        }
        let kids = self.open(kid.node);
        for i in kids.clone() {
            let part = self.kids.get(i);
            self.statement(part, inner);
        }
        self.close(&kids);
        let values: Vec<ExprId> = self.returns.drain(returned..).take(4).collect();
        self.b.edit(def).value = self.b.union(&values);
    }

    fn lambda_parameters(&mut self, kid: Kid<'t>, inner: ScopeId, scope: ScopeId, want: Want) {
        let first = self.b.facts.defs.len();
        if kid.kind == Kind::ImplicitParameter {
            self.define(kid.node, DefKind::Parameter, inner, kid.range(), VALUE);
        } else {
            self.parameters(kid, inner, scope);
        }
        let of = self.wanted(want);
        if of == NONE {
            return;
        }
        let parameters = (first..self.b.facts.defs.len()).filter(|&def| {
            let def = &self.b.facts.defs[def];
            def.scope == inner && def.kind == DefKind::Parameter
        });
        for (index, def) in parameters.collect::<Vec<_>>().into_iter().enumerate() {
            if self.b.facts.defs[def].ty == NONE {
                let index = index as u32;
                self.b.facts.defs[def].value = self.b.expr(Expr::ContextualParam { of, index });
            }
        }
    }
}
