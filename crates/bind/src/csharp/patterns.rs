//! Patterns and deconstruction.

use crate::facts::{Expr, ExprId, NONE, Role, ScopeId};

use super::kinds::Kind;
use super::walk::{AMBIGUOUS, CSharpChild, CSharpWalk, VALUE};
use crate::children::ChildRange;
use crate::contextual::ContextualType;

impl<'t> CSharpWalk<'t> {
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
    pub(super) fn pattern(&mut self, child: CSharpChild<'t>, scope: ScopeId, subject: ExprId) {
        if !self.enter() {
            return;
        }
        let children = self.open(child.node);
        match child.kind {
            Kind::ConstantPattern => self.constant(children, scope),
            Kind::RelationalPattern => {
                self.last(children, scope, ContextualType::Same(subject));
            }
            Kind::ListPattern => self.list_pattern(children, scope, subject),
            Kind::DeclarationPattern if self.is_nameof_pattern(children) => {
                if let Some(named) = self
                    .children
                    .of_kind(children, Kind::ParenthesizedDesignation)
                {
                    self.names(named, scope);
                }
            }
            Kind::DeclarationPattern
            | Kind::RecursivePattern
            | Kind::TypePattern
            | Kind::VarPattern => self.typed_pattern(children, scope, subject),
            Kind::Discard => {}
            _ if Self::is_pattern(child.kind) => {
                for i in children {
                    let part = self.child(i);
                    if Self::is_pattern(part.kind) {
                        self.pattern(part, scope, subject);
                    }
                }
            }
            _ => {
                self.expr(child, scope, ContextualType::Same(subject));
            }
        }
        self.close(children);
        self.leave();
    }

    /// `nameof(A)`, a constant, which the grammar reads as a variable of a type of that name.
    fn is_nameof_pattern(&self, children: ChildRange) -> bool {
        let ty = self.children.in_field(children, self.table.ty);
        ty.is_some_and(|ty| self.text(ty.node) == "nameof")
    }

    /// Names that the grammar reads as those of variables.
    fn names(&mut self, child: CSharpChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        for i in children {
            let part = self.child(i);
            if part.kind == Kind::Identifier {
                self.name(part.node, scope, Role::Read, AMBIGUOUS);
            }
        }
        self.close(children);
    }

    /// `x is R(var a, 1)`, which the grammar reads as a call of `x is R`.
    pub(super) fn positional_test(
        &mut self,
        test: CSharpChild<'t>,
        arguments: CSharpChild<'t>,
        scope: ScopeId,
    ) {
        let children = self.open(test.node);
        self.field_expr(
            children,
            self.table.expression,
            scope,
            ContextualType::Nothing,
        );
        let mut ty = NONE;
        let pattern = self.children.in_field(children, self.table.pattern);
        if pattern.is_some_and(|pattern| self.text(pattern.node) == "nameof") {
            self.close(children);
            return self.named_only(arguments, scope);
        }
        if let Some(pattern) = pattern {
            let inner = self.open(pattern.node);
            for i in inner {
                let part = self.child(i);
                ty = match part.kind {
                    Kind::MemberAccess => self.chain(part, scope, AMBIGUOUS),
                    _ => self.ty(part, scope),
                };
            }
            self.close(inner);
        }
        self.close(children);
        let of = self.instance(ty);
        let children = self.open(arguments.node);
        for (index, i) in children.iter().enumerate() {
            let argument = self.child(i);
            let parts = self.open(argument.node);
            let index = index as u32;
            let subject = match self.children.in_field(parts, self.table.name) {
                Some(name) => self.member(of, name.node, Role::Read, VALUE),
                None => self.b.expr(Expr::Entry { of, index }),
            };
            for i in parts {
                let part = self.child(i);
                if part.field == 0 && part.kind != Kind::Discard {
                    self.expr(part, scope, ContextualType::Same(subject));
                }
            }
            self.close(parts);
        }
        self.close(children);
    }

    fn constant(&mut self, children: ChildRange, scope: ScopeId) {
        for i in children {
            let part = self.child(i);
            self.constant_or_type(part, scope);
        }
    }

