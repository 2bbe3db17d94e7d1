//! Chains of members, calls and indexes; lambdas.

use crate::facts::{
    DefId, DefKind, Expr, ExprId, ListId, Literal, NONE, Role, ScopeId, ScopeKind, flag,
};

use super::kinds::Kind;
use super::walk::{AMBIGUOUS, Child, VALUE, Walk};
use crate::children::ChildRange;
use crate::contextual::ContextualType;

impl<'t> Walk<'t> {
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
    pub(super) fn chain(&mut self, child: Child<'t>, scope: ScopeId, spaces: u8) -> ExprId {
        let first = self.open(child.node);
        let mut links = vec![(child, first)];
        let mut of = loop {
            let Some(&(link, children)) = links.last() else {
                return NONE;
            };
            match self.before(link, children) {
                Some(before) if Self::is_link(before.kind) => {
                    let children = self.open(before.node);
                    links.push((before, children));
                }
                Some(before) => break self.innermost(link, before, scope),
                None => break NONE,
            }
        };
        while let Some((link, children)) = links.pop() {
            let spaces = match links.last() {
                None => spaces,
                Some((next, _)) if next.kind == Kind::Invocation => VALUE,
                Some(_) => AMBIGUOUS,
            };
            of = self.link(link, of, children, scope, spaces);
            self.close(children);
        }
        of
    }

