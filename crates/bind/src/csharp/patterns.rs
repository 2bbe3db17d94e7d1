//! Patterns and deconstruction.

use crate::facts::{Expr, ExprId, NONE, Role, ScopeId};

use super::{AMBIGUOUS, Kid, Kind, Range, VALUE, Walker, Want};

impl<'t> Walker<'t> {
    pub(super) fn is_pattern(kind: Kind) -> bool {
        matches!(
            kind,
            Kind::AndPattern
                | Kind::ConstantPattern
                | Kind::DeclarationPattern
                | Kind::ListPattern
                | Kind::NegatedPattern
                | Kind::OrPattern
                | Kind::ParenthesizedPattern
                | Kind::RecursivePattern
                | Kind::RelationalPattern
                | Kind::TypePattern
                | Kind::VarPattern
                | Kind::Discard
        )
    }

    /// A pattern that `subject` is matched with.
    pub(super) fn pattern(&mut self, kid: Kid<'t>, scope: ScopeId, subject: ExprId) {
        if !self.enter() {
            return;
        }
        let kids = self.open(kid.node);
        match kid.kind {
            Kind::ConstantPattern => self.constant(&kids, scope),
            Kind::RelationalPattern => {
                self.last(&kids, scope, Want::Same(subject));
            }
            Kind::ListPattern => self.list_pattern(&kids, scope, subject),
            Kind::DeclarationPattern
            | Kind::RecursivePattern
            | Kind::TypePattern
            | Kind::VarPattern => self.typed_pattern(&kids, scope, subject),
            Kind::Discard => {}
            _ if Self::is_pattern(kid.kind) => {
                for i in kids.clone() {
                    let part = self.kids.get(i);
                    if Self::is_pattern(part.kind) {
                        self.pattern(part, scope, subject);
                    }
                }
            }
            _ => {
                self.expr(kid, scope, Want::Same(subject));
            }
        }
        self.close(&kids);
        self.leave();
    }

    /// `x is R(var a, 1)`, which the grammar reads as a call of `x is R`.
    pub(super) fn positional_test(&mut self, test: Kid<'t>, arguments: Kid<'t>, scope: ScopeId) {
        let kids = self.open(test.node);
        self.field_expr(&kids, self.t.expression, scope, Want::Nothing);
        let mut ty = NONE;
        if let Some(pattern) = self.kids.field(&kids, self.t.pattern) {
            let inner = self.open(pattern.node);
            for i in inner.clone() {
                let part = self.kids.get(i);
                ty = match part.kind {
                    Kind::MemberAccess => self.chain(part, scope, AMBIGUOUS),
                    _ => self.ty(part, scope),
                };
            }
            self.close(&inner);
        }
        self.close(&kids);
        let of = self.instance(ty);
        let kids = self.open(arguments.node);
        for (index, i) in kids.clone().enumerate() {
            let argument = self.kids.get(i);
            let parts = self.open(argument.node);
            let index = index as u32;
            let subject = match self.kids.field(&parts, self.t.name) {
                Some(name) => self.member(of, name.node, Role::Read, VALUE),
                None => self.b.expr(Expr::Entry { of, index }),
            };
            for i in parts.clone() {
                let part = self.kids.get(i);
                if part.field == 0 && part.kind != Kind::Discard {
                    self.expr(part, scope, Want::Same(subject));
                }
            }
            self.close(&parts);
        }
        self.close(&kids);
    }

    fn constant(&mut self, kids: &Range, scope: ScopeId) {
        for i in kids.clone() {
            let part = self.kids.get(i);
            self.constant_or_type(part, scope);
        }
    }

    /// A name by itself may be a constant or a type. `o is T && p` is a test and an operator, which the
    /// grammar reads as a test with all of `T && p`.
    pub(super) fn constant_or_type(&mut self, kid: Kid<'t>, scope: ScopeId) -> ExprId {
        match kid.kind {
            Kind::Identifier => self.name(kid.node, scope, Role::Read, AMBIGUOUS),
            Kind::MemberAccess => self.chain(kid, scope, AMBIGUOUS),
            Kind::GenericName => self.ty_in(kid, scope, AMBIGUOUS, Role::Read),
            Kind::Binary => self.operators(kid, scope, Want::Nothing, Self::constant_or_type),
            _ => self.expr(kid, scope, Want::Nothing),
        }
    }

