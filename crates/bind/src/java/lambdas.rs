//! Lambdas and method references.

use crate::facts::{DefKind, Expr, ExprId, NONE, Role, ScopeId, ScopeKind};

use super::{Kid, Kind, METHOD, Range, VALUE, Walker, Want};

impl<'t> Walker<'t> {
    /// `a::f`, `T::f`, `T::new`: the last is a function that gives a `T`.
    pub(super) fn method_reference(
        &mut self,
        kid: Kid<'t>,
        kids: &Range,
        scope: ScopeId,
    ) -> ExprId {
        if kids.is_empty() {
            return NONE;
        }
        let of = self.kids.get(kids.start);
        let of = self.qualifier(of, scope);
        let mut name = None;
        for i in kids.clone().skip(1) {
            let part = self.kids.get(i);
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
        let def = self.b.define("", DefKind::Lambda, scope, NONE, kid.range());
        self.b.edit(def).value = value;
        self.b.expr(Expr::Function { def })
    }

    pub(super) fn lambda(&mut self, kid: Kid<'t>, scope: ScopeId, want: Want) -> ExprId {
        let kids = self.open(kid.node);
        let def = self.b.define("", DefKind::Lambda, scope, NONE, kid.range());
        let inner = self.b.scope(ScopeKind::Function, scope, def, kid.range());
        self.b.edit(def).inner = inner;
        let result = std::mem::replace(&mut self.result, Want::Nothing);
        let negated = std::mem::replace(&mut self.negated, false);
        let returned = self.returns.len();
        for i in kids.clone() {
            let part = self.kids.get(i);
            if part.field == self.t.parameters {
                self.lambda_parameters(part, inner, scope, want);
            } else if part.kind == Kind::Block {
                self.statements(part, inner);
                let values: Vec<ExprId> = self.returns.drain(returned..).take(4).collect();
                self.b.edit(def).value = self.b.union(&values);
            } else if part.field == self.t.body {
                let value = self.expr(part, inner, Want::Nothing);
                self.b.edit(def).value = value;
            }
        }
        self.result = result;
        self.negated = negated;
        self.close(&kids);
        self.b.expr(Expr::Function { def })
    }

    fn lambda_parameters(&mut self, kid: Kid<'t>, inner: ScopeId, scope: ScopeId, want: Want) {
        let first = self.b.facts.defs.len();
        match kid.kind {
            Kind::Identifier => self.lambda_parameter(kid, inner),
            Kind::FormalParameters => self.parameters(kid, inner, scope),
            _ => {
                let kids = self.open(kid.node);
                for i in kids.clone() {
                    let kid = self.kids.get(i);
                    self.lambda_parameter(kid, inner);
                }
                self.close(&kids);
            }
        }
        let of = match want {
            Want::Nothing => return,
            Want::Type(of) => self.b.expr(Expr::Value { of }),
            Want::Same(of) => of,
            Want::Argument(call, index) => self.b.expr(Expr::ContextualType { call, index }),
        };
        let last = self.b.facts.defs.len();
        for (index, def) in (first..last).enumerate() {
            if self.b.facts.defs[def].ty == NONE {
                let index = index as u32;
                self.b.facts.defs[def].value = self.b.expr(Expr::ContextualParam { of, index });
            }
        }
    }

    fn lambda_parameter(&mut self, kid: Kid<'t>, scope: ScopeId) {
        if kid.kind == Kind::Identifier {
            let at = kid.start() as u32;
            let name = self.text(kid.node);
            let def = self
                .b
                .define(name, DefKind::Parameter, scope, at, kid.range());
            self.b.edit(def).spaces = VALUE;
        }
    }
}
