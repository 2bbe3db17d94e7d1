//! Lambdas and method references.

use crate::facts::{DefKind, Expr, ExprId, NONE, Role, ScopeId, ScopeKind};

use super::kinds::Kind;
use super::walk::{JavaChild, JavaWalk, METHOD, VALUE};
use crate::children::ChildRange;
use crate::contextual::ContextualType;

impl<'t> JavaWalk<'t> {
    /// `a::f`, `T::f`, `T::new`: the last is a function that gives a `T`.
    pub(super) fn method_reference(
        &mut self,
        child: JavaChild<'t>,
        children: ChildRange,
        scope: ScopeId,
    ) -> ExprId {
        if children.is_empty() {
            return NONE;
        }
        let of = self.child(children.from);
        let of = self.qualifier(of, scope);
        let mut name = None;
        for i in children.iter().skip(1) {
            let part = self.child(i);
            match part.kind {
                Kind::TypeArguments => {
                    self.apply(NONE, part, scope);
                }
                _ => name = Some(part),
            }
        }
        if let Some(name) = name {
            return self.member(of, name.node, Role::Call, METHOD);
        }
        let created = match self.b.facts.expr(of) {
            Expr::Apply { of, .. } => of,
            _ => of,
        };
        self.b.set_role(created, Role::Call);
        let value = match self.b.facts.expr(of) {
            Expr::Array { .. } => self.b.expr(Expr::Value { of }),
            _ => self.b.expr(Expr::New { of, args: NONE }),
        };
        let def = self
            .b
            .define("", DefKind::Lambda, scope, NONE, child.range());
        self.b.edit(def).value = value;
        self.b.expr(Expr::Function { def })
    }

    pub(super) fn lambda(
        &mut self,
        child: JavaChild<'t>,
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
        let negated = std::mem::replace(&mut self.lang.negated, false);
        let returned = self.lang.returns.len();
        for i in children {
            let part = self.child(i);
            if part.field == self.table.parameters {
                self.lambda_parameters(part, inner, scope, context);
            } else if part.kind == Kind::Block {
                self.statements(part, inner);
                let values: Vec<ExprId> = self.lang.returns.drain(returned..).take(4).collect();
                self.b.edit(def).value = self.b.union(&values);
            } else if part.field == self.table.body {
                let value = self.expr(part, inner, ContextualType::Nothing);
                self.b.edit(def).value = value;
            }
        }
        self.lang.result = result;
        self.lang.negated = negated;
        self.close(children);
        self.b.expr(Expr::Function { def })
    }

    fn lambda_parameters(
        &mut self,
        child: JavaChild<'t>,
        inner: ScopeId,
        scope: ScopeId,
        context: ContextualType,
    ) {
        let first = self.b.facts.defs.len();
        match child.kind {
            Kind::Identifier => self.lambda_parameter(child, inner),
            Kind::FormalParameters => self.parameters(child, inner, scope),
            _ => {
                let children = self.open(child.node);
                for i in children {
                    let child = self.child(i);
                    self.lambda_parameter(child, inner);
                }
                self.close(children);
            }
        }
        if matches!(context, ContextualType::Nothing) {
            return;
        }
        let of = context.value(&mut self.b);
        let last = self.b.facts.defs.len();
        for (index, def) in (first..last).enumerate() {
            if self.b.facts.defs[def].ty == NONE {
                let index = index as u32;
                self.b.facts.defs[def].value = self.b.expr(Expr::ContextualParam { of, index });
            }
        }
    }

    fn lambda_parameter(&mut self, child: JavaChild<'t>, scope: ScopeId) {
        if child.kind == Kind::Identifier {
            let at = child.start() as u32;
            let name = self.text(child.node);
            let def = self
                .b
                .define(name, DefKind::Parameter, scope, at, child.range());
            self.b.edit(def).spaces = VALUE;
        }
    }
}