    /// What a link of a chain works on.
    fn before(&self, link: Child<'t>, children: ChildRange) -> Option<Child<'t>> {
        let field = match link.kind {
            Kind::Invocation => self.table.function,
            Kind::ConditionalAccess => self.table.condition,
            Kind::PostfixUnary => {
                return children.iter().next().map(|i| self.child(i));
            }
            _ => self.table.expression,
        };
        self.children.in_field(children, field)
    }

    fn innermost(&mut self, link: Child<'t>, child: Child<'t>, scope: ScopeId) -> ExprId {
        match link.kind {
            Kind::MemberAccess => self.qualifier(child, scope),
            Kind::Invocation if self.is_nameof(child) => NONE,
            Kind::Invocation if child.kind == Kind::IsPattern => NONE,
            // `a + b?.c` is read as `(a + b)?.c`; what is meant is `b`.
            Kind::ConditionalAccess if Self::ends_with_operand(child.kind) => {
                self.expr(child, scope, ContextualType::Nothing);
                self.lang.operand
            }
            _ => self.expr(child, scope, ContextualType::Nothing),
        }
    }

    fn is_nameof(&self, child: Child<'t>) -> bool {
        child.kind == Kind::Identifier && self.text(child.node) == "nameof"
    }

    fn link(
        &mut self,
        link: Child<'t>,
        of: ExprId,
        children: ChildRange,
        scope: ScopeId,
        spaces: u8,
    ) -> ExprId {
        match link.kind {
            Kind::MemberAccess => {
                let spaces = if self.lang.naming { AMBIGUOUS } else { spaces };
                let of = self.pointed_to(link, of, children);
                match self.children.in_field(children, self.table.name) {
                    Some(name) => self.simple_member(of, name, scope, spaces, Role::Read),
                    None => of,
                }
            }
            Kind::Invocation => self.invocation(of, children, scope),
            Kind::PostfixUnary => {
                let text = self.text(link.node);
                if text.ends_with("++") || text.ends_with("--") {
                    self.b.set_role(of, Role::ReadWrite);
                }
                of
            }
            _ => self.bound(of, children, scope),
        }
    }

    /// `p->m` is a member of what `p` points to.
    fn pointed_to(&mut self, link: Child<'t>, of: ExprId, children: ChildRange) -> ExprId {
        let name = self.children.in_field(children, self.table.name);
        let before = name.map_or(0, |name| name.start());
        let text = self.text.get(link.start()..before).unwrap_or("");
        if text.trim_end().ends_with("->") {
            return self.b.expr(Expr::Deref { of });
        }
        of
    }

    /// `?.name`, `?[index]`, `[index]`.
    fn bound(&mut self, of: ExprId, children: ChildRange, scope: ScopeId) -> ExprId {
        let mut of = of;
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::MemberBinding => {
                    let inner = self.open(part.node);
                    if let Some(name) = self.children.in_field(inner, self.table.name) {
                        of = self.simple_member(of, name, scope, VALUE, Role::Read);
                    }
                    self.close(inner);
                }
                Kind::ElementBinding | Kind::BracketedArguments => {
                    of = self.indexed(of, part, scope);
                }
                _ => {}
            }
        }
        of
    }

    pub(super) fn indexed(&mut self, of: ExprId, child: Child<'t>, scope: ScopeId) -> ExprId {
        let args = self.arguments(child, scope, NONE);
        if self.is_range(child) {
            return self.slice(of, args);
        }
        let by = self.b.facts.list(args).first().copied().unwrap_or(NONE);
        self.b.expr(Expr::Index { of, by })
    }

    /// Whether a range is the only thing between the brackets of an index.
    fn is_range(&mut self, child: Child<'t>) -> bool {
        let arguments = self.open(child.node);
        let only = (arguments.len() == 1).then(|| self.child(arguments.from));
        self.close(arguments);
        let Some(only) = only.filter(|only| only.kind == Kind::Argument) else {
            return false;
        };
        let parts = self.open(only.node);
        let kind = (parts.len() == 1).then(|| self.child(parts.from).kind);
        self.close(parts);
        kind == Some(Kind::RangeExpression)
    }

    /// `a[1..]`: the language calls `Slice` for it, which nobody writes.
    fn slice(&mut self, of: ExprId, args: ListId) -> ExprId {
        let name = self.b.name("Slice");
        let of = self.b.expr(Expr::Member {
            of,
            name,
            at: NONE,
            role: Role::Call,
            spaces: VALUE,
        });
        self.b.expr(Expr::Call { of, args })
    }

    fn invocation(&mut self, of: ExprId, children: ChildRange, scope: ScopeId) -> ExprId {
        let arguments = self.children.in_field(children, self.table.arguments);
        let function = self.children.in_field(children, self.table.function);
        if function.is_some_and(|function| self.is_nameof(function)) {
            if let Some(arguments) = arguments {
                self.named_only(arguments, scope);
            }
            return self.b.literal(Literal::Text);
        }
        if let (Some(test), Some(arguments)) = (
            function.filter(|function| function.kind == Kind::IsPattern),
            arguments,
        ) {
            self.positional_test(test, arguments, scope);
            return self.b.literal(Literal::Boolean);
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

    /// The argument of `nameof`.
    pub(super) fn named_only(&mut self, arguments: Child<'t>, scope: ScopeId) {
        let scope = self.lang.naming_scope.unwrap_or(scope);
        let naming = std::mem::replace(&mut self.lang.naming, true);
        self.arguments(arguments, scope, NONE);
        self.lang.naming = naming;
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
    pub(super) fn arguments(&mut self, child: Child<'t>, scope: ScopeId, call: ExprId) -> ListId {
        let children = self.open(child.node);
        let mut args = Vec::with_capacity(children.len());
        for i in children {
            let argument = self.child(i);
            let context = match call {
                NONE => ContextualType::Nothing,
                call => ContextualType::Argument(call, args.len() as u32),
            };
            if argument.kind != Kind::Argument {
                args.push(self.expr(argument, scope, context));
                continue;
            }
            let parts = self.open(argument.node);
            let name = self.children.in_field(parts, self.table.name);
            let named = name.map(|name| self.keyword(call, name, NONE));
            let mut value = NONE;
            for i in parts {
                let part = self.child(i);
                if name.is_none() || part.field != self.table.name {
                    value = match self.product(argument, part, scope) {
                        Some(product) => product,
                        None => self.expr(part, scope, context),
                    };
                    value = self.passed(argument, part, name, value);
                }
            }
            self.close(parts);
            args.push(self.with_value(named, value));
        }
        self.close(children);
        self.b.list(&args)
    }

    /// `a * b`, which the grammar reads as the declaration of a pointer `b` to an `a`.
    fn product(&mut self, argument: Child<'t>, part: Child<'t>, scope: ScopeId) -> Option<ExprId> {
        let is_declared = self.text(argument.node).starts_with("out ");
        if is_declared || part.kind != Kind::DeclarationExpression {
            return None;
        }
        let children = self.open(part.node);
        let factors = self
            .children
            .in_field(children, self.table.ty)
            .zip(self.children.in_field(children, self.table.name));
        let factors = factors.filter(|(left, _)| left.kind == Kind::PointerType);
        let product = factors.map(|(left, right)| {
            let inner = self.open(left.node);
            let left = self.field_expr(inner, self.table.ty, scope, ContextualType::Nothing);
            self.close(inner);
            let right = self.expr(right, scope, ContextualType::Nothing);
            let name = self.b.name("*");
            self.b.expr(Expr::Operator { name, left, right })
        });
        self.close(children);
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

    /// What an argument passes: `out x` writes, `ref x` does both. What is read of an element, or left of `x++` and `x = 1`, is
    /// a value though a variable is written in it: a choice of one. An element that is passed itself is one of the same twice.
    fn passed(
        &mut self,
        argument: Child<'t>,
        part: Child<'t>,
        name: Option<Child<'t>>,
        value: ExprId,
    ) -> ExprId {
        let text = self.text(argument.node);
        // A name may stand before it: `f(to: ref x)`.
        let text = match name.and_then(|_| text.split_once(':')) {
            Some((_, text)) => text.trim_start(),
            None => text,
        };
        let role = match text.split_whitespace().next() {
            Some("out") => Role::Write,
            Some("ref") => Role::ReadWrite,
            Some("in") => return value,
            _ => {
                let is_value = match part.kind {
                    Kind::Assignment | Kind::ElementAccess => true,
                    Kind::PrefixUnary => text.starts_with("++") || text.starts_with("--"),
                    Kind::PostfixUnary => text.ends_with("++") || text.ends_with("--"),
                    _ => false,
                };
                if !is_value {
                    return value;
                }
                let of = self.b.list(&[value]);
                return self.b.expr(Expr::Union { of });
            }
        };
        self.b.set_role(value, role);
        if part.kind != Kind::ElementAccess {
            return value;
        }
        let of = self.b.list(&[value, value]);
        self.b.expr(Expr::Union { of })
    }

    /// A lambda or anonymous method.
    pub(super) fn lambda(
        &mut self,
        child: Child<'t>,
        scope: ScopeId,
        context: ContextualType,
    ) -> ExprId {
        let children = self.open(child.node);
        let def = self
            .b
            .define("", DefKind::Lambda, scope, NONE, child.range());
        let inner = self.b.scope(ScopeKind::Function, scope, def, child.range());
        self.b.edit(def).inner = inner;
        let result = std::mem::replace(&mut self.lang.result, ContextualType::Nothing);
        let returned = self.lang.returns.len();
        for i in children {
            let part = self.child(i);
            if part.field == self.table.parameters {
                self.lambda_parameters(part, inner, scope, context);
            } else if part.field == self.table.ty {
                let ty = self.ty(part, scope);
                self.b.edit(def).ty = ty;
                self.lang.result = ContextualType::Type(ty);
            } else if part.kind == Kind::Modifier {
                if self.text(part.node) == "async" {
                    self.b.edit(def).flags |= flag::ASYNC;
                }
            } else if part.kind == Kind::AttributeList {
                self.attributes_of_function(part, scope, inner);
            } else {
                self.lambda_body(part, inner, def, returned);
            }
        }
        self.lang.result = result;
        self.close(children);
        self.b.expr(Expr::Function { def })
    }

    fn lambda_body(&mut self, child: Child<'t>, inner: ScopeId, def: DefId, returned: usize) {
        if child.kind != Kind::Block {
            let value = self.expr(child, inner, self.lang.result);
            self.b.edit(def).value = value;
            return;
        }
        let children = self.open(child.node);
        for i in children {
            let part = self.child(i);
            self.statement(part, inner);
        }
        self.close(children);
        let values: Vec<ExprId> = self.lang.returns.drain(returned..).take(4).collect();
        self.b.edit(def).value = self.b.union(&values);
    }

    fn lambda_parameters(
        &mut self,
        child: Child<'t>,
        inner: ScopeId,
        scope: ScopeId,
        context: ContextualType,
    ) {
        let first = self.b.facts.defs.len();
        if child.kind == Kind::ImplicitParameter {
            self.define(child.node, DefKind::Parameter, inner, child.range(), VALUE);
        } else {
            self.parameters(child, inner, scope);
        }
        let of = context.value(&mut self.b);
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