    fn list_pattern(&mut self, kids: &Range, scope: ScopeId, subject: ExprId) {
        let part = crate::facts::Part::Element;
        let element = self.b.expr(Expr::Iter { of: subject, part });
        for i in kids.clone() {
            let part = self.kids.get(i);
            if Self::is_pattern(part.kind) {
                self.pattern(part, scope, element);
            } else {
                self.designation(part, scope, NONE, subject);
            }
        }
    }

    /// `T t`, `T (…) { … } t`, `var t`.
    fn typed_pattern(&mut self, kids: &Range, scope: ScopeId, subject: ExprId) {
        let mut ty = NONE;
        let mut value = subject;
        for i in kids.clone() {
            let part = self.kids.get(i);
            match part.kind {
                _ if part.field == self.t.ty => {
                    ty = self.ty(part, scope);
                    if ty != NONE {
                        value = self.instance(ty);
                    }
                }
                Kind::PositionalClause => self.subpatterns(part, scope, value, true),
                Kind::PropertyClause => self.subpatterns(part, scope, value, false),
                _ if Self::is_pattern(part.kind) => self.pattern(part, scope, value),
                _ => self.designation(part, scope, ty, value),
            }
        }
    }

    /// What a pattern calls what it has matched.
    fn designation(&mut self, kid: Kid<'t>, scope: ScopeId, ty: ExprId, value: ExprId) {
        match kid.kind {
            Kind::Identifier => self.local(kid, scope, kid.range(), ty, value),
            Kind::ParenthesizedDesignation => {
                if !self.enter() {
                    return;
                }
                let kids = self.open(kid.node);
                for (index, i) in kids.clone().enumerate() {
                    let part = self.kids.get(i);
                    let index = index as u32;
                    let entry = self.b.expr(Expr::Entry { of: value, index });
                    self.designation(part, scope, NONE, entry);
                }
                self.close(&kids);
                self.leave();
            }
            _ => {}
        }
    }

    fn subpatterns(&mut self, kid: Kid<'t>, scope: ScopeId, of: ExprId, by_place: bool) {
        let kids = self.open(kid.node);
        for (index, i) in kids.clone().enumerate() {
            let part = self.kids.get(i);
            let inner = self.open(part.node);
            let index = index as u32;
            let mut subject = if by_place {
                self.b.expr(Expr::Entry { of, index })
            } else {
                NONE
            };
            for i in inner.clone() {
                let part = self.kids.get(i);
                if Self::is_pattern(part.kind) {
                    self.pattern(part, scope, subject);
                } else if self.is_followed_by(part, ':') {
                    subject = self.path(part, of);
                }
            }
            self.close(&inner);
        }
        self.close(&kids);
    }

    /// `A` or `A.B` of what is matched.
    fn path(&mut self, kid: Kid<'t>, of: ExprId) -> ExprId {
        if kid.kind != Kind::MemberAccess {
            return self.member(of, kid.node, Role::Read, VALUE);
        }
        if !self.enter() {
            return NONE;
        }
        let kids = self.open(kid.node);
        let mut of = of;
        if let Some(outer) = self.kids.field(&kids, self.t.expression) {
            of = self.path(outer, of);
        }
        if let Some(name) = self.kids.field(&kids, self.t.name) {
            of = self.member(of, name.node, Role::Read, VALUE);
        }
        self.close(&kids);
        self.leave();
        of
    }

    /// `var (a, b) = value`: a tuple's entries, or what its type takes itself apart into.
    pub(super) fn tuple_pattern(&mut self, kid: Kid<'t>, scope: ScopeId, of: ExprId) {
        if !self.enter() {
            return;
        }
        let kids = self.open(kid.node);
        for (index, i) in kids.clone().enumerate() {
            let part = self.kids.get(i);
            let index = index as u32;
            let entry = self.b.expr(Expr::Entry { of, index });
            match part.kind {
                Kind::Identifier => self.local(part, scope, part.range(), NONE, entry),
                Kind::TuplePattern => self.tuple_pattern(part, scope, entry),
                _ => {}
            }
        }
        self.close(&kids);
        self.leave();
    }
}