    /// A name by itself may be a constant or a type. `o is T && p` is a test and an operator, which the
    /// grammar reads as a test with all of `T && p`.
    pub(super) fn constant_or_type(&mut self, child: CSharpChild<'t>, scope: ScopeId) -> ExprId {
        match child.kind {
            Kind::Identifier => self.name(child.node, scope, Role::Read, AMBIGUOUS),
            Kind::MemberAccess => self.chain(child, scope, AMBIGUOUS),
            Kind::GenericName => self.ty_in(child, scope, AMBIGUOUS, Role::Read),
            Kind::Binary => self.operators(
                child,
                scope,
                ContextualType::Nothing,
                Self::constant_or_type,
            ),
            _ => self.expr(child, scope, ContextualType::Nothing),
        }
    }

    fn list_pattern(&mut self, children: ChildRange, scope: ScopeId, subject: ExprId) {
        let part = crate::facts::IterationPart::Element;
        let element = self.b.expr(Expr::Iter { of: subject, part });
        for i in children {
            let part = self.child(i);
            if Self::is_pattern(part.kind) {
                self.pattern(part, scope, element);
            } else {
                self.designation(part, scope, NONE, subject);
            }
        }
    }

    /// `T t`, `T (…) { … } t`, `var t`.
    fn typed_pattern(&mut self, children: ChildRange, scope: ScopeId, subject: ExprId) {
        let mut ty = NONE;
        let mut value = subject;
        for i in children {
            let part = self.child(i);
            match part.kind {
                _ if part.field == self.table.ty => {
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
    fn designation(&mut self, child: CSharpChild<'t>, scope: ScopeId, ty: ExprId, value: ExprId) {
        match child.kind {
            Kind::Identifier => self.local(child, scope, child.range(), ty, value),
            Kind::ParenthesizedDesignation => {
                if !self.enter() {
                    return;
                }
                let children = self.open(child.node);
                for (index, i) in children.iter().enumerate() {
                    let part = self.child(i);
                    let index = index as u32;
                    let entry = self.b.expr(Expr::Entry { of: value, index });
                    self.designation(part, scope, NONE, entry);
                }
                self.close(children);
                self.leave();
            }
            _ => {}
        }
    }

    fn subpatterns(&mut self, child: CSharpChild<'t>, scope: ScopeId, of: ExprId, by_place: bool) {
        let children = self.open(child.node);
        for (index, i) in children.iter().enumerate() {
            let part = self.child(i);
            let inner = self.open(part.node);
            let index = index as u32;
            let mut subject = if by_place {
                self.b.expr(Expr::Entry { of, index })
            } else {
                NONE
            };
            for i in inner {
                let part = self.child(i);
                if Self::is_pattern(part.kind) {
                    self.pattern(part, scope, subject);
                } else if self.is_followed_by(part, ':') {
                    subject = self.path(part, of);
                }
            }
            self.close(inner);
        }
        self.close(children);
    }

    /// `A` or `A.B` of what is matched.
    fn path(&mut self, child: CSharpChild<'t>, of: ExprId) -> ExprId {
        if child.kind != Kind::MemberAccess {
            return self.member(of, child.node, Role::Read, VALUE);
        }
        if !self.enter() {
            return NONE;
        }
        let children = self.open(child.node);
        let mut of = of;
        if let Some(outer) = self.children.in_field(children, self.table.expression) {
            of = self.path(outer, of);
        }
        if let Some(name) = self.children.in_field(children, self.table.name) {
            of = self.member(of, name.node, Role::Read, VALUE);
        }
        self.close(children);
        self.leave();
        of
    }

    /// `var (a, b) = value`: a tuple's entries, or what its type takes itself apart into.
    pub(super) fn tuple_pattern(&mut self, child: CSharpChild<'t>, scope: ScopeId, of: ExprId) {
        if !self.enter() {
            return;
        }
        let children = self.open(child.node);
        for (index, i) in children.iter().enumerate() {
            let part = self.child(i);
            let index = index as u32;
            let entry = self.b.expr(Expr::Entry { of, index });
            match part.kind {
                Kind::Identifier => self.local(part, scope, part.range(), NONE, entry),
                Kind::TuplePattern => self.tuple_pattern(part, scope, entry),
                _ => {}
            }
        }
        self.close(children);
        self.leave();
    }
}
