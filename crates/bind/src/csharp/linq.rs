//! Query expressions: what is called `from x in xs` has the elements' type.

use crate::facts::{DefKind, Expr, ExprId, IterationPart, NONE, ScopeId};

use super::kinds::Kind;
use super::walk::{CSharpChild, CSharpWalk, VALUE};
use crate::children::ChildRange;
use crate::contextual::ContextualType;

impl<'t> CSharpWalk<'t> {
    pub(super) fn linq_query(&mut self, child: CSharpChild<'t>, scope: ScopeId) -> ExprId {
        let scope = self.block(child, scope);
        let children = self.open(child.node);
        let mut result = NONE;
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::SelectClause | Kind::GroupClause => {
                    let inner = self.open(part.node);
                    result = self.first(inner, scope);
                    self.close(inner);
                    if part.kind == Kind::GroupClause {
                        result = self.b.expr(Expr::Array { of: result });
                    }
                }
                // `into x` goes on with what was selected.
                Kind::Identifier => self.range_variable(part, scope, NONE, result),
                _ => self.clause(part, scope),
            }
        }
        self.close(children);
        self.b.expr(Expr::Array { of: result })
    }

    fn first(&mut self, children: ChildRange, scope: ScopeId) -> ExprId {
        let mut first = NONE;
        for (place, i) in children.iter().enumerate() {
            let part = self.child(i);
            let value = self.expr(part, scope, ContextualType::Nothing);
            if place == 0 {
                first = value;
            }
        }
        first
    }

    fn clause(&mut self, child: CSharpChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        match child.kind {
            Kind::FromClause | Kind::JoinClause => self.source(children, scope),
            Kind::LetClause => {
                let mut name = None;
                for i in children {
                    let part = self.child(i);
                    if name.is_none() && part.kind == Kind::Identifier {
                        name = Some(part);
                        continue;
                    }
                    let value = self.expr(part, scope, ContextualType::Nothing);
                    if let Some(name) = name {
                        self.range_variable(name, scope, NONE, value);
                    }
                }
            }
            _ => {
                self.last(children, scope, ContextualType::Nothing);
            }
        }
        self.close(children);
    }

    /// `from T x in xs`, `join T x in xs on a equals b into g`.
    fn source(&mut self, children: ChildRange, scope: ScopeId) {
        let mut ty = NONE;
        let mut name = None;
        let mut element = NONE;
        for i in children {
            let part = self.child(i);
            if part.field == self.table.ty {
                ty = self.ty(part, scope);
            } else if name.is_none() && part.kind == Kind::Identifier {
                name = Some(part);
            } else if part.kind == Kind::JoinInto {
                let inner = self.open(part.node);
                if let Some(group) = self.children.of_kind(inner, Kind::Identifier) {
                    let value = self.b.expr(Expr::Array { of: element });
                    self.range_variable(group, scope, NONE, value);
                }
                self.close(inner);
            } else {
                let value = self.expr(part, scope, ContextualType::Nothing);
                if let (Some(name), NONE) = (name, element) {
                    let part = IterationPart::Element;
                    element = self.b.expr(Expr::Iter { of: value, part });
                    self.range_variable(name, scope, ty, element);
                }
            }
        }
    }

    fn range_variable(
        &mut self,
        child: CSharpChild<'t>,
        scope: ScopeId,
        ty: ExprId,
        value: ExprId,
    ) {
        let def = self.define(child.node, DefKind::Variable, scope, child.range(), VALUE);
        let def = self.b.edit(def);
        def.ty = ty;
        def.value = value;
        // After `into` names may come again.
        def.from = child.start() as u32;
    }
}
