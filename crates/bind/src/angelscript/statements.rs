//! Statements.

use crate::facts::{DefKind, Expr, ExprId, NONE, Part, Role, ScopeId};

use super::kinds::Kind;
use super::walk::{ANY_VALUE, Child, VALUE, Walk};

impl<'t> Walk<'t> {
    /// All that stands in a node, as statements of a scope.
    pub(super) fn statements(&mut self, child: Child<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        for i in children {
            let child = self.child(i);
            self.statement(child, scope);
        }
        self.close(children);
    }

    /// The same a level deeper, unless that is too deep.
    pub(super) fn statements_within(&mut self, child: Child<'t>, scope: ScopeId) {
        self.deeper((), |walk| walk.statements(child, scope));
    }

    /// A statement, or whatever else stands where one is looked for.
    pub(super) fn statement(&mut self, child: Child<'t>, scope: ScopeId) {
        match child.kind {
            Kind::Block | Kind::For | Kind::SwitchBody => {
                let inner = self.block(child, scope);
                self.statements_within(child, inner);
            }
            Kind::If => self.if_statement(child, scope),
            Kind::RangeFor => self.range_for(child, scope),
            Kind::Using => self.using(child, scope),
            Kind::LocalDeclaration => self.local_declaration(child, scope),
            Kind::SwitchCase => {
                let inner = self.block(child, scope);
                self.statements_within(child, inner);
            }
            Kind::Class
            | Kind::Struct
            | Kind::Interface
            | Kind::Enum
            | Kind::Namespace
            | Kind::Delegate
            | Kind::Event
            | Kind::Function
            | Kind::Variable
            | Kind::Asset
            | Kind::Settings => self.top(child, scope),
            Kind::Macro => self.macro_call(child, scope),
            Kind::Modifier | Kind::Qualifier => {}
            Kind::ParameterList => self.parameters(child, scope),
            Kind::Type | Kind::TypeIdentifier | Kind::TemplateType => {
                self.ty(child, scope);
            }
            _ if Self::is_expression(child.kind) => {
                self.expr(child, scope);
            }
            _ => self.statements_within(child, scope),
        }
    }

    /// `else if` goes on in a loop.
    fn if_statement(&mut self, child: Child<'t>, scope: ScopeId) {
        let before = self.children.top();
        let mut at = child;
        loop {
            let children = self.open(at.node);
            let last = children.iter().last();
            let mut next = None;
            for i in children {
                let part = self.child(i);
                match part.kind {
                    Kind::If if Some(i) == last => next = Some(part),
                    _ => self.deeper((), |walk| walk.statement(part, scope)),
                }
            }
            match next {
                Some(part) => at = part,
                None => break,
            }
        }
        self.close(before);
    }

    fn range_for(&mut self, child: Child<'t>, around: ScopeId) {
        let scope = self.block(child, around);
        let children = self.open(child.node);
        let of = match self.children.in_field(children, self.table.value) {
            // The variables are not seen in what is iterated, which may have their names.
            Some(value) => self.expr(value, around),
            None => NONE,
        };
        let (mut ty, mut count) = (NONE, 0);
        for i in children {
            let part = self.child(i);
            if part.field == self.table.ty {
                ty = self.ty(part, scope);
            } else if part.field == self.table.name {
                let value = self.iterated(of, count);
                let def = self.define(part.node, DefKind::Variable, scope, part.range(), VALUE);
                let def = self.b.edit(def);
                (def.ty, def.value) = (std::mem::replace(&mut ty, NONE), value);
                def.from = part.node.end_byte() as u32;
                count += 1;
            }
        }
        if let Some(body) = self.children.in_field(children, self.table.body) {
            self.deeper((), |walk| walk.statement(body, scope));
        }
        self.close(children);
    }

    /// What a variable of a range loop is given: the element, or where there are several what the function for its place gives.
    fn iterated(&mut self, of: ExprId, place: usize) -> ExprId {
        if place == 0 {
            let part = Part::Element;
            return self.b.expr(Expr::Iter { of, part });
        }
        let function = format!("opForValue{place}");
        let of = self
            .b
            .member_use(of, &function, NONE, Role::Call, ANY_VALUE);
        self.b.expr(Expr::Call { of, args: NONE })
    }

    fn local_declaration(&mut self, child: Child<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        let mut ty = NONE;
        for i in children {
            let part = self.child(i);
            if part.field == self.table.ty {
                ty = self.ty(part, scope);
            } else if part.kind == Kind::Declarator {
                self.declarator(part, scope, DefKind::Variable, ty, child.range());
            }
        }
        self.close(children);
    }
}
