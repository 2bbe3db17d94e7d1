//! Query expressions: what is called `from x in xs` has the elements' type.

use crate::facts::{DefKind, Expr, ExprId, NONE, Part, ScopeId};

use super::{Kid, Kind, Range, VALUE, Walker, Want};

impl<'t> Walker<'t> {
    pub(super) fn linq_query(&mut self, kid: Kid<'t>, scope: ScopeId) -> ExprId {
        let scope = self.block(kid, scope);
        let kids = self.open(kid.node);
        let mut result = NONE;
        for i in kids.clone() {
            let part = self.kids.get(i);
            match part.kind {
                Kind::SelectClause | Kind::GroupClause => {
                    let inner = self.open(part.node);
                    result = self.first(&inner, scope);
                    self.close(&inner);
                    if part.kind == Kind::GroupClause {
                        result = self.b.expr(Expr::Array { of: result });
                    }
                }
                // `into x` goes on with what was selected.
                Kind::Identifier => self.range_variable(part, scope, NONE, result),
                _ => self.clause(part, scope),
            }
        }
        self.close(&kids);
        self.b.expr(Expr::Array { of: result })
    }

    fn first(&mut self, kids: &Range, scope: ScopeId) -> ExprId {
        let mut first = NONE;
        for (place, i) in kids.clone().enumerate() {
            let part = self.kids.get(i);
            let value = self.expr(part, scope, Want::Nothing);
            if place == 0 {
                first = value;
            }
        }
        first
    }

    fn clause(&mut self, kid: Kid<'t>, scope: ScopeId) {
        let kids = self.open(kid.node);
        match kid.kind {
            Kind::FromClause | Kind::JoinClause => self.source(&kids, scope),
            Kind::LetClause => {
                let mut name = None;
                for i in kids.clone() {
                    let part = self.kids.get(i);
                    if name.is_none() && part.kind == Kind::Identifier {
                        name = Some(part);
                        continue;
                    }
                    let value = self.expr(part, scope, Want::Nothing);
                    if let Some(name) = name {
                        self.range_variable(name, scope, NONE, value);
                    }
                }
            }
            _ => {
                self.last(&kids, scope, Want::Nothing);
            }
        }
        self.close(&kids);
    }

    /// `from T x in xs`, `join T x in xs on a equals b into g`.
    fn source(&mut self, kids: &Range, scope: ScopeId) {
        let mut ty = NONE;
        let mut name = None;
        let mut element = NONE;
        for i in kids.clone() {
            let part = self.kids.get(i);
            if part.field == self.t.ty {
                ty = self.ty(part, scope);
            } else if name.is_none() && part.kind == Kind::Identifier {
                name = Some(part);
            } else if part.kind == Kind::JoinInto {
                let inner = self.open(part.node);
                if let Some(group) = self.kids.kind(&inner, Kind::Identifier) {
                    let value = self.b.expr(Expr::Array { of: element });
                    self.range_variable(group, scope, NONE, value);
                }
                self.close(&inner);
            } else {
                let value = self.expr(part, scope, Want::Nothing);
                if let (Some(name), NONE) = (name, element) {
                    let part = Part::Element;
                    element = self.b.expr(Expr::Iter { of: value, part });
                    self.range_variable(name, scope, ty, element);
                }
            }
        }
    }

    fn range_variable(&mut self, kid: Kid<'t>, scope: ScopeId, ty: ExprId, value: ExprId) {
        let def = self.define(kid.node, DefKind::Variable, scope, kid.range(), VALUE);
        let def = self.b.edit(def);
        def.ty = ty;
        def.value = value;
        // After `into` names may come again.
        def.from = kid.start() as u32;
    }
}
